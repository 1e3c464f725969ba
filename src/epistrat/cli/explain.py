"""``epistrat explain``: what a message's code means."""

from __future__ import annotations

import argparse
from difflib import get_close_matches

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.lang.pages import page
from epistrat.source import TITLES


def run(arguments: argparse.Namespace) -> Exit:
    """Print the page about a code, or list all codes."""
    if arguments.code is None:
        console.write(f"{code}  {title}" for code, title in TITLES.items())
        return Exit.HOLDS
    text = page(arguments.code)
    if text is None:
        near = get_close_matches(arguments.code.upper(), TITLES, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `epistrat explain` lists all"
        raise Refused(Exit.USAGE, f"there is no code {arguments.code}{hint}")
    console.write([text.rstrip("\n")])
    return Exit.HOLDS
