"""What the engine knows of a system, for those who prove its verdicts again: an order of the bits, and the reachable states."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.engines.symbolic.checker import Checker
from epistrat.evidence.proof.bits import Slot
from epistrat.evidence.proof.prove import Hinted
from epistrat.evidence.proof.search import Circuit, Node
from epistrat.solvers.bdd import Algebra

_MOST_NODES = 200_000  # of the reachable states: more take longer to export than a search takes

_BETWEEN_TICKS = 1_000  # nodes


def exported(checker: Checker, tick: Callable[[], object]) -> Hinted:
    """The order, and the reachable states if they were searched and are not too large."""
    space = checker.space
    layout, algebra = space.encoding.layout, space.algebra
    places = layout.places()
    order = tuple(place for _, place in sorted(places.items()))
    small = space.explored and algebra.library == "oxidd" and algebra.size(space.reachable) <= _MOST_NODES
    return Hinted(order, circuit(algebra, space.reachable, places, tick) if small else None)


def circuit(
    algebra: Algebra, states: object, places: dict[int, tuple[Slot, int]], tick: Callable[[], object]
) -> Circuit:
    """The nodes of a diagram, each after those below it."""
    number: dict[object, int] = {algebra.true: 1, algebra.false: -1}
    nodes: list[Node] = []
    stack = [states]
    while stack:
        one = stack[-1]
        if one in number:
            stack.pop()
            continue
        below = one.cofactors()  # type: ignore[attr-defined]  # OxiDD's functions have it
        missing = [other for other in below if other not in number]
        if missing:
            stack.extend(missing)
            continue
        slot, place = places[one.node_var()]  # type: ignore[attr-defined]  # and this
        nodes.append((slot, place, number[below[0]], number[below[1]]))
        if len(nodes) % _BETWEEN_TICKS == 0:
            tick()
        number[one] = len(nodes) + 1
        number[~one] = -len(nodes) - 1  # type: ignore[operator]  # a diagram, which can be negated
        stack.pop()
    return Circuit(tuple(nodes), number[states])
