"""STV2's models as interleaved ISPL.

Each agent's local automaton is built: locations with the values of its variables, -1 for a variable without value.  After a step
persistent variables keep their value, all others lose it unless they are assigned.  A private event is an action of its own.  An event
that n agents share is an action of all of them.  Events that have one local name in a local state form one choice.
"""

from __future__ import annotations

import operator as operators
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import comb, prod
from typing import TypeAlias

from epistrat.lang.stv.parse import AgentText, Expression, Reader, Transition
from epistrat.lang.vocabulary import LETTERS, STRUCTURE
from epistrat.records import dataclass
from epistrat.source import NotRead

Values: TypeAlias = tuple[int, ...]
MOST_LOCAL_STATES = 5_000
MOST_COMBINATIONS = 3_000
MOST_CONDITIONS = 4
NOTHING = -1
_OPERATORS = {"==": "=", "!=": "<>", "&&": "and", "||": "or"}


@dataclass(frozen=True)
class Automaton:
    """The local automaton of an agent; ``steps`` are (before, event, local name, after), states are (location, values)."""

    agent: AgentText
    variables: tuple[str, ...]
    start: tuple[str, Values]
    states: tuple[tuple[str, Values], ...]
    steps: tuple[tuple[tuple[str, Values], str, str, tuple[str, Values]], ...]


@dataclass(frozen=True)
class Translation:
    """The ISPL text, and what is to be said about it: sentences and their places in the original."""

    text: str
    remarks: tuple[tuple[str, int], ...]


def translate(text: str) -> Translation:
    """An STV2 model as ISPL; raises `NotRead` where something cannot be read or has no counterpart."""
    reader = Reader(text)
    reader.read()
    return _Translator(reader).translation()


