"""The model of a monitor as tables of numbers: sets of states are numbers whose bits are states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from epistrat.running.runtime.answers import because, bits, listing, meant, set_of, show, sum_of, unlike

# What follows is copied into generated files.

Joint = tuple[str | None, ...]
Key = tuple[Any, ...]
KEPT_SETS = 50_000


class Property(NamedTuple):
    """A property, as an automaton that reads one letter for each state; nodes are pairs place * states + state, as bits of a number."""

    name: str
    aim: str
    group: tuple[str, ...]
    first: tuple[int, ...]
    after: tuple[tuple[int, ...], ...]
    letters: str
    violated: str
    lost: str
    settled: str
    atoms: tuple[tuple[str, str], ...]
    why: Any
    winning: tuple[str, ...]


class Position:
    """Everything that is possible at one moment: states, and pairs of each property; with what was found out about it."""

    __slots__ = ("enabled", "moves", "permits", "states", "statuses", "tracks", "watched")

    def __init__(self, states: int, tracks: tuple[int, ...]) -> None:
        self.states, self.tracks = states, tracks
        self.moves: dict[Key, tuple[Position | None, str, tuple[str, ...]]] = {}
        self.permits: dict[Key, bool] = {}
        self.enabled: tuple[int, ...] = ()
        self.statuses: tuple[str, ...] = ()
        self.watched: tuple[bool | None, ...] = ()


class Tables:
    """The reachable states of the model, its steps, and what is known about its properties."""

    def __init__(
        self,
        *,
        fingerprint: str,
        interleaved: bool,
        agents: tuple[tuple[str, tuple[str, ...]], ...],
        variables: tuple[tuple[str, tuple[str, ...] | None, tuple[Any, ...]], ...],
        states: str,
        initial: str,
        events: tuple[Joint, ...],
        steps: tuple[str, ...],
        hidden: tuple[int, ...],
        sees: tuple[int, ...],
        properties: tuple[Property, ...],
        watches: tuple[tuple[str, str, str], ...],
        about: dict[str, Any],
    ) -> None:
        self.fingerprint, self.interleaved, self.about = fingerprint, interleaved, about
        self.agents, self.variables, self.events = dict(agents), variables, events
        self.place = {name: place for place, (name, _) in enumerate(agents)}
        self.variable = {name: place for place, (name, _, _) in enumerate(variables)}
        numbers = [int(one) for one in states.split()]
        self.count = len(numbers) // len(variables) if variables else 1
        self.codes = [numbers[place :: len(variables)] for place in range(len(variables))]
        self.initial, self.everything = set_of(initial), (1 << self.count) - 1
        self.successors: list[dict[int, list[int]]] = []
        self.sources: list[int] = []
        for text in steps:
            pairs, found = [int(one) for one in text.split()], dict[int, list[int]]()
            for source, target in zip(pairs[::2], pairs[1::2], strict=True):
                found.setdefault(source, []).append(target)
            self.successors.append(found)
            self.sources.append(sum_of(found))
        self.hidden, self.sees = hidden, sees
        self.told = tuple(event for event in range(len(events)) if event not in hidden)
        self.properties, self.watches = properties, [(name, words, set_of(where)) for name, words, where in watches]
        self.letters = [[int(one) for one in p.letters.split()] for p in properties]
        self.marks = [(set_of(p.violated), set_of(p.lost), set_of(p.settled)) for p in properties]
        self.atoms = [[set_of(where) for _, where in p.atoms] for p in properties]
        self.winning = [[set_of(one) for one in p.winning] for p in properties]
        self.by_name = {self.words(event): event for event in self.told} if interleaved else {}
        self._matching: dict[Key, tuple[int, ...]] = {}
        self._fitting: dict[tuple[int, Any], int] = {}
        self._positions: dict[tuple[int, tuple[int, ...]], Position] = {}

    @property
    def anywhere(self) -> int:
        """All states, for a run that began before."""
        return self.everything

    def words(self, event: int) -> str:
        """An event as it is told: the action, or who does what."""
        joint = self.events[event]
        if self.interleaved:
            return next((one for one in joint if one is not None), "nothing")
        return ", ".join(f"{name}: {one}" for name, one in zip(self.agents, joint, strict=True) if one is not None)

    def matching(self, given: Mapping[str | None, str]) -> tuple[int, ...]:
        """The events in which these agents do these actions; raises ValueError for what the model does not know."""
        key = tuple(given.items())
        found = self._matching.get(key)
        if found is None:
            found = self._matching[key] = self._match(given)
        return found

    def _match(self, given: Mapping[str | None, str]) -> tuple[int, ...]:
        for agent, action in given.items():
            if agent is None and not self.interleaved:
                raise ValueError("who does this? Name the agent: in a synchronous model several act at once")
            if agent is not None and agent not in self.agents:
                raise ValueError(f"there is no agent {agent}{meant(agent, self.agents)}")
            known = self.agents[agent] if agent is not None else [one for own in self.agents.values() for one in own]
            if action not in known:
                raise ValueError(f"{agent or 'the model'} has no action {action}{meant(action, known)}")
        if self.interleaved and any(self.words(event) in given.values() for event in self.hidden):
            raise ValueError(f"{listing(given.values())} is hidden: it happens without being told")
        asked = [(None if agent is None else self.place[agent], action) for agent, action in given.items()]
        return tuple(
            event
            for event in self.told
            if all(
                action in self.events[event] if place is None else self.events[event][place] == action
                for place, action in asked
            )
        )

    def seen(self, see: Mapping[str, Any] | None) -> tuple[tuple[int, Any], ...]:
        """What was seen, by place and value; raises ValueError for what cannot be."""
        found: list[tuple[int, Any]] = []
        for name, value in (see or {}).items():
            if name not in self.variable:
                raise ValueError(f"there is no variable {name}{meant(name, self.variable)}")
            _, names, values = self.variables[self.variable[name]]
            if value is None:
                continue
            if names is not None and value not in names:
                raise ValueError(f"{name} is never {value}: it is one of {listing(names)}{meant(value, names)}")
            if (
                names is None
                and type(value) is not type(values[0] if values else 0)
                and (kind := unlike(value, values))
            ):
                raise ValueError(f"{name} is {kind}, not {value!r}")
            found.append((self.variable[name], value))
        return tuple(found)

    def fitting(self, seen: Iterable[tuple[int, Any]], places: int = 1) -> int:
        """The states (as often as there are places) with these values."""
        result = self.everything
        for place, value in seen:
            found = self._fitting.get((place, value))
            if found is None:
                values = self.variables[place][2]
                code = values.index(value) if value in values else -1
                found = sum_of(state for state, one in enumerate(self.codes[place]) if one == code)
                self._fitting[place, value] = found
            result &= found
        for place in range(1, places):
            result |= (result & self.everything) << place * self.count
        return result

    def image(self, nodes: int, events: Iterable[int], track: int | None) -> int:
        """Where one of the events leads, from any of the nodes."""
        found: set[int] = set()
        for event in events:
            successors, sources = self.successors[event], self.sources[event]
            if track is None:
                for state in bits(nodes & sources):
                    found.update(successors[state])
                continue
            after, letters = self.properties[track].after, self.letters[track]
            for node in bits(nodes):
                place, state = divmod(node, self.count)
                row = after[place]
                found.update([row[letters[target]] * self.count + target for target in successors.get(state, ())])
        return sum_of(found)

    def closed(self, nodes: int, track: int | None) -> int:
        """With everything that hidden actions lead to."""
        fresh = nodes if self.hidden else 0
        while fresh:
            fresh = self.image(fresh, self.hidden, track) & ~nodes
            nodes |= fresh
        return nodes

    def states_of(self, nodes: int) -> int:
        """The states in a set of pairs."""
        result = 0
        while nodes:
            result |= nodes & self.everything
            nodes >>= self.count
        return result

    def parts(self, nodes: int) -> list[int]:
        """The set, split by what the shield is told after each event."""
        if not self.sees:
            return [nodes]
        found: dict[tuple[int, ...], list[int]] = {}
        for node in bits(nodes):
            found.setdefault(tuple(self.codes[one][node % self.count] for one in self.sees), []).append(node)
        return [sum_of(some) for some in found.values()]

    def has(self, states: int, tracks: Sequence[int]) -> bool:
        """Whether these can be the sets of a position: of known states, and the same states in every property."""
        if len(tracks) != len(self.properties) or not 0 <= states <= self.everything:
            return False
        sizes = [len(one.after) * self.count for one in self.properties]
        if any(nodes < 0 or nodes >> size for nodes, size in zip(tracks, sizes, strict=True)):
            return False
        return all(self.states_of(nodes) == states for nodes in tracks)

    def wins(self, nodes: int, track: int) -> bool:
        """Whether the group can keep its property wherever in this set it is: by the shield, or whatever happens."""
        return nodes & ~self.marks[track][2] == 0 or any(nodes & ~one == 0 for one in self.winning[track])

    def key(self, event: int, track: int) -> Joint | None:
        """What the group of a shield does in an event; None if it has no part in it, or it is hidden."""
        joint = self.events[event]
        found = tuple(joint[self.place[name]] for name in self.properties[track].group if name in self.place)
        return None if event in self.hidden or not any(found) else found

    def at(self, states: int) -> Position:
        """The position in which these states are possible and nothing is remembered."""
        tracks: list[int] = []
        for track, one in enumerate(self.properties):
            letters = self.letters[track]
            nodes = sum_of(one.first[letters[state]] * self.count + state for state in bits(states))
            tracks.append(self.closed(nodes, track))
        return self.position(self.closed(states, None), tuple(tracks))

    def position(self, states: int, tracks: tuple[int, ...]) -> Position:
        """The position with these sets, and what is true of it."""
        found = self._positions.get((states, tracks))
        if found is None:
            if len(self._positions) >= KEPT_SETS:
                self._positions.clear()
            found = Position(states, tracks)
            found.enabled = tuple(event for event in self.told if self.sources[event] & states)
            found.statuses = tuple(self._status(nodes, track) for track, nodes in enumerate(tracks))
            found.watched = tuple(
                (True if states & ~where == 0 else None if states & where else False) if states else None
                for _, _, where in self.watches
            )
            self._positions[states, tracks] = found  # only now: other threads may take it from here
        return found

    def _status(self, nodes: int, track: int) -> str:
        violated, lost, settled = self.marks[track]
        if not nodes:
            return "open"  # nothing is possible, so nothing is promised
        if nodes & violated:
            return "perhaps violated" if nodes & ~violated else "violated"
        if nodes & ~settled == 0:
            return "settled"
        shield = self.properties[track].group
        return "lost" if (not self.wins(nodes, track) if shield else nodes & ~lost == 0) else "open"

    def move(
        self, position: Position, events: tuple[int, ...], seen: tuple[tuple[int, Any], ...]
    ) -> tuple[Position | None, str, tuple[str, ...]]:
        """The position after one of these events, with what is new; None and why not, where the model does not allow it."""
        states = self.image(position.states, events, None)
        fits = states & self.fitting(seen)
        if not states or not fits:
            return None, "" if not states else self._misfit(states, seen), ()
        tracks = tuple(
            self.closed(self.image(nodes, events, track) & self.fitting(seen, len(self.properties[track].after)), track)
            for track, nodes in enumerate(position.tracks)
        )
        after = self.position(self.closed(fits, None), tracks)
        return after, "", self.changes(position, after)

    def _misfit(self, states: int, seen: Iterable[tuple[int, Any]]) -> str:
        wrong = next((one for one in seen if not states & self.fitting((one,))), None)
        if wrong is None:
            return "no single state of the model has these values together"
        name, _, values = self.variables[wrong[0]]
        found = dict.fromkeys(show(values[self.codes[wrong[0]][state]]) for state in bits(states))
        return f"in the model {name} is {' or '.join(list(found)[:8])}, not {show(wrong[1])}"

    def changes(self, before: Position | None, after: Position) -> tuple[str, ...]:
        """What is new, in sentences."""
        found: list[str] = []
        for track, status in enumerate(after.statuses):
            old = "open" if before is None else before.statuses[track]
            if status != old or (status == "perhaps violated" and before and before.tracks != after.tracks):
                found.append(self._told(track, status, after))
        for watch, (_, words, _) in enumerate(self.watches):
            value, was = after.watched[watch], None if before is None else before.watched[watch]
            if value is not was:
                unknown = f"whether {words} is not known{'' if before is None else ' any more'}."
                found.append(f"{words}." if value else unknown if value is None else f"it is not so that {words}.")
        return tuple(found)

    def _told(self, track: int, status: str, after: Position) -> str:
        name, aim, group, nodes = *self.properties[track][:3], after.tracks[track]
        broken = nodes & self.marks[track][0]
        if status == "violated":
            return f"{name} is violated: {self.reason(track, broken, ' is ', ' and ')}."
        if status == "perhaps violated":
            some, all_ = self.states_of(broken).bit_count(), after.states.bit_count()
            which = self._depends(self.states_of(broken), self.states_of(nodes & ~broken))
            return f"{name} is violated in {some:,} of the {all_:,} possible states{which}."
        if status == "lost" and group:
            others = [one for one, actions in self.agents.items() if one not in group and actions]
            who = " and ".join(others) if 0 < len(others) < 3 else "the others"
            known = f"by what {' and '.join(group)} can see, the shield knows no way to keep {name} any more"
            return f"{known}: {who} may bring about {aim}."
        if status == "lost":
            return f"{name} cannot be kept any more: every way the model goes on comes to {aim}."
        if status == "settled":
            return f"{name} is settled: nothing that the model allows can violate it any more."
        return f"{name} is not violated."

    def _depends(self, broken: int, others: int) -> str:
        names = [self.words(event) for event in self.hidden]
        if self.hidden and self.closed(others, None) & broken:
            which = f"whether {names[0]} has" if len(names) == 1 else f"which of {listing(names)} have"
            return f": it depends on {which} happened"
        for place, (name, _, _) in enumerate(self.variables):
            codes = self.codes[place]
            if not {codes[state] for state in bits(broken)} & {codes[state] for state in bits(others)}:
                return f": it depends on {name}"
        return ""

    def reason(self, track: int, nodes: int, verb: str, join: str) -> str:
        """The values by which the property is false in one of the nodes."""
        texts, why = [text for text, _ in self.properties[track].atoms], self.properties[track].why
        for state in bits(self.states_of(nodes)):
            values = [bool(where >> state & 1) for where in self.atoms[track]]
            true, found = because(why, values)
            if not true:  # where the condition is true again, it was broken on the way
                listed = dict.fromkeys(f"{texts[one]}{verb}{show(values[one])}" for one in found or range(len(values)))
                return join.join(listed) or "it is false"
        return "it was broken before"

    def permits(self, position: Position, event: int) -> int | None:
        """The first shield that forbids an event, by number; None if all permit it."""
        for track, one in enumerate(self.properties):
            if not one.group or (key := self.key(event, track)) is None:
                continue
            known = position.permits.get((track, key))
            if known is None:
                same = [other for other in position.enabled if self.key(other, track) == key]
                parts = self.parts(self.image(position.tracks[track], same, track))
                known = all(self.wins(self.closed(part, track), track) for part in parts)
                position.permits[track, key] = known
            if not known:
                return track
        return None
