"""What comes of an attempt to prove a verdict."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.evidence.proof.bits import NotProvable
from epistrat.evidence.proof.obligations import Ledger, Obligation, Refuted
from epistrat.evidence.proof.world import Encoded
from epistrat.records import dataclass, field
from epistrat.solvers.bdd import OutOfNodes

TOO_LARGE = "diagrams grow too large"


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of an attempt.

    ``shown``: the verdict is proved.  ``wrong`` names an obligation that fails; ``reason`` why there is no proof.
    """

    shown: bool
    obligations: int = 0
    wrong: str | None = None
    reason: str | None = None
    kept: tuple[Obligation, ...] = field(default=(), repr=False, compare=False)


def attempted(ledger: Ledger, encoded: Callable[[], Encoded], conclude: Callable[[], None]) -> Proof:
    """Show a verdict; whatever is in the way is told."""
    try:
        with encoded().space.algebra.guard():
            conclude()
    except NotProvable as limit:
        return Proof(False, ledger.count, reason=str(limit))
    except OutOfNodes:
        return Proof(False, ledger.count, reason=TOO_LARGE)
    except RecursionError:
        return Proof(False, ledger.count, reason="the formula is nested too deeply")
    except Refuted as wrong:
        return Proof(False, ledger.count, wrong=str(wrong))
    return Proof(True, ledger.count, kept=tuple(ledger.kept))
