"""Which operator's brackets a place is in, and which of its arguments."""

from __future__ import annotations

import re

from epistrat.ide.context import context_at
from epistrat.ide.operators import FORMULA
from epistrat.ide.values import Signature
from epistrat.lang.analysis import Analysis
from epistrat.lang.vocabulary import EPISTEMIC

_FIELD = re.compile(r"\$\{\d+:(\w+)\}")


def signature(analysis: Analysis, offset: int) -> Signature | None:
    """The operator whose arguments are being written at a place."""
    context = context_at(analysis, offset)
    if context is None or context.section not in ("Goals", "Fairness", "Formulae"):
        return None
    depth, commas = 0, 0
    line = context.line
    for at in range(len(line) - 1, -1, -1):
        word = line[at]
        if word in (")", "}"):
            depth += 1
        elif word in ("(", "{"):
            if depth == 0 and word == "(" and at and line[at - 1] in EPISTEMIC:
                return _signature(line[at - 1], commas)
            if depth == 0:
                commas = 0
            depth = max(0, depth - 1)
        elif word == "," and depth == 0:
            commas += 1
    return None


def _signature(operator: str, active: int) -> Signature:
    known = FORMULA[operator]
    fields = tuple(_FIELD.findall(known.snippet))
    return Signature(f"{operator}({', '.join(fields)})", fields, min(active, len(fields) - 1), known.meaning)
