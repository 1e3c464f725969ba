"""``epistrat scenario``: models to learn from."""

from __future__ import annotations

import argparse
import json

from epistrat import scenarios
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused


def run(arguments: argparse.Namespace) -> Exit:
    """List the scenarios, tell the story of one, print it, or check it."""
    known = scenarios.names()
    if arguments.name is None:
        return _list(known, arguments.json)
    if arguments.name not in known:
        from epistrat.lang.names import closest

        meant = closest(arguments.name, known)
        hint = f"; did you mean {meant}?" if meant else "; `epistrat scenario` lists them"
        raise Refused(Exit.USAGE, f"epistrat scenario: there is no scenario {arguments.name!r}{hint}")
    if arguments.check:
        return _check(arguments)
    if arguments.show:
        console.write(scenarios.text(arguments.name).splitlines())
        return Exit.HOLDS
    console.write(
        [*scenarios.story(arguments.name), "", f"Try: epistrat scenario {arguments.name} --check (or --show)"]
    )
    return Exit.HOLDS


def _list(known: list[str], as_json: bool) -> Exit:
    summaries = {name: scenarios.story(name)[0] for name in known}
    if as_json:
        console.write([json.dumps([{"name": name, "summary": words} for name, words in summaries.items()])])
        return Exit.HOLDS
    width = max(map(len, known))
    console.write(f"{name:<{width}}  {words}" for name, words in summaries.items())
    return Exit.HOLDS


def _check(arguments: argparse.Namespace) -> Exit:
    """As ``epistrat check`` of its file."""
    from epistrat.cli import check
    from epistrat.cli.arguments import parse

    line = ["check", scenarios.file(arguments.name)]
    line += [f"--set={name}={value}" for given in arguments.set for name, value in given]
    line += [f"--{name}={getattr(arguments, name)}" for name in ("only", "time") if getattr(arguments, name)]
    line += [f"--{name}" for name in ("evidence", "expect", "json") if getattr(arguments, name)]
    asked = parse(line)
    asked.given = line[1:]
    return check.run(asked)
