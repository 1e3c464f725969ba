"""The page's types, made from `shapes`: ``python -m epistrat.studio.typescript > studio/src/types.ts``."""

from __future__ import annotations

import sys
from inspect import getdoc
from types import NoneType, UnionType
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from epistrat.studio.shapes import answers, calls, desk, events, texts, walks

_MODULES = (texts, answers, walks, calls, events, desk)
_PLAIN: dict[Any, str] = {
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    NoneType: "null",
    Any: "unknown",
}
_HEAD = "// Made by `python -m epistrat.studio.typescript` from src/epistrat/studio/shapes; change that, then run it again.\n"


def typescript() -> str:
    """All shapes, in the order in which they are declared."""
    written = [_HEAD]
    for name, shape in _declared().items():
        written.append(
            _interface(name, shape) if is_typeddict(shape) else f"export type {name} = {_type(shape, name)};\n"
        )
    return "\n".join(written)


def _declared() -> dict[str, Any]:
    """The shapes and the names given to types."""
    found: dict[str, Any] = {}
    for module in _MODULES:
        hints = get_type_hints(module)
        for name, value in vars(module).items():
            own = is_typeddict(value) and value.__module__ == module.__name__
            if own or (name in module.__annotations__ and name in hints):
                found[name] = value
    return found


def _interface(name: str, shape: Any) -> str:
    lines = [f"export interface {name} {{"]
    for key, hint in get_type_hints(shape, include_extras=True).items():
        optional = get_origin(hint) is NotRequired
        lines.append(f"  {key}{'?' if optional else ''}: {_type(get_args(hint)[0] if optional else hint)};")
    words = getdoc(shape) if shape.__doc__ else None
    told = [f"/** {words} */"] if words and not words.startswith("dict(") else []
    return "\n".join([*told, *lines, "}\n"])


def _type(hint: Any, declaring: str = "") -> str:
    """A type as TypeScript writes it, by its name where it has one."""
    named = next((name for name, value in _declared().items() if value == hint and name != declaring), None)
    if named is not None:
        return named
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " | ".join(dict.fromkeys(_type(one) for one in inner))
    if origin is Literal:
        return " | ".join(f'"{one}"' for one in inner)
    if origin is list:
        item = _type(inner[0])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if origin is dict:
        return f"Record<string, {_type(inner[1])}>"
    return _PLAIN[hint]


if __name__ == "__main__":
    sys.stdout.write(typescript())
