"""What is added to a verdict (words, remarks, explanations) never loses it.

A decoration that fails is left out, and `Outcome.left_out` says which one and why.  With ``EPISTRAT_STRICT`` set it raises: tests run so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from epistrat.solvers.budget import OutOfBudget
from epistrat.solvers.disagreement import Contradiction

T = TypeVar("T")


def decorated(what: str, make: Callable[[], T], plain: T) -> tuple[T, tuple[str, ...]]:
    """What ``make`` gives and nothing, or the plain value and why there is no more than that.

    Running out of a limit, an interrupt and two answers that contradict one another are no failures of a decoration: they pass.
    """
    try:
        return make(), ()
    except (OutOfBudget, Contradiction):
        raise
    except Exception as problem:
        if os.environ.get("EPISTRAT_STRICT"):
            raise
        return plain, (f"{what}: {type(problem).__name__}: {problem}",)
