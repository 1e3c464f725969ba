"""Every kind of expression as a Boolean function, against the evaluator, on all states of a small system."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from epistrat.encoding.bits import Block, Field, Item, Layout
from epistrat.encoding.conditions import Conditions
from epistrat.encoding.part import no_tick
from epistrat.encoding.tables import Tables
from epistrat.encoding.written import written
from epistrat.model.agent import Agent, Variable
from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.solvers.bdd import Bdd, open_algebra
from epistrat.terms import Boolean, Bounded, Domain, Enumeration, Expr, Sort, Terms
from epistrat.terms.linear import linear_form

TERMS = Terms()
DOMAINS: dict[str, Domain] = {
    "i": Bounded(-2, 2),
    "j": Bounded(0, 4),
    "k": Bounded(3, 3),
    "b": Boolean(),
    "c": Boolean(),
    "e": Enumeration(("red", "green", "blue")),
    "f": Enumeration(("blue", "red")),
    "g": Enumeration(("blue", "green", "red")),
}
SYSTEM = System((Agent("A", tuple(Variable("A", name, domain) for name, domain in DOMAINS.items())),))
STATES: list[State] = [tuple(values) for values in product(*DOMAINS.values())]  # type: ignore[arg-type]
EVALUATOR = Evaluator(SYSTEM)


def var(name: str) -> Expr:
    return TERMS.variable("A", name, DOMAINS[name].sort)


def conditions() -> Conditions:
    items = [Item("A", name, domain) for name, domain in DOMAINS.items()]  # type: ignore[arg-type]
    layout = Layout(items, [Block((index,)) for index in (3, 0, 5, 1, 6, 2, 4, 7)])
    return Conditions(open_algebra(layout.size, nodes=1 << 16, cache=1 << 12), layout, {})


def tabled() -> Conditions:
    """What is not linear goes through tables, however small it is."""
    encoder = conditions()
    encoder.tables = Tables(encoder.algebra, encoder.layout, no_tick, fewest=0)
    return encoder


SHARED = conditions()
TABLED = tabled()


def holds(function: Bdd, state: State, encoder: Conditions) -> bool:
    """Whether the function is true of the state's bits."""
    for variable, value in zip(SYSTEM.variables, state, strict=True):
        function = function & encoder.equals(encoder.layout.variables[variable.key], value).function
    return function != encoder.algebra.false


numbers: st.SearchStrategy[Expr] = st.deferred(
    lambda: st.one_of(
        st.integers(-3, 3).map(TERMS.number),
        st.sampled_from(["i", "j", "k"]).map(var),
        st.tuples(st.sampled_from("+-*/"), numbers, numbers).map(lambda t: TERMS.arith(*t)),
    )
)
comparisons = st.tuples(st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), numbers, numbers).map(
    lambda t: TERMS.compare(*t)
)
names = st.one_of(st.sampled_from(["red", "green", "blue"]).map(TERMS.name), st.sampled_from(["e", "f", "g"]).map(var))
same_names = st.tuples(st.sampled_from(["=", "<>"]), st.sampled_from(["e", "f", "g"]).map(var), names).map(
    lambda t: TERMS.compare(*t)
)
booleans: st.SearchStrategy[Expr] = st.deferred(
    lambda: st.one_of(
        st.sampled_from(["b", "c"]).map(var),
        comparisons,
        same_names,
        booleans.map(TERMS.negate),
        st.lists(booleans, min_size=2, max_size=3).map(TERMS.conjunction),
        st.lists(booleans, min_size=2, max_size=3).map(TERMS.disjunction),
        st.tuples(booleans, booleans).map(lambda t: TERMS.exclusive(*t)),
        st.tuples(booleans, booleans).map(lambda t: TERMS.compare("=", *t)),
    )
)


@settings(max_examples=150, deadline=None)
@given(booleans, st.randoms(use_true_random=False))
def test_conditions(expr: Expr, dice: object) -> None:
    for encoder in (SHARED, TABLED):
        part = encoder.part(expr)
        for state in dice.sample(STATES, 12):  # type: ignore[attr-defined]
            assert holds(part.function, state, encoder) == EVALUATOR.holds(expr, state), state


@settings(max_examples=150, deadline=None)
@given(numbers, st.sampled_from(["i", "j", "k"]), st.randoms(use_true_random=False))
def test_written_numbers(expr: Expr, name: str, dice: object) -> None:
    check_written(expr, name, dice.sample(STATES, 12))  # type: ignore[attr-defined]


@pytest.mark.parametrize(("source", "target"), [(s, t) for s in "efg" for t in "efg"])
def test_written_names_whatever_the_order_of_values(source: str, target: str) -> None:
    check_written(var(source), target, STATES[::7])


@pytest.mark.parametrize("value", ["red", "green", "blue"])
@pytest.mark.parametrize("target", "efg")
def test_written_constants(value: str, target: str) -> None:
    check_written(TERMS.name(value), target, STATES[::41])


def check_written(expr: Expr, name: str, states: list[State]) -> None:
    """Bits, membership and bounds of an assigned value."""
    for encoder in (SHARED, TABLED):
        _check_written(expr, encoder.layout.variables["A", name], states, encoder)


