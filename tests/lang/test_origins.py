"""Where the parts of a system come from."""

from __future__ import annotations

import gc

from tests.lang.samples import EVERYTHING, PLAIN

from epistrat.lang import load
from epistrat.source import Position, SourceText, Span


def test_every_part_is_found() -> None:
    loaded = load(PLAIN, "plain.ispl")
    origins, system = loaded.origins, loaded.system
    assert system is not None
    assert origins.text("agent", "P") is not None
    assert str(origins.text("agent", "P")).startswith("Agent P")
    assert str(origins.text("agent", "P")).endswith("end Agent")
    assert origins.text("variable", "P", "n") == "n : -1 .. 3;"
    assert origins.text("action", "Environment", "go") == "go"
    assert origins.text("protocol", "P", 1) == "Environment.o <> s : {b};"
    assert origins.text("other", "P") == "Other : {a};"
    assert origins.text("evolution", "P", 0) == "n = n + 1 if n < 3 and Action = a;"
    assert origins.text("red", "Environment") == "l = true"
    assert origins.text("proposition", "p") == "p if P.n = 0;"
    assert origins.text("group", "g") == "g = {P, Environment};"
    assert origins.text("fairness", 0) == "q"
    assert origins.text("formula", 4) == "P.RedStates or Environment.GreenStates"
    assert str(origins.text("initial")).startswith("P.n = 0 and")
    assert origins.span("formula", 99) is None
    assert origins.text("formula", 99) is None
    assert origins.position("formula", 99) is None
    line = PLAIN[: PLAIN.index("p if P.n = 0")].count("\n") + 1
    assert origins.position("proposition", "p") == Position(line, 5)
    assert ("agent", "P") in origins.keys()  # noqa: SIM118  # not a dictionary
    for agent in system.agents:
        assert all(origins.span("variable", agent.name, variable.name) for variable in agent.variables)
        assert all(origins.span("evolution", agent.name, index) for index in range(len(agent.evolution)))


def test_the_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    load(EVERYTHING)
    assert gc.isenabled()
    gc.disable()
    try:
        load(EVERYTHING)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_source_text() -> None:
    source = SourceText("one\r\ntwo\n\nfour", "text")
    assert source.position(0) == Position(1, 1)
    assert source.position(5) == Position(2, 1)
    assert source.position(9) == Position(3, 1)
    assert source.position(99) == Position(4, 5)
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["one", "two", "", "four"]
    assert source.cut(Span(5, 8)) == "two"
