"""Models written in Python: what the calls build, and what they refuse."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

import pytest

from epistrat.lang.load import load
from epistrat.logic.formula import Prop
from epistrat.model.agent import Assignment, EvolutionLine, ProtocolLine, Variable
from epistrat.model.builder import AgentBuilder, Builder, ModelError
from epistrat.model.handles import all_of, any_of
from epistrat.model.show import to_ispl
from epistrat.model.step import Stepper
from epistrat.model.system import Composition, Semantics
from epistrat.terms import TRUE, Boolean, Bounded, Enumeration, Integer, Real, Sort, Terms

TERMS = Terms()


def lamp() -> Builder:
    model = Builder()
    agent = model.agent("Lamp")
    on = agent.boolean("on")
    agent.actions("press", "wait")
    agent.may("press", "wait")
    agent.evolve(agent.action == "press", on=~on)
    model.initial(~on)
    model.proposition("lit", on)
    return model


def test_a_lamp_can_be_switched() -> None:
    system = lamp().build()
    steps = Stepper(system).successors((False,))
    assert {(step.joint, step.target) for step in steps} == {(("press",), (True,)), (("wait",), (False,))}


def test_the_parts_are_the_plain_data_of_the_model() -> None:
    agent = lamp().build().agents[0]
    on = TERMS.variable("Lamp", "on", Sort.BOOLEAN)
    assert agent.variables == (Variable("Lamp", "on", Boolean()),)
    assert agent.protocol == (ProtocolLine(TRUE, ("press", "wait")),)
    assert agent.evolution == (EvolutionLine((Assignment("on", TERMS.negate(on)),), TERMS.action("Lamp", "press")),)


def test_operators_build_expressions() -> None:
    model = Builder()
    agent = model.agent("A")
    n, m, flag = agent.range("n", 0, 9), agent.integer("m"), agent.boolean("flag")
    nn, mm = TERMS.variable("A", "n", Sort.NUMBER), TERMS.variable("A", "m", Sort.NUMBER)
    ff = TERMS.variable("A", "flag", Sort.BOOLEAN)
    one = TERMS.number(1)
    assert (n + 1).expr == TERMS.arith("+", nn, one)
    assert (1 - n).expr == TERMS.arith("-", one, nn)
    assert (2 * n / m).expr == TERMS.arith("/", TERMS.arith("*", TERMS.number(2), nn), mm)
    assert (n != 1).expr == TERMS.compare("<>", nn, one)
    assert (n >= m).expr == TERMS.compare(">=", nn, mm)
    assert (n > 1).expr == TERMS.compare(">", nn, one)
    assert (1 < n).expr == TERMS.compare(">", nn, one)  # noqa: SIM300
    assert (flag ^ (n <= 1)).expr == TERMS.exclusive(ff, TERMS.compare("<=", nn, one))
    assert (flag == True).expr == ff  # noqa: E712
    assert (True & flag).expr == ff
    assert (False | flag).expr == ff
    assert flag.implies(n == 1).expr == TERMS.disjunction([TERMS.negate(ff), TERMS.compare("=", nn, one)])
    assert n.isin([1, 2]).expr == TERMS.disjunction([TERMS.compare("=", nn, TERMS.number(k)) for k in (1, 2)])
    assert all_of(flag, n == 1).expr == (flag & (n == 1)).expr
    assert any_of(flag, n == 1).expr == (flag | (n == 1)).expr
    assert all_of().expr == TRUE
    assert (n == Fraction(1, 2)).expr == TERMS.compare("=", nn, TERMS.arith("/", one, TERMS.number(2)))


def test_actions_are_compared_with_names() -> None:
    agent = Builder().agent("A")
    go, stay = TERMS.action("A", "go"), TERMS.action("A", "stay")
    assert (agent.action == "go").expr == go
    assert (agent.action != "go").expr == TERMS.negate(go)
    assert agent.action.isin(["go", "stay"]).expr == TERMS.disjunction([go, stay])


def test_every_kind_of_domain() -> None:
    model = Builder()
    environment = model.environment()
    environment.boolean("b")
    environment.enum("e", "x", "y", public=True)
    environment.range("r", -1, 2)
    environment.integer("i")
    environment.real("q")
    environment.variable("v", range(3))
    environment.variable("w", ["left", "right"])
    model.agent("A")
    domains = {variable.name: variable.domain for variable in model.build().variables}
    assert domains == {
        "b": Boolean(),
        "e": Enumeration(("x", "y")),
        "r": Bounded(-1, 2),
        "i": Integer(),
        "q": Real(),
        "v": Bounded(0, 2),
        "w": Enumeration(("left", "right")),
    }


def test_the_environment_comes_first_and_its_public_variables_before_the_others() -> None:
    model = Builder()
    agent = model.agent("A")
    environment = model.environment()
    hidden = environment.boolean("hidden")
    environment.boolean("shown", public=True)
    agent.sees(hidden)
    system = model.build()
    assert [agent.name for agent in system.agents] == ["Environment", "A"]
    assert [variable.name for variable in system.variables] == ["shown", "hidden"]
    assert system.views["A"] == (0, 1)
    assert model.environment() is environment


def test_settings_groups_and_formulae() -> None:
    model = Builder(interleaved=True, single=True)
    for name in ("A", "B"):
        model.agent(name)
    model.group("both", "A", "B", "A")
    model.proposition("p", True)
    model.fairness(Prop("p"))
    model.formula(Prop("p"))
    system = model.build()
    assert system.composition is Composition.INTERLEAVED
    assert system.semantics is Semantics.SINGLE
    assert system.groups == {"both": ("A", "B")}
    assert system.fairness == system.formulae == (Prop("p"),)
    assert system.initial == TRUE


def test_variables_can_be_found_by_name() -> None:
    agent = Builder().agent("A")
    x = agent.boolean("x")
    assert agent["x"] is x
    with pytest.raises(ModelError, match="A has no variable y"):
        agent["y"]


def _chain(agent: AgentBuilder) -> object:
    n = agent.range("n", 0, 3)
    return 0 < n < 3


def _wrong_value(agent: AgentBuilder) -> object:
    coin = agent.enum("coin", "head", "tail")
    return coin == "heads"


def _bad_assignment(agent: AgentBuilder) -> None:
    agent.range("n", 0, 3)
    agent.evolve(n=7)


def _wrong_type(agent: AgentBuilder) -> None:
    agent.boolean("x")
    agent.evolve(x=1)


REFUSED: list[tuple[Callable[[AgentBuilder], object], str]] = [
    (_wrong_value, "A.coin cannot be 'heads': its values are head, tail"),
    (_bad_assignment, "A.n cannot become 7: its values are 0..3"),
    (lambda a: a.boolean("x") + 1, "A.x is not a number"),
    (lambda a: a.boolean("x") < True, "no order"),
    (lambda a: a.range("n", 0, 3) & True, "A.n is not a condition"),
    (lambda a: a.range("n", 0, 3) == True, "is a number, but `True` is a boolean"),  # noqa: E712
    (lambda a: a.range("n", 0, 3) == 0.5, "0.5 is no value of a model"),
    (lambda a: a.range("n", 3, 0), "no domain"),
    (lambda a: (a.boolean("x"), a.boolean("x")), "already has a variable x"),
    (lambda a: a.boolean("x", public=True), "only variables of the Environment can be public"),
    (lambda a: a.boolean("my x"), "is no name"),
    (lambda a: a.may("go"), "A has no action go"),
    (lambda a: a.evolve(True), "at least one variable"),
    (lambda a: a.evolve(x=True), "A has no variable x"),
    (_wrong_type, "A.x is a boolean and cannot become a number"),
    (lambda a: a.may(when=1), "a condition is needed here"),
    (lambda a: a.sees(a.boolean("x")), "only of variables of the Environment"),
]


@pytest.mark.parametrize(("call", "words"), REFUSED)
def test_mistakes_are_refused_at_once(call: Callable[[AgentBuilder], object], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        call(Builder().agent("A"))


def test_python_words_cannot_be_overloaded_and_say_so() -> None:
    with pytest.raises(TypeError, match="write & "):
        _chain(Builder().agent("A"))


def _two(interleaved: bool = False) -> tuple[Builder, AgentBuilder, AgentBuilder]:
    model = Builder(interleaved=interleaved)
    return model, model.agent("A"), model.agent("B")


def test_other_agents_variables_cannot_be_read() -> None:
    model, a, b = _two()
    x = a.boolean("x")
    b.boolean("y")
    b.evolve(x, y=True)
    with pytest.raises(ModelError, match=r"B cannot see A\.x"):
        model.build()


def test_undeclared_actions_of_others_are_found() -> None:
    model, a, b = _two()
    b.boolean("y")
    b.evolve(a.action == "go", y=True)
    with pytest.raises(ModelError, match="B: A has no action go"):
        model.build()


def test_interleaved_agents_test_only_their_own_action() -> None:
    model, a, b = _two(interleaved=True)
    a.actions("go")
    b.boolean("y")
    b.evolve(a.action == "go", y=True)
    with pytest.raises(ModelError, match="only its own action"):
        model.build()


def test_protocols_cannot_test_actions() -> None:
    model, a, _ = _two()
    a.actions("go")
    a.may("go", when=a.action == "go")
    with pytest.raises(ModelError, match="only in the conditions of evolution lines"):
        model.build()


def test_single_assignment_takes_one_variable_a_line() -> None:
    model = Builder(single=True)
    agent = model.agent("A")
    agent.boolean("x")
    agent.boolean("y")
    agent.evolve(x=True, y=True)
    with pytest.raises(ModelError, match="exactly one variable"):
        model.build()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda m: m.agent("A"), "already is an agent A"),
        (lambda m: m.agent("1A"), "is no name"),
        (lambda m: (m.group("g", "C"), m.build()), "there is no agent C"),
        (lambda m: (m.group("g"), m.build()), "it has no members"),
        (lambda m: m.initial(1), "a condition is needed here"),
        (lambda m: (m._agents["A"].sees("ghost"), m.build()), "no private variable of that name"),
        (lambda m: (m.formula("AG p"), m.build()), "formulae as text need epistrat.Builder"),
        (lambda m: (m.initial(m._agents["A"].action == "go"), m.build()), "only in evolution lines"),
    ],
)
def test_models_that_make_no_sense(spoil: Callable[[Builder], object], words: str) -> None:
    model, _, _ = _two()
    with pytest.raises(ModelError, match=words):
        spoil(model)


def test_interleaved_models_have_no_environment() -> None:
    with pytest.raises(ModelError, match="no Environment"):
        Builder(interleaved=True).environment()


def test_a_model_needs_an_agent() -> None:
    model = Builder()
    model.environment()
    with pytest.raises(ModelError, match="at least one agent"):
        model.build()


def test_four_hundred_agents_in_a_loop_are_no_trouble() -> None:
    started = time.process_time()
    model = Builder()
    environment = model.environment()
    coins = [environment.enum(f"coin{i}", "head", "tail") for i in range(400)]
    for i in range(400):
        agent = model.agent(f"C{i}")
        paid = agent.boolean("paid")
        left, right = coins[i], coins[(i + 1) % 400]
        agent.sees(left, right)
        agent.actions("same", "differ")
        agent.may("same", when=(left == right) ^ paid)
        agent.otherwise("differ")
        agent.evolve(agent.action == "same", paid=paid)
    system = model.build()
    assert len(system.agents) == 401
    assert time.process_time() - started < 15


def test_a_set_of_actions_is_one_choice_and_prints_as_one() -> None:
    model = Builder(interleaved=True)
    agent = model.agent("A")
    agent.actions("a", "b", "c")
    agent.may("a", {"c", "b"})
    agent.otherwise("a", "b")
    system = model.build()
    assert system.agents[0].protocol[0].choices == (("a",), ("b", "c"))
    assert system.agents[0].other_choices == ()
    text = to_ispl(system)
    assert ": {a, {b, c}};" in text
    assert load(text).system == system


def test_choices_of_several_actions_are_for_interleaved_models() -> None:
    model = Builder()
    agent = model.agent("A")
    agent.actions("a", "b")
    agent.may({"a", "b"})
    with pytest.raises(ModelError, match="interleaved"):
        model.build()
    with pytest.raises(ModelError, match="no action"):
        agent.may({"a", "x"})