def _check_written(expr: Expr, field: Field, states: list[State], encoder: Conditions) -> None:
    result = written(expr, field, encoder)
    for state in states:
        value = EVALUATOR.value(expr, state)
        code = field.code(value)
        assert holds(result.inside.function, state, encoder) == (code is not None)
        if isinstance(field.domain, Bounded):
            beyond = not field.domain.low <= value <= field.domain.high
            assert holds(result.beyond.function, state, encoder) == beyond
        if code is not None:
            bits = [holds(bit.function, state, encoder) for bit in result.bits]
            assert bits == [bool(code >> place & 1) for place in reversed(range(len(field.bits)))]


@pytest.mark.parametrize(
    "expr",
    [
        TERMS.arith(
            "*", TERMS.arith("*", var("i"), TERMS.number(3 << 40)), TERMS.arith("*", var("j"), TERMS.number(1 << 40))
        ),
        TERMS.arith("-", TERMS.arith("*", var("i"), var("j")), TERMS.number(1 << 70)),
        TERMS.arith("*", TERMS.arith("/", var("i"), var("j")), var("j")),
        TERMS.arith("*", TERMS.arith("*", var("i"), TERMS.number(Fraction(1, 2))), var("j")),
    ],
)
def test_numbers_that_a_table_cannot_hold(expr: Expr) -> None:
    for bound in (expr, TERMS.number(0), TERMS.number(3 << 60)):
        part = TABLED.part(condition := TERMS.compare("<", TERMS.number(1), TERMS.arith("+", expr, bound)))
        for state in STATES[::11]:
            assert holds(part.function, state, TABLED) == EVALUATOR.holds(condition, state), state


def test_tables_of_long_terms_are_computed_piece_by_piece() -> None:
    """A hundred and fifty products over sixteen bits, which together would take 75 MB."""
    items = [Item("A", name, Bounded(0, 255)) for name in "xy"]
    layout = Layout(items, [Block((0,)), Block((1,))])
    encoder = Conditions(open_algebra(layout.size, nodes=1 << 18, cache=1 << 14), layout, {})
    x, y = (TERMS.variable("A", name, Sort.NUMBER) for name in "xy")
    total = x
    for index in range(150):
        total = TERMS.arith("-", TERMS.arith("*", TERMS.arith("+", x, TERMS.number(index)), y), total)
    tracemalloc.start()
    table = encoder.tables.table(total)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table is not None
    assert peak < 40 << 20


def test_support_covers_what_a_condition_reads() -> None:
    expr = TERMS.compare("<", TERMS.arith("+", var("i"), var("j")), TERMS.number(2))
    fields = SHARED.layout.variables
    assert SHARED.part(expr).support == fields["A", "i"].support | fields["A", "j"].support


def test_linear_forms_are_exact() -> None:
    half = TERMS.arith("/", TERMS.arith("+", var("i"), TERMS.number(1)), TERMS.number(2))
    form = linear_form(half)
    assert form is not None
    assert form.whole() == (1, {("A", "i"): 1}, 2)
    assert linear_form(TERMS.arith("*", var("i"), var("j"))) is None
    assert linear_form(TERMS.arith("/", var("i"), TERMS.number(0))) is None


def test_a_domain_of_one_value_needs_no_bits() -> None:
    assert SHARED.layout.variables["A", "k"].bits == ()
    assert SHARED.layout.variables["A", "i"].code(3) is None


def test_sums_of_many_variables_stay_small() -> None:
    """The diagram of a threshold over n bits has about n^2 / 4 nodes, whatever the number of terms."""
    count = 60
    items = [Item("A", f"x{index}", Bounded(0, 1)) for index in range(count)]
    layout = Layout(items, [Block((index,)) for index in range(count)])
    encoder = Conditions(open_algebra(layout.size, nodes=1 << 16, cache=1 << 12), layout, {})
    total = TERMS.variable("A", "x0", Sort.NUMBER)
    for index in range(1, count):
        total = TERMS.arith("+", total, TERMS.variable("A", f"x{index}", Sort.NUMBER))
    part = encoder.part(TERMS.compare("<", total, TERMS.number(count // 2)))
    assert encoder.algebra.size(part.function) < count * count


def test_deep_expressions_need_no_deep_stack() -> None:
    count = 1500
    items = [Item("A", f"x{index}", Bounded(0, 1)) for index in range(count)]
    layout = Layout(items, [Block((index,)) for index in range(count)])
    encoder = Conditions(open_algebra(layout.size, nodes=1 << 20, cache=1 << 16), layout, {})
    numbers = [TERMS.variable("A", f"x{index}", Sort.NUMBER) for index in range(count)]
    total, parity = numbers[0], TERMS.compare("=", numbers[-1], TERMS.number(1))
    for index in range(1, count):
        total = TERMS.arith("+", total, numbers[index])
        parity = TERMS.exclusive(TERMS.compare("=", numbers[count - 1 - index], TERMS.number(1)), parity)
    few = encoder.part(TERMS.compare("<", total, TERMS.number(2)))
    assert encoder.algebra.count(few.function, count) == 1 + count
    assert encoder.algebra.count(encoder.part(parity).function, count) == 1 << (count - 1)
