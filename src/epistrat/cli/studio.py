"""``epistrat studio``: write, check, explain and walk through models in a web page that runs on this machine."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused

_NEEDED = ("starlette", "uvicorn", "websockets")


def run(arguments: argparse.Namespace) -> Exit:
    """Serve the page until Ctrl-C."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise Refused(
            Exit.USAGE,
            f"epistrat studio: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed; "
            "`pip install 'epistrat[studio]'` does that",
        )
    from epistrat.studio import server

    if not server.assets_built():
        raise Refused(
            Exit.USAGE,
            "epistrat studio: the page has not been built; in a working copy `make studio` builds and opens it "
            "(Node.js and npm are needed), an installed wheel contains it",
        )
    files = [Path(name) for name in arguments.files]
    for file in files:
        if not file.is_file():
            raise Refused(Exit.INPUT, f"epistrat studio: there is no file {file}")
    if arguments.host not in ("127.0.0.1", "localhost", "::1"):
        console.complain(f"Note: anybody who can reach {arguments.host} and knows the token can use the studio.")
    try:
        server.run(
            files,
            arguments.host,
            arguments.port,
            browse=arguments.browse,
            say=lambda line: console.write([line]),
            drafts=arguments.drafts,
        )
    except OSError as error:
        raise Refused(Exit.USAGE, f"epistrat studio: it cannot listen there: {error.strerror}") from None
    return Exit.HOLDS
