"""What a question needs of an engine, what an engine accepts, and the difference between the two in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from math import prod

from epistrat.engines.contract import Engine, Options, Strategies
from epistrat.engines.readings import Kind, kinds, refused
from epistrat.logic.formula import PAST, Formula, subformulae
from epistrat.logic.fragment import Feature, Fragment, fragment
from epistrat.logic.histories import unreadable
from epistrat.model.conditions import is_condition
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.records import dataclass
from epistrat.terms import Bounded, Domain

WIDE = 10_000
"""Ranges with more values are wide: paths through them are too long to be followed step by step."""

_FEW_VALUES, _FEW_CHOICES, _MANY_LINES = 20_000, 64, 500
"""Combinations of values, joint actions, and lines of agents: tables so long take longer to turn into diagrams than so few to go through
(long_tables 3375: 7.5 s and 2.4)."""


class Constraints(IntEnum):
    """What fairness constraints there are, at most; who accepts one kind accepts those before it."""

    NONE = 0
    CONDITIONS = 1
    FORMULAE = 2
    PAST = 3

    @property
    def in_words(self) -> str:
        """As the user wrote them."""
        kinds = ("", "", " other than conditions on single states", " with past operators")
        return f"fairness constraints{kinds[self]}"

    @classmethod
    def of(cls, system: System) -> Constraints:
        """Those of a system."""
        if any(isinstance(part, PAST) for part in subformulae(*system.fairness)):
            return cls.PAST
        if not all(map(is_condition, system.fairness)):
            return cls.FORMULAE
        return cls.CONDITIONS if system.fairness else cls.NONE


@dataclass(frozen=True, slots=True)
class Needs:
    """The properties of a question that engines differ in.

    ``unbounded`` names a variable without bounds, if there is one.  ``strategies`` is ANY where the question has no strategies in it.
    ``wide`` says that a variable has a large range, ``tabled`` that few combinations of values are moved by many lines,
    ``meaningless`` why strategies with names or memory have no meaning here, ``kinds`` which of them there are.
    """

    unbounded: str | None
    interleaved: bool
    fairness: Constraints
    formula: Fragment
    features: frozenset[Feature]
    strategies: Strategies
    wide: bool = False
    tabled: bool = False
    blocking: Blocking = Blocking.WAIT
    scheduling: Scheduling = Scheduling.ANY
    meaningless: str | None = None
    kinds: frozenset[Kind] = frozenset()

    @property
    def strategic(self) -> bool:
        """Whether strategies are part of the question."""
        return Feature.STRATEGIES in self.features or self.strategies is Strategies.UNIFORM

    @property
    def play(self) -> str:
        """How strategies of an interleaved model are read, in words; empty where there are none."""
        if not (self.interleaved and self.strategic):
            return ""
        words = [f"strategies: {self.strategies.value}"]
        words += [f"blocking: {self.blocking.value}"] if self.blocking is not Blocking.WAIT else []
        return ", ".join(words + (["fair scheduling"] if self.scheduling is Scheduling.FAIR else []))

    @property
    def finite(self) -> bool:
        """Whether all variables have bounds."""
        return self.unbounded is None

    def __str__(self) -> str:
        system = "an interleaved model" if self.interleaved else "a model"
        if not self.finite:
            system += " with unbounded variables"
        reading = "" if self.strategies is Strategies.ANY else f", strategies read as `{self.strategies.value}`"
        return f"{system}; a formula of {self.formula}{reading}"


def needs(system: System, formula: Formula, options: Options) -> Needs:
    """What this question needs; fairness constraints are part of it."""
    asked = fragment(formula)
    features = asked.features.union(*(fragment(constraint).features for constraint in system.fairness))
    strategic = options.strategies is Strategies.UNIFORM or Feature.STRATEGIES in features
    return Needs(
        unbounded=next((str(variable) for variable in system.variables if not variable.domain.finite), None),
        interleaved=system.interleaved,
        fairness=Constraints.of(system),
        formula=asked,
        features=features,
        strategies=options.strategies if strategic else Strategies.ANY,
        wide=any(isinstance(one.domain, Bounded) and len(one.domain) > WIDE for one in system.variables),
        tabled=_is_tabled(system),
        blocking=system.blocking if strategic else Blocking.WAIT,
        scheduling=system.scheduling if strategic else Scheduling.ANY,
        meaningless=refused(system, formula, options) or unreadable(formula),
        kinds=kinds(system, formula, options),
    )


def _is_tabled(system: System) -> bool:
    """Whether there are few combinations of values, and of actions, and many lines."""
    if sum(len(agent.protocol) + len(agent.evolution) for agent in system.agents) < _MANY_LINES:
        return False
    choices = prod(len(agent.actions) or 1 for agent in system.agents)
    domains = [variable.domain for variable in system.variables]
    if choices > _FEW_CHOICES or not all(domain.finite for domain in domains):
        return False
    return prod(map(_values, domains)) <= _FEW_VALUES


def _values(domain: Domain) -> int:
    return int(domain.last) + 1  # type: ignore[union-attr]  # finite ones have a last value


@dataclass(frozen=True, slots=True)
class Accepts:
    """What an engine answers: models of these kinds, formulae with these features, strategies in these readings.

    ``asynchronous`` are the readings of strategies in interleaved models, ``blocking`` and ``scheduling`` what goes with them there.
    """

    features: frozenset[Feature] = frozenset(Feature)
    readings: frozenset[Strategies] = frozenset(Strategies)
    unbounded: bool = False
    interleaved: bool = True
    fairness: Constraints = Constraints.FORMULAE
    asynchronous: frozenset[Strategies] = frozenset()
    blocking: frozenset[Blocking] = frozenset((Blocking.WAIT,))
    scheduling: frozenset[Scheduling] = frozenset((Scheduling.ANY,))
    fair_strategies: bool = True
    kinds: frozenset[Kind] = frozenset(Kind)

    def lacks(self, question: Needs) -> Iterator[str]:
        """What the question needs and the engine does not have, in words."""
        if question.unbounded is not None and not self.unbounded:
            yield f"unbounded variables such as {question.unbounded}"
        if question.interleaved and not self.interleaved:
            yield "interleaved models"
        if question.fairness > self.fairness:
            yield Constraints(self.fairness + 1).in_words
        readings = self.asynchronous if question.interleaved and question.strategic else self.readings
        by_tables = Kind.AIMS in question.kinds & self.kinds  # every table is tried, in whichever reading
        if question.strategies not in readings and not by_tables:
            where = " in interleaved models" if question.interleaved else ""
            yield f"strategies read as `{question.strategies.value}`{where}"
        if question.interleaved and question.strategic:
            if question.blocking not in self.blocking:
                yield f"blocking `{question.blocking.value}`"
            if question.scheduling not in self.scheduling:
                yield f"scheduling `{question.scheduling.value}`"
        if question.fairness and Feature.STRATEGIES in question.features and not self.fair_strategies:
            yield "strategies under fairness constraints"
        yield from (kind.value for kind in Kind if kind in question.kinds and kind not in self.kinds)
        for feature in Feature:
            if feature in question.features and feature not in self.features:
                yield feature.value


def undefined(question: Needs) -> str | None:
    """Why the question has no meaning, whichever engine is asked; None if it has one."""
    if question.meaningless is not None or not question.interleaved:
        return question.meaningless
    if Feature.STRATEGIES_AND_PAST in question.features:
        return "strategies together with past operators are not defined for interleaved systems (E037)"
    uniform = question.strategies in (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
    if question.scheduling is Scheduling.FAIR and not (uniform and question.blocking is Blocking.WAIT):
        return (
            "fair scheduling is defined for strategies read as `objective` or `subjective`, with blocking `wait` (E037)"
        )
    if question.strategies is Strategies.UNIFORM and question.blocking is not Blocking.WAIT:
        return f"strategies read as `uniform` are not defined with blocking `{question.blocking.value}` (E037)"
    return None


def refusal(engine: Engine, system: System, formula: Formula, options: Options) -> str | None:
    """Why the engine does not answer this question, in a user's words; None if it does."""
    question = needs(system, formula, options)
    meaningless = undefined(question)
    if meaningless is not None:
        return meaningless
    missing = list(engine.accepts.lacks(question))
    if missing:
        return f"it cannot deal with {'; '.join(missing)}"
    return engine.declines(system)


def difference(question: Needs, refusals: Mapping[str, str]) -> str:
    """Why no engine answers: what was needed, and what each engine says to that."""
    if len(set(refusals.values())) == 1:
        return next(iter(refusals.values()))
    said = "; ".join(f"{name}: {why}" for name, why in refusals.items())
    return f"no engine answers this ({question}): {said}"
