"""What the engine for unbounded models concludes from runs is stepped through first; verdicts do not depend on what else is asked."""

from __future__ import annotations

import pytest

import epistrat
from epistrat.answers.decoration import decorated
from epistrat.encoding.integral import with_integers
from epistrat.encoding.remembered import remembered
from epistrat.encoding.transitions import transitions
from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy import lemmas
from epistrat.engines.lazy.provers import Provers
from epistrat.engines.lazy.stepped import SteppedReachability, Steps
from epistrat.engines.lazy.tuning import LazyTuning
from epistrat.engines.registry import load as engine_named
from epistrat.lang.load import load
from epistrat.model.system import System
from epistrat.model.transform.recall import with_recall
from epistrat.proving.contract import NotARun, Trace
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Integer, Real

WATCHER = """Agent A {seen}Vars: c : boolean; end Vars Actions = {{n}};
Protocol: Other : {{n}}; end Protocol Evolution: c = c if c; end Evolution end Agent"""


def model(variables: str, lines: str, start: str, formulae: str, seen: str = "", evaluation: str = "") -> System:
    """A model with one agent that changes and one that watches."""
    observed = f"Lobsvars = {{{seen}}}; " if seen else ""
    text = (
        f"Agent Environment Vars: {variables} end Vars Actions = {{tick}}; Protocol: Other : {{tick}}; end Protocol\n"
        f"Evolution: {lines} end Evolution end Agent\n{WATCHER.format(seen=observed)}\n{evaluation}\n"
        f"InitStates {start} and A.c = false; end InitStates Formulae {formulae} end Formulae"
    )
    found = load(text).system
    assert found is not None, text
    return found


def verdicts(system: System, engine: str = "lazy") -> list[str]:
    """What one engine says of all formulae, in one session."""
    session = engine_named(engine).open(system, Options(evidence=True), Budget(seconds=60))
    return [session.check(formula).verdict.value for formula in system.formulae]


COUNTING = model(
    "n : 0..20; u : integer; done : boolean;",
    "n = n + 1 and u = u + 1 if n < 20 and done = false; done = true if n = 20; u = u + 2 if done = true;",
    "Environment.n = 0 and Environment.u = 0 and Environment.done = false",
    "LTL F done; AF done; LTL F K(A, done); LTL G F done;",
    "done",
    "Evaluation done if Environment.done = true; end Evaluation",
)


def test_runs_do_not_grow_out_of_a_range() -> None:
    """A counter in a range of 21 values comes to its end, asked alone or together."""
    assert verdicts(COUNTING) == ["holds"] * 4
    alone = engine_named("lazy").open(COUNTING, Options(), Budget(seconds=60)).check(COUNTING.formulae[2])
    assert alone.verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("Environment.x = 1 - Environment.y and Environment.y = Environment.x", Real),
        ("Environment.x = 2 * Environment.y and Environment.y = 1 - Environment.x", Real),
        ("Environment.x = 1 - Environment.y and Environment.y = 3", Integer),
        ("Environment.y = Environment.x and Environment.x = 3", Integer),
        ("Environment.x = 1/2 and Environment.y = 1", Real),
    ],
)
def test_reals_are_whole_where_equations_are_grounded(start: str, expected: type) -> None:
    """Equations that refer to each other in a circle show nothing."""
    system = model("x : real; y : real;", "x = y and y = x if true;", start, "AG false;")
    domain = with_integers(transitions(system)).variables[0].domain
    assert isinstance(domain, expected)


def test_circular_equations_have_a_solution() -> None:
    """x = 1 - y and y = x: both are 1/2, and nothing holds for want of initial states."""
    start = "Environment.x = 1 - Environment.y and Environment.y = Environment.x"
    system = model("x : real; y : real;", "x = y and y = x if true;", start, "AG false; AG Environment.y = 7;")
    assert verdicts(system) == ["fails", "fails"]
    assert verdicts(system, "abstraction") == ["fails", "fails"]


def test_delay_lines_start_alike() -> None:
    """What stands between two variables and starts differently is not jumped over; circles of copies end."""
    line = "x = y and y = y + 2 and z = x and c = c + 1 if true;"
    start = "Environment.x = 5 and Environment.y = 0 and Environment.z = Environment.y and Environment.c = 0"
    system = model(
        "x : integer; y : integer; z : integer; c : integer;",
        line,
        start,
        "AG (Environment.c = 1 -> Environment.z = 5);",
    )
    assert remembered(transitions(system)) == {}
    assert verdicts(system) == ["holds"]
    start = (
        "Environment.x = Environment.y and Environment.y = 0 and Environment.z = Environment.x and Environment.c = 0"
    )
    chain = model("x : integer; y : integer; z : integer; c : integer;", line, start, "AG true;")
    assert remembered(transitions(chain)) == {("Environment", "z"): (("Environment", "x"), 1)}  # x is spoken of twice
    start = (
        "Environment.x = Environment.y and Environment.y = 0 and Environment.z = Environment.y and Environment.c = 0"
    )
    fan = model("x : integer; y : integer; z : integer; c : integer;", line, start, "AG true;")
    y = ("Environment", "y")
    assert remembered(transitions(fan)) == {("Environment", "x"): (y, 1), ("Environment", "z"): (y, 2)}
    swap = model(
        "x : integer; y : integer; z : integer;",
        "x = y and y = x and z = x if true;",
        "Environment.x = 0 and Environment.y = 1 and Environment.z = 0",
        "AG Environment.z <= 1;",
    )
    assert verdicts(swap) == ["holds"]


