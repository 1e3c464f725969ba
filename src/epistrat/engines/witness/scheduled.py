"""Plays under fair scheduling: a run of an interleaved system that violates a goal and passes over no event for ever.

A finite run that violates it always goes on to such a play, unless there are fairness constraints, which have to be met too.  An infinite
one ends in a strongly connected part of the states, which it visits in such a way that each event that is possible at its entrance is
impossible somewhere, or shares an agent with one that happens.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from epistrat.evidence import Along, Around, Lasso, Path, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.cycles import components, passes_over, share
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.shapes import Literal, Reach, Stay, shapes
from epistrat.logic.formula import ForAll
from epistrat.model.explore import explore
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import OutOfBudget

Events = list[tuple[Joint, int]]
"""Events, each with the number of the state to which it leads."""

Wanted = Callable[[Joint, int], bool]
_ANYWHERE = Stay(())


def losing_play(system: System, starts: Iterable[State], claim: ForAll, most: int) -> Tree | None:
    """A play from one of the states that violates the goal; None if there is none, or more than ``most`` states.

    The goal and fairness constraints are about conditions.
    """
    try:
        plays = _Plays(system, starts, most)
    except OutOfBudget:
        return None
    for shape in shapes(claim, holds=False):
        for start in plays.starts:
            reason = plays.reach(start, shape) if isinstance(shape, Reach) else plays.stay(start, shape)
            if reason is not None:
                return Tree(plays.states[start], claim, False, (reason,))
    return None


class _Plays:
    """The states of a system with what can happen in them."""

    def __init__(self, system: System, starts: Iterable[State], most: int) -> None:
        graph = explore(Stepper(system), starts, most)
        self.states, self.starts, self._steps = graph.states, graph.initial, graph.steps
        self._conditions = StateConditions(system)
        self._left = [{joint for joint, _ in steps if any(joint)} for steps in graph.steps]
        self._fair = [self._where(((condition, True),)) for condition in system.fairness]

    def _where(self, literals: tuple[Literal, ...]) -> set[int]:
        """The states in which all the literals are true."""
        holds = self._conditions.holds
        return {n for n, state in enumerate(self.states) if all(holds(one, state) is value for one, value in literals)}

    def reach(self, start: int, shape: Reach) -> Along | None:
        """A shortest run of that shape that goes on to a play that counts."""
        target = self._where(shape.target)
        if self._fair:
            target = {node for node in target if self.stay(node, _ANYWHERE) is not None}
        walk: Events | None = []
        if shape.steps is not None:
            walk = next(([step] for step in self._steps[start] if step[1] in target), None)
        elif start not in target:
            walk = self._walk(start, self._where(shape.through), _leading(target))
        if walk is None:
            return None
        states = (self.states[start], *(self.states[node] for _, node in walk))
        claims = [(len(walk), Tree(states[-1], formula, value)) for formula, value in shape.target]
        onwards = self.stay(walk[-1][1] if walk else start, _ANYWHERE) if self._fair else None
        if onwards is not None:
            claims.append((len(walk), Tree(states[-1], FAIR_START, True, (onwards,))))
        return Along(Path(states, tuple(joint for joint, _ in walk)), tuple(claims))

    def stay(self, start: int, shape: Stay) -> Around | None:
        """A play of that shape."""
        inside = self._where(shape.everywhere)
        graph = {node: [target for _, target in self._steps[node] if target in inside] for node in sorted(inside)}
        parts = [set(part) for part in components(graph)]
        good = {node: part for part in parts if self._counts(part) for node in part}
        stem: Events | None = []
        if start not in good:
            stem = self._walk(start, inside, _leading(good.keys()))
        if stem is None:
            return None
        entrance = stem[-1][1] if stem else start
        walk = [*stem, *self._round(entrance, good[entrance])]
        nodes = [start, *(node for _, node in walk[:-1])]
        states, actions = tuple(self.states[node] for node in nodes), tuple(joint for joint, _ in walk)
        return Around(Lasso(states, actions, len(stem)))

    def _counts(self, part: set[int]) -> bool:
        """Whether a play that stays in the strongly connected part is fair and passes over nothing."""
        happens = [joint for node in part for joint, target in self._steps[node] if target in part]
        return all(part & fair for fair in self._fair) and not passes_over([self._left[node] for node in part], happens)

    def _round(self, entrance: int, part: set[int]) -> Events:
        """A way through the part that comes back to its entrance and, repeated, is fair and passes over nothing."""
        wanted = [self._settling(event) for event in sorted(self._left[entrance], key=str)]
        wanted += [_leading(fair) for fair in self._fair]
        walk: Events = []
        for one in wanted:
            if not any(one(*step) for step in walk):
                walk += self._onwards(walk[-1][1] if walk else entrance, part, one)
        if not walk or walk[-1][1] != entrance:
            walk += self._onwards(walk[-1][1] if walk else entrance, part, _leading({entrance}))
        return walk

    def _settling(self, event: Joint) -> Wanted:
        """Whether the event is not passed over for ever, given that a step happens again and again."""
        return lambda joint, node: event not in self._left[node] or share(joint, event)

    def _onwards(self, here: int, part: set[int], wanted: Wanted) -> Events:
        found = self._walk(here, part, lambda joint, node: node in part and wanted(joint, node))
        assert found is not None, "a play that stays in the part counts"
        return found

    def _walk(self, start: int, through: set[int], wanted: Wanted) -> Events | None:
        """A shortest walk whose last step is wanted, and whose states before that lie in ``through``."""
        walks: dict[int, Events] = {start: []} if start in through else {}
        pending = list(walks)
        for node in pending:
            for joint, target in self._steps[node]:
                longer = [*walks[node], (joint, target)]
                if wanted(joint, target):
                    return longer
                if target in through and target not in walks:
                    walks[target] = longer
                    pending.append(target)
        return None


def _leading(states: Container[int]) -> Wanted:
    """Whether a step leads to one of the states."""
    return lambda _, node: node in states
