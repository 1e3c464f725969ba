"""Re-checking certificates: the question, its verdict, the reading of strategies, and every claim of the trees that show it.

A certificate is refused unless the claim at the root of each tree is the question's formula and its truth is the verdict's.  *Fails*
needs one initial state (from which a fair run starts).  *Holds* needs all of them: those that no tree speaks of are looked at too, as
far as a strategy that was shown serves them or all states can be visited; the rest is listed as not re-checked.  Under the uniform
reading a tree rests on a strategy (one that fails, on all of them): the system whose agents follow it is built anew, and the formula
is checked there.
"""

from __future__ import annotations

from functools import cached_property

from epistrat.answers.certificate import Certificate
from epistrat.answers.verdict import Named, Strategies, Verdict
from epistrat.evidence.claims import in_words, is_fair_start, parts
from epistrat.evidence.coverage import Coverage, TooMany
from epistrat.evidence.defeats import leaves_a_choice
from epistrat.evidence.entail import Entailment
from epistrat.evidence.findings import MOST_SURVEYED, Findings, Replay, Starts
from epistrat.evidence.histories import Histories
from epistrat.evidence.points import point_claim
from epistrat.evidence.proofs import Proofs
from epistrat.evidence.prover import Prover
from epistrat.evidence.restrict import restrict
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.strategy import UniformStrategy, actors
from epistrat.evidence.survey import Survey
from epistrat.evidence.tree import (
    Chosen,
    Derivation,
    Descent,
    Enforced,
    Invariant,
    Region,
    Remembered,
    Restricted,
    Tree,
    Unbalanced,
)
from epistrat.evidence.trees import TreeChecker
from epistrat.logic.formula import Tag, Tagged
from epistrat.logic.histories import about_histories
from epistrat.logic.show import show
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.model.visited import Visited
from epistrat.records import replace
from epistrat.solvers.budget import OutOfBudget

MOST_PLAYED = 5_000
MOST_STARTS = 1_000
MOST_EXAMPLES = 5


