"""What commands that follow runs share: the model, what is followed, and the states of the model labelled in a worker."""

from __future__ import annotations

import argparse

from epistrat.answers import How, Misuse
from epistrat.cli import console
from epistrat.cli.ask import answered, model
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.jobs.limits import Limits
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.render.text import show_rejection
from epistrat.running.build import Ask, Built, CannotKeep, build
from epistrat.running.growing import growing
from epistrat.running.properties import ASKS_KNOWLEDGE, Unusable, Wish
from epistrat.running.runtime.monitor import Monitor
from epistrat.service import CheckRequest, Given, InputError, LabelRequest, ask
from epistrat.service.labelling import Labelled
from epistrat.service.models import read
from epistrat.solvers.budget import OutOfBudget


def system_of(arguments: argparse.Namespace, file: str) -> System:
    """The model that the command line names; the command is refused, with what is wrong and where, if it is none."""
    loaded = read(model(file, arguments), strict=getattr(arguments, "strict", False))
    if loaded.system is None:
        raise Refused(Exit.INPUT, *show_rejection(tuple(loaded.diagnostics), console.style()))
    if loaded.system.is_program:
        raise Refused(Exit.INPUT, f"epistrat {arguments.verb}: {file}: {ASKS_KNOWLEDGE}")
    return loaded.system


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits given on the command line."""
    return Limits(arguments.time, arguments.memory, arguments.nodes, arguments.states, arguments.cores)


def wish_of(arguments: argparse.Namespace) -> Wish:
    """What the command line asks to follow."""
    return Wish(
        tuple(arguments.formula), tuple(arguments.watch), tuple(arguments.hidden), tuple(getattr(arguments, "sees", ()))
    )


def labels_in_worker(verb: str, arguments: argparse.Namespace) -> Ask:
    """Have a worker explore and label the states, within the limits of the command line."""

    def labelled(request: LabelRequest) -> Labelled:
        report, found = answered(verb, replace(request, limits=limits(arguments)))
        if found is None:
            if report.ending.how is How.INTERRUPTED:
                raise KeyboardInterrupt
            raise OutOfBudget(report.ending.reason or "a limit was reached")
        assert isinstance(found, Labelled)
        return found

    return labelled


def built(verb: str, arguments: argparse.Namespace, system: System, wish: Wish, name: str, most: int) -> Built:
    """The tables that the command line asks for; the command is refused, in words, where there are none."""
    try:
        return build(
            system,
            wish,
            name=name,
            most=most,
            labels=labels_in_worker(verb, arguments),
            budget=limits(arguments).budget(),
        )
    except Unusable as wrong:
        raise Refused(Exit.INPUT, f"epistrat {verb}: {name}: {wrong}") from None
    except InputError as wrong:
        raise Refused(Exit.INPUT, *show_rejection(wrong.diagnostics, console.style())) from None
    except Misuse as wrong:
        raise Refused(Exit.INPUT, f"epistrat {verb}: {name}: {wrong.text}") from None
    except CannotKeep as lost:
        # A log was not looked at, so it did not fail.
        raise Refused(Exit.FAILS if verb == "monitor" else Exit.INPUT, *_why_not(system, lost)) from None
    except OutOfBudget as limit:
        more = "; --most-states N allows more" if _many(limit) else ""
        raise Refused(Exit.UNKNOWN, f"unknown: {limit}{more}") from None


def _many(limit: OutOfBudget) -> bool:
    """Whether the states were too many, not the seconds."""
    return str(limit).startswith("limit of")


def monitors(
    verb: str, arguments: argparse.Namespace, system: System, wish: Wish, name: str, most: int
) -> type[Monitor]:
    """Monitors for runs that are followed here: with all states where they are few enough, else with those that runs meet."""
    try:
        return built(verb, arguments, system, wish, name, most).monitor()
    except Refused as refused:
        if refused.status is not Exit.UNKNOWN or not any(
            "limit of" in line and "states" in line for line in refused.lines
        ):
            raise
        try:
            return growing(system, wish, name=name)
        except (Unusable, OutOfBudget) as wrong:
            raise Refused(Exit.UNKNOWN, *refused.lines, f"epistrat {verb}: {name}: {wrong}") from None


def _why_not(system: System, lost: CannotKeep) -> list[str]:
    """Why there is no shield, with what `check` says about the same formula."""
    assert lost.followed.group is not None
    members = " and ".join(lost.followed.group.members)
    words = [f"{members} cannot keep {lost.followed.name} from the start, by the events that the monitor is told."]
    if lost.sees:
        listed = ",".join(lost.sees)
        words.append(f"It can be kept if the monitor is told {', '.join(lost.sees)} after each event: --sees {listed}")
    result = ask(CheckRequest(model=Given(system), formulae=(lost.followed.formula,), facts=False))[0].results[0]
    if result.verdict.value == "holds":
        words.append(
            f"`check` finds that it holds ({result.reading.value}): there each initial state may have a strategy of its own, "
            "and members use what they see; a shield has one strategy for all, and uses what it is told."
        )
    elif result.why:
        words.append(result.why)
    return words
