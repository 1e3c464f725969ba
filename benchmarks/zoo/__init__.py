"""The zoo: shapes that no constant of an engine was chosen on, each with a size and a seed.

`SHAPES` names every shape with its generator, a size for the judge and growing sizes to measure with; `text(name, n, seed)` is the model.
Every third model (by seed and name) is scrambled: renamed and shuffled.  Half of the models are kept out: constants are chosen while
looking at the others, and results are reported on the kept-out half (`kept_out`).
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks.families import FAMILIES
from benchmarks.families.scramble import scramble
from benchmarks.families.text import ModelText, render
from benchmarks.zoo import channels, games, graphs, locks, machines, markets, places, puzzles, registers, sensors

Generator = Callable[[int, random.Random], ModelText]


@dataclass(frozen=True)
class Shape:
    """A generator, a size that the judge can check, and growing sizes to measure with."""

    generate: Generator
    tiny: int
    sizes: tuple[int, ...]


def _family(name: str) -> Generator:
    """A family of the older suites as a shape; the seed plays no part."""
    return lambda n, dice: FAMILIES[name].generate(n)


SHAPES: dict[str, Shape] = (
    {
        "pairs": Shape(locks.pairs, 3, (6, 9, 12, 15)),
        "bakery": Shape(locks.bakery, 2, (3, 4, 5, 6)),
        "peterson": Shape(locks.peterson, 2, (3, 4, 5, 6)),
        "semaphore": Shape(locks.semaphore, 3, (8, 12, 18, 26)),
        "readers_writers": Shape(locks.readers_writers, 2, (6, 10, 16, 24)),
        "philosophers": Shape(locks.philosophers, 2, (4, 6, 8, 10)),
        "alternating_bit": Shape(channels.alternating_bit, 2, (4, 8, 16, 32)),
        "window": Shape(channels.window, 3, (8, 16, 32, 64)),
        "chain": Shape(channels.chain, 2, (4, 8, 12, 16)),
        "broadcast": Shape(channels.broadcast, 2, (5, 8, 12, 20)),
        "key_exchange": Shape(channels.key_exchange, 2, (8, 16, 32, 64)),
        "token_bus": Shape(channels.token_bus, 3, (5, 7, 9, 12)),
        "contract_net": Shape(markets.contract_net, 2, (3, 4, 5, 6)),
        "sealed_bid": Shape(markets.sealed_bid, 2, (4, 8, 12, 16)),
        "double_auction": Shape(markets.double_auction, 2, (3, 4, 5, 6)),
        "bargaining": Shape(markets.bargaining, 3, (8, 16, 24, 32)),
        "coercion": Shape(markets.coercion, 2, (3, 4, 5, 7)),
        "committee": Shape(markets.committee, 3, (8, 12, 16, 20)),
        "parking": Shape(markets.parking, 2, (4, 5, 6, 7)),
        "hats": Shape(puzzles.hats, 3, (8, 12, 16, 24)),
        "logicians": Shape(puzzles.logicians, 3, (10, 20, 40, 80)),
        "consecutive": Shape(puzzles.consecutive, 4, (10, 20, 40, 80)),
        "sum_and_product": Shape(puzzles.sum_and_product, 5, (10, 16, 24, 32)),
        "russian_cards": Shape(puzzles.russian_cards, 2, (3, 4, 5)),
        "generals": Shape(puzzles.generals, 2, (8, 16, 32, 64)),
        "secret_sharing": Shape(puzzles.secret_sharing, 3, (8, 12, 16, 24)),
        "pennies": Shape(games.pennies, 2, (16, 32, 64, 128)),
        "nim": Shape(games.nim, 2, (6, 10, 14, 20)),
        "robots": Shape(places.robots, 3, (8, 12, 20, 32)),
        "grid_robots": Shape(places.grid_robots, 3, (6, 10, 16, 24)),
        "railway": Shape(places.railway, 1, (3, 4, 5, 7)),
        "warehouse": Shape(places.warehouse, 2, (5, 7, 9, 12)),
        "patrol": Shape(places.patrol, 4, (12, 20, 32, 48)),
        "traffic": Shape(places.traffic, 2, (4, 6, 8, 10)),
        "drones": Shape(places.drones, 2, (3, 4, 5, 6)),
        "tiny_agents": Shape(machines.tiny_agents, 4, (50, 100, 200, 400)),
        "monolith": Shape(machines.monolith, 3, (6, 10, 15, 20)),
        "wide_sensors": Shape(machines.wide_sensors, 3, (20, 50, 100, 250)),
        "long_tables": Shape(machines.long_tables, 10, (100, 250, 500, 1000)),
        "deep_arithmetic": Shape(machines.deep_arithmetic, 1, (3, 5, 7, 9)),
        "ledger": Shape(machines.ledger, 4, (15, 40, 100, 250)),
        "shift_register": Shape(machines.shift_register, 4, (12, 16, 20, 24)),
        "deadlines": Shape(machines.deadlines, 2, (3, 4, 5, 6)),
        "rooms": Shape(machines.rooms, 2, (4, 6, 8, 12)),
        "quorum": Shape(sensors.quorum, 4, (10, 14, 18, 24)),
        "thresholds": Shape(sensors.thresholds, 3, (10, 14, 20, 28)),
        "alike": Shape(sensors.alike, 5, (12, 18, 24, 36)),
        "dial": Shape(registers.dial, 5, (50, 100, 200)),
        "shifted_array": Shape(registers.shifted_array, 2, (5, 8, 12, 16)),
        "overlapping": Shape(registers.overlapping, 2, (3, 4, 6, 8)),
        "modulo": Shape(registers.modulo, 4, (12, 20, 32, 48)),
        "stack": Shape(registers.stack, 2, (5, 8, 12, 16)),
        "cash": Shape(registers.cash, 12, (40, 80, 160, 320)),
        "long_counters": Shape(registers.long_counters, 6, (60, 120, 250, 500)),
    }
    | {
        f"{graph}_{kind}": Shape(partial(graphs.drawn, graph, kind), 3, (6, 10, 15, 22))
        for graph in graphs.GRAPHS
        for kind in graphs.KINDS
    }
    | {
        name: Shape(_family(name), family.tiny[0], family.sizes)
        for name, family in FAMILIES.items()
        if name in ("auction", "lift", "cache", "election", "signing", "sparse", "vote", "gossip")
    }
)


def _chance(name: str, seed: int) -> int:
    return zlib.crc32(f"{name}/{seed}".encode())


def kept_out(name: str, seed: int) -> bool:
    """Whether the model may be looked at only to report, never to choose a constant."""
    return _chance(name, seed) % 2 == 1


def disguised(name: str, seed: int) -> bool:
    """Whether the model's names are scrambled and its declarations shuffled: every third is."""
    return _chance(name, seed) // 2 % 3 == 0


def model(name: str, n: int, seed: int = 1) -> ModelText:
    """The shape's model of size n, in disguise where it is that model's turn."""
    pieces = SHAPES[name].generate(n, random.Random(_chance(name, seed) ^ n))
    return scramble(pieces, seed) if disguised(name, seed) else pieces


def text(name: str, n: int, seed: int = 1) -> str:
    """The model as ISPL, with its only set of questions."""
    pieces = model(name, n, seed)
    return f"-- {name}, n = {n}, seed {seed}\n" + render(pieces, next(iter(pieces.specs)))
