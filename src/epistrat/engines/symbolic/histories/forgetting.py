"""Whether agents forget: whether the moment and what they see now tell all they have seen.

Between two layers that is a question about each bit that an agent sees: no two steps lead to states that look the same to it from states
of which one has the bit and the other has not.  Most bits need no step for that: those that are the same in the whole layer, and those
that do not change, for they are seen now as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from epistrat.encoding.conditions import Conditions
from epistrat.encoding.evolution import frozen_variables
from epistrat.encoding.part import variables_of
from epistrat.engines.symbolic.histories.layers import Line
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.model.agent import EvolutionLine
from epistrat.solvers.bdd import Bdd


class Forgetting:
    """Tells of one system who forgets on which step of a line."""

    def __init__(self, space: SymbolicSpace, onwards: Callable[[Bdd], Bdd]) -> None:
        self._space, self._onwards = space, onwards
        self._algebra = space.algebra
        self._known: dict[tuple[tuple[str, ...], Bdd], bool] = {}
        self._moving: dict[tuple[str, str], list[EvolutionLine]] = {}
        self._conditions: Conditions | None = None
        if not space.system.interleaved:
            does = {(name, str(act)): part for name, one in space.choices.items() for act, part in one.does.items()}
            self._conditions = space.encoding.conditions.under(does)
        for agent in space.system.agents:
            frozen = frozen_variables(agent)
            for variable in agent.variables:
                self._moving[variable.key] = [
                    line
                    for line in agent.evolution
                    if variable.name not in frozen and any(one.target == variable.name for one in line.assignments)
                ]

    def forgets(self, line: Line, before: int, agents: tuple[str, ...]) -> bool:
        """Whether on the step from this place something is forgotten by the agents, who pool what they see."""
        key = agents, line[before]
        if key not in self._known:
            self._known[key] = any(
                self._lost(line[before], bit, agents) for bit in self._doubtful(line[before], agents)
            )
        return self._known[key]

    def _doubtful(self, layer: Bdd, agents: tuple[str, ...]) -> Iterator[int]:
        """The seen bits that differ within the layer and may change."""
        space, algebra = self._space, self._algebra
        system = space.system
        for index in sorted({index for agent in agents for index in system.views[agent]}):
            variable = system.variables[index]
            if not self._may_change(variable.key, layer):
                continue
            for bit in variables_of(space.encoding.layout.variables[variable.key].support):
                with_bit = layer & algebra.var[bit]
                if with_bit != algebra.false and with_bit != layer:
                    yield bit

    def _may_change(self, key: tuple[str, str], layer: Bdd) -> bool:
        """Whether some line that writes the variable is enabled in the layer, as far as conditions tell."""
        if not self._moving[key]:
            return False
        if self._conditions is None:
            return True
        for line in self._moving[key]:
            self._space.tick()
            if layer & self._space.some_choice(self._conditions.part(line.guard)) != self._algebra.false:
                return True
        return False

    def _lost(self, layer: Bdd, bit: int, agents: tuple[str, ...]) -> bool:
        """Whether steps from states with the bit and from others lead to states that look the same."""
        self._space.tick()
        algebra, seen = self._algebra, self._space.sees(agents)
        hidden = algebra.cube(variables_of(self._space.state_bits & ~seen))
        has = algebra.exists(self._onwards(layer & algebra.var[bit]), hidden)
        return bool(has & self._onwards(layer & ~algebra.var[bit]) != algebra.false)
