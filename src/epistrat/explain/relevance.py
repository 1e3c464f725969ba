"""Which variables matter: those that the formula speaks about, those that tell two states apart, and what a doubting agent sees."""

from __future__ import annotations

from epistrat.evidence import LookAlike, Tree, walk
from epistrat.logic.formula import Colour, Formula, Prop, Test, subformulae
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import variables


def spoken_of(system: System, *formulae: Formula) -> frozenset[int]:
    """The positions of the variables that the formulae's conditions read."""
    found: set[tuple[str, str]] = set()
    for part in subformulae(*formulae):
        match part:
            case Prop(name):
                found |= variables(system.propositions[name])
            case Test(condition):
                found |= variables(condition)
            case Colour(agent) if agent in system.agent:
                red = system.agent[agent].red
                found |= variables(red) if red is not None else frozenset()
    return frozenset(system.position[key] for key in found)


def telling_apart(one: State, other: State) -> frozenset[int]:
    """The positions at which two states differ."""
    return frozenset(index for index, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


def relevant(system: System, tree: Tree) -> frozenset[int]:
    """The variables that matter for a tree: what its claims speak of, and what differs at its look-alikes."""
    found = set(spoken_of(system, *[part.claim for part in walk(tree)]))
    for part in walk(tree):
        for reason in part.because:
            if isinstance(reason, LookAlike):
                found |= telling_apart(part.state, reason.tree.state)
    return frozenset(found)
