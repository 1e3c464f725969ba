"""``epistrat monitor``: a guard for a program, as one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from epistrat import __version__
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.cli.following import built, system_of, wish_of
from epistrat.cli.main import bug
from epistrat.running.adapters import NAMES
from epistrat.running.generate import MADE, generated
from epistrat.running.recheck import unsound
from epistrat.running.selfcheck import CHECKED_STATES, differences


def run(arguments: argparse.Namespace) -> Exit:
    """Build the tables, write the file, compare it with the model."""
    adapters = getattr(arguments, "for")
    for one in adapters:
        if one not in NAMES:
            raise Refused(Exit.USAGE, f"epistrat monitor: nothing is known for {one!r}; --for takes {', '.join(NAMES)}")
    _refuse_to_overwrite(arguments.output)
    system = system_of(arguments, arguments.file)
    name = Path(arguments.file).name
    found = built("monitor", arguments, system, wish_of(arguments), name, arguments.most_states)
    text = generated(found, ["epistrat", "monitor", *arguments.given], adapters, __version__)
    count = found.tables().count
    if count <= CHECKED_STATES and not arguments.no_self_check:
        wrong = unsound(found) or differences(text, found)
        if wrong is not None:
            return Exit(bug(f"the generated monitor differs from the model: {wrong}"))
    if not console.save(text, arguments.output):
        return Exit.USAGE
    if arguments.output not in (None, "-"):
        steps = sum(len(one.split()) // 2 for one in found.values["steps"])
        console.write([f"{arguments.output}: {count:,} states, {steps:,} steps{_shields(found.plan.properties)}"])
    return Exit.HOLDS


def _shields(properties: tuple[object, ...]) -> str:
    groups = [one for one in properties if getattr(one, "group", None) is not None]
    return f", {len(groups)} shield{'s' if len(groups) > 1 else ''}" if groups else ""


def _refuse_to_overwrite(output: str | None) -> None:
    """A file that somebody else wrote is left alone."""
    if output in (None, "-"):
        return
    path = Path(output)
    try:
        with path.open("rb") as file:
            ours = file.read(len(MADE)) == MADE.encode()
    except FileNotFoundError:
        return
    except OSError as error:
        raise Refused(Exit.USAGE, f"{output} cannot be written: {(error.strerror or str(error)).lower()}") from None
    if not ours:
        raise Refused(
            Exit.USAGE, f"epistrat monitor: {output} is there and was not made by this command; it is left alone"
        )
