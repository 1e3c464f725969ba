"""Which engines answer a question when the user names none: one table, read from the top.

Measured on synchronous and interleaved models alike, decision diagrams are the faster ones nearly always.  Where they are not they are
often hopeless (liveness of a hundred trains, arithmetic over wide ranges with few reachable states), while exploring states, reduced where
that is sound, is quick.  So diagrams begin, and exploration joins: soon and for half of the turns in interleaved models, later and for a
tenth elsewhere.  Once diagrams have counted the states nobody needs to guess: where they are few exploration joins at once, with equal
turns, and where they are too many it does not join at all.  Work is counted as `epistrat.solvers.budget.Meter` says;
`benchmarks.scheduling` measures what the table costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

from epistrat.engines import registry
from epistrat.engines.contract import Engine, Options, Strategies
from epistrat.engines.needs import Needs, difference, needs, refusal
from epistrat.logic.formula import Formula
from epistrat.logic.fragment import OF_HISTORIES, Family, Feature
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import And

# Work of diagrams while exploration looks at one action in one state.  With 100 for a state, whatever the number of actions, nim 30 takes
# 2.7 s instead of 1.6, and 600 tiny agents 3.2 instead of 2.7.
_PER_ACTION = 8
_PER_CONJUNCT = 200  # of the initial condition: "no four of 36 at the start" are 59,000, which take ten seconds
_HOPELESS = 10**11  # work that takes hours
_EARLIEST = 500_000  # work: exploration takes as much to be loaded
_HOPEFUL = 1_500_000  # work after which it joins where the states that were found so far are few
_AT_BEST = 8  # times less than estimated exploration takes: 2 to 13 were measured (bakery of six: 8)


@dataclass(frozen=True, slots=True)
class Stage:
    """An engine that joins after so much work of the first one, for a share of its turns, because ``why``.

    ``joins`` is None for an engine that is asked only if none of those before it accepts the question.  One that goes through all states
    joins as soon as that is less work than was done already, and not at all if it is more than ``most``.
    One that is not to work ``beside`` takes turns even where a core is free: it is so likely to answer that the first engine, at work on
    the other core, would mostly work in vain.
    """

    engine: str
    why: str
    joins: int | None = 0
    share: float = 1.0
    most: float | None = None
    beside: bool = True


@dataclass(frozen=True, slots=True)
class Rule:
    """Where ``applies``, the engines of the stages are asked; those that refuse are left out."""

    applies: Callable[[Needs], bool]
    stages: tuple[Stage, ...]


_ALONE = Stage("symbolic", "a finite model: decision diagrams")
_DIAGRAMS = Stage("symbolic", "a finite model: decision diagrams are tried first")
_GAMES = Stage("symbolic", "strategies with memory: games on decision diagrams")
_TABLES = Stage("explicit", "strategies without memory: all tables at once, as variables of decision diagrams", None)
_DEFINITIONS = Stage("reference", "only the definitions themselves answer this", None)


def _states(joins: int, share: float, why: str, most: float = _HOPELESS) -> tuple[Stage, ...]:
    return (
        Stage("explicit", f"decision diagrams were not done at once, and {why}", joins, share, most),
        Stage("explicit", "decision diagrams cannot answer this", None),
        _DEFINITIONS,
    )


# Engines for unbounded models take turns, also where a core is free: which of them answers, and what it says, is then the same on every
# machine, and most questions are answered before another process would have begun (it takes a quarter of a second to start one).
_UNBOUNDED = (
    Stage("abstraction", "unbounded variables: predicates stand for their values", beside=False),
    Stage("lazy", "unbounded variables and one A in front: proof search", 1_000_000, beside=False),
    Stage("reference", "unbounded variables: perhaps few states are reachable", 10_000_000, 0.1, beside=False),
)
_UNBOUNDED_KNOWLEDGE = (
    Stage(
        "lazy",
        "unbounded variables, knowledge, and one A in front: proof search, which learns what is known",
        beside=False,
    ),
    Stage("abstraction", "unbounded variables: predicates stand for their values", 1_000_000, 0.5, beside=False),
    Stage("reference", "unbounded variables: perhaps few states are reachable", 10_000_000, 0.1, beside=False),
)
# Of 35 such questions about the examples, abstraction answers 21 with less work than 150,000; of the others proof search answers all but
# one as soon or sooner, and six that abstraction does not answer at all.
_UNBOUNDED_BRANCHING = (
    Stage("abstraction", "unbounded variables: predicates stand for their values", beside=False),
    Stage("lazy", "unbounded variables, knowledge, and one A in front: proof search", 150_000, 4.0, beside=False),
    Stage("reference", "unbounded variables: perhaps few states are reachable", 10_000_000, 0.1, beside=False),
)
_PREDICATES = Stage("abstraction", "wide ranges: predicates may do instead of values", 1_000_000)


# What decision diagrams do not answer about histories they refuse at once.
_HISTORIES = (
    Stage("symbolic", "histories: a decision diagram for each moment"),
    Stage("explicit", "histories, and diagrams were not done at once: a graph of them", 300_000),
    _DEFINITIONS,
)


def _linear_knowledge(question: Needs) -> bool:
    """Knowledge in a formula of LTL."""
    return Feature.KNOWLEDGE in question.features and question.formula.family is Family.LTL


def _invariant_knowledge(question: Needs) -> bool:
    """Knowledge below one A in front, which abstraction decides too."""
    return Feature.KNOWLEDGE in question.features and question.formula.kl1


RULES = (
    Rule(lambda n: not n.finite and _linear_knowledge(n), _UNBOUNDED_KNOWLEDGE),
    Rule(lambda n: not n.finite and _invariant_knowledge(n), _UNBOUNDED_BRANCHING),
    Rule(lambda n: not n.finite, _UNBOUNDED),
    Rule(lambda n: bool(n.kinds), (_GAMES, _TABLES, _DEFINITIONS)),
    Rule(
        lambda n: n.interleaved and n.strategic,
        (
            Stage("explicit", "strategies in an interleaved model: reduction may apply"),
            Stage("symbolic", "the states seem to be many: decision diagrams", 300_000),
            _DEFINITIONS,
        ),
    ),
    Rule(lambda n: bool(n.features & OF_HISTORIES), _HISTORIES),
    Rule(lambda n: n.strategies is not Strategies.ANY, (_ALONE, _DEFINITIONS)),
    Rule(
        lambda n: n.tabled,
        (
            Stage("explicit", "few combinations of values, and long tables that say how they change"),
            Stage("symbolic", "the states take long to go through: decision diagrams", 10_000_000),
            _DEFINITIONS,
        ),
    ),
    Rule(lambda n: n.wide, (_DIAGRAMS, _PREDICATES, *_states(5_000_000, 0.1, "perhaps the states are few"))),
    Rule(
        lambda n: n.interleaved,
        (_DIAGRAMS, *_states(1_500_000, 0.5, "in an interleaved model reduction may apply", inf)),
    ),
    Rule(
        _linear_knowledge,
        (
            _DIAGRAMS,
            *_states(5_000_000, 0.1, "perhaps the states are few"),
            Stage("lazy", "decision diagrams take long, and one A stands in front: proof search", 20_000_000, 0.3),
        ),
    ),
    Rule(lambda n: True, (_DIAGRAMS, *_states(5_000_000, 0.1, "perhaps the states are few"))),
)


class NoEngine(Exception):
    """No engine answers the question; the message says why, in a user's words."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An engine and why it is asked; it joins after so much work of the first, for a share of its turns; ``then`` others may join.

    ``instead`` says why unbounded variables are in the way, if the engine for them refused.
    """

    engine: Engine
    why: str
    joins: int = 0
    share: float = 1.0
    most: float | None = None
    then: Stage | None = None
    instead: str = ""
    beside: bool = True


def exploring(system: System, states: int) -> int:
    """About how much work of diagrams it is worth to list the initial states, and to go through so many states."""
    conjuncts = len(system.initial.args) if isinstance(system.initial, And) else 1
    return _PER_CONJUNCT * conjuncts + _PER_ACTION * states * sum(len(agent.actions) for agent in system.agents)


@dataclass(frozen=True, slots=True)
class Effort:
    """What going through the states takes that were found so far: all of them, if it is ``exact``."""

    work: int
    exact: bool


def due(one: Stage | Turn, effort: Effort | None) -> float | None:
    """The work after which an engine joins, given what going through all states takes, as far as that is known.

    An engine that goes through the states joins when that takes less work, at best, than was done already.  It has few turns, unless it
    turns out to be quick (`epistrat.jobs.arrivals`).
    """
    if one.joins is None or one.most is None or effort is None:
        return one.joins
    if effort.work > one.most:
        return inf
    return min(one.joins, max(_EARLIEST if effort.exact else _HOPEFUL, effort.work // _AT_BEST))


def is_promising(choice: Turn, effort: Effort | None) -> bool:
    """Whether there are so few states that an engine which goes through them gets as many turns as the first."""
    return choice.most is not None and effort is not None and effort.exact and effort.work < choice.joins


def plan(system: System, formula: Formula, options: Options) -> Iterator[Turn]:
    """The engines for this question, in the order in which they join.

    An engine is loaded when it is to join, for most questions are answered by the first.
    """
    question = needs(system, formula, options)
    rule = next(rule for rule in RULES if rule.applies(question))
    refusals: dict[str, str] = {}
    accepted = False
    for number, stage in enumerate(rule.stages, start=1):
        if stage.engine in refusals or (stage.joins is None and accepted):
            continue
        engine = registry.load(stage.engine)
        why_not = refusal(engine, system, formula, options)
        if why_not is not None:
            refusals[stage.engine] = why_not
        elif stage.joins is not None or not accepted:
            then = next((later for later in rule.stages[number:] if later.joins is not None), None)
            refused = refusals.get("abstraction") if question.unbounded is not None else None
            instead = (
                "" if refused is None else f"for unbounded variables in general, nothing here answers it: {refused}"
            )
            yield Turn(engine, stage.why, stage.joins or 0, stage.share, stage.most, then, instead, stage.beside)
            accepted = True
    if not accepted:
        raise NoEngine(difference(question, refusals))


def choose(system: System, formula: Formula, options: Options) -> Turn:
    """The engine whose turn comes first."""
    return next(plan(system, formula, options))


def named(name: str, system: System, formula: Formula, options: Options) -> Turn:
    """The engine the user named, if it answers this question."""
    engine = registry.load(name)
    why_not = refusal(engine, system, formula, options)
    if why_not is not None:
        able = [other for other in registry.NAMES if refusal(registry.load(other), system, formula, options) is None]
        hint = f"; {able[0]} can" if able else ""
        raise NoEngine(f"the engine {name} cannot answer this: {why_not}{hint}")
    return Turn(engine, "asked for")


def every(system: System, formula: Formula, options: Options) -> list[Turn]:
    """All engines that answer this question."""
    refusals: dict[str, str] = {}
    found: list[Turn] = []
    for name in registry.NAMES:
        engine = registry.load(name)
        why_not = refusal(engine, system, formula, options)
        if why_not is None:
            found.append(Turn(engine, "all engines were asked for"))
        else:
            refusals[name] = why_not
    if not found:
        raise NoEngine(difference(needs(system, formula, options), refusals))
    return found
