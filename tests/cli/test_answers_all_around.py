"""Values around an answer: what JSON says, which formulae are asked, what was expected, who agreed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.lamp_models import LAMP, Run

import epistrat
from epistrat.engines import registry
from epistrat.engines.contract import Facts, Outcome, Session, Verdict
from epistrat.jobs import Disagreement

# Whatever A does, B can keep the lamp dark: by doing the same, or the opposite where the lamp stands the other way.
GAME = """
Agent A
  Vars: n : 0..1; end Vars
  Actions = {l, r};
  Protocol: Other : {l, r}; end Protocol
end Agent
Agent B
  Vars: lit : boolean; end Vars
  Actions = {x, y};
  Protocol: Other : {x, y}; end Protocol
  Evolution:
    lit = true if (A.Action = l and Action = x) or (A.Action = r and Action = y);
    lit = false if (A.Action = l and Action = y) or (A.Action = r and Action = x);
  end Evolution
end Agent
Evaluation lit if B.lit = true; zero if A.n = 0; end Evaluation
InitStates A.n = 0 and B.lit = false; end InitStates
Groups a = {A}; ab = {A, B}; end Groups
"""


@pytest.mark.parametrize("engine", ["symbolic", "explicit", "reference"])
def test_answers_in_json_say_who_does_what_against_what(engine: str) -> None:
    (result,) = epistrat.load(GAME).check("<a>X lit", engine=engine)
    (reason,) = result.to_json()["evidence"]["because"]
    assert reason["kind"] == "answers"
    answers = reason["answers"]
    dark = {"A.n": 0, "B.lit": False}
    assert {key: answers[key] for key in ("agents", "against", "strategy", "complete")} == {
        "agents": ["B"],
        "against": ["A"],
        "strategy": False,
        "complete": True,
    }
    assert sorted(answers["moves"], key=lambda move: str(move["against"])) == [
        {"when": dark, "against": {"A": "l"}, "do": {"B": "y"}, "to": dark},
        {"when": dark, "against": {"A": "r"}, "do": {"B": "x"}, "to": dark},
    ]


def test_answers_and_lassos_in_json_keep_their_places() -> None:
    """From a lit lamp, B makes it dark; and a run that comes to a circle later than at its start."""
    system = epistrat.load(GAME.replace("B.lit = false; end", "B.lit = true; end"))
    (result,) = system.check("<a>X lit")
    (reason,) = result.to_json()["evidence"]["because"]
    assert {str(move["when"]) for move in reason["answers"]["moves"]} == {str({"A.n": 0, "B.lit": True})}
    assert {str(move["to"]) for move in reason["answers"]["moves"]} == {str({"A.n": 0, "B.lit": False})}
    counting = "  Evolution: n = 1 if n = 0; end Evolution\nend Agent\nAgent B"
    (result,) = epistrat.load(GAME.replace("end Agent\nAgent B", counting)).check("AG zero or AF (lit and zero)")
    assert '"loop": 1' in json.dumps(result.to_json()["evidence"])


@pytest.mark.parametrize("formula", ["<a>X lit", "<ab>F lit", "AG zero", "EF lit", "AF lit", "K(A, lit)"])
def test_json_gives_the_values_of_the_result(formula: str) -> None:
    (result,) = epistrat.load(GAME).check(formula)
    assert result.replay is not None
    found = result.to_json()
    assert found["replay"]["checked"] == result.replay.checked > 0
    assert found["replay"]["trusted"] == list(result.replay.trusted)
    assert found["replay"]["problems"] == list(result.replay.problems) == []
    assert {key: found[key] for key in ("index", "formula", "verdict", "engine", "reason", "notes")} == {
        "index": result.index,
        "formula": result.text,
        "verdict": result.verdict.value,
        "engine": result.engine,
        "reason": result.reason,
        "notes": list(result.notes),
    }
    assert found["evidence"]["holds"] is bool(result)
    assert found["evidence"]["state"] == {"A.n": 0, "B.lit": False}


def test_what_was_not_checked_again_is_in_the_json() -> None:
    """A counter that is too large to visit all its states again."""
    counting = "  Evolution: n = n + 1 if n < 9999; end Evolution\nend Agent\nAgent B"
    large = GAME.replace("n : 0..1", "n : 0..9999").replace("end Agent\nAgent B", counting)
    (result,) = epistrat.load(large.replace("zero if A.n = 0", "zero if A.n < 9999 or A.n > 9000")).check("AG zero")
    assert result.replay is not None
    assert len(result.replay.trusted) == 1
    assert result.to_json()["replay"]["trusted"] == list(result.replay.trusted)


def test_only_picks_among_the_formulae_given(run: Run) -> None:
    done = run("check", "lamp.ispl", "-f", "lit", "-f", "EF lit", "-f", "AG lit", "--only", "2-3", "--json")
    assert [(r["index"], r["formula"], r["verdict"]) for r in done.json["results"]] == [
        (2, "EF lit", "holds"),
        (3, "AG lit", "fails"),
    ]
    done = run("check", "lamp.ispl", "-f", "lit", "--only", "2")
    assert done.status == 2
    assert "there is no formula 2" in done.err


def test_unknown_may_be_expected_and_is_no_substitute_for_a_verdict(run: Run, models: Path) -> None:
    unknown = LAMP.replace("1 holds, 2 fails, 3 holds; states 2", "1 holds, 2 unknown, 3 holds")
    (models / "unknown.ispl").write_text(unknown)
    done = run("check", "unknown.ispl", "--expect")
    assert done.status == 1
    assert "formula 2: expected: unknown; result: fails" in done.out
    (models / "open.ispl").write_text(
        LAMP.replace("1 holds, 2 fails, 3 holds; states 2", "1 unknown, 2 fails, 3 unknown")
    )
    done = run("check", "open.ispl", "--expect", "--engine", "lazy")
    assert done.status == 0, done.out
    assert "All as expected." in done.out
    done = run("check", "lamp.ispl", "--expect", "--engine", "lazy")
    assert done.status == 1
    assert "formula 1: expected: holds; result: unknown" in done.out


class Saying(Session):
    """A session that says always the same."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def check(self, formula: object) -> Outcome:
        return Outcome(self.verdict, reason="it was told to" if self.verdict is Verdict.UNKNOWN else None)

    def facts(self) -> Facts:
        return Facts(None)

    def statistics(self) -> dict[str, int]:
        return {}

    def close(self) -> None:
        pass


@pytest.mark.parametrize("dissenter", range(3))
def test_every_engine_has_to_agree(dissenter: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("symbolic", "explicit", "reference")
    monkeypatch.setattr(registry, "NAMES", names)
    for place, name in enumerate(names):
        verdict = Verdict.FAILS if place == dissenter else Verdict.HOLDS
        monkeypatch.setattr(type(registry.load(name)), "open", lambda *_, said=verdict: Saying(said))
    with pytest.raises(Disagreement, match=f"formula 1: .*{names[dissenter]} says fails"):
        epistrat.load(LAMP).check("AG lit", engine="all", remarks=False)
    monkeypatch.setattr(type(registry.load(names[dissenter])), "open", lambda *_: Saying(Verdict.UNKNOWN))
    (result,) = epistrat.load(LAMP).check("AG lit", engine="all", remarks=False, prove=False)
    assert result.verdict is Verdict.HOLDS
