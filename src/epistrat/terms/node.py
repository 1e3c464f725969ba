"""The base of all tree nodes: immutable, compared by structure, with the hash computed once.

Expressions and formulae are keys of many tables (memos, encodings, labels).  A node hashes its children's cached
hashes when it is made, so that looking it up later costs the same for a leaf and for a conjunction of ten thousand
operands.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import IO, Any, TypeAlias


class Node:
    """An immutable tree node.  Subclasses are frozen, slotted dataclasses declared with ``eq=False``."""

    __slots__ = ("_hash",)
    __match_args__: tuple[str, ...] = ()
    _hash: int

    def __post_init__(self) -> None:
        fields = tuple([getattr(self, name) for name in self.__match_args__])
        object.__setattr__(self, "_hash", hash((type(self).__name__, fields)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other) or self._hash != hash(other):
            return False
        return all(getattr(self, name) == getattr(other, name) for name in self.__match_args__)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Copies and pickles are made anew, since string hashes differ from process to process, and without recursion.

        A tree becomes a list of rows, operands before what they are operands of: a class and its fields, where an operand is replaced by
        the number of its row and ``kinds`` tells operands (``n``), tuples of them (``t``) and other values (``v``) apart.
        """
        numbers: dict[int, int] = {}
        rows = self.rows(numbers)
        return _from_rows, ([], rows, numbers[id(self)])

    def rows(self, numbers: dict[int, int]) -> list[_Row]:
        """The rows of the nodes that have no number yet; they get the next ones."""
        rows: list[_Row] = []
        stack: list[Node] = [self]
        while stack:
            node = stack[-1]
            fields = [getattr(node, name) for name in node.__match_args__]
            kinds = "".join(map(_kind, fields))
            missing = [part for part in _operands(kinds, fields) if id(part) not in numbers]
            if missing:
                stack += missing
                continue
            stack.pop()
            if id(node) not in numbers:
                numbers[id(node)] = len(numbers)
                rows.append((type(node), kinds, tuple(map(_numbered, kinds, fields, repeat(numbers)))))
        return rows


_Row: TypeAlias = tuple[type[Node], str, tuple[Any, ...]]


def _kind(field: object) -> str:
    if isinstance(field, Node):
        return "n"
    return "t" if isinstance(field, tuple) and field and all(isinstance(part, Node) for part in field) else "v"


def _operands(kinds: str, fields: Iterable[Any]) -> Iterator[Node]:
    for kind, field in zip(kinds, fields, strict=True):
        if kind != "v":
            yield from (field,) if kind == "n" else field


def _numbered(kind: str, field: Any, numbers: Mapping[int, int]) -> Any:
    if kind == "v":
        return field
    return numbers[id(field)] if kind == "n" else tuple([numbers[id(part)] for part in field])


class TreePickler(pickle.Pickler):
    """Pickles values with many trees, which share nodes: each node becomes one row (60 muddy children: 17 ms there and back, not 260)."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._numbers: dict[int, int] = {}
        self._made: list[Node] = []  # stays empty here; where the pickle is read it holds the nodes by their numbers

    def reducer_override(self, value: object) -> Any:
        """New rows, and the number of the node."""
        if not isinstance(value, Node):
            return NotImplemented
        rows = value.rows(self._numbers)
        return _from_rows, (self._made, rows, self._numbers[id(value)])


def _from_rows(made: list[Node], rows: Iterable[_Row], number: int) -> Node:
    for make, kinds, fields in rows:
        values = [
            field if kind == "v" else made[field] if kind == "n" else tuple([made[part] for part in field])
            for kind, field in zip(kinds, fields, strict=True)
        ]
        made.append(make(*values))
    return made[number]
