"""Serves an `ExchangeRequest`: the model in a format of other tools."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.answers import Misuse
from epistrat.encoding.fits import NotEncodable
from epistrat.model.system import System
from epistrat.service import models
from epistrat.service.events import Finished, Produced, Progress, Send
from epistrat.service.requests import ExchangeRequest
from epistrat.solvers.budget import Budget


def exchange(request: ExchangeRequest, send: Send, budget: Budget) -> None:
    """Produce the text; raises `Misuse` where the format has no words for the model."""
    send(Progress("reading the model"))
    system, _ = models.load(request)
    budget.check()
    send(Progress(f"writing {request.form.upper()}"))
    try:
        send(Produced(_FORMS[request.form](system, request)))
    except NotEncodable as why:
        raise Misuse(f"it cannot be written as {request.form.upper()}: {why}") from None
    send(Finished())


def _smv(system: System, request: ExchangeRequest) -> str:
    from epistrat.encoding.smv import smv

    return smv(system, [one.formula for one in models.questions(system, only=request.only)])


def _vmt(system: System, request: ExchangeRequest) -> str:
    from epistrat.encoding.vmt import vmt

    return vmt(system, system.formulae)


def _aiger(system: System, request: ExchangeRequest) -> str:
    from epistrat.encoding.aiger import aiger

    return aiger(system, models.questions(system, only=request.only or [1])[0].formula)


_FORMS: dict[str, Callable[[System, ExchangeRequest], str]] = {"smv": _smv, "vmt": _vmt, "aiger": _aiger}
