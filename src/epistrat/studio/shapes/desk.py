"""The texts on the desk and what the server keeps of them."""

from __future__ import annotations

from typing import TypedDict

# The desk


class PaperData(TypedDict):
    """A text on the desk; ``saved`` is what its file held when it was read, ``draft``: it is kept, but not in its file.

    Versions are names of texts: of this one, of the file's, and of the file's from which this one was made (``base``).  ``by`` is the page
    that wrote it, ``edits`` says of each page how many of its changes are in it.
    """

    id: str
    name: str
    text: str
    file: str | None
    saved: str | None
    touched: float
    encoding: str
    version: str
    saved_version: str
    base: str
    draft: bool
    by: str
    edits: dict[str, int]


class Closed(TypedDict):
    """A text that was closed and can be opened again."""

    id: str
    name: str


class Example(TypedDict):
    """A model to begin with: how much it asks of its reader (1 to 3), whether one should start with it, and the scenario, if there is
    one, that tells the same story in any size."""

    name: str
    title: str
    story: str
    level: int
    start: bool
    twin: str


class Choice(TypedDict):
    """What the form offers for a setting: its words and its values."""

    words: str
    values: list[str]


class Settings(TypedDict):
    """What the form offers; without a value a setting is as usual."""

    engine: Choice
    strategies: Choice
    choices: Choice
    blocking: Choice
    scheduling: Choice


class DeskData(TypedDict):
    """What lies on the desk, and what else there is."""

    version: str
    papers: list[PaperData]
    examples: list[Example]
    settings: Settings
    operators: list[str]
    closed: list[Closed]
