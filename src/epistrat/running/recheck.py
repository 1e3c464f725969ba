"""Winning sets of shields, checked again with `model.step` and `model.play`: each of them keeps what a winning set promises.

Only that is checked, not that the sets are the largest ones.  Groups of several members are checked except for their choices.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from epistrat.model.initial import initial_states
from epistrat.model.play import Play
from epistrat.model.state import Joint, State, actions_of, view
from epistrat.model.step import Step, Stepper
from epistrat.render.json.report import value_json
from epistrat.running.build import Built
from epistrat.running.runtime.answers import bits, sum_of
from epistrat.running.runtime.tables import Tables

CHECKED_SETS = 500
"""So many sets of a shield are checked again."""


def unsound(built: Built) -> str | None:
    """What is wrong with a winning set, in words; None if nothing is."""
    tables = built.tables()
    return next(
        (wrong for track in range(len(tables.properties)) if (wrong := _Recheck(built, tables, track).wrong())), None
    )


class _Recheck:
    """The winning sets of one property."""

    def __init__(self, built: Built, tables: Tables, track: int) -> None:
        self._system, self._tables, self._track = built.system, tables, track
        self._one = tables.properties[track]
        self._stepper = Stepper(built.system)
        self._play = Play(self._stepper)
        shown = [
            [values[code] for code in tables.codes[place]] for place, (_, _, values) in enumerate(tables.variables)
        ]
        self._numbers: dict[tuple[Any, ...], int] = {(): 0}
        if shown:
            self._numbers = {row: number for number, row in enumerate(zip(*shown, strict=True))}
        self._states: dict[int, State] = {}
        self._members = [name for name in self._one.group if self._system.agent[name].actions]

    def wrong(self) -> str | None:
        if not self._one.group:
            return None
        self._reach()
        for nodes in self._tables.winning[self._track][:CHECKED_SETS]:
            if nodes & self._tables.marks[self._track][0]:
                return f"{self._one.name} is violated in a set that should win"
            if not self._keeps(nodes):
                return f"a set that should win for {self._one.name} does not: {hex(nodes)[:60]}"
        return None

    def _number(self, state: State) -> int:
        return self._numbers[tuple(value_json(value) for value in state)]

    def _reach(self) -> None:
        work = list(initial_states(self._system, len(self._numbers) + 1))
        while work:
            state = work.pop()
            if self._number(state) not in self._states:
                self._states[self._number(state)] = state
                work += [target for _, target in self._stepper.steps(state)]

    def _mine(self, joint: Joint) -> Joint | None:
        """What the group does in a step; None where it has no part in it."""
        place = self._tables.place
        found = tuple(joint[place[name]] for name in self._one.group if name in place)
        return found if any(found) else None

    def _hidden(self, joint: Joint) -> bool:
        concealed = [self._tables.events[event] for event in self._tables.hidden]
        return joint in concealed

    def _keeps(self, nodes: int) -> bool:
        """Whether nothing that others do leads out of the winning sets, and the group can keep to what leads into them."""
        after: dict[tuple[bool, Joint], set[int]] = {}
        for node in bits(nodes):
            place, number = divmod(node, self._tables.count)
            for joint, target in self._stepper.steps(self._states[number]):
                mine = self._mine(joint)
                reached = self._node(place, self._number(target))
                if self._hidden(joint):
                    if not nodes >> reached & 1:
                        return False
                    continue
                after.setdefault((mine is not None, mine or joint), set()).add(reached)
        good = {key for key, targets in after.items() if self._win(targets)}
        if any(not mine for mine, _ in set(after) - good):
            return False
        return len(self._members) != 1 or self._can_choose(nodes, {joint for mine, joint in good if mine})

    def _node(self, place: int, state: int) -> int:
        letter = self._tables.letters[self._track][state]
        return self._one.after[place][letter] * self._tables.count + state

    def _win(self, targets: Iterable[int]) -> bool:
        return all(self._tables.wins(part, self._track) for part in self._tables.parts(sum_of(targets)))

    def _can_choose(self, nodes: int, good: set[Joint]) -> bool:
        """Whether the one member has for each view a choice that leaves nothing bad in any state that looks so."""
        (name,) = self._members
        alike: dict[State, list[State]] = {}
        for number in bits(self._tables.states_of(nodes)):
            state = self._states[number]
            alike.setdefault(view(self._system, name, state), []).append(state)
        for states in alike.values():
            options = self._play.options(name, states[0]) or (None,)
            if not any(all(self._leaves_good(name, one, actions_of(act), good) for one in states) for act in options):
                return False
        return True

    def _leaves_good(self, name: str, state: State, actions: tuple[str, ...], good: set[Joint]) -> bool:
        place = self._tables.place[name]
        steps: Iterable[Step] = self._stepper.steps(state)
        return all(
            joint[place] not in actions or self._hidden(joint) or self._mine(joint) in good for joint, _ in steps
        )
