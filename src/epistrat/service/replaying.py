"""Serves a `ReplayRequest`: re-check answers that were given before, without any engine."""

from __future__ import annotations

from epistrat.evidence.replay import Replayer
from epistrat.model.transform.choices import PlayRules
from epistrat.proving.fresh import FreshProver
from epistrat.service import models
from epistrat.service.events import Finished, Produced, Progress, Send
from epistrat.service.requests import ReplayRequest
from epistrat.solvers.budget import Budget


def recheck(request: ReplayRequest, send: Send, budget: Budget) -> None:
    """Re-check the certificates one by one; what is produced are their `Replay`s, in the same order."""
    system, _ = models.load(request)
    replayers: dict[PlayRules, Replayer] = {}
    found = []
    for number, certificate in enumerate(request.certificates, start=1):
        send(Progress("re-checking", number=number, of=len(request.certificates)))
        budget.check()
        replayer = replayers.get(certificate.rules)
        if replayer is None:
            played = certificate.rules.of(system)
            replayer = replayers[certificate.rules] = Replayer(played, survey=request.survey, prover=FreshProver())
        found.append(replayer.check(certificate))
    send(Produced(tuple(found)))
    send(Finished())
