"""Witness trees: a claim about a state, and the reasons for it.

A `Tree` says that a formula holds (or fails) in a state.  Each reason can be checked with the system's steps alone, see
`epistrat.evidence.replay`.  A tree without reasons is a claim that follows from the state itself: a Boolean combination of conditions.
Which reasons belong to which claim is written down in docs/evidence.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias, assert_never

from epistrat.evidence.strategy import Answers, Machine, RuleStrategy, Strategy, Table, UniformStrategy
from epistrat.evidence.trace import Lasso, Path
from epistrat.logic.formula import Formula, Reading
from epistrat.model.state import State
from epistrat.records import dataclass, replace
from epistrat.terms import Expr


@dataclass(frozen=True, slots=True)
class Part:
    """A claim about another formula in the same state."""

    tree: Tree


@dataclass(frozen=True, slots=True)
class Along:
    """A path from the state, with claims about the states at some of its positions.

    Positions whose claims follow from the state itself carry none, except the last.
    """

    path: Path
    claims: tuple[tuple[int, Tree], ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """A lasso with claims about the states at some of its positions.

    The lasso starts in the state, or, where the claim looks back in time, in an initial state and comes to the state at position ``at``.
    """

    lasso: Lasso
    claims: tuple[tuple[int, Tree], ...] = ()
    at: int = 0


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A reachable state that the agents cannot tell from this one (all of them together, for distributed knowledge).

    ``run`` leads from an initial state to it; the claim is about its last state.  Read otherwise than by observation, ``run`` as a whole
    looks like the run up to now: it is the second history.  ``told`` are trees which say that what was announced was true on it,
    one for each announcement so far.
    """

    agents: tuple[str, ...]
    run: Path
    tree: Tree
    reading: Reading = Reading.OBSERVATION
    told: tuple[Tree, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """What is announced is true here or not, as ``said`` shows; if it is, ``after`` is a tree about the moment after the announcement."""

    said: Tree
    after: Tree | None = None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A reachable state with a claim about it, where the current state plays no role (correct behaviour)."""

    run: Path
    tree: Tree


@dataclass(frozen=True, slots=True)
class Enforced:
    """A strategy of the group, with claims about states its outcomes visit."""

    strategy: Strategy
    claims: tuple[Tree, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """Answers of the others to every choice of the group, with claims about states they visit."""

    answers: Answers
    claims: tuple[Tree, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """A strategy with memory of the side that wins: of those who want the goal where the claim holds, else of their opponents.

    The opponents of a group, or of strategies that exist, answer what these do in the same step; see `epistrat.evidence.left`.
    """

    machine: Machine
    claims: tuple[Tree, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """Strategies without memory for the quantifiers that stand first (for the members of a group): with them the rest is decided.

    ``visited`` are the states that plays from the state visit then: rows for others do not matter.
    """

    tables: tuple[Table, ...]
    visited: tuple[State, ...] = ()

    @property
    def claims(self) -> tuple[Tree, ...]:
        """What it rests on besides: nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class Deviation:
    """At position ``at`` of the run the agent does ``act`` instead: that leads to ``state``, where it is punished with ``memory``."""

    at: int
    act: str
    state: State
    memory: int


@dataclass(frozen=True, slots=True)
class Punishment:
    """How all others keep an agent from its goal, for ever, whichever way it leaves the run."""

    agent: str
    machine: Machine
    deviations: tuple[Deviation, ...]


@dataclass(frozen=True, slots=True)
class Balance:
    """The run of an equilibrium of strategies with memory: who does not get its goal on it is punished wherever it leaves the run."""

    lasso: Lasso
    punishments: tuple[Punishment, ...]
    claims: tuple[Tree, ...] = ()


@dataclass(frozen=True, slots=True)
class Gain:
    """How an agent gets its goal, whatever the others do: from each situation in ``won``, a state and what is remembered there.

    Rows of the machine that say nothing of the agent tell only what is remembered where it may lose.
    """

    agent: str
    machine: Machine
    won: tuple[tuple[State, int], ...]


@dataclass(frozen=True, slots=True)
class Unbalanced:
    """No run is that of an equilibrium as wanted: on each some agent misses its goal, and gets it by leaving the run."""

    gains: tuple[Gain, ...]
    claims: tuple[Tree, ...] = ()


@dataclass(frozen=True, slots=True)
class Restricted:
    """The claim is true in the system whose agents follow the strategy; the tree speaks about that system."""

    strategy: UniformStrategy
    tree: Tree


@dataclass(frozen=True, slots=True)
class Fixpoint:
    """A set of ``size`` states, found in ``rounds`` rounds, decides the claim: an engine says so, and gives nothing else to check.

    ``reduced`` if a reduction left states out, so that the set is larger.

    ``kind`` says which set: "reachable" (the states that can still come about), "look-alikes", "safe" (a greatest fixpoint the state
    belongs to), "bounded" (a least fixpoint the state belongs to), "excluded" (a set the state does not belong to).
    """

    kind: str
    size: int
    rounds: int = 0
    reduced: bool = False


@dataclass(frozen=True, slots=True)
class Stated:
    """An engine decided the claim, and gives nothing that could be checked: neither a run nor the size of a set."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """All reachable states satisfy ``condition``, and the claim follows from that.

    The condition is true in all initial states, and no step leads out of it.  This can show ``AG f``, what somebody knows, and correct
    behaviour, in systems of any size; a prover has to be asked.
    """

    condition: Expr


@dataclass(frozen=True, slots=True)
class Region:
    """The claim is true in all states that satisfy ``condition``, this one among them.

    For ``AG f``, ``EG f`` and ``<g>G f``: f is true there, and all steps (some step; all steps under the strategy given beside) stay
    there.  For F and U: wherever the goal is not met the left operand is true, and all (some) steps stay there and make ``measure``,
    which is a whole number and never below 0, smaller.
    """

    condition: Expr
    measure: Expr | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The states of one place in a descent, and numbers that say how far it is to the goal from there."""

    condition: Expr
    measures: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Descent:
    """The claim, which is about F or U, is true in all states of the places, this one among them (or the goal is met here).

    A state has the measures of the first place whose condition it satisfies.  Wherever the goal is not met the left operand is true, and
    all steps (some step, for E; all steps under the strategy given beside) meet the goal or lead to a place with smaller measures: one
    of them is at least 0 before the step and by 1 or more smaller after it, and none of those before it has become larger.
    """

    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """In every reachable state with ``where`` the claim holds (or fails).

    Without a reason this follows from the invariant and the facts before it.  A region of common knowledge is closed under what looks
    the same to a member, and what is known is true in it.  A region or a descent for a coalition that fails: the others have an answer
    to every choice of the group.  For what a group brings about there is a ``strategy``.
    """

    claim: Formula
    holds: bool
    where: Expr
    reason: Region | Descent | None = None
    strategy: RuleStrategy | None = None


@dataclass(frozen=True, slots=True)
class Derivation:
    """The claim follows, in this state, from an invariant and from facts about its parts, each of which may use those before it."""

    invariant: Expr
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Abstract:
    """A run found in an abstraction: its states satisfy ``cells``, position by position.  ``run`` is the concrete reason."""

    cells: tuple[Expr, ...]
    run: Along | Around


Reason: TypeAlias = (
    Part
    | Along
    | Around
    | LookAlike
    | Told
    | Elsewhere
    | Enforced
    | Answered
    | Remembered
    | Balance
    | Unbalanced
    | Chosen
    | Restricted
    | Fixpoint
    | Stated
    | Invariant
    | Region
    | Descent
    | Derivation
    | Abstract
)


@dataclass(frozen=True, slots=True)
class Tree:
    """``claim`` holds (or, with ``holds`` false, fails) in ``state``, because of all the reasons together."""

    state: State
    claim: Formula
    holds: bool
    because: tuple[Reason, ...] = ()

    def below(self) -> Iterator[Tree]:
        """The trees directly below this one."""
        for reason in self.because:
            yield from subtrees(reason)


def subtrees(reason: Reason) -> Iterator[Tree]:
    """The trees that a reason carries."""
    match reason:
        case Part(tree) | Elsewhere(tree=tree) | Restricted(tree=tree):
            yield tree
        case LookAlike(tree=tree, told=told):
            yield from (tree, *told)
        case Told(said, after):
            yield from (said,) if after is None else (said, after)
        case Along(claims=claims) | Around(claims=claims):
            yield from (tree for _, tree in claims)
        case Enforced() | Answered() | Remembered() | Balance() | Unbalanced():
            yield from reason.claims
        case Abstract(run=run):
            yield from subtrees(run)
        case Fixpoint() | Stated() | Invariant() | Region() | Descent() | Derivation() | Chosen():
            return
        case _:
            assert_never(reason)


def walk(tree: Tree) -> Iterator[Tree]:
    """The tree and all trees below it, each before what is below it."""
    stack = [tree]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(current.below())))


def mapped(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """The tree with every tree in it changed, those below first; what is not a tree stays as it is."""

    def reason(one: Reason) -> Reason:
        match one:
            case Part(inner) | Elsewhere(tree=inner) | Restricted(tree=inner):
                return replace(one, tree=mapped(inner, change))
            case LookAlike(tree=inner, told=told):
                return replace(one, tree=mapped(inner, change), told=tuple([mapped(other, change) for other in told]))
            case Told(said, after):
                return Told(mapped(said, change), None if after is None else mapped(after, change))
            case Along(claims=claims) | Around(claims=claims):
                return replace(one, claims=tuple((at, mapped(inner, change)) for at, inner in claims))
            case Enforced() | Answered() | Remembered() | Balance() | Unbalanced():
                return replace(one, claims=tuple(mapped(inner, change) for inner in one.claims))
            case Abstract(run=run):
                inner_run = reason(run)
                assert isinstance(inner_run, (Along, Around))
                return replace(one, run=inner_run)
            case _:
                return one

    return change(replace(tree, because=tuple(map(reason, tree.because))))
