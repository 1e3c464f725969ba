"""A VMT-LIB transition system with observers as ISPL.

State variables become variables of the Environment, agents named by ``:observer`` and ``:knows`` become agents who see the variables
they observe, inputs become actions of the Environment.  The transition relation must say, for every state and input, what the next value of
every variable is; Z3 checks that it does.  Inputs must be Boolean, or integers between constants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor

from epistrat.lang.vmt.parse import Script, Term, read
from epistrat.lang.vmt.terms import (
    FALSE,
    TRUE,
    Writer,
    conjunction,
    conjuncts,
    disjunction,
    negated,
    number,
    replaced,
    split,
    symbols,
)
from epistrat.source import NotRead

_MOST_ACTIONS = 512
Case = tuple[Term, Term]
"""Where a condition holds, the next value is this."""


def translate(text: str) -> str:
    """A VMT-LIB model as ISPL; raises `NotRead` where something cannot be read or has no counterpart."""
    return _Translator(read(text)).text()


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
        some = next((name for name in script.next if script.sorts[name] == "Bool"), next(iter(script.next)))
        self._own = Writer(self._names.__getitem__, self._is_boolean, some, self._limits)
        self._outside = Writer(
            lambda symbol: f"Environment.{self._names[symbol]}", self._is_boolean, some, self._limits
        )
        self._actions = self._joint_inputs()

    def _is_boolean(self, symbol: str) -> bool:
        return self._script.sorts.get(symbol) == "Bool"

    def _limits(self, symbol: str) -> tuple[Fraction, Fraction] | None:
        low, high = self._bounds[self._script.next.get(symbol, symbol)]
        return None if low is None or high is None else (low, high)

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

    def _joint_inputs(self) -> dict[str, Mapping[str, Term]]:
        """The actions, and the values of the inputs that each of them stands for."""
        choices: list[list[Term]] = []
        for name in self._inputs:
            low, high = self._bounds[name]
            if self._is_boolean(name):
                choices.append([FALSE, TRUE])
            elif self._script.sorts[name] == "Int" and low is not None and high is not None:
                choices.append([str(value) for value in range(ceil(low), floor(high) + 1)])
            else:
                raise NotRead(f"the input {name} is neither Boolean nor an integer between two constants", 0)
        if len(list(product(*choices))) > _MOST_ACTIONS:
            raise NotRead(f"the inputs have more than {_MOST_ACTIONS:,} combinations of values", 0)
        return {
            f"step{place}": dict(zip(self._inputs, values, strict=True))
            for place, values in enumerate(product(*choices))
        }

    def _cases(self, variable: str) -> list[Case]:
        """What the next value of a variable is."""
        new = self._script.next[variable]
        found = [case for part in self._updates[variable] for case in _cases(part, new, TRUE)]
        self._check(variable, found)
        return found

    def _check(self, variable: str, cases: list[Case]) -> None:
        """The cases leave nothing open and do not contradict one another."""
        missing = conjunction(
            [*self._input_bounds(), *self._allowed, negated(disjunction([when for when, _ in cases]))]
        )
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

    # Writing

    def text(self) -> str:
        """The whole model."""
        lines = [
            "-- translated from VMT-LIB",
            "Semantics = SingleAssignment;",
            *self._environment(),
            *self._observers(),
        ]
        initial = self._outside.condition(conjunction(self._script.initial))
        lines += ["InitStates", f"  {initial};", "end InitStates"]
        formulae = [f"AG {self._outside.condition(body)}" for body, _ in self._script.invariants]
        formulae += [f"LTL F G {self._outside.condition(body)}" for body, _ in self._script.stable]
        if formulae:
            lines += ["Formulae", *[f"  {one};" for one in formulae], "end Formulae"]
        return "\n".join(lines) + "\n"

    def _environment(self) -> Iterator[str]:
        yield "Agent Environment"
        yield "  Vars:"
        for variable in self._script.next:
            yield f"    {self._names[variable]} : {self._domain(variable)};"
        yield "  end Vars"
        yield f"  Actions = {{{', '.join(self._actions)}}};"
        yield "  Protocol:"
        where: dict[Term, list[str]] = {}
        for action, values in self._actions.items():
            where.setdefault(replaced(conjunction(self._allowed), values), []).append(action)
        for condition, actions in where.items():
            if condition != FALSE:
                yield f"    {self._own.condition(condition)} : {{{', '.join(actions)}}};"
        yield "  end Protocol"
        yield "  Evolution:"
        for variable in self._script.next:
            yield from self._evolution(variable)
        yield "  end Evolution"
        yield "end Agent"

    def _domain(self, variable: str) -> str:
        sort = self._script.sorts[variable]
        if sort == "Bool":
            return "boolean"
        low, high = self._bounds[self._script.next[variable]]
        if sort == "Int" and low is not None and high is not None:
            return f"{ceil(low)} .. {floor(high)}"
        if low is not None or high is not None:
            raise NotRead(f"the next value of {variable} is bounded on one side only", 0)
        return "integer" if sort == "Int" else "real"

    def _evolution(self, variable: str) -> Iterator[str]:
        lines: dict[tuple[Term, Term], list[str]] = {}
        for when, value in self._cases(variable):
            for action, values in self._actions.items():
                for case, (result,) in split((replaced(value, values),)):
                    condition = conjunction([replaced(when, values), replaced(case, values)])
                    if condition != FALSE and result != variable:
                        lines.setdefault((condition, result), []).append(action)
        for (condition, result), actions in lines.items():
            chosen = " or ".join(f"Action = {action}" for action in actions)
            guard = [] if condition == TRUE else [self._own.condition(condition)]
            if self._is_boolean(variable):
                for word, where in (("true", result), ("false", negated(result))):
                    if where != FALSE:
                        test = [] if where == TRUE else [self._own.condition(where)]
                        conditions = " and ".join([f"({chosen})", *guard, *test])
                        yield f"    {self._names[variable]} = {word} if {conditions};"
            else:
                conditions = " and ".join([f"({chosen})", *guard])
                yield f"    {self._names[variable]} = {self._own.value(result)} if {conditions};"

    def _observers(self) -> Iterator[str]:
        seen: dict[str, list[str]] = {}
        for body, _ in (*self._script.invariants, *self._script.stable):
            for agent in _knowing(body):
                seen.setdefault(agent, [])
        for agent, body, at in self._script.observed:
            if not isinstance(body, str) or body not in self._script.next:
                raise NotRead(f"{agent} observes something that is not a state variable", at)
            seen.setdefault(agent, []).append(self._names[body])
        for agent, names in seen.items():
            if agent == "Environment":
                continue
            yield f"Agent {agent}"
            yield f"  Lobsvars = {{{', '.join(dict.fromkeys(names))}}};"
            yield "  Actions = {look};"
            yield "  Protocol:"
            yield "    Other : {look};"
            yield "  end Protocol"
            yield "  Evolution:"
            yield "  end Evolution"
            yield "end Agent"


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


def _knowing(term: Term) -> Iterator[str]:
    match term:
        case (":knows", str(agent), body):
            yield agent
            yield from _knowing(body)
        case (_, *parts):
            for one in parts:
                yield from _knowing(one)


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
