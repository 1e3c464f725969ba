"""``E f`` for path formulae: brought to the fixpoints of CTL as far as laws of CTL* allow it; what remains goes to an automaton.

For a formula p about the state at hand, and f that does not look back:

    E (f or g) = E f or E g        E (p and f) = p and E f
    E X f = EX E f                 E F f = EF E f            E (p U f) = E (p U E f)        E (p W f) = E (p W E f)

All quantifiers range over infinite (fair) paths.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from epistrat.engines.fixpoints.evaluator import Evaluator, never
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.logic.rewrite import TRUE, conjunction

V = TypeVar("V")
P = TypeVar("P")


class PathLaws(Generic[V, P]):
    """E over bodies with the same leaves (`epistrat.logic.body`); ``automaton`` is asked where no law applies."""

    def __init__(self, on: Evaluator[V, P], leaves: Mapping[logic.Prop, V], automaton: Callable[[Formula], V]) -> None:
        self._on, self._leaves, self._automaton = on, leaves, automaton
        self._runs = on.player(logic.Exists(TRUE, star=True))
        self._known: dict[Formula, V] = {}

    def exists(self, body: Formula) -> V:
        """Where some infinite (fair) path starts that satisfies the body."""
        found = self._known.get(body)
        if found is None:
            found = self._known[body] = self._on.of.every((self._compute(body), self._on.endless))
        return found

    def _compute(self, body: Formula) -> V:
        on, here = self._on, self.here(body)
        if here is not None:
            return here
        match body:
            case logic.Or(args):
                return on.of.some([self.exists(arg) for arg in args])
            case logic.And(args):
                now = {arg: value for arg in args if (value := self.here(arg)) is not None}
                if now:
                    rest = conjunction(arg for arg in args if arg not in now)
                    return on.of.every([*now.values(), self.exists(rest)])
            case logic.Next(arg) if _looks_forward(arg):
                return on.next(self._runs, self.exists(arg))
            case logic.Finally(arg) if _looks_forward(arg):
                return on.until(self._runs, on.everything, self.exists(arg), never)
            case logic.Globally(arg) if (inside := self.here(arg)) is not None:
                return on.unless(self._runs, inside, on.nothing, never)
            case logic.Until(left, right) if _looks_forward(right) and (inside := self.here(left)) is not None:
                return on.until(self._runs, inside, self.exists(right), never)
            case logic.WeakUntil(left, right) if _looks_forward(right) and (inside := self.here(left)) is not None:
                return on.unless(self._runs, inside, self.exists(right), never)
            case logic.Release(left, right) if _looks_forward(left) and (inside := self.here(right)) is not None:
                return on.unless(self._runs, inside, self.exists(conjunction((left, right))), never)
        return self._automaton(body)

    def here(self, body: Formula) -> V | None:
        """The value of a body that is about the present state alone; else None."""
        match body:
            case logic.Prop():
                return self._leaves[body]
            case logic.Truth(value):
                return self._on.everything if value else self._on.nothing
            case logic.Not(logic.Prop() as leaf):
                return self._on.of.negate(self._leaves[leaf])
            case logic.And(args) | logic.Or(args):
                parts: list[V] = []
                for arg in args:
                    part = self.here(arg)
                    if part is None:
                        return None
                    parts.append(part)
                return self._on.of.every(parts) if isinstance(body, logic.And) else self._on.of.some(parts)
        return None


def _looks_forward(body: Formula) -> bool:
    """Whether no past operator is left in the body, so that any path from a state will do, however the state was reached."""
    return not any(isinstance(part, logic.PAST) for part in subformulae(body))
