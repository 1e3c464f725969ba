"""The default algebra: OxiDD's diagrams with complement edges, one thread.

OxiDD holds all nodes in one table of fixed capacity, which bounds every single operation, and releases the interpreter's
lock while it works.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import sleep
from traceback import clear_frames
from typing import Any

from epistrat.solvers.bdd.algebra import OutOfNodes
from epistrat.solvers.bdd.native import oxidd
from epistrat.solvers.budget import require_address_space

_AND = oxidd.BooleanOperator.AND

# How often, and how many seconds apart, to ask for a collection that OxiDD's own thread is about to make.
_COLLECTION_LOOKS = 1000
_COLLECTION_WAIT = 0.001  # seconds
_NEARLY_FULL = 0.9  # of the capacity, see note [who collects]

# OxiDD ends the process where it cannot have address space, so it is asked for first; rounded up from what the sizes of processes show.
_MANAGER = 1_200_000_000  # bytes that a manager takes: its thread has a stack of a gigabyte
_PER_NODE = 20  # bytes
_PER_ENTRY = 24  # bytes of the table of results

# Note [who collects]
# OxiDD's own thread collects when 95 % of the table is in use, if it gets hold of the table between two operations.  When that is, no
# run repeats, and an operation may run out of nodes while nearly all of them are garbage.  So whoever counts nodes collects a bit earlier.


class OxiddAlgebra:
    """Boolean functions in an OxiDD manager."""

    library = "oxidd"

    def __init__(self, variables: int, nodes: int, cache: int) -> None:
        require_address_space(_MANAGER + _PER_NODE * nodes + _PER_ENTRY * cache)
        self._manager = oxidd.BCDDManager(nodes, cache, 1)
        self._manager.add_vars(variables)
        self._capacity = nodes
        self.due = int(_NEARLY_FULL * nodes)
        self.variables = variables
        self.true: Any = self._manager.true()
        self.false: Any = self._manager.false()
        self.var: Sequence[Any] = [self._manager.var(index) for index in range(variables)]

    def grow(self, count: int) -> range:
        """Add variables at the bottom of the order.

        If nodes run out on the way, nothing has changed: what the manager made already is used the next time.
        """
        added = range(self.variables, self.variables + count)
        self._manager.add_vars(added.stop - self._manager.num_vars())
        self.var = [*self.var, *(self._manager.var(index) for index in added)]
        self.variables = len(self.var)
        return added

    def xor(self, one: Any, other: Any) -> Any:
        """Exactly one of the two; the larger function should come first.

        OxiDD's own ``^`` takes quadratic time in the depth where a function and its negation meet, as in a parity; this does not.
        """
        return one.ite(~other, other)

    def ite(self, condition: Any, then: Any, otherwise: Any) -> Any:
        """``then`` where the condition holds, elsewhere ``otherwise``."""
        return condition.ite(then, otherwise)

    def cube(self, variables: Iterable[int]) -> Any:
        """A conjunction of positive variables, built from the bottom of the order upwards."""
        result: Any = None
        for index in sorted(variables, reverse=True):
            result = self.var[index] if result is None else self.var[index] & result
        return result

    def exists(self, function: Any, cube: Any) -> Any:
        """Some values of the cube's variables make the function true."""
        return function if cube is None else function.exists(cube)

    def and_exists(self, one: Any, other: Any, cube: Any) -> Any:
        """``exists(one & other, cube)`` without building the conjunction."""
        return one & other if cube is None else one.apply_exists(_AND, other, cube)

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Any:
        """A renaming of the first variable of each pair to the second."""
        replaced = [(old, self.var[new]) for old, new in pairs]
        return oxidd.BCDDFunction.make_substitution(replaced) if replaced else None

    def rename(self, function: Any, renaming: Any) -> Any:
        """The function with variables renamed."""
        return function if renaming is None else function.substitute(renaming)

    def implies(self, one: Any, other: Any) -> bool:
        """Whether ``one`` is contained in ``other``."""
        return not (one & ~other).satisfiable()

    def size(self, function: Any) -> int:
        """The number of nodes of the function's diagram."""
        return int(function.node_count())

    def count(self, function: Any, variables: int) -> int:
        """How many valuations of that many variables make the function true."""
        surplus = self.variables - variables
        return int(function.sat_count(self.variables)) >> surplus

    def pick(self, function: Any) -> dict[int, bool] | None:
        """Values of some variables under which the function is true whatever the others are."""
        values = function.pick_cube()
        if values is None:
            return None
        return {index: bool(value) for index, value in enumerate(values) if value is not None}

    def nodes(self) -> int:
        """The number of nodes in the table, garbage included."""
        return int(self._manager.approx_num_inner_nodes())

    def crowded(self) -> bool:
        """Whether nodes were collected, or soon may be, see note [who collects]."""
        return self.nodes() > self.due or self._manager.gc_count() > 0

    def collect(self) -> None:
        """Free the nodes that no handle needs; if few are freed, the next collection is due when half of what is left is used.

        OxiDD also collects in a thread of its own, and a call that comes while that thread is about to do so returns at once:
        ask again until a collection was made.
        """
        done = self._manager.gc_count()
        for _ in range(_COLLECTION_LOOKS):
            self._manager.gc()
            if self._manager.gc_count() > done:
                break
            sleep(_COLLECTION_WAIT)
        self.due = max(int(_NEARLY_FULL * self._capacity), (self._capacity + self.nodes()) // 2)

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Inside, OxiDD's memory error becomes `OutOfNodes`."""
        try:
            yield
        except oxidd.DDMemoryError as error:
            clear_frames(error.__traceback__)  # which keep diagrams that nobody needs any more
            raise OutOfNodes from None
