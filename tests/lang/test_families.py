"""Families: what is written out, what messages say about templates, and that the plain text means the same."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main
from epistrat.lang.analysis import analyse
from epistrat.lang.format import format_source
from epistrat.lang.load import load, parse_formula
from epistrat.model.plain import to_plain_ispl

TABLE = """
Parameters n = 3 in 2..; m = 1; end Parameters
Constants last = n - 1; end Constants
Agent Environment
  Vars: seat[i in 1..n]: 0..last; at[x in 1..2, y in 1..2 where x <> y]: boolean; end Vars
  Actions = {stay, pick[i in 1..n]};
  Protocol:
    for i in 1..n where i < n: seat[i] < n - 1 : {pick[i], stay};
    where n > 2: seat[n] = last : {stay};
    Other: {stay};
  end Protocol
  Evolution:
    for i in 1..n {
      seat[i] = seat[i] + 1 if Action = pick[i] and seat[i] < last;
      where i = 1: at[1, 2] = true if Action = pick[i];
    }
  end Evolution
end Agent
Agent Guest[i in 1..n]
  Lobsvars = {seat[i]};
  Vars: glass: boolean; heard[j in 1..n where j <> i]: boolean; end Vars
  Definitions:
    thirsty if glass = false;
    told[j in 1..n] if exists k in 1..n where k <> i and k = j: heard[k] = true;
    ready if thirsty and !told[i mod n + 1];
  end Definitions
  Actions = {drink, say[j in 1..n where j <> i]};
  Protocol: ready : {drink, say[i mod n + 1]}; Other : {drink}; end Protocol
  Evolution:
    glass = true if Action = drink and ready;
    for j in 1..n where j <> i: heard[j] = true if Guest[j].Action = say[i];
  end Evolution
end Agent
Evaluation
  full if forall i in 1..n: Environment.seat[i] = last;
  two if count(i in 1..n: Guest[i].glass = true) = 2;
  much if sum(i in 1..n: Environment.seat[i]) > 2 * n - m;
  drank[i in 1..n] if Guest[i].glass = true;
end Evaluation
InitStates
  (forall i in 1..n: Environment.seat[i] = 0 and Guest[i].glass = false) and Environment.at[1, 2] = false
  and Environment.at[2, 1] = false and forall i in 1..n, j in 1..n where i <> j: Guest[i].heard[j] = false;
end InitStates
Groups all = {Guest[i in 1..n]}; pair[i in 1..n] = {Guest[i], Guest[i mod n + 1]}; end Groups
Fairness for i in 1..m: drank[i]; end Fairness
Formulae
  sees[i in 1..n]: AG(drank[i] -> K(Guest[i], drank[i]));
  two: EF two;
  for i in 1..n: <Guest[i], Guest[i mod n + 1]>F drank[i];
  <pair[1]>X forall i in 1..n: drank[i] or !two;
