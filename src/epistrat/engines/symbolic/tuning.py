"""The switches of this engine, read from `Options.tuning`.

``order``
    ``auto`` (the default: FORCE and its candidates), ``index``, ``declared``, ``breadth``, ``random`` (FORCE from one start), each
    optionally followed by ``-top`` (actions on top) or ``-interleaved`` (bits of compared variables alternate), or ``1`` to ``4``: MCMAS's.
``reorder``
    Let the library reorder variables while it works; only CUDD can.
``reach``
    ``auto``; ``full`` (``1``: image of all states found), ``image`` (``2``: image of the last image), ``frontier`` (``3``: image of the
    new states only), the three of MCMAS; ``smaller`` (of the new states or of all, whichever is the smaller diagram); ``chaining``
    (branch by branch, each from what the one before found); ``mcmas`` (MCMAS's way throughout: algorithm 2, a plain encoding).
``nodes``
    The most nodes the diagrams may have.
``bdd``
    ``oxidd`` or ``cudd``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from epistrat.encoding.order import Choice
from epistrat.solvers.bdd.algebra import NODES
from epistrat.solvers.budget import memory_in_use

REACH = {"1": "full", "2": "image", "3": "frontier"}
REACH_NAMES = ("auto", "full", "image", "frontier", "smaller", "chaining", "mcmas")
ORDER_NAMES = ("auto", "index", "declared", "breadth", "random", "1", "2", "3", "4")
LIBRARIES = ("oxidd", "cudd")
_NODE_BYTES = 36  # a node with its share of the unique table
_CACHE_BYTES = 90 << 20
_FEWEST_NODES = 1 << 16


class BadTuning(ValueError):
    """A switch has a value that does not exist; the message says which do."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The switches, checked."""

    order: str = "auto"
    reorder: bool = False
    reach: str = "auto"
    nodes: int = NODES
    library: str = "oxidd"

    @property
    def plain(self) -> bool:
        """Whether to do as MCMAS does, without refinements."""
        return self.reach == "mcmas"

    @property
    def mcmas_order(self) -> int | None:
        """The number of MCMAS's order, if one was asked for."""
        return int(self.order) if self.order.isdigit() else None

    @property
    def choice(self) -> Choice | None:
        """The order asked for by name; None leaves the choice to the engine."""
        if self.order == "auto" or self.order.isdigit():
            return None
        start, *extras = self.order.split("-")
        return Choice(start, "top" in extras, "interleaved" in extras)


def fit_into(tuning: Tuning, memory: int | None) -> Tuning:
    """The same with as many nodes as fit into so many bytes: then no single operation can overstep the limit by much."""
    if memory is None:
        return tuning
    left = memory - memory_in_use() - _CACHE_BYTES
    return replace(tuning, nodes=max(_FEWEST_NODES, min(tuning.nodes, left // _NODE_BYTES)))


def read_tuning(options: Mapping[str, Any]) -> Tuning:
    """The switches given; raises `BadTuning` for values that do not exist."""
    order = str(options.get("order") or "auto")
    start, *extras = order.split("-")
    if start not in ORDER_NAMES or not set(extras) <= {"top", "interleaved"}:
        raise BadTuning(f"there is no order {order!r}; there are {', '.join(ORDER_NAMES)}")
    reach = str(options.get("reach") or "auto")
    reach = REACH.get(reach, reach)
    if reach not in REACH_NAMES:
        raise BadTuning(f"there is no search {reach!r}; there are {', '.join((*REACH_NAMES, *REACH))}")
    reorder = bool(options.get("reorder"))
    library = str(options.get("bdd") or ("cudd" if reorder else "oxidd"))
    if library not in LIBRARIES:
        raise BadTuning(f"there is no BDD library {library!r}; there are {', '.join(LIBRARIES)}")
    if reorder and library != "cudd":
        raise BadTuning("only CUDD reorders variables by itself: ask for it with bdd = cudd")
    nodes = int(options.get("nodes") or NODES)
    if nodes <= 0:
        raise BadTuning("the number of nodes must be positive")
    return Tuning(order, reorder, reach, nodes, library)
