"""Serves a `ReplayRequest`: re-check answers that were given before, without any engine."""

from __future__ import annotations

from epistrat.evidence.replay import Replayer
from epistrat.proving.fresh import FreshProver
from epistrat.service import models
from epistrat.service.events import Finished, Produced, Progress, Send
from epistrat.service.requests import ReplayRequest
from epistrat.solvers.budget import Budget


def recheck(request: ReplayRequest, send: Send, budget: Budget) -> None:
    """Re-check the certificates one by one; what is produced are their `Replay`s, in the same order."""
    system, _ = models.load(request)
    replayer = Replayer(system, survey=request.survey, prover=FreshProver())
    found = []
    for number, certificate in enumerate(request.certificates, start=1):
        send(Progress("re-checking", number=number, of=len(request.certificates)))
        budget.check()
        found.append(replayer.check(certificate))
    send(Produced(tuple(found)))
    send(Finished())
