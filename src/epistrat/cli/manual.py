"""``epistrat help --man``: the manual page, made from what ``--help`` knows."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from epistrat import __version__
from epistrat.cli.arguments import commands
from epistrat.cli.exit_codes import Exit
from epistrat.cli.verbs import VERBS

_STATUS = {
    Exit.HOLDS: "every formula holds",
    Exit.FAILS: "some formula fails",
    Exit.UNKNOWN: "none fails, but some is unknown",
    Exit.INPUT: "the model or a formula is not accepted",
    Exit.USAGE: "the command line makes no sense, or a file cannot be written",
    Exit.BUG: "a bug in epistrat",
    Exit.INTERRUPTED: "interrupted",
}


def manual() -> str:
    """The page, in the language of ``man``."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    about = {fill.__name__.removesuffix("_"): (fill.__doc__ or "") for fill in VERBS}
    yield f'.TH EPISTRAT 1 "" "epistrat {__version__}"'
    yield from (".SH NAME", r"epistrat \- model checker for multi-agent systems: time, knowledge and strategies")
    yield from (".SH SYNOPSIS", r".B epistrat", r"\fICOMMAND\fR [\fIOPTION\fR]... [\fIFILE\fR]...")
    yield ".SH COMMANDS"
    for name, verb in commands().items():
        yield f".SS {name}"
        yield _text(about.get(name, "MCMAS's options and output lines, for scripts."))
        for action in verb._actions:
            if action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
                yield ".TP"
                yield _flags(action)
                yield _text((action.help or "").replace("%%", "%"))
    yield ".SH EXIT STATUS"
    for status, words in _STATUS.items():
        yield from (".TP", rf"\fB{status.value}\fR", _text(words))


def _flags(action: argparse.Action) -> str:
    """An option or argument as it is written."""
    named = action.metavar or action.dest.upper()
    value = "" if action.nargs == 0 else rf" \fI{_text(named if isinstance(named, str) else ' '.join(named))}\fR"
    if not action.option_strings:
        return value.strip()
    return ", ".join(rf"\fB{_text(flag)}\fR" for flag in action.option_strings) + value


def _text(words: str) -> str:
    """Words that ``man`` shows as they are."""
    shown = words.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{shown}" if shown.startswith((".", "'")) else shown
