"""Partial order reduction for interleaved systems: which steps may be left out, and why that is safe."""

from epistrat.engines.explicit.reduction.automata import NotReducible
from epistrat.engines.explicit.reduction.report import ReductionReport, reduction_report
from epistrat.engines.explicit.reduction.self_check import SelfCheck, self_check

__all__ = ["NotReducible", "ReductionReport", "SelfCheck", "reduction_report", "self_check"]
