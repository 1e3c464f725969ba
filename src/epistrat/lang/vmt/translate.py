"""A VMT-LIB transition system with observers as ISPL.

State variables become variables of the Environment, agents named by ``:observer`` and ``:knows`` become agents who see the variables
they observe, inputs become actions of the Environment.  The transition relation must say, for every state and input, what the next value of
every variable is; Z3 checks that it does.  Inputs must be Boolean, or integers between constants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from types import MappingProxyType

from epistrat import terms as t
from epistrat.lang.vmt.parse import Script, Term, read
from epistrat.lang.vmt.terms import FALSE, TRUE, TermLowering, conjunction, conjuncts, knowing, negated, number, symbols
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.evaluate import apply
from epistrat.model.fold import fold
from epistrat.model.show import to_ispl
from epistrat.model.system import Semantics, System
from epistrat.source import NotRead
from epistrat.terms.substitute import rebuilt

_NOTHING: Mapping[t.Key, t.Value] = MappingProxyType({})
_MOST_ACTIONS = 512
Case = tuple[Term, Term]
"""Where a condition holds, the next value is this."""


def translate(text: str) -> str:
    """A VMT-LIB model as ISPL; raises `NotRead` where something cannot be read or has no counterpart."""
    return "-- translated from VMT-LIB\n" + to_ispl(_Translator(read(text)).system())


class _Translator:
    def __init__(self, script: Script) -> None:
        self._script = script
        self._names = _names(script)
        self._next = {new: old for old, new in script.next.items()}
        self._inputs = [name for name in script.sorts if name not in script.next and name not in self._next]
        self._updates: dict[str, list[Term]] = {name: [] for name in script.next}
        self._allowed: list[Term] = []
        self._bounds: dict[str, list[Fraction | None]] = {name: [None, None] for name in script.sorts}
        for part in conjuncts(conjunction(script.steps)):
            self._sort_out(part)
        self._terms = t.Terms()
        self._lowering = TermLowering(self._terms, self._variable, self._plain)
        self._domains = {self._names[name]: self._domain(name) for name in script.next}
        self._actions = self._joint_inputs()

    def _is_boolean(self, symbol: str) -> bool:
        return self._script.sorts.get(symbol) == "Bool"

    def _variable(self, symbol: str) -> t.Expr:
        sort = t.Sort.BOOLEAN if self._is_boolean(symbol) else t.Sort.NUMBER
        return self._terms.variable(ENVIRONMENT, self._names[symbol], sort)

    # Reading the relation

    def _sort_out(self, part: Term) -> None:
        new = symbols(part) & self._next.keys()
        bound = _bound(part)
        if bound is not None:
            name, low, value = bound
            known = self._bounds[name]
            if low:
                known[0] = value if known[0] is None else max(known[0], value)
            else:
                known[1] = value if known[1] is None else min(known[1], value)
            if name in self._next or name in self._inputs:
                return
        if len(new) > 1:
            raise NotRead(
                "a part of the transition relation speaks of several next values: " + ", ".join(sorted(new)), 0
            )
        if new:
            self._updates[self._next[new.pop()]].append(part)
        else:
            self._allowed.append(part)

    def _joint_inputs(self) -> dict[str, Mapping[t.Key, t.Value]]:
        """The actions, and the values of the inputs that each of them stands for."""
        choices: list[Sequence[t.Value]] = []
        for name in self._inputs:
            low, high = self._bounds[name]
            if self._is_boolean(name):
                choices.append([False, True])
            elif self._script.sorts[name] == "Int" and low is not None and high is not None:
                choices.append(range(ceil(low), floor(high) + 1))
            else:
                raise NotRead(f"the input {name} is neither t.Boolean nor an integer between two constants", 0)
        if prod(map(len, choices)) > _MOST_ACTIONS:
            raise NotRead(f"the inputs have more than {_MOST_ACTIONS:,} combinations of values", 0)
        keys = [(ENVIRONMENT, self._names[name]) for name in self._inputs]
        return {f"step{place}": dict(zip(keys, values, strict=True)) for place, values in enumerate(product(*choices))}

    def _cases(self, variable: str) -> list[Case]:
        """What the next value of a variable is."""
        new = self._script.next[variable]
        found = [case for part in self._updates[variable] for case in _cases(part, new, TRUE)]
        self._check(variable, found)
        return found

    def _check(self, variable: str, cases: list[Case]) -> None:
        """The cases leave nothing open and do not contradict one another."""
        missing = conjunction([*self._input_bounds(), *self._allowed, *[negated(when) for when, _ in cases]])
        if self._possible(missing):
            raise NotRead(f"the next value of {variable} is not determined everywhere", 0)
        for place, (when, value) in enumerate(cases):
            for other, another in cases[place + 1 :]:
                if value != another and self._possible(conjunction([when, other, ("not", ("=", value, another))])):
                    raise NotRead(f"the relation gives {variable} two next values at once", 0)

    def _input_bounds(self) -> list[Term]:
        return [
            condition
            for name in self._inputs
            for bound, op in zip(self._bounds[name], (">=", "<="), strict=True)
            if bound is not None
            for condition in [(op, name, _numeral(bound))]
        ]

    def _possible(self, condition: Term) -> bool:
        import z3

        quoted = "\n".join(f"(declare-fun |{name}| () {sort})" for name, sort in self._script.sorts.items())
        solver = z3.Solver(ctx=z3.Context())
        solver.set("timeout", 5000)
        solver.from_string(f"{quoted}\n(assert {_smt(condition, self._script.sorts)})")
        return bool(solver.check() != z3.unsat)

    # The system

    def system(self) -> System:
        """The whole model."""
        told: list[Formula] = [
            logic.ForAll(logic.Globally(self._lowering.formula(body))) for body, _ in self._script.invariants
        ]
        told += [
            logic.ForAll(logic.Finally(logic.Globally(self._lowering.formula(body))), True)
            for body, _ in self._script.stable
        ]
        return System(
            (self._environment(), *self._observers()),
            self._plain(self._lowering.condition(conjunction(self._script.initial))),
            semantics=Semantics.SINGLE,
            formulae=tuple(told),
        )

    def _plain(self, expr: t.Expr, known: Mapping[t.Key, t.Value] = _NOTHING) -> t.Expr:
        """The expression for known inputs; comparisons with constants outside a variable's range, which ISPL rejects, are decided."""

        def one(term: t.Expr, new: list[t.Expr]) -> t.Expr:
            made = rebuilt(self._terms, term, new)
            match made:
                case t.Compare(_, t.Var(_, name), t.Const(value)) if (low := self._exceeded(name, value)) is not None:
                    return self._terms.boolean(bool(apply(made, [low, value])))
                case t.Compare(_, t.Const(value), t.Var(_, name)) if (low := self._exceeded(name, value)) is not None:
                    return self._terms.boolean(bool(apply(made, [value, low])))
            return made

        return t.bottom_up(fold(self._terms, expr, known), one)

    def _exceeded(self, name: str, value: t.Value) -> int | None:
        """The least value of a variable, if it has a range and the value lies outside."""
        domain = self._domains.get(name)
        if isinstance(domain, t.Bounded) and not isinstance(value, str) and not domain.low <= value <= domain.high:
            return domain.low
        return None

    def _environment(self) -> Agent:
        where: dict[t.Expr, list[str]] = {}
        allowed = self._lowering.condition(conjunction(self._allowed))
        for action, values in self._actions.items():
            where.setdefault(self._plain(allowed, values), []).append(action)
        return Agent(
            ENVIRONMENT,
            tuple(Variable(ENVIRONMENT, name, domain) for name, domain in self._domains.items()),
            actions=tuple(self._actions),
            protocol=tuple(ProtocolLine(when, tuple(some)) for when, some in where.items() if when != t.FALSE),
            evolution=tuple(line for variable in self._script.next for line in self._evolution(variable)),
        )

    def _domain(self, variable: str) -> t.Domain:
        sort = self._script.sorts[variable]
        if sort == "Bool":
            return t.Boolean()
        low, high = self._bounds[self._script.next[variable]]
        if sort == "Int" and low is not None and high is not None:
            return t.Bounded(ceil(low), floor(high))
        if low is not None or high is not None:
            raise NotRead(f"the next value of {variable} is bounded on one side only", 0)
        return t.Integer() if sort == "Int" else t.Real()

    def _evolution(self, variable: str) -> Iterator[EvolutionLine]:
        terms, own = self._terms, self._variable(variable)
        lines: dict[tuple[t.Expr, t.Expr], list[t.Expr]] = {}
        for when, value in self._cases(variable):
            for test, result in self._results(variable, value):
                guard = terms.conjunction([self._lowering.condition(when), test])
                for action, values in self._actions.items():
                    line = self._plain(guard, values), self._plain(result, values)
                    if line[0] != t.FALSE and line[1] is not own:
                        lines.setdefault(line, []).append(terms.action(ENVIRONMENT, action))
        for (guard, result), actions in lines.items():
            chosen = terms.conjunction([terms.disjunction(actions), guard])
            yield EvolutionLine((Assignment(self._names[variable], result),), chosen)

    def _results(self, variable: str, value: Term) -> list[tuple[t.Expr, t.Expr]]:
        """What a variable becomes, and when; a Boolean becomes true or false."""
        if not self._is_boolean(variable):
            return self._lowering.cases(value)
        if value == variable:
            return []
        true = self._lowering.condition(value)
        return [(true, t.TRUE), (self._terms.negate(true), t.FALSE)]

    def _observers(self) -> Iterator[Agent]:
        seen: dict[str, list[str]] = {}
        for body, _ in (*self._script.invariants, *self._script.stable):
            for agent in knowing(body):
                seen.setdefault(agent, [])
        for agent, body, at in self._script.observed:
            if not isinstance(body, str) or body not in self._script.next:
                raise NotRead(f"{agent} observes something that is not a state variable", at)
            seen.setdefault(agent, []).append(self._names[body])
        for agent, names in seen.items():
            if agent != ENVIRONMENT:
                yield Agent(agent, observes=tuple(dict.fromkeys(names)), actions=("look",), other=("look",))


