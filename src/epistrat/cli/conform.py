"""``epistrat conform``: are logs runs of the model?"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.cli.following import monitors, system_of, wish_of
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.running.conform import MOST_SEARCHED, SCHEMA, Finding, Order, conforms, together
from epistrat.running.logs import BadLog, Log, as_logs, event_of, read_log
from epistrat.running.mapping import Mapped, mapped_log, read_mapping
from epistrat.running.runtime.monitor import Monitor
from epistrat.solvers.budget import OutOfBudget

Reader = Callable[[str, Iterable[str]], Log]


def run(arguments: argparse.Namespace) -> Exit:
    """Read the logs, follow them, say what was found."""
    if (arguments.order or arguments.skew) and not arguments.together:
        raise Refused(Exit.USAGE, "epistrat conform: --order and --skew need --together")
    if arguments.skew and not arguments.order:
        raise Refused(Exit.USAGE, "epistrat conform: --skew needs --order time")
    try:
        if arguments.as_log:
            return _printed_as_log(arguments)
        system = system_of(arguments, arguments.file)
        reader, hidden = _reader(arguments, system)
        wish = wish_of(arguments)
        wish = replace(wish, hidden=tuple(dict.fromkeys((*wish.hidden, *hidden))))
        monitor = monitors("conform", arguments, system, wish, Path(arguments.file).name, arguments.most_states)
        return _said(list(_findings(arguments, reader, monitor)), arguments)
    except BadLog as wrong:
        raise Refused(Exit.INPUT, str(wrong)) from None


def _findings(arguments: argparse.Namespace, reader: Reader, monitor: type[Monitor]) -> Iterable[Finding]:
    start = getattr(arguments, "from") or "initial"

    def make() -> Monitor:
        try:
            return monitor(start=start)
        except ValueError as wrong:
            raise BadLog(f"epistrat conform: --from {start}: {wrong}") from None
        except OutOfBudget as limit:
            raise Refused(Exit.UNKNOWN, f"unknown: {limit}") from None

    logs = [reader(name, _lines(name)) for name in arguments.logs] if arguments.together else []
    if arguments.together:
        order = Order(arguments.order == "time", arguments.skew or 0.0)
        yield together(logs, make, order, arguments.states or MOST_SEARCHED)
        return
    for name in arguments.logs:
        yield from conforms(reader(name, _lines(name)), make)


def _said(found: list[Finding], arguments: argparse.Namespace) -> Exit:
    if arguments.json:
        console.write([json.dumps({"schema": SCHEMA, "logs": [one.to_json() for one in found]})])
    else:
        for one in found:
            console.write([str(one), *(_explained(one) if arguments.explain else ())])
        wrong = [one for one in found if one.verdict in ("refused", "violated")]
        if wrong and len(found) > 1:
            kinds = " or ".join(dict.fromkeys(one.verdict for one in wrong))
            console.write([f"{len(wrong):,} of {len(found):,} logs {kinds}."])
    verdicts = {one.verdict for one in found}
    if verdicts & {"refused", "violated"}:
        return Exit.FAILS
    return Exit.UNKNOWN if verdicts & {"unknown", "empty"} else Exit.HOLDS


def _explained(one: Finding) -> Iterable[str]:
    """The run up to the line, the last twenty answers of it, and what would have to be different."""
    if one.verdict not in ("refused", "violated"):
        return
    if len(one.told) > 20:
        yield f"  ... {len(one.told) - 20:,} lines before"
    yield from (f"  {line}" for line in one.told[-20:])
    yield from (f"  {hint}" for hint in one.hints)
    if one.verdict == "refused":
        yield "  Which is wrong, the model or the log, is not for this command to say."


def _lines(name: str) -> Iterable[str]:
    if name == "-":
        yield from sys.stdin
        return
    try:
        with Path(name).open(encoding="utf-8") as file:
            yield from file
    except (OSError, UnicodeDecodeError) as error:
        words = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadLog(f"{name} cannot be read: {words}") from None


def _reader(arguments: argparse.Namespace, system: System) -> tuple[Reader, tuple[str, ...]]:
    """How logs are read, and what the mapping hides."""
    given = arguments.map
    if given is None:
        return read_log, ()
    file, _, function = given.rpartition(":")
    if file.endswith(".py") and function.isidentifier():
        return _own_code(file, function), ()
    try:
        text = Path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadLog(f"{given} cannot be read: {error}") from None
    mapping: Mapped = read_mapping(given, text, system)
    return (lambda name, lines: mapped_log(mapping, system, name, lines)), mapping.hidden


def _own_code(file: str, function: str) -> Reader:
    """A generator of events that the user wrote; it is run because it is named on the command line."""
    spec = importlib.util.spec_from_file_location("epistrat_mapping", file)
    if spec is None or spec.loader is None or not Path(file).is_file():
        raise BadLog(f"{file} cannot be read: there is no such file")
    module: Any = importlib.util.module_from_spec(spec)
    with _blamed(file):
        spec.loader.exec_module(module)
    found = getattr(module, function, None)
    if not callable(found):
        raise BadLog(f"{file} has no function {function}")

    def read(name: str, lines: Iterable[str]) -> Log:
        with _blamed(file):
            given = list(found(lines))
        for number, one in enumerate(given, start=1):
            if not isinstance(one, dict):
                raise BadLog(f"{file}: event {number} of {name} is a dictionary, not {ascii(one)[:40]}")
        return Log(name, tuple(event_of(name, number, one) for number, one in enumerate(given, start=1)))

    return read


@contextlib.contextmanager
def _blamed(file: str) -> Iterator[None]:
    """What goes wrong in the user's code is told as such, with its line."""
    try:
        yield
    except BadLog:
        raise
    except Exception as error:
        here = Path(file).resolve()
        calls = [call for call in traceback.extract_tb(error.__traceback__) if Path(call.filename).resolve() == here]
        line = error.lineno if isinstance(error, SyntaxError) else calls[-1].lineno if calls else None
        place = file if line is None else f"{file}:{line}"
        words = error.msg if isinstance(error, SyntaxError) else str(error)
        raise BadLog(f"{place}: {type(error).__name__}: {words}") from None


def _printed_as_log(arguments: argparse.Namespace) -> Exit:
    for name in arguments.logs:
        text = "".join(_lines(name))
        try:
            found = json.loads(text)
        except ValueError:
            raise BadLog(f"{name}: this is no JSON that epistrat printed") from None
        lines = [json.dumps(line) for line in as_logs(found)]
        if not lines:
            raise BadLog(
                f"{name}: there is no run in it; `check --json --evidence` and `simulate --random N --json` print some"
            )
        console.write(lines)
    return Exit.HOLDS
