"""``epistrat expand``: the model with its families written out, in the ISPL that MCMAS reads."""

from __future__ import annotations

import argparse
import re
from dataclasses import replace

from epistrat.answers import Misuse
from epistrat.cli import console
from epistrat.cli.ask import model
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.lang.format import format_source
from epistrat.model.plain import to_plain_ispl
from epistrat.render.text import show_rejection
from epistrat.service.models import questions, read


def run(arguments: argparse.Namespace) -> Exit:
    """Write one model out."""
    loaded = read(model(arguments.file, arguments))
    if loaded.system is None:
        raise Refused(Exit.INPUT, *show_rejection(loaded.diagnostics, console.style()))
    system = loaded.system
    if arguments.only is not None:
        try:
            kept = questions(system, only=arguments.only)
        except Misuse as wrong:
            raise Refused(Exit.USAGE, f"epistrat expand: {wrong}") from None
        names = tuple(one.name for one in kept) if system.formula_names else ()
        system = replace(system, formulae=tuple(one.formula for one in kept), formula_names=names)
    if system.is_program:
        console.complain("guards that ask what agents know stay: `epistrat implement` puts conditions in their places")
    text = to_plain_ispl(system)
    counted = re.search(r"\bcount\((.*?)\) >=", text)
    if counted is not None:
        number = counted[1].count(",") + 1
        raise Refused(
            Exit.INPUT,
            f"epistrat expand: plain ISPL has no short way to count {number} members: count with a variable",
        )
    text = format_source(text)
    return Exit.HOLDS if console.save(text, arguments.output) else Exit.USAGE
