"""CTL: the path quantifiers over one temporal operator, by preimages, reachability and their duals.

With fairness, paths are fair paths.  Without, the conventions at dead ends follow from the definitions: ``EX f`` and ``EG f`` are false
there, ``EF f`` is f, ``E(f U g)`` is g, and the universal ones are the duals of these.
"""

from __future__ import annotations

from epistrat.engines.reference.graph import Nodes, World, backwards, on_fair_cycles
from epistrat.logic.formula import Finally, Formula, Globally, Next, Release, Until, WeakUntil


def exists_next(world: World, f: Nodes) -> Nodes:
    """``EX f``: some next node satisfies f."""
    return frozenset(parent for node in f for parent in world.graph.parents[node] if parent in world.nodes)


def exists_until(world: World, f: Nodes, g: Nodes) -> Nodes:
    """``E(f U g)``: a path leads to g, and f holds at every node before."""
    parents = world.graph.parents
    return frozenset(backwards(g, lambda node: [parent for parent in parents[node] if parent in f]))


def exists_globally(world: World, f: Nodes) -> Nodes:
    """``EG f``: a (fair) infinite path stays in f: it reaches, inside f, a cycle that meets every fairness constraint."""
    graph = world.graph

    def inside(node: int) -> list[int]:
        return [child for child in graph.child[node].values() if child in f]

    cycles = on_fair_cycles(f, inside, [constraint.__contains__ for constraint in world.constraints])
    return exists_until(world, f, frozenset(cycles))


def fair_nodes(world: World) -> Nodes:
    """The nodes from which a (fair) infinite path starts: ``EG true``."""
    return exists_globally(world, world.nodes)


def exists(world: World, shape: Formula, args: list[Nodes]) -> Nodes:
    """``E`` over one temporal operator, given the nodes that satisfy the operands.

    ``E(f W g) = E(f U g) | EG f`` and ``f R g = g W (f & g)``.
    """
    match shape:
        case Next():
            return exists_next(world, args[0])
        case Finally():
            return exists_until(world, world.nodes, args[0])
        case Globally():
            return exists_globally(world, args[0])
        case Until():
            return exists_until(world, args[0], args[1])
        case WeakUntil():
            return exists_until(world, args[0], args[1]) | exists_globally(world, args[0])
        case Release():
            return exists(world, WeakUntil(shape.right, shape.left), [args[1], args[0] & args[1]])
        case _:
            raise TypeError(f"not a CTL shape: {shape}")


def for_all(world: World, shape: Formula, args: list[Nodes]) -> Nodes:
    """``A`` over one temporal operator: no path violates it.

    ``AX f = !EX !f``, ``AF f = !EG !f``, ``AG f = !EF !f``, ``A(f U g) = !(E(!g U (!f & !g)) | EG !g)``,
    ``A(f W g) = !E(!g U (!f & !g))``, ``A(f R g) = !E(!f U !g)``.
    """
    no = [world.nodes - arg for arg in args]
    match shape:
        case Next():
            bad = exists_next(world, no[0])
        case Finally():
            bad = exists_globally(world, no[0])
        case Globally():
            bad = exists_until(world, world.nodes, no[0])
        case Until():
            bad = exists_until(world, no[1], no[0] & no[1]) | exists_globally(world, no[1])
        case WeakUntil():
            bad = exists_until(world, no[1], no[0] & no[1])
        case Release():
            bad = exists_until(world, no[0], no[1])
        case _:
            raise TypeError(f"not a CTL shape: {shape}")
    return world.nodes - bad
