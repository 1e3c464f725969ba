"""Several engines on one system: turns, other cores, who answers, and who is asked next."""

from __future__ import annotations

import queue
import threading
import time
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import epistrat
from benchmarks import families
from epistrat.answers import Question, Result, Setting
from epistrat.engines import registry
from epistrat.engines.choose import Effort, Turn, due, exploring, plan
from epistrat.engines.contract import Engine, Options, Outcome, Session, Verdict
from epistrat.engines.explicit.initial_count import fewest_initial_states
from epistrat.jobs import Portfolio
from epistrat.jobs.arrivals import Arrivals
from epistrat.jobs.race import Entrant, Race
from epistrat.jobs.remote import RemoteSession
from epistrat.jobs.runner import Job, Runner
from epistrat.lang import load
from epistrat.logic.formula import ForAll, Globally, Truth
from epistrat.model.initial import initial_states
from epistrat.model.system import System
from epistrat.service.models import questions
from epistrat.service.pipeline import check
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.solvers.patience import Patience

EXAMPLES = Path(__file__).parents[2] / "examples"
EAGER = Patience(turn=0, joining=0.0)


def model(family: str, n: int, spec: str) -> System:
    system = load(families.text(family, n, spec)).system
    assert system is not None
    return system


def verdicts(family: str, n: int, spec: str, budget: Budget) -> list[tuple[bool, str | None]]:
    system = model(family, n, spec)
    with Portfolio(system, "auto", Options(), budget) as portfolio:
        answers = [portfolio.answer(Question(1, formula, "")) for formula in system.formulae]
    return [(answer.verdict is Verdict.HOLDS, answer.engine) for answer in answers]


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("family", ["vote", "gossip", "lift", "election"])
def test_engines_that_join_at_once_do_not_change_answers(family: str, cores: int) -> None:
    size = families.FAMILIES[family].tiny[-1]
    spec = next(iter(families.model(family, size).specs))
    found = verdicts(family, size, spec, Budget(patience=EAGER, cores=cores))
    expected = [question.holds for question in families.questions(family, size, spec)]
    assert [holds for holds, _ in found] == expected


