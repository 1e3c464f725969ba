"""Runs, reports and files that are easily got wrong: each case here was once answered wrongly."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import math
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.running.test_possible_states import imported

import epistrat
from epistrat.assistants.errands import Mistake, below, run
from epistrat.cli.main import main
from epistrat.running.adapters.langgraph import langgraph_node, langgraph_state
from epistrat.running.build import CannotKeep, build
from epistrat.running.conform import Order, conforms, together
from epistrat.running.generate import generated
from epistrat.running.growing import growing
from epistrat.running.logs import BadLog, Log, read_log
from epistrat.running.mapping import mapped_log, read_mapping
from epistrat.running.properties import Unusable, Wish
from epistrat.running.runtime.answers import Blocked
from epistrat.running.runtime.monitor import Monitor
from epistrat.running.runtime.tables import Tables

WAY = """
Composition = Interleaved;
Agent A
    Vars: x : 0..3; n : {one, two}; b : boolean; end Vars
    Actions = {a, h, r, c};
    Protocol: x = 0 : {h, c}; x = 1 : {r, c}; x = 2 : {a, c}; x = 3 : {c}; end Protocol
    Evolution: x = 1 if Action = h; x = 2 if Action = r; x = 3 if Action = a; end Evolution
end Agent
Evaluation bad if A.x = 1; end Evaluation
InitStates A.x = 0 and A.n = one and A.b = false; end InitStates
Formulae safe: AG !bad; end Formulae
"""

EITHER = """
Composition = Interleaved;
Agent A
    Vars: x : 0..1; y : 0..1; end Vars
    Actions = {a, b};
    Protocol: x = 0 : {a}; x = 1 : {b}; end Protocol
    Evolution: x = x if Action = a; end Evolution
end Agent
Evaluation bad if A.x = 1; end Evaluation
InitStates A.x = A.y; end InitStates
Formulae safe: AG !bad; end Formulae
"""

CONFLICT = """
Agent A
    Vars: x : 0..2; end Vars
    Actions = {p, q};
    Protocol: Other : {p, q}; end Protocol
    Evolution: x = x + 1 if x < 2; end Evolution
end Agent
Agent B
    Vars: l : {n, p, q}; end Vars
    Actions = {z};
    Protocol: Other : {z}; end Protocol
    Evolution: l = p if A.Action = p; l = q if A.Action = q; end Evolution
end Agent
Evaluation badp if A.x = 2 and B.l = p; badq if A.x = 2 and B.l = q; end Evaluation
InitStates A.x = 0 and B.l = n; end InitStates
Groups g = {A}; other = {B}; end Groups
Formulae k0: <g>G !badp; k1: <g>G !badq; k2: <other>G (badp or !badp); end Formulae
"""

LUCK = """
Composition = Interleaved;
Agent A
    Vars: done : boolean; end Vars
    Actions = {risk, calm};
    Protocol: done = false : {{risk, calm}, {calm}}; done = true : {calm}; end Protocol
    Evolution: done = true if Action = risk; end Evolution
end Agent
Agent E
    Vars: luck : boolean; hit : boolean; end Vars
    Actions = {risk, strike};
    Protocol: luck = true : {risk}; luck = false : {risk, strike}; end Protocol
    Evolution: luck = true if Action = risk; luck = false if Action = risk; hit = true if Action = strike; end Evolution
