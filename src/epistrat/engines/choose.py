"""Which engines answer a question when the user names none: one table, read from the top.

Measured on synchronous and interleaved models alike, decision diagrams are the faster ones nearly always.  Where they are not they are
often hopeless (liveness of a hundred trains, arithmetic over wide ranges with few reachable states), while exploring states, reduced where
that is sound, is quick.  So diagrams get the first seconds, exploration some more, and diagrams the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from epistrat.engines import registry
from epistrat.engines.contract import Engine, Options, Strategies
from epistrat.engines.needs import Needs, difference, needs, refusal
from epistrat.logic.formula import Formula
from epistrat.model.system import System


@dataclass(frozen=True, slots=True)
class Stage:
    """An engine's turn: it may take so many seconds (None: as many as there are), because ``why``."""

    engine: str
    seconds: float | None
    why: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Where ``applies``, the stages are gone through in this order; engines that refuse are left out."""

    applies: Callable[[Needs], bool]
    stages: tuple[Stage, ...]


_ALONE = Stage("symbolic", None, "a finite model: decision diagrams")
_DEFINITIONS = Stage("reference", None, "only the definitions themselves answer this")


def _turns(first: float, second: float, why: str) -> tuple[Stage, ...]:
    """Diagrams for some seconds, exploration for some more, then diagrams (or, where they refuse, exploration) to the end."""
    return (
        Stage("symbolic", first, "a finite model: decision diagrams are tried first"),
        Stage("explicit", second, f"decision diagrams were not done in the first {first:g} s, and {why}"),
        Stage("symbolic", None, "exploring states was not done either"),
        Stage("explicit", None, "decision diagrams cannot answer this"),
        _DEFINITIONS,
    )


_UNBOUNDED = (
    Stage("lazy", 40, "unbounded variables and one A in front: proof search"),
    Stage("abstraction", 45, "unbounded variables: predicates stand for their values"),
    Stage("reference", 10, "abstraction did not decide it, and perhaps few states are reachable"),
    Stage("abstraction", None, "exploring states did not decide it either"),
    Stage("reference", None, "unbounded variables: states are explored one by one"),
)

RULES = (
    Rule(lambda n: not n.finite, _UNBOUNDED),
    Rule(lambda n: n.strategies is not Strategies.ANY, (_ALONE, _DEFINITIONS)),
    Rule(lambda n: n.interleaved, _turns(5, 15, "in an interleaved model reduction may apply")),
    Rule(lambda n: True, _turns(30, 15, "perhaps the states are few")),
)


class NoEngine(Exception):
    """No engine answers the question; the message says why, in a user's words."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine taken, why, and how long it may try before the next choice has its turn (None: for good)."""

    engine: Engine
    why: str
    seconds: float | None = None


def plan(system: System, formula: Formula, options: Options) -> Iterator[Choice]:
    """The engines for this question, in the order of their turns; the last one has no limit of its own.

    An engine is loaded when its turn comes, for most questions are answered in the first.
    """
    question = needs(system, formula, options)
    rule = next(rule for rule in RULES if rule.applies(question))
    refusals: dict[str, str] = {}
    for stage in rule.stages:
        engine = registry.load(stage.engine)
        why_not = refusals.get(stage.engine) or refusal(engine, system, formula, options)
        if why_not is not None:
            refusals[stage.engine] = why_not
            continue
        yield Choice(engine, stage.why, stage.seconds)
        if stage.seconds is None:
            return
    raise NoEngine(difference(question, refusals))


def choose(system: System, formula: Formula, options: Options) -> Choice:
    """The engine whose turn comes first."""
    return next(plan(system, formula, options))


def named(name: str, system: System, formula: Formula, options: Options) -> Choice:
    """The engine the user named, if it answers this question."""
    engine = registry.load(name)
    why_not = refusal(engine, system, formula, options)
    if why_not is not None:
        able = [other for other in registry.NAMES if refusal(registry.load(other), system, formula, options) is None]
        hint = f"; {able[0]} can" if able else ""
        raise NoEngine(f"the engine {name} cannot answer this: {why_not}{hint}")
    return Choice(engine, "asked for")


def every(system: System, formula: Formula, options: Options) -> list[Choice]:
    """All engines that answer this question."""
    refusals: dict[str, str] = {}
    found: list[Choice] = []
    for name in registry.NAMES:
        engine = registry.load(name)
        why_not = refusal(engine, system, formula, options)
        if why_not is None:
            found.append(Choice(engine, "all engines were asked for"))
        else:
            refusals[name] = why_not
    if not found:
        raise NoEngine(difference(needs(system, formula, options), refusals))
    return found
