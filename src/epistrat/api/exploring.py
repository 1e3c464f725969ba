"""`explore`: a model from a step function in Python.  The function runs in the user's process, once for each state."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeAlias

from epistrat.answers import Misuse, Strategies, Verdict
from epistrat.evidence import Along, Enforced, StateStrategy, Tree, UniformStrategy
from epistrat.logic.formula import Formula
from epistrat.model.agent import Agent, Variable
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import Joint, State, idle
from epistrat.model.step import Step
from epistrat.model.system import Composition, System as ModelSystem
from epistrat.records import dataclass
from epistrat.running.build import build
from epistrat.running.properties import Wish
from epistrat.running.runtime.monitor import Monitor
from epistrat.service.exploring import ExploredGraph, GraphStepper
from epistrat.service.models import read_formula
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Boolean, Bounded

WORLD = "World"
"""The agent that does what no agent does by itself, and whose variables are the propositions."""

Label: TypeAlias = str | Mapping[str, str]
StepFunction: TypeAlias = Callable[[Any], Iterable[tuple[Label, Hashable]]]


@dataclass(frozen=True, slots=True)
class ExploredAnswer:
    """What was found about a formula: ``run`` are the program's states along a run that shows it, with what happened between them."""

    formula: str
    verdict: Verdict
    run: tuple[tuple[Label | None, Any], ...] = ()

    def __bool__(self) -> bool:
        return self.verdict is Verdict.HOLDS


@dataclass(frozen=True, slots=True)
class ExploredStrategy:
    """A strategy of a group: for each member what to do by what it sees, or (with perfect information) what all do in each state."""

    formula: str
    exists: bool
    rules: dict[Any, Any]

    def __bool__(self) -> bool:
        return self.exists


class ExploredModel:
    """The states that a step function reaches, as a model that can be asked."""

    def __init__(self, graph: ExploredGraph, groups: Mapping[str, tuple[str, ...]]) -> None:
        self._graph = graph
        self.system = graph.system
        self.states = [state[0] for state in graph.reached.states]
        self.groups = dict(groups)

    def __len__(self) -> int:
        return len(self.states)

    def check(
        self, formula: str | Formula, *, strategies: str | Strategies | None = None, time: float | None = None
    ) -> ExploredAnswer:
        """Does every initial state satisfy the formula?"""
        outcome, text = self._asked(formula, strategies, time)
        run = next((one for tree in _trees(outcome.evidence) if (one := self._run(tree))), ())
        return ExploredAnswer(text, outcome.verdict, run)

    def strategy(
        self, formula: str | Formula, *, strategies: str | Strategies | None = None, time: float | None = None
    ) -> ExploredStrategy:
        """A strategy that enforces the formula (``<g>F goal``); false where there is none."""
        outcome, text = self._asked(formula, strategies, time)
        rules: dict[Any, Any] = {}
        for tree in _trees(outcome.evidence) if outcome.verdict is Verdict.HOLDS else ():
            for reason in tree.because:
                if isinstance(reason, Enforced):
                    rules |= _rules(reason.strategy)
        return ExploredStrategy(text, outcome.verdict is Verdict.HOLDS, rules)

    def monitor(
        self,
        *formulae: str | Formula,
        watches: Mapping[str, str | Formula] | None = None,
        hidden: Iterable[str] = (),
        sees: Iterable[str] = (),
    ) -> type[Monitor]:
        """A class of monitors for runs of the program; what an agent ``A`` sees is called ``A.sees``, a proposition ``World.p``."""
        wish = Wish(tuple(formulae), tuple((watches or {}).items()), tuple(hidden), tuple(sees))
        graph = self._graph
        return build(self.system, wish, labels=graph.labelled, stepper=graph.stepper, most=len(self)).monitor()

    def _asked(self, formula: str | Formula, strategies: str | Strategies | None, time: float | None) -> Any:
        asked = read_formula(formula, self.system) if isinstance(formula, str) else formula
        reading = Strategies(strategies) if strategies is not None else None
        try:
            return self._graph.answer(asked, reading, Budget(seconds=time)), str(formula)
        except Misuse as misuse:
            raise ValueError(misuse.text) from None

    def _run(self, tree: Tree) -> tuple[tuple[Label | None, Any], ...]:
        for reason in tree.because:
            if isinstance(reason, Along):
                path = reason.path
                told = [None, *(self._label(joint) for joint in path.actions)]
                return tuple((label, state[0]) for label, state in zip(told, path.states, strict=True))
        return ()

    def _label(self, joint: Joint) -> Label | None:
        acts = {agent.name: act for agent, act in zip(self.system.agents, joint, strict=True) if act is not None}
        return acts.get(WORLD) if set(acts) <= {WORLD} else acts