def _names(script: Script) -> dict[str, str]:
    """A name for every symbol that ISPL accepts, none twice."""
    found: dict[str, str] = {}
    for symbol in script.sorts:
        plain = re.sub(r"\W", "_", symbol)
        name = plain if plain[:1].isalpha() else f"v{plain}"
        while name in found.values():
            name += "_"
        found[symbol] = name
    return found


def _bound(part: Term) -> tuple[str, bool, Fraction] | None:
    """A comparison of a symbol with a constant: the symbol, whether it is bounded from below, and the bound."""
    match part:
        case ("<=" | "<" | ">=" | ">" as op, left, right):
            for name, value, op_ in ((left, number(right), str(op)), (right, number(left), _turned(str(op)))):
                if isinstance(name, str) and number(name) is None and value is not None:
                    exact = value + {"<": -1, ">": 1}.get(op_, 0)
                    return name, op_ in (">=", ">"), exact
    return None


def _turned(op: str) -> str:
    return {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}[op]


def _cases(part: Term, new: str, when: Term) -> Iterator[Case]:
    """The cases that a part of the relation says about the next value ``new``, where a condition holds.

    Alternatives with tests of their own are cases if one test is true at a time; `_Translator._check` finds out.
    """
    match part:
        case str(symbol) if symbol == new:
            yield when, TRUE
            return
        case ("not", inner) if inner == new:
            yield when, FALSE
            return
        case ("not", ("xor", left, right)):
            yield from _cases(("=", left, right), new, when)
            return
        case ("=", left, right):
            for one, other in ((left, right), (right, left)):
                if one == new and new not in symbols(other):
                    yield when, other
                    return
        case ("xor", left, right):
            yield from _cases(("=", left, negated(right)), new, when)
            return
        case ("and", *parts):
            for one in parts:
                yield from _cases(one, new, when)
            return
        case ("=>", *parts):
            yield from _cases(("or", *map(negated, parts[:-1]), parts[-1]), new, when)
            return
        case ("or", *parts):
            about = [one for one in parts if new in symbols(one)]
            rest = [negated(one) for one in parts if new not in symbols(one)]
            for one in about:
                tests = [part for part in conjuncts(one) if new not in symbols(part)] if len(about) > 1 else []
                said = conjunction([part for part in conjuncts(one) if part not in tests])
                yield from _cases(said, new, conjunction([when, *rest, *tests]))
            return
        case ("ite", test, yes, no) if new not in symbols(test):
            yield from _cases(yes, new, conjunction([when, test]))
            yield from _cases(no, new, conjunction([when, negated(test)]))
            return
    raise NotRead(f"the relation does not say what {new} is, but something else about it", 0)


def _numeral(value: Fraction) -> Term:
    whole: Term = (
        str(abs(value.numerator))
        if value.denominator == 1
        else ("/", str(abs(value.numerator)), str(value.denominator))
    )
    return ("-", whole) if value < 0 else whole


def _smt(term: Term, sorts: Mapping[str, str]) -> str:
    if isinstance(term, str):
        return f"|{term}|" if term in sorts else term
    return f"({term[0]} {' '.join(_smt(one, sorts) for one in term[1:])})"
