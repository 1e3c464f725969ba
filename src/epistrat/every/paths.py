"""Case distinctions: code that asks whether conditions hold is run once for every combination of answers that may occur.

`Paths.every` runs a function with a `Path`.  Where the function asks something that is not decided yet, it is run again, once with yes and
once with no.  The answers of a run together are its *condition*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import floor
from typing import TypeAlias, TypeVar

from epistrat.every.numbers import at_most, linear, variable, whole
from epistrat.every.spots import Outside
from epistrat.records import dataclass, field
from epistrat.terms import And, AtLeast, Compare, Const, Domain, Enumeration, Expr, Key, Not, Or, Sort, Terms, Var, Xor
from epistrat.terms.linear import Linear

T = TypeVar("T")
MOST_PATHS = 2500
"""Five to twenty seconds of work."""


class Undecided(Exception):
    """Raised where an answer is needed; ``atom`` is the question."""

    def __init__(self, atom: Atom) -> None:
        super().__init__()
        self.atom = atom


Atom: TypeAlias = tuple[Linear, int] | Expr
"""``linear <= number`` (the linear part without a number of its own), or a condition."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What always holds: bounds of numbers, domains of variables, and variables that equal a sum of others."""

    ranges: Mapping[Linear, tuple[int | None, int | None]] = field(default_factory=dict)
    domains: Mapping[Key, Domain] = field(default_factory=dict)
    equal: Mapping[Key, Linear] = field(default_factory=dict)


class Path:
    """Answers so far."""

    def __init__(self, terms: Terms, answers: tuple[tuple[Atom, bool], ...], facts: Facts) -> None:
        self._terms, self._domains, self._equal = terms, facts.domains, facts.equal
        self._answers = answers
        self._ranges = dict(facts.ranges)
        self._known: dict[Expr, bool] = {}
        self._values: dict[Key, str] = {}
        self._not: dict[Key, set[str]] = {}
        for atom, answer in answers:
            self._note(atom, answer)

    def _note(self, atom: Atom, answer: bool) -> None:
        if isinstance(atom, tuple):
            form, bound = atom
            low, high = self._ranges.get(form, (None, None))
            if answer:
                high = bound if high is None else min(high, bound)
            else:
                low = bound + 1 if low is None else max(low, bound + 1)
            self._ranges[form] = low, high
            return
        self._known[atom] = answer
        named = _named(atom)
        if named is not None:
            key, value = named
            if answer:
                self._values[key] = value
            else:
                self._not.setdefault(key, set()).add(value)

    @property
    def condition(self) -> Expr:
        """All answers together."""
        return self._terms.conjunction(self._literal(atom, answer) for atom, answer in self._answers)

    def _literal(self, atom: Atom, answer: bool) -> Expr:
        if not isinstance(atom, tuple):
            return atom if answer else self._terms.negate(atom)
        form, bound = atom
        return at_most(self._terms, form, whole(bound)) if answer else at_most(self._terms, whole(bound + 1), form)

    def holds(self, condition: Expr) -> bool:
        """Whether a condition holds; raises `Undecided` if that is to be decided first."""
        match condition:
            case Const(value=value):
                return bool(value)
            case Not(arg=arg):
                return not self.holds(arg)
            case And(args=args):
                return all(self.holds(arg) for arg in args)
            case Or(args=args):
                return any(self.holds(arg) for arg in args)
            case Xor(left=left, right=right):
                return self.holds(left) is not self.holds(right)
            case AtLeast(number=number, args=args):
                return sum(map(self.holds, args)) >= number
            case Compare(left=left) if left.sort is Sort.NUMBER:
                return self._compared(condition)
        return self._atom(condition)

    def _compared(self, condition: Compare) -> bool:
        difference = linear(condition.left) - linear(condition.right)
        op = condition.op.value
        if op == "<":
            return self.at_most(difference + whole(1))
        if op == "<=":
            return self.at_most(difference)
        return self.at_most(difference) and self.at_most(difference.times(Fraction(-1)))

    def at_most(self, value: Linear) -> bool:
        """Whether a number is 0 or less."""
        value = value.scaled()
        if not value.factors:
            return value.constant <= 0
        form, bound = Linear(value.factors), floor(-value.constant)
        flipped = form.factors[0][1] < 0
        if flipped:  # -f <= b iff not f <= -b - 1
            form, bound = form.times(Fraction(-1)), -bound - 1
        low, high = self._ranges.get(form, (None, None))
        answer = True if high is not None and high <= bound else False if low is not None and low > bound else None
        if answer is None:
            answer = self._estimated(form - whole(bound))
        if answer is None:
            raise Undecided((form, bound))
        return answer is not flipped

    def _estimated(self, value: Linear) -> bool | None:
        """Whether a number is 0 or less, by the ranges of the variables in it."""
        for key, replacement in self._equal.items():
            factor = dict(value.factors).get(key)
            if factor:
                value = value - variable(key).times(factor) + replacement.times(factor)
        least: Fraction | None = value.constant
        most: Fraction | None = value.constant
        for key, factor in value.factors:
            low, high = self._ranges.get(variable(key), (None, None))
            ends = (low, high) if factor > 0 else (high, low)
            least = None if least is None or ends[0] is None else least + factor * ends[0]
            most = None if most is None or ends[1] is None else most + factor * ends[1]
        if most is not None and most <= 0:
            return True
        return False if least is not None and least > 0 else None

    def _atom(self, atom: Expr) -> bool:
        if atom in self._known:
            return self._known[atom]
        named = _named(atom)
        if named is not None:
            key, value = named
            if key in self._values:
                return self._values[key] == value
            excluded = self._not.get(key, set())
            if value in excluded:
                return False
            domain = self._domains.get(key)
            if isinstance(domain, Enumeration) and set(domain.values) - excluded == {value}:
                return True
        raise Undecided(atom)


def _named(atom: Expr) -> tuple[Key, str] | None:
    """``variable = value`` of an enumeration."""
    if isinstance(atom, Compare) and isinstance(atom.left, Var) and isinstance(atom.right, Const):
        value = atom.right.value
        return (atom.left.key, value) if isinstance(value, str) else None
    return None


class Paths:
    """Runs functions on every path, as long as these are not too many in all."""

    def __init__(self, terms: Terms, facts: Facts) -> None:
        self._terms, self._facts = terms, facts
        self._left = MOST_PATHS

    def every(self, run: Callable[[Path], T]) -> Iterator[tuple[Expr, T]]:
        """What the function gives for each combination of answers, with the condition that the answers make."""
        stack: list[tuple[tuple[Atom, bool], ...]] = [()]
        while stack:
            answers = stack.pop()
            path = Path(self._terms, answers, self._facts)
            self._left -= 1
            if self._left < 0:
                raise Outside("a step has too many cases")
            try:
                found = run(path)
            except Undecided as asked:
                stack += [(*answers, (asked.atom, False)), (*answers, (asked.atom, True))]
                continue
            yield path.condition, found
