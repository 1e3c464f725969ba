"""Linear time formulae, past included, as automata.

The automaton of a path formula reads a run state by state and accepts exactly the runs, from time 0 on, that satisfy it.  It is
transition-based and generalised: each transition reads a conjunction of literals over the formula's state subformulae and belongs
to some of the acceptance sets; a run is accepted iff it meets every set infinitely often.

Construction.  A state is a set of obligations for the rest of the run (formulae in negation normal form), together with one
bit per past operator: what it was worth one step ago.  To read a state of the run, all obligations are expanded into what must hold
now and what must hold from the next point on:

    f U g  =  g or (f and next (f U g)), the second being a promise to fulfil g later
    f R g  =  g and (f or next (f R g))
    f S g  =  g or (f and (f S g) one step ago), which is a bit;      Y f  is a bit

and the new bit of every past operator that an obligation still mentions is decided one way or the other, which adds its operand, or
the negation, to the expansion.  So operands of past operators may contain the future.  A transition is in the acceptance set of an
until unless it makes the promise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.logic.show import show
from epistrat.records import dataclass

Literal: TypeAlias = tuple[Formula, bool]
Formulae: TypeAlias = frozenset[Formula]

TRUE = logic.Truth(True)
FALSE = logic.Truth(False)


@dataclass(frozen=True, slots=True)
class Transition:
    """From ``source`` to ``target``, reading a state where all literals hold; a member of the acceptance sets ``sets``."""

    source: int
    literals: frozenset[Literal]
    target: int
    sets: frozenset[int]


@dataclass(frozen=True, slots=True)
class Automaton:
    """States 0 .. states-1, of which 0 is initial; ``acceptance`` is the number of acceptance sets.

    ``atoms`` are the state subformulae that literals are about.
    """

    states: int
    transitions: tuple[Transition, ...]
    acceptance: int
    atoms: tuple[Formula, ...]


def automaton(
    formula: Formula, atomic: Callable[[Formula], bool] = is_state, tick: Callable[[], None] = lambda: None
) -> Automaton:
    """The automaton of a path formula; subformulae for which ``atomic`` is true are left as they are.

    It can be exponentially larger than the formula; ``tick`` is called again and again and may raise to end the construction.
    """
    return _Construction(normal(formula, atomic), tick).run()


NOW = logic.Prop("this moment")
"""No proposition of a model has a name like this; true where a search says so."""


def moment(formula: Formula) -> Formula:
    """At some moment: `NOW`, and the formula.  Transitions of its automaton that read that moment have the literal `NOW`."""
    return logic.Until(TRUE, logic.And((NOW, formula)))


def normal(formula: Formula, atomic: Callable[[Formula], bool] = is_state, positive: bool = True) -> Formula:
    """Negation normal form of the formula, or of its negation.

    What remains: atoms and their negations, And, Or, Next, Until, Release, Since, Yesterday, and negations of the last two.
    """

    def same(arg: Formula) -> Formula:
        return normal(arg, atomic, positive)

    match formula:
        case logic.Truth(value):
            return TRUE if value is positive else FALSE
        case logic.Not(arg):
            return normal(arg, atomic, not positive)
        case logic.And(args) | logic.Or(args):
            return _join(isinstance(formula, logic.And) is positive, [same(arg) for arg in args])
        case logic.Implies(left, right):
            return _join(not positive, [normal(left, atomic, not positive), same(right)])
    if atomic(formula):
        return _signed(formula, positive)
    return _normal_temporal(formula, atomic, positive)


def _normal_temporal(formula: Formula, atomic: Callable[[Formula], bool], positive: bool) -> Formula:
    def same(arg: Formula) -> Formula:
        return normal(arg, atomic, positive)

    match formula:
        case logic.Iff(left, right) | logic.Xor(left, right):
            equal = isinstance(formula, logic.Iff) is positive
            yes, no = normal(left, atomic), normal(left, atomic, False)
            one, two = normal(right, atomic), normal(right, atomic, False)
            pairs = ((yes, one), (no, two)) if equal else ((yes, two), (no, one))
            return _join(False, [_join(True, pair) for pair in pairs])
        case logic.Next(arg):
            inner = same(arg)
            return inner if isinstance(inner, logic.Truth) else logic.Next(inner)
        case logic.Finally(arg):
            return _until(TRUE, same(arg)) if positive else _release(FALSE, same(arg))
        case logic.Globally(arg):
            return _release(FALSE, same(arg)) if positive else _until(TRUE, same(arg))
        case logic.Until(left, right):
            return _until(same(left), same(right)) if positive else _release(same(left), same(right))
        case logic.Release(left, right):
            return _release(same(left), same(right)) if positive else _until(same(left), same(right))
        case logic.WeakUntil(left, right):
            return normal(logic.Release(right, logic.Or((left, right))), atomic, positive)
        case _:
            return _normal_past(formula, atomic, positive)


def _normal_past(formula: Formula, atomic: Callable[[Formula], bool], positive: bool) -> Formula:
    """Past operators in terms of Since and Yesterday, which have no duals: their negations remain."""
    match formula:
        case logic.Yesterday(arg):
            return _signed(logic.Yesterday(normal(arg, atomic)), positive)
        case logic.Since(left, right):
            found = _since(normal(left, atomic), normal(right, atomic))
            return _signed(found, positive) if isinstance(found, logic.Since) else normal(right, atomic, positive)
        case logic.Once(arg):
            return _signed(_since(TRUE, normal(arg, atomic)), positive)
        case logic.Historically(arg):
            return _signed(_since(TRUE, normal(arg, atomic, False)), not positive)
        case _:
            raise ValueError(f"not a path formula: {formula}")


def _signed(formula: Formula, positive: bool) -> Formula:
    if isinstance(formula, logic.Truth):
        return TRUE if formula.value is positive else FALSE
    return formula if positive else logic.Not(formula)


def _until(left: Formula, right: Formula) -> Formula:
    """``left U right``, simplified where it is plain: also F F f is F f."""
    if (
        isinstance(right, logic.Truth)
        or left in (FALSE, right)
        or (isinstance(right, logic.Until) and right.left == left)
    ):
        return right
    return logic.Until(left, right)


def _release(left: Formula, right: Formula) -> Formula:
    """``left R right``, simplified where it is plain: also G G f is G f."""
    if (
        isinstance(right, logic.Truth)
        or left in (TRUE, right)
        or (isinstance(right, logic.Release) and right.left == left)
    ):
        return right
    return logic.Release(left, right)


def _since(left: Formula, right: Formula) -> Formula:
    """``left S right``, simplified where it is plain."""
    return right if isinstance(right, logic.Truth) or left in (FALSE, right) else logic.Since(left, right)


def _join(conjunctive: bool, args: Iterable[Formula]) -> Formula:
    """A flat conjunction or disjunction without constants and repetitions."""
    unit, zero = (TRUE, FALSE) if conjunctive else (FALSE, TRUE)
    kind = logic.And if conjunctive else logic.Or
    flat: dict[Formula, None] = {}
    for arg in args:
        if arg == zero:
            return zero
        if arg != unit:
            flat.update(dict.fromkeys(arg.args if isinstance(arg, kind) else (arg,)))
    parts = tuple(flat)
    return unit if not parts else parts[0] if len(parts) == 1 else kind(parts)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to meet obligations now: literals, obligations from the next point on, promises, new bits of past operators."""

    literals: frozenset[Literal] = frozenset()
    later: Formulae = frozenset()
    promises: Formulae = frozenset()
    past: Formulae = frozenset()

    def together(self, other: _Way) -> _Way | None:
        """Both ways at once; None if their literals contradict each other."""
        literals = self.literals | other.literals
        if any((atom, not value) in literals for atom, value in literals):
            return None
        return _Way(literals, self.later | other.later, self.promises | other.promises, self.past | other.past)

    def covers(self, other: _Way) -> bool:
        """Whether this way asks for nothing that the other does not ask for."""
        return (
            self.past == other.past
            and self.literals <= other.literals
            and self.later <= other.later
            and self.promises <= other.promises
        )


