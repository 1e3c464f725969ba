"""The command ``epistrat``: reads the command line, hands over to one module per verb, and turns what happens into an exit status.

Only what ``--help`` needs is imported here; a verb's module is imported when it is used.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from epistrat.cli import console
from epistrat.cli.arguments import parse
from epistrat.cli.exit_codes import Exit, Refused


def run() -> NoReturn:
    """The console script."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    console.open_streams()
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command; the exit status."""
    sys.set_int_max_str_digits(0)  # numbers of states are exact, however long
    try:
        if list(arguments[:1]) == ["mcmas"]:  # its options are not ours to parse
            return _verb("mcmas", argparse.Namespace(arguments=list(arguments[1:])))
        if list(arguments) == ["help", "--man"]:
            from epistrat.cli.manual import manual

            console.write([manual().rstrip("\n")])
            return Exit.HOLDS
        if list(arguments[:1]) == ["help"]:
            arguments = [*arguments[1:2], "--help"]
        parsed = parse(arguments)
        parsed.given = list(arguments)[list(arguments).index(parsed.verb) + 1 :]
        return _verb(parsed.verb, parsed)
    except Refused as refused:
        console.complain(*refused.lines)
        return refused.status
    except KeyboardInterrupt:
        console.complain("interrupted")
        return Exit.INTERRUPTED
    except console.Unwritable as problem:
        console.complain(f"epistrat: {problem}")
        return Exit.USAGE
    except Exception as error:
        return bug(f"{type(error).__name__}: {error}")


def _verb(name: str, parsed: argparse.Namespace) -> int:
    module = "imported" if name == "import" else name.replace("-", "_")  # `import` cannot be a module's name
    return int(import_module(f"epistrat.cli.{module}").run(parsed))


def bug(message: str, trace: str | None = None) -> int:
    """Report a mistake of ours: short, unless the trace was asked for."""
    console.complain(f"epistrat: internal error: {message}")
    if os.environ.get("EPISTRAT_TRACEBACK"):
        import traceback

        console.complain(trace or traceback.format_exc())
    else:
        console.complain("This is a bug in epistrat. EPISTRAT_TRACEBACK=1 shows where it happened; please report it.")
    return Exit.BUG
