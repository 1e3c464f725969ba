"""Where in the model's text stands what a step of a run does: the evolution line that changed something, else the protocol line that
allowed an action.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers.explanation import Block, Compare, Detail, Explanation, Moment, Scene
from epistrat.lang.origins import Origins
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.source import Position


class Places:
    """Finds the lines of one system, whose text is known."""

    def __init__(self, system: System, origins: Origins) -> None:
        self._system = system
        self._origins = origins
        self._stepper = Stepper(system)

    def explanation(self, told: Explanation) -> Explanation:
        """The explanation with the places of what its runs do."""
        return replace(told, blocks=tuple(map(self._block, told.blocks)))

    def _block(self, block: Block) -> Block:
        match block:
            case Scene():
                return self._scene(block)
            case Compare(left, right):
                return replace(block, left=self._scene(left), right=self._scene(right))
            case Detail(_, blocks):
                return replace(block, blocks=tuple(map(self._block, blocks)))
            case _:
                return block

    def _scene(self, scene: Scene) -> Scene:
        moments = [replace(one, place=self._place(one, before)) for one, before in _with_last(scene.moments)]
        return replace(scene, moments=tuple(moments))

    def _place(self, moment: Moment, before: State | None) -> Position | None:
        if before is None or moment.joint is None:
            return self._origins.position("initial")
        lines = [*self._changing(before, moment.joint, moment.state), *self._allowing(before, moment.joint)]
        return next((place for key in lines if (place := self._origins.position(*key)) is not None), None)

    def _changing(self, before: State, joint: Joint, after: State) -> Iterator[tuple[str | int, ...]]:
        """The evolution lines that fired and changed something."""
        for agent in self._system.agents:
            for line in self._stepper.enabled_lines(agent, before, joint):
                positions = [self._system.position[agent.name, made.target] for made in line.assignments]
                if any(before[place] != after[place] for place in positions):
                    yield "evolution", agent.name, agent.evolution.index(line)

    def _allowing(self, before: State, joint: Joint) -> Iterator[tuple[str | int, ...]]:
        """The protocol lines that allowed the actions, of those first who had a choice."""
        holds = self._stepper.evaluator.holds
        acting = [(agent, action) for agent, action in zip(self._system.agents, joint, strict=True) if action]
        for agent, action in sorted(acting, key=lambda one: len(one[0].actions) < 2):
            lines = [number for number, one in enumerate(agent.protocol) if holds(one.condition, before)]
            for number in lines:
                if action in agent.protocol[number].actions:
                    yield "protocol", agent.name, number
            if not lines and agent.other:
                yield "other", agent.name


def _with_last(moments: tuple[Moment, ...]) -> Iterator[tuple[Moment, State | None]]:
    """The moments, each with the state before it."""
    before: State | None = None
    for moment in moments:
        yield moment, before
        before = moment.state
