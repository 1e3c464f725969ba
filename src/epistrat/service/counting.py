"""Proves formulae for every size of a family by its counted system (`epistrat.every`).

The formulae of that system are checked by today's engines.  They prove something only if all that they rest on is proved again from the
evidence, by code that is not the engines'.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from epistrat.answers import Result, Verdict
from epistrat.every.plan import NotATree, Outside, Plan, Template, planned, template, where
from epistrat.jobs.limits import Limits
from epistrat.lang.load import without_text
from epistrat.model.agent import ENVIRONMENT
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.service.requests import CheckRequest, Given
from epistrat.service.run import ask
from epistrat.solvers.budget import Budget, OutOfBudget

SECONDS = 20.0
"""So long a part of a formula is tried where the user sets no limit."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The parts of a formula hold in the counted system for every size from ``start`` on."""

    start: int
    system: System = field(repr=False)
    results: tuple[Result, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Unproved:
    """Why there is no proof; ``fails`` is a size for which the counted system has a counterexample."""

    why: str
    fails: int | None = None


class Prover:
    """Tries the formulae of one text."""

    def __init__(self, text: str, name: str, parameter: str, given: Mapping[str, int], budget: Budget) -> None:
        self.digest = sha256(text.encode()).hexdigest()
        self._parameter, self._budget = parameter, budget
        self._tree: Template | None = None
        self._why = ""
        try:
            self._tree = template(text, parameter, given, name)
        except NotATree as wrong:
            self._why = f"{wrong.why} cannot be read as a template"

    def prove(self, index: int, first: int) -> Proved | Unproved:
        """The formula with this number, as they are written, for all sizes from ``first`` on."""
        tree = self._tree
        if tree is None:
            return Unproved(self._why)
        try:
            plan = planned(tree, tree.formulae[index - 1], first)
        except Outside as outside:
            return Unproved(f"{outside.why}{where(tree, outside.at)}")
        return self._asked(plan)

    def _asked(self, plan: Plan) -> Proved | Unproved:
        system = plan.counted.system
        results: list[Result] = []
        for text in plan.texts:
            left = self._budget.remaining
            request = CheckRequest(
                model=Given(system, without_text(system)),
                formulae=(text,),
                evidence=True,
                limits=Limits(seconds=SECONDS if left is None else min(SECONDS, left)),
            )
            try:
                result = ask(request, self._budget.at_most(SECONDS))[0].results[0]
            except OutOfBudget as limit:
                return Unproved(f"no proof was found: {limit}")
            why = _lacking(result)
            if why is not None:
                return Unproved(why, self._size(plan, result))
            results.append(result)
        return Proved(plan.start, system, tuple(results), self.digest)

    def _size(self, plan: Plan, result: Result) -> int | None:
        """The size of the counterexample, if there is one."""
        if result.verdict is not Verdict.FAILS or result.evidence is None:
            return None
        value = result.evidence.state[plan.counted.system.position[ENVIRONMENT, self._parameter]]
        return value if isinstance(value, int) else None


def _lacking(result: Result) -> str | None:
    """What is missing from a proof."""
    if result.verdict is Verdict.FAILS:
        return "it fails for some size, by the counted system"
    if result.verdict is Verdict.UNKNOWN:
        return f"no proof was found: {result.reason or 'it was not decided'}"
    if result.replay is None or not result.replay.complete:
        engine = result.engine or "an engine"
        return f"it holds for every size according to the engine {engine}, but the proof cannot be re-checked"
    return None
