"""In which order the factors of a relation are conjoined, and when each variable is quantified away.

A relation is never one diagram.  Its factors are put into a line, neighbours are joined into clusters as long as these stay small, and a
variable is quantified as soon as no later cluster mentions it.  The same clusters serve image and preimage.  Two lines are tried: by the
top variable of each factor, and greedily (next comes the factor that opens the fewest new variables and closes the most); the one
whose clusters have fewer nodes is kept.

*Private* variables, the action bits, are needed by the relation alone: when all factors that mention one are in the same cluster, it is
quantified there, once and for all.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.part import Part, Tick, no_tick, variables_of
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd, Cube

_GREEDY_LIMIT = 300  # the greedy line costs quadratic time in the number of factors
_GREEDY_GAIN = 0.9  # the greedy line must keep this much fewer variables open (docs/symbolic.md)


@dataclass(frozen=True, slots=True)
class Plan:
    """Clusters in order; before the first and after each one, a cube of variables nobody needs any more."""

    clusters: tuple[Bdd, ...]
    first: Cube | None
    cubes: tuple[Cube | None, ...]


def clusters(
    algebra: Algebra,
    parts: Sequence[Part],
    private: int,
    quantified: int,
    limit: int,
    tick: Tick = no_tick,
) -> list[Part]:
    """The factors joined into clusters of at most ``limit`` nodes, the better of two lines.

    ``quantified`` are the variables that the line is judged by: those that will be quantified in an image.
    """
    if not parts:
        return []
    by_level = sorted(parts, key=lambda part: part.support & -part.support)
    found = _cluster(algebra, by_level, private, limit, tick)
    if len(found) > 1 and len(parts) <= _GREEDY_LIMIT:
        greedy = _greedy(by_level, quantified | private)
        if _open_variables(greedy, quantified | private) < _GREEDY_GAIN * _open_variables(
            by_level, quantified | private
        ):
            other = _cluster(algebra, greedy, private, limit, tick)
            if total_size(algebra, other) < total_size(algebra, found):
                return other
    return found


def total_size(algebra: Algebra, parts: Sequence[Part]) -> int:
    """The nodes of all parts together, shared ones counted once per part."""
    return sum(algebra.size(part.function) for part in parts)


def plan(algebra: Algebra, parts: Sequence[Part], quantified: int) -> Plan:
    """The quantification schedule for these clusters in this order."""
    later = _later(parts)
    first = algebra.cube(variables_of(quantified & ~later[0]))
    cubes = [algebra.cube(variables_of(quantified & later[index] & ~later[index + 1])) for index in range(len(parts))]
    return Plan(tuple(part.function for part in parts), first, tuple(cubes))


def _cluster(algebra: Algebra, parts: Sequence[Part], private: int, limit: int, tick: Tick) -> list[Part]:
    """Join neighbours while the result stays below the limit."""
    later = _later(parts)
    closed = 0  # what the clusters made so far mention
    result: list[Part] = []
    current, size = Part(algebra.true, 0), 0
    for index, part in enumerate(parts):
        tick()
        finished = private & ~closed & ~later[index + 1]
        if size + algebra.size(part.function) <= 2 * limit:
            joined = _join(algebra, current, part, finished)
            nodes = algebra.size(joined.function)
            if nodes <= limit:
                current, size = joined, nodes
                continue
        if size:
            result.append(current)
            closed |= current.support
        current = _join(algebra, Part(algebra.true, 0), part, finished & ~closed)
        size = algebra.size(current.function)
    return [*result, current]


def _join(algebra: Algebra, one: Part, other: Part, finished: int) -> Part:
    """The conjunction, without the finished variables: nobody else mentions them."""
    support = one.support | other.support
    done = support & finished
    function = algebra.and_exists(one.function, other.function, algebra.cube(variables_of(done)))
    return Part(function, support & ~done)


def _later(parts: Sequence[Part]) -> list[int]:
    """For each position, what the factors from there on mention."""
    later = [0] * (len(parts) + 1)
    for index in range(len(parts) - 1, -1, -1):
        later[index] = later[index + 1] | parts[index].support
    return later


def _greedy(parts: Sequence[Part], counted: int) -> list[Part]:
    """The line in which each next factor opens fewest variables and closes most."""
    mentions = [tuple(variables_of(part.support & counted)) for part in parts]
    users: dict[int, int] = {}
    for variables in mentions:
        for variable in variables:
            users[variable] = users.get(variable, 0) + 1
    opened: set[int] = set()
    remaining = list(range(len(parts)))
    line: list[Part] = []
    while remaining:
        best, best_key = remaining[0], (1 << 30, 0)
        for index in remaining:
            new = closed = 0
            for variable in mentions[index]:
                new += variable not in opened
                closed += users[variable] == 1
            if (new - closed, -closed) < best_key:
                best, best_key = index, (new - closed, -closed)
        remaining.remove(best)
        line.append(parts[best])
        for variable in mentions[best]:
            opened.add(variable)
            users[variable] -= 1
    return line


def _open_variables(parts: Sequence[Part], counted: int) -> int:
    """The number of variables that are open at each position, summed up."""
    later = _later(parts)
    total, seen = 0, 0
    for index, part in enumerate(parts):
        seen |= part.support
        total += (seen & later[index] & counted).bit_count()
    return total
