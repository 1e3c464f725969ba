"""The game of one path formula on listed positions, and what its winner does as a strategy with memory.

A position is a state, what the automaton of the goal remembers, and what was chosen in this step so far.  Players choose in their order;
those who are ``some`` want the goal; at the end the opponents choose among the steps that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeAlias

from epistrat.engines.witness.playing.parity import ParityGame, Solution, reached, solved
from epistrat.engines.witness.playing.reader import Reader
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.evidence import Machine, Row
from epistrat.evidence.strategy import Acts
from epistrat.logic.sentences import Player
from epistrat.model.state import Act, State
from epistrat.records import dataclass

MOST_POSITIONS = 40_000
"""Positions of a game that is listed to find a strategy: about a second."""
MOST_ROWS = 2_000
"""Rows of one strategy: nobody reads more, and replay follows them in about a second."""
NEUTRAL = 1 << 30
"""A priority that decides nothing."""


class TooManyPositions(Exception):
    """The game is too large to be listed."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a play is: ``after`` is what is remembered when the step is done."""

    state: State
    memory: int
    after: int
    place: int
    chosen: Acts


Move: TypeAlias = tuple[Acts, State | None]
"""What is chosen at a position; at the end of a step everything that was done, and the next state."""


class Arena(Generic[S]):
    """All positions that plays can visit from some states with memory 0, and who wins there."""

    def __init__(
        self,
        space: WitnessSpace[S],
        players: Sequence[Player],
        reader: Reader[S],
        starts: Sequence[State],
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self._space, self._players, self._reader, self._tick = space, players, reader, tick
        self._names = [agent.name for agent in space.system.agents]
        self.positions: list[Position] = []
        self.moves: list[list[Move]] = []
        self._number: dict[Position, int] = {}
        self._game = ParityGame([], [], [])
        for state in starts:
            self.at(state, 0)
        while len(self.moves) < len(self.positions):
            self._tick()
            self._expand(len(self.moves))
        self.solution: Solution = solved(self._game, tick)

    def at(self, state: State, memory: int) -> int:
        """The position at the beginning of a step."""
        after, priority = self._reader.read(memory, state)
        return self._position(Position(state, memory, after, 0, ()), priority)

    def wins(self, state: State, memory: int) -> bool:
        """Whether those win who want the goal."""
        return self.solution.wins[self.at(state, memory)]

    def _position(self, position: Position, priority: int = NEUTRAL) -> int:
        found = self._number.get(position)
        if found is None:
            found = self._number[position] = len(self.positions)
            if found >= MOST_POSITIONS:
                raise TooManyPositions
            self.positions.append(position)
            game = self._game
            game.owner.append(position.place < len(self._players) and self._players[position.place].some)
            game.priority.append(priority)
            game.targets.append([])
        return found

    def _expand(self, number: int) -> None:
        here = self.positions[number]
        moves: dict[int, Move] = {}
        if here.place == len(self._players):
            chosen: dict[str, Act | None] = dict(here.chosen)
            for player in self._players:
                for agent in player.agents:
                    chosen.setdefault(agent, None)
            for step in self._space.play.steps(here.state, chosen, MOST_POSITIONS) or ():
                done = tuple((name, act) for name, act in zip(self._names, step.joint, strict=True) if act is not None)
                moves.setdefault(self.at(step.target, here.after), (done, step.target))
        else:
            for acts in self._options(self._players[here.place], here.state):
                after = Position(here.state, here.memory, here.after, here.place + 1, (*here.chosen, *acts))
                moves.setdefault(self._position(after), (acts, None))
        if not moves:
            raise TooManyPositions  # or a state from which nothing goes on: engines refuse those
        self._game.targets[number] = list(moves)
        self.moves.append(list(moves.values()))

    def _options(self, player: Player, state: State) -> Iterator[Acts]:
        offered = [self._space.play.options(agent, state) for agent in player.agents]
        for act in offered[0]:
            if all(act in other for other in offered):
                yield () if act is None else tuple((agent, act) for agent in player.agents)

    def machine(self, starts: Sequence[int], side: bool) -> tuple[Machine, dict[int, int]]:
        """What a side does that wins from these positions, for all its plays or the first of them; and its memories' numbers."""
        rows: dict[tuple[int, State, Acts], tuple[dict[str, Act], int, State | None]] = {}
        ours = {agent for player in self._players if player.some is side for agent in player.agents}
        theirs = {agent for player in self._players if player.some is not side for agent in player.agents}
        for number in reached(self._game, starts, side, self.solution.move):
            here = self.positions[number]
            against = tuple(sorted(one for one in here.chosen if one[0] in theirs))
            mine = self._game.owner[number] is side
            if not mine and here.place:
                continue
            done, _, to = rows.get((here.memory, here.state, against), ({}, 0, None))
            if mine:
                acts, to = self.moves[number][self._game.targets[number].index(self.solution.move[number])]
                done |= {name: act for name, act in acts if name in ours or (to is not None and name not in theirs)}
            rows[here.memory, here.state, against] = done, here.after, to
            if len(rows) > MOST_ROWS:
                break
        complete = len(rows) <= MOST_ROWS
        memories: dict[int, int] = {0: 0}
        for (memory, _, _), (_, after, _) in rows.items():
            memories.setdefault(memory, len(memories))
            memories.setdefault(after, len(memories))
        listed = [
            Row(memories[memory], state, tuple(done.items()), memories[after], against, to)
            for (memory, state, against), (done, after, to) in list(rows.items())[:MOST_ROWS]
        ]
        return Machine(tuple(listed), complete), memories
