"""Path formulae over leaves: what a quantifier or a knowledge operator says about paths, apart from the state formulae inside it.

Every maximal state formula of the body becomes a proposition of its own, a *leaf*; the rest is brought into negation normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from epistrat.logic.formula import FUTURE, PAST, Formula, Not, Prop, is_state, operands, subformulae
from epistrat.logic.rewrite import negation, negation_normal_form, with_operands
from epistrat.records import dataclass


@dataclass(frozen=True)
class Body:
    """A path formula in negation normal form, and what its leaves stand for."""

    formula: Formula
    leaves: Mapping[Prop, Formula]


def split(body: Formula, is_leaf: Callable[[Formula], bool] = is_state, negated: bool = False) -> Body:
    """The body (or its negation) over leaves."""
    named: dict[Formula, Prop] = {}
    done: dict[Formula, Formula] = {}
    stack = [(body, False)]
    while stack:
        part, ready = stack.pop()
        if ready:
            done[part] = with_operands(part, tuple([done[operand] for operand in operands(part)]))
        elif part not in done:
            if is_leaf(part):
                done[part] = named.setdefault(part, Prop(f"leaf {len(named)}"))
            else:
                stack.append((part, True))
                stack.extend((operand, False) for operand in operands(part))
    over_leaves = negation(done[body]) if negated else done[body]
    return Body(negation_normal_form(over_leaves), {leaf: part for part, leaf in named.items()})


def unsigned(part: Formula) -> bool:
    """Whether a part is a state formula without a negation in front: with such leaves a formula and its negation have one leaf."""
    return is_state(part) and not isinstance(part, Not)


def path_parts(body: Formula) -> list[Formula]:
    """The parts of a path formula outside nested state formulae, operands first; maximal state formulae are included."""
    order: list[Formula] = []
    seen: set[Formula] = set()
    stack = [(body, False)]
    while stack:
        part, ready = stack.pop()
        if ready:
            order.append(part)
        elif part not in seen:
            seen.add(part)
            stack.append((part, True))
            if not is_state(part):
                stack.extend((operand, False) for operand in reversed(operands(part)))
    return order


def is_pure_past(part: Formula) -> bool:
    """Whether a past operator looks at state formulae and past operators only, so that the way to the present decides it."""
    return isinstance(part, PAST) and not any(isinstance(inner, FUTURE) for inner in path_parts(part))


def past_inside(formula: Formula) -> bool:
    """Whether a past operator occurs anywhere in the formula."""
    return any(isinstance(part, PAST) for part in subformulae(formula))
