"""The smallest fragment of the logic that a formula lies in, and what in it not every engine can deal with.

Fragments, each with and without knowledge (the ``K`` in the name; O counts as knowledge):

- *CTL*: every quantifier has CTL's reading.
- *ATL*: CTL with coalition operators.
- *LTL*: one A in front, the body linear; past allowed.
- *ATL\\**: a coalition enforces a path formula.
- *SL*: strategies have names, or equilibria are asked for.
- *CTL\\**: anything else.
- *KL1*: one A in front, the body linear (past allowed) over conditions on states and K of single agents; what is known is linear too,
  and contains no further knowledge.  *InvKL1*: ``AG`` or ``LTL G`` of a Boolean combination of conditions on states and such K.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.nested import is_plain, looking_back
from epistrat.logic.show import ctl_shaped
from epistrat.records import dataclass

_QUANTIFIERS = (logic.ForAll, logic.Exists)
_STRATEGIC = (logic.Coalition, *logic.NAMING, *logic.EQUILIBRIA)
_ENFORCED = (logic.Next, logic.Finally, logic.Globally, logic.Until)


class Family(Enum):
    """The temporal part of a fragment."""

    CTL = "CTL"
    ATL = "ATL"
    LTL = "LTL"
    CTL_STAR = "CTL*"
    ATL_STAR = "ATL*"
    SL = "SL"


class Feature(Enum):
    """What a formula may contain beyond an invariant over atoms; the value says it in words."""

    LINEAR = "quantifiers over infinite runs (LTL, CTL*)"
    BRANCHING = "path quantifiers other than one A in front"
    NESTED_INVARIANTS = "an AG inside an AG"
    REACHING = "one EF of a condition in front"
    DEAD_ENDS = "CTL's reading, which looks at dead ends, of an A other than AG"
    NEXT_OR_UNTIL = "CTL's reading of an A other than AG and AF"
    INITIAL = "a formula about the initial states alone"
    OPEN = "a path formula without a quantifier in front"
    PAST = "past operators"
    INNER_PAST = "a quantifier inside the formula that looks back"
    PAST_OF_FUTURE = (
        "a quantifier inside the formula that looks back at what was to come (a past operator over a future one)"
    )
    KNOWLEDGE = "knowledge"
    PATH_KNOWLEDGE = "knowledge of path formulae"
    KNOWN_FUTURE = "knowledge of what happens in an unbounded future"
    NESTED_KNOWLEDGE = "knowledge about knowledge"
    GROUP_KNOWLEDGE = "knowledge of groups"
    COMMON_KNOWLEDGE = "common knowledge"
    CORRECTNESS = "correct behaviour (O)"
    MEMORY = "knowledge that counts steps or remembers"
    ANNOUNCEMENTS = "announcements"
    STRATEGIES = "strategies"
    GENERAL_STRATEGIES = "a coalition that enforces something else than X, F, G or U of state formulae"
    STRATEGIES_AND_PAST = "strategies and past operators in one formula"
    STRATEGIES_OVER_PAST = "strategies for aims that depend on the past"
    STRATEGIES_AND_HISTORIES = "strategies together with announcements, or with knowledge that counts or remembers"
    GENERAL_STRATEGIES_AND_HISTORIES = (
        "announcements, or knowledge that counts or remembers, together with other strategies than ATL's"
    )
    NAMES = "strategies with names"
    EQUILIBRIA = "equilibria"


OF_NAMES = frozenset({Feature.GENERAL_STRATEGIES, Feature.NAMES, Feature.EQUILIBRIA})
"""What asks for strategies otherwise than ATL does."""
OF_HISTORIES = frozenset(
    {
        Feature.MEMORY,
        Feature.ANNOUNCEMENTS,
        Feature.STRATEGIES_AND_HISTORIES,
        Feature.GENERAL_STRATEGIES_AND_HISTORIES,
    }
)
"""What is about histories, not states: knowledge that counts or remembers, and what was announced."""
OF_ALL_STATES = (
    OF_NAMES | OF_HISTORIES | {Feature.INNER_PAST, Feature.STRATEGIES_AND_PAST, Feature.STRATEGIES_OVER_PAST}
)
"""What only engines answer that have the set of all states, or a graph of them."""


_KL1 = frozenset(
    {
        Feature.LINEAR,
        Feature.DEAD_ENDS,
        Feature.NEXT_OR_UNTIL,
        Feature.PAST,
        Feature.KNOWLEDGE,
        Feature.PATH_KNOWLEDGE,
        Feature.KNOWN_FUTURE,
    }
)


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a formula is made of."""

    family: Family
    features: frozenset[Feature]
    next_free: bool
    invariant: bool

    @property
    def name(self) -> str:
        """For showing: ``CTLK``, ``LTLK with past``, ``ATL`` and so on."""
        knowledge = bool(self.features & {Feature.KNOWLEDGE, Feature.CORRECTNESS})
        return self.family.value + "K" * knowledge + " with past" * (Feature.PAST in self.features)

    @property
    def kl1(self) -> bool:
        """Whether the formula is in KL1: one A in front, knowledge of single agents, not nested."""
        return self.features <= _KL1 and (self.invariant or bool(self.features & {Feature.LINEAR, Feature.DEAD_ENDS}))

    @property
    def names(self) -> tuple[str, ...]:
        """The name, and those of the smaller fragments of knowledge in time that the formula is in."""
        extra = (("KL1",) if self.kl1 else ()) + (("InvKL1",) if self.kl1 and self.invariant else ())
        return (self.name, *extra, *(("without next",) if self.next_free else ()))

    def __str__(self) -> str:
        return self.name


