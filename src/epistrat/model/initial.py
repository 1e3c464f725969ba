"""The initial states: all states that satisfy the initial condition.

The condition is a set of constraints, its conjuncts.  A constraint with one open variable narrows that variable's candidates; a
variable with one candidate is fixed, and the constraints that mention it are folded.  Only when nothing narrows any more is a value
tried.  A conjunction of equalities is therefore solved in one pass, whatever its length.

Clauses, disjunctions of conditions on one variable each, are not folded (`epistrat.model.clauses`).

An unbounded variable has no candidates until an equality fixes it or bounds enclose it; where neither happens its values, and so
the initial states, are infinitely many (or too hard to tell), and the caller is told which variable it is.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice, product

from epistrat import terms as t
from epistrat.model.clauses import Clauses
from epistrat.model.fold import fold
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.records import dataclass, field, replace
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import FALSE, TRUE, Expr, Key, Terms, Value, variables, whole
from epistrat.terms.linear import linear_form

# Ranges of an unbounded variable wider than this are not listed as candidates.
_WIDEST = 1_000_000
# Candidates that are tested between two looks at the budget.
_EVERY = 1_024


class InfinitelyManyInitialStates(OutOfBudget):
    """The initial condition leaves an unbounded variable open.  The message names it."""


class TooManyInitialStates(OutOfBudget):
    """More states are initial than the caller wants to see."""


def initial_states(system: System, limit: int | None = None, budget: Budget | None = None) -> list[State]:
    """All initial states, without repetition.  Raises `TooManyInitialStates` if there are more than ``limit``."""
    found = list(islice(each_initial_state(system, budget), None if limit is None else limit + 1))
    if limit is not None and len(found) > limit:
        raise TooManyInitialStates(f"there are more than {limit:,} initial states")
    return found


def each_initial_state(system: System, budget: Budget | None = None) -> Iterator[State]:
    """The initial states one by one, without repetition."""
    solver = _Solver(system, budget or Budget())
    draft = solver.start()
    if draft is not None:
        yield from solver.solve(draft)


@dataclass
class _Interval:
    """What is known of an unbounded variable; the flags say that the end itself is excluded."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False

    def meet(self, bound: Fraction, is_upper: bool, strict: bool) -> _Interval:
        if is_upper:
            if self.high is None or (bound, not strict) < (self.high, not self.high_open):
                return replace(self, high=bound, high_open=strict)
        elif self.low is None or (-bound, not strict) < (-self.low, not self.low_open):
            return replace(self, low=bound, low_open=strict)
        return self

    def within(self, numbers: range) -> range:
        """The whole numbers of a range that lie in the interval."""
        first, last = numbers.start, numbers.stop - 1
        if self.low is not None:
            first = max(first, math.floor(self.low) + 1 if self.low_open else math.ceil(self.low))
        if self.high is not None:
            last = min(last, math.ceil(self.high) - 1 if self.high_open else math.floor(self.high))
        return range(first, last + 1)

    def values(self, whole_numbers: bool) -> Sequence[Value] | None:
        """The candidates, or None where they are (or may be) infinitely many."""
        if self.low is None or self.high is None:
            return None
        if whole_numbers:
            found = self.within(range(math.floor(self.low), math.ceil(self.high) + 1))
            return found if found.stop - found.start <= _WIDEST else None
        if self.low > self.high or (self.low == self.high and (self.low_open or self.high_open)):
            return []
        return [whole(self.low)] if self.low == self.high else None


@dataclass
class _Draft:
    """A partial solution.

    ``waiting`` holds folded constraints with the open variables each mentions, ``clauses`` the open variables of clauses not yet met,
    by their numbers; what a clause says of its other variables is false.
    """

    known: dict[Key, Value] = field(default_factory=dict)
    candidates: dict[Key, Sequence[Value]] = field(default_factory=dict)
    intervals: dict[Key, _Interval] = field(default_factory=dict)
    waiting: dict[Expr, frozenset[Key]] = field(default_factory=dict)
    clauses: dict[int, frozenset[Key]] = field(default_factory=dict)

    def copy(self) -> _Draft:
        return _Draft(
            dict(self.known), dict(self.candidates), dict(self.intervals), dict(self.waiting), dict(self.clauses)
        )


def _listed(domain: t.FiniteDomain) -> Sequence[Value]:
    return range(domain.low, domain.high + 1) if isinstance(domain, t.Bounded) else list(domain)


