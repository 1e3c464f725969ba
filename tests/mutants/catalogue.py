"""Planted bugs as data: one TOML file per package, one table per bug.

[[mutant]]
name = "short-name"                   # unique
file = "logic/show.py"                # below src/epistrat; where the code has moved since, it is found by its words
old = '''code that occurs once'''         # its words count, not its layout
new = '''what the bug makes of it'''
breaks = "what goes wrong"
tests = ["tests/logic/test_show.py"]  # arguments for pytest: files, perhaps with ::name
equivalent = "why no test can see it" # only where it changes nothing that can be observed
survives = "why no test sees it"      # only where it is known to survive
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.mutants.anchors import Place, places, written

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

    def planted(self, root: Path = ROOT) -> tuple[Path, str]:
        """A file below the root and its text with the bug in it; raises `Stale` where the place is gone or not the only one.

        Where the file that is named does not have the words, they are looked for in all others.
        """
        named = root / SOURCE / self.file
        text = named.read_text(encoding="utf-8") if named.is_file() else ""
        if text.count(self.old) == 1:
            return SOURCE / self.file, text.replace(self.old, self.new)
        found = _found({named: text}, self.old) or _found(_texts(root), self.old)
        if len(found) != 1:
            raise Stale(f"{self.name}: the old words occur {len(found)} times; they were in {self.file}")
        ((path, text, place),) = found
        return path.relative_to(root), written(text, place, self.old, self.new)


def _found(texts: Mapping[Path, str], old: str) -> list[tuple[Path, str, Place]]:
    """Where the words stand in files."""
    return [(path, text, place) for path, text in texts.items() for place in places(text, old)]


@cache
def _texts(root: Path) -> Mapping[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in sorted((root / SOURCE).rglob("*.py"))}


class Stale(Exception):
    """The code that the bug was planted in has moved: the mutant must be brought up to date."""


def catalogue(only: str = "") -> list[Mutant]:
    """All mutants, or those whose package, file or name contains the text."""
    found: list[Mutant] = []
    for file in sorted(HERE.glob("*.toml")):
        entries = tomllib.loads(file.read_text(encoding="utf-8"))["mutant"]
        found += [Mutant(file.stem, **(entry | {"tests": tuple(entry["tests"])})) for entry in entries]
    return [mutant for mutant in found if only in f"{mutant.package} {mutant.file} {mutant.name}"]
