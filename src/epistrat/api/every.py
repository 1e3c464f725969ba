"""Answers for every value of a parameter, for people and notebooks."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers import Verdict
from epistrat.records import dataclass, field
from epistrat.service.every import EverySize, ForEvery


@dataclass(frozen=True, slots=True)
class ForAllSizes:
    """What came of asking for every value of a parameter: true if all formulae are proved.  Prints as ``epistrat check --every`` does."""

    found: EverySize = field(repr=False)
    model: str = field(default="<model>", repr=False)

    def __bool__(self) -> bool:
        return all(one.verdict is Verdict.HOLDS for one in self.found.answers)

    def __iter__(self) -> Iterator[ForEvery]:
        return iter(self.found.answers)

    def __len__(self) -> int:
        return len(self.found.answers)

    def __getitem__(self, which: int | str) -> ForEvery:
        """The answer to a formula, by its name or its number from 1."""
        for one in self.found.answers:
            if which in (one.index, one.name):
                return one
        raise KeyError(which)

    def __str__(self) -> str:
        from epistrat.render.every import show_every
        from epistrat.render.wording import Style, Wording

        return "\n".join(show_every(self.model, self.found, Style(wording=Wording.PYTHON)))
