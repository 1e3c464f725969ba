"""The pages in docs/explained and docs/operators are what the present version prints and draws."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "explained"


def load_builder(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{folder.name}_build", folder / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


BUILDER = load_builder(FOLDER)
OPERATORS = load_builder(FOLDER.parent / "operators")


def timeless(page: Path) -> str:
    """What a page says; pages written by EPISTRAT_UPDATE_PAGES contain the times of that day."""
    return re.sub(r"\(\d[\d.]* s\)", "(0.1 s)", page.read_text(encoding="utf-8"))


def words(picture: str) -> list[str]:
    """What a picture says; where it stands depends on the version of Graphviz."""
    return sorted(re.findall(r">([^<>\n]+)</(?:text|tspan|title)>", picture))


@pytest.mark.parametrize("chapter", BUILDER.CHAPTERS, ids=lambda chapter: chapter.file)
def test_page_is_up_to_date(chapter: object) -> None:
    text, picture = BUILDER.page(chapter)
    name = chapter.file  # type: ignore[attr-defined]  # a chapter of a module loaded by hand
    assert timeless(FOLDER / f"{name}.md") == text, "run docs/explained/build.py"
    assert words((FOLDER / f"{name}.svg").read_text(encoding="utf-8")) == words(picture), "run docs/explained/build.py"


def test_there_are_ten() -> None:
    assert len(BUILDER.CHAPTERS) == 10
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == BUILDER.contents()


@pytest.mark.parametrize("page", OPERATORS.PAGES, ids=lambda page: page.file)
def test_page_of_an_operator_is_up_to_date(page: object) -> None:
    text, picture = OPERATORS.page(page)
    name = page.file  # type: ignore[attr-defined]  # a page of a module loaded by hand
    assert timeless(OPERATORS.HERE / f"{name}.md") == text, "run docs/operators/build.py"
    assert picture is not None
    assert words((OPERATORS.HERE / f"{name}.svg").read_text(encoding="utf-8")) == words(picture), (
        "run docs/operators/build.py"
    )


def test_the_list_of_operators_is_up_to_date() -> None:
    assert (OPERATORS.HERE / "README.md").read_text(encoding="utf-8") == OPERATORS.contents()
