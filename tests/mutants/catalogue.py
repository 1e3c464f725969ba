"""Planted bugs as data: one TOML file per package, one table per bug.

[[mutant]]
name = "short-name"                   # unique
file = "logic/show.py"                # below src/epistrat
old = '''text that occurs once'''
new = '''what the bug makes of it'''
breaks = "what goes wrong"
tests = ["tests/logic/test_show.py"]  # arguments for pytest: files, perhaps with ::name
equivalent = "why no test can see it" # only where it changes nothing that can be observed
survives = "why no test sees it"      # only where it is known to survive
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE = Path("src") / "epistrat"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One planted bug."""

    package: str
    name: str
    file: str
    old: str
    new: str
    breaks: str
    tests: tuple[str, ...]
    equivalent: str = ""
    survives: str = ""

    @property
    def path(self) -> Path:
        """The file it is planted in, below the root of the tree."""
        return SOURCE / self.file

    def planted(self, text: str) -> str:
        """The file's text with the bug in it; raises `Stale` where the place is gone or not the only one."""
        count = text.count(self.old)
        if count != 1:
            raise Stale(f"{self.name}: the old text occurs {count} times in {self.path}")
        return text.replace(self.old, self.new)


class Stale(Exception):
    """The code that the bug was planted in has moved: the mutant must be brought up to date."""


def catalogue(only: str = "") -> list[Mutant]:
    """All mutants, or those whose package, file or name contains the text."""
    found: list[Mutant] = []
    for file in sorted(HERE.glob("*.toml")):
        entries = tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]
        found += [Mutant(file.stem, **(entry | {"tests": tuple(entry["tests"])})) for entry in entries]
    return [mutant for mutant in found if only in f"{mutant.package} {mutant.file} {mutant.name}"]
