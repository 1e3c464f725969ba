"""Verdicts proved again, as a stage after the answer: within a share of what the check cost, or in full where that is asked for."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from epistrat.answers import Misuse, Result, Setting, Strategies, Verdict
from epistrat.answers.backing import Backing, Standing
from epistrat.engines.contract import Options
from epistrat.evidence.findings import MOST_SURVEYED, Replay
from epistrat.evidence.histories import Histories
from epistrat.evidence.proof import moments
from epistrat.evidence.proof.attempt import TOO_LARGE, Proof
from epistrat.evidence.proof.bits import NotProvable, Order, size_of, width
from epistrat.evidence.proof.prove import Hinted, Prover
from epistrat.evidence.proof.world import Means, Tick
from epistrat.jobs import Portfolio
from epistrat.logic.formula import Formula
from epistrat.logic.histories import about_histories
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.solvers.disagreement import Contradiction

if TYPE_CHECKING:
    from epistrat.evidence.proof.files import Solver
    from epistrat.proving.fresh import Kept

SHARE = 0.2  # of what the check cost
LEAST = 0.2  # seconds, all verdicts of a request together
_COUNTED = 0.75  # of a share: the rest is for what looks at no clock, such as the last operation, imports, and freeing what was made
_NODES = 1 << 24  # of the diagrams of proofs; only those in use take memory
_PER_SECOND = 1 << 20  # of them in a second of a share: no single operation, which looks at no clock, takes much longer
_LEAST_TABLE = 0.5  # seconds that a table is made for at least
_SMALL = 48  # bits of a state
_CACHES = (
    1 << 18,
    1 << 20,
)  # entries, for small states and for others: a larger one takes longer to clear than small proofs take


class Proving:
    """Proves the verdicts of one request; ``full``: whatever it takes, else within a share of the check's cost."""

    def __init__(
        self,
        system: System,
        options: Options,
        budget: Budget,
        full: bool,
        required: bool = False,
        questions: int = 1,
        keeping: Keeping | None = None,
    ) -> None:
        self._keeping = keeping
        self._further = questions  # that are not answered yet: a proof leaves time for them
        self._system = system
        self._options = options
        self._budget = budget
        self._full = full
        self._required = required
        self._provers: Provers | None = None
        self._histories: Histories | None = None
        self._checked = 0.0  # seconds that checks took
        self._spent = 0.0
        self._tick = budget.limits

    @property
    def keeps(self) -> bool:
        """Whether obligations are to be kept."""
        return self._keeping is not None

    def on(self, result: Result, portfolio: Portfolio, asked: Sequence[Kept] = ()) -> Result:
        """The result with what stands behind it; where its proof fails, or is required and missing, there is no verdict.

        ``asked`` are the questions of a solver that re-checked what is shown about infinitely many states.
        """
        self._checked += result.cpu
        self._further -= 1
        if not result.decided or result.question.property is not None:
            return result
        started = time.process_time()
        with self._budget.aside(self._further + 1):
            proof = self._proof(result, portfolio)
            found = self._backing(result, proof)
            spent = time.process_time() - started
            if self._keeping is not None and found.standing is Standing.PROVED:
                result = self._keeping.keep(result, proof, asked, self._budget)
        self._spent += spent
        result = replace(result, backing=replace(found, seconds=spent), replay=told(result.replay, found))
        if found.standing is Standing.REFUTED:
            return self._refuted(result, found)
        if self._required and found.standing is Standing.ALONE:
            why = f"{result.verdict.value} by {result.engine}, but there is no proof: {found.reason}"
            return replace(result, verdict=Verdict.UNKNOWN, reason=why)
        return result

    def _backing(self, result: Result, proof: Proof) -> Backing:
        if proof.shown:
            return Backing(Standing.PROVED, proof.obligations)
        if proof.wrong is not None:
            return Backing(Standing.REFUTED, proof.obligations, proof.wrong)
        if result.replay is not None and result.replay.complete:
            return Backing(_of_replay(result.replay))
        if about_histories(result.formula):
            holds = self._by_histories(result.formula)
            if holds is (result.verdict is Verdict.HOLDS):
                return Backing(Standing.CHECKED)
            if holds is not None:
                said = Verdict.HOLDS if holds else Verdict.FAILS
                return Backing(Standing.REFUTED, 0, f"going through all histories it {said.value}")
        return Backing(Standing.ALONE, reason=proof.reason if self._system.finite else _unbounded(result.replay))

    def _by_histories(self, formula: Formula) -> bool | None:
        """Whether the formula is true, where histories are few enough to go through all of them; else None."""
        if not self._full:
            self._tick = _Share(self._budget, self._left()).check
        if self._histories is None:
            self._histories = Histories(self._system, MOST_SURVEYED, tick=lambda: self._tick())
        try:
            return self._histories.holds(formula)
        except OutOfBudget:
            return None

    def _proof(self, result: Result, portfolio: Portfolio) -> Proof:
        self._tick = self._budget.limits
        left = math.inf
        if not self._full:
            left = self._left()
            if left <= 0:
                return Proof(False, reason=_TOO_LONG)
            self._tick = _Share(self._budget, left).check
        holds = result.verdict is Verdict.HOLDS
        made = self._opened(result, portfolio, left)
        proof = proof_of(self._system, made, result.formula, holds, result.reading, self.keeps)
        return replace(proof, reason=_TOO_LONG) if not self._full and proof.reason == TOO_LARGE else proof

    def _left(self) -> float:
        """Seconds of the share that may still be used."""
        return _COUNTED * max(LEAST, SHARE * self._checked) - self._spent

    def _opened(self, result: Result, portfolio: Portfolio, left: float) -> Provers:
        if self._provers is None:
            nodes = int(min(_NODES, _PER_SECOND * max(_LEAST_TABLE, left)))

            def tick() -> None:
                self._tick()

            self._provers = provers(self._system, tick, lambda: portfolio.hinted(result, tick), nodes)
        return self._provers

    def _refuted(self, result: Result, found: Backing) -> Result:
        """No verdict; what other engines say is told with it.  Tests see it as an error (see `epistrat.answers.decoration`)."""
        from epistrat.engines import choose

        said = [f"{result.engine} says {result.verdict.value}, and its proof fails ({found.reason})"]
        if os.environ.get("EPISTRAT_STRICT"):
            raise Contradiction(f"{result.text}: {said[0]}")
        for choice in choose.every(self._system, result.formula, self._options):
            if choice.engine.name == result.engine:
                continue
            with Portfolio(self._system, choice.engine.name, self._options, self._budget.at_most(_OTHERS)) as others:
                other = others.answer(result.question)
            if other.decided:
                said.append(f"{other.engine} says {other.verdict.value}")
                break
        return replace(result, verdict=Verdict.UNKNOWN, reason="; ".join(said), evidence=None, others=())


