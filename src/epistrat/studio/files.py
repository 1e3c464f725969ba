"""Texts and the bytes of files: what is read is written in the same encoding, or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

UTF8 = "utf-8"
MARKED = "utf-8-sig"
"""UTF-8 with a mark at its beginning, as some editors write it."""
LATIN = "latin-1"
"""What stands for every other encoding: each byte is one character, so that all bytes come back as they were."""


class Unwritable(Exception):
    """The encoding of the file has no bytes for a character of the text."""


def decoded(content: bytes) -> tuple[str, str]:
    """The text of a file and its encoding."""
    try:
        text = content.decode(MARKED)
    except UnicodeDecodeError:
        return content.decode(LATIN), LATIN
    return text, MARKED if content.startswith(b"\xef\xbb\xbf") else UTF8


def encoded(text: str, encoding: str, name: str) -> bytes:
    """The bytes of a text; raises `Unwritable`, in words."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as problem:
        line = text.count("\n", 0, problem.start) + 1
        character = text[problem.start]
        shown = character if character.isprintable() else f"U+{ord(character):04X}"
        known = "Latin-1" if encoding == LATIN else "UTF-8"
        raise Unwritable(f"{name} is in {known}, which has no {shown} (line {line}); nothing was written") from None


def written(file: Path, content: bytes) -> None:
    """Replace a file as a whole, so that a crash leaves the old or the new content, never half of one."""
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(content)
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
