"""The most permissive shield: the sets of possible states in which a group can keep a property, by what the monitor is told.

A set wins if the property is not violated anywhere in it, everything that the group has no part in leads to winning sets only, and the
members have choices, one for each view that they can have in the set, that leave only actions which lead to winning sets only.
The largest family of such sets is a greatest fixpoint, computed over the sets that can come up from the start.  A choice belongs to a view,
not to a state: members cannot use what they do not see.  A group that leaves nothing waits, and the set stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from epistrat.logic.formula import Group
from epistrat.model.play import Play
from epistrat.model.state import State, actions_of, view
from epistrat.model.step import Stepper
from epistrat.records import dataclass, field
from epistrat.running.runtime.answers import bits
from epistrat.running.runtime.tables import Joint, Tables
from epistrat.solvers.budget import Budget, OutOfBudget

MOST_SETS = 20_000
MOST_TRIALS = 100_000

Choice = frozenset[str]
Variable = tuple[str, State]


class ShieldTooLarge(OutOfBudget):
    """The shield cannot be computed within the limits."""


@dataclass
class _Set:
    """A set of nodes: where what the group does leads, and where the rest leads."""

    safe: bool
    controlled: dict[Joint, list[int]] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Shield:
    """``winning`` are the largest winning sets; ``starts`` says whether every start wins."""

    winning: tuple[int, ...]
    starts: bool


def shield_of(tables: Tables, track: int, stepper: Stepper, states: Sequence[State], budget: Budget) -> Shield:
    """The shield for one property of the tables, which need not know it yet."""
    group = Group(tables.properties[track].group)
    chooser = _Chooser(tables, track, stepper, group, states)
    begin = tables.properties[track].first
    letters = tables.letters[track]
    nodes = sum(1 << begin[letters[state]] * tables.count + state for state in bits(tables.initial))
    starts = [tables.closed(part, track) for part in tables.parts(nodes)]
    found = _explored(tables, track, starts, budget)
    winning = _greatest(found, chooser, budget)
    return Shield(_largest(winning), all(start in winning for start in starts))


def _explored(tables: Tables, track: int, starts: Iterable[int], budget: Budget) -> dict[int, _Set]:
    """The sets that can come up, as far as nothing is violated before."""
    violated = tables.marks[track][0]
    found: dict[int, _Set] = {}
    queue = list(starts)
    while queue:
        nodes = queue.pop()
        if nodes in found:
            continue
        budget.check()
        if len(found) >= MOST_SETS:
            raise ShieldTooLarge(f"more than {MOST_SETS:,} sets of possible states come up")
        here = found[nodes] = _Set(nodes & violated == 0)
        if not here.safe:
            continue
        events: dict[Joint | None, list[list[int]]] = {}
        for event in tables.told:
            key = tables.key(event, track)
            if key is None:
                events.setdefault(None, []).append([event])
            elif key in events:
                events[key][0].append(event)
            else:
                events[key] = [[event]]
        for who, several in events.items():
            for some in several:
                parts = tables.parts(tables.image(nodes, some, track))
                after = [tables.closed(part, track) for part in parts if part]
                queue += after
                if who is None:
                    here.others += after
                elif after:
                    here.controlled[who] = after
    return found


def _greatest(found: Mapping[int, _Set], chooser: _Chooser, budget: Budget) -> set[int]:
    """The winning sets: those that do not win are taken away until none is left."""
    before: dict[int, set[int]] = {}
    for nodes, here in found.items():
        for after in (*here.others, *(one for some in here.controlled.values() for one in some)):
            before.setdefault(after, set()).add(nodes)
    winning = {nodes for nodes, here in found.items() if here.safe}
    work = set(winning)
    while work:
        budget.check()
        nodes = work.pop()
        if nodes not in winning:
            continue
        here = found[nodes]
        good = {key for key, after in here.controlled.items() if all(one in winning for one in after)}
        bad = set(here.controlled) - good
        if all(one in winning for one in here.others) and chooser.avoids(nodes, bad):
            continue
        winning.discard(nodes)
        work |= before.get(nodes, set()) & winning
    return winning


def _largest(winning: Iterable[int]) -> tuple[int, ...]:
    """The sets that are part of no other."""
    kept: list[int] = []
    for nodes in sorted(winning, key=int.bit_count, reverse=True):
        if not any(nodes & ~other == 0 for other in kept):
            kept.append(nodes)
    return tuple(kept)


class _Chooser:
    """Whether the members have choices, one for each view, that avoid some of the group's actions."""

    def __init__(self, tables: Tables, track: int, stepper: Stepper, group: Group, states: Sequence[State]) -> None:
        system = stepper.system
        self._tables, self._track, self._system, self._states = tables, track, system, states
        self._members = [name for name in group.members if name in tables.place and system.agent[name].actions]
        self._play = Play(stepper)
        self._options: dict[Variable, list[Choice]] = {}
        self._events: dict[int, list[int]] = {}

    def avoids(self, nodes: int, bad: set[Joint]) -> bool:
        """Whether the choices can leave nothing of ``bad`` in any state of the set."""
        if not bad:
            return True
        states = list(bits(self._tables.states_of(nodes)))
        rows = [(state, tuple(self._variable(name, state) for name in self._members)) for state in states]
        domains = {variable: self._options[variable] for _, row in rows for variable in row}
        if len(self._members) == 1:
            return self._single(rows, bad)
        return _Search(self, rows, domains, bad).succeeds()

    def _single(self, rows: Sequence[tuple[int, tuple[Variable, ...]]], bad: set[Joint]) -> bool:
        """One member: each view is decided by itself."""
        alike: dict[Variable, list[int]] = {}
        for state, (variable,) in rows:
            alike.setdefault(variable, []).append(state)
        return all(
            any(not any(self.leaves(state, (choice,), bad) for state in some) for choice in self._options[variable])
            for variable, some in alike.items()
        )

    def _variable(self, name: str, state: int) -> Variable:
        """A member's view in a state; what it can choose there is looked up once."""
        values = self._states[state]
        variable = (name, view(self._system, name, values))
        if variable not in self._options:
            options = self._play.options(name, values)
            self._options[variable] = [frozenset(actions_of(act)) for act in options] or [frozenset()]
        return variable

    def leaves(self, state: int, chosen: Sequence[Choice], bad: set[Joint]) -> bool:
        """Whether the members' choices leave something of ``bad`` in a state."""
        tables = self._tables
        for event in self._possible(state):
            key = tables.key(event, self._track)
            if key not in bad:
                continue
            joint = tables.events[event]
            acts = [(joint[tables.place[name]], choice) for name, choice in zip(self._members, chosen, strict=True)]
            if all(act is None or act in choice for act, choice in acts):
                return True
        return False

    def _possible(self, state: int) -> list[int]:
        found = self._events.get(state)
        if found is None:
            tables = self._tables
            found = self._events[state] = [event for event in tables.told if tables.sources[event] >> state & 1]
        return found


