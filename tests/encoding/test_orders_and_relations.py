"""Orders of the variables, and relations in factors against explicit ones."""

from __future__ import annotations

import random
from itertools import pairwise, product
from pathlib import Path

import pytest

import epistrat
from benchmarks import families
from epistrat.encoding.bits import Block, Item, Layout, Which
from epistrat.encoding.branch import Branch
from epistrat.encoding.encode import encode
from epistrat.encoding.footprint import Footprint
from epistrat.encoding.order import Arrangement, Orders, mcmas_order
from epistrat.encoding.part import Part, mask_of, variables_of
from epistrat.encoding.relation import Relation
from epistrat.encoding.split import Splitter
from epistrat.lang import load
from epistrat.model.agent import Agent, Assignment, EvolutionLine, Variable
from epistrat.model.system import System
from epistrat.solvers.bdd import Algebra, Bdd, open_algebra
from epistrat.solvers.patience import Patience
from epistrat.terms import Boolean, Enumeration, Sort, Terms

ITEMS = [
    Item("A", "x", Boolean()),
    Item("A", None, Enumeration(("a", "b"))),
    Item("B", "y", Boolean()),
    Item("B", None, Enumeration(("a", "b"))),
]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1, {"x": 0, "y": 1, "x'": 2, "y'": 3, "A": 4, "B": 5}),
        (2, {"x": 0, "x'": 1, "A": 2, "y": 3, "y'": 4, "B": 5}),
        (3, {"x": 0, "A": 1, "x'": 2, "y": 3, "B": 4, "y'": 5}),
        (4, {"x": 0, "x'": 1, "A": 2, "y": 3, "y'": 4, "B": 5}),
    ],
)
def test_orders_of_mcmas(number: int, expected: dict[str, int]) -> None:
    layout = Layout(ITEMS, mcmas_order(ITEMS, number))
    found = {name: field.bits[0] for name, field in layout.actions.items()}
    for (_, name), field in layout.variables.items():
        found[name], found[name + "'"] = field.bits[0], field.next[0]
    assert found == expected


def test_there_is_no_fifth_order() -> None:
    with pytest.raises(ValueError, match="no order 5"):
        mcmas_order(ITEMS, 5)


def test_interleaved_blocks_and_frozen_variables() -> None:
    items = [Item("A", "x", Enumeration(tuple("abcd"))), Item("A", "y", Enumeration(tuple("abcd")), frozen=True)]
    layout = Layout(items, [Block((0, 1))])
    x, y = layout.variables["A", "x"], layout.variables["A", "y"]
    assert (x.bits, x.next, y.bits, y.next) == ((0, 3), (1, 4), (2, 5), ())
    apart = Layout(items, [Block((0,), Which.CURRENT), Block((1,)), Block((0,), Which.NEXT)])
    assert (apart.variables["A", "x"].bits, apart.variables["A", "x"].next) == ((0, 1), (4, 5))


def ring(names: list[str]) -> System:
    """Each agent copies its left neighbour through a chain of its own lines, in the order of the names."""
    terms = Terms()
    variables = tuple(Variable("A", name, Boolean()) for name in sorted(names))
    lines = tuple(
        EvolutionLine((Assignment(name, terms.variable("A", before, Sort.BOOLEAN)),), terms.boolean(True))
        for before, name in zip(names, [*names[1:], names[0]], strict=True)
    )
    return System((Agent("A", variables, evolution=lines),))


def test_breadth_first_start_unrolls_a_ring() -> None:
    dice = random.Random(2)
    names = ["".join(dice.choices("abcdefghij", k=8)) for _ in range(40)]
    orders = Orders(Footprint(ring(names)))
    assert orders.span("breadth") <= 40
    assert orders.span("breadth") < 0.8 * orders.span("declared")
    placed = [item for block in orders.blocks(Arrangement("breadth")) for item in block.items]
    assert sorted(placed) == list(range(40))


BITS = 4


def random_parts(algebra: Algebra, dice: random.Random) -> list[Part]:
    """Random clauses over current bits 0, 2, 4, 6, next bits 1, 3, 5, 7 and private bits 8, 9."""
    parts = []
    for _ in range(9):
        variables = sorted(dice.sample(range(10), 3))
        clause = algebra.false
        for variable in variables:
            literal = algebra.var[variable]
            clause = clause | (literal if dice.random() < 0.5 else ~literal)
        parts.append(Part(clause, mask_of(variables)))
    return parts


def row(algebra: Algebra, values: dict[int, bool]) -> Bdd:
    result = algebra.true
    for variable, value in values.items():
        result = result & (algebra.var[variable] if value else ~algebra.var[variable])
    return result


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("way", ["usual", "tiny clusters", "plain", "split"])
def test_images_and_preimages(seed: int, way: str) -> None:
    dice = random.Random(seed)
    algebra = open_algebra(10, nodes=1 << 14, cache=1 << 12)
    parts = random_parts(algebra, dice)
    pairs = tuple((2 * index, 2 * index + 1) for index in range(BITS))
    values = tuple(
        Part(row(algebra, {8: one, 9: two}), mask_of([8, 9])) for one in (False, True) for two in (False, True)
    )
    splitters = [Splitter(mask_of([8, 9]), values)] if way == "split" else []
    patience = Patience(cluster_nodes=2 if way == "tiny clusters" else 2500, split_factors=0 if way == "split" else 4)
    branches = [Branch(tuple(parts), pairs)]
    relation = Relation(algebra, branches, mask_of([8, 9]), way == "plain", splitters=splitters, patience=patience)
    whole = algebra.true
    for part in parts:
        whole = whole & part.function
    states = list(product((False, True), repeat=BITS))
    current = [row(algebra, {2 * i: value for i, value in enumerate(state)}) for state in states]
    chosen = [here for here in current if dice.random() < 0.4]
    source = algebra.false
    for here in chosen:
        source = source | here
    step = algebra.exists(whole, algebra.cube([8, 9]))
    to_next = algebra.renaming(pairs)
    image = algebra.false
    preimage = algebra.false
    for one in current:
        for other in current:
            if one & algebra.rename(other, to_next) & step != algebra.false:
                image = image | (other if one & source != algebra.false else algebra.false)
                preimage = preimage | (one if other & source != algebra.false else algebra.false)
    assert relation.image(source) == image
    assert relation.preimage(source) == preimage
    kept = relation.moves_into(source, mask_of([8]))
    assert algebra.exists(kept, algebra.cube([8])) == preimage
    expected = algebra.and_exists(whole, algebra.rename(source, to_next), algebra.cube([1, 3, 5, 7, 9]))
    assert kept == expected


