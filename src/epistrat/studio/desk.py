"""The texts on the desk: opened files, new texts, and drafts of both, which outlive the server.

A text is known by an identifier; the page never names a path.  Only files that were named when the server was started are read and
written.  Nobody writes over what they have not seen: who keeps or saves a text says from which version it was made, and if there is another
one by now, it is told to them (`Conflict`) instead of being replaced.  A text that is closed can be opened again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from epistrat.studio.files import LATIN, UTF8, Unwritable, decoded, encoded, written
from epistrat.studio.shapes import PaperData

MOST_DRAFTS = 200
_MOST_CLOSED = 40
_MOST_PAGES = 20
_ID = re.compile(r"[0-9a-f]{16}")
_VIEW = 4_000_000
"""Characters that the page may have kept about what is shown beside a text."""


class Conflict(Exception):
    """Somebody else has changed the text; ``there`` is what it is now, ``version`` the name of that."""

    def __init__(self, words: str, there: str, version: str) -> None:
        super().__init__(words)
        self.there = there
        self.version = version


@dataclass(frozen=True)
class Paper:
    """A text: its name, where it is saved (None: nowhere yet), what was read there and how it is encoded, and the text as it is now.

    ``by`` names the page that wrote it last, ``base`` the version of its file that a draft was made from, ``edits`` how many changes of
    each page are in it: what a browser kept may be older than that, after a crash.
    """

    id: str
    name: str
    text: str
    file: Path | None = None
    saved: str | None = None
    touched: float = 0.0
    encoding: str = UTF8
    draft: bool = False
    by: str = ""
    base: str | None = None
    edits: dict[str, int] = field(default_factory=dict)

    def data(self) -> PaperData:
        """What the page needs of it."""
        return {
            "id": self.id,
            "name": self.name,
            "text": self.text,
            "file": str(self.file) if self.file is not None else None,
            "saved": self.saved,
            "touched": self.touched,
            "encoding": self.encoding,
            "version": version(self.text),
            "saved_version": version(self.saved),
            "base": version(self.saved) if self.base is None else self.base,
            "draft": self.draft,
            "by": self.by,
            "edits": self.edits,
        }


def version(text: str | None) -> str:
    """The name of a version of a text; that of no text is empty."""
    return "" if text is None else hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]


class Desk:
    """All texts.  Drafts lie in a folder, one JSON file each; closed ones, and what the page showed beside a text, in folders in it."""

    def __init__(self, folder: Path, files: list[Path]) -> None:
        self._folder = folder
        for one in (folder, folder / "closed", folder / "views"):
            one.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._papers: dict[str, Paper] = {}
        self._closed: dict[str, Paper] = {}
        drafts = _drafts(folder)
        self._loosen()
        for file in files:
            self._lay(file.resolve(), drafts)
        for paper in drafts.values():
            if paper.file is None:
                self._papers[paper.id] = paper

    def _loosen(self) -> None:
        """Make texts of their own of the drafts of closed files: the files may be opened again, without these drafts."""
        for key, paper in _drafts(self._folder / "closed").items():
            if paper.file is None:
                continue
            loose = replace(paper, id=hashlib.sha256(f"closed {key}".encode()).hexdigest()[:16], file=None, base=None)
            with contextlib.suppress(OSError):  # it stays where it is
                written(self._folder / "closed" / f"{loose.id}.json", json.dumps(loose.data()).encode())
                (self._folder / "closed" / f"{key}.json").unlink()

    @property
    def papers(self) -> list[Paper]:
        """Opened files first, then new texts."""
        return list(self._papers.values())

    @property
    def closed(self) -> list[Paper]:
        """Texts that were closed and can be opened again, the last one first."""
        known = {**_drafts(self._folder / "closed"), **self._closed}
        found = [one for one in known.values() if one.id not in self._papers]
        return sorted(found, key=lambda one: -one.touched)[:_MOST_CLOSED]

    def folder_of(self, key: str) -> tuple[str, str] | None:
        """The full name of the file of a text, and its folder; None for a text without a file."""
        paper = self._papers.get(key)
        return None if paper is None or paper.file is None else (str(paper.file), str(paper.file.parent))

    def _lay(self, file: Path, drafts: dict[str, Paper]) -> None:
        """Put a file on the desk, with its draft where there is one."""
        key = hashlib.sha256(str(file).encode()).hexdigest()[:16]
        saved, encoding = _read(file)
        draft = drafts.get(key)
        text = draft.text if draft is not None else saved or ""
        touched = draft.touched if draft is not None else 0.0
        by, base, edits = (draft.by, draft.base, draft.edits) if draft is not None else ("", None, {})
        paper = Paper(key, file.name, text, file, saved, touched, encoding, draft is not None, by, base, edits)
        self._papers[key] = paper

    def keep(
        self,
        key: str,
        name: str,
        text: str,
        *,
        base: str | None = None,
        by: str = "",
        seen: str | None = None,
        edits: dict[str, int] | None = None,
    ) -> Paper:
        """Remember a text that is not saved.

        ``base`` is the version it was made from, ``seen`` that of its file, ``by`` the page that sends it, ``edits`` how many changes of
        which pages are in it.  Raises `Conflict` if another page has kept another version.
        """
        if _ID.fullmatch(key) is None:
            raise LookupError("a text is known by 16 hexadecimal digits")
        old = self._papers.get(key) or self._closed.get(key)  # another page may have closed it
        if key not in self._papers and len(self._papers) >= MOST_DRAFTS:
            raise LookupError(f"there are {MOST_DRAFTS} texts already; close some")
        stranger = old is not None and base is not None and (not by or old.by != by)
        if old is not None and stranger and base != version(old.text) and old.text != text:
            raise Conflict(f"{old.name} was changed in another tab", old.text, version(old.text))
        paper = Paper(key, name[:200], text) if old is None else replace(old, text=text)
        if paper.file is None:
            paper = replace(paper, name=name[:200])
        if seen is not None:
            paper = replace(paper, base=seen)
        paper = replace(paper, edits=_newest(paper.edits, edits or {}))
        paper = replace(paper, touched=time.time(), by=by, draft=paper.file is None or paper.text != paper.saved)
        if paper.draft:
            self._write_draft(paper)
        else:
            self._draft(key).unlink(missing_ok=True)
        self._papers[key] = paper
        self._closed.pop(key, None)
        return paper

    def save(self, key: str, text: str, *, base: str | None = None, anyway: bool = False, utf8: bool = False) -> Paper:
        """Write a text into the file it came from; ``base`` is the version of the file that the page had opened.

        Raises `Conflict`, `Unwritable` (the file's encoding lacks a character; ``utf8`` changes the encoding) and OSError.
        """
        paper = self._papers[key]
        if paper.file is None:
            raise LookupError("this text has no file yet; download it")
        there, _ = _read(paper.file)
        seen = version(paper.saved) if base is None else base
        if not anyway and there is not None and version(there) != seen and there != text:
            raise Conflict(
                f"{paper.name} was changed by another tab or program since it was opened", there, version(there)
            )
        encoding = UTF8 if utf8 else paper.encoding
        content = encoded(text, encoding, paper.name)
        written(paper.file, content)
        paper = replace(paper, text=text, saved=text, touched=time.time(), encoding=encoding, draft=False, base=None)
        self._papers[key] = paper
        self._draft(key).unlink(missing_ok=True)
        return paper

    def close(self, key: str) -> None:
        """Take a text from the desk; it can be opened again."""
        paper = self._papers.pop(key, None) if _ID.fullmatch(key) is not None else None
        if paper is None:
            return
        self._closed[key] = replace(paper, touched=time.time())
        draft = self._draft(key)
        if draft.exists():
            draft.replace(self._folder / "closed" / draft.name)
        for old in _by_age(self._folder / "closed")[_MOST_CLOSED:]:
            old.unlink(missing_ok=True)

    def reopen(self, key: str) -> Paper:
        """Put a closed text on the desk again."""
        found = next((one for one in self.closed if one.id == key), None)
        if found is None:
            raise LookupError("this text is not among those that were closed")
        if found.draft:
            self._write_draft(found)
        self._papers[key] = found
        self._closed.pop(key, None)
        (self._folder / "closed" / f"{key}.json").unlink(missing_ok=True)
        return found

    def view(self, key: str) -> object:
        """What the page had kept of what was shown beside a text; None if nothing was."""
        try:
            return json.loads(self._view(key).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None

    def keep_view(self, key: str, view: object) -> None:
        """Keep what is shown beside a text."""
        text = json.dumps(view)
        if len(text) > _VIEW:
            raise LookupError("what is shown is too much to be kept")
        written(self._view(key), text.encode())
        for old in _by_age(self._folder / "views")[MOST_DRAFTS:]:
            old.unlink(missing_ok=True)

    def _view(self, key: str) -> Path:
        if _ID.fullmatch(key) is None:
            raise LookupError("a text is known by 16 hexadecimal digits")
        return self._folder / "views" / f"{key}.json"

    def _draft(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _write_draft(self, paper: Paper) -> None:
        written(self._draft(paper.id), json.dumps(paper.data() | {"saved": None}).encode())


def _by_age(folder: Path) -> list[Path]:
    """The files of a folder, the last one that was written first."""
    dated = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(OSError):
            dated.append((path.stat().st_mtime, path))
    return [path for _, path in sorted(dated, reverse=True)]


def _drafts(folder: Path) -> dict[str, Paper]:
    found: dict[str, Paper] = {}
    for path in _by_age(folder)[:MOST_DRAFTS]:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            file = Path(data["file"]) if data["file"] is not None else None
            name, text = whole(str(data["name"])), whole(str(data["text"]))
            encoding = LATIN if data.get("encoding") == LATIN else UTF8
            by = str(data.get("by", ""))
            found[path.stem] = Paper(
                path.stem,
                name,
                text,
                file,
                None,
                float(data["touched"]),
                encoding,
                draft=True,
                by=by,
                base=data.get("base"),
                edits=_newest({}, data.get("edits")),
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue  # half of a draft, or none: there is nothing to restore
    return found


def _newest(known: dict[str, int], told: object) -> dict[str, int]:
    """Of each page the greatest number of changes; only the last pages are remembered."""
    given = told.items() if isinstance(told, dict) else ()
    later = {
        page: number for page, number in given if isinstance(page, str) and _ID.fullmatch(page) and type(number) is int
    }
    merged = {page: number for page, number in known.items() if page not in later}
    merged |= {page: max(number, known.get(page, 0)) for page, number in later.items()}
    return dict(list(merged.items())[-_MOST_PAGES:])


def whole(text: str) -> str:
    """The text, with a mark in place of each half of a character."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _read(file: Path) -> tuple[str | None, str]:
    """The text of a file, its line ends as they are, and its encoding; None where there is none."""
    try:
        return decoded(file.read_bytes())
    except OSError:
        return None, UTF8


def drafts_folder() -> Path:
    """Where drafts lie."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "epistrat" / "drafts"


__all__ = ["Conflict", "Desk", "Paper", "Unwritable", "drafts_folder", "version", "whole"]
