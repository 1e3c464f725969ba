"""Writes one page for each operator: what it says, when it holds, and what epistrat prints and draws about it.

    .venv/bin/python docs/operators/build.py

The words are in `pages.toml`; all examples are about one small model, `door.ispl`.  A test compares the pages with what the present
version prints.
"""

from __future__ import annotations

import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import epistrat
from epistrat.logic.operators import OPERATORS
from epistrat.render.graph import tree_picture
from epistrat.render.svg import svg

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from printed import printed  # noqa: E402 (found in the folder above)

MODEL = "docs/operators/door.ispl"


@dataclass(frozen=True)
class Page:
    """One operator; ``shown`` is the formula whose evidence is printed and drawn, ``also`` are formulae with their verdicts."""

    file: str
    operator: str
    says: str
    holds: str
    shown: str
    also: tuple[str, ...]
    mistakes: str


PAGES = tuple(
    Page(**{**one, "also": tuple(one["also"])})
    for one in tomllib.loads((HERE / "pages.toml").read_text(encoding="utf-8"))["page"]
)


def page(one: Page) -> tuple[str, str | None]:
    """The page's text and its picture."""
    system = epistrat.load(HERE / "door.ispl")
    (result,) = system.check(one.shown)
    shown = printed("check", MODEL, "-f", one.shown, "--evidence")
    word = {"holds": "holds", "fails": "FAILS"}
    others = "\n".join(f"    {word[answer.verdict.value]}  {answer.text}" for answer in system.check(list(one.also)))
    picture = None if result.evidence is None else svg(tree_picture(system, result.evidence, reading=result.reading))
    drawn = "" if picture is None else f"\n![What the evidence looks like]({one.file}.svg)\n"
    text = f"""# {one.operator.replace("<", "&lt;")}

{fill(one.says, 120)}

## When it is true

{fill(one.holds, 120)}

## An example

In [the model of a door](door.ispl) a porter locks and unlocks a door that everybody sees, a visitor goes in and out, and only the
visitor sees the rain.

    $ epistrat check {MODEL} -f '{one.shown}' --evidence
{shown}
{drawn}
In the same model:

{others}

## What people get wrong

{fill(one.mistakes, 120)}
"""
    return text, picture


def contents() -> str:
    """The list of operators."""
    lines = [
        f"- [{one.operator.replace('<', '&lt;')}]({one.file}.md): {one.says.split('. ')[0].rstrip('.')}."
        for one in PAGES
    ]
    head = [
        "# The operators, one by one",
        "",
        "Each page says what an operator means, shows it at work on [one small model](door.ispl), and names the usual mistakes.",
        "The exact definitions are in [semantics](../semantics/README.md). `docs/operators/build.py` makes these pages.",
        "",
    ]
    return "\n".join([*head, *lines, "", *table(), ""])


def table() -> list[str]:
    """All operators in a table, from the rows that the parser reads."""
    rows = [
        f"| `{row.form.value.replace('OP', row.word).replace('|', chr(92) + '|')}` | {row.meaning} |"
        for row in OPERATORS
    ]
    return ["## All of them", "", "| written | says |", "| --- | --- |", *rows]


def main() -> None:
    """Write all pages."""
    (HERE / "README.md").write_text(contents(), encoding="utf-8")
    for one in PAGES:
        text, picture = page(one)
        (HERE / f"{one.file}.md").write_text(text, encoding="utf-8")
        if picture is not None:
            (HERE / f"{one.file}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
