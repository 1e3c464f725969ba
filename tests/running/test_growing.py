"""Models with too many states to list, or infinitely many: runs are followed with the states that they meet."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.running.test_possible_states import compared, random_model

import epistrat
from epistrat.cli.main import main
from epistrat.logic.formula import ForAll, Globally, Prop
from epistrat.running.build import build
from epistrat.running.growing import growing
from epistrat.running.properties import Unusable, Wish

COUNTER = """Composition = Interleaved;
Agent Counter Vars: x : integer; end Vars Actions = {up, double, skip};
Protocol: Other : {up, double, skip}; end Protocol
Evolution: x = x + 1 if Action = up; x = x * 2 if Action = double; end Evolution end Agent
Evaluation large if Counter.x > 6; end Evaluation InitStates Counter.x = 0; end InitStates
Groups g = {Counter}; end Groups
Formulae small: AG !large; keep: <g>G !large; knows: AG K(Counter, large); end Formulae
"""


@pytest.mark.parametrize("seed", range(12))
def test_the_same_states_as_with_tables(seed: int) -> None:
    rng = random.Random(7_000 + seed)
    system, hidden = random_model(rng)
    name = rng.choice(sorted(system.propositions))
    wish = Wish((ForAll(Globally(Prop(name))),), (("w", Prop(name)),), hidden)
    built = build(system, wish)
    accepted, refused = compared(built, growing(system, wish)(), hidden, rng, 10)
    assert accepted + refused == 10
    one, other = built.monitor()(), growing(system, wish)()
    for _ in range(6):
        one.reset()
        other.reset()
        for _ in range(6):
            enabled = one.enabled()
            assert sorted(map(str, other.enabled())) == sorted(map(str, enabled))
            if not enabled:
                break
            chosen = rng.choice(enabled)
            do = {None: chosen} if isinstance(chosen, str) else chosen
            first, second = one.step(do), other.step(do)
            assert first.possible == second.possible and one.holds("w") is other.holds("w")
            assert first.property.endswith("violated") is second.property.endswith("violated")


def test_infinitely_many_states() -> None:
    m = epistrat.Monitor(epistrat.load(COUNTER), "small", most_states=100)
    assert m.about()["form"] == "steps"
    assert [str(m.event("Counter", one)) for one in ("up", "double", "double", "double")][-1] == (
        "step 4: small is violated: large is true."
    )
    assert m.value("Counter.x") == 8 and m.enabled() == ["up", "double", "skip"]
    assert str(m.event("Counter", "up", {"Counter.x": 7})).endswith("in the model Counter.x is 9, not 7.")
    with pytest.raises(ValueError, match="followed from its start"):
        epistrat.Monitor(epistrat.load(COUNTER), most_states=100, start="any")


def test_what_needs_all_states_is_refused() -> None:
    system = epistrat.load(COUNTER)
    for formula, words in (("keep", "a shield needs all states"), ("knows", "is about all states")):
        with pytest.raises(Unusable, match=words):
            epistrat.Monitor(system, formula, most_states=100)


def test_logs_of_large_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "m.ispl").write_text(COUNTER, encoding="utf-8")
    (tmp_path / "l.jsonl").write_text(
        '{"action": "up"}\n{"action": "double", "see": {"Counter.x": 3}}\n', encoding="utf-8"
    )
    model, log = str(tmp_path / "m.ispl"), str(tmp_path / "l.jsonl")
    assert main(["conform", model, log, "--most-states", "50"]) == 1
    assert capsys.readouterr().out.endswith(
        "l.jsonl:2: refused: double is allowed here, but in the model Counter.x is 2, not 3.\n"
    )
    assert main(["conform", model, log, "--most-states", "50", "-f", "knows"]) == 4
    assert "is about all states" in capsys.readouterr().err
    assert main(["conform", model, log, "--most-states", "50", "--from", "any"]) == 3
    monkeypatch.setattr("epistrat.running.growing.MOST_FOUND", 200)
    capsys.readouterr()
    assert main(["conform", model, log, "--most-states", "50", "--hidden", "skip,up"]) == 4
    assert "more than 200 states were met" in capsys.readouterr().err
