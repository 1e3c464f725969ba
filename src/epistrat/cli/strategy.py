"""``epistrat strategy``: find a strategy of a group, print it as rules, write it out, check that it works."""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

from epistrat.answers import Verdict
from epistrat.cli import console
from epistrat.cli.ask import checked, complain, engine_settings, model, serve
from epistrat.cli.exit_codes import Exit, status_of, worst
from epistrat.model.show import to_ispl
from epistrat.render.strategy import show_strategy, synthesis_json
from epistrat.render.text import show_unknown
from epistrat.render.tree import show_evidence
from epistrat.render.walk import show_state
from epistrat.service import StrategyRequest
from epistrat.service.strategy import Synthesis


def run(arguments: argparse.Namespace) -> Exit:
    """Synthesise, print, write out."""
    request = checked("strategy", partial(request_of, arguments))
    if request is None:
        return Exit.USAGE
    report, found = serve(request)
    wrong = complain("strategy", report)
    if wrong is not None:
        return wrong
    if found is None:
        console.complain(f"unknown: {report.ending.reason}")
        return status_of(report)
    return _show(found, arguments)


def request_of(arguments: argparse.Namespace) -> StrategyRequest:
    """What the command line asks."""
    return StrategyRequest(
        model=model(arguments.file),
        formula=arguments.formula,
        table=arguments.table,
        restricted=arguments.ispl is not None,
        verify=arguments.verify,
        **engine_settings(arguments),
    )


def _show(found: Synthesis, arguments: argparse.Namespace) -> Exit:
    style = console.style()
    if found.result.verdict is Verdict.UNKNOWN:
        console.complain(f"unknown: {show_unknown(found.result, style)}")
        return Exit.UNKNOWN
    if arguments.json:
        console.write([json.dumps(synthesis_json(found, arguments.file))])
    elif found.strategy is None:
        console.write(["No.", *show_evidence(found.system, found.result, style)])
    elif arguments.dot != "-" and arguments.ispl != "-":
        console.write(show_strategy(found, style))
        if found.start is not None:
            console.write([f"This is for the initial state {show_state(found.system, found.start)}."])
    return Exit.FAILS if found.strategy is None else _write_out(found, arguments)


def _write_out(found: Synthesis, arguments: argparse.Namespace) -> Exit:
    codes = [Exit.HOLDS]
    if arguments.dot and found.strategy is not None and found.result.evidence is not None:
        from epistrat.render.graph import dot, strategy_picture

        picture = strategy_picture(found.system, found.strategy, [found.result.evidence.state])
        codes.append(_write(arguments.dot, dot(picture)))
    if found.entangled is not None:
        console.complain(f"the strategy cannot be written as ISPL: {found.entangled}")
        codes.append(Exit.UNKNOWN)
    elif found.restricted is not None and arguments.ispl:
        codes.append(_write(arguments.ispl, to_ispl(found.restricted)))
    if codes[-1] is Exit.HOLDS:
        codes.append(_checked(found, arguments))
    return worst(codes)


def _checked(found: Synthesis, arguments: argparse.Namespace) -> Exit:
    """Say how the strategy was checked."""
    text, verified, replay = found.result.text, found.verified, found.result.replay
    if verified is not None and verified is not Verdict.HOLDS:
        console.complain(f"the model restricted to these rules does not satisfy {text}: {verified.value}")
        return Exit.FAILS
    if arguments.json:
        return Exit.HOLDS
    if verified is not None:
        console.write([f"Checked: the model restricted to these rules satisfies {text}."])
    elif not arguments.ispl and replay is not None and replay.complete:
        console.write(["Checked: every outcome of these moves was played through."])
    return Exit.HOLDS


def _write(file: str, text: str) -> Exit:
    if file == "-":
        console.write([text.rstrip("\n")])
        return Exit.HOLDS
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        console.complain(f"{file} cannot be written: {error.strerror}")
        return Exit.USAGE
    return Exit.HOLDS
