"""Generated bugs that no test can see, with the reason: known by file, function and expression, not by line.

[[equivalent]]
file = "encoding/cone.py"     # below src/epistrat
function = "Cones.around"     # dotted; empty for the module itself
old = "a and b"               # the expression, as the sample shows it
new = "a"                     # what is planted; left out: whatever is planted there
reason = "why nobody can see it"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.mutants.generated.candidates import Candidate

LIST = Path(__file__).parent / "equivalent.toml"


@dataclass(frozen=True, slots=True)
class Equivalent:
    """An entry of the list."""

    file: str
    function: str
    old: str
    reason: str
    new: str | None = None

    def is_about(self, bug: Candidate) -> bool:
        """Whether a bug is the one that the entry means; spaces and line ends do not count."""
        same = (bug.file, bug.function) == (self.file, self.function) and _plain(bug.old) == _plain(self.old)
        return same and (self.new is None or _plain(self.new) == _plain(bug.new))


def _plain(text: str) -> str:
    return " ".join(text.split())


def equivalents() -> list[Equivalent]:
    """The list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8")).get("equivalent", [])
    return [Equivalent(**entry) for entry in entries]
