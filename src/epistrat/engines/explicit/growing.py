"""Arrays that grow at the end, for tables whose rows are made when they are first needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

_Item = TypeVar("_Item", bound=np.generic)


class Growing(Generic[_Item]):
    """A one-dimensional array; appending costs amortised constant time per entry."""

    __slots__ = ("_length", "_room")

    def __init__(self, dtype: DTypeLike, length: int = 0) -> None:
        self._room: NDArray[Any] = np.zeros(max(16, length), dtype=dtype)
        self._length = length

    def __len__(self) -> int:
        return self._length

    @property
    def array(self) -> NDArray[_Item]:
        """What is there now; a view that later growth does not change."""
        return self._room[: self._length]

    def extend(self, entries: Sequence[Any] | NDArray[_Item]) -> None:
        """Append entries."""
        needed = self._length + len(entries)
        if needed > len(self._room):
            room = np.zeros(max(needed, 2 * len(self._room)), dtype=self._room.dtype)
            room[: self._length] = self._room[: self._length]
            self._room = room
        self._room[self._length : needed] = entries
        self._length = needed
