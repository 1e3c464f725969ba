"""The texts on the desk: opened files, new texts, and drafts of both, which outlive the server.

A text is known by an identifier; the page never names a path.  Only files that were named when the server was started are read and
written, and a file that was changed by somebody else since it was read is not overwritten.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
import time
from dataclasses import dataclass, replace
from pathlib import Path

from epistrat import scenarios
from epistrat.studio.shapes import PaperData

MOST_DRAFTS = 60
_ID = re.compile(r"[0-9a-f]{16}")
_PACKAGE = Path(__file__).parent


class Conflict(Exception):
    """The file was changed by somebody else."""


@dataclass(frozen=True)
class Paper:
    """A text: its name, where it is saved (None: nowhere yet), what was read there, and the text as it is now."""

    id: str
    name: str
    text: str
    file: Path | None = None
    saved: str | None = None
    touched: float = 0.0

    def data(self) -> PaperData:
        """What the page needs of it."""
        return {
            "id": self.id,
            "name": self.name,
            "text": self.text,
            "file": str(self.file) if self.file is not None else None,
            "saved": self.saved,
            "touched": self.touched,
        }


class Desk:
    """All texts.  Drafts lie in a folder, one JSON file each."""

    def __init__(self, folder: Path, files: list[Path]) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._papers: dict[str, Paper] = {}
        drafts = self._drafts()
        for file in files:
            self._lay(file.resolve(), drafts)
        for paper in drafts.values():
            if paper.file is None:
                self._papers[paper.id] = paper

    @property
    def papers(self) -> list[Paper]:
        """Opened files first, then new texts."""
        return list(self._papers.values())

    def _lay(self, file: Path, drafts: dict[str, Paper]) -> None:
        """Put a file on the desk, with its draft where there is one."""
        key = hashlib.sha256(str(file).encode()).hexdigest()[:16]
        saved = _read(file)
        draft = drafts.get(key)
        text = draft.text if draft is not None else saved or ""
        self._papers[key] = Paper(key, file.name, text, file, saved, draft.touched if draft is not None else 0.0)

    def _drafts(self) -> dict[str, Paper]:
        found: dict[str, Paper] = {}
        for path in sorted(self._folder.glob("*.json"), key=lambda one: one.stat().st_mtime, reverse=True)[
            :MOST_DRAFTS
        ]:
            try:
                data = json.loads(path.read_text(encoding="utf-8"))
                file = Path(data["file"]) if data["file"] is not None else None
                found[path.stem] = Paper(
                    path.stem, str(data["name"]), str(data["text"]), file, None, float(data["touched"])
                )
            except (OSError, ValueError, KeyError, TypeError):
                continue  # half of a draft, or none: there is nothing to restore
        return found

    def keep(self, key: str, name: str, text: str) -> Paper:
        """Remember a text that is not saved."""
        if _ID.fullmatch(key) is None:
            raise LookupError("a text is known by 16 hexadecimal digits")
        old = self._papers.get(key)
        if old is None and len(self._papers) >= MOST_DRAFTS:
            raise LookupError(f"there are {MOST_DRAFTS} texts already; close some")
        paper = Paper(key, name[:200], text) if old is None else replace(old, text=text)
        paper = replace(paper, touched=time.time())
        self._papers[key] = paper
        draft = self._folder / f"{key}.json"
        if paper.text == paper.saved:
            draft.unlink(missing_ok=True)
        else:
            data = paper.data() | {"saved": None}
            _write(draft, json.dumps(data))
        return paper

    def save(self, key: str, text: str, *, anyway: bool = False) -> Paper:
        """Write a text into the file it came from; raises `Conflict` and OSError."""
        paper = self._papers[key]
        if paper.file is None:
            raise LookupError("this text has no file yet; download it")
        there = _read(paper.file)
        if not anyway and there is not None and there not in (paper.saved, text):
            raise Conflict(f"{paper.name} was changed by another program since it was opened")
        _write(paper.file, text)
        paper = replace(paper, text=text, saved=text, touched=time.time())
        self._papers[key] = paper
        (self._folder / f"{key}.json").unlink(missing_ok=True)
        return paper

    def close(self, key: str) -> None:
        """Take a text from the desk; its draft goes."""
        if _ID.fullmatch(key) is not None:
            self._papers.pop(key, None)
            (self._folder / f"{key}.json").unlink(missing_ok=True)


def _read(file: Path) -> str | None:
    """The text of a file, its line ends as they are; None where there is none."""
    try:
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError:
        return None


def _write(file: Path, text: str) -> None:
    """Replace a file as a whole, so that a crash leaves the old or the new text, never half of one."""
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(text.encode())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def drafts_folder() -> Path:
    """Where drafts lie."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "epistrat" / "drafts"


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
