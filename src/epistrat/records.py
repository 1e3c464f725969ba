"""Dataclasses that take little time to define.

`dataclasses.dataclass` writes up to six methods of a class as text and compiles each of them: 0.7 ms for a class, of which a small check
needs two hundred (figures: docs/decisions/016-records.md).  Here only ``__init__`` is compiled; the other methods are closures over the
names of the fields.  What they do is the same, and `dataclasses.fields` and `dataclasses.replace` work as usual.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, field as field, fields as fields, replace as replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any


def _dataclass(
    cls: Any = None, /, *, frozen: bool = False, eq: bool = True, slots: bool = False, kw_only: bool = False
) -> Any:
    """As `dataclasses.dataclass`; these are the options that are used."""

    def make(cls: type) -> Any:
        written = {name for name, value in vars(cls).items() if value is not None}  # __eq__ alone makes __hash__ None
        made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
        members = fields(made)
        methods = {
            "__init__": _init(members, frozen, hasattr(made, "__post_init__")),
            "__repr__": _representation(members),
        }
        if eq:
            methods |= _comparison([one.name for one in members if one.compare], frozen)
        if frozen:
            methods |= _refusals(made, {one.name for one in members})
        if frozen and slots:
            methods |= _state([one.name for one in members])
        for name, method in methods.items():
            if name not in written:
                setattr(made, name, method)
        return made

    return make if cls is None else make(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _init(members: Iterable[Field[Any]], frozen: bool, has_post_init: bool) -> Callable[..., None]:
    """``__init__``, as text that is compiled: values are made often."""
    names: dict[str, Any] = {"_missing": MISSING, "_set": object.__setattr__}
    parameters: dict[bool, list[str]] = {False: ["self"], True: []}
    body = []
    for one in members:
        name, value, default = one.name, one.name, ""
        if one.default is not MISSING:
            names[f"_{name}"], default = one.default, f"=_{name}"
            value = name if one.init else f"_{name}"
        elif one.default_factory is not MISSING:
            names[f"_{name}"], default = one.default_factory, "=_missing"
            value = f"_{name}() if {name} is _missing else {name}" if one.init else f"_{name}()"
        if one.init:
            parameters[bool(one.kw_only)].append(name + default)
        body.append(f"_set(self, '{name}', {value})" if frozen else f"self.{name} = {value}")
    body.append("self.__post_init__()" if has_post_init else "pass")
    listed = [*parameters[False], *(["*", *parameters[True]] if parameters[True] else [])]
    exec(f"def __init__({', '.join(listed)}):\n " + "\n ".join(body), names)
    made: Callable[..., None] = names["__init__"]
    return made


def _representation(members: Iterable[Field[Any]]) -> Callable[[Any], str]:
    names = [one.name for one in members if one.repr]

    def show(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return show


def _comparison(names: Sequence[str], frozen: bool) -> dict[str, Any]:
    """Equality of all fields; a hash only for what cannot change."""
    values: Callable[[Any], tuple[Any, ...]] = (
        attrgetter(*names) if len(names) > 1 else lambda self: tuple([getattr(self, name) for name in names])
    )

    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return {"__eq__": equal, "__hash__": (lambda self: hash(values(self))) if frozen else None}


def _refusals(made: Any, names: set[str]) -> dict[str, Any]:
    """Fields are neither assigned nor deleted; other attributes of classes derived from this one may be."""

    def assign(self: Any, name: str, value: Any) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def delete(self: Any, name: str) -> None:
        if type(self) is made or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    return {"__setattr__": assign, "__delattr__": delete}


def _state(names: Sequence[str]) -> dict[str, Any]:
    """For pickles and copies of what has neither a dictionary nor attributes that can be set."""

    def get(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def restore(self: Any, state: Iterable[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": get, "__setstate__": restore}
