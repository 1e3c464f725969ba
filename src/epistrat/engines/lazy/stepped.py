"""Nothing a prover finds is believed before it was stepped through: runs of the encoding are runs of the model, or no verdict.

Provers work on encodings, with cones, leaps, delay lines and reals read as integers.  Whatever they got wrong, a run that becomes a
counterexample, a look-alike or a lemma is one by ``model.step``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from epistrat.encoding.transitions import ACTION, IDLE, Transitions
from epistrat.evidence.runs import RunChecker
from epistrat.model.fold import fold
from epistrat.model.state import Joint, State
from epistrat.model.system import System
from epistrat.proving.contract import NotARun, Reachability, Trace, Valuation
from epistrat.terms import TRUE, Expr, Key


class Steps:
    """Checks runs of one system; every step once."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._checker = RunChecker(system)
        self._initial: set[State] = set()
        self._possible: set[tuple[State, Joint, State]] = set()

    def run(self, states: Sequence[Valuation], inputs: Sequence[Valuation]) -> None:
        """The states follow each other from an initial one on; there may be one input more than steps, which leads nowhere.

        Raises `NotARun`.
        """
        visited = [self._state(one) for one in states]
        if visited[0] not in self._initial:
            self._demand(self._checker.initial(visited[0]))
            self._initial.add(visited[0])
        for source, chosen, target in zip(visited, inputs, visited[1:], strict=False):
            self.step(source, joint_action(self._system, chosen), target)

    def circle(self, states: Sequence[Valuation], inputs: Sequence[Valuation], loop: int) -> None:
        """A run whose last input leads back to the state at position ``loop``.  Raises `NotARun`."""
        self.run(states, inputs)
        last, first = self._state(states[-1]), self._state(states[loop])
        self.step(last, joint_action(self._system, inputs[-1]), first)

    def step(self, source: State, joint: Joint, target: State) -> None:
        """A single step."""
        if (source, joint, target) not in self._possible:
            self._demand(self._checker.step(source, joint, target))
            self._possible.add((source, joint, target))

    def _state(self, values: Valuation) -> State:
        return tuple([values[one.key] for one in self._system.variables])

    @staticmethod
    def _demand(wrong: str | None) -> None:
        if wrong is not None:
            raise NotARun(wrong)


class SteppedReachability:
    """A prover whose runs are checked: the steps with the model, the question with the values at the end."""

    def __init__(self, prover: Reachability, steps: Steps) -> None:
        self._prover = prover
        self._steps = steps
        self.system: Transitions = prover.system
        self.refuted_by = prover.refuted_by
        self.also_refuted = prover.also_refuted
        self.surely = prover.surely
        self.valid = prover.valid
        self.always_initially = prover.always_initially
        self.project = prover.project
        self.invariant = prover.invariant
        self.statistics = prover.statistics

    def reaches(self, question: Sequence[Expr]) -> Trace | None:
        """See `Reachability`."""
        return self._checked(self._prover.reaches(question), question)

    def closest(self, trace: Trace, question: Sequence[Expr], state: Valuation, keys: Iterable[Key]) -> Trace | None:
        """See `Reachability`."""
        return self._checked(self._prover.closest(trace, question, state, keys), question)

    def alike(
        self, keys: Sequence[Key], bad: Expr, denied: Expr, begun: tuple[Trace, Trace, int] | None = None
    ) -> tuple[Trace, Trace] | None:
        """See `Reachability`."""
        pair = self._prover.alike(keys, bad, denied, begun)
        if pair is not None:
            self._checked(pair[0], [bad])
            self._checked(pair[1], [denied])
        return pair

    def _checked(self, trace: Trace | None, question: Sequence[Expr]) -> Trace | None:
        if trace is None:
            return None
        self._steps.run(trace.states, trace.inputs)
        values = {**trace.last, **trace.free}
        if any(fold(self.system.terms, one, values) != TRUE for one in question):
            raise NotARun("it does not end where it should")
        return trace


def joint_action(system: System, inputs: Mapping[Key, object]) -> Joint:
    """The joint action that the inputs of a step choose."""
    if not system.interleaved:
        return tuple([_name(inputs.get((agent.name, ACTION))) for agent in system.agents])
    chosen = _name(inputs.get(("", ACTION)))
    if chosen == IDLE:
        chosen = None
    return tuple([chosen if chosen in agent.actions else None for agent in system.agents])


def _name(value: object) -> str | None:
    return None if value is None else str(value)
