"""What is added to a verdict (words, remarks, explanations) never loses it.

A decoration that fails is left out, and `Outcome.left_out` says which one and why.  With ``EPISTRAT_STRICT`` set it raises: tests run so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.solvers.disagreement import Contradiction

T = TypeVar("T")


def decorated(what: str, make: Callable[[], T], plain: T, budget: Budget | None = None) -> tuple[T, tuple[str, ...]]:
    """What ``make`` gives and nothing, or the plain value and why there is no more than that.

    With a ``budget`` it may take half of the time that is left.  Where a limit is reached first it is left out as well, in tests too.
    Two answers that contradict one another are no failure of a decoration: that passes.
    """
    try:
        with nullcontext() if budget is None else budget.aside():
            return make(), ()
    except Contradiction:
        raise
    except OutOfBudget as limit:
        return plain, (f"{what}: {limit}",)
    except Exception as problem:
        if os.environ.get("EPISTRAT_STRICT"):
            raise
        return plain, (f"{what}: {type(problem).__name__}: {problem}",)
