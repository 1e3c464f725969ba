"""``epistrat strategy``: find a strategy of a group, print it as rules, write it out, check that it works."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from epistrat.answers import Verdict
from epistrat.cli import console
from epistrat.cli.ask import answered, asked, model
from epistrat.cli.exit_codes import Exit, Refused, status_of, worst
from epistrat.evidence import Chosen, Remembered
from epistrat.explain.machines import machine_of
from epistrat.explain.words import counted
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.render.strategy import show_synthesis, show_verified, synthesis_json
from epistrat.render.text import show_unknown
from epistrat.service import StrategyRequest
from epistrat.service.strategy import Synthesis


def run(arguments: argparse.Namespace) -> Exit:
    """Synthesise, print, write out."""
    restricted = arguments.ispl is not None
    named = model(arguments.file, arguments)
    report, found = answered("strategy", asked("strategy", StrategyRequest, named, arguments, restricted=restricted))
    codes = [status_of(report)]
    if report.ending.reason:
        console.complain(f"unknown: {report.ending.reason}")
    several = found is not None and len(found) > 1
    if several and (arguments.ispl or arguments.dot):
        raise Refused(
            Exit.USAGE, "epistrat strategy: the model asks for several strategies; -f or --only N picks one to write"
        )
    for number, one in enumerate(found or ()):
        if several and not arguments.json:
            console.write([*([""] if number else []), f"{one.result.index}  {one.result.text}"])
        codes.append(_show(one, arguments))
    return worst(codes)


def _show(found: Synthesis, arguments: argparse.Namespace) -> Exit:
    style = console.style()
    if found.result.verdict is Verdict.UNKNOWN:
        console.complain(f"unknown: {show_unknown(found.result, style)}")
        return Exit.UNKNOWN
    if arguments.json:
        console.write([json.dumps(synthesis_json(found, arguments.file))])
    elif arguments.dot != "-" and arguments.ispl != "-":
        console.write(show_synthesis(found, style))
    if found.shown is not None and not found.plans:
        return _write_shown(found, found.shown, arguments)
    return _write_out(found, arguments) if found.plans else Exit.FAILS


def _write_shown(found: Synthesis, shown: Remembered | Chosen, arguments: argparse.Namespace) -> Exit:
    """A strategy with memory, or tables: the graph of its memories, and the model whose agents remember."""
    codes = [Exit.HOLDS]
    told = not (arguments.json or "-" in (arguments.dot, arguments.ispl))
    if arguments.dot:
        from epistrat.render.dot import dot
        from epistrat.render.machine import machine_picture

        words, picture = machine_picture(found.system, machine_of(shown))
        codes.append(_saved(dot(picture), arguments.dot, 1, words if told else ""))
    one = found.written
    if one is None:
        return worst(codes)
    if one.restricted is None:
        console.complain(f"the strategy cannot be written as ISPL: {one.refused}")
        return Exit.UNKNOWN
    if arguments.ispl:
        words = "the model whose agents follow this strategy" if told else ""
        if one.starts:
            words += f", from {counted(len(one.starts), 'initial state')}" if words else ""
        codes.append(_saved(to_ispl(one.restricted), arguments.ispl, 1, words))
    asked = " and ".join(map(show, one.restricted.formulae))
    if one.verified not in (None, Verdict.HOLDS):
        console.complain(f"the model whose agents follow this strategy does not satisfy {asked}: {one.verified.value}")
        return Exit.FAILS
    if one.verified is not None and told:
        console.write([f"Checked: the model whose agents follow this strategy satisfies {asked}."])
    return worst(codes)


def _write_out(found: Synthesis, arguments: argparse.Namespace) -> Exit:
    codes = [Exit.HOLDS]
    told = not (arguments.json or "-" in (arguments.dot, arguments.ispl))
    for number, plan in enumerate(found.plans, start=1):
        if arguments.dot and found.result.evidence is not None:
            from epistrat.render.dot import dot
            from epistrat.render.graph import strategy_picture

            picture = strategy_picture(found.system, plan.strategy, plan.starts or [found.result.evidence.state])
            codes.append(
                _saved(dot(picture), arguments.dot, number, "what can happen under these rules" if told else "")
            )
        if plan.entangled is not None:
            console.complain(f"the strategy cannot be written as ISPL: {plan.entangled}")
            codes.append(Exit.UNKNOWN)
        elif plan.restricted is not None and arguments.ispl:
            words = "the model restricted to these rules" if told else ""
            codes.append(_saved(to_ispl(plan.restricted), arguments.ispl, number, words))
    if worst(codes) is Exit.HOLDS:
        codes.append(_checked(found, arguments))
    return worst(codes)


def _saved(text: str, file: str, number: int, words: str) -> Exit:
    """Write a strategy: the first to the file that is named, the second to ``name-2``; say so in ``words``."""
    if number > 1 and file != "-":
        file = str(Path(file).with_stem(f"{Path(file).stem}-{number}"))
    if not console.save(text, file):
        return Exit.USAGE
    if words and file != "-":
        console.write([f"{file}: {words}"])
    return Exit.HOLDS


def _checked(found: Synthesis, arguments: argparse.Namespace) -> Exit:
    """Say how the strategy was checked."""
    replay = found.result.replay
    wrong = [plan.verified for plan in found.plans if plan.verified not in (None, Verdict.HOLDS)]
    if wrong and wrong[0] is not None:
        console.complain(f"the model restricted to these rules does not satisfy {found.result.text}: {wrong[0].value}")
        return Exit.FAILS
    if arguments.json:
        return Exit.HOLDS
    console.write(show_verified(found))
    if not (arguments.verify or arguments.ispl) and replay is not None and replay.complete:
        console.write(["Checked: every outcome of these moves was played through."])
    return Exit.HOLDS
