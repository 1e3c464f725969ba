"""A session on Z3: conditions are added and removed in scopes, asked about with assumptions, and answered with models or cores.

Sessions in different threads have different Z3 contexts (those of their translations), so they do not meet.  How much a query may do is
counted in work: Z3 counts what it does, the same on every machine.  The clock ends a query only where the user's limit is reached; what
ignores that (Spacer) belongs into a child process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import z3

from epistrat.solvers.budget import Budget
from epistrat.solvers.disagreement import disagreement
from epistrat.solvers.smt.answer import Answer, Asked, Status, Translation
from epistrat.terms import Expr, Node, Value

_QUERY = 2_000  # work of a query, at least
QUESTION = 10_000_000
"""Work that a query may take for which nothing else is said: some 20 s."""
RESOURCES = 4  # of those that Z3 counts are one unit of work: it counts about 2,000,000 in a second
_TOGETHER = 16  # combinations that are found between two looks at the work done
_COUNTED = 1 << 32  # at which Z3's count begins again


class Session:
    """Conditions that must be true together.  ``work`` limits each query."""

    def __init__(self, translation: Translation, budget: Budget | None = None, work: int = QUESTION) -> None:
        self.translation = translation
        self.queries = 0
        self._budget = budget or Budget()
        self._work = work
        self._solver = z3.Solver(ctx=translation.context)
        self._model: Any = None
        self._assumed: dict[int, Asked] = {}
        self._resources = 0
        left = self._budget.remaining
        if left is not None:  # told once: telling Z3 something makes it work differently, so no clock may decide when
            self._solver.set("timeout", max(1, int(left * 1000)))

    def add(self, *conditions: Asked) -> None:
        """Require the conditions until the current scope ends."""
        for condition in conditions:
            self._solver.add(self._term(condition))

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What is added inside is forgotten at the end."""
        self._solver.push()
        try:
            yield
        finally:
            self._solver.pop()

    def check(self, *assumptions: Asked, work: int | None = None) -> Answer:
        """Whether the conditions added and the assumptions can be true together."""
        self._budget.check()
        self.queries += 1
        self._model = None
        terms = [self._term(assumption) for assumption in assumptions]
        self._assumed = {}
        literals = []
        for term, assumption in zip(terms, assumptions, strict=True):
            literal = term if _is_literal(term) else self._named(term)
            self._assumed[literal.get_id()] = assumption
            literals.append(literal)
        answer = self._ask(literals, work or self._work)
        self._count(1)
        if answer.unknown:
            self._budget.limits()
        if self._budget.cross_check:
            self._compare(literals, answer)
        return answer

    def _compare(self, literals: Sequence[Any], answer: Answer) -> None:
        """Ask cvc5 too; a different answer is an error."""
        from epistrat.solvers.smt.opinion import second_opinion

        script = self._script(literals)
        other = second_opinion(script)
        if not answer.unknown and not other.unknown and other.status is not answer.status:
            raise disagreement(script, ".smt2", f"Z3: {answer.status.value}", f"cvc5: {other.status.value}")

    def combinations(
        self, names: Sequence[Any], given: Sequence[Any], most: int
    ) -> tuple[list[tuple[bool, ...]], Answer]:
        """The values that the Boolean constants ``names`` can have together where the terms ``given`` are true.

        The answer is Unsat if all were found, Sat if there are more than ``most``, Unknown if the solver gave up.
        """
        context = self.translation.context
        declarations = [name.decl().ast for name in names]
        opposite = [z3.Not(name) for name in names]
        found: list[tuple[bool, ...]] = []
        with self.scope():
            self._solver.add(*given)
            while True:
                self._budget.check()
                self.queries += 1
                answer = self._ask((), self._work)
                done = not answer.sat or len(found) >= most
                if done or not (len(found) + 1) % _TOGETHER:  # in between, so that others have their turns
                    self._count(len(found) % _TOGETHER + 1)
                if done:
                    return found, answer
                row = _values(context, self._model, declarations)
                found.append(row)
                block = [no if value else yes for yes, no, value in zip(names, opposite, row, strict=True)]
                self._solver.add(z3.Or(*block) if block else z3.BoolVal(False, context))

    def _named(self, term: Any) -> Any:
        """A literal that implies the term: Z3 wants literals as assumptions."""
        literal = z3.FreshBool("assumed", self.translation.context)
        self._solver.add(z3.Implies(literal, term))
        return literal

    def _count(self, queries: int) -> None:
        """Note the work that was done since this was noted last, by whoever uses the same context."""
        known, self.translation.resources = self.translation.resources, _resources(self._solver)
        used = (self.translation.resources - known) % _COUNTED
        self._budget.spend(max(_QUERY * queries, used // RESOURCES))

    def _ask(self, literals: Sequence[Any], work: int) -> Answer:
        resources = RESOURCES * self._budget.patience.work(work)
        if resources != self._resources:
            self._solver.set("rlimit", resources)
            self._resources = resources
        meter = self._budget.meter
        meter.interrupt = self.translation.context.interrupt
        try:
            result = self._solver.check(*literals)
        except z3.Z3Exception as error:
            return Answer(Status.UNKNOWN, str(error))
        finally:
            meter.interrupt = None
        if result == z3.sat:
            self._model = self._solver.model()
            return Answer(Status.SAT)
        if result == z3.unsat:
            return Answer(Status.UNSAT)
        return Answer(Status.UNKNOWN, self._solver.reason_unknown())

    def core(self) -> list[Asked]:
        """Assumptions of the last query that cannot be true together, in the form in which they were given."""
        return [self._assumed[literal.get_id()] for literal in self._solver.unsat_core()]

    @property
    def model(self) -> Any:
        """The model of the last query, as the solver gives it; None if there is none."""
        return self._model

    def booleans(self, names: Sequence[Any]) -> tuple[bool, ...]:
        """The values of Boolean constants in the model of the last query."""
        return _values(self.translation.context, self._model, [name.decl().ast for name in names])

    def value(self, expr: Expr, frame: int | str = 0) -> Value:
        """The value of an expression in the model of the last query."""
        return self.translation.value(self._model, expr, frame)

    def _term(self, asked: Asked) -> Any:
        if isinstance(asked, Node):
            return self.translation.condition(asked)  # type: ignore[arg-type]  # the nodes handed in are expressions
        if isinstance(asked, tuple):
            return self.translation.condition(*asked)
        return asked

    @property
    def script(self) -> str:
        """What was added so far, as SMT-LIB."""
        return self._script(())

    def _script(self, literals: Sequence[Any]) -> str:
        query = z3.Solver(ctx=self.translation.context)
        query.add(*self._solver.assertions(), *literals)
        return str(query.to_smt2())


def _is_literal(term: Any) -> bool:
    atom = term.arg(0) if z3.is_not(term) else term
    return bool(z3.is_const(atom) and atom.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def _values(context: Any, model: Any, declarations: Sequence[Any]) -> tuple[bool, ...]:
    """The values of Boolean constants in a model; read without Z3's Python objects, which would take most of the time."""
    reference = context.ref()
    row = []
    for declaration in declarations:
        value = z3.Z3_model_get_const_interp(reference, model.model, declaration)
        row.append(bool(value) and z3.Z3_get_bool_value(reference, value) == z3.Z3_L_TRUE)
    return tuple(row)


def _resources(solver: Any) -> int:
    """What Z3 has counted in the solver's context so far; read without Z3's Python objects, and from the end, where it stands."""
    reference = solver.ctx.ref()
    told = z3.Z3_solver_get_statistics(reference, solver.solver)
    z3.Z3_stats_inc_ref(reference, told)
    try:
        for place in range(z3.Z3_stats_size(reference, told) - 1, -1, -1):
            if z3.Z3_stats_get_key(reference, told, place) == "rlimit count":
                return int(z3.Z3_stats_get_uint_value(reference, told, place))
        return 0
    finally:
        z3.Z3_stats_dec_ref(reference, told)