end Agent
Evaluation bad if E.hit = true; end Evaluation
InitStates A.done = false and E.luck = true and E.hit = false; end InitStates
Groups g = {A}; end Groups
Formulae k: <g>G !bad; end Formulae
"""


def follow(*formulae: str, text: str = WAY, **options: Any) -> Monitor:
    return epistrat.Monitor(epistrat.load(text), *formulae, **options)


def log_of(*events: dict[str, Any], name: str = "log") -> Log:
    return read_log(name, [json.dumps(event) for event in events])


def joined(*logs: Log, text: str = WAY, order: Order | None = None) -> str:
    monitor = build(epistrat.load(text), Wish()).monitor()
    return together(logs, monitor, order or Order()).verdict


@pytest.mark.parametrize("value", [[1], {"a": 1}, "0", True, math.nan, math.inf, "one"])
def test_a_value_that_is_no_number_is_an_error_and_no_refusal(value: object) -> None:
    for given in (value, [0]):
        with pytest.raises(ValueError, match=r"A\.x is a number, not"):
            follow().event("A", "c", see={"A.x": given})
    with pytest.raises(ValueError, match=r"A\.b is true or false, not 0"):
        follow().event("A", "c", see={"A.b": 0})
    assert follow().event("A", "c", see={"A.x": 0.0, "A.b": False})


def test_a_report_that_comes_again_does_not_make_things_well() -> None:
    m = follow("safe")
    m.event("A", "h", id="1")
    again = m.event("A", "h", id="1")
    assert (again.kind, again.property, again.text) == ("violated", "violated", "step 1: 1 was told before")
    m = follow()
    assert m.event("A", "c", id="1") and m.event("A", "c", id="1")
    m.event("A", "a", id="2")
    assert [m.event("A", "c", id=one).kind for one in "12"] == ["refused", "refused"]


def test_where_nothing_is_possible_nothing_is_settled_or_known() -> None:
    m = follow("safe", watches={"w": "bad"})
    assert m.start(see={"A.x": 3}).kind == "refused"
    assert (m.property, m.holds("safe"), m.holds("w"), m.possible()) == ("open", None, None, 0)


def test_a_property_that_was_broken_by_hidden_steps_is_not_explained_by_the_state_after_them() -> None:
    m = follow("safe", hidden=["h", "r"])
    assert str(m.event("A", "a")) == "step 1: safe is violated: it was broken before."
    m = follow("safe", hidden=["r"])
    assert str(m.event("A", "h")) == "step 1: safe is violated: bad is true."


def test_hidden_actions_are_blamed_only_where_they_make_the_difference() -> None:
    assert "it depends on A.x." in follow("safe", text=EITHER, hidden=["a"]).explain()
    assert "it depends on whether h has happened." in follow("safe", hidden=["h"]).explain()


def test_a_position_is_complete_before_other_threads_can_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = build(epistrat.load(WAY), Wish(("safe",))).tables()
    found: list[tuple[int, tuple[str, ...]]] = []
    status = Tables._status

    def look() -> None:
        one = tables.at(tables.initial)
        found.append((len(one.enabled), one.statuses))

    def slow(self: Tables, nodes: int, track: int) -> str:
        if threading.current_thread() is threading.main_thread():
            other = threading.Thread(target=look)
            other.start()
            other.join()
        return status(self, nodes, track)

    monkeypatch.setattr(Tables, "_status", slow)
    tables.at(tables.initial)
    assert found == [(2, ("open",))]


def test_a_shadow_never_blocks_not_even_what_the_model_refuses() -> None:
    m, done = follow(mode="shadow"), list[int]()
    act = m.guard("A", "a")(lambda: done.append(1))
    act()
    act()
    assert done == [1, 1]
    assert m.event("A", "c").kind == "refused"


def test_one_monitor_has_one_shield_for_two_may_leave_nothing_together() -> None:
    with pytest.raises(Unusable, match=r"k0 and k1 both ask for a shield.* <g>G\(f and h\)"):
        follow("k0", "k1", text=CONFLICT)
    with pytest.raises(Unusable, match="make a monitor for each group"):
        follow("k0", "k2", text=CONFLICT)
    assert follow("k0", "AG !badq", text=CONFLICT).allowed("A") == ["p", "q"]


def test_where_a_property_is_settled_the_shield_blocks_nothing() -> None:
    m = follow("k", text=LUCK)
    assert m.ask("A", "risk").kind == "blocked"
    assert m.event("A", "risk", see={"E.luck": True}).kind == "settled"
    assert m.allowed("A") == ["calm"]


def test_others_that_do_not_exist_are_named() -> None:
    with pytest.raises(ValueError, match="there is no agent Z"):
        follow().allowed("A", {"Z": "c"})


def test_a_step_of_which_nothing_is_told_can_be_logged() -> None:
    kept: list[dict[str, Any]] = []
    m = follow(log=kept.append)
    m.step({})
    m.event(None, "c")
    assert kept == [{"do": {}}, {"action": "c"}]
    assert [one.verdict for one in conforms(log_of(*kept), build(epistrat.load(WAY), Wish()).monitor())] == ["conforms"]


@pytest.mark.parametrize(
    "change",
    [
        {"sets": ["0xfff", "0xfff"]},
        {"sets": ["0x1"]},
        {"sets": ["0x1", "0x2"]},
        {"sets": ["-0x1", "-0x1"]},
        {"sets": [1, 2]},
        {"sets": []},
        {"step": "x"},
        {"ids": 3},
    ],
)
def test_a_damaged_snapshot_is_refused_and_changes_nothing(change: dict[str, Any]) -> None:
    m = follow("safe")
    m.event("A", "c")
    good = m.snapshot()
    with pytest.raises(ValueError, match="snapshot is damaged"):
        m.restore(json.dumps(json.loads(good) | change))
    assert m.snapshot() == good


def test_states_that_were_numbered_elsewhere_are_not_taken_over() -> None:
    first, second = (growing(epistrat.load(WAY), Wish(("safe",)))() for _ in range(2))
    first.event("A", "h")
    assert first.copy().states() == first.states()
    with pytest.raises(ValueError, match="no snapshot"):
        second.restore(first.snapshot())


@pytest.mark.parametrize("name", ["facade" * 20, "b" * 200, "a" * 79 + "f"])
def test_long_names_are_not_taken_for_numbers(name: str, tmp_path: Path) -> None:
    built = build(
        epistrat.load(WAY.replace("r, c", f"{name}, c").replace("= r;", f"= {name};").replace("{r,", f"{{{name},")),
        Wish(),
    )
    (tmp_path / "long_name_guard.py").write_text(generated(built), encoding="utf-8")
    sys.path.insert(0, str(tmp_path))
    try:
        import long_name_guard  # type: ignore[import-not-found]

        m = long_name_guard.Monitor()
        assert m.event("A", "h") and m.event("A", name)
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("long_name_guard", None)


class TestTogether:
    def test_a_report_in_two_logs_is_one_event(self) -> None:
        h, r = {"action": "h", "id": "1"}, {"action": "r"}
        assert joined(log_of(h), log_of(h, r)) == "conforms"
        assert joined(log_of(h, h, r)) == "conforms"
        assert joined(log_of(h), log_of(h | {"id": "2"}, r)) == "refused"

    def test_what_all_logs_saw_at_the_start_counts(self) -> None:
        first = log_of({"start": True, "see": {"A.x": 0}})
        second = log_of({"start": True, "see": {"A.y": 1}}, {"action": "b"})
        assert joined(first, second, text=EITHER) == joined(second, first, text=EITHER) == "refused"
        assert joined(log_of({"start": True, "see": {"A.x": 1}}), second, text=EITHER) == "conforms"
        with pytest.raises(BadLog, match=r"another log saw A\.x = 0"):
            joined(first, log_of({"start": True, "see": {"A.x": 1}}, {"action": "b"}), text=EITHER)

    def test_several_runs_are_not_one(self) -> None:
        with pytest.raises(BadLog, match="log:2: another run begins"):
            joined(log_of({"action": "h", "run": "1"}, {"action": "h", "run": "2"}))
        with pytest.raises(BadLog, match="log:2: another run begins"):
            joined(log_of({"action": "h"}, {"start": True}))


@pytest.mark.parametrize("time", ["NaN", "Infinity", "1e999", "1" + "0" * 400])
def test_a_time_that_cannot_be_counted_with_is_named_by_its_line(time: str) -> None:
    with pytest.raises(BadLog, match="log:1: the time is no number"):
        read_log("log", [f'{{"action": "c", "time": {time}}}'])
    system = epistrat.load(WAY)
    mapping = read_mapping("m", '[events]\ntime = "at"\n[timeout]\nafter = 1\naction = "c"', system)
    with pytest.raises(BadLog, match="log:1: the time is no number"):
        mapped_log(mapping, system, "log", [f'{{"action": "c", "at": {time}}}'])


def test_a_path_with_a_digit_that_is_no_number_finds_nothing() -> None:
    system = epistrat.load(WAY)
    mapping = read_mapping("m", '[events]\naction = "list.²"', system)
    assert mapped_log(mapping, system, "log", ['{"list": ["c"]}']).ignored == 1


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def events(file):\n    yield 3", "m.py: event 1 of"),
        ("def events(file):\n    return 1 / 0", "m.py:2: ZeroDivisionError: division by zero"),
        ("def events(file) x", "m.py:1: SyntaxError: expected ':'"),
        ("def events(file):\n    return None", "m.py: TypeError"),
    ],
)
def test_what_goes_wrong_in_the_code_of_a_mapping_is_told_as_such(
    code: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.py").write_text(code)
    (tmp_path / "way.ispl").write_text(WAY)
    (tmp_path / "log.jsonl").write_text('{"action": "c"}\n')
    given = ["conform", str(tmp_path / "way.ispl"), "--map", f"{tmp_path / 'm.py'}:events", str(tmp_path / "log.jsonl")]
    assert main(given) == 3
    assert words in "".join(capsys.readouterr())


def test_paths_that_somebody_else_wrote_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, folder = tmp_path / "way.ispl", tmp_path / "made"
    model.write_text(WAY)
    folder.mkdir()
    (folder / "paths_way.jsonl").write_text("mine")
    assert main(["tests", str(model), "-o", str(folder)]) == 2
    assert "paths_way.jsonl is there and was not made by this command" in "".join(capsys.readouterr())
    assert [one.name for one in folder.iterdir()] == ["paths_way.jsonl"]
    (folder / "paths_way.jsonl").unlink()
    (folder / "test_way.py").mkdir()
    assert main(["tests", str(model), "-o", str(folder)]) == 2
    assert "cannot be written: is a directory" in "".join(capsys.readouterr())
    (folder / "test_way.py").rmdir()
    assert main(["tests", str(model), "-o", str(folder)]) == 0
    assert main(["tests", str(model), "-o", str(folder)]) == 0


def test_the_oldest_reports_are_forgotten_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("epistrat.running.runtime.follow.KEPT_IDS", 3)
    m = follow()
    for one in "1234":
        m.event("A", "c", id=one)
    assert [m.event("A", "c", id=one).text.endswith("told before") for one in "4321"] == [True, True, True, False]


def test_what_only_a_forbidden_action_makes_possible_does_not_become_possible() -> None:
    text = """
    Composition = Interleaved;
    Agent A
        Vars: x : 0..2; end Vars
        Actions = {wrong, then, rest, hit};
        Protocol: x = 0 : {{wrong, rest}, {rest}}; x = 1 : {{then, rest, hit}}; x = 2 : {rest}; end Protocol
        Evolution: x = 1 if Action = wrong; x = 2 if Action = then; end Evolution
    end Agent
    Agent E
        Vars: struck : boolean; end Vars
        Actions = {hit};
        Protocol: Other : {hit}; end Protocol
        Evolution: struck = true if Action = hit; end Evolution
    end Agent
    Evaluation bad if E.struck = true; end Evaluation
    InitStates A.x = 0 and E.struck = false; end InitStates
    Groups g = {A}; end Groups
    Formulae k: <g>G !bad; free: AG !bad; end Formulae
    """
    assert follow("k", text=text).allowed("A") == ["rest"]
    refused = follow("k", text=text).ask("A", "then")
    assert (refused.kind, refused.later) == ("refused", False)
    assert refused.text.endswith("It does not become possible any more.")
    assert follow("free", text=text).ask("A", "then").text.endswith("Not yet: it may become possible after wrong.")


@pytest.mark.parametrize(("gap", "events"), [(29.9, 2), (30, 3), (30.1, 3)])
def test_silence_counts_from_its_last_second_on(gap: float, events: int) -> None:
    system = epistrat.load(WAY)
    mapping = read_mapping("m", '[events]\ntime = "at"\n[timeout]\nafter = 30\naction = "h"', system)
    lines = [json.dumps({"action": "c", "at": at}) for at in (0, gap)]
    assert len(mapped_log(mapping, system, "log", lines).events) == events


def test_a_shield_that_cannot_be_had_says_nothing_about_a_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "way.ispl").write_text(WAY)
    (tmp_path / "log.jsonl").write_text('{"action": "c"}\n')
    assert main(["conform", str(tmp_path / "way.ispl"), "-f", "<A>G bad", str(tmp_path / "log.jsonl")]) == 3
    assert "A cannot keep `<A>G bad` from the start" in "".join(capsys.readouterr())
    with pytest.raises(Mistake, match="its group cannot keep it from the start"):
        run("conform", {"text": WAY, "seconds": 9, "log": '{"action": "c"}', "formulae": ["<A>G bad"]}, ".", 2 * 10**10)


@pytest.mark.parametrize("name", ["." * 5000, "x" * 5000, "circle.ispl"])
def test_names_of_files_that_no_system_has(name: str, tmp_path: Path) -> None:
    (tmp_path / "circle.ispl").symlink_to("circle.ispl")
    with pytest.raises(Mistake, match="there is no file"):
        below(tmp_path.resolve(), name)


@pytest.mark.filterwarnings("ignore")
def test_nodes_that_are_awaited_are_guarded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclasses.dataclass
    class Command:
        goto: str = ""
        update: dict[str, Any] | None = None
        graph: str = ""

    types: Any = ModuleType("langgraph.types")
    types.Command = Command
    monkeypatch.setitem(sys.modules, "langgraph", ModuleType("langgraph"))
    monkeypatch.setitem(sys.modules, "langgraph.types", types)
    m, kept = follow(), list[str]()

    async def node(state: Any) -> Any:
        kept.append("node")
        return Command(state["goto"], graph="parent")

    guarded = langgraph_node(m, node, "me", agent="A", action=lambda me, goto: goto)
    assert asyncio.run(guarded({"goto": "h"})).goto == "h"
    assert m.value("A.x") == 1
    with pytest.raises(Blocked):
        asyncio.run(guarded({"goto": "a"}))
    saved = asyncio.run(langgraph_state(m)(node)({"goto": "c"}))
    assert (saved.goto, saved.graph, saved.update) == ("c", "parent", {"epistrat": m.snapshot()})


def test_a_choice_is_made_among_what_can_be_done() -> None:
    m = follow()
    assert (m.choose("A"), m.choose("A", "a"), m.choose("A", among=["c", "a"]), m.choose("A", "h", among=["c"])) == (
        "h",
        "h",
        "c",
        "c",
    )
    with pytest.raises(Blocked, match="A may do nothing now"):
        m.choose("A", among=["a"])


def test_everything_that_the_shield_is_told_counts() -> None:
    text = """
    Agent P
        Vars: u : boolean; v : boolean; wrong : boolean; end Vars
        Actions = {nn, ny, yn, yy};
        Protocol: Other : {nn, ny, yn, yy}; end Protocol
        Evolution:
            wrong = true if (u = true and (Action = nn or Action = ny)) or (u = false and (Action = yn or Action = yy));
            wrong = true if (v = true and (Action = nn or Action = yn)) or (v = false and (Action = ny or Action = yy));
        end Evolution
    end Agent
    Evaluation wrong if P.wrong = true; end Evaluation
    InitStates P.wrong = false; end InitStates
    Groups p = {P}; end Groups
    Formulae k: <p>G !wrong; end Formulae
    """
    for sees in ([], ["P.u"], ["P.v"]):
        with pytest.raises(CannotKeep):
            follow("k", text=text, sees=sees)
    m = follow("k", text=text, sees=["P.u", "P.v"])
    m.start(see={"P.u": True, "P.v": False})
    assert m.allowed("P") == ["yn"]
    assert "Not told: P.v." in str(m.start(see={"P.u": True})) and m.allowed("P") == []


def test_a_start_in_the_middle_of_a_log_begins_another_run() -> None:
    start, h, a = {"start": True}, {"action": "h"}, {"action": "a"}
    monitor = build(epistrat.load(WAY), Wish()).monitor()
    found = [(one.run, one.verdict, one.line) for one in conforms(log_of(start, a, start, h), monitor)]
    assert found == [("1", "refused", 2), ("2", "conforms", None)]
    found = [(one.run, one.verdict, one.line) for one in conforms(log_of(h, start, a), monitor)]
    assert found == [("1", "conforms", None), ("2", "refused", 3)]


def test_a_start_that_is_not_understood_changes_nothing() -> None:
    kept: list[dict[str, Any]] = []
    m = follow(log=kept.append)
    m.event("A", "h", id="1")
    with pytest.raises(ValueError, match=r"there is no variable A\.z"):
        m.start(see={"A.z": 1})
    assert len(kept) == 1 and m.value("A.x") == 1
    assert m.event("A", "h", id="1").text == "step 1: 1 was told before"


PAIR = """
Agent A
    Vars: x : boolean; end Vars
    Actions = {p, q};
    Protocol: Other : {p, q}; end Protocol
    Evolution: x = false if Action = p; x = true if Action = q; end Evolution
