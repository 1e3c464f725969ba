"""What the tools do, in a process of its own: a name and arguments in, plain data out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from epistrat.answers import Misuse, Report
from epistrat.jobs.limits import Limits
from epistrat.lang.format import format_source
from epistrat.lang.pages import page
from epistrat.render.json.report import diagnostic_json, joint_json, path_json, report_json, state_json
from epistrat.render.strategy import synthesis_json
from epistrat.render.tree import show_evidence
from epistrat.render.wording import Style, Wording
from epistrat.service import CheckRequest, File, InputError, SimulateRequest, StrategyRequest, Text, ask_worker, asking
from epistrat.service.models import read
from epistrat.service.requests import Model, Request
from epistrat.service.simulation import Simulation, open_simulation
from epistrat.source import TITLES

Json = dict[str, Any]
LONGEST_TEXT = 1_000_000
LONGEST_ANSWER = 40_000
MOST_STEPS = 1_000


class Mistake(Exception):
    """A call that makes no sense, in a sentence for whoever made it."""


def run(name: str, given: Mapping[str, Any], root: str, memory: int) -> Json:
    """What a tool answers; raises `Mistake`."""
    arguments = {key: value for key, value in given.items() if value is not None}
    try:
        return shortened(ERRANDS[name](_Call(arguments, Path(root), memory)))
    except Misuse as misuse:
        raise Mistake(Wording.PYTHON.text(misuse.text, misuse.settings)) from None
    except InputError as rejected:
        return {"accepted": False, "diagnostics": [diagnostic_json(None, one) for one in rejected.diagnostics]}


class _Call:
    """The arguments of one call."""

    def __init__(self, given: Mapping[str, Any], root: Path, memory: int) -> None:
        self.given, self._root, self._memory = given, root.resolve(), memory

    def model(self) -> Model:
        """The model: a text, which includes nothing, or a file below the root; raises `Mistake`."""
        text, file = self.given.get("text"), self.given.get("file")
        if (text is None) == (file is None):
            raise Mistake("give the model either as `text` or as `file`")
        parameters = self.given.get("parameters") or {}
        if text is not None:
            if len(text) > LONGEST_TEXT:
                raise Mistake(f"the text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read")
            return Text(text, "<text>", parameters)
        return File(str(below(self._root, str(file))), parameters)

    def request(self, kind: type[Any], **more: Any) -> Any:
        """A request about the model, with the budget of the call."""
        settings = {"time": self.seconds, "memory": self._memory, "cores": 1}
        settings |= {key: self.given[key] for key in ("formulae", "only", "strategies") if key in self.given}
        return asking.request(kind, self.model(), {**settings, **more})

    def request_of(self, kind: type[Any], **more: Any) -> Any:
        """A request that has no settings of engines."""
        return kind(model=self.model(), limits=Limits(seconds=self.seconds, memory=self._memory), **more)

    @property
    def seconds(self) -> float:
        """How long the call may take."""
        return float(self.given["seconds"])


def below(root: Path, name: str) -> Path:
    """A file below the root, links resolved; raises `Mistake` for others."""
    if "\0" in name:
        raise Mistake("the name of a file has no null character")
    try:
        path = (root / name).resolve()
        there = path.is_file()
    except (OSError, RuntimeError):  # a name that is too long, links in a circle
        raise Mistake(f"there is no file {name[:100]}") from None
    if not path.is_relative_to(root):
        raise Mistake(f"{name} lies outside the folder that this server reads")
    if not there:
        raise Mistake(f"there is no file {name}")
    if path.stat().st_size > LONGEST_TEXT:
        raise Mistake(f"{name} has {path.stat().st_size:,} bytes; at most {LONGEST_TEXT:,} are read")
    return path


def shortened(found: Json) -> Json:
    """The same in at most so many characters: lists and texts are cut where it says so."""
    for most in (None, 400, 100, 30, 10, 3):
        cut: list[str] = []
        value = found if most is None else _cut(found, most, "", cut)
        if len(json.dumps(value)) <= LONGEST_ANSWER:
            return {**value, "cut": cut[:20]} if cut else dict(value)
    return {"cut": ["the answer is too long to be shown; ask for less, such as one formula"]}


def _cut(value: Any, most: int, place: str, cut: list[str]) -> Any:
    if isinstance(value, dict):
        return {key: _cut(one, most, f"{place}.{key}" if place else str(key), cut) for key, one in value.items()}
    if isinstance(value, list):
        if len(value) > most:
            cut.append(f"{place}: {most} of {len(value)} are shown")
        return [_cut(one, most, place, cut) for one in value[:most]]
    if isinstance(value, str) and len(value) > 40 * most:
        cut.append(f"{place}: the first {40 * most} of {len(value)} characters are shown")
        return value[: 40 * most]
    return value


def _reported(report: Report) -> Json:
    found = report_json(report)
    how = report.ending.how.value
    found["accepted"] = how != "rejected"
    found["ending"] = {
        "how": how,
        "reason": Wording.PYTHON.text(report.ending.reason or "", report.ending.settings) or None,
    }
    return found


def _asked(request: Request) -> tuple[Report, Any]:
    report, produced = ask_worker(request)
    if report.ending.how.value == "misused":
        raise Mistake(Wording.PYTHON.text(report.ending.reason or "", report.ending.settings))
    return report, produced


def _check(call: _Call) -> Json:
    return _reported(_asked(call.request(CheckRequest))[0])


def _explain(call: _Call) -> Json:
    code = call.given.get("code")
    if code is not None:
        return {"code": code, "page": error_page(str(code))}
    formula = call.given.get("formula")
    if formula is None or "seconds" not in call.given:
        raise Mistake("give a `formula` with a model and `seconds`, or the `code` of a message")
    request = call.request(CheckRequest, formulae=(formula,), evidence=True, explain=True, facts=False)
    report, _ = _asked(request)
    found = _reported(report)
    lines: list[str] = []
    if report.system is not None:
        for result in report.results:
            lines += show_evidence(report.system, result, Style(width=100))
    return {**found, "words": "\n".join(lines)}


def error_page(code: str) -> str:
    """The page about a message's code; raises `Mistake`."""
    text = page(code)
    if text is None:
        near = get_close_matches(code.upper(), TITLES, n=3)
        raise Mistake(f"there is no code {code}{f'; did you mean {near[0]}?' if near else ''}")
    return text


