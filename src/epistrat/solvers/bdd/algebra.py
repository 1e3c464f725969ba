"""Boolean functions as binary decision diagrams: the little that engines need of a BDD library.

Variables are numbers; number 0 is at the top of the order and never moves (unless the library reorders by itself, which
numbers do not show).  A `Bdd` is a handle on a function: equal functions of one algebra are equal handles, and ``& | ~``
work on handles directly.  Everything else is asked of the `Algebra`.

Quantification takes a *cube*, renaming a *renaming*, both made once and used often: building them costs more than many of
the operations they are used in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias


class OutOfNodes(Exception):
    """An operation needed more nodes than the algebra may have.  What was computed before stays valid."""


class Bdd(Protocol):
    """A Boolean function."""

    def __and__(self, other: Any, /) -> Bdd: ...

    def __or__(self, other: Any, /) -> Bdd: ...

    def __invert__(self, /) -> Bdd: ...

    def __hash__(self) -> int: ...


Cube: TypeAlias = Any
Renaming: TypeAlias = Any


class Algebra(Protocol):
    """A space of Boolean functions over some number of variables."""

    library: str
    variables: int
    true: Bdd
    false: Bdd
    var: Sequence[Bdd]
    due: int  # nodes in the table above which `collect` should be called between two operations

    def grow(self, count: int) -> range:
        """Add variables at the bottom of the order; their numbers.  Functions made before stay valid."""

    def xor(self, one: Bdd, other: Bdd) -> Bdd:
        """Exactly one of the two."""

    def ite(self, condition: Bdd, then: Bdd, otherwise: Bdd) -> Bdd:
        """``then`` where the condition holds, elsewhere ``otherwise``."""

    def cube(self, variables: Iterable[int]) -> Cube | None:
        """A set of variables to quantify; None for the empty set, which every quantifier accepts."""

    def exists(self, function: Bdd, cube: Cube | None) -> Bdd:
        """Some values of the cube's variables make the function true."""

    def and_exists(self, one: Bdd, other: Bdd, cube: Cube | None) -> Bdd:
        """``exists(one & other, cube)`` without building the conjunction."""

    def renaming(self, pairs: Iterable[tuple[int, int]]) -> Renaming | None:
        """A renaming of the first variable of each pair to the second; no variable occurs twice."""

    def rename(self, function: Bdd, renaming: Renaming | None) -> Bdd:
        """The function with variables renamed; it must not depend on the new names."""

    def implies(self, one: Bdd, other: Bdd) -> bool:
        """Whether ``one`` is contained in ``other``."""

    def size(self, function: Bdd) -> int:
        """The number of nodes of the function's diagram."""

    def count(self, function: Bdd, variables: int) -> int:
        """How many valuations of that many variables make the function true, exactly.

        The function must depend on no more variables than that.
        """

    def pick(self, function: Bdd) -> dict[int, bool] | None:
        """Values of some variables under which the function is true whatever the others are; None if it is false."""

    def nodes(self) -> int:
        """The number of nodes in the table, garbage included: cheap, not exact."""

    def crowded(self) -> bool:
        """Whether nodes were collected, or soon may be: what `nodes` says from then on depends on when that happens."""

    def collect(self) -> None:
        """Free the nodes that no handle needs."""

    def guard(self) -> AbstractContextManager[None]:
        """Inside, the library's own way of saying that nodes ran out becomes `OutOfNodes`."""


NODES = 1 << 24  # capacity of the table
CACHE = 1 << 22  # entries
_MOST_NODES = 1 << 30  # that the libraries can number


def open_algebra(
    variables: int, library: str = "oxidd", nodes: int = NODES, cache: int = CACHE, reorder: bool = False
) -> Algebra:
    """An algebra over so many variables: ``oxidd`` or ``cudd``.  Only CUDD can reorder variables by itself."""
    nodes = min(nodes, _MOST_NODES)
    if library == "oxidd" and not reorder:
        from epistrat.solvers.bdd.oxidd_space import OxiddAlgebra

        return OxiddAlgebra(variables, nodes, cache)
    from epistrat.solvers.bdd.dd_space import CuddAlgebra

    return CuddAlgebra(variables, nodes, reorder)
