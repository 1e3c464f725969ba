"""The obligations of answers, written as files, are decided the same way by solvers of other makes; refutations are checked."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest
from pysat.formula import CNF  # type: ignore[import-untyped]  # python-sat has no types
from pysat.solvers import Solver  # type: ignore[import-untyped]

from epistrat.evidence.proof import rup
from epistrat.evidence.proof.questions import All, Circuits, Clauses, Exists, Leaf, Question, Some
from epistrat.service import CheckRequest, ask
from epistrat.service.requests import File
from epistrat.solvers.bdd import open_algebra

MODELS = ("bit-transmission", "prisoners", "hats", "gossip", "consecutive-numbers", "faulty-trains")
SCENARIOS = Path(__file__).parents[3] / "src" / "epistrat" / "scenarios"
Row = tuple[Path, dict]  # type: ignore[type-arg]


def written(name: str, folder: Path) -> list[Row]:
    """The obligations of all answers about a scenario, each with its folder."""
    request = CheckRequest(model=File(str(SCENARIOS / f"{name}.ispl")), proof=str(folder), drat=True)
    report, _ = ask(request)
    assert all(result.backing is not None and result.backing.standing.value == "proved" for result in report.results)
    manifests = sorted(folder.glob("*/manifest.json"))
    assert len(manifests) == len(report.results)
    return [(one.parent, row) for one in manifests for row in json.loads(one.read_text())["obligations"]]


@pytest.mark.parametrize("name", MODELS)
def test_sat_solvers_decide_them(name: str, tmp_path: Path) -> None:
    clauses = 0
    for folder, row in written(name, tmp_path):
        for file in [one for one in row["files"] if one.endswith(".cnf")]:
            formula = CNF(from_file=str(folder / file))
            clauses += 1
            for solver in ("cadical153", "minisat22", "glucose4"):
                with Solver(name=solver, bootstrap_with=formula) as asked:
                    assert asked.solve() is (row["expected"] == "sat"), (folder, row)
    assert clauses


@pytest.mark.parametrize("name", MODELS)
def test_refutations_are_checked(name: str, tmp_path: Path) -> None:
    checked = 0
    for folder, row in written(name, tmp_path):
        for file in [one for one in row["files"] if one.endswith(".drat")][:1]:
            clauses = CNF(from_file=str(folder / file.replace("drat", "cnf"))).clauses
            rup.check(clauses, (folder / file).read_text().splitlines())
            checked += 1
    assert checked


@pytest.mark.parametrize("name", MODELS[:4])
@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_smt_solvers_decide_them(name: str, solver: str, tmp_path: Path) -> None:
    library = pytest.importorskip(solver)
    for folder, row in written(name, tmp_path)[:60]:
        for file in [one for one in row["files"] if one.endswith(".smt2")]:
            text = (folder / file).read_text()
            if len(text) < 60_000:
                answer = decided(library, solver, text)
                quantified = "exists" in text and answer.startswith("unknown")
                assert answer == row["expected"] or quantified, (folder, row)


def decided(library, solver: str, text: str) -> str:  # type: ignore[no-untyped-def]
    """The answer to a question in SMT-LIB."""
    if solver == "z3":
        asked = library.Solver()
        asked.from_string(text)
        return str(asked.check())
    terms = library.TermManager()
    asked = library.Solver(terms)
    parser = library.InputParser(asked)
    parser.setStringInput(library.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(asked, symbols)).strip() or answer
    return answer


@pytest.mark.parametrize("agents", [3, 64, 70])
def test_clauses_about_many_look_alikes_keep_their_bits_apart(agents: int) -> None:
    """Each of so many agents sees one bit; the last one cannot tell the state from the only one in a set."""
    algebra = open_algebra(agents, "oxidd", 1 << 16, 1 << 14)
    state, alike = algebra.true, algebra.true
    for bit in range(agents):
        literal = algebra.var[bit] if bit % 3 else ~algebra.var[bit]
        alike = alike & literal
        state = state & (literal if bit == agents - 1 else ~literal)

    def looks_like(agent: int) -> Question:
        first = (agent + 1) * agents
        renamed = tuple((bit, first + bit) for bit in range(agents) if bit != agent)
        return Exists(tuple(other for _, other in renamed), Leaf(alike, renamed))

    for seen, expected in ((range(agents), True), (range(agents - 1), False)):
        asked = All((Leaf(state), Some(tuple(map(looks_like, seen)))))
        clauses = Clauses(Circuits(algebra.true, algebra.false), agents, asked)
        with Solver(name="cadical153", bootstrap_with=clauses.clauses) as solver:
            assert solver.solve() is expected


def test_a_refutation_that_does_not_follow_is_refused() -> None:
    unsolvable = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    rup.check(unsolvable, ["2 0", "0"])
    for clauses, proof in ((unsolvable[:3], ["2 0", "0"]), (unsolvable, ["3 0"]), (unsolvable[1:], ["2 0", "0"])):
        with pytest.raises(rup.Wrong):
            rup.check(clauses, proof)


@pytest.mark.parametrize(
    "proof",
    [
        ["d -2 1 0", "-1 0", "0"],  # 1 follows from what is dropped, so its opposite has no resolvents left
        ["1 0", "d -2 1 0", "d 1 0", "-1 0", "0"],
        ["d 2 0", "d -2 1 0", "-1 0", "0"],
    ],
)
def test_what_followed_from_a_dropped_clause_is_not_denied_later(proof: list[str]) -> None:
    with pytest.raises(rup.Wrong):
        rup.check([[2], [-2, 1]], proof)


@pytest.mark.parametrize("seed", range(300))
def test_no_random_steps_refute_clauses_that_have_a_solution(seed: int) -> None:
    import random

    rng = random.Random(seed)
    size = rng.randint(2, 5)

    def some() -> list[int]:
        return [rng.choice((1, -1)) * one for one in rng.sample(range(1, size + 1), min(size, rng.randint(1, 3)))]

    clauses = [some() for _ in range(rng.randint(2, size * 3))]
    with Solver(name="glucose4", bootstrap_with=clauses) as asked:
        if not asked.solve():
            return
    checker = rup.Checker(clauses)
    known = list(clauses)
    for _ in range(60):
        clause = rng.choice(known) if rng.random() < 0.5 else some()
        if rng.random() < 0.5:
            checker.drop(clause)
            continue
        with suppress(rup.Wrong):
            checker.add(clause)
            known.append(clause)
    assert not checker.refuted


@pytest.mark.parametrize("seed", range(60))
def test_refutations_of_random_clauses_are_checked(seed: int) -> None:
    import random

    rng = random.Random(seed)
    size = rng.randint(3, 12)
    clauses = [
        [rng.choice((1, -1)) * one for one in rng.sample(range(1, size + 1), min(size, rng.randint(1, 3)))]
        for _ in range(size * 6)
    ]
    with Solver(name="glucose4", bootstrap_with=clauses, with_proof=True) as asked:
        solvable, proof = asked.solve(), asked.get_proof()
    if solvable:
        with pytest.raises(rup.Wrong):
            rup.check(clauses, [*(proof or []), "0"])
    else:
        rup.check(clauses, proof)
