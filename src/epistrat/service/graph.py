"""Serves an `ExportRequest`: the graph of the reachable states."""

from __future__ import annotations

from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service import models
from epistrat.service.events import Finished, Produced, Send
from epistrat.service.requests import ExportRequest
from epistrat.solvers.budget import Budget


@dataclass(frozen=True, slots=True)
class StateGraph:
    """The reachable states of a system and the steps between them."""

    system: System
    reached: ReachableGraph


def export(request: ExportRequest, send: Send, budget: Budget) -> None:
    """Explore; raises `InputError`, and `OutOfBudget` where the states are too many."""
    system, _ = models.load(request)
    reached = explore(Stepper(system), initial_states(system, request.most), request.most, budget)
    send(Produced(StateGraph(system, reached)))
    send(Finished())
