"""The public Python API; docs/python-api.md shows it at work.

>>> model = epistrat.load("examples/dining_cryptographers.ispl")
>>> result, = model.check("AG(odd -> K(C1, c2paid))")
>>> result.verdict, bool(result)
(<Verdict.FAILS: 'fails'>, False)
"""

from epistrat.answers import Focus as Focus, Strategies as Strategies, Verdict as Verdict
from epistrat.api.equilibrium import FoundEquilibrium as FoundEquilibrium
from epistrat.api.exploring import (
    ExploredAnswer as ExploredAnswer,
    ExploredModel as ExploredModel,
    ExploredStrategy as ExploredStrategy,
    explore as explore,
)
from epistrat.api.monitoring import Monitor as Monitor
from epistrat.api.result import Report as Report, Result as Result, Results as Results
from epistrat.api.simulation import Simulation as Simulation
from epistrat.api.states import NamedState as NamedState
from epistrat.api.strategy import AgentRules as AgentRules, FoundStrategy as FoundStrategy
from epistrat.api.system import Builder as Builder, System as System, load as load
from epistrat.jobs import Disagreement as Disagreement
from epistrat.model.handles import ModelError as ModelError, all_of as all_of, any_of as any_of
from epistrat.service import InputError as InputError
from epistrat.solvers.budget import Budget as Budget, OutOfBudget as OutOfBudget
