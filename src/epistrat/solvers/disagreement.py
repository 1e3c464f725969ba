"""Two solvers that contradict one another: an error that says where the query is, never a verdict."""

from __future__ import annotations

import os


class Contradiction(Exception):
    """Two answers that cannot both be right: a bug in epistrat or in a solver, which nobody may pass over."""


class Disagreement(Contradiction, RuntimeError):
    """Two solvers gave different answers to one query."""


def disagreement(query: str, suffix: str, first: str, second: str) -> Disagreement:
    """The error to raise, with the query written to a file; ``first`` and ``second`` say who answered what."""
    import tempfile  # with much that a check does without

    handle, name = tempfile.mkstemp(prefix="epistrat-query-", suffix=suffix)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(query)
    return Disagreement(f"two solvers contradict one another ({first}, {second}); the query is in {name}")
