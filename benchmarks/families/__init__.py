"""Scalable models, each family with its generator: what the benchmarks are made of.

`model(family, n)` returns the pieces of a model, `text(family, n, spec)` the ISPL.  The sizes in the registry are small enough for the
judge first, then those of the published tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.families.games import cards, prisoners, tian_ji
from benchmarks.families.knowledge import bit_transmission, dining_cryptographers, muddy_children
from benchmarks.families.networks import gossip, grid, pipe, ring, sparse, vote
from benchmarks.families.observers import battery, magic_box, payers, voters
from benchmarks.families.protocols import auction, cache, election, lift, signing
from benchmarks.families.scramble import rename, scramble
from benchmarks.families.text import ModelText, Question, render

__all__ = [
    "FAMILIES",
    "OBSERVED",
    "Family",
    "ModelText",
    "Question",
    "model",
    "questions",
    "rename",
    "scramble",
    "text",
]


@dataclass(frozen=True)
class Family:
    """A generator, the sizes that the judge can check, and the sizes that measure an engine."""

    generate: Callable[[int], ModelText]
    tiny: tuple[int, ...]
    sizes: tuple[int, ...]

    @property
    def summary(self) -> str:
        """The family in one line."""
        return (self.generate.__doc__ or "").strip().splitlines()[0]


FAMILIES: dict[str, Family] = {
    "dc": Family(dining_cryptographers, (3, 4), (20, 60, 240, 400)),
    "muddy": Family(muddy_children, (3, 4), (20, 40, 60, 100)),
    "btp": Family(bit_transmission, (2, 3), (16, 64, 256)),
    "prisoners": Family(prisoners, (2, 3), (10, 15, 20, 25)),
    "tianji": Family(tian_ji, (2, 3), (10, 16, 20, 30)),
    "cards": Family(cards, (2, 4), (8, 10, 12, 14)),
    "ring": Family(ring, (3, 4), (10, 20, 60, 100)),
    "grid": Family(grid, (2,), (8, 16, 32)),
    "vote": Family(vote, (3, 4), (8, 16, 24)),
    "sparse": Family(sparse, (3, 4), (12, 16, 20)),
    "gossip": Family(gossip, (3,), (4, 5)),
    "pipe": Family(pipe, (2, 3), (5, 10, 14)),
    "auction": Family(auction, (2, 3), (4, 8, 12)),
    "lift": Family(lift, (2, 3), (8, 16, 32)),
    "cache": Family(cache, (2, 3), (8, 16, 32)),
    "election": Family(election, (2, 3), (4, 6, 8)),
    "signing": Family(signing, (2, 3), (8, 16, 32)),
}


OBSERVED: dict[str, Family] = {
    "voters": Family(voters, (), (10, 50, 200)),
    "payers": Family(payers, (), (40, 100, 200, 400)),
    "magic": Family(magic_box, (), (8, 16, 24)),
    "battery": Family(battery, (), (1,)),
}
"""Families with observers, most of them infinite, which the judge cannot check; measured by ``benchmarks/lazy.py``."""


def model(family: str, n: int, *, scrambled: int | None = None, renamed: int | None = None, seed: int = 1) -> ModelText:
    """The family's model of size n; ``scrambled`` and ``renamed`` are seeds of disguises, ``seed`` that of a random family."""
    pieces = sparse(n, seed) if family == "sparse" else (FAMILIES | OBSERVED)[family].generate(n)
    if renamed is not None:
        pieces = rename(pieces, renamed)
    return pieces if scrambled is None else scramble(pieces, scrambled)


def questions(family: str, n: int, spec: str, *, seed: int = 1) -> tuple[Question, ...]:
    """What the spec asks of the model, with the verdicts that are known."""
    return model(family, n, seed=seed).specs[spec].questions


def text(
    family: str, n: int, spec: str, *, scrambled: int | None = None, renamed: int | None = None, seed: int = 1
) -> str:
    """The model with one spec, as ISPL."""
    disguise = "" if scrambled is None else f", scrambled with seed {scrambled}"
    disguise += "" if renamed is None else f", renamed with seed {renamed}"
    header = f"-- {family}, n = {n}, questions: {spec}{disguise}\n"
    return header + render(model(family, n, scrambled=scrambled, renamed=renamed, seed=seed), spec)
