"""Forgeries of evidence that is shown state by state: runs, look-alikes, strategies, answers, sets.

They are lies of an engine (`tests.generators.lies`), cells that a run leaves, or the same answer about a system with one premise less.
Whether something is false is decided by the reference engine (the verdict, or a claim inside, is not true), or by looking at every step
of every run: an impossible one shows nothing, whatever is true.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress

from tests.evidence.forgeries.case import Case
from tests.evidence.forgeries.weaken import ABOUT_SYSTEMS
from tests.generators.lies import LIES, Scene, claims, on_reasons

from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.reference.engine import ReferenceEngine
from epistrat.engines.reference.judge import Judge
from epistrat.evidence import Abstract, Along, Around, Elsewhere, LookAlike, Path, Reason, Restricted, Tree
from epistrat.evidence.points import looks_back
from epistrat.logic.formula import Formula
from epistrat.model.explore import ReachableGraph, TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.solvers.budget import Budget, OutOfBudget

MOST_STATES = 60
SECONDS = 2.0
"""What is not decided by then is not counted among the forgeries."""

WHOLE = {
    "flips the verdict",
    "flips the verdict and the roots",
    "flips everything",
    "says the opposite because of a set",
    "denies the question",
    "answers another formula",
    "puts another formula at the root",
    "swaps trees",
    "swaps reasons",
}
"""Lies about the answer as a whole, which drop no premise."""


class Truth:
    """What the reference engine says about claims in states of one system; nothing where it has too many states."""

    def __init__(self, system: System, reading: Strategies) -> None:
        self._system = system
        self._reading = reading
        self._graph = _graph(system)
        self._labels = None
        if self._graph is not None:
            with suppress(OutOfBudget):
                self._labels = Judge(Stepper(system), self._graph, reading, Budget(seconds=SECONDS)).labels()

    def denies(self, certificate: Certificate) -> bool:
        """Whether the verdict or some claim is false."""
        if self._labels is None:
            return False
        options = Options(certificate.reading, certificate.group)
        try:
            session = ReferenceEngine().open(self._system, options, Budget(states=MOST_STATES, seconds=SECONDS))
            verdict = session.check(certificate.question).verdict
            if verdict is Verdict.UNKNOWN:
                return False
            if verdict is not certificate.verdict:
                return True
            return not all(self._true(*claim) for claim in claims(certificate) if not looks_back(claim[1]))
        except OutOfBudget:
            return False

    def _true(self, state: State, claim: Formula, holds: bool) -> bool:
        if self._reading is Strategies.UNIFORM:  # claims are about another system
            return True
        assert self._labels is not None and self._graph is not None
        world = self._labels.world
        nodes = [node for node in world.nodes if self._graph.states[world.graph.state[node]] == state]
        return all((node in self._labels.of(claim)) is holds for node in nodes)


def is_true(case: Case) -> bool:
    """Whether the verdict is true, as far as few states tell: then the other initial states need no proof, they can be visited."""
    session = ReferenceEngine().open(case.system, Options(case.certificate.reading), Budget(states=400, seconds=5))
    try:
        return session.check(case.certificate.question).verdict is case.certificate.verdict
    except OutOfBudget:
        return False


def _graph(system: System) -> ReachableGraph | None:
    try:
        return explore(Stepper(system), initial_states(system, MOST_STATES, Budget(seconds=2)), MOST_STATES)
    except (TooManyStates, OutOfBudget):
        return None


def lies_about(case: Case, rng: random.Random) -> Iterator[tuple[str, Case]]:
    """Forgeries of a case, each with what was dropped or changed."""
    truth = Truth(case.system, case.certificate.reading)
    graph = _graph(case.system)
    states = graph.states if graph is not None else [tree.state for tree in case.certificate.trees]
    scene = Scene(case.system, case.certificate, states)
    for name, lie in [*((name, lie) for name, lie in LIES.items() if name not in WHOLE), *_CELLS.items()]:
        told = lie(rng, scene, case.certificate)
        if told is not None and told != case.certificate:
            reread = truth if told.reading is case.certificate.reading else Truth(case.system, told.reading)
            if impossible(case.system, told) or reread.denies(told):
                yield name, Case(case.system, told, case.source)
    for name, weaken in ABOUT_SYSTEMS.items():
        weaker = weaken(rng, case)
        if weaker is not None:
            there = Truth(weaker.system, weaker.certificate.reading)
            if impossible(weaker.system, weaker.certificate) or there.denies(weaker.certificate):
                yield name, weaker


# Runs


def impossible(system: System, certificate: Certificate) -> bool:
    """Whether some run is none, starts where it must not, or leaves its cells; or a look-alike looks different.

    What is said about a system that follows a strategy is not looked into.
    """
    stepper = Stepper(system)
    pending = list(certificate.trees)
    if any(not _initial(stepper, tree.state) for tree in pending):
        return True
    while pending:
        tree = pending.pop()
        for reason in tree.because:
            if _impossible(stepper, tree, reason):
                return True
        if not any(isinstance(reason, Restricted) for reason in tree.because):
            pending.extend(tree.below())
    return False


def _impossible(stepper: Stepper, tree: Tree, reason: Reason) -> bool:
    match reason:
        case Abstract(cells, run):
            states = run.path.states if isinstance(run, Along) else run.lasso.states
            holds = stepper.evaluator.holds
            outside = len(cells) != len(states) or not all(map(holds, cells, states))
            return _impossible(stepper, tree, run) or outside
        case Along(path):
            return path.states[0] != tree.state or not _is_run(stepper, path)
        case Around(lasso, _, at):
            if not (0 <= at < len(lasso.states) and 0 <= lasso.loop < len(lasso.states)):
                return True
            around = Path((*lasso.states, lasso.states[lasso.loop]), lasso.actions)
            return lasso.states[at] != tree.state or not _is_run(stepper, around)
        case LookAlike(agents, run, inner):
            seen = {place for name in agents for place in stepper.system.views[name]}
            alike = all(tree.state[place] == inner.state[place] for place in seen)
            return not alike or not _leads(stepper, run, inner.state)
        case Elsewhere(run, inner):
            return not _leads(stepper, run, inner.state)
        case _:
            return False


def _leads(stepper: Stepper, run: Path, state: State) -> bool:
    return bool(run.states) and _initial(stepper, run.states[0]) and run.last == state and _is_run(stepper, run)


def _initial(stepper: Stepper, state: State) -> bool:
    return stepper.evaluator.holds(stepper.system.initial, state)


def _is_run(stepper: Stepper, path: Path) -> bool:
    if len(path.actions) != len(path.states) - 1:
        return False
    steps = zip(path.states[:-1], path.actions, path.states[1:], strict=True)
    return all((joint, target) in stepper.successors(state) for state, joint, target in steps)


def _a_cell_is_another(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Abstract) or len(reason.cells) < 2:
            return None
        cells = list(reason.cells)
        one, other = rng.sample(range(len(cells)), 2)
        cells[one], cells[other] = cells[other], cells[one]
        return replace(reason, cells=tuple(cells))

    return on_reasons(rng, true, change)


def _a_cell_is_left_out(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        return replace(reason, cells=reason.cells[1:]) if isinstance(reason, Abstract) else None

    return on_reasons(rng, true, change)


def _a_step_of_an_abstract_run_is_left_out(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Abstract) or not isinstance(reason.run, Along) or len(reason.run.path.states) < 3:
            return None
        path, out = reason.run.path, rng.randrange(1, len(reason.run.path.states) - 1)
        shorter = Path(path.states[:out] + path.states[out + 1 :], path.actions[:out] + path.actions[out + 1 :])
        kept = tuple((at - (at > out), tree) for at, tree in reason.run.claims if at != out)
        return Abstract(reason.cells[:out] + reason.cells[out + 1 :], Along(shorter, kept))

    return on_reasons(rng, true, change)


_CELLS = {
    "a cell is another": _a_cell_is_another,
    "a cell is left out": _a_cell_is_left_out,
    "a step of an abstract run is left out": _a_step_of_an_abstract_run_is_left_out,
}
