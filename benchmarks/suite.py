"""Suites: which models, how large, with what questions, and how fast they should be answered.

A suite is a TOML file: a time limit, one for the plain variant (``plain_limit``, 0 to leave it out), and rows.  A row names a
family, a spec, sizes, optionally the CPU seconds to reach per size (``figures``), disguises (``scrambled``, ``renamed``: seeds) and
seeds of random families; it may set limits of its own.  Every combination is one case.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks import families

SUITES = Path(__file__).parent / "suites"


@dataclass(frozen=True)
class Case:
    """One model with one set of questions, to be answered within a limit."""

    family: str
    n: int
    spec: str
    limit: float
    figure: float | None = None
    scrambled: int | None = None
    renamed: int | None = None
    seed: int = 1
    plain_limit: float | None = None

    @property
    def name(self) -> str:
        """The case in a few words, unique within a suite."""
        disguise = "" if self.scrambled is None else f" scrambled {self.scrambled}"
        disguise += "" if self.renamed is None else f" renamed {self.renamed}"
        seed = f" seed {self.seed}" if self.family == "sparse" else ""
        return f"{self.family} {self.n} {self.spec}{seed}{disguise}"

    @property
    def curve(self) -> str:
        """What stays the same when only the size changes."""
        return self.name.replace(f"{self.family} {self.n} ", f"{self.family} ", 1)

    def text(self) -> str:
        """The model as ISPL."""
        return families.text(
            self.family, self.n, self.spec, scrambled=self.scrambled, renamed=self.renamed, seed=self.seed
        )

    def expected(self) -> list[str | None]:
        """The verdicts, None where they are not known."""
        words = {True: "holds", False: "fails", None: None}
        return [
            words[question.holds] for question in families.questions(self.family, self.n, self.spec, seed=self.seed)
        ]

    def states(self) -> int | None:
        """The number of reachable states, where a formula for it is known."""
        return families.model(self.family, self.n, seed=self.seed).states


@dataclass(frozen=True)
class Suite:
    """Cases under a name."""

    name: str
    summary: str
    cases: tuple[Case, ...]


def available() -> list[str]:
    """The names of the suites that come with the project."""
    return sorted(path.stem for path in SUITES.glob("*.toml"))


def load(name: str) -> Suite:
    """The suite of that name, or in that file."""
    path = Path(name) if name.endswith(".toml") else SUITES / f"{name}.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    defaults = {key: data[key] for key in ("limit", "plain_limit") if key in data}
    cases = tuple(case for row in data["row"] for case in _cases(defaults | row))
    return Suite(path.stem, str(data["summary"]), cases)


def _cases(row: Mapping[str, Any]) -> Iterator[Case]:
    figures = {int(size): float(seconds) for size, seconds in row.get("figures", {}).items()}
    for seed in row.get("seeds", [1]):
        disguises = product(row.get("scrambled", [None]), row.get("renamed", [None]))
        for scrambled, renamed in disguises:
            for n in row.get("sizes") or sorted(figures):
                yield Case(
                    family=row["family"],
                    n=n,
                    spec=row["spec"],
                    limit=float(row["limit"]),
                    figure=figures.get(n),
                    scrambled=scrambled,
                    renamed=renamed,
                    seed=seed,
                    plain_limit=float(row.get("plain_limit", row["limit"])) or None,
                )
