"""The options of the abstraction engine.  They change how soon it knows the answer, never the answer."""

from __future__ import annotations

from epistrat.engines.tuning import Tuning, option, parts, without
from epistrat.records import dataclass


@dataclass(frozen=True)
class AbstractionTuning(Tuning):
    """How predicates and invariants are found."""

    first_look: int = option(300, "states explored one by one before anything is abstracted", metavar="N")
    exact_range: int = option(8, "bounded variables with at most so many values are not abstracted", metavar="N")
    without: str = without(("ranks", "invariants"))

    @property
    def ranks(self) -> bool:
        """Whether measures that fall are looked for, which prove that something happens eventually."""
        return "ranks" not in parts(self.without)

    @property
    def invariants(self) -> bool:
        """Whether invariants are looked for."""
        return "invariants" not in parts(self.without)
