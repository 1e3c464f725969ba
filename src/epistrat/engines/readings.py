"""How strategies are read where they have names, remember, or form equilibria; and what has no meaning, or is not decided, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from epistrat.answers.verdict import Named, Strategies
from epistrat.engines.contract import Options
from epistrat.logic import formula as logic
from epistrat.logic.announced import in_front
from epistrat.logic.formula import PAST, Formula, Tag, subformulae
from epistrat.logic.fragment import OF_NAMES, Feature, fragment, is_enforced
from epistrat.logic.sentences import shared_by_nobody
from epistrat.model.forced import is_forced
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.records import dataclass


class Refused(Exception):
    """A question has no meaning for this model, or nobody decides it; the message says why."""


class Kind(Enum):
    """What a question asks of strategies otherwise than ATL does; the value says it in words."""

    AIMS_REMEMBERING = "coalitions over path formulae, with memory"
    AIMS = "coalitions over path formulae, without memory"
    NAMES_REMEMBERING = "strategies with names and memory"
    NAMES_REMEMBERING_INTERLEAVED = "strategies with names and memory in interleaved models"
    NAMES = "strategies with names, without memory"
    NAMES_FORCED = "strategies with names where nobody ever has a choice"
    EQUILIBRIA_REMEMBERING = "equilibria with memory"
    EQUILIBRIA_WATCHING_STATES = "equilibria with memory of states only"
    EQUILIBRIA = "equilibria without memory"
    OTHERWISE = "coalitions read otherwise than the options say"
    UNIFORM_ATL = "coalitions over one operator that see what agents see, beside strategies of other kinds"
    TOGETHER = "strategies of several kinds at once"


_SEES = {
    Tag.PERFECT: "strategies see and remember everything",
    Tag.STATES: "strategies see the state, no memory",
    Tag.VIEWS: "strategies see what agents see, no memory",
}


def in_words(formula: Formula, options: Options) -> str:
    """How strategies were read, for the verdict's line; empty where ATL's readings say it."""
    features = fragment(formula).features
    read = readings(formula, options)
    if Feature.NAMES in features and any(isinstance(part, logic.NAMING) for part in subformulae(formula)):
        return _SEES[read.names]
    if Feature.EQUILIBRIA in features:
        actions = ", not actions" if options.states_only and read.equilibria is Tag.PERFECT else ""
        return _SEES[read.equilibria] + actions
    if Feature.GENERAL_STRATEGIES in features or Feature.NAMES in features:
        return {
            Way.HISTORY: "with memory",
            Way.STATE: "without memory",
            Way.VIEWS: "strategies: objective",
            Way.POOLED: "strategies: subjective",
        }[read.coalitions]
    return ""


class Way(Enum):
    """What strategies of a coalition depend on."""

    HISTORY = "all that has happened"
    STATE = "the state"
    VIEWS = "what each member sees"
    POOLED = "what each member sees, from all states that look the same to the group"


@dataclass(frozen=True, slots=True)
class Readings:
    """How each kind of strategy is read; ``strategies`` is what a coalition over one temporal operator asks of ATL."""

    names: Tag
    equilibria: Tag
    coalitions: Way
    strategies: Strategies


_WAYS = {Tag.PERFECT: Way.HISTORY, Tag.STATES: Way.STATE, Tag.VIEWS: Way.VIEWS}


def readings(formula: Formula, options: Options) -> Readings:
    """What the formula's tag says; without one what the options say, else what is usual."""
    if isinstance(formula, logic.Tagged):
        tag = formula.tag
        strategies = Strategies.OBJECTIVE if tag is Tag.VIEWS else Strategies.ANY
        return Readings(tag, tag, _WAYS[tag], strategies)
    remembering = options.remembering
    perfect = Tag.STATES if remembering is False else Tag.PERFECT
    names, equilibria = Tag.VIEWS, perfect
    if options.asked is Strategies.ANY:
        names = perfect
    elif options.asked is Strategies.OBJECTIVE:
        equilibria = Tag.VIEWS
    way = {
        Strategies.OBJECTIVE: Way.VIEWS,
        Strategies.SUBJECTIVE: Way.POOLED,
    }.get(options.strategies, _WAYS[perfect])
    return Readings(names, equilibria, way, options.strategies)


def named(formula: Formula, options: Options) -> Named:
    """The same for a certificate."""
    read = readings(formula, options)
    return Named(read.names, read.equilibria, read.coalitions is Way.HISTORY, options.states_only)


def kinds(system: System, formula: Formula, options: Options) -> frozenset[Kind]:
    """Which kinds of such strategies a question is about."""
    if any(fragment(constraint).features & OF_NAMES for constraint in system.fairness):
        return frozenset(Kind)
    features = fragment(formula).features
    return frozenset(_kinds(system, formula, options)) if features & OF_NAMES else frozenset()


