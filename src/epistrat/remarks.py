"""What is worth saying about a model besides its verdicts: messages about its text, and about the states it can reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from epistrat.engines.contract import Facts
from epistrat.evidence.trace import Path
from epistrat.lang.load import Loaded
from epistrat.model.agent import EvolutionLine
from epistrat.model.show import line_to_ispl
from epistrat.model.system import System
from epistrat.render.as_json import DiagnosticRecord, path_json
from epistrat.render.snippet import snippet
from epistrat.render.text import number
from epistrat.render.walk import show_joint, show_state
from epistrat.source import Diagnostic, Severity

_LONGEST_PATH = 12


def diagnostic_records(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> list[DiagnosticRecord]:
    """Messages about a text as plain data, each with its text for people."""
    records: list[DiagnosticRecord] = []
    for diagnostic in diagnostics:
        record: DiagnosticRecord = {**diagnostic.to_json(), "shown": snippet(diagnostic, colour=colour)}  # type: ignore[typeddict-item]
        records.append(record)
    return records


def fact_records(loaded: Loaded, system: System, facts: Facts, *, colour: bool = False) -> list[DiagnosticRecord]:
    """Warnings about reachable states: that there are none, dead ends, and assignments that leave their range."""
    nothing = diagnostic_records(_nothing(loaded, system, facts), colour=colour)
    return [*nothing, *_dead_ends(system, facts), *_overflows(loaded, system, facts)]


def _nothing(loaded: Loaded, system: System, facts: Facts) -> Iterator[Diagnostic]:
    """That there is nothing to check, unless the text showed it already."""
    if facts.states == 0 and all(one.code != "W001" for one in loaded.diagnostics):
        message, place = "no state satisfies InitStates, so every formula holds", loaded.origins.span("initial")
        yield Diagnostic("W001", Severity.WARNING, message, place, source=loaded.source)
    elif facts.states and system.fairness and facts.fair_states == 0:
        message, place = "no run is fair, so every formula holds", loaded.origins.span("fairness", 0)
        yield Diagnostic("W010", Severity.WARNING, message, place, source=loaded.source)


def _dead_ends(system: System, facts: Facts) -> Iterator[DiagnosticRecord]:
    if not facts.dead_ends:
        return
    many = (
        "one reachable state is a dead end"
        if facts.dead_ends == 1
        else f"{number(facts.dead_ends)} reachable states are dead ends"
    )
    meaning = (
        "Such a state is taken to repeat itself for ever."
        if system.interleaved
        else "There EX and EG are false, AX and AF true; LTL and CTL* look only at runs that go on for ever."
    )
    yield _warning("W008", f"{many}: nothing can happen there", meaning, system, facts.dead_end)


def _overflows(loaded: Loaded, system: System, facts: Facts) -> Iterator[DiagnosticRecord]:
    if not facts.overflows:
        return
    many = "one reachable state" if facts.overflows == 1 else f"{number(facts.overflows)} reachable states"
    message = f"in {many} an assignment leaves the range of its variable"
    meaning = "The line then gives no step."
    place = None
    if facts.overflow_line is not None:
        agent, index = facts.overflow_line
        line = system.agent[agent].evolution[index - 1]
        meaning = f"{line_text(loaded, agent, index, line)}\n{meaning}"
        place = loaded.origins.position("evolution", agent, index - 1)
    record = _warning("W009", message, meaning, system, facts.overflow)
    if place is not None:
        record |= {"file": loaded.source.name, "line": place.line, "column": place.column}
    yield record


def _warning(code: str, message: str, meaning: str, system: System, path: Path | None) -> DiagnosticRecord:
    lines = [f"warning[{code}]: {message}", *(f"  {line}" for line in meaning.split("\n"))]
    record: DiagnosticRecord = {"code": code, "severity": "warning", "message": message}
    if path is not None:
        lines += [f"  {line}" for line in show_path(system, path)]
        record["path"] = path_json(system, path)
    record["shown"] = "\n".join(lines)
    return record


def show_path(system: System, path: Path) -> Iterator[str]:
    """A path, state by state; the middle of a long one is left out."""
    count = len(path.states)
    for index, state in enumerate(path.states):
        if _LONGEST_PATH // 2 <= index < count - _LONGEST_PATH // 2:
            if index == _LONGEST_PATH // 2:
                yield f"   ... {count - _LONGEST_PATH} states ..."
            continue
        if index:
            yield f"     {show_joint(system, path.actions[index - 1])}"
        yield f"{index:>3}  {show_state(system, state, path.states[index - 1] if index else None)}"


def line_text(loaded: Loaded | None, agent: str, number: int, line: EvolutionLine) -> str:
    """An evolution line as it was written, with its place; as we would write it where that is not known."""
    if loaded is not None:
        written = loaded.origins.text("evolution", agent, number - 1)
        place = loaded.origins.position("evolution", agent, number - 1)
        if written is not None and place is not None:
            return f"{loaded.source.name}:{place.line}: {' '.join(written.split())}"
    return f"line {number} of {agent}: {line_to_ispl(agent, line)}"