def test_turns_are_counted_in_work_so_a_busy_machine_changes_nothing() -> None:
    """The same engines answer with the same statistics while other threads keep the processor busy."""

    def run() -> list[object]:
        system = model("tianji", 8, "strategy")
        budget = Budget(patience=Patience(turn=2_000, joining=0.01), cores=1)
        with Portfolio(system, "auto", Options(), budget) as portfolio:
            answers = [portfolio.answer(Question(1, formula, "")) for formula in system.formulae]
            numbers = portfolio.statistics()
        for told in numbers.values():
            told.pop("seconds")
            told.pop("nodes", None)  # of an engine that was stopped: garbage is collected a moment later
        return [[(answer.engine, answer.verdict) for answer in answers], numbers]

    alone = run()
    assert set(alone[1]) == {"symbolic", "explicit"}  # type: ignore[call-overload]
    stop = threading.Event()

    def burden() -> None:
        while not stop.is_set():
            sum(range(1000))

    threads = [threading.Thread(target=burden) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        assert run() == alone
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_the_engine_that_has_all_states_answers_the_next_formula() -> None:
    system = model("vote", 4, "all")
    with Portfolio(system, "auto", Options(), Budget(patience=EAGER, cores=1)) as portfolio:
        first = portfolio.answer(Question(1, system.formulae[0], "")).engine
        for formula in system.formulae[1:]:
            answer = portfolio.answer(Question(1, formula, ""))
            assert answer.engine is not None
            if answer.engine != first:
                first = answer.engine
        assert portfolio.facts().states == families.model("vote", 4).states


def test_a_session_in_another_process() -> None:
    system = model("ring", 4, "all")
    here = registry.load("explicit").open(system, Options(), Budget())
    there = RemoteSession(system, "explicit", Options(), Budget())
    try:
        for formula in system.formulae:
            assert there.check(formula).verdict is here.check(formula).verdict
        assert there.facts() == here.facts()
        assert there.statistics()["states"] == here.statistics()["states"]
    finally:
        there.close()
    with pytest.raises(OutOfBudget, match="ended"):
        there.check(system.formulae[0])


def test_a_session_in_another_process_can_be_stopped_and_asked_again() -> None:
    system = model("cards", 10, "ctl")
    session = RemoteSession(system, "explicit", Options(), Budget())
    try:
        threading.Timer(1.0, session.stop).start()
        started = time.monotonic()
        outcome = session.check(system.formulae[0])
        assert outcome.verdict is Verdict.UNKNOWN
        assert "another engine was faster" in (outcome.reason or "")
        assert time.monotonic() - started < 30
    finally:
        session.close()


@pytest.mark.parametrize("family", sorted(families.FAMILIES))
def test_the_bound_on_initial_states_is_one(family: str) -> None:
    size = families.FAMILIES[family].tiny[0]
    system = model(family, size, next(iter(families.model(family, size).specs)))
    assert 1 <= fewest_initial_states(system) <= len(initial_states(system))


def test_exploring_is_declined_where_initial_states_cannot_be_listed() -> None:
    system = model("muddy", 100, "one")
    explicit = registry.load("explicit")
    explicit.declines(model("muddy", 3, "one"))  # imports are not what is measured
    took = []
    for _ in range(3):  # Python may collect garbage of other tests in between
        started = time.thread_time()
        assert "2^100 initial states" in (explicit.declines(system) or "")
        took.append(time.thread_time() - started)
    assert min(took) < 0.1
    with Portfolio(system, "explicit", Options(), Budget()) as portfolio:
        assert "2^100 initial states" in (portfolio.answer(Question(1, system.formulae[0], "")).reason or "")


def test_a_condition_that_ties_all_variables_is_sampled() -> None:
    bits = " ".join(f"b{i} : boolean;" for i in range(80))
    some = " or ".join(f"A.b{i} = true" for i in range(80))
    text = f"""
    Agent A
      Vars: {bits} end Vars
      Actions = {{go}};
      Protocol: Other : {{go}}; end Protocol
      Evolution: b0 = true if Action = go; end Evolution
    end Agent
    Evaluation yes if A.b0 = true; end Evaluation
    InitStates {some}; end InitStates
    Formulae EF yes; end Formulae
    """
    system = load(text).system
    assert system is not None
    assert 1 << 60 < fewest_initial_states(system) < 1 << 80


@pytest.mark.parametrize("nodes", [60, 200, 600, 2_000])
def test_where_nobody_decides_the_reason_survives_the_runners(nodes: int) -> None:
    """Rivals that ran out of nodes are dismissed after the race; what they said is the answer all the same."""
    system = model("vote", 4, next(iter(families.model("vote", 4).specs)))
    budget = Budget(nodes=nodes, patience=Patience(turn=0, joining=0.0), cores=1)
    with Portfolio(system, "symbolic", Options(), budget) as portfolio:
        for formula in system.formulae:
            answer = portfolio.answer(Question(1, formula, ""))
            assert answer.verdict is not Verdict.UNKNOWN or answer.reason


def test_an_engine_is_not_loaded_before_it_may_join(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loading the explicit engine takes longer than many checks."""
    loaded: list[str] = []
    load_engine = registry.load

    def load(name: str) -> Engine:
        loaded.append(name)
        return load_engine(name)

    monkeypatch.setattr(registry, "load", load)
    system = model("pipe", 10, "all")
    with Portfolio(system, "auto", Options(), Budget(cores=1)) as portfolio:
        for formula in system.formulae:
            assert portfolio.answer(Question(1, formula, "")).engine == "symbolic"
        assert portfolio.seen() == 2**30
    assert set(loaded) == {"symbolic"}


class Fixed:
    """A session that answers at once."""

    def facts(self) -> int:
        return 7

    def close(self) -> None:
        pass


def test_a_turn_that_is_given_twice_does_no_harm() -> None:
    """The end of a long turn can be seen before its report is read; the thread must be there for the next question."""
    reports: queue.SimpleQueue[Runner] = queue.SimpleQueue()
    runner = Runner(lambda _: cast(Session, Fixed()), Budget(), reports)
    for _ in range(20):
        runner.take(Job("facts"))
        runner.run(1_000_000)
        runner.run(1_000_000)
        while runner.busy:
            assert reports.get(timeout=60) is runner
        assert runner.result == 7
    runner.dismiss()


class Counting:
    """A session that answers after so many units of work."""

    def __init__(self, budget: Budget, needed: int) -> None:
        self._budget = budget
        self._needed = needed

    def facts(self) -> int:
        while self._budget.meter.work < self._needed:
            self._budget.spend(1_000)
            self._budget.check()
        return self._needed

    def close(self) -> None:
        pass


@pytest.mark.parametrize("catches_up", [True, False])
def test_who_does_not_catch_up_costs_no_more_than_what_the_leader_still_needs(catches_up: bool) -> None:
    reports: queue.SimpleQueue[Runner] = queue.SimpleQueue()
    patient, late = 20_000_000, 15_000_000
    lead = Runner(lambda budget: cast(Session, Counting(budget, patient)), Budget(), reports)
    rival = Runner(lambda budget: cast(Session, Counting(budget, 10 * patient)), Budget(), reports)
    coming = [(late, Entrant(rival, 0.5, "rival", catches_up)), (0, Entrant(lead, 1.0, "lead"))]

    def arrivals(_field: list[Entrant]) -> Entrant | None:
        return coming.pop()[1] if coming and lead.work >= coming[-1][0] else None

    race = Race(Job("facts"), Budget(), reports, arrivals, lambda _: True)
    winner = race.run()
    assert winner is not None and winner.tag == "lead"
    assert (rival.work <= patient - late) is not catches_up
    lead.dismiss()
    rival.dismiss()


def test_an_engine_that_is_still_busy_joins_when_it_is_free() -> None:
    """At the second question an engine may be inside a long operation for the first one."""
    busy = {"b": 2}

    class Waiting:
        def joins(self, _engine: str, _work: int | None, _beside: bool = True) -> float:
            return 0

        def tried(self, _choice: Turn) -> list[str]:
            return []

        def enter(self, choice: Turn, leads: bool, _effort: int | None) -> Entrant | None:
            name = choice.engine.name
            busy[name] = busy.get(name, 0) - 1
            if busy[name] >= 0 and not leads:
                return None
            return Entrant(cast(Runner, SimpleNamespace(work=0, session=None, overdue=False)), 1.0, name)

    plan = [Turn(cast(Engine, SimpleNamespace(name=name)), "") for name in "ab"]
    arrivals = Arrivals(cast(Portfolio, Waiting()), iter(plan))
    field: list[Entrant] = []
    entered = []
    for _ in range(4):
        while (entrant := arrivals(field)) is not None:
            field.append(entrant)
        entered.append([one.tag for one in field])
    assert entered[0] == ["a"] and entered[-1] == ["a", "b"]


@pytest.mark.parametrize(
    ("effort", "joins"),
    [(None, 5_000_000), (1, 500_000), (8 * 600_000, 600_000), (8 * 800_000, 800_000), (10**9, 5_000_000)],
)
def test_exploration_joins_when_the_states_are_known_to_be_few(effort: int | None, joins: int) -> None:
    """The work of the leader after which exploration joins, and its share of the turns."""
    system = model("vote", 2, "all")
    starts = exploring(system, 0)
    states = None if effort is None else 1 + (effort - starts) // (exploring(system, 1) - starts)
    entered: list[tuple[int, float]] = []
    lead = SimpleNamespace(
        work=0,
        session=SimpleNamespace(counted=lambda: states, fewest=lambda: 0, rivals=list),
        overdue=False,
        busy=True,
        free=False,
    )

    class Two(Portfolio):
        def _runner(self, engine: str, options: Options, budget: Budget, beside: bool) -> Runner:
            return cast(Runner, lead if engine == "symbolic" else SimpleNamespace(work=0, busy=False, free=True))

        def enter(self, choice: Turn, leads: bool, effort: Effort | None = None) -> Entrant | None:
            lead.busy = False
            entrant = super().enter(choice, leads, effort)
            assert entrant is not None
            entered.append((lead.work, entrant.share))
            return entrant

    portfolio = Two(system, "auto", Options(), Budget(cores=1))
    arrivals = Arrivals(portfolio, plan(system, ForAll(Globally(Truth(True))), Options()))
    field: list[Entrant] = []
    for work in range(0, 6_000_000, 10_000):
        lead.work = work
        while (entrant := arrivals(field)) is not None:
            field.append(entrant)
    assert entered[0] == (0, 1.0)
    assert joins <= entered[1][0] <= joins + 10_000
    assert (entered[1][1] == 1.0) is (effort is not None and effort < 5_000_000)


def test_exploration_does_not_join_where_states_are_too_many() -> None:
    stage = Turn(cast(Engine, None), "", 5_000_000, 0.1, 10**11)
    assert due(stage, Effort(10**12, exact=False)) == due(stage, Effort(10**12, exact=True)) == inf
    assert due(stage, None) == due(stage, Effort(10**11, exact=True)) == 5_000_000


def test_exploration_joins_early_where_few_states_were_found_so_far() -> None:
    stage = Turn(cast(Engine, None), "", 5_000_000, 0.1, 10**11)
    assert due(stage, Effort(1, exact=False)) == 1_500_000
    assert due(stage, Effort(8 * 2_000_000, exact=False)) == 2_000_000


@pytest.mark.parametrize(("found", "work", "share"), [(10_000, 900_000, 1.0), (10_000, 1_100_000, 0.1), (999, 1, 0.1)])
def test_an_engine_that_will_be_done_soon_gets_equal_turns(found: int, work: int, share: float) -> None:
    """Of 100,000 states that the leader has counted so many were found with so much work; the leader has done ten million."""
    session = SimpleNamespace(counted=lambda: 100_000, fewest=lambda: 100_000, rivals=list)
    lead = SimpleNamespace(work=10_000_000, session=session, overdue=False, busy=True, free=False)
    explorer = SimpleNamespace(
        work=work, account=work, session=SimpleNamespace(fewest=lambda: found), overdue=False, busy=True, free=False
    )
    turn = Turn(cast(Engine, SimpleNamespace(name="explicit")), "", 5_000_000, 0.1, 10**11)
    entrants = iter([Entrant(cast(Runner, lead), 1.0, None), Entrant(cast(Runner, explorer), 0.1, turn)])
    portfolio = SimpleNamespace(
        enter=lambda *_: next(entrants), joins=lambda *_: 0, exploring=lambda n: n, tried=lambda _: [], patience=1.0
    )
    arrivals = Arrivals(cast(Portfolio, portfolio), iter([turn, turn]))
    field: list[Entrant] = []
    while len(field) < 2:
        entrant = arrivals(field)
        assert entrant is not None
        field.append(entrant)
    assert arrivals(field) is None
    assert field[1].share == share


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
def test_whoever_stops_a_check_is_not_told_how_to_let_it_finish(engine: str) -> None:
    system = model("vote", 2, "all")
    budget = Budget()
    budget.cancel()
    with Portfolio(system, engine, Options(), budget) as portfolio:
        answer = portfolio.answer(Question(1, system.formulae[0], ""))
    assert (answer.verdict, answer.advice) == (Verdict.UNKNOWN, ())
    assert answer.reason == "interrupted before this formula was looked at"


@pytest.mark.parametrize("engine", ["auto", "lazy"])
def test_where_memory_ran_out_more_time_is_no_advice(engine: str) -> None:
    system = model("voters", 3, "first")
    with Portfolio(system, engine, Options(), Budget(memory=1)) as portfolio:
        found = portfolio.answer(Question(1, system.formulae[0], ""))
    assert found.verdict is Verdict.UNKNOWN
    assert found.advice[0] == Setting("memory") and Setting("time") not in found.advice


def test_after_an_interruption_formulae_that_nobody_looked_at_say_so() -> None:
    """The engine would tell how far it came with the formula before."""
    system = load((EXAMPLES / "muddy_children.ispl").read_text()).system
    assert system is not None
    budget = Budget()
    told: list[Result] = []

    def tell(result: Result) -> None:
        told.append(result)
        budget.cancel()

    check(system, questions(system), budget=budget, tell=tell, facts=False)
    assert told[0].decided
    assert {result.reason for result in told[1:]} == {"interrupted before this formula was looked at"}


@pytest.mark.parametrize(
    ("engine", "budget", "left"),
    [
        ("symbolic", Budget(), {"another engine"}),
        ("auto", Budget(), set()),
        ("all", Budget(seconds=60), {Setting("time")}),
        ("symbolic", Budget(memory=10**12), {Setting("memory"), "another engine"}),
    ],
)
def test_advice_names_no_limit_that_was_not_set(engine: str, budget: Budget, left: set[Setting | str]) -> None:
    system = model("vote", 2, "all")
    told = Outcome(Verdict.UNKNOWN, "gave up", (Setting("time"), Setting("memory"), "another engine", "smaller ranges"))
    with Portfolio(system, engine, Options(), budget) as portfolio:
        answer = portfolio._result(Question(1, system.formulae[0], ""), told)
    assert set(answer.advice) == left | {"smaller ranges"}


def test_products_of_variables_are_seen_where_there_are_some() -> None:
    text = """
    Agent A Vars: x : integer; y : integer; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol
    Evolution: x = x + 2 * y if true; end Evolution end Agent
    InitStates A.x = 0; end InitStates Formulae AG A.x >= 0; end Formulae
    """
    plain, product = load(text).system, load(text.replace("2 * y", "x * y")).system
    assert plain is not None and plain.product is None
    assert product is not None and product.product is not None


def test_states_that_were_counted_are_told_though_the_formula_was_not_decided() -> None:
    system = load((EXAMPLES / "muddy_children.ispl").read_text()).system
    assert system is not None
    budget = Budget()
    with Portfolio(system, "symbolic", Options(), budget) as portfolio:
        for question in questions(system):
            portfolio.answer(question)
        budget.cancel()
        facts = portfolio.facts()
    assert facts.reason == "interrupted"
    assert facts.states == epistrat.load(str(EXAMPLES / "muddy_children.ispl")).report(evidence=False).facts.states