_Ways: TypeAlias = tuple[_Way, ...]
_State: TypeAlias = tuple[Formulae, Formulae]
_NOTHING: _Ways = (_Way(),)


class _Names(dict[Formula, str]):
    """Formulae as they are written, each written once."""

    def __missing__(self, formula: Formula) -> str:
        self[formula] = show(formula)
        return self[formula]


class _Construction:
    """The automaton under construction.  A state is (obligations, past operators that were true one step ago)."""

    def __init__(self, formula: Formula, tick: Callable[[], None]) -> None:
        self._formula, self._tick = formula, tick
        self._relevant: dict[Formulae, list[logic.Since | logic.Yesterday]] = {}
        self._negations: dict[Formula, Formula] = {}
        self._promises: dict[Formula, int] = {}
        self._atoms: dict[Formula, None] = {}
        self._names = _Names()
        self._expansions: dict[tuple[Formula, Formulae], _Ways] = {}

    def run(self) -> Automaton:
        """Build all states reachable from the formula as the only obligation, with nothing in the past."""
        start: _State = (frozenset((self._formula,)), frozenset())
        numbers: dict[_State, int] = {start: 0}
        todo = [start]
        found: list[tuple[int, _Way, int]] = []
        while todo:
            state = todo.pop()
            for way in self._ways(state):
                target: _State = (way.later, way.past)
                if target not in numbers:
                    numbers[target] = len(numbers)
                    todo.append(target)
                found.append((numbers[state], way, numbers[target]))
                for promise in sorted(way.promises, key=self._names.__getitem__):
                    self._promises.setdefault(promise, len(self._promises))
        transitions = tuple(self._transition(source, way, target) for source, way, target in found)
        return Automaton(len(numbers), transitions, len(self._promises), tuple(self._atoms))

    def _transition(self, source: int, way: _Way, target: int) -> Transition:
        self._atoms.update(dict.fromkeys(atom for atom, _ in way.literals))
        kept = frozenset(number for promise, number in self._promises.items() if promise not in way.promises)
        return Transition(source, way.literals, target, kept)

    def _ways(self, state: _State) -> _Ways:
        obligations, before = state
        ways: list[_Way] = []
        for way in self._all([self._expand(obligation, before) for obligation in obligations]):
            decided: _Ways = (way,)
            for operator in self._mentioned(way.later):
                now = operator.arg if isinstance(operator, logic.Yesterday) else operator
                true = [_Way(w.literals, w.later, w.promises, w.past | {operator}) for w in self._expand(now, before)]
                false = self._expand(self._negation(now), before)
                decided = self._all([decided, (*true, *false)])
            ways.extend(decided)
        return tuple(sorted(_thin(ways), key=self._written))

    def _written(self, way: _Way) -> list[list[str]]:
        """What ways are sorted by: the order of sets is another one in every process."""
        literals = [f"{value} {self._names[atom]}" for atom, value in way.literals]
        rest = (way.later, way.past, way.promises)
        return [sorted(literals), *(sorted(self._names[one] for one in some) for some in rest)]

    def _mentioned(self, later: Formulae) -> list[logic.Since | logic.Yesterday]:
        """The past operators in the obligations for the rest of the run: only their bits will be asked for."""
        found = self._relevant.get(later)
        if found is None:
            parts = dict.fromkeys(part for obligation in later for part in _parts(obligation))
            found = self._relevant[later] = [part for part in parts if isinstance(part, logic.Since | logic.Yesterday)]
        return found

    def _negation(self, formula: Formula) -> Formula:
        """The negation of a formula in normal form; its atoms are what is left when all operators are known."""
        found = self._negations.get(formula)
        if found is None:
            found = self._negations[formula] = normal(formula, lambda f: not isinstance(f, _OPERATORS), False)
        return found

    def _expand(self, formula: Formula, before: Formulae) -> _Ways:
        """All ways to meet one obligation."""
        key = (formula, before)
        found = self._expansions.get(key)
        if found is None:
            found = self._expansions[key] = self._expansion(formula, before)
        return found

    def _expansion(self, formula: Formula, before: Formulae) -> _Ways:
        match formula:
            case logic.Truth(value):
                return _NOTHING if value else ()
            case logic.And(args):
                return self._all([self._expand(arg, before) for arg in args])
            case logic.Or(args):
                return _thin([way for arg in args for way in self._expand(arg, before)])
            case logic.Next(arg):
                return (_Way(later=frozenset((arg,)) if arg != TRUE else frozenset()),) if arg != FALSE else ()
            case logic.Until(left, right):
                wait = _Way(later=frozenset((formula,)), promises=frozenset((formula,)))
                return _thin([*self._expand(right, before), *self._all([self._expand(left, before), (wait,)])])
            case logic.Release(left, right):
                wait = _Way(later=frozenset((formula,)))
                return self._all([self._expand(right, before), (*self._expand(left, before), wait)])
            case logic.Yesterday():
                return _NOTHING if formula in before else ()
            case logic.Since(left, right):
                return self._expand(_join(False, (right, left)) if formula in before else right, before)
            case logic.Not(logic.Yesterday() as operator):
                return () if operator in before else _NOTHING
            case logic.Not(logic.Since(left, right) as operator):
                now = [self._negation(right), *([self._negation(left)] if operator in before else [])]
                return self._all([self._expand(part, before) for part in now])
            case logic.Not(atom):
                return (_Way(frozenset(((atom, False),))),)
            case _:
                return (_Way(frozenset(((formula, True),))),)

    def _all(self, choices: Iterable[_Ways]) -> _Ways:
        """All ways to meet every one of several obligations."""
        result = _NOTHING
        for ways in choices:
            self._tick()
            both = [one.together(other) for one in result for other in ways]
            result = _thin([way for way in both if way is not None])
        return result


_OPERATORS = (logic.Not, logic.And, logic.Or, logic.Next, logic.Until, logic.Release, logic.Since, logic.Yesterday)


def _parts(formula: Formula) -> list[Formula]:
    """The subformulae of a formula in normal form, operands first; atoms are not looked into."""
    found: dict[Formula, None] = {}

    def visit(part: Formula) -> None:
        if part not in found:
            if isinstance(part, _OPERATORS):
                for operand in operands(part):
                    visit(operand)
            found[part] = None

    visit(formula)
    return list(found)


def _thin(ways: Iterable[_Way]) -> _Ways:
    """Without ways that ask for more than another one does."""
    distinct = list(dict.fromkeys(ways))
    if len(distinct) == 1:
        return tuple(distinct)
    return tuple(way for way in distinct if not any(o is not way and o.covers(way) for o in distinct))
