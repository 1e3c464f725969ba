"""What a solver answers, and what it needs to know of the terms it is asked about."""

from __future__ import annotations

from enum import Enum
from typing import Any, Protocol, TypeAlias

from epistrat.records import dataclass
from epistrat.terms import Expr, Value

Frame: TypeAlias = int | str
"""Which copy of the variables is meant: the number of a step, or a name."""

Asked: TypeAlias = Any
"""A condition as an `Expr` (about frame 0), a pair (Expr, frame), or a term of the solver."""


class Status(Enum):
    """Whether the conditions can be true together."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Answer:
    """A status; for Unknown the solver's reason."""

    status: Status
    reason: str | None = None

    @property
    def sat(self) -> bool:
        """Whether a model was found."""
        return self.status is Status.SAT

    @property
    def unsat(self) -> bool:
        """Whether it was shown that there is no model."""
        return self.status is Status.UNSAT

    @property
    def unknown(self) -> bool:
        """Whether the solver gave up."""
        return self.status is Status.UNKNOWN


class Translation(Protocol):
    """Our expressions as terms of the solver and back; implemented by ``encoding.smt.terms``."""

    context: Any
    resources: int
    """What Z3 had counted in the context when it was looked at last."""

    def condition(self, expr: Expr, frame: Frame = 0) -> Any:
        """A Boolean expression about one frame as a term of the solver."""

    def value(self, model: Any, expr: Expr, frame: Frame = 0) -> Value:
        """The value of an expression in a model of the solver."""