def fragment(formula: Formula) -> Fragment:
    """The smallest fragment that contains the formula.

    Whoever serves a question asks for it, a dozen times; the latest ones are remembered, since a formula never changes.
    """
    return _fragment(_Very(formula))


@dataclass(frozen=True, eq=False)
class _Very:
    """A formula that equals itself alone: to compare two that are equal and deep takes more calls than there may be."""

    formula: Formula

    def __hash__(self) -> int:
        return id(self.formula)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Very) and self.formula is other.formula


@lru_cache(maxsize=64)
def _fragment(asked: _Very) -> Fragment:
    formula = asked.formula
    parts = subformulae(formula)
    features = frozenset((*_temporal(formula, parts), *_epistemic(parts), *_strategic(parts)))
    return Fragment(
        family=_family(formula, parts, features),
        features=features,
        next_free=not any(isinstance(part, (logic.Next, logic.Yesterday)) for part in parts),
        invariant=invariant_body(formula) is not None,
    )


def _temporal(formula: Formula, parts: list[Formula]) -> Iterator[Feature]:
    if not is_state(formula):
        yield Feature.OPEN
    quantifiers = [part for part in parts if isinstance(part, _QUANTIFIERS)]
    if any(part.star for part in quantifiers) or not is_state(formula):
        yield Feature.LINEAR
    if quantifiers and not (quantifiers == [formula] and isinstance(formula, logic.ForAll)):
        yield _branching(formula)
    elif quantifiers and not quantifiers[0].star and invariant_body(formula) is None:
        yield Feature.DEAD_ENDS
        if not isinstance(quantifiers[0].arg, logic.Finally):
            yield Feature.NEXT_OR_UNTIL
    if is_state(formula) and not any(isinstance(part, (*_QUANTIFIERS, *_STRATEGIC)) for part in parts):
        yield Feature.INITIAL
    if _looks_back(parts):
        yield Feature.PAST
    inner = history_quantifiers(formula)
    if inner:
        yield Feature.INNER_PAST
    past = [part for part in _path_level(*(quantifier.arg for quantifier in inner)) if isinstance(part, logic.PAST)]
    if any(isinstance(part, logic.FUTURE) for part in _path_level(*past)):
        yield Feature.PAST_OF_FUTURE


def _branching(formula: Formula) -> Feature:
    """What kind of branching a formula has."""
    if looking_back(formula) is not None:
        return Feature.NESTED_INVARIANTS
    return Feature.BRANCHING if reached(formula) is None else Feature.REACHING


def reached(formula: Formula) -> Formula | None:
    """p where the formula is ``EF p`` with a Boolean combination of atoms p, else None."""
    match formula:
        case logic.Exists(logic.Finally(goal), False) if is_plain(goal):
            return goal
        case _:
            return None


def _epistemic(parts: list[Formula]) -> Iterator[Feature]:
    if any(isinstance(part, logic.Remembers) for part in parts):
        yield Feature.MEMORY
    if any(isinstance(part, logic.Announced) for part in parts):
        yield Feature.ANNOUNCEMENTS
    knowing = [part for part in parts if isinstance(part, logic.KNOWING)]
    for part in knowing:
        if isinstance(part, logic.Correct):
            yield Feature.CORRECTNESS
        else:
            yield Feature.KNOWLEDGE
            if not isinstance(part, logic.Knows):
                yield Feature.GROUP_KNOWLEDGE
            if isinstance(part, logic.Common):
                yield Feature.COMMON_KNOWLEDGE
        if not is_state(part.arg):
            yield Feature.PATH_KNOWLEDGE
            if delay(part.arg) is None:
                yield Feature.KNOWN_FUTURE
    if any(isinstance(part, logic.KNOWING) for part in subformulae(*(part.arg for part in knowing))):
        yield Feature.NESTED_KNOWLEDGE


