"""Long trials of the studio's page: ``python -m tests.studio.trials [--minutes 10] [--kills 100] [--pictures FOLDER]``.

Random clicks and edits whose every verdict is compared with the command, kills of server, page and browser while somebody types, and how
fast the page is; with ``--pictures``, pictures of ten models in two colours and three widths.  The status is 1 if something failed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.studio.conftest import end, serve

STUDIO = Path(__file__).parents[2] / "studio"
KINDS = [f"{colour},{width}" for colour in ("light", "dark") for width in (1280, 1920, 390)]


def main() -> int:
    """Run what was asked for, one after the other."""
    parser = argparse.ArgumentParser(prog="python -m tests.studio.trials")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    epistrat = str(Path(sys.executable).with_name("epistrat"))
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds, seed = str(60 * given.minutes), str(given.seed)
        failed += _script("speed.mjs", epistrat, name)
        failed += _with_server(folder / "truth", "truth.mjs", epistrat, name, seconds, seed)
        failed += _script("kills.mjs", epistrat, name, str(given.kills), seed)
        if given.pictures is not None:
            given.pictures.mkdir(parents=True, exist_ok=True)
            failed += _with_server(folder / "pictures", "pictures.mjs", str(given.pictures.resolve()), *KINDS)
    return 1 if failed else 0


def _script(script: str, *arguments: str) -> int:
    print(f"{script}:", flush=True)
    return int(subprocess.run(["node", f"tests/{script}", *arguments], cwd=STUDIO, check=False).returncode != 0)


def _with_server(drafts: Path, script: str, *arguments: str) -> int:
    """Run a script that is given the address of a server of its own."""
    client = serve(drafts)
    try:
        return _script(script, f"http://127.0.0.1:{client.port}/#token={client.token}", *arguments)
    finally:
        end(client)


if __name__ == "__main__":
    sys.exit(main())
