"""What is installed here, and whether it works: versions, libraries, and one small question to every engine."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Iterator
from typing import Literal

from epistrat.answers import How
from epistrat.records import dataclass
from epistrat.service.requests import CheckRequest, Text
from epistrat.service.run import ask, ask_worker
from epistrat.service.settings import ENGINES

Health = Literal["well", "absent", "ill"]

LAMP = """
Agent Switch
    Vars: on : boolean; end Vars
    Actions = {press, wait};
    Protocol: Other : {press, wait}; end Protocol
    Evolution: on = !on if Action = press; end Evolution
end Agent
Evaluation lit if Switch.on = true; end Evaluation
InitStates Switch.on = false; end InitStates
Groups person = {Switch}; end Groups
Formulae AG EF lit; AG (lit -> K(Switch, lit)); <person>F lit; AF lit; AG !lit; end Formulae
"""
VERDICTS = ["holds", "holds", "holds", "fails", "fails"]


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing that was looked at, how it is, and what to do where it is not well."""

    about: str
    health: Health
    words: str
    advice: str = ""


def examine(version: str) -> Iterator[Examined]:
    """Look at everything, one thing after the other; ``version`` is ours."""
    system = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    yield Examined("epistrat", "well", f"{version} ({system})")
    yield from _libraries()
    for engine in ENGINES:
        yield _engine(engine)
    yield _worker()
    yield _graphviz()


def _libraries() -> Iterator[Examined]:
    """What the package asks for, and what its extras would add."""
    try:
        required = importlib.metadata.requires("epistrat") or []
    except importlib.metadata.PackageNotFoundError:
        yield Examined(
            "installation", "ill", "epistrat runs from a folder, not from an installed package", "pip install ."
        )
        return
    for line in required:
        name = re.split(r"[\s<>=!~;\[]", line, maxsplit=1)[0]
        if name == "epistrat":  # the extra that is all others together
            continue
        extra = re.search(r"extra\s*==\s*['\"]([\w-]+)['\"]", line)
        before = re.search(r"python_version\s*<\s*['\"](\d+)\.(\d+)['\"]", line)
        try:
            yield Examined(name, "well", importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            if before is not None and sys.version_info >= tuple(map(int, before.groups())):
                yield Examined(name, "absent", f"only for Python before {'.'.join(before.groups())}")
            elif extra is None:
                yield Examined(name, "ill", "not installed", f"pip install '{line.split(';')[0].strip()}'")
            else:
                yield Examined(
                    name,
                    "absent",
                    f"not installed; part of the extra {extra[1]}",
                    f"pip install 'epistrat[{extra[1]}]'",
                )


def _engine(name: str) -> Examined:
    """Whether the engine answers small questions rightly."""
    report, _ = ask(CheckRequest(model=Text(LAMP, "<self-test>"), engine=name))
    said = [result.verdict.value for result in report.results]
    answered = [(one, right) for one, right in zip(said, VERDICTS, strict=False) if one != "unknown"]
    if answered and all(one == right for one, right in answered):
        return Examined(f"engine {name}", "well", f"{len(answered)} questions answered rightly")
    reason = report.ending.reason or f"said {', '.join(said) or 'nothing'} instead of {', '.join(VERDICTS)}"
    return Examined(f"engine {name}", "ill", reason, "please report this with the output of `epistrat doctor`")


def _worker() -> Examined:
    """Whether checks can run in a process of their own, which is what limits and Ctrl-C rest on."""
    if not hasattr(os, "fork"):
        words = "cannot be started on this system: a check keeps its limits itself, between two operations"
        return Examined("worker processes", "absent", words)
    report, _ = ask_worker(CheckRequest(model=Text(LAMP, "<self-test>")))
    if report.ending.how is How.DONE:
        limited = "" if sys.platform.startswith("linux") else "; memory limits are not kept on this system"
        return Examined("worker processes", "well", f"started and ended{limited}")
    return Examined("worker processes", "ill", str(report.ending.reason), "limits and Ctrl-C may take longer to act")


def _graphviz() -> Examined:
    """Whether Graphviz can be loaded: its package may be there, and a library of the system that it needs not."""
    try:
        importlib.import_module("pygraphviz")
    except ImportError as missing:
        remedy = (
            "Debian: apt install libglib2.0-0 libxext6 libxrender1"
            if ".so" in str(missing)
            else "pip install pygraphviz"
        )
        return Examined("Graphviz", "absent", f"{missing}; pictures have a plain layout", remedy)
    return Examined("Graphviz", "well", "lays out pictures")