class _Translator:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._remarks: list[tuple[str, int]] = []
        if not reader.agents:
            raise NotRead("there is no agent", 0)
        self._sharing = Counter(
            event for agent in reader.agents for event in {t.event for t in agent.transitions if t.needed is not None}
        )
        self._private = Counter(
            event for agent in reader.agents for event in {t.event for t in agent.transitions if t.needed is None}
        )
        self._variables = {agent.name: _variables(agent) for agent in reader.agents}
        self._automata = [self._automaton(agent) for agent in reader.agents]
        self._asked = frozenset() if reader.formula is None else frozenset(_mentioned(reader.formula.condition))

    def translation(self) -> Translation:
        """The whole model."""
        lines = ["Composition = Interleaved;"]
        for one in self._automata:
            lines += self._agent(one)
        start = [condition for one in self._automata for condition in self._where(one, one.start, one.agent.name)]
        lines += ["Evaluation", "end Evaluation", "InitStates", f"  {' and '.join(start)};", "end InitStates"]
        formula = self._reader.formula
        if formula is not None and formula.group:
            for member in formula.group:
                self._agent_named(member, formula.at)
            lines += ["Groups", f"  coalition = {{{', '.join(map(_plain, formula.group))}}};", "end Groups"]
        lines.append("Formulae")
        if formula is not None:
            quantifier = {"[]": "G", "<>": "F"}[formula.operator]
            before = "A" if formula.group is None else "<coalition>" if formula.group else "<{}>"
            lines.append(f"  {before}{quantifier} ({self._condition(formula.condition, formula.at)});")
        return Translation("\n".join([*lines, "end Formulae", ""]), tuple(self._remarks))

    # agents

    def _automaton(self, agent: AgentText) -> Automaton:
        variables = self._variables[agent.name]
        values = {name: 0 if name in agent.persistent else NOTHING for name in variables}
        for name, expression in agent.initial:
            values[name] = self._value(expression, {}, agent, agent.at)
        if not agent.start:
            raise NotRead(f"{agent.name} has no initial location", agent.at)
        start = agent.start, tuple(values[name] for name in variables)
        found, steps = {start: None}, []
        for here in (pending := [start]):
            for transition in agent.transitions:
                if transition.source != here[0] or not self._possible(transition):
                    continue
                now = dict(zip(variables, here[1], strict=True))
                if transition.guard is not None and not self._value(transition.guard, now, agent, transition.at):
                    continue
                after = transition.target, self._after(agent, transition, now)
                steps.append((here, self._event(agent, transition), transition.label, after))
                if after not in found:
                    found[after] = None
                    pending.append(after)
            if len(found) > MOST_LOCAL_STATES:
                raise NotRead(f"{agent.name} has more than {MOST_LOCAL_STATES:,} local states", agent.at)
        return Automaton(agent, variables, start, tuple(found), tuple(steps))

    def _possible(self, transition: Transition) -> bool:
        """Whether enough agents have the event; that fewer suffice than have it cannot be written."""
        having = self._sharing[transition.event]
        if transition.needed is None or transition.needed == having:
            return True
        if transition.needed < having:
            message = f"`{transition.event}` needs {transition.needed} of {having} agents: that has no counterpart"
            raise NotRead(message, transition.at)
        self._remark(f"`{transition.event}` never happens: only {having} agents have it", transition.at)
        return False

    def _event(self, agent: AgentText, transition: Transition) -> str:
        name = transition.event
        if transition.needed is None and (self._private[name] > 1 or self._sharing[name]):
            return _plain(f"{name}_{agent.name}")
        return _plain(name)

    def _after(self, agent: AgentText, transition: Transition, now: Mapping[str, int]) -> Values:
        assigned = {name: self._value(one, now, agent, transition.at) for name, one in transition.assigns}
        kept = {name: value for name, value in now.items() if name in agent.persistent}
        return tuple((kept | assigned).get(name, NOTHING) for name in self._variables[agent.name])

    def _value(self, node: Expression, values: Mapping[str, int], agent: AgentText, at: int) -> int:
        """The value of an expression; a name that has none is -1."""
        if isinstance(node, int):
            return node
        if isinstance(node, str):
            if node not in values and node not in self._variables[agent.name]:
                self._remark(f"`{node}` is no variable of {agent.name}: it has no value here, which counts as -1", at)
            return values.get(node, NOTHING)
        operator, *rest = node
        if operator in ("K", "H"):
            raise NotRead("knowledge cannot be tested in a guard", at)
        parts = [self._value(one, values, agent, at) for one in rest]
        return _computed(operator, parts, at)

    def _agent(self, one: Automaton) -> Iterator[str]:
        yield f"Agent {_plain(one.agent.name)}"
        yield "  Vars:"
        yield f"    at : {{{', '.join(dict.fromkeys(self._location(one, place) for place, _ in one.states))}}};"
        for number, name in enumerate(one.variables):
            seen = [values[number] for _, values in one.states]
            if name in self._asked:  # what it is compared with must be among its values
                seen += [0, *(number for number in self._asked if isinstance(number, int))]
            yield f"    {_plain(name)} : {min(seen)}..{max(seen)};"
        yield "  end Vars"
        events = dict.fromkeys(event for _, event, _, _ in one.steps)
        declared = {t.event for t in one.agent.transitions if t.needed is not None}
        events |= dict.fromkeys(_plain(name) for name in declared if self._known(name))
        yield f"  Actions = {{{', '.join(events)}}};"
        yield "  Protocol:"
        for state in one.states:
            choices: dict[str, dict[str, None]] = {}
            for _, event, label, _ in (step for step in one.steps if step[0] == state):
                choices.setdefault(label, {})[event] = None
            if choices:
                sets = [next(iter(some)) if len(some) == 1 else f"{{{', '.join(some)}}}" for some in choices.values()]
                yield f"    {' and '.join(self._where(one, state))} : {{{', '.join(dict.fromkeys(sets))}}};"
        yield "  end Protocol"
        yield "  Evolution:"
        for before, event, _, after in dict.fromkeys(one.steps):
            yield (
                f"    {' and '.join(self._where(one, after))}"
                f" if {' and '.join(self._where(one, before))} and Action = {event};"
            )
        yield "  end Evolution"
        yield "end Agent"

    def _known(self, event: str) -> bool:
        """Whether some step of some agent is by the shared event: all who share it must take part, ready or not."""
        shared = [t for agent in self._reader.agents for t in agent.transitions if t.event == event]
        return all(t.needed is None or t.needed == self._sharing[event] for t in shared)

    def _where(self, one: Automaton, state: tuple[str, Values], owner: str = "") -> list[str]:
        prefix = f"{_plain(owner)}." if owner else ""
        tests = [f"{prefix}at = {self._location(one, state[0])}"]
        return tests + [f"{prefix}{_plain(n)} = {v}" for n, v in zip(one.variables, state[1], strict=True)]

    def _location(self, one: Automaton, place: str) -> str:
        clash = place in one.variables or place == "at"
        return _plain(f"at_{place}" if clash else place)

    # formulae

    def _condition(self, node: Expression, at: int) -> str:
        if isinstance(node, int):
            return "true" if node else "false"
        if isinstance(node, str):
            return f"!({self._variable(node, at)} = 0)"
        operator, *parts = node
        match operator:
            case "!":
                return f"!({self._condition(parts[0], at)})"
            case "&&" | "||":
                left, right = (self._condition(part, at) for part in parts)
                return f"(({left}) {_OPERATORS[operator]} ({right}))"
            case "K":
                return f"K({_plain(self._agent_named(str(parts[0]), at))}, {self._condition(parts[1], at)})"
            case "H":
                return self._hartley(parts, at)
            case "==" | "!=" | "<" | "<=" | ">" | ">=":
                left, right = (self._number(part, at) for part in parts)
                if not any(letter.isalpha() for letter in left + right):  # ISPL compares no two constants
                    return "true" if self._value(node, {}, self._reader.agents[0], at) else "false"
                return f"{left} {_OPERATORS.get(operator, operator)} {right}"
            case _:
                raise NotRead("a condition is needed here, not a number", at)

    def _number(self, node: Expression, at: int) -> str:
        if isinstance(node, int):
            return str(node)
        if isinstance(node, str):
            return self._variable(node, at)
        operator, *parts = node
        if operator == "-" and parts[0] == 0 and isinstance(parts[1], int):
            return f"-{parts[1]}"
        if operator not in ("+", "-", "*"):
            raise NotRead(f"`{operator}` has no counterpart in formulae", at)
        return f"({self._number(parts[0], at)} {operator} {self._number(parts[1], at)})"

    def _variable(self, name: str, at: int) -> str:
        owners = [agent for agent, variables in self._variables.items() if name in variables]
        if not owners:
            raise NotRead(f"no agent has a variable `{name}`", at)
        if len(owners) > 1:
            self._remark(f"several agents have a variable `{name}`: that of {owners[0]} is meant", at)
        return f"{_plain(owners[0])}.{_plain(name)}"

    def _agent_named(self, name: str, at: int) -> str:
        if name not in self._variables:
            raise NotRead(f"there is no agent `{name}`", at)
        return name

    def _hartley(self, parts: Sequence[Expression], at: int) -> str:
        """At most, or at least, 2^k truth vectors of the conditions are possible for the agent."""
        agent, compare, bound, *conditions = parts
        who = _plain(self._agent_named(str(agent), at))
        assert isinstance(bound, int)
        texts = [self._condition(one, at) for one in conditions]
        possible = []
        for vector in self._vectors(conditions, at):
            tests = [f"({text})" if value else f"!({text})" for text, value in zip(texts, vector, strict=True)]
            possible.append(f"!K({who}, !({' and '.join(tests)}))")
        size = 2**bound + (compare == "<=")
        if size > len(possible):
            return "true" if compare == "<=" else "false"
        if comb(len(possible), size) > MOST_COMBINATIONS:
            raise NotRead(f"`&H` over {len(possible)} truth vectors would be too long", at)
        several = " or ".join(f"({' and '.join(some)})" for some in combinations(possible, size))
        return f"!({several})" if compare == "<=" else f"({several})"

    def _vectors(self, conditions: Sequence[Expression], at: int) -> list[tuple[bool, ...]]:
        """The truth vectors of the conditions that values of the variables admit; all of them where knowledge is among the conditions."""
        names = {name for one in conditions for name in _mentioned(one) if isinstance(name, str)}
        if names & {"K", "H"}:
            if len(conditions) > MOST_CONDITIONS:
                raise NotRead(f"more than {MOST_CONDITIONS} conditions about knowledge in `&H` are too many", at)
            return list(product((True, False), repeat=len(conditions)))
        options: list[list[dict[str, int]]] = []
        for one in self._automata:
            own = [name for name in one.variables if name in names]
            names -= set(own)
            rows = dict.fromkeys(tuple(values[one.variables.index(name)] for name in own) for _, values in one.states)
            options.append([dict(zip(own, row, strict=True)) for row in rows])
        if prod(map(len, options)) > MOST_COMBINATIONS:
            raise NotRead("the conditions in `&H` depend on too many values", at)
        agent = self._reader.agents[0]
        merged = ({name: v for part in some for name, v in part.items()} for some in product(*options))
        return list(dict.fromkeys(tuple(bool(self._value(c, m, agent, at)) for c in conditions) for m in merged))

    def _remark(self, words: str, at: int) -> None:
        if (words, at) not in self._remarks:
            self._remarks.append((words, at))