class Keeping:
    """Keeps the obligations of proofs as files; ``about`` is what each manifest says of the model.

    Raises `Misuse` where files cannot be written.
    """

    def __init__(self, folder: str, about: Mapping[str, Any], drat: bool = False) -> None:
        from epistrat.evidence.proof import files

        self._folder, self._about, self._drat = Path(folder), about, drat
        self._files = files
        with self._writing():
            files.prepare(self._folder)

    def keep(self, result: Result, proof: Proof, asked: Sequence[Kept], budget: Budget) -> Result:
        """The result, whose proof is kept: its obligations, or what a solver was asked; a limit leaves them out, which is noted."""
        folder = self._folder / str(result.index)
        said = {**self._about, **_said(result)}
        try:
            with self._writing():
                if proof.shown:
                    self._files.write(folder, said, proof.kept, self._solver(budget), budget.limits)
                elif asked:
                    self._files.write_questions(folder, said, asked)
        except OutOfBudget as limit:
            return replace(result, notes=(*result.notes, f"The obligations of its proof are not kept: {limit}."))
        return result

    def _solver(self, budget: Budget) -> Solver | None:
        if not self._drat:
            return None
        from epistrat.solvers.sat import refutation

        return partial(refutation, conflicts=_CONFLICTS, tick=budget.limits)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as wrong:
            raise Misuse(f"{{}}: {wrong.strerror}: {_plain(self._folder)}", Setting("proof")) from None