class _Search:
    """Choices of several members: views are decided one after the other, states are checked as soon as all their views are."""

    def __init__(
        self,
        chooser: _Chooser,
        rows: Sequence[tuple[int, tuple[Variable, ...]]],
        domains: Mapping[Variable, list[Choice]],
        bad: set[Joint],
    ) -> None:
        self._chooser, self._domains, self._bad = chooser, domains, bad
        self._order = list(domains)
        place = {variable: number for number, variable in enumerate(self._order)}
        self._checked: dict[int, list[tuple[int, tuple[Variable, ...]]]] = {}
        for state, row in rows:
            self._checked.setdefault(max(place[variable] for variable in row), []).append((state, row))
        self._trials = 0

    def succeeds(self) -> bool:
        """Whether some choices avoid what is bad in every state."""
        chosen: dict[Variable, Choice] = {}
        stack = [iter(self._domains[self._order[0]])] if self._order else []
        while stack:
            variable = self._order[len(stack) - 1]
            choice = next(stack[-1], None)
            if choice is None:
                stack.pop()
                chosen.pop(variable, None)
                continue
            self._trials += 1
            if self._trials > MOST_TRIALS:
                raise ShieldTooLarge(f"more than {MOST_TRIALS:,} choices of the members were tried")
            chosen[variable] = choice
            rows = self._checked.get(len(stack) - 1, ())
            if any(self._chooser.leaves(state, [chosen[one] for one in row], self._bad) for state, row in rows):
                continue
            if len(stack) == len(self._order):
                return True
            stack.append(iter(self._domains[self._order[len(stack)]]))
        return not self._order