def test_masks() -> None:
    assert list(variables_of(mask_of([5, 1, 9]))) == [1, 5, 9]


def test_the_items_of_an_agent_in_a_ring_stay_together() -> None:
    """A walk that passes from neighbour to neighbour at once leaves the states behind: the relation is a quarter larger."""
    system = load(families.text("ring", 30, "all")).system
    assert system is not None
    footprint = Footprint(system)
    orders = Orders(footprint)
    agents = [footprint.items[block.items[0]].agent for block in orders.blocks(Arrangement())]
    changes = sum(one != other for one, other in pairwise(agents))
    assert changes == len(set(agents)) - 1
    assert orders.span("index") < orders.span("declared")


LEAF = """Agent Leaf{0}
  Vars: v : boolean; end Vars
  Actions = {{go, stay}};
  Protocol: v = true : {{go, stay}}; Other : {{stay}}; end Protocol
  Evolution: v = true if Hub.Action = call; end Evolution
end Agent
"""


def test_parts_of_a_condition_over_many_items_tie_what_they_mention() -> None:
    """The guard as a whole says nothing about the order of ten leaves; its parts are pairs of neighbours."""
    pairs = " or ".join(f"(Leaf{i}.Action = go and Leaf{i + 1}.Action = go)" for i in range(9))
    hub = "Agent Hub\n  Vars: seen : boolean; end Vars\n  Actions = {call};\n  Protocol: Other : {call}; end Protocol\n"
    ending = "InitStates Hub.seen = false; end InitStates\n"
    text = hub + f"  Evolution: seen = true if {pairs}; end Evolution\nend Agent\n"
    system = load(text + "".join(map(LEAF.format, range(10))) + ending).system
    assert system is not None
    footprint = Footprint(system)
    placed = [footprint.items[block.items[0]] for block in Orders(footprint).blocks(Arrangement())]
    leaves = [int(item.agent[4:]) for item in placed if item.name is None and item.agent != "Hub"]
    assert leaves in (list(range(10)), list(range(9, -1, -1)))


@pytest.mark.parametrize("family", ["cards", "tianji", "prisoners", "muddy", "vote", "cache"])
def test_names_and_declarations_do_not_change_the_order(family: str) -> None:
    """Encoded in the default order, a model and its disguises have relations of the same size."""
    sizes = set()
    n = {"cards": 8, "tianji": 8, "prisoners": 6, "muddy": 8, "vote": 6, "cache": 6}[family]
    for scrambled, renamed in ((None, None), (None, 1), (1, None), (2, None)):
        spec = next(iter(families.model(family, n).specs))
        system = load(families.text(family, n, spec, scrambled=scrambled, renamed=renamed)).system
        assert system is not None
        footprint = Footprint(system)
        layout = Layout(footprint.items, Orders(footprint).blocks(Arrangement()))
        sizes.add(encode(footprint, open_algebra(layout.size), layout).relation.size())
    assert max(sizes) <= 1.3 * min(sizes)


def test_a_ring_is_cut_where_that_ties_least() -> None:
    """The stages of a pipe and its environment are a ring; in the order the stages follow each other, in either direction."""
    path = Path(epistrat.__file__).parent / "scenarios" / "pipe.ispl"
    system = epistrat.load(path.read_text(), n=40)
    orders = Orders(Footprint(system))
    items = [orders.items[place] for block in orders.blocks(Arrangement()) for place in block.items]
    stages = [item.agent for item in items if item.name == "load"]
    assert stages in ([f"Stage[{n}]" for n in range(1, 41)], [f"Stage[{n}]" for n in range(40, 0, -1)])


def test_pairs_all_over_a_wide_guard_tie_nothing() -> None:
    """A condition on each two of 30 says of none where it belongs (a contract net of 13 took 6 GB instead of 0.2 s)."""
    some = range(30)
    declared = "".join(f"b{one} : boolean; " for one in some)
    pairs = " and ".join(f"(b{one} = true or b{other} = true)" for one in some for other in some if one < other)
    text = (
        f"Agent Environment Vars: {declared} best : boolean; end Vars Actions = {{go}}; Protocol: Other : {{go}}; end Protocol "
        f"Evolution: best = true if {pairs}; b0 = true if Action = go; end Evolution end Agent "
        "Evaluation p if Environment.best = true; end Evaluation InitStates Environment.best = false; end InitStates "
        "Formulae EF p; end Formulae"
    )
    system = load(text).system
    assert system is not None
    assert sum(edge.bit_count() == 2 for edge in Footprint(system, freeze=True).edges()) < len(some)
