"""A short run of the fuzzer, and its parts: drawing, comparing, shrinking, counting."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.fuzz.compare import compare
from tests.fuzz.draw import draw
from tests.fuzz.report import write
from tests.fuzz.shrink import shrink
from tests.fuzz.table import Table
from tests.generators import features
from tests.generators.features import FEATURES, Case

import epistrat
from epistrat.logic.formula import Knows, subformulae


@pytest.mark.parametrize("block", range(8))
def test_engines_agree_on_random_questions(block: int) -> None:
    table = Table()
    for seed in range(5 * block, 5 * block + 5):
        rng = random.Random(f"suite {seed}")
        result = compare(draw(rng, table.next_pair(rng)), seconds=0.2)
        assert not result.findings, (seed, result.findings)
        table.note(result.answered)


@pytest.mark.parametrize("name", sorted(FEATURES))
def test_a_wanted_feature_is_drawn(name: str) -> None:
    """Not always, for chance decides about the rest, but soon."""
    for seed in range(30):
        case = draw(random.Random(seed), (name,))
        answered = compare(case, seconds=0.3, engines=("reference", "symbolic")).answered
        if any(name in features.of(asked) for _, asked in answered):
            return
    pytest.fail(f"{name} was never drawn")


def test_shrinking_keeps_the_fault_and_little_else() -> None:
    def faulty(case: Case) -> bool:
        """As if engines could not bear an agent with red states and a K in the last formula."""
        knows = any(isinstance(part, Knows) for part in subformulae(case.formulae[-1]))
        return knows and any(agent.red is not None for agent in case.system.agents)

    rng = random.Random(3)
    case = next(case for case in (draw(rng, ("red", "K")) for _ in range(50)) if faulty(case))
    small = shrink(case, faulty, seconds=600)
    assert faulty(small)
    assert len(small.formulae) == 1
    assert len(small.system.agents) == 1
    assert not small.system.agents[0].evolution


def test_a_finding_is_a_file_that_loads(tmp_path: Path) -> None:
    from tests.fuzz.compare import Finding

    case = draw(random.Random(1), ("K", "overflow"))
    file = write(tmp_path, case, Finding("verdict", "symbolic", "words"), "fewer words", 1)
    assert "fewer words" in file.read_text()
    assert len(epistrat.load(file).formulae) == len(case.formulae)


def test_pairs_below_a_threshold_are_named() -> None:
    table = Table()
    assert ("symbolic", ("K", "S"), 0) in table.below(1)
    assert ("explicit", ("<g>F", "interleaved"), 0) in table.below(1)
    assert not any(pair == ("copied", "interleaved") for _, pair, _ in table.below(1))
