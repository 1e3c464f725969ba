"""What first users met in sweeps: pictures, formats, errors, costs, larger limits, and sweeps from Python."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main
from epistrat.experiments import formats, tables
from epistrat.experiments.bench import Row
from epistrat.experiments.bench_report import _curves
from epistrat.experiments.chart import Curve, Dot, Line, Words, shapes
from epistrat.experiments.store import Store
from epistrat.experiments.suite import Case
from epistrat.experiments.sweep import NoPlan, NoSuchModel, Sweep
from epistrat.experiments.task import Measured, Said, Task

COUNTER = """
Parameters n = 3 in 1..; end Parameters
Agent Counter
    Vars: x : 0..n; end Vars
    Actions = {up};
    Protocol: Other : {up}; end Protocol
    Evolution: x = x + 1 if x < n; end Evolution
end Agent
Evaluation full if Counter.x = n; end Evaluation
InitStates Counter.x = 0; end InitStates
Formulae
    reach: EF full;
    never: AG !full;
end Formulae
"""


def found(n: int, **verdicts: str) -> tuple[Task, Measured]:
    said = tuple(Said(name, name, verdict, cpu=n * len(name) / 10) for name, verdict in verdicts.items())
    return Task("family.ispl", "text", (("n", str(n)),)), Measured(said, 9.0, 9.0, 50.0, "7")


ROWS = tables.rows([found(2, safe="holds", live="fails"), found(4, safe="holds", live="unknown")])


@pytest.fixture
def counter(tmp_path: Path) -> Path:
    (tmp_path / "counter.ispl").write_text(COUNTER)
    return tmp_path / "counter.ispl"


def test_one_curve_for_each_formula_and_marks_for_what_is_undecided() -> None:
    assert tables.curves(ROWS, "n") == {
        "safe": Curve(((2, 0.8), (4, 1.6))),
        "live": Curve(((2, 0.8),), (4,)),
    }
    picture = list(shapes("title", tables.curves(ROWS, "n"), axis="n", limit=60.0))
    crosses = [
        one for one in picture if isinstance(one, Line) and one.width == 2 and one.points[0][0] != one.points[1][0]
    ]
    assert len([one for one in crosses if abs(one.points[0][1] - one.points[1][1]) == 8]) == 2
    assert sum(isinstance(one, Dot) for one in picture) == 3
    texts = [one.text for one in picture if isinstance(one, Words)]
    assert {"safe", "live", "n (logarithmic)"} <= set(texts)
    assert any(one.startswith("limit 60 s") for one in texts)


def test_a_parameter_that_is_called_like_a_column_keeps_its_values() -> None:
    task = Task("family.ispl", "text", (("states", "3"), ("model", "5")))
    rows = tables.rows([(task, Measured((Said("p", "p", "holds", cpu=1.0),), 9.0, 9.0, 50.0, "7"))])
    (row,) = rows
    assert (row["model"], row["states"]) == ("family", "7")
    assert (row["states (parameter)"], row["model (parameter)"]) == ("3", "5")
    assert tables.curves(rows, "states") == {"family model (parameter)=5": Curve(((3, 9.0),))}


def test_sizes_without_a_logarithm_are_drawn() -> None:
    assert list(shapes("title", {"one": Curve(((-1, 1.0), (0, 2.0), (3, 4.0)))}))


def test_suites_draw_a_curve_for_each_formula() -> None:
    def row(n: int, only: str) -> Row:
        asked = Task("m.ispl", "text", (("n", str(n)),), only)
        return Row(Case(asked, "Voting"), (Measured((Said("f", only, "holds"),), n * 1.0, 1.0, 1.0),))

    assert set(_curves([row(n, only) for n in (2, 3) for only in ("safe", "live")])) == {"Voting: safe", "Voting: live"}
    assert set(_curves([row(2, "safe"), row(3, "safe")])) == {"Voting"}


def test_costs_are_those_of_the_formula(counter: Path, tmp_path: Path) -> None:
    assert [row["cpu"] for row in ROWS[:2]] == [0.8, 0.8]
    assert {row["check_cpu"] for row in ROWS} == {9.0}
    rows = epistrat.sweep(counter, n=[2], store=tmp_path / "s").rows
    assert all(0 < row["cpu"] < row["check_cpu"] for row in rows)


def test_latex(tmp_path: Path) -> None:
    formats.table_writer(tmp_path / "t.tex")(tmp_path / "t.tex", [{**row, "label": "a_b"} for row in ROWS])
    text = (tmp_path / "t.tex").read_text()
    assert text.startswith("\\begin{tabular}{rllrrr}\n\\toprule\n")
    assert "2 & a\\_b & holds & 0.80 & 50 & 7 \\\\" in text
    assert text.endswith("\\bottomrule\n\\end{tabular}\n")


def test_large_numbers_of_states_are_powers_in_latex(tmp_path: Path) -> None:
    formats.write_latex(tmp_path / "t.tex", [{**ROWS[0], "states": str(25 * 10**40)}])
    assert r"$2.5\cdot10^{41}$" in (tmp_path / "t.tex").read_text()


@pytest.mark.parametrize(
    ("option", "file", "word"), [("-o", "t.xlsx", ".csv"), ("--plot", "t.pdf", ".svg"), ("-o", "t", ".tex")]
)
def test_other_formats_are_refused_by_name_before_any_work(
    option: str, file: str, word: str, counter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    assert main(["sweep", str(counter), "n=2", option, str(tmp_path / file), "--store", str(store)]) == 2
    said = capsys.readouterr().err
    assert file in said
    assert word in said
    assert not store.exists()
    assert not (tmp_path / file).exists()


def test_a_png_is_a_png(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    Sweep(ROWS, "n", 60.0).plot(tmp_path / "g.png")
    assert (tmp_path / "g.png").read_bytes().startswith(b"\x89PNG")
    with image.open(tmp_path / "g.png") as picture:
        assert picture.size == (2040, 1240)
        assert len(picture.getcolors(1 << 24)) > 4


def test_an_unknown_parameter_is_said_once_and_first(
    counter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(counter), "k=2..8", "--store", str(tmp_path / "s")]) == 3
    said = capsys.readouterr()
    assert said.err.count("the model has no parameter `k`") == 1
    assert said.out == ""
    with pytest.raises(NoSuchModel, match="no parameter `k`"):
        epistrat.sweep(counter, k=2, store=tmp_path / "s")


def test_errors_of_single_tasks_are_told_once_in_words(
    counter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(counter), "n=0,-1,2", "--store", str(tmp_path / "s"), "-o", str(tmp_path / "t.csv")]) == 4
    said = capsys.readouterr()
    assert "exit status" not in said.out + said.err
    assert "1 without verdict: n = 0 lies outside 1.." in said.err
    with (tmp_path / "t.csv").open(newline="") as file:
        assert next(csv.DictReader(file))["reason"] == "n = 0 lies outside 1.."


def test_a_larger_limit_asks_again_only_what_was_unknown(
    counter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("EPISTRAT_FAKE", json.dumps({"log": str(log), "names": {"a": 0, "b": 5}}))
    monkeypatch.setattr("epistrat.service.run.SERVING", "tests.experiments.fake_child")
    store = tmp_path / "s"
    first = epistrat.sweep(counter, n=2, time=1, store=store, jobs=1)
    assert [row["verdict"] for row in first] == ["holds", "unknown"]
    second = epistrat.sweep(counter, n=2, time=10, store=store, jobs=1)
    assert [row["verdict"] for row in second] == ["holds", "holds"]
    assert epistrat.sweep(counter, n=2, time=20, store=store, jobs=1).decided  # nothing is left to ask
    assert log.read_text().split() == ["a,b", "b"]


def test_an_answer_that_took_longer_is_none_under_a_smaller_limit(tmp_path: Path) -> None:
    slow = Measured((Said("f", "f", "holds"),), 30.0, 30.0, 1.0)
    store = Store(tmp_path / "s")
    large, small = Task("m", "text", seconds=60.0), Task("m", "text", seconds=10.0)
    store.plan([large, small])
    store.record(large, slow)
    store.adopt([small])
    assert store.open_tasks() == [small]
    store.close()


def test_from_python(counter: Path, tmp_path: Path) -> None:
    heard: list[int] = []
    swept = epistrat.sweep(
        counter,
        n=range(2, 5),
        only=["reach", "never"],
        store=tmp_path / "s",
        heard=lambda number, *_: heard.append(number),
    )
    assert heard == [1, 2, 3, 4, 5, 6]
    assert [(row["n"], row["label"], row["verdict"]) for row in swept] == [
        (str(n), name, verdict) for n in (2, 3, 4) for name, verdict in (("reach", "holds"), ("never", "fails"))
    ]
    assert swept.decided
    assert "<td>never</td>" in swept._repr_html_()
    again = epistrat.sweep(counter, n="2..4", only=["reach", "never"], store=tmp_path / "s")
    assert again.rows == swept.rows
    swept.write(tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text()) == swept.rows
    pandas = pytest.importorskip("pandas")
    frame = swept.to_pandas()
    assert list(frame[frame.verdict == "fails"].n) == [2, 3, 4]
    assert pandas.api.types.is_numeric_dtype(frame.n)


@pytest.mark.parametrize("given", [{"n": 1.5}, {"n": None}, {"n": []}, {"n": 1, "jobs": -1}])
def test_slips_in_python_are_answered_in_words(counter: Path, tmp_path: Path, given: dict[str, object]) -> None:
    with pytest.raises(NoPlan, match=r"n is a whole number|expected NAME=VALUES|jobs: -1"):
        epistrat.sweep(counter, store=tmp_path / "s.sqlite", **given)  # type: ignore[arg-type]  # that is the slip


def test_a_folder_that_is_not_there_is_named_before_any_work(tmp_path: Path) -> None:
    for writer, name in ((formats.table_writer, "a.csv"), (formats.picture_writer, "a.svg")):
        with pytest.raises(formats.NoFormat, match="there is no folder"):
            writer(tmp_path / "missing" / name)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--option=--engin=symbolic"], "a check has no option --engin; did you mean --engine?"),
        (["--option=--strategies=clever"], "--strategies: there is no 'clever'"),
        (["--memory", "much"], "--memory: 'much' is no size; write 500MB or 2GB"),
    ],
)
def test_what_no_check_has_is_refused_before_the_work(
    counter: Path, tmp_path: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(counter), "n=2,3", "--store", str(tmp_path / "s"), *options]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_no_time_is_refused_in_python(counter: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="--time: 0 is not a number of seconds"):
        epistrat.sweep(counter, n=2, time=0, store=tmp_path / "s")
