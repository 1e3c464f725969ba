"""The second algebra: CUDD through the ``dd`` package, an optional extra.

Slower than OxiDD on all that was measured, but it can reorder variables by itself and is an independent implementation,
which tests compare with.  CUDD counts in floating point, so states are counted here by a walk over the diagram.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from traceback import clear_frames
from typing import Any

from epistrat.solvers.bdd.algebra import Bdd, OutOfNodes

with warnings.catch_warnings():  # dd's own imports warn on some versions of Python
    warnings.simplefilter("ignore")
    import dd.cudd as _cudd

_BYTES_PER_NODE = 64  # a node, its share of the unique tables and of the cache
_MOST_ESTIMATED = 1 << 30  # bytes: dd refuses to begin where more is estimated than the machine has
_GAVE_UP = ("`NULL` pointer", "run out of memory", "failed")  # what dd's errors say when CUDD gave up, by operation

_managers: list[Any] = []
"""All managers, until nothing else refers to them.

When the collector of cyclic garbage takes the last function apart, that function lets go of its manager before it gives back its node.
The manager would then end with a node in use: dd prints an error and never frees its memory.  With a reference here it ends later.
"""
_changing = Lock()
_UNUSED = 3  # references to a manager: the list's, the loop's, and that of the call which counts them


def _kept(manager: Any) -> Any:
    """The manager, which will outlive its functions; those of the past that have no function left end here."""
    with _changing:
        _managers[:] = [manager, *(one for one in _managers if sys.getrefcount(one) > _UNUSED)]
    return manager


class CuddAlgebra:
    """Boolean functions in a CUDD manager."""

    library = "cudd"
    due = sys.maxsize  # CUDD collects by itself, inside operations

    def __init__(self, variables: int, nodes: int, reorder: bool = False) -> None:
        limit = nodes * _BYTES_PER_NODE
        estimate = max(min(limit, _MOST_ESTIMATED), 1 << 24)
        self._manager = _kept(_cudd.BDD(memory_estimate=estimate, initial_cache_size=1 << 14))
        self._manager.configure(reordering=reorder, max_memory=max(limit, 1 << 24))
        self.variables = variables
        self._names = [f"v{index}" for index in range(variables)]
        self._number = {name: index for index, name in enumerate(self._names)}
        self._manager.declare(*self._names)
        self.true: Bdd = self._manager.true
        self.false: Bdd = self._manager.false
        self.var: Sequence[Bdd] = [self._manager.var(name) for name in self._names]

    def grow(self, count: int) -> range:
        """Add variables at the bottom of the order.

        If nodes run out on the way, nothing has changed: what the manager made already is used the next time.
        """
        added = range(self.variables, self.variables + count)
        names = [f"v{index}" for index in added]
        self._manager.declare(*names)
        self.var = [*self.var, *(self._manager.var(name) for name in names)]
        self._names += names
        self._number.update(zip(names, added, strict=True))
        self.variables = len(self.var)
        return added

    def xor(self, one: Any, other: Any) -> Any:
        """Exactly one of the two."""
        return self._manager.apply("xor", one, other)

    def ite(self, condition: Any, then: Any, otherwise: Any) -> Any:
        """``then`` where the condition holds, elsewhere ``otherwise``."""
        return self._manager.ite(condition, then, otherwise)

    def cube(self, variables: Iterable[int]) -> Any:
        """The names of the variables; dd makes CUDD's cube anew at each call."""
        return frozenset(self._names[index] for index in variables) or None

    def exists(self, function: Any, cube: Any) -> Any:
        """Some values of the cube's variables make the function true."""
        return function if cube is None else self._manager.exist(cube, function)

    def and_exists(self, one: Any, other: Any, cube: Any) -> Any:
        """``exists(one & other, cube)`` without building the conjunction."""
        return one & other if cube is None else _cudd.and_exists(one, other, cube)

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Any:
        """A table from old to new names."""
        return {self._names[old]: self._names[new] for old, new in pairs} or None

    def rename(self, function: Any, renaming: Any) -> Any:
        """The function with variables renamed: a swap, since the function does not depend on the new names."""
        return function if renaming is None else self._manager._swap(function, renaming)

    def implies(self, one: Any, other: Any) -> bool:
        """Whether ``one`` is contained in ``other``."""
        return bool((one & ~other) == self.false)

    def size(self, function: Any) -> int:
        """The number of nodes of the function's diagram."""
        return int(function.dag_size)

    def count(self, function: Any, variables: int) -> int:
        """How many valuations of that many variables make the function true.

        The share of all valuations is computed bottom up as an integer over 2^variables of the algebra; a complemented
        edge is the rest to the whole.
        """
        whole = 1 << self.variables
        if function == self.true or function == self.false:
            share = whole if function == self.true else 0
        else:
            share = self._share(function, whole)
        return share >> (self.variables - variables)

    def _share(self, function: Any, whole: int) -> int:
        one = self.true
        known: dict[Any, int] = {one: whole}

        def regular(node: Any) -> tuple[Any, bool]:
            return (~node, True) if node.negated else (node, False)

        root, flipped = regular(function)
        stack = [root]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            edges = [regular(node.low), regular(node.high)]
            missing = [child for child, _ in edges if child not in known]
            if missing:
                stack.extend(missing)
                continue
            shares = [whole - known[child] if complemented else known[child] for child, complemented in edges]
            known[node] = sum(shares) >> 1
            stack.pop()
        return whole - known[root] if flipped else known[root]

    def pick(self, function: Any) -> dict[int, bool] | None:
        """Values of some variables under which the function is true whatever the others are."""
        if function == self.false:
            return None
        values = self._manager.pick(function)
        return {self._number[name]: bool(value) for name, value in values.items()}

    def nodes(self) -> int:
        """The number of nodes in the table."""
        return len(self._manager)

    def crowded(self) -> bool:
        """No: CUDD collects inside operations, at the same places in every run."""
        return False

    def collect(self) -> None:
        """Free the nodes that no handle needs; asking for an exact count makes CUDD do so."""
        with warnings.catch_warnings():  # about a change of units between versions of dd
            warnings.simplefilter("ignore")
            self._manager.statistics(exact_node_count=True)

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Inside, dd's complaints about what CUDD gave up become `OutOfNodes`."""
        try:
            yield
        except (ValueError, RuntimeError, MemoryError) as error:
            if not isinstance(error, MemoryError) and not any(words in str(error) for words in _GAVE_UP):
                raise
            clear_frames(error.__traceback__)  # which keep diagrams that nobody needs any more
            raise OutOfNodes from None
