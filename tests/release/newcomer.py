"""A newcomer's first ten minutes: ``python -m tests.release.newcomer [PYTHON...]`` (or ``make newcomer``).

Builds sdist and wheel, installs the wheel into an empty virtual environment (one for each interpreter named), and runs the commands of the
tutorial there, in a folder with the examples and nothing else.  What the tutorial shows must be what is printed, times aside.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
_SECONDS = re.compile(r"\(\d+(\.\d+)? s\)")


def main(interpreters: Sequence[str]) -> int:
    """The command; 1 if anything is not as the tutorial says."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        for number, interpreter in enumerate(interpreters or [sys.executable]):
            home = Path(folder) / f"home{number}"
            shutil.copytree(ROOT / "examples", home / "examples")
            wrong += [f"{interpreter}: {one}" for one in try_out(wheel, home, interpreter)]
    print("\n".join(wrong) or "all as the tutorial says")
    return 1 if wrong else 0


def build(folder: Path) -> Path:
    """The wheel, built from the sdist, so that both are whole."""
    builder = folder / "builder"
    _run([sys.executable, "-m", "venv", builder])
    _run([builder / "bin/pip", "install", "-q", "build"])
    _run([builder / "bin/python", "-m", "build", "--outdir", folder / "dist", ROOT])
    return next((folder / "dist").glob("*.whl"))


def try_out(wheel: Path, home: Path, interpreter: str) -> Iterator[str]:
    """Install the wheel in an empty environment and follow the tutorial; what was not as it says."""
    _run([interpreter, "-m", "venv", home / "env"])
    _run([home / "env/bin/pip", "install", "-q", wheel])
    done = subprocess.run([home / "env/bin/pip", "check"], capture_output=True, text=True, check=False)
    if done.returncode:
        yield f"pip check: {done.stdout}"
    for command, shown in commands((ROOT / "docs/tutorial.md").read_text(encoding="utf-8")):
        words = f"PATH={home / 'env/bin'}:$PATH {command}"
        done = subprocess.run(
            words, shell=True, cwd=home, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        if done.returncode not in (0, 1):
            yield f"{command}: exit status {done.returncode}: {done.stderr}"
        elif shown and _SECONDS.sub("", done.stdout.rstrip()) != _SECONDS.sub("", shown.rstrip()):
            yield f"{command} prints\n{done.stdout}"


def commands(page: str) -> Iterator[tuple[str, str]]:
    """The commands of a page, each with what the page shows of its output (nothing, where it shows none)."""
    for block in re.findall(r"(?:^    .*\n(?:\n(?=    ))?)+", page, flags=re.MULTILINE):
        lines = [line[4:] for line in block.splitlines()]
        if lines[0].startswith("$ "):
            yield lines[0].removeprefix("$ "), "\n".join(lines[1:])
        elif all(line.startswith("epistrat ") for line in lines):
            for line in lines:
                yield line, ""


def _run(command: Sequence[str | Path]) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
