"""``epistrat lsp``: the language server."""

from __future__ import annotations

import argparse

from epistrat.cli.exit_codes import Exit, Refused


def run(arguments: argparse.Namespace) -> Exit:
    """Serve an editor on standard input and output until it leaves."""
    try:
        from epistrat.lsp.server import serve
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise Refused(Exit.USAGE, "epistrat lsp needs the package pygls: pip install 'epistrat[lsp]'") from None
    serve()
    return Exit.HOLDS
