"""What a knowledge-based program is, line by line: its histories are written out, guards being evaluated on all of one length."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

from tests.histories.definition import Definition, History

from epistrat import terms as t
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, operands
from epistrat.logic.histories import read_as
from epistrat.model.agent import Agent, asked
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr, Value

MOST = 300


class Written(Definition):
    """The histories of a program up to a time; guards are read so where they do not say it."""

    def __init__(self, system: System, reading: Reading, last: int) -> None:
        self.system, self.last, self._reading = system, last, reading
        self._stepper = Stepper(system)
        self.guard = cache(self._guard)
        self.histories: list[list[History]] = [[(state,) for state in initial_states(system, 1000, Budget())]]
        while len(self.histories) <= last:
            grown = [(*history, state) for history in self.histories[-1] for state in self._after(history)]
            self.histories.append(list(dict.fromkeys(grown)))
            assert len(grown) < MOST
        self.true = cache(self._true)

    def _after(self, history: History) -> list[State]:
        acting = [self.allowed(agent, history) if agent.actions else [None] for agent in self.system.agents]
        ends = [end for joint in product(*acting) for end in self._stepper.outcomes(history[-1], joint)]
        return list(dict.fromkeys(ends))

    def allowed(self, agent: Agent, history: History) -> list[str]:
        """What an agent may do after a history."""
        if agent.free:
            return list(agent.actions)
        known = {asked(agent.name, one).name: read_as(one, self._reading) for one in agent.knows}

        def look(variable: t.Var) -> Value:
            if variable.name in known:
                return self.guard(known[variable.name], history)
            return history[-1][self.system.position[variable.key]]

        applying = [line.actions for line in agent.protocol if value(line.condition, look)]
        if not applying and agent.other is not None:
            applying = [agent.other]
        return [one for one in agent.actions if any(one in actions for actions in applying)]

    def _guard(self, formula: Formula, history: History) -> bool:  # one case for each operator
        match formula:
            case logic.Truth(truth):
                return truth
            case logic.Prop(name):
                return self._stepper.evaluator.holds(self.system.propositions[name], history[-1])
            case logic.Yesterday(arg):
                return len(history) > 1 and self.guard(arg, history[:-1])
            case logic.Once(arg):
                return any(self.guard(arg, history[:end]) for end in range(1, len(history) + 1))
            case logic.Historically(arg):
                return all(self.guard(arg, history[:end]) for end in range(1, len(history) + 1))
            case logic.Since(left, right):
                return any(
                    self.guard(right, history[:end])
                    and all(self.guard(left, history[:one]) for one in range(end + 1, len(history) + 1))
                    for end in range(1, len(history) + 1)
                )
            case logic.ForAll(arg, True):  # what is known of the past
                return self.guard(arg, history)
            case logic.Remembers(word, reading, group, arg):
                return all(self.guard(arg, other) for other in self._thought(word, reading, group, history))
        args = [self.guard(one, history) for one in operands(formula)]
        match formula:
            case logic.Not():
                return not args[0]
            case logic.And():
                return all(args)
            case logic.Or():
                return any(args)
            case logic.Implies():
                return not args[0] or args[1]
        raise AssertionError(formula)

    def _thought(self, word: str, reading: Reading, group: Group, history: History) -> list[History]:
        """The histories that are possible for a group after this one."""
        same_time = self.histories[len(history) - 1]
        views = [self.system.views[name] for name in group.members]
        if word == "DK" or word == "K":
            return [one for one in same_time if self._alike(reading, self.system.pooled_view(group), history, one)]
        near = [one for one in same_time if any(self._alike(reading, view, history, one) for view in views)]
        if word == "GK":
            return near
        reached, fresh = {history}, [history]
        while fresh:
            one = fresh.pop()
            for other in same_time:
                if other not in reached and any(self._alike(reading, view, one, other) for view in views):
                    reached.add(other)
                    fresh.append(other)
        return list(reached)


def value(expr: Expr, look: Callable[[t.Var], Value]) -> Value:
    """The value of an expression, variables being looked up."""
    args = [value(one, look) for one in t.children(expr)]
    match expr:
        case t.Const(known):
            return known
        case t.Var():
            return look(expr)
        case t.Not():
            return not args[0]
        case t.And():
            return all(args)
        case t.Or():
            return any(args)
        case t.Xor():
            return args[0] != args[1]
        case t.Compare(op):
            return _compared(op.value, args[0], args[1])
    raise AssertionError(expr)


def _compared(op: str, left: Value, right: Value) -> bool:
    if op == "=":
        return left == right
    assert isinstance(left, int)
    assert isinstance(right, int)
    return left <= right if op == "<=" else left < right
