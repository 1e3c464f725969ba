"""The models to learn from: scenarios, which have sizes, and examples, with what they say of themselves."""

from __future__ import annotations

import itertools
from pathlib import Path

from epistrat import scenarios

_PACKAGE = Path(__file__).parent


def examples() -> dict[str, Path]:
    """The scenarios, which have sizes, and the example models: those in the package, or, in a working copy, those beside it."""
    found = {f"scenarios/{name}.ispl": Path(scenarios.file(name)) for name in scenarios.names()}
    for folder in (_PACKAGE / "assets" / "examples", _PACKAGE.parents[2] / "examples"):
        if folder.is_dir():
            return found | {str(file.relative_to(folder)): file for file in sorted(folder.rglob("*.ispl"))}
    return found


def story(text: str) -> tuple[str, str]:
    """What a model says of itself in its first comment: the title, and the first paragraph below it that is prose, not a drawing."""
    bare = [line.strip() for line in text.splitlines()]
    comment = [line.removeprefix("--") for line in itertools.takewhile(lambda line: line.startswith("--"), bare)]
    title = comment[0].strip() if comment else ""
    comment = [line for line in comment if not line.lstrip().startswith("expect")]
    paragraphs = (
        list(group) for prose, group in itertools.groupby(comment[1:], lambda line: bool(line.strip())) if prose
    )
    prose = (lines for lines in paragraphs if not any("   " in line for line in lines))
    return title, " ".join(line.strip() for line in next(prose, []))