def _mentioned(node: Expression) -> Iterator[str | int]:
    """The words and numbers of a condition."""
    if isinstance(node, (str, int)):
        yield node
        return
    for part in node:
        yield from _mentioned(part)
        if node[0] == "-" and isinstance(part, int):
            yield -part


def _variables(agent: AgentText) -> tuple[str, ...]:
    assigned = [name for transition in agent.transitions for name, _ in transition.assigns]
    return tuple(dict.fromkeys([*agent.persistent, *(name for name, _ in agent.initial), *assigned]))


def _plain(name: str) -> str:
    """A name that ISPL can use."""
    name = name if name[0].isalpha() else f"n{name}"
    return f"{name}_" if name in STRUCTURE or name in LETTERS else name


def _computed(operator: str, parts: list[int], at: int) -> int:
    if operator in ("/", "%") and parts[1] == 0:
        raise NotRead("division by zero", at)
    return int(_COMPUTED[operator](*parts))


_COMPUTED: dict[str, Callable[..., int]] = {
    "!": operators.not_,
    "+": operators.add,
    "-": operators.sub,
    "*": operators.mul,
    "/": lambda one, other: int(one / other),
    "%": lambda one, other: one - other * int(one / other),
    "&&": lambda one, other: bool(one and other),
    "||": lambda one, other: bool(one or other),
    "==": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}