class _Solver:
    def __init__(self, system: System, budget: Budget) -> None:
        self._system = system
        self._budget = budget
        self._terms = Terms()
        self._clauses = Clauses(self._terms)
        self._variable = {variable.key: variable for variable in system.variables}

    def start(self) -> _Draft | None:
        draft = _Draft()
        for variable in self._system.variables:
            if isinstance(variable.domain, t.FiniteDomain):
                draft.candidates[variable.key] = _listed(variable.domain)
            else:
                draft.intervals[variable.key] = _Interval()
        fixed = [key for key, values in draft.candidates.items() if len(values) == 1]
        narrowed = self._propagate(draft, [self._system.initial], fixed)
        if narrowed is not None:
            self._set_clauses_apart(narrowed)
        return narrowed

    def _set_clauses_apart(self, draft: _Draft) -> None:
        for constraint, keys in list(draft.waiting.items()):
            if keys <= draft.candidates.keys() and (number := self._clauses.add(constraint)) is not None:
                draft.clauses[number] = keys
                del draft.waiting[constraint]

    def solve(self, draft: _Draft) -> Iterator[State]:
        """The states that complete a draft in which nothing narrows any more."""
        self._budget.check()
        choice = self._choose(draft)
        if choice is not None:
            for value in draft.candidates[choice]:
                branch = draft.copy()
                branch.candidates[choice] = [value]
                narrowed = self._propagate(branch, [], [choice])
                if narrowed is not None:
                    yield from self.solve(narrowed)
        elif draft.waiting:
            yield from self._split(draft)
        else:
            yield from self._complete(draft)

    def _choose(self, draft: _Draft) -> Key | None:
        """The constrained variable with fewest candidates."""
        constrained = {key for keys in draft.waiting.values() for key in keys if key in draft.candidates}
        constrained.update(*draft.clauses.values())
        return min(constrained, key=lambda key: (len(draft.candidates[key]), key), default=None)

    def _split(self, draft: _Draft) -> Iterator[State]:
        """Only unbounded variables are constrained: try the alternatives of a disjunction, whose solutions may overlap."""
        for constraint in draft.waiting:
            alternatives = self._alternatives(constraint)
            if alternatives:
                break
        else:
            raise self._infinite(next(iter(draft.intervals)))
        seen: set[State] = set()
        for alternative in alternatives:
            branch = draft.copy()
            del branch.waiting[constraint]
            narrowed = self._propagate(branch, [alternative], [])
            if narrowed is not None:
                for state in self.solve(narrowed):
                    if state not in seen:
                        seen.add(state)
                        yield state

    def _alternatives(self, constraint: Expr) -> tuple[Expr, ...]:
        """Constraints one of which must hold; together they say the same as the one given."""
        terms = self._terms
        match constraint:
            case t.Or(args):
                return args
            case t.Xor(left, right) | t.Not(t.Compare(t.Comparison.EQUAL, left, right)) if left.sort is FALSE.sort:
                return (
                    terms.conjunction((left, terms.negate(right))),
                    terms.conjunction((terms.negate(left), right)),
                )
            case t.Compare(t.Comparison.EQUAL, left, right) | t.Not(t.Xor(left, right)) if left.sort is FALSE.sort:
                return (
                    terms.conjunction((left, right)),
                    terms.conjunction((terms.negate(left), terms.negate(right))),
                )
            case _:
                return ()

    def _complete(self, draft: _Draft) -> Iterator[State]:
        """Nothing constrains the variables that are still open: every combination of candidates is a solution."""
        if draft.intervals:
            raise self._infinite(next(iter(draft.intervals)))
        choices = [
            (draft.known[variable.key],) if variable.key in draft.known else draft.candidates[variable.key]
            for variable in self._system.variables
        ]
        yield from product(*choices)

    def _infinite(self, key: Key) -> InfinitelyManyInitialStates:
        variable = self._variable[key]
        return InfinitelyManyInitialStates(
            f"the initial values of {variable} (of type {variable.domain}) cannot be listed: InitStates sets no bounds that show them"
        )

    def _propagate(self, draft: _Draft, constraints: list[Expr], fixed: list[Key]) -> _Draft | None:
        """The draft narrowed as far as single constraints can, or None if it has no solution."""
        work = deque(constraints)
        users: dict[Key, list[Expr]] = {}
        for constraint, keys in draft.waiting.items():
            for key in keys:
                users.setdefault(key, []).append(constraint)
        news = deque(fixed)
        while work or news:
            if news:
                key = news.popleft()
                if key not in draft.candidates:
                    continue
                draft.known[key] = draft.candidates.pop(key)[0]
                if not self._tell_clauses(draft, key, news):
                    return None
                woken = [one for one in dict.fromkeys(users.pop(key, ())) if one in draft.waiting]
                for constraint in woken:
                    del draft.waiting[constraint]
                work.extend(woken)
                continue
            if not self._take(draft, work, users, news):
                return None
        return draft

    def _tell_clauses(self, draft: _Draft, key: Key, news: deque[Key]) -> bool:
        """Tell the clauses the value of a variable; False if one of them cannot be met."""
        value = draft.known[key]
        for number in self._clauses_about(draft, key):
            left = draft.clauses[number] - {key}
            if self._clauses.met(number, key, value):
                del draft.clauses[number]
            elif len(left) > 1:
                draft.clauses[number] = left
            else:
                del draft.clauses[number]
                (last,) = left
                if not self._keep(draft, last, partial(self._clauses.met, number, last), news):
                    return False
        return True

    def _clauses_about(self, draft: _Draft, key: Key) -> list[int]:
        """The clauses not yet met that mention a variable: among all about it, or among all not yet met, whichever are fewer."""
        about, left = self._clauses.about.get(key, []), draft.clauses
        if len(about) < len(left):
            return [number for number in about if number in left]
        return [number for number, keys in left.items() if key in keys]

    def _keep(self, draft: _Draft, key: Key, meets: Callable[[Value], bool], news: deque[Key]) -> bool:
        """Keep the candidates that meet a condition; False if there is none.  A variable that is left with one is news."""
        kept: list[Value] = []
        for number, value in enumerate(draft.candidates[key]):
            if number % _EVERY == _EVERY - 1:
                self._budget.spend(_EVERY)
                self._budget.check()
            if meets(value):
                kept.append(value)
        draft.candidates[key] = kept
        if len(kept) == 1:
            news.append(key)
        return bool(kept)

    def _take(self, draft: _Draft, work: deque[Expr], users: dict[Key, list[Expr]], news: deque[Key]) -> bool:
        """Work off one constraint; False if it cannot be met."""
        constraint = self._positive(fold(self._terms, work.popleft(), draft.known))
        if isinstance(constraint, t.And):
            work.extend(constraint.args)
            return True
        if constraint in (TRUE, FALSE):
            return constraint == TRUE
        open_keys = variables(constraint)
        if len(open_keys) == 1:
            (key,) = open_keys
            if key in draft.candidates:
                return self._narrow(draft, key, constraint, news)
            if not self._enclose(draft, key, constraint, news):
                return False
            if key in draft.candidates:
                work.append(constraint)
                work.extend(self._wake(draft, key, users))
                return True
        draft.waiting[constraint] = open_keys
        for key in open_keys:
            users.setdefault(key, []).append(constraint)
        return True

    def _wake(self, draft: _Draft, key: Key, users: dict[Key, list[Expr]]) -> list[Expr]:
        """The waiting constraints about this variable alone, which now has candidates to be tested."""
        about = dict.fromkeys(users.get(key, ()))  # a condition that is written twice waits once
        alone = [constraint for constraint in about if draft.waiting.get(constraint) == frozenset((key,))]
        for constraint in alone:
            del draft.waiting[constraint]
        return alone

    def _positive(self, constraint: Expr) -> Expr:
        """The same constraint without negation in front of ``and`` and ``or``."""
        terms = self._terms
        if isinstance(constraint, t.Not) and isinstance(constraint.arg, t.Or):
            return terms.conjunction(map(terms.negate, constraint.arg.args))
        if isinstance(constraint, t.Not) and isinstance(constraint.arg, t.And):
            return terms.disjunction(map(terms.negate, constraint.arg.args))
        return constraint

    def _narrow(self, draft: _Draft, key: Key, constraint: Expr, news: deque[Key]) -> bool:
        """Keep the candidates that meet a constraint with one open variable."""
        kept = draft.candidates[key]
        cut = self._bound(_Interval(), constraint)
        if not isinstance(kept, range) or cut == _Interval():
            return self._keep(draft, key, lambda value: fold(self._terms, constraint, {key: value}) == TRUE, news)
        draft.candidates[key] = within = cut.within(kept)
        if len(within) == 1:
            news.append(key)
        return bool(within)

    def _enclose(self, draft: _Draft, key: Key, constraint: Expr, news: deque[Key]) -> bool:
        """Learn a bound of an unbounded variable; give it candidates once they are finitely many."""
        interval = self._bound(draft.intervals[key], constraint)
        draft.intervals[key] = interval
        values = interval.values(isinstance(self._domain(key), t.Integer))
        if values is None:
            return True
        del draft.intervals[key]
        draft.candidates[key] = values
        if len(values) == 1:
            news.append(key)
        return bool(values)

    def _domain(self, key: Key) -> object:
        return self._variable[key].domain

    def _bound(self, interval: _Interval, constraint: Expr) -> _Interval:
        """The interval cut by a comparison that is linear in its variable; unchanged for any other constraint."""
        negated = isinstance(constraint, t.Not)
        comparison = constraint.arg if isinstance(constraint, t.Not) else constraint
        if not isinstance(comparison, t.Compare) or (negated and comparison.op is t.Comparison.EQUAL):
            return interval
        line = linear_form(self._terms.arith("-", comparison.left, comparison.right))
        if line is None or not line.factors:
            return interval
        ((_, slope),) = line.factors
        bound = -line.constant / slope
        if comparison.op is t.Comparison.EQUAL:
            return interval.meet(bound, True, False).meet(bound, False, False)
        strict = (comparison.op is t.Comparison.LESS) != negated
        return interval.meet(bound, (slope > 0) != negated, strict)