def test_many_knowledge_atoms() -> None:
    """Induction over a question with more free variables than can be written out shows nothing."""
    names = range(1, 8)
    hidden = " ".join(f"h{one} : boolean;" for one in names)
    evaluation = (
        "Evaluation early if Environment.n < 18; "
        + " ".join(f"h{one} if Environment.h{one} = true;" for one in names)
        + " end Evaluation"
    )
    known = " or ".join(f"K(A, h{one})" for one in names)
    system = model(
        f"n : integer; {hidden}",
        "n = n + 1 if true;",
        "Environment.n = 0",
        f"AG (early or Y early or {known});",
        "",
        evaluation,
    )
    assert verdicts(system) == ["fails"]


DIVIDING = model(
    "x : integer; b : boolean;",
    "x = x + 1 if 1/0 > 3; b = true if 0/0 = 0 and 1/0 <= 3;",
    "Environment.x = 0 and Environment.b = false",
    "AG Environment.x >= 0; AG Environment.b = false; AG (Environment.x <= 400 or 1/0 > 5); AG Environment.x <= 20;",
)


@pytest.mark.parametrize("engine", ["lazy", "abstraction"])
def test_conditions_without_variables(engine: str) -> None:
    """1/0 is larger than every number, 0/0 is 0: no engine needs a predicate for that."""
    assert verdicts(DIVIDING, engine) == ["holds", "holds", "holds", "fails"]


DIVIDED_BY_A_VARIABLE = """
Composition = Interleaved;
Agent P Vars: r : real; n : integer; d : boolean; end Vars Actions = {a, b}; Protocol: n < 3 : {a}; Other : {b}; end Protocol
  Evolution: r = 1 / (n + 1) and n = n + 1 if Action = a; d = true if Action = b; end Evolution end Agent
Agent Q Actions = {b}; Protocol: Other : {b}; end Protocol end Agent
InitStates P.r = 0 and P.n = 0 and P.d = false; end InitStates
Formulae LTL F P.d = true; AG (P.n = 2 -> P.r = 1/2); LTL G (P.n = 2 -> X P.n = 3); end Formulae
"""


def test_where_a_quotient_fits_is_exact() -> None:
    """Nobody idles where a division by a variable is possible."""
    system = load(DIVIDED_BY_A_VARIABLE).system
    assert system is not None
    assert verdicts(system) == ["holds"] * 3


def test_irrational_values_are_unknown() -> None:
    """No state holds the square root of 2, and no crash says so."""
    start = "Environment.r * Environment.r = 2 and Environment.r > 0 and Environment.x = 0"
    system = model(
        "r : real; x : integer;", "x = x + 1 if true;", start, "AG Environment.x >= 0; AG Environment.r < 1;"
    )
    found = epistrat.System.of(system).check()
    assert found[1].verdict is Verdict.UNKNOWN
    assert "irrational" in (found[1].reason or "")


def test_actions_that_change_nothing_are_part_of_runs() -> None:
    """A cone leaves them out; who remembers observations has them in the runs that are followed."""
    text = """
    Agent Environment Obsvars: n : integer; end Obsvars Vars: h : boolean; end Vars Actions = {tick}; Protocol: Other : {tick}; end Protocol
      Evolution: n = n + 1 if h = true; n = n + 1 if h = false and n < 2; end Evolution end Agent
    Agent A Actions = {look, nap}; Protocol: Other : {look, nap}; end Protocol end Agent
    InitStates Environment.n = 0; end InitStates
    Formulae AG (Environment.n >= 1 -> K(A, Environment.h = true)); AG (Environment.n >= 3 -> K(A, Environment.h = true)); end Formulae
    """
    system = load(text).system
    assert system is not None
    assert verdicts(system) == ["fails", "holds"]
    assert verdicts(with_recall(system, 3, {"A"}).system) == ["fails", "holds"]


def test_knowledge_of_what_comes_later() -> None:
    """A run that is shorter than what is looked ahead shows nothing about it."""
    formulae = "LTL G K(A, X Environment.y >= 1); LTL F K(A, X X Environment.y >= 2); LTL F K(A, X Environment.y >= 2);"
    system = model("y : integer;", "y = y + 1 if true;", "Environment.y = 0", formulae)
    assert verdicts(system) == ["holds", "holds", "fails"]