end Agent
Agent B
    Vars: y : boolean; end Vars
    Actions = {p, q};
    Protocol: Other : {p, q}; end Protocol
    Evolution: y = false if Action = p; y = true if Action = q; end Evolution
end Agent
Evaluation same if A.x = B.y; end Evaluation
InitStates A.x = false and B.y = false; end InitStates
Groups g = {A, B}; end Groups
Formulae k: <g>G same; end Formulae
"""


def test_one_of_several_does_not_act_where_the_others_decide() -> None:
    m, done = follow("k", text=PAIR), list[str]()
    assert m.allowed("A", {"B": "q"}) == ["q"]
    with pytest.raises(Blocked, match=r"A must not p by itself: whether that could break k depends on what others do"):
        m.act("A", "p")
    with pytest.raises(Blocked, match="A must not q by itself"):
        m.guard("A", "q")(lambda: done.append("q"))()
    with pytest.raises(Blocked, match="A may do nothing now"):
        m.guard("A", "q", blocked="instead")(lambda: done.append("q"))()
    assert (m.property, m.possible(), done) == ("open", 1, [])
    assert m.step({"A": "q", "B": "q"}) and m.property == "open"
    shadow = follow("k", text=PAIR, mode="shadow")
    assert shadow.act("A", "p").kind == "perhaps violated"


def test_a_shield_that_knows_no_way_does_not_say_that_there_is_none(tmp_path: Path) -> None:
    """Winning sets are found for what events and --sees can tell; who is told more may have a way that the shield does not know."""
    text = """Composition = Interleaved;
