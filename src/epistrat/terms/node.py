"""The base of all tree nodes: immutable, compared by structure, with the hash computed once.

Expressions and formulae are keys of many tables (memos, encodings, labels).  A node hashes its children's cached
hashes when it is made, so that looking it up later costs the same for a leaf and for a conjunction of ten thousand
operands.
"""

from __future__ import annotations


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

    def __reduce__(self) -> tuple[type[Node], tuple[object, ...]]:
        """Copies and pickles are made anew: string hashes differ from process to process."""
        return type(self), tuple([getattr(self, name) for name in self.__match_args__])
