"""The report of a check as plain data: what ``--json`` prints, and what the text renderer shows.

The keys and their meanings are described in docs/json.md and by docs/schema/check.json; `SCHEMA` changes when a key changes its meaning
or goes away, not when one is added.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NotRequired, TypeAlias, TypedDict

from epistrat.answers import Result
from epistrat.evidence.trace import Path
from epistrat.model.state import Joint, State
from epistrat.model.system import System
from epistrat.terms import Value

SCHEMA = 1

Json: TypeAlias = Any
"""What the json module reads and writes."""


def result_json(system: System, result: Result) -> dict[str, Json]:
    """One answer; see docs/json.md."""
    from epistrat.render.evidence_json import evidence_json

    found: dict[str, Json] = {
        "index": result.index,
        "formula": result.text,
        "verdict": result.verdict.value,
        "engine": result.engine,
        "seconds": round(result.seconds, 6),
        "reason": result.reason,
        "advice": result.advice,
        "notes": list(result.notes),
    }
    if result.evidence is not None:
        found["evidence"] = evidence_json(system, result.evidence)
        if result.others:
            found["others"] = [evidence_json(system, tree) for tree in result.others]
    if result.replay is not None:
        replay = result.replay
        found["replay"] = {
            "checked": replay.checked,
            "trusted": list(replay.trusted),
            "problems": list(replay.problems),
        }
    return found


class ResultRecord(TypedDict):
    """One formula's answer.  ``property`` marks an answer that belongs to ``--deadlock`` or ``--overflow``."""

    index: int
    formula: str
    verdict: str
    engine: str | None
    seconds: float
    reason: str | None
    advice: str | None
    notes: list[str]
    explanation: NotRequired[list[str]]
    evidence: NotRequired[Json]
    others: NotRequired[list[Json]]
    replay: NotRequired[Json]
    statistics: NotRequired[dict[str, Json]]
    property: NotRequired[str]


class DiagnosticRecord(TypedDict):
    """A message about the model; ``shown`` is its text with the source line, for people."""

    code: str
    severity: str
    message: str
    file: NotRequired[str | None]
    line: NotRequired[int | None]
    column: NotRequired[int | None]
    path: NotRequired[Json]
    shown: NotRequired[str]


class ReportRecord(TypedDict):
    """The answers for one model."""

    schema: int
    model: str
    agents: int | None
    states: int | None
    seconds: float
    results: list[ResultRecord]
    diagnostics: list[DiagnosticRecord]
    statistics: NotRequired[dict[str, Json]]


def value_json(value: Value) -> bool | int | str:
    """A value: truth values, integers and names as themselves, a rational as ``"p/q"``."""
    return str(value) if isinstance(value, Fraction) else value


def state_json(system: System, state: State) -> dict[str, Json]:
    """A state: ``"Agent.variable"`` to value."""
    return {str(variable): value_json(value) for variable, value in zip(system.variables, state, strict=True)}


def joint_json(system: System, joint: Joint) -> dict[str, str]:
    """A joint action: ``"Agent"`` to action; in an interleaved system ``"action"`` to the one name (none at a dead end)."""
    if system.interleaved:
        name = next((action for action in joint if action is not None), None)
        return {} if name is None else {"action": name}
    return {agent.name: act for agent, act in zip(system.agents, joint, strict=True) if act is not None}


def path_json(system: System, path: Path) -> dict[str, Json]:
    """A path: its states and the joint actions between them."""
    return {
        "states": [state_json(system, state) for state in path.states],
        "actions": [joint_json(system, joint) for joint in path.actions],
    }


def plain(value: object) -> Json:
    """A statistic as plain data."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)