def _simulate(call: _Call) -> Json:
    actions = call.given.get("actions")
    steps = int(call.given.get("steps", 10))
    if steps < 0 or steps > MOST_STEPS:
        raise Mistake(f"steps is between 0 and {MOST_STEPS:,}")
    seed = call.given.get("seed", 0)
    if actions is None:
        report, found = _asked(call.request_of(SimulateRequest, steps=steps, seed=seed))
        if found is None:
            return _reported(report)
        return {"accepted": True, "run": path_json(found.system, found.run), "stuck": found.stuck}
    simulation = open_simulation(call.request_of(SimulateRequest, steps=0, seed=seed))
    return _played(simulation, list(actions))


def _played(simulation: Simulation, actions: list[Any]) -> Json:
    """How far given actions go, and what is allowed there."""
    system = simulation.system
    done = 0
    for wanted in actions[:MOST_STEPS]:
        told = {"action": wanted} if isinstance(wanted, str) else dict(wanted)
        step = next((one for one in simulation.steps() if _agrees(joint_json(system, one.joint), told)), None)
        if step is None:
            break
        simulation.take(step)
        done += 1
    allowed = list({json.dumps(joint_json(system, one.joint)): None for one in simulation.steps()})
    return {
        "accepted": True,
        "followed": done,
        "of": len(actions),
        "run": path_json(system, simulation.run),
        "state": state_json(system, simulation.state),
        "allowed": [json.loads(one) for one in allowed[:200]],
    }


def _agrees(joint: Mapping[str, str], told: Mapping[str, Any]) -> bool:
    return all(joint.get(name) == action for name, action in told.items())


def _strategy(call: _Call) -> Json:
    request = call.request(StrategyRequest, formula=call.given["formula"])
    report, found = _asked(request)
    if not found:
        return {**_reported(report), "exists": None}
    one = found[0]
    data = synthesis_json(one, "<model>")
    exists = {"holds": True, "fails": False}.get(one.result.verdict.value)
    return {"accepted": True, "exists": exists, **data}


def _diagnostics(call: _Call) -> Json:
    loaded = read(call.model())
    found = [diagnostic_json(loaded.system, one) for one in loaded.diagnostics]
    return {"accepted": loaded.system is not None, "diagnostics": found}


def _format(call: _Call) -> Json:
    loaded = read(call.model())
    if loaded.system is None:
        return _diagnostics(call)
    return {"accepted": True, "text": format_source(loaded.source.text)}


def _conform(call: _Call) -> Json:
    from epistrat.running.build import CannotKeep, build
    from epistrat.running.conform import SCHEMA, conforms
    from epistrat.running.logs import BadLog, read_log
    from epistrat.running.properties import Unusable, Wish
    from epistrat.solvers.budget import Budget, OutOfBudget

    loaded = read(call.model())
    if loaded.system is None:
        return _diagnostics(call)
    wish = Wish(tuple(call.given.get("formulae", ())), hidden=tuple(call.given.get("hidden", ())))
    try:
        tables = build(loaded.system, wish, budget=Budget(seconds=call.seconds)).monitor()
        found = conforms(read_log("log", str(call.given["log"]).splitlines()), tables)
    except (Unusable, BadLog) as wrong:
        raise Mistake(str(wrong)) from None
    except CannotKeep as lost:
        raise Mistake(f"{lost.followed.name} makes a shield, and its group cannot keep it from the start") from None
    except OutOfBudget as limit:
        return {"accepted": True, "schema": SCHEMA, "logs": [{"log": "log", "verdict": "unknown", "text": str(limit)}]}
    return {"accepted": True, "schema": SCHEMA, "logs": [one.to_json() for one in found]}


ERRANDS: dict[str, Callable[[_Call], Json]] = {
    "check": _check,
    "explain": _explain,
    "simulate": _simulate,
    "strategy": _strategy,
    "diagnostics": _diagnostics,
    "format": _format,
    "conform": _conform,
}
