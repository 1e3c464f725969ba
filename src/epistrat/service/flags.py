"""Settings as a shell writes them, for faces that pass them on: ``--engine=symbolic``, ``--evidence``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from epistrat.answers import Misuse
from epistrat.lang.names import closest
from epistrat.service import asking, settings
from epistrat.service.requests import CheckRequest


def settings_of(words: Iterable[str]) -> dict[str, Any]:
    """The settings of a check that these words of a command line stand for.  Raises `Misuse` where there is no such flag."""
    switches, valued = _flags()
    found: dict[str, Any] = {}
    left = list(words)
    while left:
        flag, equals, value = left.pop(0).partition("=")
        if flag in switches and not equals:
            name, on = switches[flag]
            found[name] = on
        elif flag in valued:
            if not equals and not left:
                raise Misuse(f"{flag} needs a value")
            found[valued[flag]] = value if equals else left.pop(0)
        else:
            meant = closest(flag, [*switches, *valued])
            raise Misuse(f"a check has no option {flag}{f'; did you mean {meant}?' if meant else ''}")
    return found


def _flags() -> tuple[dict[str, tuple[str, bool]], dict[str, str]]:
    """Flags without a value, with what they set; and flags with one."""
    switches: dict[str, tuple[str, bool]] = {}
    valued: dict[str, str] = {}
    for row in asking.rows(CheckRequest).values():
        for flag in row.flags:
            if row.value or row.choices:
                valued[flag] = row.name
            else:
                switches[flag] = row.name, not row.default
    for name, (_, option) in settings.engine_options().items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(option.default, bool):
            switches[flag] = name, True
        else:
            valued[flag] = name
    return switches, valued
