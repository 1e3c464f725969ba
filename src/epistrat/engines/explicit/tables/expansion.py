"""``<<x>>`` over several goals and quantifiers, where diagrams of all tables at once are too large: one proposal for x after the other.

With x fixed the rest is a small question.  If it is answered with no, there is a reason that speaks of fewer strategies: of a conjunction
one part is false, of ``[[y]] f`` there is a table of y for which f is false.  With this y fixed, and x free again, f says what every x that
is right has to satisfy; the next proposal does.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from epistrat.engines.explicit.tables.decisions import Decisions, Strategy
from epistrat.engines.explicit.tables.labels import DecisionLabels, bound_to
from epistrat.engines.fixpoints.assignment import Assignment
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state
from epistrat.solvers.bdd import Bdd

if TYPE_CHECKING:
    from epistrat.engines.explicit.tables.tables import Tables

Quantifier: TypeAlias = logic.SomeStrategy | logic.EveryStrategy
MOST_PROPOSALS = 1_000  # cake for two with four pieces takes five; each takes tens of milliseconds


def denied(formula: Formula) -> Formula:
    """The negation of a state formula, inside quantifiers and bindings; goals stay as they are: they are about all runs."""
    match formula:
        case logic.Not(arg):
            return arg
        case logic.SomeStrategy(variable, arg) if is_state(arg):
            return logic.EveryStrategy(variable, denied(arg))
        case logic.EveryStrategy(variable, arg) if is_state(arg):
            return logic.SomeStrategy(variable, denied(arg))
        case logic.Bound(agent, variable, arg) if is_state(arg):
            return logic.Bound(agent, variable, denied(arg))
        case logic.Or(args) if is_state(formula):
            return logic.And(tuple(map(denied, args)))
        case logic.Implies(left, right) if is_state(formula):
            return logic.And((left, denied(right)))
        case _:
            return logic.Not(formula)


class TooManyProposals(Exception):
    """Every reason rules out few proposals."""


class Expansion:
    """The sentences of one system, asked about one state after the other."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._decisions: Decisions = tables.decisions

    def holds(self, sentence: Formula, node: int) -> bool | None:
        """Whether a sentence holds in a state; None where it does not begin with a quantifier."""
        match sentence:
            case logic.Not(arg):
                opposite = self.holds(arg, node)
                return None if opposite is None else not opposite
            case logic.SomeStrategy():
                return self._some(sentence, node)
            case logic.EveryStrategy(variable, arg) if is_state(arg):
                return not self._some(logic.SomeStrategy(variable, denied(arg)), node)
            case _:
                return None

    def _some(self, sentence: Formula, node: int) -> bool:
        """Proposals for all strategies that are quantified by ``<<x>>`` in front."""
        self._tables.prepare(sentence)
        outer: list[Quantifier] = []
        given: Assignment = ()
        body = sentence
        while isinstance(body, (logic.SomeStrategy, logic.Bound)):
            if isinstance(body, logic.SomeStrategy):
                outer.append(body)
            given = bound_to(given, body)
            body = body.arg
        if not all(self._strategy(one).exists for one in outer):
            return False
        algebra = self._decisions.algebra
        left = algebra.true
        for _ in range(MOST_PROPOSALS):
            proposal = algebra.pick(left)
            if proposal is None:
                return False
            self._tables.tick()
            with self._fixed(outer, proposal):
                if self._value(body, given, node) == algebra.true:
                    return True
                reason, context, replies = self._reason(body, given, node)
            with self._replied(replies):
                left = left & self._value(reason, context, node)
        raise TooManyProposals

    def _strategy(self, quantifier: Quantifier) -> Strategy:
        return self._decisions.strategy(quantifier, (), self._tables.tag)

    def _value(self, formula: Formula, given: Assignment, node: int) -> Bdd:
        value: Bdd = DecisionLabels(self._tables, given).value(formula)[node]
        return value

    def _reason(
        self, body: Formula, given: Assignment, node: int
    ) -> tuple[Formula, Assignment, list[tuple[Quantifier, dict[int, bool]]]]:
        """A part that is false, who follows what there, and the replies that make it false; the proposal is fixed meanwhile."""
        replies: list[tuple[Quantifier, dict[int, bool]]] = []
        algebra = self._decisions.algebra
        while True:
            self._tables.tick()
            match body:
                case logic.And(args):
                    with self._replied(replies):
                        body = next(arg for arg in args if self._value(arg, given, node) != algebra.true)
                case logic.EveryStrategy(_, arg):
                    given = bound_to(given, body)
                    with self._replied(replies):
                        reply = algebra.pick(~self._value(arg, given, node))
                    assert reply is not None
                    replies.append((body, reply))
                    body = arg
                case logic.Bound(_, _, arg):
                    given, body = bound_to(given, body), arg
                case _:
                    return body, given, replies

    # fixed strategies

    @contextmanager
    def _replied(self, replies: list[tuple[Quantifier, dict[int, bool]]]) -> Iterator[None]:
        """Each of these quantified strategies fixed."""
        if not replies:
            yield
            return
        (quantifier, reply), *rest = replies
        with self._fixed([quantifier], reply), self._replied(rest):
            yield

    @contextmanager
    def _fixed(self, quantifiers: list[Quantifier], values: dict[int, bool]) -> Iterator[None]:
        """What these strategies do is fixed by values of their variables; absent ones are false."""
        before = {one: self._strategy(one) for one in quantifiers}
        for one, strategy in before.items():
            self._decisions.replace(one, self._constant(strategy, values))
        self._tables.forget_edges()
        try:
            yield
        finally:
            for one, strategy in before.items():
                self._decisions.replace(one, strategy)
            self._tables.forget_edges()

    def _constant(self, strategy: Strategy, values: dict[int, bool]) -> Strategy:
        algebra = self._decisions.algebra
        here = algebra.true
        for bit in strategy.variables:
            here = here & (algebra.var[bit] if values.get(bit) else ~algebra.var[bit])
        options = [
            tuple((act, algebra.true) for act, condition in entry if here & condition != algebra.false)
            for entry in strategy.options
        ]
        return Strategy(strategy.exists, options)
