"""Which engine answers a question when the user names none: one table, read from the top."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from epistrat.engines import registry
from epistrat.engines.contract import Engine, Options
from epistrat.engines.needs import Needs, difference, needs
from epistrat.logic.formula import Formula
from epistrat.model.system import System


@dataclass(frozen=True, slots=True)
class Rule:
    """Where ``applies``, the engines are tried in this order; the first that does not refuse is taken."""

    applies: Callable[[Needs], bool]
    engines: tuple[str, ...]
    why: str


RULES = (
    Rule(lambda n: not n.finite, ("reference",), "unbounded variables: states are explored one by one"),
    Rule(
        lambda n: n.linear and n.interleaved,
        ("explicit", "symbolic", "reference"),
        "linear time over an interleaved model: reduction may apply",
    ),
    Rule(lambda n: n.linear, ("symbolic", "explicit", "reference"), "linear time or CTL* over a finite model"),
    Rule(lambda n: True, ("symbolic", "explicit", "reference"), "a state formula over a finite model"),
)


class NoEngine(Exception):
    """No engine answers the question; the message says why, in a user's words."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The engine taken, and why."""

    engine: Engine
    why: str


def choose(system: System, formula: Formula, options: Options) -> Choice:
    """The engine for this question."""
    question = needs(system, formula, options)
    rule = next(rule for rule in RULES if rule.applies(question))
    refusals: dict[str, str] = {}
    for name in rule.engines:
        engine = registry.load(name)
        refusal = engine.refuses(system, formula, options)
        if refusal is None:
            return Choice(engine, rule.why)
        refusals[name] = refusal
    raise NoEngine(difference(question, refusals))


def named(name: str, system: System, formula: Formula, options: Options) -> Choice:
    """The engine the user named, if it answers this question."""
    engine = registry.load(name)
    refusal = engine.refuses(system, formula, options)
    if refusal is not None:
        raise NoEngine(f"the engine {name} cannot answer this: {refusal}")
    return Choice(engine, "asked for")


def every(system: System, formula: Formula, options: Options) -> list[Choice]:
    """All engines that answer this question."""
    refusals: dict[str, str] = {}
    found: list[Choice] = []
    for name in registry.NAMES:
        engine = registry.load(name)
        refusal = engine.refuses(system, formula, options)
        if refusal is None:
            found.append(Choice(engine, "all engines were asked for"))
        else:
            refusals[name] = refusal
    if not found:
        raise NoEngine(difference(needs(system, formula, options), refusals))
    return found
