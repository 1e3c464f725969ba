"""Messages about a model, found in its text or in its states: one shape for both."""

from __future__ import annotations

from epistrat.evidence import Path
from epistrat.records import dataclass
from epistrat.source import Diagnostic


@dataclass(frozen=True, slots=True)
class Finding(Diagnostic):
    """A message about reachable states; the path leads to one of them."""

    path: Path | None = None
