"""The report of a check as plain data: what ``--json`` prints.

The keys and their meanings are described in docs/json.md and by docs/schema/check-1.json; `SCHEMA` changes when a key changes its meaning
or goes away, not when one is added.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from epistrat.answers import Finding, Report, Result
from epistrat.answers.verdict import Named, Watching
from epistrat.evidence.findings import Replay
from epistrat.evidence.trace import Path
from epistrat.logic.fragment import OF_NAMES, fragment
from epistrat.model.state import Act, Joint, State
from epistrat.model.system import System
from epistrat.model.transform.recall import Recalling
from epistrat.render.wording import Wording
from epistrat.source import Diagnostic
from epistrat.terms import Value

SCHEMA = 1

Json: TypeAlias = Any
"""What the json module reads and writes."""


def report_json(report: Report, *, statistics: bool = False) -> dict[str, Json]:
    """What ``check --json`` prints about one model."""
    found: dict[str, Json] = {
        "schema": SCHEMA,
        "model": report.model,
        "agents": _agents(report),
        "states": report.facts.states,
        "seconds": round(report.seconds, 6),
        **(
            {"parameters": dict(report.system.constants)}
            if report.system is not None and report.system.constants
            else {}
        ),
        **({} if report.program is None else {"guards": report.program.knowledge.value}),
        **({} if report.recall is None else recall_json(report.recall)),
        "results": [result_json(report.system, result, statistics=statistics) for result in report.results],
        "diagnostics": [diagnostic_json(report.system, one) for one in report.diagnostics],
    }
    if report.differences is not None:
        found["differences"] = [one.words for one in report.differences]
    if statistics:
        found["statistics"] = plain(dict(report.statistics))
    return found


def _agents(report: Report) -> int | None:
    """How many agents the text has."""
    system = report.program or report.system
    return None if system is None else len(system.agents)


def recall_json(recall: Recalling) -> dict[str, Json]:
    """What agents remember beyond what the text says."""
    found: dict[str, Json] = {}
    if recall.steps:
        found["recall"] = {"steps": recall.steps, "agents": list(recall.agents)}
    if recall.strategies is not None:
        memory = recall.strategies
        found["strategy_memory"] = {"states": memory.states, "agents": list(memory.agents), "free": memory.free}
    return found


def result_json(system: System | None, result: Result, *, statistics: bool = False) -> dict[str, Json]:
    """One answer.  ``property`` marks the answer to a question about the states themselves."""
    found: dict[str, Json] = {
        "index": result.index,
        "name": result.name or None,
        "formula": result.text,
        "verdict": result.verdict.value,
        "engine": result.engine,
        "seconds": round(result.seconds, 6),
        "cpu": round(result.cpu, 6),
        "reason": result.reason,
        "advice": Wording.SHELL.advice(result.advice) or None,
        "notes": list(result.notes),
        **({"left_out": list(result.left_out)} if result.left_out else {}),
    }
    if result.only_because:
        found["only_because"] = result.only_because
    if result.why:
        found["why"] = result.why
    if result.question.property is not None:
        found["property"] = result.question.property
    else:
        found["strategies"] = result.reading.value
        if result.read_as:
            found["read_as"] = result.read_as
        if fragment(result.formula).features & OF_NAMES:
            found["reading"] = named_json(result.named)
        found["group"] = None if result.group is None else list(result.group)
        found |= result.rules.words()
    if system is not None:
        found |= _evidence(system, result)
    if result.replay is not None and system is not None:
        found["replay"] = replay_json(system, result.replay)
    if result.backing is not None:
        found["proof"] = {
            "standing": result.backing.standing.value,
            "obligations": result.backing.obligations,
            "reason": result.backing.reason,
            "seconds": round(result.backing.seconds, 6),
        }
    if statistics:
        found["statistics"] = plain(dict(result.statistics))
    return found


def named_json(named: Named) -> dict[str, Json]:
    """How strategies are read otherwise than ATL's."""
    watching = Watching.STATES if named.states_only else Watching.ACTIONS
    return {
        "names": named.names.value,
        "equilibria": named.equilibria.value,
        "memory": named.remembering,
        "watching": watching.value,
    }


def _evidence(system: System, result: Result) -> dict[str, Json]:
    if result.path is not None:
        return {"evidence": path_json(system, result.path)}
    if result.evidence is None:
        return {}
    from epistrat.render.json.evidence import evidence_json

    first, *others = (evidence_json(system, tree) for tree in result.trees)
    return {"evidence": first, "others": others} if others else {"evidence": first}


def diagnostic_json(system: System | None, diagnostic: Diagnostic) -> dict[str, Json]:
    """A message about the model."""
    found = diagnostic.to_json()
    if isinstance(diagnostic, Finding) and diagnostic.path is not None and system is not None:
        found["path"] = path_json(system, diagnostic.path)
    return found


def replay_json(system: System, replay: Replay) -> dict[str, Json]:
    """What re-checking one answer found."""
    starts = replay.starts
    return {
        "checked": replay.checked,
        "trusted": list(replay.trusted),
        "problems": list(replay.problems),
        "initial_states": {
            "rechecked": starts.rechecked,
            "not_rechecked": starts.missing,
            "examples": [state_json(system, state) for state in starts.examples],
        },
    }


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


def info_json(report: Report, info: dict[str, Json], *, states: bool) -> dict[str, Json]:
    """What ``info --json`` prints about one model; ``states``: whether it was explored."""
    found: dict[str, Json] = {
        "schema": SCHEMA,
        "model": report.model,
        "seconds": round(report.seconds, 6),
        "diagnostics": [diagnostic_json(report.system, one) for one in report.diagnostics],
        **info,
    }
    facts = report.facts
    if info and states:
        names = ("states", "dead_ends", "overflows", "fair_states")
        found |= {name: getattr(facts, name) for name in names}
        found["reason"] = _explored(report)
        found["statistics"] = plain(dict(report.statistics))
    return found


def _explored(report: Report) -> str | None:
    """Why the states are not known; None where they are."""
    reason = report.facts.reason or report.ending.reason
    advice = Wording.SHELL.advice(report.facts.advice)
    return f"{reason}; try {advice}" if reason and advice else reason


def act_json(act: Act) -> Any:
    """A choice: an action, or the list of actions that it allows."""
    return act if isinstance(act, str) else list(act)
