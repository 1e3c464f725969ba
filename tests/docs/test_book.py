"""The book: every link leads somewhere, every page is reached by a link, pictures are small."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SOURCE = ROOT / "src" / "epistrat"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def links(page: Path) -> Iterator[tuple[str, Path, str]]:
    """The links of a page to files: as written, the file, and the heading behind the #."""
    for written in _LINK.findall(
        re.sub(r"`[^`\n]*`|^    .*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    ):
        if "://" not in written and not written.startswith("mailto:"):
            target, _, heading = written.partition("#")
            yield written, (page.parent / target).resolve() if target else page, heading


def headings(page: Path) -> set[str]:
    """The headings of a page as they stand in addresses."""
    found = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one).strip().lower().replace(" ", "-") for one in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for written, target, heading in links(page):
        assert target.exists(), f"{page.name}: {written}"
        if heading and target.suffix == ".md":
            assert heading in headings(target), f"{page.name}: {written}"


def test_every_page_is_reached() -> None:
    reached = {target / "README.md" if target.is_dir() else target for page in PAGES for _, target, _ in links(page)}
    listed = {
        (DOCS / one).resolve()
        for one in re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    }
    lost = [page for page in DOCS.rglob("*.md") if page.resolve() not in reached | listed]
    assert not lost


def test_pictures_are_small() -> None:
    assert not [picture for picture in DOCS.rglob("*.png") if picture.stat().st_size > 200_000]


def test_recipes_name_files_that_exist() -> None:
    """Names of what the reader makes contain `walk` or `W022`."""
    named = re.findall(r"`([\w./-]+/[\w.-]*)`", (DOCS / "recipes.md").read_text(encoding="utf-8"))
    assert len(named) > 30
    made = [one for one in named if "walk" in one or "W022" in one]
    assert [one for one in named if one not in made and not any((up / one).exists() for up in (ROOT, SOURCE))] == []


def test_films_of_lectures_are_whole() -> None:
    """Each is one file that asks for nothing from outside."""
    shown = re.findall(r'<iframe src="([^"#]+)', (DOCS / "teaching.md").read_text(encoding="utf-8"))
    films = [name for name in shown if name.startswith("films/")]
    assert len(films) >= 2 and {DOCS / name for name in films} == set((DOCS / "films").iterdir())
    for name in films:
        page = (DOCS / name).read_text(encoding="utf-8")
        assert "default-src 'none'" in page and len(page) < 150_000
        assert not re.search(r"<(?:script|link|img)[^>]+(?:src|href)=", page)
