"""Evolution lines of synchronous agents, applied to many states and joint actions at once.

A guard is evaluated as arrays: its tests of actions by comparing the chosen actions, everything else once per state.  Assigned
values are computed like conditions (see `VectorConditions`): as arrays where that is exact, else by the reference evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field as member
from typing import Any

import numpy as np

from epistrat import terms as t
from epistrat.engines.explicit.conditions import VectorConditions, equals_number
from epistrat.engines.explicit.growing import Growing
from epistrat.engines.explicit.layout import Block, Codes, Field, Layout, Mask, Words
from epistrat.engines.explicit.scope import Scope
from epistrat.engines.witness.facts import beyond, may_leave
from epistrat.model.agent import Agent, EvolutionLine
from epistrat.model.alternatives import alternatives
from epistrat.model.evaluate import Evaluator
from epistrat.records import dataclass
from epistrat.terms import Expr, subterms, variables

_MANY = 32  # lines of an agent from which on guards are sieved
_NOTHING: Codes = np.zeros(0, dtype=np.int64)


@dataclass(slots=True)
class Joint:
    """Joint actions in the states of a block: for each its state's row, its number among those of the state, and each agent's class."""

    rows: Codes
    numbers: Codes
    classes: dict[int, Codes]

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, index: Codes) -> Joint:
        """Some of the joint actions, in the given order."""
        classes = {agent: codes[index] for agent, codes in self.classes.items()}
        return Joint(self.rows[index], self.numbers[index], classes)


class Effect:
    """What an assignment does in a state: whether the value is in the domain, and its bits."""

    def __init__(
        self, layout: Layout, conditions: VectorConditions, evaluator: Evaluator, target: Field, value: Expr
    ) -> None:
        self._layout, self._conditions, self._evaluator = layout, conditions, evaluator
        self._value = value
        self.target = target
        self._scope = Scope(layout, sorted(layout.system.position[key] for key in variables(value)))
        self._good: Growing[np.bool_] = Growing(np.bool_)
        self._beyond: Growing[np.bool_] = Growing(np.bool_)
        self._bits: Growing[np.uint64] = Growing(np.uint64)

    @property
    def risky(self) -> bool:
        """Whether the value might lie beyond the target's bounds."""
        return may_leave(self.target.domain, self._value)

    def look_up(self, block: Block) -> tuple[Mask, Mask, Words]:
        """For each state: is the value in the domain, is it beyond the domain's bounds, and its bits in place."""
        domain, shift = self.target.domain, np.uint64(self.target.shift)
        if isinstance(domain, t.Boolean):
            bits = self._conditions.holds(self._value, block).astype(np.uint64) << shift
            return np.ones(len(block), dtype=np.bool_), np.zeros(len(block), dtype=np.bool_), bits
        values = self._conditions.number(self._value, block) if isinstance(domain, t.Bounded) else None
        if values is not None and isinstance(domain, t.Bounded):
            beyond = np.asarray((values < domain.low) | (values > domain.high))
            bits = np.where(beyond, 0, values - domain.low).astype(np.uint64) << shift
            return ~beyond, beyond, bits
        return self._tabulated(block)

    def _tabulated(self, block: Block) -> tuple[Mask, Mask, Words]:
        """The same by the number of what the value reads, asking the reference evaluator where that is new."""
        numbers, new = self._scope.number(block)
        if len(new):
            for packed in self._layout.integers(block[new]):
                state = self._layout.unpack_some(packed, self._scope.positions)
                self._tabulate(self._evaluator.value(self._value, state))
        return self._good.array[numbers], self._beyond.array[numbers], self._bits.array[numbers]

    def _tabulate(self, value: Any) -> None:
        domain = self.target.domain
        good = value in domain
        self._good.extend([good])
        self._beyond.extend([beyond(domain, value)])
        self._bits.extend([domain.code(value) << self.target.shift if good else 0])


@dataclass(frozen=True, slots=True)
class Line:
    """One evolution line: its number in the model (from 1), its guard, and what it assigns."""

    number: int
    guard: Expr
    effects: tuple[Effect, ...]


