"""Questions about a graph of states that a program made: the graph is handed to the reference engine, nothing is written as a model.

A state of the system is the program's own value, the truth of each proposition in it, and what each agent sees of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from epistrat.answers import Misuse, Outcome, Strategies, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.needs import needs, undefined
from epistrat.engines.reference.judge import Judge
from epistrat.engines.reference.judge_space import space_of
from epistrat.engines.witness.outcome import with_evidence
from epistrat.logic.formula import Coalition, Formula, subformulae
from epistrat.logic.fragment import history_quantifiers
from epistrat.model.agent import Agent
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import Act, Joint, State, view
from epistrat.model.step import Step, Stepper
from epistrat.model.system import System
from epistrat.service.labelling import Labelled
from epistrat.service.requests import LabelRequest
from epistrat.solvers.budget import Budget


class GraphStepper(Stepper):
    """The steps of a graph, in place of what protocols and evolution lines say."""

    def __init__(self, system: System, rows: Mapping[State, Sequence[Step]]) -> None:
        super().__init__(system)
        self._rows = rows
        self._places = {agent.name: place for place, agent in enumerate(system.agents)}

    def steps(self, state: State) -> Iterator[Step]:
        """The steps from a state."""
        return iter(self._rows[state])

    def allowed(self, agent: Agent, state: State) -> tuple[str, ...]:
        """What the agent does in some step from the state."""
        place = self._places[agent.name]
        return tuple(dict.fromkeys(act for joint, _ in self._rows[state] if (act := joint[place]) is not None))

    def choices(self, agent: Agent, state: State) -> tuple[Act, ...]:
        """What a strategy can choose: each action by itself."""
        return self.allowed(agent, state)

    def joint_actions(self, state: State) -> Iterator[Joint]:
        """What can happen in the state."""
        return iter(dict.fromkeys(joint for joint, _ in self._rows[state]))

    def outcomes(self, state: State, joint: Joint) -> Iterator[State]:
        """Where that leads."""
        return (target for one, target in self._rows[state] if one == joint)


class ExploredGraph:
    """A graph that can be asked."""

    def __init__(self, stepper: GraphStepper, reached: ReachableGraph) -> None:
        self.stepper, self.reached = stepper, reached
        self.system = stepper.system

    def answer(self, formula: Formula, strategies: Strategies | None, budget: Budget) -> Outcome:
        """The verdict, with evidence; raises `Misuse` where the question has no meaning here."""
        reading = self._reading(formula, strategies)
        options = Options(reading, evidence=True, strategy_states=len(self.reached.states))
        meaningless = undefined(needs(self.system, formula, options))
        if meaningless is not None:
            raise Misuse(meaningless)
        judge = Judge(self.stepper, self.reached, reading, budget)
        verdict = Verdict.HOLDS if judge.satisfied(formula) else Verdict.FAILS
        space = None if history_quantifiers(formula) else space_of(judge, self.stepper, self.reached, reading)
        if space is None:
            return Outcome(verdict)
        return with_evidence(Outcome(verdict), formula, options, lambda: space)

    def _reading(self, formula: Formula, strategies: Strategies | None) -> Strategies:
        groups = [part.group for part in subformulae(formula) if isinstance(part, Coalition)]
        if strategies is Strategies.UNIFORM:
            raise Misuse("the reading `uniform` prunes protocols, which an explored graph does not have")
        reading = strategies or (Strategies.OBJECTIVE if self.system.interleaved and groups else Strategies.ANY)
        if reading is not Strategies.ANY:
            for name in dict.fromkeys(member for group in groups for member in group.members):
                self._same_choices(name)
        return reading

    def _same_choices(self, name: str) -> None:
        """Where an agent sees the same it can do the same; otherwise no strategy on what it sees has a meaning."""
        agent = self.system.agent.get(name)
        known: dict[State, frozenset[str]] = {}
        for state in self.reached.states if agent is not None else ():
            assert agent is not None
            can, seen = frozenset(self.stepper.allowed(agent, state)), view(self.system, name, state)
            if known.setdefault(seen, can) != can:
                listed = " or ".join(str(sorted(one)) for one in (known[seen], can))
                raise Misuse(f"{name} sees the same in two states where it can do different things: {listed}")

    def labelled(self, request: LabelRequest) -> Labelled:
        """Where state formulae hold."""
        judge = Judge(self.stepper, self.reached, Strategies.ANY, Budget())
        labels = judge.labels()
        return Labelled(self.system, self.reached, {one: labels.of(one) for one in request.formulae}, ())
