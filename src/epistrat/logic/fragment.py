"""The smallest fragment of the logic that a formula lies in, and what else an engine wants to know of it.

Fragments, each with and without knowledge (the ``K`` in the name; O counts as knowledge):

- *CTL*: every quantifier has CTL's reading.
- *ATL*: CTL with coalition operators.
- *LTL*: one A in front, the body linear; past allowed.
- *CTL\\**: anything else.
- *KL1*: LTL with K of single agents whose bodies talk about the present state only; *InvKL1*: ``AG`` or ``LTL G`` of a
  Boolean combination of atoms and such K.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.show import ctl_shaped

_BOOLEAN = (logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff, logic.Xor)
_QUANTIFIERS = (logic.ForAll, logic.Exists)


class Family(Enum):
    """The temporal part of a fragment."""

    CTL = "CTL"
    ATL = "ATL"
    LTL = "LTL"
    CTL_STAR = "CTL*"


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a formula is made of."""

    family: Family
    knowledge: bool
    past: bool
    next_free: bool
    needs_history: bool
    strategic: bool
    kl1: bool
    invariant: bool

    @property
    def name(self) -> str:
        """For showing: ``CTLK``, ``LTLK with past``, ``ATL`` and so on."""
        name = self.family.value + ("K" if self.knowledge else "")
        return name + (" with past" if self.past else "")

    @property
    def names(self) -> tuple[str, ...]:
        """The name, and those of the smaller fragments of knowledge in time that the formula is in."""
        extra = (("KL1",) if self.kl1 else ()) + (("InvKL1",) if self.kl1 and self.invariant else ())
        return (self.name, *extra, *(("without next",) if self.next_free else ()))

    def __str__(self) -> str:
        return self.name


def fragment(formula: Formula) -> Fragment:
    """The smallest fragment that contains the formula."""
    parts = subformulae(formula)
    strategic = any(isinstance(part, logic.Coalition) for part in parts)
    return Fragment(
        family=_family(formula, parts, strategic),
        knowledge=any(isinstance(part, (*logic.KNOWLEDGE, logic.Correct)) for part in parts),
        past=any(isinstance(part, logic.PAST) for part in parts),
        next_free=not any(isinstance(part, (logic.Next, logic.Yesterday)) for part in parts),
        needs_history=bool(history_quantifiers(formula)),
        strategic=strategic,
        kl1=_is_kl1(formula, parts),
        invariant=invariant_body(formula) is not None,
    )


def _family(formula: Formula, parts: list[Formula], strategic: bool) -> Family:
    quantifiers = [part for part in parts if isinstance(part, _QUANTIFIERS)]
    if quantifiers == [formula] and isinstance(formula, logic.ForAll) and formula.star and not strategic:
        return Family.LTL
    path_knowledge = any(
        isinstance(part, (*logic.KNOWLEDGE, logic.Correct)) and not is_state(part.arg) for part in parts
    )
    if path_knowledge or not is_state(formula) or any(part.star for part in quantifiers):
        return Family.CTL_STAR
    return Family.ATL if strategic else Family.CTL


def past_at_path_level(body: Formula) -> bool:
    """Whether a past operator occurs in a path formula outside nested state formulae."""
    return any(isinstance(part, logic.PAST) for part in _path_level(body))


def _path_level(body: Formula) -> list[Formula]:
    found: list[Formula] = []
    seen: set[Formula] = set()
    stack = [body]
    while stack:
        part = stack.pop()
        if part not in seen:
            seen.add(part)
            found.append(part)
            if isinstance(part, _BOOLEAN + logic.FUTURE + logic.PAST):
                stack.extend(operands(part))
    return found


def history_quantifiers(formula: Formula) -> list[Formula]:
    """The quantified subformulae that look back at how their state was reached, innermost first.

    Such a quantifier has past operators in its body and stands below a temporal, epistemic, deontic or strategic operator;
    at time 0, where none of these is above it, there is no history to look back at.
    """
    below = [operand for part in subformulae(formula) if not isinstance(part, _BOOLEAN) for operand in operands(part)]
    later = set(subformulae(*below))
    return [
        part
        for part in subformulae(formula)
        if part in later and isinstance(part, _QUANTIFIERS) and past_at_path_level(part.arg)
    ]


def invariant_body(formula: Formula) -> Formula | None:
    """f where the formula is ``AG f`` or ``LTL G f`` with f about single states, else None."""
    if isinstance(formula, logic.ForAll) and isinstance(formula.arg, logic.Globally) and ctl_shaped(formula.arg):
        return formula.arg.arg
    return None


def _is_kl1(formula: Formula, parts: list[Formula]) -> bool:
    """One A in front; below it K of single agents over conditions on the present state."""
    if not isinstance(formula, logic.ForAll):
        return False
    below = [part for part in parts if part is not formula]
    if any(isinstance(part, (*_QUANTIFIERS, logic.Coalition, logic.Correct)) for part in below):
        return False
    known = [part for part in below if isinstance(part, logic.KNOWLEDGE)]
    return all(isinstance(part, logic.Knows) and is_state(part.arg) for part in known)
