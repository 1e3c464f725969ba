"""Programs that ask for knowledge: the systems that they are, made, printed, and compared with what their guards say."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.answers import Misuse, Question, Setting, Strategies
from epistrat.engines import readings
from epistrat.engines.contract import Options
from epistrat.engines.readings import Way
from epistrat.lang.load import Loaded
from epistrat.logic import formula as logic
from epistrat.logic.formula import Reading, Tag, subformulae
from epistrat.model.programs import Implementation, NotImplementable, implement as made
from epistrat.model.system import System
from epistrat.service.events import Finished, Produced, Progress, Send, Warned, ignore
from epistrat.service.requests import EngineRequest, ImplementRequest, Request
from epistrat.solvers.budget import Budget
from epistrat.source import Report

_BY_VIEWS = "strategies that depend on what agents see are not asked of a program: ask the model that `epistrat implement` prints"


def implemented(
    request: Request, system: System, loaded: Loaded, budget: Budget, send: Send = ignore
) -> Implementation:
    """The implementation of a program; raises `InputError` where there is none."""
    from epistrat.service.models import InputError

    if isinstance(request, EngineRequest) and request.strategies not in (None, Strategies.ANY):
        raise Misuse(_BY_VIEWS + " ({})", Setting("strategies", request.strategies.value))

    def tell(moments: int) -> None:
        send(Progress("implementing the program", {"moments": moments}))

    try:
        return made(system, system.knowledge, budget, tell)
    except NotImplementable as why:
        report = Report(loaded.source)
        agent = next(agent for agent in system.agents if agent.knows)
        line = _first_line(agent.name, system)
        span = loaded.origins.span("protocol", agent.name, line)
        hints = {
            Reading.OBSERVATION: "write `Knowledge = Clock;` or `Knowledge = Recall;`, or say `--knowledge clock`",
            Reading.CHANGES: "read it by `clock` or `recall`",
        }
        label = hints.get(system.knowledge, "")
        report.error("E045", str(why), span, label=label)
        raise InputError(report.diagnostics) from None


def _first_line(agent: str, system: System) -> int:
    from epistrat.model.programs.unfolding import lines_of

    return lines_of(system.agent[agent])[0]


def about_views(asked: Sequence[Question], options: Options) -> None:
    """Raise `Misuse` for strategies that depend on what agents see."""
    for question in asked:
        parts = subformulae(question.formula)
        read = readings.readings(question.formula, options)
        names = any(isinstance(part, logic.NAMING) for part in parts) and read.names is not Tag.PERFECT
        equilibria = any(isinstance(part, logic.EQUILIBRIA) for part in parts) and read.equilibria is Tag.VIEWS
        coalitions = any(isinstance(part, logic.Coalition) for part in parts) and read.coalitions in (
            Way.VIEWS,
            Way.POOLED,
        )
        if names or equilibria or coalitions:
            raise Misuse(f"formula {question.index}: {_BY_VIEWS}")


def implement(request: ImplementRequest, send: Send, budget: Budget) -> None:
    """Produce the implementation of a program."""
    from epistrat.service import models

    send(Progress("reading the model"))
    system, loaded = models.load_as_written(request)
    for one in loaded.diagnostics:
        send(Warned(one))
    send(Produced(implemented(request, system, loaded, budget, send)))
    send(Finished())
