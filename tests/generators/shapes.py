"""Formulae of given shapes over random parts: the shapes that engines have short cuts for."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.generators.formulae import random_formula, random_group

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.system import System


@dataclass(frozen=True)
class Parts:
    """Random parts of formulae about a system; ``inner`` is a state formula that a shape should have inside."""

    rng: random.Random
    system: System
    inner: Callable[[], Formula]

    def condition(self) -> Formula:
        """A condition on the state."""
        return random_formula(self.rng, self.system, "CTL", 0)

    def agent(self) -> str:
        """An agent."""
        return self.rng.choice(list(self.system.views))

    def group(self) -> Group:
        """A group, perhaps of one."""
        return random_group(self.rng, self.system)

    def operand(self) -> Formula:
        """What stands inside: the wanted part half of the time, else a condition."""
        return self.inner() if self.rng.random() < 0.5 else self.condition()

    def quantified(self, path: Formula) -> Formula:
        """A path formula with a quantifier in front."""
        return self.rng.choice((logic.ForAll, logic.Exists))(path, star=True)

    def future(self, *operands: Formula) -> Formula:
        """A future operator over one or two operands."""
        if len(operands) == 2:
            return self.rng.choice((logic.Until, logic.WeakUntil, logic.Release))(*operands)
        return self.rng.choice((logic.Next, logic.Finally, logic.Globally))(*operands)


Shape = Callable[[Parts], Formula]


def always_implies(parts: Parts) -> Formula:
    """AG (condition -> time)."""
    right = parts.inner() if parts.rng.random() < 0.5 else temporal(parts)
    return logic.ForAll(logic.Globally(logic.Implies(parts.operand(), right)))


def always_implies_known(parts: Parts) -> Formula:
    """AG (condition -> time with knowledge inside)."""
    inside = logic.Knows(parts.agent(), parts.operand())
    right = parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(inside))
    return logic.ForAll(logic.Globally(logic.Implies(parts.condition(), right)))


def temporal(parts: Parts) -> Formula:
    """A quantifier of CTL over one operator."""
    operands = [parts.operand() for _ in range(parts.rng.choice((1, 1, 2)))]
    return parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(*operands))


def never_finally(parts: Parts) -> Formula:
    """! EF."""
    return logic.Not(logic.Exists(logic.Finally(parts.operand())))


def either(parts: Parts) -> Formula:
    """A disjunction."""
    return logic.Or((temporal(parts), parts.inner()))


def both(parts: Parts) -> Formula:
    """A conjunction."""
    return logic.And((temporal(parts), parts.inner()))


def exclusive(parts: Parts) -> Formula:
    """xor or <->: both polarities of both sides."""
    return parts.rng.choice((logic.Xor, logic.Iff))(parts.inner(), temporal(parts))


def binary(kind: type[logic.Until] | type[logic.WeakUntil] | type[logic.Release]) -> Shape:
    """A quantifier over U, W or R."""

    def shape(parts: Parts) -> Formula:
        star = parts.rng.random() < 0.4
        return parts.rng.choice((logic.ForAll, logic.Exists))(kind(parts.operand(), parts.operand()), star)

    return shape


def path(parts: Parts) -> Formula:
    """A quantifier over a Boolean combination of nested operators."""
    one, other = parts.future(parts.future(parts.operand())), parts.future(parts.operand(), parts.operand())
    return parts.quantified(parts.rng.choice((logic.And, logic.Or))((one, other)))


def past(kind: type[logic.Yesterday] | type[logic.Once] | type[logic.Historically] | type[logic.Since]) -> Shape:
    """A past operator below a future one."""

    def shape(parts: Parts) -> Formula:
        back: Formula = kind(parts.condition(), parts.operand()) if kind is logic.Since else kind(parts.operand())  # type: ignore[call-arg]
        ahead = parts.future(back) if parts.rng.random() < 0.6 else logic.And((parts.future(parts.condition()), back))
        return parts.quantified(ahead)

    return shape


def looking_back(parts: Parts) -> Formula:
    """A quantifier inside another one that looks back at how its state was reached."""
    back = parts.rng.choice((logic.Yesterday, logic.Once, logic.Historically))(parts.condition())
    inside = parts.quantified(logic.And((parts.future(parts.condition()), back)))
    return parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(inside))


def known(kind: type[logic.Everybody] | type[logic.Distributed] | type[logic.Common]) -> Shape:
    """Knowledge of a group."""

    def shape(parts: Parts) -> Formula:
        claim = kind(parts.group(), parts.operand())
        return (
            claim if parts.rng.random() < 0.3 else parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(claim))
        )

    return shape


def knows(parts: Parts) -> Formula:
    """Knowledge of an agent, at the start or later."""
    claim: Formula = logic.Knows(parts.agent(), parts.operand())
    return claim if parts.rng.random() < 0.3 else parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(claim))


def known_of_nobody(parts: Parts) -> Formula:
    """Knowledge of the empty group."""
    kind = parts.rng.choice((logic.Everybody, logic.Distributed, logic.Common))
    return parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(kind(Group(()), parts.operand())))


def knows_path(parts: Parts) -> Formula:
    """Knowledge of a path formula in which future and past are mixed."""
    back = parts.rng.choice((logic.Yesterday, logic.Once, logic.Historically))(parts.condition())
    ahead = parts.future(parts.condition())
    mixed = parts.rng.choice(
        (logic.And((back, ahead)), logic.Or((back, ahead)), logic.Once(ahead), logic.Finally(back), ahead)
    )
    claim = logic.Knows(parts.agent(), mixed)
    return claim if parts.rng.random() < 0.5 else parts.quantified(parts.future(claim))


def knows_future(parts: Parts) -> Formula:
    """Knowledge of a path formula without past, which goes with strategies on every engine."""
    return logic.Knows(parts.agent(), parts.future(parts.operand()))


def correct(parts: Parts) -> Formula:
    """Correct behaviour."""
    claim = logic.Correct(parts.rng.choice(parts.system.agents).name, parts.operand())
    return claim if parts.rng.random() < 0.3 else parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(claim))


def coalition(kind: type[logic.Next] | type[logic.Finally] | type[logic.Globally] | type[logic.Until]) -> Shape:
    """What a group can enforce, at the start or later."""

    def shape(parts: Parts) -> Formula:
        arg: Formula
        arg = kind(parts.operand(), parts.operand()) if kind is logic.Until else kind(parts.operand())  # type: ignore[call-arg]
        claim: Formula = logic.Coalition(parts.group(), arg)
        if parts.rng.random() < 0.6:
            return claim
        return parts.rng.choice((logic.ForAll, logic.Exists))(parts.future(claim))

    return shape


def nested_coalition(parts: Parts) -> Formula:
    """A coalition inside another one."""
    inside = coalition(parts.rng.choice((logic.Next, logic.Finally, logic.Globally)))(parts)
    kind = parts.rng.choice((logic.Next, logic.Finally, logic.Globally))
    return logic.Coalition(parts.group(), kind(inside))
