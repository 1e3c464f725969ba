"""What trees claim, and which claims stand beside a run."""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.evidence import tree as e
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.trace import Lasso
from epistrat.evidence.tree import Tree
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.state import State


def concrete(reason: e.Reason) -> e.Reason:
    """The reason itself; of a run found in an abstraction, the concrete run."""
    return reason.run if isinstance(reason, e.Abstract) else reason


def claimed(reason: e.Along | e.Around) -> dict[int, dict[Formula, bool]]:
    """What is claimed at the positions of a run."""
    known: dict[int, dict[Formula, bool]] = {}
    for position, inner in reason.claims:
        known.setdefault(position, {})[inner.claim] = inner.holds
    return known


def parts(tree: Tree) -> Iterable[Tree]:
    """The parts of a tree."""
    return (reason.tree for reason in tree.because if isinstance(reason, e.Part))


def is_fair_start(tree: Tree) -> bool:
    """Whether the tree says that a fair run starts in its state."""
    return tree.holds and tree.claim == FAIR_START


def in_words(tree: Tree) -> str:
    """The claim of a tree."""
    return f"{show(tree.claim)} {'holds' if tree.holds else 'fails'}"


def with_past(lasso: Lasso, history: tuple[State, ...]) -> Lasso:
    """The lasso with its past before it; the actions of the past do not matter for truth and are left out."""
    past = history[:-1]
    return Lasso(past + lasso.states, ((),) * len(past) + lasso.actions, lasso.loop + len(past))
