"""``epistrat mcp``: a server for assistants."""

from __future__ import annotations

import argparse
from pathlib import Path

from epistrat import __version__
from epistrat.cli.exit_codes import Exit, Refused


def run(arguments: argparse.Namespace) -> Exit:
    """Serve an assistant on standard input and output until it leaves."""
    root = Path(arguments.root)
    if not root.is_dir():
        raise Refused(Exit.USAGE, f"epistrat mcp: there is no folder {arguments.root}")
    try:
        from epistrat.assistants.server import Bounds, serve
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in ("mcp", "pydantic"):
            raise
        raise Refused(Exit.USAGE, "epistrat mcp needs the package mcp: pip install 'epistrat[mcp]'") from None
    serve(Bounds(root.resolve(), arguments.most_seconds, arguments.most_memory), __version__)
    return Exit.HOLDS