def delay(formula: Formula) -> int | None:
    """How many X are nested at most outside knowledge; None where another future operator, or an X below a past operator, occurs."""
    if isinstance(formula, logic.KNOWING):
        return 0
    if isinstance(formula, logic.Next):
        later = delay(formula.arg)
        return None if later is None else later + 1
    if isinstance(formula, logic.FUTURE):
        return None
    delays = [delay(operand) for operand in operands(formula)]
    if None in delays or (isinstance(formula, logic.PAST) and any(delays)):
        return None
    return max([one for one in delays if one is not None], default=0)


def _strategic(parts: list[Formula]) -> Iterator[Feature]:
    if any(isinstance(part, (logic.Tagged, *logic.NAMING)) for part in parts):
        yield Feature.NAMES
    if any(isinstance(part, logic.EQUILIBRIA) for part in parts):
        yield Feature.EQUILIBRIA
    coalitions = [part for part in parts if isinstance(part, logic.Coalition)]
    strategic = any(isinstance(part, (*_STRATEGIC, logic.Tagged)) for part in parts)
    if strategic and any(isinstance(part, logic.REMEMBERING) for part in parts):
        yield Feature.STRATEGIES_AND_HISTORIES
        others = any(isinstance(part, (*_STRATEGIC, logic.Tagged)) and part not in coalitions for part in parts)
        if others or not all(is_enforced(coalition.arg) for coalition in coalitions):
            yield Feature.GENERAL_STRATEGIES_AND_HISTORIES
    if coalitions:
        yield Feature.STRATEGIES
        if _looks_back(parts):
            yield Feature.STRATEGIES_AND_PAST
        if _looks_back(subformulae(*coalitions)):
            yield Feature.STRATEGIES_OVER_PAST
        if not all(is_enforced(coalition.arg) for coalition in coalitions):
            yield Feature.GENERAL_STRATEGIES


def is_enforced(aim: Formula) -> bool:
    """Whether a coalition's aim is one of ATL: X, F, G or U of state formulae."""
    return isinstance(aim, _ENFORCED) and all(map(is_state, operands(aim)))


def _looks_back(parts: list[Formula]) -> bool:
    return any(isinstance(part, logic.PAST) for part in parts)


def _family(formula: Formula, parts: list[Formula], features: frozenset[Feature]) -> Family:
    if features & {Feature.NAMES, Feature.EQUILIBRIA}:
        return Family.SL
    strategic = Feature.STRATEGIES in features
    if Feature.GENERAL_STRATEGIES in features:
        return Family.ATL_STAR
    quantifiers = [part for part in parts if isinstance(part, _QUANTIFIERS)]
    if quantifiers == [formula] and isinstance(formula, logic.ForAll) and formula.star and not strategic:
        return Family.LTL
    path_knowledge = any(isinstance(part, logic.KNOWING) and not is_state(part.arg) for part in parts)
    if path_knowledge or not is_state(formula) or any(part.star for part in quantifiers):
        return Family.CTL_STAR
    return Family.ATL if strategic else Family.CTL


def past_at_path_level(body: Formula) -> bool:
    """Whether a past operator occurs in a path formula outside nested state formulae."""
    return _looks_back(_path_level(body))


def _path_level(*bodies: Formula) -> list[Formula]:
    found: list[Formula] = []
    seen: set[Formula] = set()
    stack = list(bodies)
    while stack:
        part = stack.pop()
        if part not in seen:
            seen.add(part)
            found.append(part)
            if isinstance(part, logic.CONNECTIVES + logic.FUTURE + logic.PAST):
                stack.extend(operands(part))
    return found


def history_quantifiers(formula: Formula) -> list[logic.ForAll | logic.Exists]:
    """The quantified subformulae that look back at how their state was reached, innermost first.

    Such a quantifier has past operators in its body and stands below a temporal, epistemic, deontic or strategic operator;
    at time 0, where none of these is above it, there is no history to look back at.
    """
    parts = subformulae(formula)
    if not any(isinstance(part, logic.PAST) for part in parts):
        return []
    below = [operand for part in parts if not isinstance(part, logic.CONNECTIVES) for operand in operands(part)]
    later = set(subformulae(*below))
    return [part for part in parts if part in later and isinstance(part, _QUANTIFIERS) and past_at_path_level(part.arg)]


def invariant_body(formula: Formula) -> Formula | None:
    """f where the formula is ``AG f`` or ``LTL G f`` with f about single states, else None."""
    if isinstance(formula, logic.ForAll) and isinstance(formula.arg, logic.Globally) and ctl_shaped(formula.arg):
        return formula.arg.arg
    return None