end Formulae
"""


def plain(text: str, **parameters: int) -> str:
    loaded = load(text, parameters=parameters)
    assert {one.code for one in loaded.diagnostics} <= {"W002"}, [str(one) for one in loaded.diagnostics]
    assert loaded.system is not None
    assert load(epistrat.System.of(loaded.system).to_ispl()).system == loaded.system
    return to_plain_ispl(loaded.system)


def test_everything_is_written_out() -> None:
    text = plain(TABLE)
    assert "Actions = {stay, pick_1, pick_2, pick_3};" in text
    assert "seat_3 = 2 : {stay};" in text
    assert re.findall(r"seat_\d < 2 : \{pick_\d, stay\};", text) == [
        f"seat_{i} < 2 : {{pick_{i}, stay}};" for i in (1, 2)
    ]
    assert text.count("at_1_2 = true if") == 1
    assert (
        "Agent Guest_2\n  Lobsvars = {seat_2};\n  Vars:\n    glass : boolean;\n    heard_1 : boolean;\n    heard_3 : boolean;"
        in text
    )
    assert "glass = false and heard_2 = false : {drink, say_2};" in text
    assert "5 < Environment.seat_1 + Environment.seat_2 + Environment.seat_3;" in text
    assert "pair_3 = {Guest_3, Guest_1};" in text
    assert "<Guest_3,Guest_1>F drank_3" in text
    assert "  -- sees[3]\n  AG (drank_3 -> K(Guest_3, drank_3));" in text


def test_strict_accepts_what_is_written_out_and_nothing_else() -> None:
    tame = TABLE.replace("<Guest[i], Guest[i mod n + 1]>F", "<all>F")
    assert load(plain(tame, n=4), strict=True).ok
    refused = load(tame, strict=True)
    assert "MCMAS has no families" in refused.diagnostics[0].message


def test_counting_and_parameters() -> None:
    for n in (2, 3, 4):
        model = epistrat.load(TABLE, n=n)
        assert len(model.agents) == n + 1
        assert model.check("AG(two <-> count(i in 1..n: Guest[i].glass = true) = 2)")[0]
        holding = model.check(["EF count(i in 1..n: Guest[i].glass = true) >= n - 1", "AG (n >= 2)"])
        assert all(holding)


def test_formulae_asked_later_know_constants() -> None:
    system = epistrat.load(TABLE, n=4)
    formula, messages = parse_formula("forall i in 1..n: drank[i]", system)
    assert formula == system.formula("drank[1] and drank[2] and drank[3] and drank[4]")
    assert messages == []
    formula, messages = parse_formula("drank[5]", system)
    assert formula is None
    assert "`drank[5]`" in messages[0].message


@pytest.mark.parametrize(
    ("old", "new", "code", "message", "at"),
    [
        ("thirsty if glass", "thirsty if glas", "E012", "Guest[1] has no variable `glas`, for i = 1", "glas"),
        ("K(Guest[i],", "K(Guest[i + 1],", "E013", "there is no agent `Guest[4]`, for i = 3", "Guest[i + 1]"),
        ("[i mod n + 1];", "[k mod n + 1];", "E060", "there is no index or constant `k`", "k"),
        ("seat[i in 1..n]: 0", "seat[i in 1..0 - 2]: 0", "E023", "the range 1..-2 of `i` is empty", "1..0 - 2"),
        ("Guest[i in 1..n]\n", "Guest[i in 4..n]\n", "E023", "the range 4..3 of `i` is empty", "4..n"),
        (
            "Guest[i in 1..n]\n",
            "Guest[i in 1..1000000000]\n",
            "E063",
            "`i` has 1,000,000,000 values: more than 8,000,000",
            "1..1000000000",
        ),
        (
            "for i in 1..m",
            "for i in 1..5000, j in 1..5000",
            "E063",
            "the model would have more than 8,000,000 words",
            "1..5000",
        ),
        (
            "last = n - 1",
            "last = n * 2147483647",
            "E062",
            "the value lies outside -2147483647..2147483647",
            "n * 2147483647",
        ),
        ("told[i mod n + 1]", "told[i mod (n - 3)]", "E062", "the divisor is 0 for i = 1", "i mod (n - 3)"),
        (
            "for i in 1..m",
            "for n in 1..m",
            "E018",
            "`n` is a parameter, a constant, a definition or an index already",
            "n",
        ),
        (
            "count(i in 1..n: Guest[i].glass = true) = 2",
            "count(i in 1..n: Guest[i].glass = true)",
            "E002",
            "`count` is compared",
            "count",
        ),
        ("where i = 1: at", "where k = 1: at", "E060", "there is no index or constant `k`", "k"),
        (
            "for i in 1..m",
            "for i in 1..5000, j in 1..5000 where i > j and j > i",
            "E063",
            "more than 4,000,000 members would have to be looked at",
            "1..5000",
        ),
        ("n = 3 in 2..", "n = 1 in 2..", "E061", "the default n = 1 lies outside 2..", "2.."),
        ("n = 3 in 2..", "n = 3 in 2.", "E007", "expected `..` after the lower bound, found `.`", "."),
        ("Vars: glass", "Vars: n: boolean; glass", "E018", "`n` is a parameter", "n"),
        ("two: EF two", "two: EF (forall i in 1..n: )", "E002", "expected a condition or a formula", ")"),
        ("thirsty if glass = false", "thirsty if thirsty", "E012", "the definition `thirsty` uses itself", "thirsty"),
        (
            "thirsty if glass = false",
            "thirsty if ready",
            "E012",
            "the definition `thirsty` uses `ready`, which",
            "ready",
        ),
        ("last = n - 1", "last = last + 1", "E060", "there is no index or constant `last`", "last"),
        ("for i in 1..m: drank[i];", "for i in 1..m:", "E002", "expected a line to repeat", "end"),
        (
            "for i in 1..m",
            ": ".join(f"for {'a' * i}i in 1..2" for i in range(60)),
            "E063",
            "the model would have more than 8,000,000 words",
            "1..2",
        ),
        (
            "for i in 1..m",
            "".join(f"for a{i} in 1..2: " for i in range(5000)),
            "E003",
            "too many parts stand",
            "for",
        ),
        ("last = n - 1", f"last = n{' + 1' * 20000}", "E003", "too many parts stand inside each other", ""),
    ],
)
def test_messages_point_into_the_template(old: str, new: str, code: str, message: str, at: str) -> None:
    assert old in TABLE
    loaded = load(TABLE.replace(old, new, 1))
    first = loaded.diagnostics[0]
    assert (first.code, first.message[: len(message)]) == (code, message)
    assert first.span is not None
    assert loaded.source.cut(first.span)[: len(at)] == at
    assert len([one for one in loaded.diagnostics if one.is_error]) == 1


def test_an_unknown_parameter_and_words_that_are_names_elsewhere() -> None:
    assert "no parameter `k`" in load(TABLE, parameters={"k": 2}).diagnostics[0].message
    names = """Agent for
      Vars: in: 0..3; sum: boolean; count: 0..3; forall: boolean; where: boolean; end Vars
      Actions = {exists, mod};
      Protocol: where = true and in < 2 : {exists}; Other: {mod}; end Protocol
      Evolution: where = true if sum = true; count = in + count if forall = true; end Evolution
    end Agent
    InitStates for.in = 1; end InitStates"""
    assert [one for one in load(names).diagnostics if one.is_error] == []


def test_half_a_text_is_analysed() -> None:
    cut = [TABLE[:length] for length in range(0, len(TABLE), 37)]
    for text in [*cut, *[TABLE[:at] + TABLE[at + 3 :] for at in range(0, len(TABLE), 29)]]:
        analysis = analyse(text)
        assert analysis.program is not None
        assert len(analysis.uses) >= 0
    analysis = analyse(TABLE)
    use = analysis.use_at(TABLE.index("glass = true if") + 1)
    assert use is not None
    assert (use.symbol.owner, use.symbol.name, use.writes) == ("Guest[1]", "glass", True)


def test_include(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut = TABLE.index("Agent Guest")
    end = TABLE.index("Evaluation")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "guest.ispl").write_text("-- guests\n" + TABLE[cut:end])
    main_file = tmp_path / "table.ispl"
    main_file.write_text(TABLE[:cut] + 'include "parts/guest.ispl";\n' + TABLE[end:])
    assert epistrat.load(main_file, n=4) == epistrat.load(TABLE, n=4)
    guest = tmp_path / "parts" / "guest.ispl"
    guest.write_text(guest.read_text().replace("if glass = false", "if glas = false"))
    with pytest.raises(
        epistrat.InputError, match=r"parts/guest.ispl:6:16: error\[E012\]: Guest\[1\] has no variable `glas`, for i = 1"
    ):
        epistrat.load(main_file)
    guest.write_text('include "../table.ispl";')
    assert main(["check", str(main_file)]) == 3
    assert "includes itself" in capsys.readouterr().err
    main_file.write_text('include "../secret.ispl";\n' + TABLE)
    with pytest.raises(epistrat.InputError, match="outside the folder"):
        epistrat.load(main_file)
    with pytest.raises(epistrat.InputError, match="not in a file"):
        epistrat.load('include "a.ispl";')


def test_a_family_of_agents_without_members() -> None:
    first = load(TABLE.replace("Guest[i in 1..n]\n", "Guest[i in 1..n where i > n]\n", 1)).diagnostics[0]
    assert (first.code, first.message) == ("E023", "`where` leaves no value of `i`")


def test_definitions_that_double_in_length_are_refused_at_once() -> None:
    doubling = " ".join(f"d{i} if thirsty and {f'd{i - 1} and d{i - 1}' if i else 'thirsty'};" for i in range(60))
    found = load(TABLE.replace("    told[j", f"    {doubling} told[j").replace("ready : {drink", "d59 : {drink"))
    assert [one.code for one in found.diagnostics if one.is_error] == ["E063"]


def test_ranges_that_depend_on_each_other_without_end_are_refused_soon() -> None:
    nested = "".join(f"for {'a' * i}i in {'a' * (i - 1)}i..{'a' * (i - 1)}i + 1: " for i in range(1, 60))
    found = load(TABLE.replace("for i in 1..m: ", f"for i in 1..2: {nested}", 1))
    assert [one.code for one in found.diagnostics if one.is_error] == ["E063"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with a name")
def test_a_pipe_is_not_included(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "table.ispl").write_text('include "pipe";\n' + TABLE)
    with pytest.raises(epistrat.InputError, match="a device or a pipe"):
        epistrat.load(tmp_path / "table.ispl")


def test_interleaved_choices_and_either_style_of_assignment() -> None:
    text = """
    Parameters n = 2; end Parameters
    Composition = Interleaved;
    Semantics = SingleAssignment;
    Agent Node[i in 1..n]
      Vars: x: integer; end Vars
      Actions = {go[k in 1..n], rest};
      Protocol: x < i: {rest, {go[k in 1..n]}}; Other: {rest}; end Protocol
      Evolution: for k in 1..n: x = x + k if Action = go[k]; end Evolution
    end Agent
    InitStates forall i in 1..n: Node[i].x = 0; end InitStates
    Formulae reach: EF forall i in 1..n: Node[i].x >= i; end Formulae"""
    model = epistrat.load(text, n=3)
    assert model.interleaved
    assert model.agents[0].protocol[0].actions == ("rest", "go[1]", "go[2]", "go[3]")
    assert load(model.to_ispl()).system == model


def test_layout() -> None:
    laid_out = format_source(TABLE)
    assert format_source(laid_out) == laid_out
    assert load(laid_out).system == load(TABLE).system
    assert "        for i in 1..n {\n            seat[i] =" in laid_out
    assert "\n    two: EF two;\n" in laid_out


def test_set_and_expand_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.ispl"
    file.write_text(TABLE)
    assert main(["check", str(file), "--set", "n=2", "--only", "sees"]) == 0
    assert "sees[2]: AG(drank[i] -> K(Guest[i], drank[i])) (for i = 2)" in capsys.readouterr().out
    assert main(["expand", str(file), "--set", "n=2,m=2"]) == 0
    assert "Agent Guest_2" in capsys.readouterr().out
    assert main(["expand", str(file), "--set", "n=1"]) == 3


def test_expansion_costs_no_more_than_reading_the_plain_text() -> None:
    text = TABLE.replace("AG(drank[i] ->", "AG(drank[i] and (forall j in 1..n: Guest[j].glass = true) ->")
    start = time.process_time()
    loaded = load(text, parameters={"n": 30})
    template = time.process_time() - start
    assert loaded.system is not None
    written = epistrat.System.of(loaded.system).to_ispl()
    start = time.process_time()
    assert load(to_plain_ispl(loaded.system)).ok
    assert template < 3 * (time.process_time() - start) + 1, len(written)
