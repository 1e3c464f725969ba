"""The public Python API; docs/python-api.md shows it at work.

>>> model = epistrat.load("examples/dining_cryptographers.ispl")
>>> result, = model.check("AG(odd -> K(C1, c2paid))")
>>> result.verdict, bool(result)
(<Verdict.FAILS: 'fails'>, False)
"""

from epistrat.answers import Focus, Strategies, Verdict
from epistrat.api.result import Report, Result, Results
from epistrat.api.strategy import FoundStrategy
from epistrat.api.system import Builder, System, load
from epistrat.jobs import Disagreement
from epistrat.model.handles import ModelError, all_of, any_of
from epistrat.service import InputError
from epistrat.service.simulation import Simulation
from epistrat.solvers.budget import Budget, OutOfBudget

__all__ = [
    "Budget",
    "Builder",
    "Disagreement",
    "Focus",
    "FoundStrategy",
    "InputError",
    "ModelError",
    "OutOfBudget",
    "Report",
    "Result",
    "Results",
    "Simulation",
    "Strategies",
    "System",
    "Verdict",
    "all_of",
    "any_of",
    "load",
]
