"""Programs whose implementations are known: examples of the book, and of the literature."""

from __future__ import annotations

import json
import re
from itertools import combinations, product
from pathlib import Path

import pytest

from epistrat.api import load
from epistrat.cli.main import main
from epistrat.logic.formula import Reading
from epistrat.model.initial import initial_states
from epistrat.model.programs import implement
from epistrat.model.step import Stepper
from epistrat.service import InputError
from epistrat.service.expect import read_expectation

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples" / "programs"
SPECIFIED = ROOT / "tests" / "histories" / "examples"
ENGINES = ("explicit", "symbolic", "reference")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ispl")), ids=lambda path: path.stem)
def test_examples_hold_what_they_say(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    assert main(["check", str(path), "--expect"]) in (0, 1)


@pytest.mark.parametrize("engine", ["explicit", "symbolic"])
@pytest.mark.parametrize("reading", ["clock", "recall"])
@pytest.mark.parametrize("name", ["m09-muddy-program", "m16-program", "m17-paradox"])
def test_the_verdicts_of_the_specification(name: str, reading: str, engine: str) -> None:
    path = SPECIFIED / f"{name}.ispl"
    expected = read_expectation(path.read_text(), {}, Reading(reading))
    results = load(path).check(knowledge=reading, engine=engine)
    for index, verdict in re.findall(r"(\d+) (holds|fails)", str(expected)):
        assert results[int(index) - 1].verdict.value == verdict
    assert len(results) == 4
    for other in ("observation", "changes"):
        with pytest.raises(InputError, match="E045"):
            load(path).check(knowledge=other)


def test_muddy_children_say_so_in_time() -> None:
    """With k of n muddy children nobody says anything at times before k, when all k have said so."""
    for n in (2, 3, 4):
        program = load(EXAMPLES / "muddy_children.ispl", n=n)
        system = implement(program).system
        stepper, place = Stepper(system), system.position
        for state in initial_states(system):
            muddy = [state[place["Environment", f"mud[{i}]"]] for i in range(1, n + 1)]
            for _ in range(sum(map(bool, muddy))):
                assert not any(state[place["Environment", f"said[{i}]"]] for i in range(1, n + 1))
                (state,) = {step.target for step in stepper.steps(state)}
            assert [state[place["Environment", f"said[{i}]"]] for i in range(1, n + 1)] == muddy


def test_bit_transmission_becomes_the_usual_protocol(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["implement", str(EXAMPLES / "bit_transmission.ispl"), "--guards"]) == 0
    printed = capsys.readouterr().out
    assert "bit = false and ack = false" in printed
    assert "bit = true and ack = false" in printed
    assert "got <> nothing" in printed
    assert "clock" not in printed


# -- simultaneous agreement ------------------------------------------------------------------------------------------------

Process = int
Failing = frozenset[Process]
Point = tuple[tuple[frozenset[int], ...], frozenset[Process], Failing, frozenset[int]]
"""What each process has seen, who has crashed, who fails, and what was there in the beginning."""


def points(n: int, t: int) -> set[Point]:
    found: set[Point] = set()
    for values in product((0, 1), repeat=n):
        for many in range(t + 1):
            for fails in combinations(range(n), many):
                seen = tuple(frozenset({value}) for value in values)
                found.add((seen, frozenset(), frozenset(fails), frozenset(values)))
    return found


def rounds(n: int, point: Point) -> set[Point]:
    seen, crashed, fails, began = point
    lost = []
    for one in fails:
        others = [other for other in range(n) if other != one]
        sets = [frozenset(some) for many in range(n) for some in combinations(others, many)]
        lost.append([(one, some) for some in ([frozenset(others)] if one in crashed else sets)])
    found = set()
    for chosen in product(*lost):
        missing = dict(chosen)
        after = tuple(
            seen[to].union(*(seen[by] for by in range(n) if by != to and to not in missing.get(by, ())))
            for to in range(n)
        )
        found.add((after, crashed | {one for one, some in missing.items() if some}, fails, began))
    return found


def common(n: int, here: set[Point], value: int) -> set[Point]:
    """Where it is common knowledge among those who do not fail that somebody began with a value: by the greatest fixpoint."""
    true = set(here)
    while True:
        doubtful = {
            (one, point[0][one])
            for point in here
            for one in range(n)
            if one not in point[2] and not (value in point[3] and point in true)
        }
        kept = {
            point
            for point in true
            if all((one, point[0][one]) not in doubtful for one in range(n) if one not in point[2])
        }
        if kept == true:
            return true
        true = kept


@pytest.mark.parametrize(
    ("n", "t"),
    [(2, 1), (3, 1), (3, 2), pytest.param(4, 1, marks=pytest.mark.long), pytest.param(4, 2, marks=pytest.mark.long)],
)
def test_agreement_is_reached_when_brute_force_says(n: int, t: int) -> None:
    """At each time the program decides exactly where the value is common knowledge among those who do not fail."""
    program = load(EXAMPLES / "simultaneous_agreement.ispl", n=n, t=t)
    system = implement(program).system
    stepper, place = Stepper(system), system.position
    layer, here = set(initial_states(system)), points(n, t)
    for moment in range(min(t + 1, n - 1) + 2):
        zero = common(n, here, 0)
        one = common(n, here, 1)
        assert bool(zero | one) == (moment >= min(t + 1, n - 1))
        for state in layer:
            point = _point(state, place, n)
            assert point in here
            for i in set(range(n)) - point[2]:
                if state[place[f"Process[{i + 1}]", "decision"]] != "nothing":
                    continue
                may = stepper.allowed(system.agent[f"Process[{i + 1}]"], state)
                assert may == (("decide0",) if point in zero else ("decide1",) if point in one else ("wait",))
        layer = {step.target for state in layer for step in stepper.steps(state)}
        here = {after for point in here for after in rounds(n, point)}
        assert {_point(state, place, n) for state in layer} == here


def _point(state: tuple[object, ...], place: dict[tuple[str, str], int], n: int) -> Point:
    def of(name: str) -> list[bool]:
        return [bool(state[place["Environment", f"{name}[{i}]"]]) for i in range(1, n + 1)]

    zero, one = of("zero"), of("one")
    seen = tuple(frozenset({0} if a else ()) | frozenset({1} if b else ()) for a, b in zip(zero, one, strict=True))
    crashed = frozenset(i for i, known in enumerate(of("crashed")) if known)
    fails = frozenset(i for i, known in enumerate(of("fails")) if known)
    began = frozenset(value for value, name in enumerate(("some0", "some1")) if state[place["Environment", name]])
    return seen, crashed, fails, began


@pytest.mark.parametrize("reading", ["clock", "recall"])
def test_answers_say_how_guards_were_read_and_are_replayed_so(
    reading: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model says `Clock`; agents that remember have a variable more, which is no agent of the text."""
    path, answer = str(EXAMPLES / "muddy_children.ispl"), tmp_path / "answer.json"
    main(["check", path, "--knowledge", reading])
    assert f"4 agents, whose guards are read by `{reading}`" in capsys.readouterr().out
    main(["check", path, "--knowledge", reading, "--json", "--evidence"])
    saved = json.loads(capsys.readouterr().out)
    assert (saved["guards"], saved["agents"]) == (reading, 4)
    answer.write_text(json.dumps(saved), encoding="utf-8")
    assert main(["replay", path, str(answer)]) == 0
    answer.write_text(json.dumps(saved | {"guards": "observation"}), encoding="utf-8")
    assert main(["replay", path, str(answer)]) == 3
    assert "clock or recall" in capsys.readouterr().err
