"""The run of an equilibrium of strategies with memory, and how who leaves it is punished; on listed positions.

For each agent a game says from where all others together keep it from its goal.  Then, for each choice of agents that are kept from their
goals, one search: for a run that satisfies the goals of all others and the fact asked for, all steps of which are safe for the agents kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Generic, TypeAlias

from epistrat.engines.witness.playing.arena import MOST_POSITIONS, MOST_ROWS, Arena, Position, TooManyPositions
from epistrat.engines.witness.playing.parity import ParityGame, solved
from epistrat.engines.witness.playing.reader import Reader
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.evidence import Balance, Deviation, Gain, Lasso, Machine, Punishment, Row, Unbalanced
from epistrat.evidence.linear import LassoTruth
from epistrat.logic.formula import Formula
from epistrat.logic.rewrite import conjunction, negation
from epistrat.logic.sentences import Player
from epistrat.model.state import Joint, State

Point: TypeAlias = tuple[State, int, tuple[int, ...]]
"""A state, and what the automata of the wish and of the agents that are kept remember."""


class Balancing(Generic[S]):
    """Equilibria from one state."""

    def __init__(self, space: WitnessSpace[S], start: State) -> None:
        self._space, self._start = space, start
        agents = space.system.agents
        self._acting = [agent.name for agent in agents if agent.actions]
        self._place = {agent.name: index for index, agent in enumerate(agents)}
        self._goals = {name: goal for name, goal in space.system.goals if name in self._acting}
        self._readers = {name: Reader(space, negation(goal)) for name, goal in self._goals.items()}
        self._punished = {name: self._arena(name, [start]) for name in self._goals}
        self._steps: dict[State, dict[Joint, State]] = {}

    def _arena(self, name: str, starts: Sequence[State]) -> Arena[S]:
        others = [Player(True, (other,)) for other in self._acting if other != name]
        return Arena(self._space, [*others, Player(False, (name,))], self._readers[name], starts)

    def some(self, fact: Formula) -> Balance | None:
        """An equilibrium whose run satisfies the path formula, with as few agents kept from their goals as possible."""
        for many in range(len(self._goals) + 1):
            for kept in combinations(self._goals, many):
                content = [goal for name, goal in self._goals.items() if name not in kept]
                found = self._run(conjunction((*content, fact)), kept)
                if found is not None:
                    lasso, memories = found
                    return Balance(lasso, tuple(self._punishments(lasso, memories, kept)))
        return None

    def none(self) -> Unbalanced | None:
        """How agents gain who leave; None where that is too long to be shown."""
        gains = []
        for name, arena in self._punished.items():
            begins = [number for number, position in enumerate(arena.positions) if not position.place]
            lost = [number for number in begins if not arena.solution.wins[number]]
            if lost:
                machine, numbers = arena.machine(lost, False)
                gain = self._gain(name, [arena.positions[number] for number in begins], machine, numbers, lost)
                if gain is None:
                    return None
                gains.append(gain)
        return Unbalanced(tuple(gains))

    def _gain(
        self, name: str, begins: Sequence[Position], machine: Machine, numbers: dict[int, int], lost: Sequence[int]
    ) -> Gain | None:
        """With what is remembered where the others win, too."""
        said = {(row.state, row.memory) for row in machine.rows}
        rows = list(machine.rows)
        for position in begins:
            for one in (position.memory, position.after):
                numbers.setdefault(one, len(numbers))
            if (position.state, numbers[position.memory]) not in said:
                rows.append(Row(numbers[position.memory], position.state, (), numbers[position.after]))
        arena = self._punished[name]
        won = tuple((arena.positions[at].state, numbers[arena.positions[at].memory]) for at in lost)
        complete = machine.complete and len(rows) <= MOST_ROWS
        return Gain(name, Machine(tuple(rows)), won) if complete else None

    def _outcomes(self, state: State) -> Mapping[Joint, State]:
        """The joint actions and where they lead, each to one state."""
        if state not in self._steps:
            steps = self._space.play.steps(state, {}, MOST_POSITIONS)
            if steps is None:
                raise TooManyPositions
            self._steps[state] = {step.joint: step.target for step in steps}
        return self._steps[state]

    def _run(self, wanted: Formula, kept: tuple[str, ...]) -> tuple[Lasso, list[tuple[int, ...]]] | None:
        """A lasso of safe steps, and what the automata of those who are kept remember at its positions."""
        reader = Reader(self._space, wanted)
        first: Point = (self._start, 0, tuple(0 for _ in kept))
        number = {first: 0}
        points = [first]
        joints: list[dict[int, Joint]] = []
        game = ParityGame([], [], [])
        while len(joints) < len(points):
            state, memory, watching = points[len(joints)]
            after, priority = reader.read(memory, state)
            later = tuple(self._readers[name].read(one, state)[0] for name, one in zip(kept, watching, strict=True))
            found: dict[int, Joint] = {}
            for joint, target in self._outcomes(state).items():
                if all(self._is_safe(name, state, joint, one) for name, one in zip(kept, later, strict=True)):
                    point = target, after, later
                    if point not in number:
                        number[point] = len(points)
                        points.append(point)
                        if len(points) > MOST_POSITIONS:
                            raise TooManyPositions
                    found.setdefault(number[point], joint)
            joints.append(found)
            game.owner.append(True)
            game.priority.append(priority if found else 1)
            game.targets.append(list(found) or [len(joints) - 1])
        solution = solved(game)
        return self._lasso(points, joints, solution.move) if solution.wins[0] else None

    def _is_safe(self, name: str, state: State, joint: Joint, memory: int) -> bool:
        """Whether the agent is punished wherever it may lead instead, and where the step leads."""
        return all(
            self._punished[name].wins(target, memory) for _, target in self._instead(name, state, joint, own=True)
        )

    def _instead(self, name: str, state: State, joint: Joint, own: bool = False) -> Iterator[tuple[str, State]]:
        """What the agent may do instead, the others doing as they do, and where that leads."""
        place = self._place[name]
        for other, target in self._outcomes(state).items():
            act = other[place]
            same = other[:place] == joint[:place] and other[place + 1 :] == joint[place + 1 :]
            if act is not None and same and (own or act != joint[place]):
                yield act, target

    def _lasso(
        self, points: list[Point], joints: list[dict[int, Joint]], move: dict[int, int]
    ) -> tuple[Lasso, list[tuple[int, ...]]]:
        order: list[int] = []
        here = 0
        while here not in order:
            order.append(here)
            here = move[here]
        steps = zip(order, [*order[1:], here], strict=True)
        actions = tuple(joints[number][target] for number, target in steps)
        lasso = Lasso(tuple(points[number][0] for number in order), actions, order.index(here))
        return lasso, [points[number][2] for number in order]

    def _punishments(
        self, lasso: Lasso, memories: list[tuple[int, ...]], kept: tuple[str, ...]
    ) -> Iterator[Punishment]:
        for index, name in enumerate(kept):
            if self._gets(name, lasso):
                continue
            reader, arena = self._readers[name], self._punished[name]
            entries: list[tuple[int, str, State, int]] = []
            for at, (state, joint) in enumerate(zip(lasso.states, lasso.actions, strict=True)):
                memory = reader.read(memories[at][index], state)[0]
                entries += [(at, act, target, memory) for act, target in self._instead(name, state, joint)]
            starts = list(dict.fromkeys(arena.at(target, memory) for _, _, target, memory in entries))
            machine, numbers = arena.machine(starts, True)
            listed = [Deviation(at, act, target, numbers.get(memory, 0)) for at, act, target, memory in entries]
            yield Punishment(name, machine, tuple(listed))

    def _gets(self, name: str, lasso: Lasso) -> bool:
        """Whether the agent gets its goal on the run all the same."""
        space = self._space

        def base(position: int, part: Formula) -> bool:
            return space.has(space.satisfying(part), lasso.states[position])

        return LassoTruth(len(lasso.states), lasso.loop, base).word(self._goals[name]).at(0) is True