def test_what_falls_without_a_lower_bound_falls_for_ever() -> None:
    """x = -1, -2, -4, ... sinks at every step and never comes above 5."""
    formulae = "LTL F Environment.x > 5; LTL G F Environment.x > -10;"
    system = model("x : integer;", "x = 2 * x if true;", "Environment.x = -1", formulae)
    session = engine_named("lazy").open(system, Options(), Budget(seconds=6))
    assert Verdict.HOLDS not in [session.check(formula).verdict for formula in system.formulae]


def test_evidence_never_loses_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time ends while evidence is made the verdict stays."""

    def exhausted(*_: object) -> None:
        raise OutOfBudget("no time")

    system = model(
        "x : integer;",
        "x = x + 1 if true;",
        "Environment.x = 0",
        "AG Environment.x < 3; AG Environment.x >= 0; LTL F G Environment.x < 3;",
    )
    for name in ("InvariantSearch", "LinearSearch"):
        monkeypatch.setattr(f"epistrat.engines.lazy.session.{name}._evidence", exhausted)
    session = engine_named("lazy").open(system, Options(evidence=True), Budget(seconds=30))
    found = [session.check(formula) for formula in system.formulae]
    assert [one.verdict.value for one in found] == ["fails", "holds", "fails"]
    assert found[0].left_out == ("evidence: no time",)


# Runs are followed with the model's own steps


class Lying:
    """A prover whose runs have an impossible step, or end elsewhere."""

    def __init__(self, honest: SteppedReachability, states: tuple[dict[tuple[str, str], object], ...]) -> None:
        self._honest = honest
        self._states = states

    def __getattr__(self, name: str) -> object:
        return getattr(self._honest, name)

    def reaches(self, question: object) -> Trace:
        """Always a run."""
        inputs = tuple({("Environment", "?action"): "tick", ("A", "?action"): "n"} for _ in self._states[1:])
        return Trace(self._states, inputs, {})  # type: ignore[arg-type]  # what a liar says


@pytest.mark.parametrize(
    ("values", "why"), [((0, 2), "cannot move"), ((1,), "not initial"), ((0, 1), None), ((0,), "end")]
)
def test_a_run_that_is_none_is_refused(values: tuple[int, ...], why: str | None) -> None:
    """An impossible step, a start that is none, and an end that does not satisfy the question are told apart from a run."""
    system = model("x : integer;", "x = x + 1 if true;", "Environment.x = 0", "AG true;")
    honest = Provers(system, LazyTuning(), Budget())
    states = tuple({("Environment", "x"): value, ("A", "c"): False} for value in values)
    prover = SteppedReachability(Lying(honest.of(honest.base), states), Steps(system))  # type: ignore[arg-type]  # it lies about that too
    terms = honest.base.terms
    question = [terms.compare("<=", terms.number(1), honest.base.variables[0].reference)]
    if why is None:
        assert prover.reaches(question) is not None
    else:
        with pytest.raises(NotARun, match=why):
            prover.reaches(question)


# Decorations


def test_words_never_lose_a_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where lemmas cannot be put into words the verdict stays, and says what was left out."""

    def fail(*_: object) -> list[str]:
        raise KeyError("a variable that nobody has")

    monkeypatch.setattr(lemmas, "in_words", fail)
    monkeypatch.delenv("EPISTRAT_STRICT")
    session = engine_named("lazy").open(COUNTING, Options(), Budget(seconds=30))
    outcome = session.check(COUNTING.formulae[1])
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.left_out and "a variable that nobody has" in outcome.left_out[0]


def test_decorations_in_a_strict_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests see what fails; where a limit is reached the words are left out."""

    def fail() -> int:
        raise ValueError("no")

    def exhausted() -> int:
        raise OutOfBudget("no time")

    with pytest.raises(ValueError, match="no"):
        decorated("words", fail, 0)
    monkeypatch.delenv("EPISTRAT_STRICT")
    assert decorated("words", fail, 0) == (0, ("words: ValueError: no",))
    assert decorated("words", exhausted, 0) == (0, ("words: no time",))


INTERLEAVED = """
Composition = Interleaved;
Agent A
  Vars: n : integer; end Vars
  Actions = {up, share};
  Protocol: n < 2 : {up}; Other : {share}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Agent B
  Vars: m : integer; end Vars
  Actions = {share, down};
  Protocol: m < 1 : {share}; Other : {down}; end Protocol
  Evolution: m = m + 1 if Action = share; m = m - 2 if Action = down; end Evolution
end Agent
InitStates A.n = 0 and B.m = 0; end InitStates
Formulae AG B.m < 1; AG B.m >= 0; AG B.m >= -1; LTL F B.m > 0; end Formulae
"""


def test_runs_of_interleaved_models_are_followed_by_their_events() -> None:
    """An event of one agent, and one that both take part in; with a dead end never."""
    system = load(INTERLEAVED).system
    assert system is not None
    assert verdicts(system) == ["fails", "fails", "holds", "holds"]