def _kinds(system: System, formula: Formula, options: Options) -> Iterator[Kind]:
    read, parts = readings(formula, options), subformulae(formula)
    coalitions = [part for part in parts if isinstance(part, logic.Coalition)]
    if not all(is_enforced(one.arg) for one in coalitions):
        yield Kind.AIMS_REMEMBERING if read.coalitions is Way.HISTORY else Kind.AIMS
    if any(isinstance(part, logic.NAMING) for part in parts):
        if read.names is not Tag.PERFECT:
            yield Kind.NAMES_FORCED if shared_by_nobody(formula) and is_forced(system) else Kind.NAMES
        else:
            yield Kind.NAMES_REMEMBERING_INTERLEAVED if system.interleaved else Kind.NAMES_REMEMBERING
    if any(isinstance(part, logic.EQUILIBRIA) for part in parts):
        if read.equilibria is not Tag.PERFECT:
            yield Kind.EQUILIBRIA
        else:
            yield Kind.EQUILIBRIA_WATCHING_STATES if options.states_only else Kind.EQUILIBRIA_REMEMBERING
    if coalitions and read.strategies is not options.strategies:
        yield Kind.OTHERWISE
    if (
        read.strategies is not Strategies.ANY
        and not system.interleaved
        and any(is_enforced(one.arg) for one in coalitions)
    ):
        yield Kind.UNIFORM_ATL
    if options.strategies is Strategies.UNIFORM or (coalitions and system.scheduling is Scheduling.FAIR):
        yield Kind.TOGETHER


def no_next_state(system: System, state: Sequence[object]) -> str:
    """Why strategies have no meaning where a step leads nowhere."""
    return f"there is no next state in the reachable state {_shown(system, state)} (E067): add an action that stays"


def several_outcomes(system: System, state: Sequence[object]) -> str:
    """Why equilibria have no meaning where chance plays."""
    return f"a step has several outcomes in the state {_shown(system, state)} (E067)"


def _shown(system: System, state: Sequence[object]) -> str:
    pairs = zip(system.variables, state, strict=True)
    return ", ".join(f"{one} = {str(value).lower() if isinstance(value, bool) else value}" for one, value in pairs)


def refused(system: System, formula: Formula, options: Options) -> str | None:
    """Why a question about named or remembering strategies has no answer, whatever the states; None if it may have one."""
    features = fragment(formula).features & OF_NAMES
    if not features:
        return None
    parts = subformulae(formula)
    names = any(isinstance(part, logic.NAMING) for part in parts)
    equilibria = any(isinstance(part, logic.EQUILIBRIA) for part in parts)
    if (names or equilibria) and system.fairness:
        kind = "strategies with names" if names else "equilibria"
        return f"{kind} are not defined under fairness constraints: write `(G F c) -> goal` (E067)"
    if equilibria and system.interleaved:
        return "equilibria are not defined for interleaved systems (E067)"
    if equilibria and not system.goals:
        return "equilibria need what agents want: a section `Goals` (E067)"
    if any(isinstance(part, PAST) for part in subformulae(*parts, *(goal for _, goal in system.goals if equilibria))):
        return "past operators are not available for strategies with names, equilibria and goals of several operators (E067)"
    if system.interleaved and system.blocking is not Blocking.WAIT:
        return f"strategies with names or goals of several operators are not defined with blocking `{system.blocking.value}` (E067)"
    if options.remembering and not isinstance(formula, logic.Tagged):
        return _with_memory(options, names)
    if options.strategies is Strategies.UNIFORM and (names or equilibria) and is_pruned(formula, options):
        return "coalitions read as `uniform` do not go together with names and equilibria in one formula (E067)"
    return None


def is_pruned(formula: Formula, options: Options) -> bool:
    """Whether agents fix their strategies first: `uniform` is about coalitions, and about formulae without any strategies."""
    if options.strategies is not Strategies.UNIFORM or isinstance(formula, logic.Tagged):
        return False
    parts = subformulae(formula)
    return any(isinstance(part, logic.Coalition) for part in parts) or not any(
        isinstance(part, (*logic.NAMING, *logic.EQUILIBRIA)) for part in parts
    )


def _with_memory(options: Options, names: bool) -> str | None:
    partial = options.strategies in (Strategies.OBJECTIVE, Strategies.SUBJECTIVE)
    if partial or (names and options.asked is not Strategies.ANY):
        return "memory together with partial observation is undecidable (E066): ask with `--recall none`, or with `--strategies any`"
    return None


def announced_in_front(formula: Formula) -> Formula:
    """The formula with announcements on runs brought in front of quantifiers; raises `Refused` where one of them cannot be."""
    found = in_front(formula)
    if found is None:
        raise Refused("an announcement on a run is answered below X and G of A, and below X and F of E")
    return found
