"""Splitting a branch by the value of an action that most factors depend on.

Where one agent's action decides what everybody else does (a scheduler), each of its values makes a much simpler relation: factors
shrink, and what does not move under that value drops out.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.branch import Branch
from epistrat.encoding.part import Part, variables_of
from epistrat.records import dataclass, replace
from epistrat.solvers.bdd import Algebra

_SHARE = 0.5  # an action is worth a split if this share of the factors depends on it
_MOST_VALUES = 64  # each becomes a branch of its own


@dataclass(frozen=True, slots=True)
class Splitter:
    """Private bits whose values exclude each other: one condition per value."""

    bits: int
    values: tuple[Part, ...]


def choose_splitter(branch: Branch, splitters: Sequence[Splitter], fewest: int) -> Splitter | None:
    """The splitter that most factors depend on, if these are at least ``fewest`` and enough; with 0 any number will do."""
    best, most = None, max(fewest, _SHARE * len(branch.parts)) if fewest else 0
    for splitter in splitters:
        users = sum(1 for part in branch.parts if part.support & splitter.bits)
        if users >= most and len(splitter.values) <= _MOST_VALUES and (best is None or users > most):
            best, most = splitter, users
    return best


def split(algebra: Algebra, branch: Branch, splitter: Splitter) -> list[Branch]:
    """One branch per value that allows a step.  Assumes that the values exclude each other, so that a step is in one branch only."""
    assert _exclusive(algebra, splitter)
    cube = algebra.cube(variables_of(splitter.bits))
    stays = {~algebra.xor(algebra.var[old], algebra.var[new]): (old, new) for old, new in branch.pairs}
    branches = []
    for value in splitter.values:
        parts, still = [], set()
        for part in branch.parts:
            if part.support & splitter.bits:
                function = algebra.and_exists(part.function, value.function, cube)
                part = Part(function, part.support & ~splitter.bits)
            if part.function in stays:
                still.add(stays[part.function])
            elif part.function != algebra.true:
                parts.append(part)
        if all(part.function != algebra.false for part in parts):
            moved = tuple(pair for pair in branch.pairs if pair not in still)
            branches.append(replace(branch, parts=tuple(parts), pairs=moved, when=value))
    return branches


def _exclusive(algebra: Algebra, splitter: Splitter) -> bool:
    seen = algebra.false
    for value in splitter.values:
        if seen & value.function != algebra.false:
            return False
        seen = seen | value.function
    return True
