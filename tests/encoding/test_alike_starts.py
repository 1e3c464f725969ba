"""Initial conditions that treat many items alike say nothing about where these belong in an order."""

from __future__ import annotations

from itertools import pairwise

from benchmarks.zoo import text

from epistrat.encoding.footprint import Footprint
from epistrat.encoding.order import Arrangement, Orders
from epistrat.encoding.part import variables_of
from epistrat.lang import load


def _footprint(source: str) -> Footprint:
    system = load(source).system
    assert system is not None
    return Footprint(system)


def test_an_agent_stays_together_where_the_start_ties_all_to_all() -> None:
    footprint = _footprint(text("thresholds", 12, 2))
    line = [footprint.items[item].agent for block in Orders(footprint).blocks(Arrangement()) for item in block.items]
    changes = sum(one != other for one, other in pairwise(line))
    assert changes < len(set(line)) + 3  # nearly every agent's items stand next to each other


def test_a_start_that_says_where_things_belong_is_kept() -> None:
    chain = " and ".join(f"A{i}.x = A{i + 1}.x" for i in range(1, 12))
    agents = "".join(
        f"Agent A{i} Vars: x : 0..3; end Vars Actions = {{a, b}}; Protocol: Other : {{a, b}}; end Protocol"
        f" Evolution: x = 0 if Action = a; end Evolution end Agent "
        for i in range(1, 13)
    )
    footprint = _footprint(
        agents
        + f"Evaluation p if A1.x = 0; end Evaluation InitStates {chain}; end InitStates Formulae AG p; end Formulae"
    )
    edges = [
        {(footprint.items[item].agent, footprint.items[item].name) for item in variables_of(edge)}
        for edge in footprint.edges()
    ]
    assert all({(f"A{i}", "x"), (f"A{i + 1}", "x")} in edges for i in range(1, 12))


def test_a_proposition_that_compares_all_with_all_does_not_part_those_that_another_compares_in_pairs() -> None:
    footprint = _footprint(text("double_auction", 12, 2))
    pairs = {frozenset(variables_of(edge)) for edge in footprint.edges() if edge.bit_count() == 2}
    compared = [pair for pair in pairs if len({footprint.items[item].agent for item in pair}) == 2]
    assert len(compared) == 12, "each buyer with its seller, and nobody with everybody"
