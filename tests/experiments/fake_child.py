"""A child that answers without checking: it writes down what it was asked, waits, and says what ``EPISTRAT_FAKE`` says.

That is a JSON object: ``log`` a file, ``seconds`` for each value of ``n`` (or ``other``), ``names`` of formulae with the time limit
above which they hold.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from epistrat.answers import DONE, Facts, Question, Result, Verdict
from epistrat.children.channel import channel
from epistrat.logic.formula import Truth
from epistrat.service.events import Answered, Finished


def main() -> None:
    fake = json.loads(os.environ["EPISTRAT_FAKE"])
    spoken = channel()
    request = spoken.receive()
    known = fake.get("names", {"p": 0})
    asked = [str(one) for one in request.only] if request.only else list(known)
    n = str(request.model.parameters.get("n", ""))
    with Path(fake["log"]).open("a") as log:
        log.write((",".join(asked) if "names" in fake else f"n={n}") + "\n")
    waits = fake.get("seconds", {})
    time.sleep(waits.get(n, waits.get("other", 0)))
    for place, name in enumerate(asked, start=1):
        verdict = Verdict.HOLDS if request.limits.seconds > known[name] else Verdict.UNKNOWN
        spoken.send(Answered(Result(verdict, question=Question(place, Truth(True), name, name=name))))
    spoken.send(Finished(DONE, Facts(states=10**30)))
