"""What the functions of this package answer with: plain values over ranges of character offsets."""

from __future__ import annotations

from typing import NamedTuple

from epistrat.source import Span


class Entry(NamedTuple):
    """A line of the outline.

    ``kind`` is ``agent``, ``section``, ``variable``, ``action``, ``proposition``, ``group``, ``fairness`` or ``formula``; ``span`` is
    everything that belongs to it, ``name_span`` where its name stands.
    """

    name: str
    kind: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Entry, ...] = ()


class Hover(NamedTuple):
    """What is known of the word at a place, in Markdown."""

    span: Span
    text: str


class Reference(NamedTuple):
    """A place that names something; ``declares`` marks the declaration, ``writes`` an assignment."""

    span: Span
    declares: bool
    writes: bool


class Completion(NamedTuple):
    """Something that could stand at a place.

    ``insert`` replaces the range ``replace``.  If ``snippet`` is true, ``${1:text}`` in it marks fields to fill in, in their order.
    ``kind`` is a kind of `epistrat.lang.uses.Symbol`, or ``keyword``, ``operator``, ``section`` or ``type``.
    """

    label: str
    kind: str
    detail: str
    insert: str
    replace: Span
    snippet: bool = False


class Signature(NamedTuple):
    """An operator that takes arguments: ``K(agent, formula)``, what it means, and which argument is being written."""

    label: str
    parameters: tuple[str, ...]
    active: int
    text: str


class Lens(NamedTuple):
    """A formula that can be checked: where it stands, its number (counted from 1), its words on one line, and its name, if it has one."""

    span: Span
    number: int
    formula: str
    name: str = ""


class Token(NamedTuple):
    """A range and what it is, for colouring; ``declares`` and ``writes`` as in `Reference`."""

    span: Span
    kind: str
    declares: bool = False
    writes: bool = False


class Fold(NamedTuple):
    """Lines (counted from 1, both included) that can be folded; ``kind`` is ``comment`` or ``region``."""

    first: int
    last: int
    kind: str


class Hint(NamedTuple):
    """A short text that an editor may show at a place, though it is not written there."""

    offset: int
    label: str
