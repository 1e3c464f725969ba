"""Dataclasses of `epistrat.records` behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from functools import cached_property
from typing import Any

import pytest

from epistrat import records
from epistrat.answers import Verdict
from epistrat.model.system import System
from epistrat.service import CheckRequest, File


def _classes(make: Any) -> dict[str, type]:
    """The same declarations, made by the standard library or by `records`."""

    @make(frozen=True, slots=True)
    class Pair:
        """Two values."""

        left: int
        right: Any = records.field(default_factory=list, compare=False)

    @make(frozen=True, slots=True)
    class Triple(Pair):
        """A derived class with a default."""

        third: str = "z"

    @make(frozen=True, kw_only=True)
    class Named:
        """Keywords only, a value computed once, and a check."""

        size: int
        colour: str = records.field(default="red", repr=False)

        def __post_init__(self) -> None:
            if self.size < 0:
                raise ValueError("size")

        @cached_property
        def twice(self) -> int:
            return 2 * self.size

    @make
    class Counter:
        """Can change; one field is no argument."""

        name: str
        seen: int = records.field(default=0, init=False)
        items: dict[str, int] = records.field(default_factory=dict, init=False)

    @make(frozen=True, slots=True)
    class Empty:
        """No fields."""

    @make(frozen=True)
    class Own:
        """Writes its own comparison."""

        x: int

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

    @make(frozen=True, slots=True, eq=False)
    class Same:
        """Compared by identity."""

        x: int

    return {c.__name__: c for c in (Pair, Triple, Named, Counter, Empty, Own, Same)}


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Pair", (1,), {}),
    ("Pair", (1, 2), {}),
    ("Pair", (), {"left": 3, "right": 4}),
    ("Pair", (), {}),
    ("Pair", (1, 2, 3), {}),
    ("Triple", (1,), {"third": "y"}),
    ("Named", (), {"size": 4}),
    ("Named", (4,), {}),
    ("Named", (), {"size": -1}),
    ("Counter", ("n",), {}),
    ("Counter", ("n", 4), {}),
    ("Empty", (), {}),
    ("Own", (1,), {}),
]


@pytest.mark.parametrize(("name", "given", "named"), CALLS)
def test_values_are_made_and_shown_as_by_the_standard_library(
    name: str, given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    def outcome(make: Any) -> object:
        try:
            made = _classes(make)[name](*given, **named)
        except (TypeError, ValueError) as error:
            return type(error)
        return repr(made), dataclasses.asdict(made), made == made, type(made).__match_args__

    assert outcome(records.dataclass) == outcome(dataclasses.dataclass)


def test_comparison_hash_and_change() -> None:
    new, old = _classes(records.dataclass), _classes(dataclasses.dataclass)
    for made in (new, old):
        pair, triple = made["Pair"], made["Triple"]
        assert pair(1, 2) == pair(1, 3)
        assert hash(pair(1, 2)) == hash(pair(1, 3))
        assert pair(1) != pair(2)
        assert triple(1) != pair(1)
        assert made["Same"](1) != made["Same"](1)
        assert made["Own"](1) == 7
        assert hash(made["Own"](1)) == hash(made["Own"](1))
        assert made["Named"](size=2).twice == 4
        assert dataclasses.replace(triple(1), left=2) == triple(2)
        assert copy.copy(triple(1, 5, "c")).third == "c"
        counter = made["Counter"]("n")
        counter.seen = 5
        assert counter.seen == 5
        with pytest.raises(TypeError):
            hash(counter)
        for value, field in ((pair(1), "left"), (triple(1), "left"), (made["Named"](size=1), "size")):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(value, field, 9)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(value, field)


def test_values_of_the_project_pickle() -> None:
    request = CheckRequest(model=File("m.ispl"), only=(1, 2))
    assert pickle.loads(pickle.dumps(request)) == request
    assert dataclasses.is_dataclass(System)
    assert pickle.loads(pickle.dumps(Verdict.HOLDS)) is Verdict.HOLDS
