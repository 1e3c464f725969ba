"""Reading strategies with memory, tables and punishments back from JSON."""

from __future__ import annotations

from collections.abc import Callable

from epistrat import evidence as e
from epistrat.model.state import Act, State
from epistrat.render.json.cursor import Datum


class StrategyReader:
    """Reads them with what reads states, the acts of agents, and names of agents."""

    def __init__(
        self,
        state: Callable[[Datum], State],
        acts: Callable[[Datum], dict[str, Act]],
        agents: Callable[[Datum], tuple[str, ...]],
    ) -> None:
        self._state, self._acts, self._agents = state, acts, agents

    def machine(self, data: Datum) -> e.Machine:
        """A strategy with memory."""
        return e.Machine(tuple(map(self._row, data["rows"])), data["complete"].flag())

    def tables(self, data: Datum) -> e.Chosen:
        """Strategies without memory."""
        tables, visited = [], dict[State, None]()
        for one in data:
            rows = []
            for row in one["rows"]:
                state = self._state(row["when"])
                done = row["do"].value
                acts: Act | None = None
                if done is not None:
                    acts = tuple(map(str, done)) if isinstance(done, list) else row["do"].text()
                rows.append((state, acts))
                if row["matters"].flag():
                    visited[state] = None
            tables.append(e.Table(one["strategy"].text(), self._agents(one["agents"]), tuple(rows)))
        return e.Chosen(tuple(tables), tuple(visited))

    def _row(self, data: Datum) -> e.Row:
        return e.Row(
            data["memory"].count(),
            self._state(data["when"]),
            tuple(self._acts(data["do"]).items()),
            data["next"].count(),
            tuple(self._acts(data["against"]).items()) if "against" in data else (),
            self._state(data["to"]) if "to" in data else None,
        )

    def gain(self, data: Datum) -> e.Gain:
        """How an agent gets its goal where it leaves a run."""
        (agent,) = self._agents(Datum([data["agent"].text()], data["agent"].where))
        won = tuple((self._state(one["when"]), one["memory"].count()) for one in data["won"])
        return e.Gain(agent, self.machine(data["machine"]), won)

    def punishment(self, data: Datum) -> e.Punishment:
        """How all others keep an agent from its goal when it leaves the run."""
        (agent,) = self._agents(Datum([data["agent"].text()], data["agent"].where))
        deviations = tuple(
            e.Deviation(one["at"].count(), one["do"].text(), self._state(one["to"]), one["memory"].count())
            for one in data["deviations"]
        )
        return e.Punishment(agent, self.machine(data["machine"]), deviations)