@dataclass
class Alternatives:
    """Lines of which one is executed: all lines of an agent, or (SingleAssignment) those that assign one variable.

    If none is enabled, what they could assign stays as it is.
    """

    lines: list[Line]
    guards: Guards = member(repr=False)
    many: bool = False
    """Whether guards are worth sieving."""

    @property
    def risky(self) -> bool:
        """Whether some line might compute a value beyond its target's bounds."""
        return any(effect.risky for line in self.lines for effect in line.effects)

    def moves(self, block: Block, joint: Joint, targets: Block) -> tuple[Codes | None, Block]:
        """All moves: for each the index of its joint action (None if each has one, in order), and the targets, changed by it."""
        indices: list[Codes] = []
        results: list[Block] = []
        idle = np.ones(len(joint), dtype=np.bool_)
        sieve = Sieve(self.guards, block, joint)
        for line in self.lines:
            if self.many:
                index = sieve.index(line.guard)
            else:
                index = np.flatnonzero(self.guards.holds(line.guard, block, joint))
            idle[index] = False
            if len(index):
                index, changed = _execute(line, block, joint, targets, index)
                indices.append(index)
                results.append(changed)
        staying = np.flatnonzero(idle)
        indices.append(staying)
        results.append(targets[staying])
        found, changed = np.concatenate(indices), np.concatenate(results)
        if len(found) == len(joint):
            place = np.full(len(joint), -1, dtype=np.int64)
            place[found] = np.arange(len(found))
            if not len(place) or place.min() >= 0:
                return None, changed[place]
        return found, changed

    def beyond(self, block: Block) -> list[tuple[Line, Mask]]:
        """The lines that compute a value beyond their target's bounds in some state, whether or not their guards hold there."""
        found: list[tuple[Line, Mask]] = []
        for line in self.lines:
            masks = [effect.look_up(block)[1] for effect in line.effects if effect.risky]
            if masks and (beyond := np.asarray(np.logical_or.reduce(masks))).any():
                found.append((line, beyond))
        return found


def _execute(line: Line, block: Block, joint: Joint, targets: Block, index: Codes) -> tuple[Codes, Block]:
    """Execute a line where its guard holds; where a value leaves its domain there is no move."""
    rows = joint.rows[index]
    if len(index) < len(block):  # fewer values than states
        block, rows = block[rows], np.arange(len(index))
    looked = [effect.look_up(block) for effect in line.effects]
    good = np.logical_and.reduce([good[rows] for good, _, _ in looked])
    index, rows = index[good], rows[good]
    changed = targets[index]
    for effect, (_, _, bits) in zip(line.effects, looked, strict=True):
        target = effect.target
        keep = ~np.uint64(((1 << target.bits) - 1) << target.shift)
        changed[:, target.word] = changed[:, target.word] & keep | bits[rows]
    return index, changed


class Guards:
    """Guards over states and classes of actions."""

    def __init__(
        self, conditions: VectorConditions, classes: Sequence[Mapping[str, int]], actors: Mapping[str, int]
    ) -> None:
        self.conditions, self._classes, self._actors = conditions, classes, actors
        self._acting: dict[Expr, bool] = {}
        self._parts: dict[Expr, tuple[Expr, ...]] = {}

    def holds(self, guard: Expr, block: Block, joint: Joint) -> Mask:
        """Under which of the joint actions the guard holds."""
        if not self.tests_actions(guard):
            return self.conditions.holds(guard, block)[joint.rows]
        match guard:
            case t.ActionIs(agent, action):
                actor = self._actors[agent]
                same: Mask = joint.classes[actor] == self._classes[actor][action]
                return same
            case t.Not(arg):
                return ~self.holds(arg, block, joint)
            case t.And(args) | t.Or(args):
                result = self.holds(args[0], block, joint)
                for arg in args[1:]:
                    other = self.holds(arg, block, joint)
                    result = result & other if isinstance(guard, t.And) else result | other
                return result
            case t.AtLeast(number, args):
                return np.asarray(np.sum([self.holds(arg, block, joint) for arg in args], axis=0) >= number)
            case t.Xor(left, right):
                return self.holds(left, block, joint) ^ self.holds(right, block, joint)
            case t.Compare(_, left, right):  # only equality compares truth values
                return ~(self.holds(left, block, joint) ^ self.holds(right, block, joint))
            case _:
                raise AssertionError(f"not a guard: {guard}")

    def parts(self, guard: Expr) -> tuple[Expr, ...]:
        """The conditions whose conjunction the guard is; those that test actions come first."""
        if guard not in self._parts:
            args = guard.args if isinstance(guard, t.And) else (guard,)
            self._parts[guard] = tuple(sorted(args, key=self.tests_actions, reverse=True))
        return self._parts[guard]

    def tests_actions(self, guard: Expr) -> bool:
        """Whether the guard depends on actions."""
        found = self._acting.get(guard)
        if found is None:
            found = self._acting[guard] = any(isinstance(term, t.ActionIs) for term in subterms(guard))
        return found


