"""Serves a `ReplayRequest`: re-check answers that were given before, without any engine."""

from __future__ import annotations

from epistrat.answers import Certificate, Verdict
from epistrat.evidence.findings import Replay
from epistrat.evidence.replay import Replayer
from epistrat.model.system import System
from epistrat.model.transform.choices import PlayRules
from epistrat.proving.fresh import FreshProver
from epistrat.records import replace
from epistrat.service import models
from epistrat.service.events import Finished, Produced, Progress, Send
from epistrat.service.proofs import proof_of, provers
from epistrat.service.requests import ReplayRequest
from epistrat.solvers.budget import Budget


def recheck(request: ReplayRequest, send: Send, budget: Budget) -> None:
    """Re-check the certificates one by one; what is produced are their `Replay`s, in the same order."""
    system, _ = models.load(request)
    played: dict[PlayRules, _Rechecker] = {}
    found = []
    for number, certificate in enumerate(request.certificates, start=1):
        send(Progress("re-checking", number=number, of=len(request.certificates)))
        budget.check()
        rules = certificate.rules
        if rules not in played:
            played[rules] = _Rechecker(rules.of(system), request, budget)
        found.append(played[rules].check(certificate))
    send(Produced(tuple(found)))
    send(Finished())


class _Rechecker:
    """Re-checks answers about one system: what they show, and the verdict."""

    def __init__(self, system: System, request: ReplayRequest, budget: Budget) -> None:
        self._replayer = Replayer(system, survey=request.survey, prover=FreshProver())
        self._proves = request.prove
        self._system = system
        self._provers = provers(system, budget.limits)

    def check(self, certificate: Certificate) -> Replay:
        """What is found in a certificate, and whether its verdict is proved again."""
        found = self._replayer.check(certificate)
        if certificate.verdict is Verdict.UNKNOWN or not found.ok or not self._proves:
            return found
        holds = certificate.verdict is Verdict.HOLDS
        proof = proof_of(self._system, self._provers, certificate.question, holds, certificate.reading)
        if proof.wrong is not None:
            return replace(found, problems=(*found.problems, f"the proof of the verdict fails: {proof.wrong}"))
        return replace(found, again=proof.shown, unproved=proof.reason)