def _trees(tree: Tree | None) -> Iterable[Tree]:
    work = [] if tree is None else [tree]
    while work:
        one = work.pop()
        yield one
        work += one.below()


def _rules(strategy: object) -> dict[Any, Any]:
    if isinstance(strategy, UniformStrategy):
        return {
            name: {seen[0] if len(seen) == 1 else seen: act for seen, act in table} for name, table in strategy.moves
        }
    if isinstance(strategy, StateStrategy):
        members = strategy.group.members
        return {state[0]: dict(zip(members, choice, strict=True)) for state, choice in strategy.moves}
    return {}


def explore(
    step: StepFunction,
    initial: Iterable[Hashable],
    *,
    sees: Mapping[str, Callable[[Any], Hashable]],
    propositions: Mapping[str, Callable[[Any], bool]] | None = None,
    groups: Mapping[str, Iterable[str]] | None = None,
    most: int = 100_000,
    check_deterministic: bool = False,
) -> ExploredModel:
    """The model that a step function describes.

    ``step(state)`` gives pairs of what happens and the next state: an action's name, or who does what.  States are hashable values.
    ``sees`` says what each agent sees of a state, ``propositions`` what formulae can speak of.  Where every pair has one action at most,
    the model is interleaved, and a state without steps repeats itself; otherwise all agents act in every step, and every state has one.

    Raises `OutOfBudget` beyond ``most`` states, and ValueError where labels do not fit together.  ``check_deterministic`` calls ``step``
    twice for each state and compares.
    """
    explorer = _Explorer(step, dict(sees), dict(propositions or {}), check_deterministic)
    explorer.reach(list(initial), most)
    return ExploredModel(explorer.graph(groups or {}), {name: tuple(some) for name, some in (groups or {}).items()})


