"""Proves formulae for every size of a family by its counted system (`epistrat.every`).

The formulae of that system are checked by today's engines.  They prove something only if all that they rest on is proved again from the
evidence, by code that is not the engines'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

from epistrat.answers import Misuse, Result, Verdict
from epistrat.every.compare import TooLarge, difference
from epistrat.every.plan import NotATree, Outside, Plan, Template, planned, template, where
from epistrat.every.quotient import counted
from epistrat.jobs.limits import Limits
from epistrat.lang.load import without_text
from epistrat.model.agent import ENVIRONMENT
from epistrat.model.system import System
from epistrat.records import dataclass, field, replace
from epistrat.service.models import read_formula, text_of
from epistrat.service.requests import CheckRequest, File, Given, Text
from epistrat.service.run import ask
from epistrat.solvers.budget import Budget, OutOfBudget

SECONDS = 20.0
"""So long a part of a formula is tried."""
ALL_SECONDS = 90.0
"""And so long all of them."""
MOST_COMPARED = 2000
"""Models of so many states are compared with the counted system."""
MOST_TRIALS = 4
"""So many sizes are tried as the first from which on a formula holds."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The parts of a formula hold in the counted system for every size from ``start`` on."""

    start: int
    system: System = field(repr=False)
    results: tuple[Result, ...]
    digest: str

    method = "counters"


@dataclass(frozen=True, slots=True)
class Unproved:
    """Why there is no proof; ``fails`` is a size for which the counted system has a counterexample."""

    why: str
    fails: int | None = None

    def said(self, parameter: str) -> str:
        """The reason, with the size."""
        return self.why if self.fails is None else f"{self.why}: look at {parameter} = {self.fails}"


class Prover:
    """Tries the formulae of one text."""

    def __init__(self, text: str, parameter: str, given: Mapping[str, int], budget: Budget) -> None:
        self.digest = digest_of(text)
        self._parameter, self._budget = parameter, budget.at_most(ALL_SECONDS)
        self._tree: Template | None = None
        self._why = ""
        try:
            self._tree = template(text, parameter, given)
        except NotATree as wrong:
            self._why = f"{wrong.why} cannot be read as a template"

    def plan(self, place: int, first: int) -> Plan | Unproved:
        """What shows the formula that is written at this place for all sizes from ``first`` on."""
        tree = self._tree
        formula = None
        if tree is not None:
            formula = next((one for one in tree.formulae if one.at.start <= place < one.at.end), None)
        if tree is None or formula is None:
            return Unproved(self._why or "the formula has no tree")
        try:
            return planned(tree, formula, first)
        except Outside as outside:
            return Unproved(f"{outside.why}{where(tree, outside.at)}")

    def prove(self, place: int, first: int) -> Proved | Unproved:
        """A proof for all sizes from ``first`` on, or from where the counted system is one of the model."""
        plan = self.plan(place, first)
        return plan if isinstance(plan, Unproved) else self._asked(plan)

    def later(self, place: int, first: int) -> Proved | None:
        """A proof for all sizes from some size on, for a formula that fails for the size before ``first``."""
        for _ in range(MOST_TRIALS):
            found = self.prove(place, first)
            if isinstance(found, Proved):
                return found
            if found.fails is None:
                return None
            first = found.fails + 1
        return None

    def _asked(self, plan: Plan) -> Proved | Unproved:
        system = plan.counted.system
        results: list[Result] = []
        for text in plan.texts:
            try:
                result = self._answer(system, text)
            except OutOfBudget as limit:
                return Unproved(f"no proof was found: {limit}")
            why = _lacking(result)
            if why is not None:
                return Unproved(why, self._size(plan, result))
            results.append(result)
        return Proved(plan.start, system, tuple(results), self.digest)

    def _answer(self, system: System, text: str) -> Result:
        """The answer with the best evidence: where that of one engine cannot be proved again, another one is asked."""
        left = self._budget.remaining
        request = CheckRequest(
            model=Given(system, without_text(system)),
            formulae=(text,),
            evidence=True,
            limits=Limits(seconds=SECONDS if left is None else min(SECONDS, left)),
        )
        found = ask(request, self._budget.at_most(SECONDS))[0].results[0]
        if found.verdict is Verdict.HOLDS and _lacking(found) is not None and found.engine != "abstraction":
            other = ask(replace(request, engine="abstraction"), self._budget.at_most(SECONDS))[0].results[0]
            return other if _lacking(other) is None else found
        return found

    def _size(self, plan: Plan, result: Result) -> int | None:
        """The size of the counterexample, if there is one."""
        if result.verdict is not Verdict.FAILS or result.evidence is None:
            return None
        value = result.evidence.state[plan.counted.system.position[ENVIRONMENT, self._parameter]]
        return value if isinstance(value, int) else None


def digest_of(text: str) -> str:
    """What tells a text from others."""
    return sha256(text.encode()).hexdigest()


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


def _read(model: File | Text, parameter: str) -> Template:
    """The tree of a model; raises `Misuse`."""
    given = {name: value for name, value in model.parameters.items() if name != parameter}
    try:
        return template(text_of(model), parameter, given)
    except NotATree as wrong:
        raise Misuse(f"{model.name}: {wrong.why}") from None


def _least(tree: Template) -> int:
    return tree.parameter.least if tree.parameter.least is not None else 1


def classes(model: File | Text, parameter: str) -> list[tuple[str | None, int | None, str | None]]:
    """For each formula its name, and from which size on members can be counted for it, or why they cannot; raises `Misuse`."""
    tree = _read(model, parameter)
    found: list[tuple[str | None, int | None, str | None]] = []
    for one in tree.formulae:
        name = None if one.name is None else one.name.word
        try:
            found.append((name, planned(tree, one, _least(tree)).start, None))
        except Outside as outside:
            found.append((name, None, f"{outside.why}{where(tree, outside.at)}"))
    return found


def counted_system(model: File | Text, parameter: str, only: Sequence[int | str] | None) -> System | Unproved:
    """The counted system with the parts of a formula, if one is given; raises `Misuse`."""
    tree = _read(model, parameter)
    names = [None if one.name is None else one.name.word for one in tree.formulae]
    chosen = [one for number, one in enumerate(tree.formulae, 1) if {number, names[number - 1]} & set(only or ())]
    if only is not None and len(chosen) != 1:
        raise Misuse("each formula has a system of its own: give the number or the name of one")
    try:
        if not chosen:
            return counted(replace(tree, fairness=()), (), _least(tree)).system
        plan = planned(tree, chosen[0], _least(tree))
    except Outside as outside:
        return Unproved(f"{outside.why}{where(tree, outside.at)}")
    system = plan.counted.system
    return replace(system, formulae=tuple([read_formula(one, system) for one in plan.texts]))


def differs(plan: Plan, system: System, size: int) -> str | None:
    """How the counted system differs from the model of a size, as far as that is small enough to be looked at."""
    try:
        return difference(plan.counted, system, size, MOST_COMPARED)
    except (TooLarge, OutOfBudget):
        return None
