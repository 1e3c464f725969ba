"""What an engine is: it says what it accepts, opens a session on a system, and answers formulae one by one.

A session keeps what formulae share (the reachable states above all).  Running out of budget is not an error: `Session.check`
returns Unknown with the reason and what to try, and the session stays usable for further questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from epistrat.answers.result import Facts as Facts, Outcome as Outcome
from epistrat.answers.verdict import Strategies as Strategies, Verdict as Verdict
from epistrat.engines.tuning import Tuning
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.records import dataclass, field, replace
from epistrat.solvers.budget import Budget, OutOfBudget

if TYPE_CHECKING:
    from epistrat.engines.needs import Accepts
    from epistrat.evidence.proof.prove import Hinted


T = TypeVar("T", bound=Tuning)
STRATEGY_STATES = 100
"""How many states the table of a strategy covers where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for.

    ``examples`` is how many different pieces of evidence are wanted (0: one, if the formula fails), ``strategy_states`` how many states
    the table of a strategy may have.  ``asked`` is the reading of strategies that the user named, if one was named; ``remembering`` says
    whether strategies remember (None: as usual, see `epistrat.engines.readings`), and ``states_only`` that in equilibria they remember
    states and not actions.  ``tuning`` holds the options of single engines; an engine that is not mentioned uses its defaults.
    """

    strategies: Strategies = Strategies.ANY
    uniform_group: tuple[str, ...] | None = None
    evidence: bool = False
    tuning: tuple[Tuning, ...] = ()
    examples: int = 1
    strategy_states: int = STRATEGY_STATES
    asked: Strategies | None = None
    remembering: bool | None = None
    states_only: bool = False

    def tuned(self, kind: type[T]) -> T:
        """The options of one engine, by their class."""
        return next((one for one in self.tuning if isinstance(one, kind)), kind())

    def with_tuning(self, tuning: Tuning) -> Options:
        """The same with other options of one engine."""
        others = tuple(one for one in self.tuning if type(one) is not type(tuning))
        return replace(self, tuning=(*others, tuning))


@dataclass(frozen=True, slots=True)
class Progress:
    """An event for whoever watches: what is being done, and counts that grow while it is done."""

    phase: str
    counts: Mapping[str, int | float | str] = field(default_factory=dict)


Watcher = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Ignores all events."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Other options for a session of the same engine, worth a try beside it once it has done so much work; with at most so many nodes."""

    name: str
    options: Options
    after: int
    nodes: int | None = None


class Session(Protocol):
    """An engine at work on one system.  It checks its budget between operations, and may be made to wait there."""

    def check(self, formula: Formula) -> Outcome:
        """Does every initial state (from which a fair path starts, if there is fairness) satisfy the formula?"""

    def facts(self) -> Facts:
        """What the reachable states look like; computed at most once."""

    def remark(self, formula: Formula, verdict: Verdict) -> Outcome:
        """A verdict given before, with what explains it in a sentence: evidence if the formula fails, notes if it holds vacuously."""
        return Outcome(verdict)

    def statistics(self) -> Mapping[str, Any]:
        """What was done so far: sizes, iterations, seconds per phase."""

    def seen(self) -> int:
        """How many reachable states there are at least, by what was done so far; costs next to nothing."""
        return 0

    def fewest(self) -> int:
        """How many reachable states were found when they were counted last; may be called from another thread."""
        return 0

    def counted(self) -> int | None:
        """How many reachable states there are, once all are found; may be called from another thread."""
        return None

    def exported(self, tick: Callable[[], object] = lambda: None) -> Hinted | None:
        """An order of the bits and sets of states, for those who prove verdicts again; nobody will believe them.

        ``tick`` is told now and then, and may raise.
        """
        return None

    def close(self) -> None:
        """Release what the session holds; further calls are an error."""

    def unfinished(self, limit: OutOfBudget) -> Outcome:
        """Unknown, with how far the work has come; may be called from another thread while `check` is inside one long operation."""
        return Outcome(Verdict.UNKNOWN, reason=str(limit))

    def rivals(self) -> Sequence[Rival]:
        """Other options for this engine, the most promising first; known once `check` has begun."""
        return ()


class About(NamedTuple):
    """An engine in words, for the manual: how it works, what it is best at, what it answers."""

    works: str
    best_at: str
    answers: str


class Engine(Protocol):
    """A way of checking.  The module that defines it is quick to import: what takes long is imported by `open`."""

    name: str
    accepts: Accepts
    about: About = About("", "", "")

    def declines(self, system: System) -> str | None:
        """Why the system is too large for the engine, in a user's words; None if it is not.  Of which kinds it may be, `accepts` says."""
        return None

    def open(self, system: System, options: Options, budget: Budget, watch: Watcher = silent) -> Session:
        """A session on the system."""
