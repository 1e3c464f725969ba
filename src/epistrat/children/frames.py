"""Values on a stream of bytes: each is pickled, with its length in front."""

from __future__ import annotations

import io
import pickle
from collections.abc import Iterator
from typing import IO, Any

from epistrat import garbage

LENGTH = 8
"""Bytes in front of each value that say how long it is."""


def framed(value: object) -> bytes:
    """The bytes that stand for a value."""
    from epistrat.terms.node import TreePickler

    file = io.BytesIO()
    with garbage.put_off():
        TreePickler(file).dump(value)
    body = file.getvalue()
    return len(body).to_bytes(LENGTH, "big") + body


def read_frame(file: IO[bytes]) -> Any:
    """The next value; raises EOFError where there is none, or only a part of one."""
    length = int.from_bytes(_exactly(file, LENGTH), "big")
    return _value(_exactly(file, length))


def _value(body: bytes) -> Any:
    with garbage.put_off():
        return pickle.loads(body)


def _exactly(file: IO[bytes], count: int) -> bytes:
    found = file.read(count)
    if len(found) < count:
        raise EOFError
    return found


class Unframing:
    """Puts together what arrives in pieces."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def arrived(self, piece: bytes) -> Iterator[Any]:
        """The values that are complete now."""
        self._rest += piece
        while len(self._rest) >= LENGTH:
            end = LENGTH + int.from_bytes(self._rest[:LENGTH], "big")
            if len(self._rest) < end:
                return
            body = bytes(self._rest[LENGTH:end])
            del self._rest[:end]
            yield _value(body)
