"""A monitor as one Python file that needs nothing but the standard library.

The file holds numbers, names as string literals, and the code of `epistrat.running.runtime`; no text of a model is ever code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from epistrat.running.build import Built
from epistrat.running.runtime.tables import Property

MADE = "# Made by epistrat"
"""How a generated file begins; other files are never overwritten."""

_MARK = "# What follows is copied into generated files.\n"
_PARTS = ("answers", "tables", "follow", "monitor")
_ADAPTERS = {
    "openai-agents": "openai_agents",
    "langgraph": "langgraph",
    "gymnasium": "gymnasium",
    "pettingzoo": "pettingzoo",
}
_IMPORTS = {
    "builtins": "",
    "functools": "",
    "json": "",
    "threading": "",
    "time": "",
    "collections": "deque",
    "collections.abc": "Callable, Iterable, Iterator, Mapping, Sequence",
    "typing": "Any, NamedTuple",
}
_MORE = {
    "openai-agents": {"dataclasses": "replace", "importlib": "import_module"},
    "langgraph": {"importlib": "import_module"},
    "gymnasium": {"importlib": "import_module"},
    "pettingzoo": {"importlib": "import_module"},
}
_DIGITS = re.compile(r"(0x[0-9a-f]{80,}|[0-9]+( [0-9]+){30,})")
_WIDTH = 118


def generated(built: Built, command: Sequence[str] = (), adapters: Sequence[str] = (), version: str = "") -> str:
    """The text of the file; ``command`` is how it is made again, ``version`` epistrat's."""
    return "\n".join(_lines(built, command, adapters, version)).rstrip("\n") + "\n"


def _lines(built: Built, command: Sequence[str], adapters: Sequence[str], version: str) -> Iterator[str]:
    yield from _head(built, command, version)
    yield '"""Follows one run of a program and says whether the model allows it; `Monitor` is what to begin with."""'
    yield ""
    yield "from __future__ import annotations"
    yield ""
    yield from _imports(adapters)
    yield ""
    yield ""
    for part in _PARTS:
        yield _code("runtime", part)
    yield ""
    for adapter in adapters:
        yield _code("adapters", _ADAPTERS[adapter])
        yield ""
    yield f"FINGERPRINT = {built.values['fingerprint']!a}"
    yield "Monitor.tables = Tables("
    for name, value in built.values.items():
        yield f"    {name}={literal(value, 4)},"
    yield ")"


def _head(built: Built, command: Sequence[str], version: str) -> Iterator[str]:
    """What the file is, in comments; names are written as literals, so that none ends its line."""
    about, steps = built.values["about"], sum(text.count(" ") + 1 for text in built.values["steps"]) // 2
    yield f"{MADE} {version}; do not edit it, make it again."
    yield "#"
    yield f"# model: {about['model']!a}, parameters: {about['parameters']!a}"
    for kind in ("properties", "watches"):
        for name, text in about[kind].items():
            yield f"# {'property' if kind == 'properties' else 'watch'} {name!a}: {text!a}"
    yield f"# hidden: {about['hidden']!a}, told after each event: {about['sees']!a}"
    yield f"# form: {about['form']}, {_states(built):,} states, {steps:,} steps; decided: {', '.join(about['decided'])}"
    if about["permissive"]:
        yield "# The shield is the most permissive one. It is as good as the events it is told: what bypasses it is not seen."
    if command:
        yield f"# made by: {' '.join(command)!a}"
    yield "# fmt: off"


def _states(built: Built) -> int:
    return len(built.values["states"].split()) // max(len(built.values["variables"]), 1) or 1


def _imports(adapters: Sequence[str]) -> Iterator[str]:
    wanted = dict(_IMPORTS)
    for adapter in adapters:
        wanted |= _MORE[adapter]
    yield from (f"import {module}" for module, names in sorted(wanted.items()) if not names)
    yield from (f"from {module} import {names}" for module, names in sorted(wanted.items()) if names)


def _code(package: str, module: str) -> str:
    """The code of a module, from its mark on."""
    text = files(f"epistrat.running.{package}").joinpath(f"{module}.py").read_text(encoding="utf-8")
    return text.partition(_MARK)[2].strip("\n") + "\n\n"


def literal(value: Any, indent: int = 0) -> str:
    """A value as Python writes it; long texts of digits on several lines, names as literals in plain ASCII."""
    space = " " * indent
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return '"""\n' + "\n".join(_wrapped(value)) + '"""'
    if isinstance(value, Property):
        inner = "".join(f"\n{space}    {name}={literal(one, indent + 4)}," for name, one in value._asdict().items())
        return f"Property({inner}\n{space})"
    if isinstance(value, dict):
        inner = "".join(f"\n{space}    {key!a}: {literal(one, indent + 4)}," for key, one in value.items())
        return f"{{{inner}\n{space}}}" if inner else "{}"
    if isinstance(value, (tuple, list)):
        parts = [literal(one, indent + 4) for one in value]
        comma = "," if isinstance(value, tuple) and len(parts) == 1 else ""
        flat = ", ".join(parts) + comma
        left, right = "()" if isinstance(value, tuple) else "[]"
        if len(flat) + indent < _WIDTH - 30 and "\n" not in flat:
            return f"{left}{flat}{right}"
        return left + "".join(f"\n{space}    {part}," for part in parts) + f"\n{space}{right}"
    return ascii(value)


def _wrapped(digits: str) -> Iterator[str]:
    """Digits on lines: numbers are not torn apart where there are several."""
    if " " not in digits:
        yield from (digits[at : at + _WIDTH] for at in range(0, len(digits), _WIDTH))
        return
    at = 0
    while len(digits) - at > _WIDTH:
        end = digits.rindex(" ", at, at + _WIDTH)
        yield digits[at:end]
        at = end + 1
    yield digits[at:]
