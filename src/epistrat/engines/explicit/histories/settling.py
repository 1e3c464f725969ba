"""Formulae about histories become formulae about nodes: the innermost operator first, each on a graph of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from epistrat.answers import Strategies
from epistrat.engines.explicit.edges import Index
from epistrat.engines.explicit.histories.ground import NOWHERE, Ground, Phase, fact
from epistrat.engines.explicit.histories.levels import Levels
from epistrat.engines.explicit.histories.trackers import (
    GONE,
    Anywhere,
    Carrying,
    Changes,
    Clock,
    Marks,
    Possible,
    Recall,
    Tracker,
)
from epistrat.engines.explicit.knowledge import common_views
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Mask, Numbers
from epistrat.engines.readings import Refused, announced_in_front
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state, operands, subformulae
from epistrat.logic.rewrite import with_operands

_NOT_BELOW = "a past operator over a future one is not answered below an announcement or below knowledge that counts or remembers"
_ABOUT_HISTORIES = "announcements, nor with knowledge that counts or remembers"
_WHO_KNOWS = {logic.Knows: "K", logic.Everybody: "GK", logic.Distributed: "DK", logic.Common: "GCK"}


def settled(labels: MaskLabels, formula: Formula) -> tuple[MaskLabels, Formula]:
    """Labels on a graph of histories, and the formula in their terms; raises `Refused` where there is no such graph."""
    formula = announced_in_front(formula)
    _require_games(labels, formula)
    settling = Settling(labels, formula)
    found = settling.formula(formula, settling.phases[0])
    return settling.top.labels, found


def _require_games(labels: MaskLabels, formula: Formula) -> None:
    """Raise `Refused` for strategies where histories do not say what they leave."""
    if not any(isinstance(part, logic.Coalition) for part in subformulae(formula)):
        return
    system = labels.structure.system
    if labels.strategies is not Strategies.ANY:
        raise Refused(f"strategies read as `{labels.strategies.value}` do not go together with {_ABOUT_HISTORIES}")
    for there, where in ((system.interleaved, "interleaved models"), (system.fairness, "models with fairness")):
        if there:
            raise Refused(f"in {where} strategies do not go together with {_ABOUT_HISTORIES}")


class Settling:
    """One formula: the graphs made so far, the phases its announcements lead into, and what was settled in each."""

    def __init__(self, labels: MaskLabels, formula: Formula) -> None:
        self.phases = [Phase(0)]
        self._into: dict[tuple[int, logic.Announced], Phase] = {}
        self._find_phases(formula, self.phases[0])
        self._grounds = [Ground.of(labels, self.phases)]
        self._downs: list[Index] = []  # for each graph but the first, the nodes below its nodes
        self._levels: dict[Formula, int] = {}
        self._settled: dict[tuple[Formula, int], Formula] = {}
        self._tracked: dict[tuple[object, ...], list[tuple[int, Possible, int, Marks]]] = {}

    @property
    def top(self) -> Ground:
        """The graph that was made last."""
        return self._grounds[-1]

    @property
    def _telling(self) -> bool:
        return len(self.phases) > 1

    def _find_phases(self, formula: Formula, phase: Phase) -> None:
        for part in _parts(formula):
            if isinstance(part, logic.Announced):
                self._find_phases(part.said, phase)
                if (phase.number, part) not in self._into:
                    child = self._into[phase.number, part] = Phase(len(self.phases), phase, part)
                    self.phases.append(child)
                    self._find_phases(part.arg, child)
            elif isinstance(part, logic.PAST):
                for before in phase.line[
                    :-1
                ]:  # at moments before an announcement its operands are asked as they were then
                    for operand in operands(part):
                        self._find_phases(operand, before)

    def into(self, phase: int, said: logic.Announced) -> int:
        """The number of the phase into which an announcement leads from another one."""
        return self._into[phase, said].number

    def is_settled(self, part: Formula, phase: int) -> bool:
        """Whether this part of the formula was asked in a phase."""
        return (part, phase) in self._settled

    # -- formulae --------------------------------------------------------------------------------------------------------

    def formula(self, formula: Formula, phase: Phase) -> Formula:
        """The formula in a phase, without operators about histories."""
        done: dict[Formula, Formula] = {}
        for part in _parts(formula):
            key = part, phase.number
            if key not in self._settled:
                self._settled[key] = self._part(part, phase, done)
            done[part] = self._settled[key]
        return done[formula]

    def _part(self, part: Formula, phase: Phase, done: dict[Formula, Formula]) -> Formula:
        if isinstance(part, logic.Announced):
            return self._announced(part, phase)
        new = with_operands(part, tuple([done[operand] for operand in operands(part)]))
        if isinstance(part, logic.PAST) and all(map(is_state, operands(new))):
            return self._past(part, new, phase)
        if isinstance(new, logic.Remembers):
            return self._known(part, new.word, new.reading, new.group, new.arg, phase)
        if self._telling and isinstance(new, logic.KNOWING):
            arg = new.arg if is_state(new.arg) else logic.ForAll(new.arg, star=True)
            if isinstance(new, logic.Correct):
                return self._known(part, "O", Reading.OBSERVATION, Group((new.agent,)), arg, phase)
            group = new.group if not isinstance(new, logic.Knows) else Group((new.agent,))
            return self._known(part, _WHO_KNOWS[type(new)], Reading.OBSERVATION, group, arg, phase)
        return new

    def _named(self, where: Mask) -> Formula:
        """A proposition of this name holds here, on the graph at hand and those that grow from it."""
        name = logic.Prop(f"of histories {len(self._levels)}")
        fact(self.top, name, where)
        self._levels[name] = self.top.number
        return name

    def _level(self, formula: Formula) -> int:
        """The first graph on which a settled formula has a meaning."""
        return max((self._levels.get(part, 0) for part in subformulae(formula)), default=0)

    def _where(self, formula: Formula, level: int) -> Mask:
        """Where a settled formula holds, on one of the graphs."""
        if any(isinstance(part, logic.PAST) for part in subformulae(formula)):
            raise Refused(_NOT_BELOW)
        return self._grounds[level].labels.label(formula)

    # -- operators -------------------------------------------------------------------------------------------------------

    def _announced(self, part: logic.Announced, phase: Phase) -> Formula:
        child = self._into[phase.number, part]
        said, arg = self.formula(part.said, phase), self.formula(part.arg, child)
        top = self.top
        true, after = self._where(said, top.number), self._where(arg, top.number)
        jump = top.jumps[child.number]
        here = true & (jump != NOWHERE)
        where = ~true
        where[here] = after[jump[here]]
        return self._named(where)

    def _past(self, part: Formula, new: Formula, phase: Phase) -> Formula:
        """One bit beside each node: what the operator was worth before; at moments before an announcement, as it was then."""
        if self._telling and _looks_ahead(part):
            raise Refused(_NOT_BELOW)
        asked = [[self.formula(operand, one) for one in phase.line] for operand in operands(part)]
        top = self.top
        masks = [np.zeros(len(top.phase), dtype=np.bool_) for _ in asked]
        for mask, readings in zip(masks, asked, strict=True):
            for one, operand in zip(phase.line, readings, strict=True):
                inside = top.phase == one.number
                mask[inside] = self._where(operand, top.number)[inside]

        def worth(before: Mask, nodes: Index) -> Mask:
            return _worth(part, before, [mask[nodes] for mask in masks])

        def moved_on(before: Mask, nodes: Index) -> Mask:
            return masks[0][nodes] if isinstance(part, logic.Yesterday) else worth(before, nodes)

        tracker = Carrying(isinstance(part, logic.Historically), moved_on)
        marks, nodes = self._grow(tracker, top.number, {})
        return self._named(worth(marks == 1, nodes))

    def _known(self, part: Formula, word: str, reading: Reading, group: Group, arg: Formula, phase: Phase) -> Formula:
        if word == "GK":
            each = [self._known(part, "K", reading, Group((one,)), arg, phase) for one in group.members]
            return logic.And(tuple(each)) if each else logic.Truth(True)
        if word == "GCK" and not group.members:
            return arg
        said = {
            one.number: self.formula(one.said.said, one.parent) for one in phase.line[1:] if one.said and one.parent
        }
        level = max([self._level(arg), *map(self._level, said.values())])
        positions = self._positions(word, group)
        if word == "GCK" and reading is Reading.RECALL and len({*positions}) > 1:
            return self._commonly_remembered(level, positions, said, arg)
        observer = positions[0] if reading in (Reading.RECALL, Reading.CHANGES) else None
        level, possible, marks, nodes = self._possible(reading, observer, phase, level, said)
        ground = self._grounds[level]
        views = [self._grounds[level].labels.structure.views(seen) for seen in positions]
        where = self._where(arg, level)
        if word == "O":
            where = where | ~self._where(logic.Colour(group.members[0], green=True), level)
            views = [np.zeros_like(views[0])]
        return self._named(_known_in(possible, marks, nodes, views, where, ground))

    def _commonly_remembered(
        self, level: int, positions: list[tuple[int, ...]], said: dict[int, Formula], arg: Formula
    ) -> Formula:
        """GCK by recall, along the levels of all histories of one length."""
        ground = self._grounds[level]
        masks = {number: self._where(formula, level) for number, formula in said.items()}
        above = {number: self._where(formula, self.top.number) for number, formula in said.items()}
        levels = Levels(ground, masks, [ground.labels.structure.views(seen) for seen in positions])
        marks, _ = self._grow(levels, level, above)
        where = self._where(arg, level)
        common = {mark: mark != GONE and levels.common(mark, where) for mark in np.unique(marks).tolist()}
        return self._named(np.array([common[mark] for mark in marks.tolist()], dtype=np.bool_))

    def _positions(self, word: str, group: Group) -> list[tuple[int, ...]]:
        system = self.top.labels.structure.system
        return [system.pooled_view(group)] if word == "DK" else [system.views[one] for one in group.members]

    def _possible(
        self, reading: Reading, observer: tuple[int, ...] | None, phase: Phase, level: int, said: dict[int, Formula]
    ) -> tuple[int, Possible, Marks, Index]:
        """A tracker of what is possible, with its mark beside each node of the top graph, and the nodes of its own graph below these."""
        known = self._tracked.setdefault((reading, observer, phase.number), [])
        found = next((one for one in known if one[0] >= level), None)
        if found is None:
            ground = self._grounds[level]
            masks = {number: self._where(formula, level) for number, formula in said.items()}
            above = {number: self._where(formula, self.top.number) for number, formula in said.items()}
            tracker: Possible
            if observer is None:
                tracker = (Clock if reading is Reading.CLOCK else Anywhere)(ground, masks)
            else:
                views = ground.labels.structure.views(observer)
                tracker = (Recall if reading is Reading.RECALL else Changes)(ground, masks, views)
            assert isinstance(tracker, (Clock, Anywhere, Recall))
            marks, _ = self._grow(tracker, level, above)
            found = level, tracker, self.top.number, marks
            known.append(found)
        level, possible, made, marks = found
        return level, possible, marks[self._down(made)], self._down(level)

    def _grow(self, tracker: Tracker, level: int, said: dict[int, Mask]) -> tuple[Marks, Index]:
        """Make the next graph; the mark beside each of its nodes, and its nodes on the graph before."""
        ground, nodes, marks = self.top.grown(tracker, self._down(level), said)
        self._grounds.append(ground)
        self._downs.append(nodes)
        return marks, nodes

    def _down(self, level: int) -> Index:
        """For each node of the top graph the one below it on an earlier graph."""
        nodes: Index = np.arange(len(self.top.phase), dtype=np.int64)
        for down in reversed(self._downs[level:]):
            nodes = down[nodes]
        return nodes


def _known_in(
    possible: Possible, marks: Marks, nodes: Index, views: list[Numbers], where: Mask, ground: Ground
) -> Mask:
    """At which nodes the fact holds in all possible nodes that look the same, or that chains of such lead to."""
    result = np.zeros(len(marks), dtype=np.bool_)
    for mark in np.unique(marks):
        if mark == GONE:
            continue
        members = possible.sets[mark]
        seen = common_views([view[members] for view in views], None)
        doubtful = np.zeros(int(seen.max(initial=0)) + 1, dtype=np.bool_)
        doubtful[seen[~where[members]]] = True
        asked = np.flatnonzero(marks == mark)
        places = np.searchsorted(members, nodes[asked])
        assert (members[places] == nodes[asked]).all(), "a history is possible"
        result[asked] = ~doubtful[seen[places]]
        ground.budget.check()
    return result


def _worth(part: Formula, before: Mask, parts: list[Mask]) -> Mask:
    """What a past operator is worth, given its bit and what its operands are worth now."""
    match part:
        case logic.Yesterday():
            return before
        case logic.Once():
            return before | parts[0]
        case logic.Historically():
            return before & parts[0]
        case _:
            return parts[1] | (parts[0] & before)


def _parts(formula: Formula) -> Iterator[Formula]:
    """The subformulae, operands first, none of them inside an announcement's formulae."""
    seen: set[Formula] = set()
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    while stack:
        part, ready = stack.pop()
        if ready:
            yield part
        elif part not in seen:
            seen.add(part)
            stack.append((part, True))
            if not isinstance(part, logic.Announced):
                stack.extend((operand, False) for operand in reversed(operands(part)))


def _looks_ahead(part: Formula) -> bool:
    return any(isinstance(one, (logic.ForAll, logic.Exists, *logic.FUTURE)) for one in subformulae(*operands(part)))