Agent A
    Vars: done : boolean; end Vars
    Actions = {risk, calm, fire};
    Protocol: done = false : {{risk, calm}, {calm}}; done = true : {{calm,fire},{calm}}; end Protocol
    Evolution: done = true if Action = risk; end Evolution
end Agent
Agent E
    Vars: luck : boolean; hit : boolean; end Vars
    Actions = {risk, strike, fire};
    Protocol: luck = true : {risk, fire}; luck = false : {risk, strike, fire}; end Protocol
    Evolution: (luck = true) if Action = risk; (luck = false) if Action = risk;
    hit = true if Action = strike or Action = fire; end Evolution
end Agent
Evaluation bad if E.hit = true; end Evaluation
InitStates A.done = false and E.luck = true and E.hit = false; end InitStates
Groups g = {A}; end Groups
Formulae k: <g>G !bad; end Formulae
"""
    tables = build(epistrat.load(text), Wish(("k",), (), ()))
    module = imported(generated(tables), tmp_path, "guard_that_knows_no_way")
    answer = module.Monitor().event("A", "risk", {"E.luck": True})
    assert "knows no way to keep k any more" in str(answer) and "whatever" not in str(answer)


def test_asking_for_one_member_is_asking_whatever_the_others_do() -> None:
    """As `act` and `guard`: what is safe only together with the others is not allowed to one of them."""
    m = follow("k", text=PAIR)
    answer = m.ask("A", "p")
    assert not answer and "by itself" in str(answer)
