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
from epistrat.model.show import to_ispl
from epistrat.render.text import show_rejection
from epistrat.service.models import questions, read
from epistrat.service.requests import Given


def run(arguments: argparse.Namespace) -> Exit:
    """Write one model out."""
    if arguments.every is not None:
        return _of_every_size(arguments)
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


def _of_every_size(arguments: argparse.Namespace) -> Exit:
    """The system that counts members, with the parts of a formula; without one, with the members that the model itself names."""
    from epistrat.service.counting import Unproved, counted_system

    about = model(arguments.file, arguments)
    loaded = read(about)
    if loaded.system is None:
        raise Refused(Exit.INPUT, *show_rejection(loaded.diagnostics, console.style()))
    assert not isinstance(about, Given)  # it was read from a file
    try:
        found = counted_system(about, arguments.every, arguments.only)
    except Misuse as wrong:
        raise Refused(Exit.USAGE, f"epistrat expand: {wrong}") from None
    if isinstance(found, Unproved):
        raise Refused(Exit.INPUT, f"epistrat expand: {arguments.file}: not counted: {found.why}")
    return Exit.HOLDS if console.save(format_source(to_ispl(found)), arguments.output) else Exit.USAGE
