"""Plain words in documents, messages and docstrings: phrases that readers stumbled over do not come back."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
AVOIDED = {
    r"walked again": "re-checked by code independent of the engines",
    r"knows no(thing of the)? engine": "independent of the engines",
    r"(is|remains) the engine's word": "was not re-checked independently",
    r"nothing else was asked": "is never true, so the formula holds vacuously",
    r"helps nobody": "would be unreadable",
    r"leaves the states alone": "does not explore the state space",
    r"exist for formulae": "that formulae range over",
    r"exit status is ours": "exit statuses are epistrat's",
    r"have an answer to everything": "for every choice, the others have a counter-move",
    r"for whom nobody cares": "ignores all events",
    r"is the measure of the others": "the other engines are tested against it",
    r"state[- ]of[- ]the[- ]art|cutting[- ]edge|blazing|seamless(ly)?|leverag\w+|utili[sz]e[sd]?|delve": "the thing itself",
    r"obviously|needless to say|it is easy to see": "the reason, or nothing",
    r"_MUCH|_FEW|_RARELY|_crown|_farewell|_obey": "the quantity or the thing",
}
"""What not to write, and what to write in its place."""
TEXTS = [
    *ROOT.glob("*.md"),
    *(path for kind in ("*.md", "*.toml", "*.ipynb") for path in (ROOT / "docs").rglob(kind)),
    *(path for kind in ("*.py", "*.md", "*.ispl") for path in (ROOT / "src").rglob(kind)),
    *(ROOT / "examples").rglob("*.ispl"),
]


def test_phrases_to_avoid_do_not_occur() -> None:
    wanted = re.compile("|".join(rf"(?P<n{n}>\b(?:{phrase})\b)" for n, phrase in enumerate(AVOIDED)), re.IGNORECASE)
    advice = list(AVOIDED.values())
    found = []
    for path in TEXTS:
        text = path.read_text(encoding="utf-8")
        for match in wanted.finditer(" ".join(text.split())):
            number = int(str(match.lastgroup).removeprefix("n")) if match.lastgroup else 0
            found.append(f"{path.relative_to(ROOT)}: {match[0]!r}: better {advice[number]!r}")
    assert not found, "\n".join(found)


def test_there_are_texts() -> None:
    assert len(TEXTS) > 300
