"""The models to learn from: scenarios, which have sizes, and examples, with what they say of themselves."""

from __future__ import annotations

import itertools
from pathlib import Path

from epistrat import scenarios

_PACKAGE = Path(__file__).parent

START = ("dining_cryptographers.ispl", "muddy_children.ispl", "card_game.ispl", "unbounded/bakery.ispl")
"""What knowledge, possible worlds, strategies and unbounded models are about, in this order."""

_EASY = frozenset(
    (
        "scenarios/bit-transmission",
        "scenarios/dining-cryptographers",
        "scenarios/drinking-logicians",
        "scenarios/hats",
        "scenarios/muddy-children",
        "scenarios/prisoners",
        "scenarios/tian-ji",
        "scenarios/two-generals",
        "scenarios/cards",
        "scenarios/token-ring",
        "agents/lights",
        "agents/card",
        "contract",
        "red_states",
        "unbounded/nim",
        "unbounded/account",
        "unbounded/producer_consumer",
    )
)
_HARD = frozenset(
    (
        "scenarios/auction",
        "scenarios/authentication",
        "scenarios/batteries",
        "scenarios/cache-coherence",
        "scenarios/contract-signing",
        "scenarios/cryptographers-in-turn",
        "scenarios/leader-election",
        "scenarios/russian-cards",
        "scenarios/sparse-agents",
        "scenarios/sum-and-product",
        "scenarios/write-once-caches",
        "scenarios/secret-ballot",
        "interleaved/cryptographers_in_turn",
        "interleaved/write_once_caches",
        "authentication",
        "unbounded/cop_robber",
        "unbounded/drift",
        "unbounded/noninterference",
        "unbounded/opacity",
        "unbounded/number_transmission",
        "agents/council",
        "agents/secret_ratchet",
    )
)


def examples() -> dict[str, Path]:
    """The scenarios, which have sizes, and the example models: those in the package, or, in a working copy, those beside it."""
    found = {f"scenarios/{name}.ispl": Path(scenarios.file(name)) for name in scenarios.names()}
    for folder in (_PACKAGE / "assets" / "examples", _PACKAGE.parents[2] / "examples"):
        if folder.is_dir():
            return found | {str(file.relative_to(folder)): file for file in sorted(folder.rglob("*.ispl"))}
    return found


def level(name: str) -> int:
    """How much an example asks of who reads it, from 1 to 3."""
    stem = name.removesuffix(".ispl")
    return 1 if stem in _EASY or name in START else 3 if stem in _HARD else 2


def twin(name: str) -> str:
    """The scenario that tells the same story in any size; empty where there is none."""
    scenario = f"scenarios/{name.replace('_', '-')}"
    return scenario if scenario in examples() and scenario != name else ""


def story(text: str) -> tuple[str, str]:
    """What a model says of itself in its first comment: the title, and the first paragraph below it that is prose, not a drawing."""
    bare = [line.strip() for line in text.splitlines()]
    comment = [line.removeprefix("--") for line in itertools.takewhile(lambda line: line.startswith("--"), bare)]
    title = comment[0].strip() if comment else ""
    comment = [line for line in comment if not line.lstrip().startswith("expect")]
    paragraphs = (
        list(group) for prose, group in itertools.groupby(comment[1:], lambda line: bool(line.strip())) if prose
    )
    prose = (lines for lines in paragraphs if not any("   " in line for line in lines))
    return title, " ".join(line.strip() for line in next(prose, []))
