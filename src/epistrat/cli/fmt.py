"""``epistrat fmt``: the model in its canonical layout."""

from __future__ import annotations

import argparse

from epistrat.cli import console
from epistrat.cli.ask import model
from epistrat.cli.exit_codes import Exit, worst
from epistrat.lang.format import format_source
from epistrat.render.text import show_rejection
from epistrat.service.models import read

_LAST_SYNTAX_CODE = "E011"
"""Up to here a message means that the text could not be read; what comes after is about its meaning, which layout leaves alone."""


def run(arguments: argparse.Namespace) -> Exit:
    """Format every file."""
    return worst([_format(file, arguments) for file in arguments.files])


def _format(file: str, arguments: argparse.Namespace) -> Exit:
    loaded = read(model(file, arguments))
    unread = [one for one in loaded.diagnostics if one.is_error and one.code <= _LAST_SYNTAX_CODE]
    if unread:
        console.complain(*show_rejection(unread, console.style()))
        return Exit.INPUT
    text = loaded.source.text
    formatted = format_source(text)
    if arguments.check:
        if formatted != text:
            console.write([f"{loaded.source.name}: not in canonical layout"])
        return Exit.HOLDS if formatted == text else Exit.FAILS
    if arguments.write and file != "-" and formatted == text:
        return Exit.HOLDS
    return Exit.HOLDS if console.save(formatted, file if arguments.write else None) else Exit.INPUT
