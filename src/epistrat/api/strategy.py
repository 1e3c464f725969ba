"""Strategies that were found, for people and notebooks."""

from __future__ import annotations

from typing import Any

from epistrat.model.show import to_ispl
from epistrat.records import dataclass, field
from epistrat.service.strategy import Synthesis


@dataclass(frozen=True, slots=True)
class FoundStrategy:
    """What came of looking for a strategy: true if there is one.  Prints as ``epistrat strategy`` does."""

    synthesis: Synthesis = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.synthesis.plans)

    def __str__(self) -> str:
        from epistrat.render.strategy import show_synthesis, show_verified
        from epistrat.render.wording import Style, Wording

        style = Style(wording=Wording.PYTHON)
        return "\n".join([*show_synthesis(self.synthesis, style), *show_verified(self.synthesis)])

    def to_ispl(self) -> str:
        """The model restricted to the (first) strategy; raises ValueError where there is none, or it cannot be written."""
        plan = self.synthesis.plans[0] if self.synthesis.plans else None
        if plan is None or plan.restricted is None:
            raise ValueError("there is no strategy to write" if plan is None else plan.entangled or "not asked for")
        return to_ispl(plan.restricted)

    def to_json(self) -> dict[str, Any]:
        """The strategy as plain data."""
        from epistrat.render.strategy import synthesis_json

        return synthesis_json(self.synthesis, "<model>")
