"""Witness trees: a claim about a state, and the reasons for it.

A `Tree` says that a formula holds (or fails) in a state.  Each reason can be checked with the system's steps alone, see
`epistrat.evidence.replay`.  A tree without reasons is a claim that follows from the state itself (an atom).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from epistrat.evidence.strategy import Strategy
from epistrat.evidence.trace import Lasso, Path
from epistrat.logic.formula import Formula
from epistrat.model.state import State


@dataclass(frozen=True, slots=True)
class Part:
    """A subformula's claim in the same state."""

    tree: Tree


@dataclass(frozen=True, slots=True)
class Along:
    """A path from the state, with claims about the states at some of its positions."""

    path: Path
    claims: tuple[tuple[int, Tree], ...]


@dataclass(frozen=True, slots=True)
class Around:
    """A lasso from the state, with claims about the states at some of its positions."""

    lasso: Lasso
    claims: tuple[tuple[int, Tree], ...]


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A reachable state that the agents cannot tell from this one (all of them together, for distributed knowledge).

    ``run`` leads from an initial state to it; the claim is about its last state.
    """

    agents: tuple[str, ...]
    run: Path
    tree: Tree


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A reachable state with a claim about it, where the current state plays no role (correct behaviour)."""

    run: Path
    tree: Tree


@dataclass(frozen=True, slots=True)
class Enforced:
    """A strategy, with claims about states its outcomes visit."""

    strategy: Strategy
    claims: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Fixpoint:
    """A set of states computed by the engine, by its size and the number of rounds it took."""

    size: int
    rounds: int


Reason: TypeAlias = Part | Along | Around | LookAlike | Elsewhere | Enforced | Fixpoint


@dataclass(frozen=True, slots=True)
class Tree:
    """``claim`` holds (or, with ``holds`` false, fails) in ``state``, because of all the reasons together."""

    state: State
    claim: Formula
    holds: bool
    because: tuple[Reason, ...] = ()
