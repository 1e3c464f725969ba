"""``epistrat conform``: verdicts, words, exit statuses; mappings; several logs of one run; hostile logs."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.running.test_possible_states import random_model
from tests.running.test_words import AGENTS
from tests.running.tracker import BruteForce, random_log

from epistrat.cli.main import main
from epistrat.model.show import to_ispl
from epistrat.running.build import build
from epistrat.running.conform import conforms
from epistrat.running.logs import read_log
from epistrat.running.properties import Wish

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/schema/conform-1.json").read_text(encoding="utf-8"))


def written(folder: Path, name: str, *events: Any) -> str:
    file = folder / name
    lines = [
        one
        if isinstance(one, str) and one.startswith(("{", "[", "n"))
        else json.dumps({"action": one} if isinstance(one, str) else one)
        for one in events
    ]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


class Said:
    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err


@pytest.fixture
def conform(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)

    def ask(model: str, *arguments: str) -> Said:
        status = main(["conform", str(AGENTS / f"{model}.ispl"), *arguments])
        return Said(int(status), *capsys.readouterr())

    return ask


def test_what_a_person_with_an_orchestrator_sees(conform: Any, tmp_path: Path) -> None:
    good = written(tmp_path, "a.jsonl", "lease[1]", "expire", "lease[2]", "write[2]", "refuse[1]")
    bad = written(tmp_path, "b.jsonl", "lease[1]", "expire", "lease[2]", "write[1]")
    said = conform("lease", "--set", "fence=1", "a.jsonl", "b.jsonl")
    assert Path(good).exists() and Path(bad).exists()
    assert said.out.splitlines() == [
        "a.jsonl: conforms (5 events; 1 state is possible)",
        "b.jsonl:4: refused: the model does not allow write[1] here. Allowed: expire, write[2], refuse[1], crash[1], crash[2].",
        "1 of 2 logs refused.",
    ]
    assert said.status == 1
    assert conform("lease", "--set", "fence=0", "b.jsonl").status == 0


def test_properties_and_runs(conform: Any, tmp_path: Path) -> None:
    events = [
        {"action": one, "run": run}
        for one in ("lease[1]", "expire", "lease[2]", "write[1]", "write[2]")
        for run in ("r1", "r2")
    ]
    written(tmp_path, "a.jsonl", *events[:-1])
    said = conform("lease", "a.jsonl", "-f", "one_writer", "--json")
    found = json.loads(said.out)
    jsonschema.validate(found, SCHEMA)
    assert [(one["run"], one["verdict"], one["line"]) for one in found["logs"]] == [
        ("r1", "violated", 9),
        ("r2", "conforms", None),
    ]
    assert found["logs"][0]["text"] == "one_writer is violated: written_twice is true."
    assert said.status == 1


def test_a_log_that_says_nothing_is_no_success(conform: Any, tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", '{"start": true}')
    said = conform("lease", "a.jsonl")
    assert (said.status, said.out) == (4, "a.jsonl: empty: no event was recognised\n")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "a.jsonl:1: this is no JSON"),
        ("[1]", "a.jsonl:1: an event is a JSON object"),
        ('{"acton": "x"}', "a.jsonl:1: an event has no 'acton'"),
        ('{"see": {}}', "a.jsonl:1: nothing is told"),
        ('{"action": "lese[1]"}', "a.jsonl:1: the model has no action lese[1]; did you mean lease[1]?"),
        ('{"action": "lease[1]", "agent": "Worker[3]"}', "a.jsonl:1: there is no agent Worker[3]; did you mean Worker[2]?"),
        ('{"action": "lease[1]", "see": {"Orchestrator.leasd": 1}}', "no variable Orchestrator.leasd; did you mean Orchestrator.leased?"),
        ('{"action": "lease[1]", "see": 3}', "`see` is an object"),
        ('{"action": "lease[1]", "time": "now"}', "`time` is a number"),
        ('{"action": 7}', "`action` is a text"),
        ('{"do": {"A": 1}}', "`do` is an object"),
        ("[" * 100_000, "a.jsonl:1: this"),
    ],
)  # fmt: skip
def test_bad_lines_are_located(line: str, words: str, conform: Any, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line + "\n", encoding="utf-8")
    said = conform("lease", "a.jsonl")
    assert (said.status, words in said.err) == (3, True), said.err


def test_files_that_cannot_be_read(conform: Any, tmp_path: Path) -> None:
    assert (
        said := conform("lease", "none.jsonl")
    ).status == 3 and "none.jsonl cannot be read: no such file" in said.err
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe")
    assert (said := conform("lease", "b.jsonl")).status == 3 and "not UTF-8" in said.err
    written(tmp_path, "a.jsonl", "lease[1]")
    assert (
        said := conform("lease", "a.jsonl", "--map", "none.toml")
    ).status == 3 and "none.toml cannot be read" in said.err


MAP = """
[events]
action = "event.name"
time = "at"
run = "job"
unmapped = "ignore"
[events.actions]
"job.leased" = "lease[{worker}]"
"job.ended" = [{when = {ok = true}, action = "write[{worker}]"}, {action = "refuse[{worker}]"}]
[events.see]
"Orchestrator.leased" = "lease.holder"
[events.values."Orchestrator.leased"]
"none" = 0
[timeout]
after = 30
action = "expire"
"""


def test_a_mapping_reads_other_logs(conform: Any, tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    written(
        tmp_path, "a.jsonl",
        {"event": {"name": "job.leased"}, "worker": 1, "lease": {"holder": 1}, "at": 0, "job": "j"},
        {"event": {"name": "heartbeat"}, "at": 1, "job": "j"},
        {"event": {"name": "job.leased"}, "worker": 2, "lease": {"holder": 2}, "at": 40, "job": "j"},
        {"event": {"name": "job.ended"}, "worker": 2, "ok": True, "lease": {"holder": "none"}, "at": 41, "job": "j"},
        {"event": {"name": "job.ended"}, "worker": 1, "ok": False, "at": 42, "job": "j"},
    )  # fmt: skip
    said = conform("lease", "--set", "fence=1", "a.jsonl", "--map", "map.toml")
    assert (said.status, said.out) == (
        0,
        "a.jsonl (run j): conforms (5 events, 1 lines ignored; 1 state is possible)\n",
    )
    (tmp_path / "map.toml").write_text(MAP.replace('"ignore"', '"error"'), encoding="utf-8")
    assert (
        said := conform("lease", "a.jsonl", "--map", "map.toml")
    ).status == 3 and "a.jsonl:2: no entry of map.toml is about 'heartbeat'" in said.err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("Orchestrator.leased", "Orchestrator.lesed"), "the model has no variable Orchestrator.lesed; did you mean Orchestrator.leased?"),
        (('action = "expire"', 'action = "expir"'), "the model has no action expir; did you mean expire?"),
        (("after = 30", "after = -1"), "[timeout] has `after`, seconds above 0"),
        (("unmapped", "unmaped"), "[events] has no 'unmaped'"),
        (('"ignore"', '"maybe"'), 'unmapped is "ignore" or "error"'),
        (("[timeout]", "[timeout"), "map.toml: "),
    ],
)  # fmt: skip
def test_bad_mappings_are_refused(change: tuple[str, str], words: str, conform: Any, tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP.replace(*change), encoding="utf-8")
    written(tmp_path, "a.jsonl", "lease[1]")
    said = conform("lease", "a.jsonl", "--map", "map.toml")
    assert (said.status, words in said.err) == (3, True), said.err


def test_spans_of_opentelemetry(conform: Any, tmp_path: Path) -> None:
    spans = [
        {"name": "invoke_agent", "event": "start", "trace_id": "t", "time": 0},
        {"name": "chat", "event": "start", "trace_id": "t", "time": 1},
        {
            "name": "execute_tool",
            "event": "start",
            "trace_id": "t",
            "time": 2,
            "attributes": {"gen_ai.tool.done": True},
        },
        {"name": "guardrail", "event": "end", "trace_id": "t", "time": 3, "attributes": {"tripped": True}},
    ]
    written(tmp_path, "spans.jsonl", *spans)
    said = conform("guardrail_race", "spans.jsonl", "--map", str(AGENTS / "otel-genai.toml"), "-f", "safe")
    assert said.out.startswith(
        "spans.jsonl:3 (run t): violated: safe is violated: tool_ran is true and passed is false."
    )


def test_own_code_is_run_only_when_it_is_named(conform: Any, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        "def events(file):\n    for line in file:\n        yield {'action': line.strip()}\n", encoding="utf-8"
    )
    (tmp_path / "a.txt").write_text("lease[1]\nexpire\n", encoding="utf-8")
    assert conform("lease", "a.txt", "--map", "own.py:events").status == 0
    assert (
        said := conform("lease", "a.txt", "--map", "own.py:event")
    ).status == 3 and "has no function event" in said.err


def test_several_logs_of_one_run(conform: Any, tmp_path: Path) -> None:
    written(
        tmp_path,
        "queue.jsonl",
        {"action": "lease[1]", "time": 0},
        {"action": "expire", "time": 1},
        {"action": "lease[2]", "time": 2},
    )
    written(tmp_path, "workers.jsonl", {"action": "write[2]", "time": 3}, {"action": "refuse[1]", "time": 2.5})
    said = conform("lease", "--set", "fence=1", "--together", "queue.jsonl", "workers.jsonl")
    assert (said.status, said.out) == (0, "queue.jsonl + workers.jsonl: conforms (5 events; 1 state is possible)\n")
    assert conform("lease", "--set", "fence=1", "queue.jsonl", "workers.jsonl").status == 1, "each alone is no run"
    said = conform("lease", "--set", "fence=1", "--together", "workers.jsonl", "workers.jsonl")
    assert said.status == 1 and "the longest part that fits has 0 of 4 events" in said.out
    assert "workers.jsonl:1: write[2]: the model does not allow it there." in said.out
    written(tmp_path, "late.jsonl", {"action": "write[2]", "time": 1.95})
    assert conform("lease", "--together", "--order", "time", "queue.jsonl", "late.jsonl").status == 1
    assert conform("lease", "--together", "--order", "time", "--skew", "0.1", "queue.jsonl", "late.jsonl").status == 0
    written(tmp_path, "timeless.jsonl", "write[2]")
    assert conform("lease", "--together", "--order", "time", "queue.jsonl", "timeless.jsonl").status == 3
    assert conform("lease", "--together", "--states", "2", "queue.jsonl", "workers.jsonl").status == 4
    assert conform("lease", "--skew", "1", "queue.jsonl").status == 2


def test_hints_say_what_would_make_it_fit(conform: Any, tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", "lease[1]", "lease[2]")
    said = conform("lease", "a.jsonl", "--explain")
    assert "It fits if expire happens before lease[2] without being told: --hidden expire" in said.out
    assert "1: step 1: conforms; 1 state is possible" in said.out
    assert conform("lease", "a.jsonl", "--hidden", "expire").status == 0
    assert conform("lease", "a.jsonl", "--from", "any").status == 1


def test_runs_that_epistrat_printed_are_logs(conform: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model in ("lease", "lights"):
        assert main(["simulate", str(AGENTS / f"{model}.ispl"), "--random", "8", "--json"]) == 0
        (tmp_path / "run.json").write_text(capsys.readouterr().out, encoding="utf-8")
        (tmp_path / "run.jsonl").write_text(conform(model, "run.json", "--as-log").out, encoding="utf-8")
        assert conform(model, "run.jsonl").status == 0
    assert main(["check", str(AGENTS / "lease.ispl"), "--only", "one_writer", "--json", "--evidence"]) == 1
    (tmp_path / "why.json").write_text(capsys.readouterr().out, encoding="utf-8")
    (tmp_path / "why.jsonl").write_text(conform("lease", "why.json", "--as-log").out, encoding="utf-8")
    said = conform("lease", "why.jsonl", "-f", "one_writer")
    assert said.status == 1 and "violated: one_writer is violated" in said.out


@pytest.mark.parametrize("seed", range(12))
def test_random_logs_are_refused_at_the_right_line(seed: int) -> None:
    rng = random.Random(5_000 + seed)
    system, hidden = random_model(rng)
    monitor, judge = build(system, Wish(hidden=hidden)).monitor(), BruteForce(system, hidden)
    for number in range(8):
        log = random_log(judge, rng, wrong=number % 2 == 1)
        lines = []
        for do, see in log:
            told: dict[str, Any] = {"do": do}
            if system.interleaved:
                ((agent, action),) = do.items()
                told = {"action": action, "agent": agent}
            lines.append(json.dumps(told | {"see": see}))
        worlds, expected = judge.with_hidden(judge.initial()), None
        for line, (do, see) in enumerate(log, start=1):
            worlds = judge.after(worlds, do, see)
            if not worlds:
                expected = line
                break
        (found,) = conforms(read_log("x", lines), monitor)
        assert found.line == expected and (found.verdict == "refused") is (expected is not None), to_ispl(system)
        if expected is None and log:
            assert found.possible == len(worlds)
