"""Which combinations of truth values predicates can have, before and after an update.

Where the sums in question are about different variables, the combinations are products of intervals and are listed without a solver.
Otherwise Z3 is asked for one combination after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import z3

from epistrat.encoding.smt.terms import SmtTerms
from epistrat.engines.abstraction.predicates import (
    Decided,
    Grid,
    Opaque,
    Predicate,
    Shape,
    Threshold,
    decide_form,
    is_numeric,
    substituted,
)
from epistrat.records import dataclass, field
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.session import Session
from epistrat.terms import Bounded, Comparison, Domain, Expr, Integer, Key, Real, Terms, Var
from epistrat.terms.linear import Linear, linear_form
from epistrat.terms.substitute import substitute

Row: TypeAlias = tuple[bool, ...]
Label: TypeAlias = tuple[Decided, ...]
"""The conjunction of conditions."""

MOST_ROWS = 20_000  # combinations of predicates that are listed in one query
_WORK = 2_500_000  # per query to the solver


@dataclass(frozen=True, slots=True)
class Rank:
    """A number that proves termination: it *falls* in a step if it is at least 0 before and at least 1 smaller afterwards."""

    form: Linear

    @property
    def keys(self) -> frozenset[Key]:
        """The variables it is about."""
        return frozenset(key for key, _ in self.form.factors)


@dataclass(frozen=True, slots=True)
class Question:
    """Predicates before the update, the update, predicates after it, ranks to watch."""

    before: tuple[Predicate, ...]
    update: tuple[tuple[Key, Expr], ...]
    after: tuple[Predicate, ...]
    ranks: tuple[Rank, ...] = ()


class Table:
    """The possible rows of one question: values before, values after, then for each rank whether it falls and whether it does not rise.

    ``rows`` lists them all where that needs no solver, and is None otherwise: then `from_state` asks for one state at a time.
    """

    def __init__(self, enumerator: Enumerator, question: Question) -> None:
        self._enumerator = enumerator
        self._labels = enumerator.labels(question)
        self.rows = enumerator.by_intervals(self._labels)
        self._known: dict[Row, list[Row] | None] = {}
        self._session: tuple[Session, list[Any]] | None = None

    def from_state(self, before: Row) -> list[Row] | None:
        """The rows that start with these values; None where the solver cannot tell or they are too many."""
        if before not in self._known:
            self._known[before] = self._ask(before)
        return self._known[before]

    def _ask(self, before: Row) -> list[Row] | None:
        if self._session is None:
            self._session = self._enumerator.session(self._labels)
        session, names = self._session
        given = [name if value else z3.Not(name) for name, value in zip(names, before, strict=False)]
        found = self._enumerator.combinations(session, names[len(before) :], given)
        return None if found is None else [(*before, *row) for row in found]


@dataclass
class Enumerator:
    """Answers questions about one system's variables, each once; keeps what it learns for later abstractions."""

    domains: Mapping[Key, Domain]
    grid: Grid
    budget: Budget
    queries: int = 0
    given_up: int = 0
    _tables: dict[Question, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        numeric = {key: domain for key, domain in self.domains.items() if is_numeric(domain)}
        self._terms = Terms()
        self._smt = SmtTerms(self.domains)
        self._numeric = numeric

    def table(self, question: Question) -> Table:
        """The rows of a question."""
        found = self._tables.get(question)
        if found is None:
            found = self._tables[question] = Table(self, question)
        return found

    def first_rows(self, predicates: tuple[Predicate, ...], initial: Expr) -> list[Row] | None:
        """The values of predicates that occur where the condition holds, or, where that needs no solver, that occur at all."""
        table = self.table(Question(predicates, (), ()))
        if table.rows is not None:
            return table.rows
        session, names = self.session(self.labels(Question(predicates, (), ())))
        session.add(*(self._within(key) for key in self.domains), initial)
        return self.combinations(session, names, ())

    def combinations(self, session: Session, names: Sequence[Any], given: Sequence[Any]) -> list[Row] | None:
        """The values that names can have together; None where the solver gives up or they are too many."""
        found, answer = session.combinations(names, given, self.budget.patience.block(MOST_ROWS))
        self.queries += len(found) + 1
        if answer.unsat:
            return found
        self.given_up += 1
        return None

    def labels(self, question: Question) -> list[Label]:
        """The conditions on the present state that the columns of a row stand for."""
        values = {key: linear_form(value) for key, value in question.update}
        labels: list[Label] = [(Decided(Shape.POSITIVE, (predicate,)),) for predicate in question.before]
        labels += [(self._after(predicate, question, values),) for predicate in question.after]
        for rank in question.ranks:
            labels += self._changes(rank, values)
        return labels

    def _after(self, predicate: Predicate, question: Question, values: Mapping[Key, Linear | None]) -> Decided:
        """The predicate of the next state as a condition on the present one."""
        if isinstance(predicate, Threshold):
            known = {key: value for key, value in values.items() if value is not None}
            if all(key not in values or key in known for key in predicate.keys):
                difference = substituted(predicate.form, known) - Linear((), predicate.bound)
                op = Comparison.LESS if predicate.strict else Comparison.LESS_EQUAL
                return decide_form(op, difference, self.grid)
        replaced: dict[Expr, Expr] = {Var(*key, value.sort): value for key, value in question.update}
        if isinstance(predicate, Threshold):
            return Decided(
                Shape.POSITIVE, (Opaque(substitute(self._terms, predicate.condition(self._terms), replaced)),)
            )
        return Decided(Shape.POSITIVE, (Opaque(substitute(self._terms, predicate.expr, replaced), predicate.domain),))

    def _changes(self, rank: Rank, values: Mapping[Key, Linear | None]) -> list[Label]:
        known = {key: value for key, value in values.items() if value is not None}
        if any(key in values and key not in known for key in rank.keys):
            return [(Decided(Shape.FALSE),), (Decided(Shape.FALSE),)]
        later = substituted(rank.form, known)
        nonnegative = decide_form(Comparison.LESS_EQUAL, rank.form.times(Fraction(-1)), self.grid)
        falls = decide_form(Comparison.LESS_EQUAL, later - rank.form + Linear((), Fraction(1)), self.grid)
        return [(nonnegative, falls), (decide_form(Comparison.LESS_EQUAL, later - rank.form, self.grid),)]

    # -- listing --------------------------------------------------------------------------------------------------

    def by_intervals(self, labels: Sequence[Label]) -> list[Row] | None:
        """All rows, where the sums in question are independent and not too many; None otherwise."""
        bases = dict.fromkeys(p for label in labels for part in label for p in part.predicates)
        thresholds = [base for base in bases if isinstance(base, Threshold)]
        if len(thresholds) < len(bases) or not self._independent(thresholds):
            return None
        return self._by_intervals(labels, thresholds)

    def _independent(self, thresholds: Sequence[Threshold]) -> bool:
        """Whether the sums have no variable in common, so that their values are independent of one another."""
        forms = list(dict.fromkeys(threshold.form for threshold in thresholds))
        keys = [key for form in forms for key, _ in form.factors]
        if len(keys) != len(set(keys)):
            return False
        for form in forms:
            unbounded = all(not isinstance(self._numeric[key], Bounded) for key, _ in form.factors)
            plain = len(form.factors) == 1 and form.factors[0][1] == 1
            grids = [self.grid(key) is not None for key, _ in form.factors]
            if not plain and not (unbounded and (all(grids) or not any(grids))):
                return False
        return True

    def _by_intervals(self, labels: Sequence[Label], thresholds: Sequence[Threshold]) -> list[Row] | None:
        chains: dict[Linear, list[Threshold]] = {}
        for threshold in thresholds:
            chains.setdefault(threshold.form, []).append(threshold)
        regions: list[list[dict[Predicate, bool]]] = []
        total = 1
        for form, chain in chains.items():
            chain.sort(key=lambda threshold: (threshold.bound, not threshold.strict))
            regions.append(self._regions(form, chain))
            total *= len(regions[-1])
        if total > self.budget.patience.block(MOST_ROWS):
            return None
        found: dict[Row, None] = {}
        for combination in product(*regions):
            truth: dict[Predicate, bool] = {}
            for part in combination:
                truth.update(part)
            found[tuple([_value(label, truth) for label in labels])] = None
        return list(found)

    def _regions(self, form: Linear, chain: Sequence[Threshold]) -> list[dict[Predicate, bool]]:
        """The intervals between neighbouring bounds: all bounds from some point on hold."""
        domain = self._numeric[form.factors[0][0]]
        low, high = (domain.low, domain.high) if isinstance(domain, Bounded) else (None, None)
        regions: list[dict[Predicate, bool]] = []
        for place in range(len(chain) + 1):
            if high is not None and place > 0 and chain[place - 1].bound >= high:
                continue
            if low is not None and place < len(chain) and chain[place].bound < low:
                continue
            regions.append({threshold: index >= place for index, threshold in enumerate(chain)})
        return regions

    def session(self, labels: Sequence[Label]) -> tuple[Session, list[Any]]:
        """A solver that knows the labels by the names returned."""
        session = Session(self._smt, self.budget, _WORK)
        keys = {key for label in labels for part in label for p in part.predicates for key in p.keys}
        session.add(*(self._within(key) for key in keys))
        names = [z3.Bool(f"label{index}", self._smt.context) for index in range(len(labels))]
        for name, label in zip(names, labels, strict=True):
            session.add(name == self._smt.all([self._part(part) for part in label]))
        return session, names

    def _within(self, key: Key) -> Any:
        """The variable has a value of its domain and of its grid."""
        step = self.grid(key) if isinstance(self._numeric.get(key), Real) else None
        if step is None:
            return self._smt.within(key)
        return z3.IsInt(self._smt.constant(key, 0) / z3.RealVal(step, self._smt.context))

    def _part(self, part: Decided) -> Any:
        terms = [self.term(predicate) for predicate in part.predicates]
        match part.shape:
            case Shape.POSITIVE:
                return terms[0]
            case Shape.NEGATIVE:
                return z3.Not(terms[0])
            case Shape.BETWEEN:
                return z3.And(terms[0], z3.Not(terms[1]))
            case _:
                return z3.BoolVal(part.shape is Shape.TRUE, self._smt.context)

    def term(self, predicate: Predicate) -> Any:
        """The predicate as a term of the solver."""
        if isinstance(predicate, Threshold):
            return self._smt.condition(predicate.condition(self._terms))
        if predicate.domain is None:
            return self._smt.condition(predicate.expr)
        domain = Integer() if isinstance(predicate.domain, Integer) else predicate.domain
        return self._smt.fits(predicate.expr, domain)


def _value(label: Label, truth: Mapping[Predicate, bool]) -> bool:
    return all(_part_value(part, truth) for part in label)


def _part_value(part: Decided, truth: Mapping[Predicate, bool]) -> bool:
    match part.shape:
        case Shape.POSITIVE:
            return truth[part.predicates[0]]
        case Shape.NEGATIVE:
            return not truth[part.predicates[0]]
        case Shape.BETWEEN:
            return truth[part.predicates[0]] and not truth[part.predicates[1]]
        case _:
            return part.shape is Shape.TRUE
