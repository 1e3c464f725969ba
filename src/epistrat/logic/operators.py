"""Operators as rows: how each is written, what kind it is, what it means in words.

The parser, the printer, normal forms, whose eyes a formula needs, hovering, completion and the manual read these rows.  A row whose
operator ``stands_for`` others is all that such an operator needs: it is written out where a text is read, and engines never see it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from operator import attrgetter
from typing import Any

from epistrat.logic.nodes import (
    And,
    Announced,
    Bound,
    Coalition,
    Common,
    Correct,
    Distributed,
    Everybody,
    EveryEquilibrium,
    EveryStrategy,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Historically,
    Iff,
    Implies,
    Knows,
    KnowsWhether,
    Next,
    Not,
    Once,
    Or,
    Release,
    Remembers,
    Since,
    SomeEquilibrium,
    SomeStrategy,
    Tagged,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
)
from epistrat.records import dataclass


class Form(Enum):
    """How an operator is written; the value shows it, with ``OP`` for the operator."""

    NEGATION = "OPf"
    JOIN = "f OP g OP ..."
    PAIR = "f OP g"
    QUANTIFIER = "OP path"
    PATH = "OP f"
    BETWEEN = "(f) OP (g)"
    OF_AGENT = "OP(agent, f)"
    OF_GROUP = "OP(group, f)"
    READ = "OP[reading](agent, f)"
    AFTER = "[! f] g"
    STRATEGY = "<group> path"
    TAG = "OP formula as a whole"
    NAMED = "OP formula"
    BINDING = "(agent, x) formula"
    EQUILIBRIUM = "OP(f)"


class Time(Enum):
    """Where on a run a path operator looks."""

    FUTURE = "future"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator.  ``knowledge``: it is about states that look the same to those it names.

    ``dual`` is the operator that negation turns it into, over negated operands.
    """

    kind: type[Any]
    word: str
    form: Form
    meaning: str
    time: Time | None = None
    knowledge: bool = False
    dual: type[Any] | None = None
    stands_for: Callable[[Any], Formula] | None = None

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its operands."""
        if self.form is Form.AFTER:
            return ("said", "arg")
        return ("left", "right") if self.form in (Form.PAIR, Form.BETWEEN) else ("arg",)


def _whether(one: KnowsWhether) -> Formula:
    return Or((Knows(one.agent, one.arg), Knows(one.agent, Not(one.arg))))


_FUTURE, _PAST = Time.FUTURE, Time.PAST
OPERATORS: list[Operator] = [
    Operator(Not, "!", Form.NEGATION, "it is not true"),
    Operator(And, "and", Form.JOIN, "both", dual=Or),
    Operator(Or, "or", Form.JOIN, "at least one of both", dual=And),
    Operator(Implies, "->", Form.PAIR, "if the left side is true, so is the right one"),
    Operator(Iff, "<->", Form.PAIR, "both or none", dual=Xor),
    Operator(Xor, "xor", Form.PAIR, "exactly one of both", dual=Iff),
    Operator(ForAll, "A", Form.QUANTIFIER, "on all runs", dual=Exists),
    Operator(Exists, "E", Form.QUANTIFIER, "on some run", dual=ForAll),
    Operator(Next, "X", Form.PATH, "at the next point of the run", _FUTURE, dual=Next),
    Operator(Finally, "F", Form.PATH, "now or later on the run", _FUTURE, dual=Globally),
    Operator(Globally, "G", Form.PATH, "now and always later on the run", _FUTURE, dual=Finally),
    Operator(Until, "U", Form.BETWEEN, "right now or later, and left at every point before", _FUTURE),
    Operator(WeakUntil, "W", Form.BETWEEN, "`left U right`, or left for ever", _FUTURE),
    Operator(
        Release,
        "R",
        Form.BETWEEN,
        "right up to and including the point where left is true, or right for ever",
        _FUTURE,
        dual=Until,
    ),
    Operator(Yesterday, "Y", Form.PATH, "at the previous point of the run; false at time 0", _PAST),
    Operator(Once, "Once", Form.PATH, "now or earlier on the run", _PAST, dual=Historically),
    Operator(Historically, "Hist", Form.PATH, "now and always earlier on the run", _PAST, dual=Once),
    Operator(Since, "S", Form.BETWEEN, "right now or earlier, and left at every point after that, up to now", _PAST),
    Operator(
        Knows, "K", Form.OF_AGENT, "the agent knows it: true in all states that look the same to it", knowledge=True
    ),
    Operator(
        KnowsWhether,
        "KW",
        Form.OF_AGENT,
        "the agent knows whether: it knows that it is true, or that it is false",
        stands_for=_whether,
    ),
    Operator(Everybody, "GK", Form.OF_GROUP, "every member of the group knows it", knowledge=True),
    Operator(Distributed, "DK", Form.OF_GROUP, "the members know it if they pool what they see", knowledge=True),
    Operator(
        Common, "GCK", Form.OF_GROUP, "common knowledge: all know it, all know that all know it, ...", knowledge=True
    ),
    Operator(
        Remembers,
        "K[clock], K[recall], K[changes]",
        Form.READ,
        "known by who also counts the steps, remembers all that was seen, or remembers what changed",
    ),
    Operator(Announced, "[! f]", Form.AFTER, "once everybody was told that f is true"),
    Operator(Correct, "O", Form.OF_AGENT, "true in all reachable states that are green for the agent"),
    Operator(Coalition, "<group>", Form.STRATEGY, "the group has a strategy that brings it about"),
    Operator(
        Tagged, "#PR, #Ir, #ir", Form.TAG, "what strategies see and remember: all and always; states; what agents see"
    ),
    Operator(SomeStrategy, "<<x>>", Form.NAMED, "there is a strategy, called x"),
    Operator(EveryStrategy, "[[x]]", Form.NAMED, "whatever the strategy called x"),
    Operator(Bound, "(agent, x)", Form.BINDING, "when the agent follows the strategy x"),
    Operator(SomeEquilibrium, "ENash", Form.EQUILIBRIUM, "on the run of some Nash equilibrium"),
    Operator(EveryEquilibrium, "ANash", Form.EQUILIBRIUM, "on the run of every Nash equilibrium"),
]
"""Every operator, in the order of the manual."""


def by_kind() -> dict[type[Any], Operator]:
    """The rows by the type of their formulae."""
    return {row.kind: row for row in OPERATORS}


def words(*forms: Form) -> dict[str, Operator]:
    """The operators that are written in one of these ways, by their words."""
    return {row.word: row for row in OPERATORS if row.form in forms}


def operand_getters() -> dict[type[Any], Callable[[Any], tuple[Formula, ...]]]:
    """For each operator what gives its operands, left to right."""
    return {row.kind: _getter(row) for row in OPERATORS}


def _getter(row: Operator) -> Callable[[Any], tuple[Formula, ...]]:
    if row.form is Form.JOIN:
        return attrgetter("args")
    if len(row.fields) > 1:
        return attrgetter(*row.fields)
    return lambda one: (one.arg,)
