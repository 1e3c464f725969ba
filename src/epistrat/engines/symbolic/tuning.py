"""The options of the symbolic engine; docs/symbolic.md explains their values."""

from __future__ import annotations

from epistrat.engines.tuning import BadOption, Tuning, option
from epistrat.records import dataclass

SEARCHES = {"1": "full", "2": "image", "3": "frontier"}
"""MCMAS's numbers of the ways to search."""
ORDERS = ("auto", "index", "declared", "breadth", "random", "1", "2", "3", "4")


@dataclass(frozen=True)
class SymbolicTuning(Tuning):
    """How decision diagrams are built and searched."""

    order: str = option(
        "auto",
        "order of the variables (auto, index, declared, breadth, random, each also with -top or -interleaved; MCMAS's 1-4)",
        metavar="O",
    )
    reorder: bool = option(False, "reorder variables while working (CUDD only)")
    reach: str = option(
        "auto",
        "how reachable states are found",
        choices=("auto", "full", "image", "frontier", "smaller", "chaining", "mcmas", *SEARCHES),
        metavar="R",
    )
    bdd: str | None = option(None, "the BDD library", choices=("oxidd", "cudd"), metavar="LIB")

    def __post_init__(self) -> None:
        super().__post_init__()
        start, *extras = self.order.split("-")
        if start not in ORDERS or not set(extras) <= {"top", "interleaved"}:
            raise BadOption(f"there is no order {self.order!r}; there are {', '.join(ORDERS)}")
        if self.reorder and self.library != "cudd":
            raise BadOption("only CUDD reorders variables by itself: ask for it with bdd = cudd")

        if self.library == "cudd" and _absent("dd.cudd"):
            raise BadOption(
                "CUDD is not installed: pip install 'epistrat[cudd]', which has it for Python 3.11 and 3.12"
            )

    @property
    def library(self) -> str:
        """The library to use: OxiDD unless another is asked for or needed."""
        return self.bdd or ("cudd" if self.reorder else "oxidd")

    @property
    def search(self) -> str:
        """The way to search, by name."""
        return SEARCHES.get(self.reach, self.reach)

    @property
    def plain(self) -> bool:
        """Whether to do as MCMAS does, without refinements."""
        return self.reach == "mcmas"

    @property
    def mcmas_order(self) -> int | None:
        """The number of MCMAS's order, if one was asked for."""
        return int(self.order) if self.order.isdigit() else None


def _absent(module: str) -> bool:
    """Whether a module of a package that may be missing is not there."""
    from importlib.util import find_spec

    return find_spec(module.partition(".")[0]) is None or find_spec(module) is None
