"""What can be said on the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from epistrat import __version__
from epistrat.cli.verbs import VERBS, check

_EPILOG = (
    "exit status: 0 all hold, 1 some fail, 2 usage, 3 input error, 4 unknown, 70 a bug in epistrat, 130 interrupted"
)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one or two lines, with what may be meant."""

    def error(self, message: str) -> NoReturn:
        """End with a message."""
        from difflib import get_close_matches

        known = [flag for action in self._actions for flag in action.option_strings]
        words = [name for action in self._actions if isinstance(action.choices, dict) for name in action.choices]
        meant = [
            found[0]
            for word in re.findall(r"(?<![\w-])--?[\w-]+|(?<=')[\w-]+(?=')", message.partition("(choose")[0])
            if word not in known and (found := get_close_matches(word, [*known, *words], 1, 0.6))
        ]
        if "--memory-states" in message and "--strategy-memory" in known:
            meant = ["--strategy-memory"]
        hint = f"; did you mean `{meant[0]}`?" if meant else ""
        self.exit(2, f"{self.prog}: {message}{hint}\n`{self.prog} --help` lists the options.\n")


def parse(given: Sequence[str]) -> argparse.Namespace:
    """What the words of a command line say; a command's own parser complains about its options."""
    top = parser(given)
    found, left = top.parse_known_args(given)
    if left:
        wrong = [word.partition("=")[0] for word in left if word.startswith("-")]
        surplus = f"{' '.join(left)} is more than the command takes"
        commands(top)[found.verb].error(f"there is no option {' or '.join(wrong)}" if wrong else surplus)
    return found


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The command line.  Only commands that are named in what was given get their options: those of engines take time to gather."""
    top = Parser(
        prog="epistrat",
        description="Check multi-agent systems: time, knowledge and strategies.",
        epilog=_EPILOG,
    )
    top.add_argument("--version", action="version", version=f"epistrat {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    for fill in VERBS:
        name = fill.__name__.removesuffix("_")
        verb = verbs.add_parser(name, help=_help(fill), epilog=_EPILOG if fill is check else None)
        if name in given:
            fill(verb)
    verbs.add_parser("mcmas", help="MCMAS's options and output lines, for scripts", add_help=False)
    return top


def commands(top: argparse.ArgumentParser | None = None) -> dict[str, argparse.ArgumentParser]:
    """The commands of a parser; without one, all commands with all their options."""
    if top is None:
        top = parser(list(commands(parser([]))))
    return next(action.choices for action in top._actions if isinstance(action.choices, dict))


def _help(fill: Callable[[argparse.ArgumentParser], None]) -> str:
    words = fill.__doc__ or ""
    return words[:1].lower() + words[1:]
