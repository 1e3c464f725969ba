"""What an engine offers to the builder of evidence: sets of states, and concrete states picked from them.

The builder (`epistrat.engines.witness.tree`) is written once, over these primitives, so that all engines give the same kinds of trees.
``N`` are the points of a graph (states; or states paired with what a path formula still asks for), ``S`` is the engine's own type of sets.

All sets are subsets of W: the reachable states, with fairness those from which a fair path starts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import product
from typing import Any, Generic, Protocol, TypeVar

from epistrat.answers.verdict import Named
from epistrat.engines.contract import Strategies
from epistrat.evidence import Choice, Chosen, Enforced, Fixpoint, Path, Reason, UniformStrategy
from epistrat.logic.formula import Coalition, Formula, Group
from epistrat.model.play import Play
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper


class Sets(Protocol):
    """Sets of states."""

    def __and__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...


N = TypeVar("N")
S = TypeVar("S", bound=Sets)
T = TypeVar("T")


class Graph(ABC, Generic[N, T]):
    """Sets of points and the steps between points."""

    fairness: Sequence[T]
    """The sets that a fair path visits again and again."""

    @abstractmethod
    def meet(self, one: T, other: T) -> T:
        """The points in both sets."""

    @abstractmethod
    def join(self, one: T, other: T) -> T:
        """The points in one of the sets."""

    @abstractmethod
    def minus(self, one: T, other: T) -> T:
        """The points in the first set only."""

    @abstractmethod
    def is_empty(self, points: T) -> bool:
        """Whether the set has no points."""

    @abstractmethod
    def has(self, points: T, point: N) -> bool:
        """Whether the point is in the set."""

    @abstractmethod
    def only(self, point: N) -> T:
        """The set of this point alone."""

    @abstractmethod
    def before(self, points: T) -> T:
        """The points of W with a step into the set."""

    @abstractmethod
    def step(self, point: N, into: T) -> tuple[Joint, N] | None:
        """A step from the point into the set, if there is one."""

    # Searches that all have in common

    def rings(self, start: T, through: T) -> Iterator[T]:
        """The start, and the points of a set from which it is 1, 2, 3, ... steps away on ways through that set; none of them empty."""
        ring = seen = start
        while not self.is_empty(ring):
            yield ring
            ring = self.minus(self.meet(through, self.before(ring)), seen)
            seen = self.join(seen, ring)

    def growing(self, start: T, more: Callable[[T], T]) -> Iterator[T]:
        """The start, and with it whatever ``more`` says follows, again and again, as long as that is more."""
        current, before = start, None
        while before is None or not self.is_empty(self.minus(current, before)):
            yield current
            current, before = self.join(current, more(current)), current


class WitnessSpace(Graph[State, S]):
    """The states of a system, as an engine knows them.

    ``worlds`` are W, ``initial`` the initial states in W.  ``reduced`` says that a reduction left states out, so that sets are smaller than
    those of the system.  ``stepper`` are the steps of the system, or those of a part of it, where agents follow a strategy.
    """

    def __init__(
        self,
        stepper: Stepper,
        worlds: S,
        initial: S,
        fairness: Sequence[S],
        strategies: Strategies = Strategies.ANY,
        reduced: bool = False,
    ) -> None:
        self.stepper, self.system, self.play = stepper, stepper.system, Play(stepper)
        self.worlds, self.initial, self.fairness = worlds, initial, fairness
        self.strategies, self.reduced = strategies, reduced
        self.named = Named()  # how strategies are read otherwise than ATL's; set by who knows the question

    def meet(self, one: S, other: S) -> S:
        """The states in both sets."""
        found: S = one & other
        return found

    def join(self, one: S, other: S) -> S:
        """The states in one of the sets."""
        found: S = one | other
        return found

    @abstractmethod
    def satisfying(self, formula: Formula) -> S:
        """The states of W where a state formula holds."""

    def tentatively(self, kept: frozenset[Formula]) -> AbstractContextManager[None]:
        """What is computed in this block need not be kept, because it is asked for once; except for the sets of ``kept``."""
        return nullcontext()

    @abstractmethod
    def pick(self, states: S) -> State:
        """Some state of a set that is not empty; always the same one for the same set."""

    @abstractmethod
    def size(self, states: S) -> int:
        """How many states the set has."""

    def fixpoint(self, kind: str, states: S, rounds: int = 0) -> Fixpoint:
        """The set as a reason."""
        return Fixpoint(kind, self.size(states), rounds, self.reduced)

    @abstractmethod
    def run_to(self, target: S) -> Path:
        """A shortest run from an initial state into a set of reachable states that is not empty."""

    @abstractmethod
    def alike(self, agents: tuple[str, ...], states: S) -> S:
        """The states of W that the agents together cannot tell from some state of the set."""

    @abstractmethod
    def opposed(self, group: Group, bad: S) -> S:
        """The states of W where each choice of the group has an outcome in ``bad`` (or where nobody at all may act)."""

    def tables(self, claim: Formula, state: State, holds: bool) -> Chosen | None:
        """Strategies without memory that show a claim, where the engine has some."""
        return None

    def choice(self, group: Group, state: State, bad: S) -> Choice | None:
        """What the group can choose in the state (any reachable one) so that no outcome is in ``bad``."""
        if not self.play.can_act(state):
            return None
        choices = product(*[self.play.options(name, state) for name in group.members])
        return next((one for one in choices if self.answer(group, state, one, bad) is None), None)

    def answer(self, group: Group, state: State, choice: Choice, into: S) -> tuple[Joint, State] | None:
        """A joint action in which the group chooses ``choice``, and an outcome of it in the set ``into``."""
        steps = self.play.steps(state, dict(zip(group.members, choice, strict=True))) or ()
        return next(((joint, target) for joint, target in steps if self.has(into, target)), None)

    def some(self, states: S, most: int) -> list[State]:
        """Up to so many states of the set."""
        found: list[State] = []
        while len(found) < most and not self.is_empty(states):
            found.append(self.pick(states))
            states = self.minus(states, self.only(found[-1]))
        return found

    def starts(self, claim: Coalition, states: S) -> S:
        """The states from all of which one strategy must enforce the claim, if it is to hold in the given ones.

        Read subjectively, these are all that look the same to the group.
        """
        return self.alike(claim.group.members, states) if self.strategies is Strategies.SUBJECTIVE else states

    def uniform(self, claim: Coalition, starts: S, holds: bool, trials: int | None = None) -> Reason | None:
        """The reason for a claim read with uniform strategies; None where strategies are read with perfect information.

        A claim that holds rests on one strategy from all of ``starts``; with ``trials``, so many are tried, and there may be none.
        """
        if self.strategies not in (Strategies.OBJECTIVE, Strategies.SUBJECTIVE):
            return None
        if not holds:
            return self.fixpoint("excluded", self.satisfying(claim))
        found = self._strategy(claim, starts, trials)
        return self.fixpoint("bounded", self.satisfying(claim)) if found is None else Enforced(found)

    @abstractmethod
    def _strategy(self, claim: Coalition, starts: S, trials: int | None) -> UniformStrategy | None:
        """A uniform strategy that enforces the claim from all these states; None if none is found, or it cannot be shown."""
