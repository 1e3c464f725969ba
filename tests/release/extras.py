"""Every extra in an empty environment, alone and all together: ``python -m tests.release.extras [PYTHON]`` (or ``make extras``).

The wheel is installed with the extra, ``pip check`` has to be clean, and ``epistrat doctor`` has to find what the extra adds.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.release.newcomer import ROOT, build


def main(interpreters: Sequence[str]) -> int:
    """The command; 1 if anything is wrong."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        for extras in [*([one] for one in declared), sorted(declared)]:
            started = time.perf_counter()
            found = list(try_out(wheel, Path(folder) / "-".join(extras), (interpreters or [sys.executable])[0], extras))
            took = f"{time.perf_counter() - started:.0f} s"
            print(f"{','.join(extras)}: {'; '.join(found) or 'installs, pip check is clean, found by doctor'} ({took})")
            wrong += bool(found)
    return 1 if wrong else 0


def try_out(wheel: Path, home: Path, interpreter: str, extras: Sequence[str]) -> Iterator[str]:
    """Install the wheel with some extras; what is wrong."""
    subprocess.run([interpreter, "-m", "venv", home], check=True)
    subprocess.run([home / "bin/pip", "install", "-q", "--no-compile", f"{wheel}[{','.join(extras)}]"], check=True)
    checked = subprocess.run([home / "bin/pip", "check"], capture_output=True, text=True, check=False)
    if checked.returncode:
        yield f"pip check: {checked.stdout}"
    said = subprocess.run([home / "bin/epistrat", "doctor"], capture_output=True, text=True, check=False)
    if said.returncode:
        yield f"doctor: {said.stdout}{said.stderr}"
    yield from (line for line in said.stdout.splitlines() if any(f"part of the extra {one} " in line for one in extras))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