class Sieve:
    """The joint actions under which guards hold, found condition by condition; guards that begin alike share the work."""

    def __init__(self, guards: Guards, block: Block, joint: Joint) -> None:
        self._guards, self._block, self._joint = guards, block, joint
        self._found: dict[tuple[Expr, ...], Codes] = {}
        self._sorted: dict[tuple[tuple[Expr, ...], Expr], dict[int, Codes]] = {}

    def index(self, guard: Expr) -> Codes:
        """Under which joint actions the guard holds."""
        index: Codes | None = None
        begin: tuple[Expr, ...] = ()
        for part in self._guards.parts(guard):
            begin = (*begin, part)
            found = self._found.get(begin)
            if found is None:
                asked = equals_number(part)
                if asked is None or (found := self._equal(*asked, begin[:-1], index)) is None:
                    found = self._satisfying(part, index)
                self._found[begin] = found
            index = found
        assert index is not None
        return index

    def _equal(self, variable: Expr, number: int, begin: tuple[Expr, ...], index: Codes | None) -> Codes | None:
        """Those under which a variable is this number; None: it is no whole number.  They are sorted by its values once."""
        by_value = self._sorted.get((begin, variable))
        if by_value is None:
            values = self._guards.conditions.number(variable, self._block)
            if values is None:
                return None
            values = values[self._joint.rows] if index is None else values[self._joint.rows[index]]
            line = np.argsort(values, kind="stable")
            found, starts = np.unique(values[line], return_index=True)
            rows = np.split(line if index is None else index[line], starts[1:])
            by_value = self._sorted[begin, variable] = dict(zip(found.tolist(), rows, strict=False))
        return by_value.get(number, _NOTHING)

    def _satisfying(self, part: Expr, index: Codes | None) -> Codes:
        """Those of some joint actions (all, if None) under which a condition holds."""
        if index is None:
            return np.flatnonzero(self._guards.holds(part, self._block, self._joint))
        block = self._block[self._joint.rows[index]]
        classes = self._joint.classes if self._guards.tests_actions(part) else {}
        joint = Joint(np.arange(len(index)), index, {agent: codes[index] for agent, codes in classes.items()})
        return index[self._guards.holds(part, block, joint)]


def parts(layout: Layout, guards: Guards, evaluator: Evaluator, agent: Agent) -> list[Alternatives]:
    """The agent's evolution lines, grouped into those of which one is executed."""
    position = layout.system.position

    def line(number: int, written: EvolutionLine) -> Line:
        fields = [layout.fields[position[agent.name, one.target]] for one in written.assignments]
        pairs = zip(fields, written.assignments, strict=True)
        effects = [Effect(layout, guards.conditions, evaluator, field, a.value) for field, a in pairs]
        return Line(number, written.guard, tuple(effects))

    many = len(agent.evolution) >= layout.patience.most(_MANY)
    return [
        Alternatives([line(number, one) for number, one in group.lines], guards, many)
        for group in alternatives(agent, layout.system.semantics)
        if group.lines
    ]
