"""A system as ISPL without families: indexed names become plain ones, names of formulae become comments."""

from __future__ import annotations

import re
from dataclasses import replace

from epistrat.model.show import to_ispl
from epistrat.model.system import System

_INDEXED = re.compile(r"[A-Za-z]\w*\[[-\d,]+\]")
_START = re.compile(r"^InitStates\n.*?^end InitStates$", re.MULTILINE | re.DOTALL)
_DIFFERENT = re.compile(r"([A-Za-z][\w\[\],.-]*) <> ([-\w\[\],.]+)")
"""There MCMAS knows no ``<>``."""
_NAME = re.compile(r"[A-Za-z]\w*")


def to_plain_ispl(system: System) -> str:
    """The system as a program that MCMAS can read, if it has nothing else that MCMAS does not know."""
    text = _START.sub(lambda found: _DIFFERENT.sub(r"!(\1 = \2)", found[0]), to_ispl(replace(system, formula_names=())))
    taken = set(_NAME.findall(text))
    names: dict[str, str] = {}
    for name in dict.fromkeys(_INDEXED.findall(text)):
        plain = re.sub(r"[\[,]", "_", name.removesuffix("]")).replace("-", "m")
        while plain in taken:
            plain += "_"
        taken.add(plain)
        names[name] = plain
    text = _INDEXED.sub(lambda found: names[found[0]], text)
    if not any(system.formula_names):
        return text
    head, formulae = text.rsplit("Formulae\n", 2)[:2] if text.count("Formulae\n") > 1 else (text, "")
    lines = formulae.splitlines(keepends=True)
    named = [f"  -- {name}\n" if name else "" for name in system.formula_names]
    body = [part for pair in zip(named, lines, strict=False) for part in pair]
    return f"{head}Formulae\n{''.join(body)}{''.join(lines[len(named) :])}Formulae\n"
