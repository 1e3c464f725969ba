"""``epistrat strategy``: find a strategy of a group, print it as rules, write it out, check that it works."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epistrat.cli import console
from epistrat.cli.check import limits, misused_engine, misused_strategies
from epistrat.cli.exit_codes import Exit, worst
from epistrat.cli.one_shot import Reply, run_one_shot

if TYPE_CHECKING:
    from epistrat.answers.explanation import Policy
    from epistrat.api.result import Result
    from epistrat.evidence import Strategy, Tree
    from epistrat.model.system import System
    from epistrat.solvers.budget import Budget


def run(arguments: argparse.Namespace) -> Exit:
    """Synthesise, print, write out."""
    style = console.style()
    problem = misused_strategies(arguments) or misused_engine(arguments)
    if problem is not None:
        console.complain(f"epistrat strategy: {problem}")
        return Exit.USAGE
    return run_one_shot(lambda reply, budget: _work(arguments, reply, budget, style), limits(arguments))


def _work(arguments: argparse.Namespace, reply: Reply, budget: Budget, style: Any) -> None:
    system = reply.load(arguments.file, arguments.strict)
    if system is None:
        return
    result = _check(system, arguments, reply, budget)
    if result is None:
        return
    strategy = None if result.evidence is None else strategy_of(result.evidence)
    if result.verdict.value == "unknown":
        reply.complain(f"unknown: {result.explain()}")
        reply.end(Exit.UNKNOWN)
    elif not result:
        _refuse(arguments, reply, result, style)
    elif strategy is None:
        reply.complain(
            "the formula holds, but no strategy stands at its top: ask `<group>F goal`, or a conjunction of such"
        )
        reply.end(Exit.USAGE)
    else:
        _show(system, arguments, reply, result, strategy, style)


def _check(system: System, arguments: argparse.Namespace, reply: Reply, budget: Budget) -> Result | None:
    from epistrat import pipeline
    from epistrat.cli.work import options_of

    try:
        formula = pipeline.read_formula(arguments.formula, system, strict=arguments.strict)
        options = options_of(system, arguments)
        options = replace(options, strategy_states=arguments.table)
    except pipeline.InputError as rejection:
        reply.reject(rejection.diagnostics)
        return None
    except LookupError as misuse:
        reply.complain(f"epistrat strategy: {misuse.args[0]}")
        reply.end(Exit.USAGE)
        return None
    asked = pipeline.questions(system, [formula])
    from epistrat.api.result import Result

    engine = arguments.engine
    found = pipeline.check(system, asked, engine=engine, options=options, budget=budget, facts=False).results[0]
    if found and found.evidence is None and engine == "auto":  # the reference engine shows all it finds
        found = pipeline.check(system, asked, engine="reference", options=options, budget=budget, facts=False).results[
            0
        ]
    return Result.about(system, found)


def strategy_of(tree: Tree) -> Strategy | None:
    """The first strategy that a tree shows."""
    from epistrat.evidence import Enforced, Restricted, walk

    for part in walk(tree):
        for reason in part.because:
            if isinstance(reason, (Enforced, Restricted)):
                return reason.strategy
    return None


def _refuse(arguments: argparse.Namespace, reply: Reply, result: Result, style: Any) -> None:
    if arguments.json:
        from epistrat.render.strategy import synthesis_json

        reply.say(json.dumps(synthesis_json(result.system, arguments.file, result.text, None, ())))
    else:
        reply.say("No.", *result.explain(style=style).split("\n"))
    reply.end(Exit.FAILS)


def _show(
    system: System, arguments: argparse.Namespace, reply: Reply, result: Result, strategy: Strategy, style: Any
) -> None:
    from epistrat.evidence import StateStrategy
    from epistrat.explain.policy import policies
    from epistrat.render.strategy import show_strategy, synthesis_json
    from epistrat.render.walk import show_state

    rules = policies(system, strategy)
    complete = not isinstance(strategy, StateStrategy) or strategy.complete
    if arguments.json:
        reply.say(json.dumps(synthesis_json(system, arguments.file, result.text, strategy, rules)))
    elif arguments.dot == "-" or arguments.ispl == "-":
        pass
    else:
        reply.say(*show_strategy(system, strategy, rules, style, complete))
        if arguments.strategies == "objective" and result.evidence is not None:
            reply.say(f"This is for the initial state {show_state(system, result.evidence.state)}.")
    status = Exit.HOLDS
    if arguments.dot and not _write_dot(system, arguments, reply, result, strategy):
        status = Exit.USAGE
    if arguments.ispl or arguments.verify:
        status = worst([status, _restricted(system, arguments, reply, result, rules)])
    elif not arguments.json and result.replay is not None and result.replay.complete:
        reply.say("Checked: every outcome of these moves was played through.")
    reply.end(status)


def _write_dot(system: System, arguments: argparse.Namespace, reply: Reply, result: Result, strategy: Strategy) -> bool:
    from epistrat.render.graph import dot, strategy_picture

    assert result.evidence is not None
    return _write(arguments.dot, dot(strategy_picture(system, strategy, [result.evidence.state])), reply)


def _restricted(
    system: System, arguments: argparse.Namespace, reply: Reply, result: Result, rules: tuple[Policy, ...]
) -> Exit:
    """Write the model restricted to the strategy, and check the formula on it."""
    from epistrat import pipeline
    from epistrat.evidence.shadow import TooEntangled
    from epistrat.explain.follow import follow
    from epistrat.model.show import to_ispl

    try:
        narrowed = replace(follow(_from_one_start(system, arguments, result), rules), formulae=(result.formula,))
    except TooEntangled as reason:
        reply.complain(f"the strategy cannot be written as ISPL: {reason}")
        return Exit.UNKNOWN
    if arguments.ispl and not _write(arguments.ispl, to_ispl(narrowed), reply):
        return Exit.USAGE
    if not arguments.verify:
        return Exit.HOLDS
    again = pipeline.check(narrowed, pipeline.questions(narrowed), facts=False).results[0]
    if again:
        if not arguments.json:
            reply.say(f"Checked: the model restricted to these rules satisfies {result.text}.")
        return Exit.HOLDS
    reply.complain(f"the model restricted to these rules does not satisfy {result.text}: {again.verdict.value}")
    return Exit.FAILS


def _from_one_start(system: System, arguments: argparse.Namespace, result: Result) -> System:
    """Read objectively, each initial state may need a strategy of its own: the one shown is for one of them."""
    if arguments.strategies != "objective" or result.evidence is None:
        return system
    from epistrat.evidence.restrict import equals
    from epistrat.terms import Terms

    terms = Terms()
    start = result.evidence.state
    here = terms.conjunction(equals(terms, system, index, [value]) for index, value in enumerate(start))
    return replace(system, initial=here)


def _write(file: str, text: str, reply: Reply) -> bool:
    """Whether it could be written."""
    if file == "-":
        reply.say(text.rstrip("\n"))
        return True
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        reply.complain(f"{file} cannot be written: {error.strerror}")
        return False
    return True