def _plain(folder: Path) -> str:
    """Its name in a text in which braces stand for settings."""
    return str(folder).replace("{", "{{").replace("}", "}}")


class _Share:
    """A budget of which so many processor seconds may be used."""

    def __init__(self, budget: Budget, seconds: float) -> None:
        self._budget = budget
        self._ends = time.process_time() + seconds

    def check(self) -> None:
        """Raise `OutOfBudget` if a limit is reached."""
        self._budget.limits()
        if time.process_time() > self._ends:
            raise OutOfBudget(_TOO_LONG)


_CONFLICTS = 100_000  # of the SAT solver, for one refutation
_LONG = 1_000  # lines of agents: to find an order takes as long as half the share of a check that tells nothing else about them
_TOO_LONG = "a proof takes longer than its share of the time"
_OTHERS = 10.0  # seconds for another engine where a proof fails


Provers = Callable[[Strategies], Prover]
"""The prover for a reading of strategies, made when it is first needed."""


def provers(
    system: System, tick: Tick, hinted: Callable[[], Hinted | None] = lambda: None, nodes: int = _NODES
) -> Provers:
    """The provers of one system, each with so many nodes at most."""
    made: dict[Strategies, Prover] = {}

    def prover(reading: Strategies) -> Prover:
        if reading not in made:
            bits = sum(width(size_of(variable.domain)) for variable in system.variables)
            means = Means(nodes=nodes, cache=_CACHES[bits > _SMALL], tick=tick)
            made[reading] = Prover(system, hinted() or Hinted(order_of(system)), means, reading)
        return made[reading]

    return prover


def proof_of(
    system: System, prover: Provers, formula: Formula, holds: bool, reading: Strategies, keep: bool = False
) -> Proof:
    """A proof that the system satisfies the formula, or that it does not; nothing is raised."""
    if not system.finite:
        return Proof(False, reason="there are infinitely many states")
    if reading is Strategies.UNIFORM:
        return Proof(False, reason="agents fix their rules first")
    try:
        if about_histories(formula):
            return moments.prove(lambda: prover(reading).encoded, formula, holds, keep)
        return prover(reading).prove(formula, holds, keep)
    except NotProvable as limit:
        return Proof(False, reason=str(limit))
    except OutOfBudget as limit:
        return Proof(False, reason=str(limit))
    except MemoryError:
        return Proof(False, reason="memory ran out")


def told(replay: Replay | None, found: Backing) -> Replay | None:
    """What re-checking found, with what the proof adds to it."""
    if replay is None:
        return None
    return replace(replay, again=found.standing is Standing.PROVED and found.obligations > 0, unproved=found.reason)


def _said(result: Result) -> dict[str, str]:
    """What the manifest says of a verdict."""
    return {"formula": result.text, "verdict": result.verdict.value, "strategies": result.reading.value}


def _unbounded(replay: Replay | None) -> str:
    """Why a verdict about infinitely many states was not re-checked: without evidence there is nothing to re-check."""
    if replay is None or not replay.trusted:
        return "there are infinitely many states: what is shown as evidence is re-checked"
    return f"there are infinitely many states, and this is not re-checked: {'; '.join(replay.trusted[:2])}"


def _of_replay(replay: Replay) -> Standing:
    return Standing.PROVED if replay.proved else Standing.CHECKED


def order_of(system: System) -> Order:
    """An order of the bits, as the symbolic engine would begin with; for models that are long to read, as they are declared."""
    if sum(len(agent.protocol) + len(agent.evolution) for agent in system.agents) > _LONG:
        return ()
    from epistrat.encoding.bits import Layout
    from epistrat.encoding.footprint import Footprint
    from epistrat.encoding.order import Arrangement, Orders

    footprint = Footprint(system, freeze=True)
    layout = Layout(footprint.items, Orders(footprint).blocks(Arrangement()))
    return tuple(place for _, place in sorted(layout.places().items()))