class Replayer:
    """Re-checks certificates about one system, and keeps what they share.

    ``limit`` bounds how many states are visited to play out a strategy.  Where the system has at most ``survey`` states, they are all
    visited to check what is said about all of them.  ``prover`` re-proves what is said about infinitely many.  The system is taken to be
    the one that the certificates' ``rules`` are played in already: choices, blocking and scheduling are the system's.
    """

    def __init__(
        self,
        system: System,
        *,
        limit: int = MOST_PLAYED,
        survey: int = MOST_SURVEYED,
        prover: Prover | None = None,
        visited: Visited | None = None,
    ) -> None:
        self._system = system
        self._visited = visited or Visited(system)
        self._runs = RunChecker(system)
        self._limit = limit
        self._most = survey
        self._prover = prover
        self._surveys: dict[Strategies, Survey] = {}

    def check(self, certificate: Certificate) -> Replay:
        """What is found in a certificate."""
        findings = Findings()
        asked = point_claim(certificate.question)
        holds = certificate.verdict is Verdict.HOLDS
        confirmed = self._on_histories(certificate, findings)
        if confirmed and not certificate.trees:
            return findings.replay()
        if certificate.verdict is Verdict.UNKNOWN or not certificate.trees:
            findings.trust(f"{show(certificate.question)} {certificate.verdict.value}")
            findings.starts = Starts(0, None if holds else 0)
            return findings.replay()
        for tree in certificate.trees:
            if tree.claim != asked:
                findings.problems.append(f"{in_words(tree)}: the question is {show(certificate.question)}")
            elif tree.holds is not holds:
                findings.problems.append(f"{in_words(tree)}: the verdict is {certificate.verdict.value}")
        if findings.problems:
            return findings.replay()
        if certificate.reading is Strategies.UNIFORM:
            self._uniform(certificate, findings)
        else:
            self._plain(certificate, findings)
        for survey in self._surveys.values():
            findings.too_many, survey.too_many = findings.too_many or survey.too_many, False
        if confirmed:  # whatever was not looked at by itself: the verdict as a whole was
            findings.trusted.clear()
            findings.starts = Starts()
        return findings.replay()

    @cached_property
    def _histories(self) -> Histories:
        return Histories(self._system, self._most, self._visited)

    def _on_histories(self, certificate: Certificate, findings: Findings) -> bool:
        """Check a verdict about histories by going through all of them; False where they are too many, or it is about something else."""
        if certificate.verdict is Verdict.UNKNOWN or not about_histories(certificate.question):
            return False
        holds = self._histories.holds(certificate.question)
        if holds is None:
            return False
        findings.checked = findings.surveyed = 1
        if holds is not (certificate.verdict is Verdict.HOLDS):
            findings.problems.append(f"{show(certificate.question)} {'holds' if holds else 'fails'}")
        return True

    # The readings any, objective and subjective

    def _plain(self, certificate: Certificate, findings: Findings) -> None:
        certificate = _as_tagged(certificate)
        checker = self._checker(certificate, findings)
        shown: list[State] = []
        for tree in certificate.trees:
            wrong = self._runs.initial(tree.state)
            if wrong is not None:
                findings.problems.append(f"at the root: {wrong}")
            elif checker.tree(tree, (tree.state,)) and self._starts_fairly(tree, findings):
                shown.append(tree.state)
        if certificate.verdict is Verdict.HOLDS and not findings.problems:
            self._other_starts(certificate, shown, checker, findings)
        else:
            findings.starts = Starts(len(set(shown)))

    def _checker(self, certificate: Certificate, findings: Findings) -> TreeChecker:
        reading = certificate.reading
        survey = self._survey(reading)
        entailment = Entailment(self._runs, survey, reading, self._limit, findings, named=certificate.named)
        proofs = Proofs(self._system, self._prover, reading)
        histories = self._histories if about_histories(certificate.question) else None
        return TreeChecker(entailment, proofs, findings, histories)

    def _survey(self, reading: Strategies) -> Survey:
        found = self._surveys.get(reading)
        if found is None:
            found = self._surveys[reading] = Survey(self._runs, self._most, reading, self._visited)
        return found

    def _starts_fairly(self, tree: Tree, findings: Findings) -> bool:
        """A formula fails only where a fair run starts."""
        if tree.holds or not self._system.fairness or any(map(is_fair_start, parts(tree))):
            return True
        findings.problems.append(f"{in_words(tree)}: it is not shown that a fair run starts in this initial state")
        return False

    def _other_starts(
        self, certificate: Certificate, shown: list[State], checker: TreeChecker, findings: Findings
    ) -> None:
        """What holds must hold in all initial states, those included that no tree speaks of.

        One proof may serve all of them: it must be one that shows the claim, and not merely stand beside one that does.
        """
        claim = f"{show(certificate.question)} holds"
        first = certificate.trees[0]
        proofs = [one for one in first.because if isinstance(one, (Invariant, Region, Descent, Derivation))]
        if any(checker.proofs.starts(first, one) for one in proofs):
            findings.starts = Starts(len(set(shown)))
            return
        try:
            starts = initial_states(self._system, min(MOST_STARTS, self._limit))
        except OutOfBudget:
            findings.trust(f"{claim} in the other initial states")
            findings.starts = Starts(len(set(shown)), None)
            return
        rest = [state for state in starts if state not in set(shown)]
        served = self._served(certificate, starts, checker)
        found = {state: state in served or self._at_start(certificate, state, checker) for state in rest}
        missing = [state for state, value in found.items() if value is None]
        if False in found.values():
            findings.problems.append(f"{claim}: it fails in another initial state")
        if missing:
            findings.trust(f"{claim} in {len(missing)} more initial state{'s' if len(missing) > 1 else ''}")
        checked = len(set(shown)) + len(rest) - len(missing)
        findings.starts = Starts(checked, len(missing), tuple(missing[:MOST_EXAMPLES]), served.issuperset(starts))

    def _served(self, certificate: Certificate, starts: list[State], checker: TreeChecker) -> set[State]:
        """The initial states from which the first strategy that is shown succeeds."""
        first = certificate.trees[0]
        if not _shows_strategy(first):
            return set()
        return {s for s in starts if s == first.state or self._serves(first, certificate, s, checker)}

    def _at_start(self, certificate: Certificate, state: State, checker: TreeChecker) -> bool | None:
        """Whether the formula holds in an initial state that no tree speaks of; None: cannot tell."""
        survey = checker.entailment.survey
        asked = point_claim(certificate.question)
        if survey.counts(state) is False:
            return True
        value = self._runs.conditions.value(asked, state, {})
        value = survey.value(asked, state) if value is None else value
        if value is not None:
            return value
        others = filter(_shows_strategy, certificate.trees[1:])
        return any(self._serves(tree, certificate, state, checker) for tree in others) or None

    def _serves(self, tree: Tree, certificate: Certificate, state: State, checker: TreeChecker) -> bool:
        """Whether the strategy that a tree shows succeeds from another initial state too."""
        if checker.entailment.survey.counts(state) is False:
            return True
        quiet = self._checker(certificate, Findings())
        return quiet.entailment.shows(replace(tree, state=state), (state,)) and not quiet.findings.trusted

    # The uniform reading

    def _uniform(self, certificate: Certificate, findings: Findings) -> None:
        """A formula holds because of one uniform strategy; it fails because of all of them."""
        outside = next((wrong for tree in certificate.trees if (wrong := self._runs.initial(tree.state))), None)
        wrong = self._misfit(certificate) if outside is None else f"at the root: {outside}"
        if wrong is not None:
            findings.problems.append(wrong)
            return
        holds = certificate.verdict is Verdict.HOLDS
        bodies = [one for tree in certificate.trees for one in tree.because if isinstance(one, Restricted)]
        strategies = list(dict.fromkeys(body.strategy for body in bodies))
        if not holds:
            self._all_strategies(strategies, findings)
        for strategy in strategies:
            narrowed = restrict(self._system, strategy)
            self._fixes_everything(narrowed, self._followers(certificate.group), findings)
            trees = tuple(body.tree for body in bodies if body.strategy == strategy)
            inner = replace(certificate, reading=Strategies.ANY, group=None, trees=trees)
            findings.add(Replayer(narrowed, limit=self._limit, survey=self._most, prover=self._prover).check(inner))

    def _misfit(self, certificate: Certificate) -> str | None:
        """What is wrong with the trees of an answer under the uniform reading, before they are looked into."""
        followers = self._followers(certificate.group)
        for tree in certificate.trees:
            bodies = [one for one in tree.because if isinstance(one, Restricted)]
            if not bodies or len(bodies) < len(tree.because):
                return "under the uniform reading a tree rests on uniform strategies"
            for body in bodies:
                if (body.tree.claim, body.tree.holds) != (tree.claim, tree.holds):
                    return "a strategy is said to show something else"
                if not set(actors(body.strategy)) <= followers or set(body.strategy.group.members) != followers:
                    return f"the strategy is not one of {', '.join(sorted(followers)) or 'nobody'}"
            if tree.holds and (bodies[0].tree.state != tree.state or bodies[0].strategy != _first(certificate)):
                return "the trees rest on different strategies, or speak of other states"
            if tree.holds and len(bodies) > 1:
                return "one strategy is enough for a formula that holds"
        return None

    def _all_strategies(self, strategies: list[UniformStrategy], findings: Findings) -> None:
        try:
            if not Coverage(self._runs.stepper, self._limit).complete(strategies):
                findings.problems.append("some uniform strategy was not tried")
        except TooMany:
            findings.trust("all uniform strategies were tried")

    def _followers(self, group: tuple[str, ...] | None) -> set[str]:
        return {agent.name for agent in self._system.agents} if group is None else set(group)

    def _fixes_everything(self, narrowed: System, followers: set[str], findings: Findings) -> None:
        """A uniform strategy leaves its followers one action in every reachable state."""
        try:
            starts = initial_states(narrowed, self._limit)
            left = leaves_a_choice(RunChecker(narrowed), followers, starts, self._limit)
        except OutOfBudget:
            left = None
        if left is None:
            findings.trust("the strategy fixes one action for everybody in every reachable state")
        elif left:
            findings.problems.append("the strategy leaves somebody a choice")


def _shows_strategy(tree: Tree) -> bool:
    """Whether a tree rests on strategies alone."""
    return bool(tree.because) and all(
        isinstance(one, (Enforced, Remembered, Chosen, Unbalanced)) for one in tree.because
    )


def _as_tagged(certificate: Certificate) -> Certificate:
    """The certificate, strategies being read as the question's tag says, if it has one."""
    if not isinstance(certificate.question, Tagged):
        return certificate
    tag = certificate.question.tag
    reading = Strategies.OBJECTIVE if tag is Tag.VIEWS else Strategies.ANY
    named = Named(tag, tag, tag is Tag.PERFECT, certificate.named.states_only)
    return replace(certificate, reading=reading, named=named)


def _first(certificate: Certificate) -> UniformStrategy | None:
    """The strategy of the first tree."""
    first = certificate.trees[0].because[0]
    return first.strategy if isinstance(first, Restricted) else None


def replay(
    system: System,
    certificate: Certificate,
    *,
    limit: int = MOST_PLAYED,
    survey: int = MOST_SURVEYED,
    prover: Prover | None = None,
) -> Replay:
    """Re-check one certificate; see `Replayer`."""
    return Replayer(system, limit=limit, survey=survey, prover=prover).check(certificate)