class _Explorer:
    """Calls the step function, state by state."""

    def __init__(self, step: StepFunction, sees: dict[str, Any], propositions: dict[str, Any], twice: bool) -> None:
        self._step, self._sees, self._propositions, self._twice = step, sees, propositions, twice
        self._rows: dict[Hashable, list[tuple[dict[str, str], Hashable]]] = {}
        self._initial: list[Hashable] = []
        for name in (*sees, *propositions):
            if not name.isidentifier() or name == WORLD:
                raise ValueError(f"{name!r} is no name for an agent or a proposition")

    def reach(self, initial: list[Hashable], most: int) -> None:
        """Find all states."""
        if not initial:
            raise ValueError("there is no initial state")
        self._initial = list(dict.fromkeys(initial))
        queue = list(self._initial)
        known = set(queue)
        for state in queue:
            self._rows[state] = self._labelled(state)
            for _, target in self._rows[state]:
                if target not in known:
                    if len(known) >= most:
                        raise OutOfBudget(f"limit of {most:,} states reached")
                    known.add(target)
                    queue.append(target)

    def _labelled(self, state: Hashable) -> list[tuple[dict[str, str], Hashable]]:
        found = list(self._step(state))
        if self._twice and found != list(self._step(state)):
            raise ValueError(f"step gives something else when it is called again with {state!r}")
        rows: list[tuple[dict[str, str], Hashable]] = []
        for label, target in found:
            if not label or not isinstance(label, (str, Mapping)):
                raise ValueError(f"a step from {state!r} has no name: {label!r} is no action, and not who does what")
            acts = {WORLD: label} if isinstance(label, str) else dict(label)
            for agent, action in acts.items():
                if agent != WORLD and agent not in self._sees:
                    raise ValueError(f"{agent!r} acts in {state!r}, but `sees` does not say what it sees")
                if not isinstance(action, str) or not action:
                    raise ValueError(f"an action is a text, not {action!r}")
            rows.append((acts, target))
        return rows

    def graph(self, groups: Mapping[str, Iterable[str]]) -> ExploredGraph:
        """The states and steps, for the engine."""
        labels = [acts for row in self._rows.values() for acts, _ in row]
        interleaved = all(len(acts) <= 1 for acts in labels)
        actions: dict[str, dict[str, None]] = {WORLD: {}, **{name: {} for name in self._sees}}
        for acts in labels:
            for agent, action in acts.items():
                actions[agent][action] = None
        if not interleaved:
            self._all_act({name for name, some in actions.items() if some})
        system = self._system(actions, groups, interleaved)
        states = {one: self._state(one) for one in self._rows}
        order = [WORLD, *self._sees]
        rows = {
            states[one]: [Step(tuple(acts.get(name) for name in order), states[target]) for acts, target in row]
            for one, row in self._rows.items()
        }
        return ExploredGraph(GraphStepper(system, rows), self._reached(system, list(rows), rows))

    def _all_act(self, acting: set[str]) -> None:
        for state, row in self._rows.items():
            if not row:  # else every formula about all runs would be true there, for there are none
                raise ValueError(f"nothing happens in {state!r}, and all agents act in every step; let them wait there")
            for acts, _ in row:
                if set(acts) != acting:
                    missing = ", ".join(sorted(acting - set(acts)))
                    raise ValueError(
                        f"in {state!r} a step does not say what {missing} does; all agents act in every step"
                    )

    def _state(self, one: Any) -> State:
        truths = tuple(bool(holds(one)) for holds in self._propositions.values())
        return (one, *truths, *(look(one) for look in self._sees.values()))

    def _system(
        self, actions: Mapping[str, Mapping[str, None]], groups: Mapping[str, Iterable[str]], interleaved: bool
    ) -> ModelSystem:
        number = Bounded(0, max(len(self._rows) - 1, 0))
        truths = tuple(Variable(WORLD, name, Boolean()) for name in self._propositions)
        world = Agent(WORLD, (Variable(WORLD, "state", number), *truths), actions=tuple(actions[WORLD]))
        agents = [Agent(name, (Variable(name, "sees", number),), actions=tuple(actions[name])) for name in self._sees]
        return ModelSystem(
            agents=(world, *agents),
            composition=Composition.INTERLEAVED if interleaved else Composition.SYNCHRONOUS,
            propositions={variable.name: variable.reference for variable in truths},
            groups={name: tuple(some) for name, some in groups.items()},
        )

    def _reached(self, system: ModelSystem, states: list[State], rows: Mapping[State, list[Step]]) -> ReachableGraph:
        graph = ReachableGraph(states, {state: number for number, state in enumerate(states)})
        graph.parent = [None] * len(states)
        first: dict[Any, int] = {state[0]: number for number, state in enumerate(states)}
        graph.initial = [first[one] for one in self._initial]
        seen = set(graph.initial)
        for number, state in enumerate(states):
            steps = rows[state]
            if not steps:
                graph.dead_ends.append(number)
                steps = [Step(idle(system), state)] if system.interleaved else []
            graph.steps.append([(joint, graph.number[target]) for joint, target in steps])
            for joint, target in graph.steps[-1]:
                if target not in seen:
                    seen.add(target)
                    graph.parent[target] = (number, joint)
        return graph
