"""Equilibria that were found, for people and notebooks."""

from __future__ import annotations

from typing import Any

from epistrat.answers import Result, Verdict
from epistrat.evidence import Balance, Lasso, Punishment
from epistrat.records import dataclass, field
from epistrat.service.equilibrium import Asked, Equilibria
from epistrat.service.matrix import Matrix


@dataclass(frozen=True, slots=True)
class FoundEquilibrium:
    """What came of looking for an equilibrium: true if there is one.  Prints as ``epistrat equilibrium`` does."""

    found: Equilibria = field(repr=False)

    def __bool__(self) -> bool:
        return self.found.verdict is Verdict.HOLDS

    def __str__(self) -> str:
        from epistrat.render.equilibrium import show_equilibria
        from epistrat.render.wording import Style, Wording

        return "\n".join(show_equilibria(self.found, Style(wording=Wording.PYTHON)))

    @property
    def answers(self) -> tuple[Asked, ...]:
        """The questions with their answers, for strategies with memory and for those without."""
        return self.found.answers

    @property
    def with_memory(self) -> Result:
        """The answer for strategies with memory; its evidence is the run and the punishments."""
        return self.answers[0].remembering

    @property
    def without_memory(self) -> Result:
        """The answer for strategies that see the state and remember nothing."""
        return self.answers[0].without

    @property
    def run(self) -> Lasso | None:
        """The run of the equilibrium with memory; None where there is none, or none can be shown."""
        shown = self._shown
        return None if shown is None else shown.lasso

    @property
    def punishments(self) -> dict[str, Punishment]:
        """For each agent that does not get its goal where it may leave the run, and what all others do then."""
        shown = self._shown
        return {} if shown is None else {one.agent: one for one in shown.punishments}

    @property
    def table(self) -> Matrix | None:
        """A small game of two as a table of strategies without memory."""
        return self.found.table

    def to_json(self, model: str = "<model>") -> dict[str, Any]:
        """What ``epistrat equilibrium --json`` prints."""
        from epistrat.render.equilibrium import equilibria_json

        return equilibria_json(self.found, model)

    @property
    def _shown(self) -> Balance | None:
        trees = self.with_memory.trees if self else ()
        return next((one for tree in trees for one in tree.because if isinstance(one, Balance)), None)
