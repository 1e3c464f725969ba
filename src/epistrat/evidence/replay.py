"""Replaying evidence: every piece is checked with the system's steps alone; no engine is trusted.

`replay` walks a tree.  A claim is *shown* when its reasons, each of them checked, entail it by the definition of its operator.  Where a
reason is a fixpoint (what holds in *all* states of some set), all states are visited if they are few; else the claim is the engine's word
and is counted as such.  Anything that does not fit is a problem.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from epistrat.evidence.games import GameChecker, Trusted, Wrong
from epistrat.evidence.linear import LassoTruth
from epistrat.evidence.points import FAIR_START, looks_back, point_claim
from epistrat.evidence.restrict import restrict
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.shapes import Literal, Reach, Stay, shapes
from epistrat.evidence.survey import Survey
from epistrat.evidence.trace import Lasso
from epistrat.evidence.witness import (
    Abstract,
    Along,
    Answered,
    Around,
    Elsewhere,
    Enforced,
    Fixpoint,
    Invariant,
    LookAlike,
    Part,
    Reason,
    Region,
    Restricted,
    Tree,
)
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model.state import State, indistinguishable
from epistrat.model.system import System

MOST_SURVEYED = 300


@dataclass(frozen=True, slots=True)
class Replay:
    """What replaying found: how many claims were checked, which remain the engine's word, and what is wrong.

    ``surveyed`` counts the claims among those checked for which all states were visited.
    """

    checked: int
    trusted: tuple[str, ...]
    problems: tuple[str, ...]
    surveyed: int = 0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def complete(self) -> bool:
        """Whether every claim was checked, none taken on trust."""
        return self.ok and not self.trusted


def survey_of(system: System, most: int = MOST_SURVEYED) -> Survey:
    """A survey that serves the replay of several trees."""
    return Survey(RunChecker(system), most)


def replay(system: System, tree: Tree, *, limit: int = 5_000, survey: Survey | int = MOST_SURVEYED) -> Replay:
    """Check a tree whose root is an initial state.

    ``limit`` bounds how many states are visited to play out a strategy.  Where the system has at most ``survey`` states, they are all
    visited to check what is said about all of them; a survey made before serves again.
    """
    runs = RunChecker(system)
    checker = _Replayer(runs, limit, survey if isinstance(survey, Survey) else Survey(runs, survey))
    wrong = checker.runs.initial(tree.state)
    if wrong is not None:
        checker.problems.append(f"at the root: {wrong}")
    else:
        checker.tree(tree, (tree.state,))
    return Replay(checker.checked, tuple(checker.trusted), tuple(checker.problems), checker.surveyed)


History = tuple[State, ...] | None


@dataclass
class _Replayer:
    """Walks a tree and collects findings.  A claim's ``history`` is the run that led to it, None if any run will do."""

    runs: RunChecker
    limit: int
    survey: Survey
    checked: int = 0
    surveyed: int = 0
    trusted: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def tree(self, tree: Tree, history: History) -> bool:
        """Check the tree; whether its claim may be used (it is shown, or it is the engine's word)."""
        wrong = self.runs.state(tree.state)
        if wrong is not None:
            return self._problem(tree, wrong)
        findings = [self._below(tree, reason, history) for reason in tree.because]
        if not all(findings):
            return False
        if self._shown(tree, history):
            self.checked += 1
            return True
        if any(isinstance(reason, (Fixpoint, Invariant, Region)) for reason in tree.because):
            surveyed = self.survey.value(tree.claim, tree.state)
            if surveyed is not None:
                self.checked += 1
                self.surveyed += 1
                return surveyed is tree.holds or self._problem(tree, "visiting all states says otherwise")
            self.trusted.append(_claim(tree))
            return True
        return self._problem(tree, "the reasons do not show it")

    def _problem(self, tree: Tree, words: str) -> bool:
        self.problems.append(f"{_claim(tree)}: {words}")
        return False

    # What is below a claim

    def _below(self, tree: Tree, reason: Reason, history: History) -> bool:
        """Check the runs and the trees of one reason, without asking what they show."""
        match reason:
            case Part(inner):
                return self._same_state(tree, inner) and self.tree(inner, history)
            case Along(path, claims):
                wrong = self.runs.path(path)
                if wrong is None and path.states[0] != tree.state:
                    wrong = "the path starts elsewhere"
                return self._along(tree, wrong, path.states, claims, history)
            case Around(lasso, claims, at):
                past = history if at == 0 else (lasso.states[0],)
                return self._along(tree, self._lasso(tree, reason, history), lasso.states, claims, past)
            case LookAlike(_, run, inner) | Elsewhere(run, inner):
                wrong = self.runs.run_to(run, inner.state)
                return self._problem(tree, wrong) if wrong is not None else self.tree(inner, None)
            case Enforced(claims=trees) | Answered(claims=trees):
                findings = [self.tree(inner, None) for inner in trees]
                return all(findings)
            case Restricted():
                return self._restricted(tree, reason)
            case Abstract(cells, run):
                states = run.path.states if isinstance(run, Along) else run.lasso.states
                holds = self.runs.stepper.evaluator.holds
                inside = len(cells) == len(states) and all(map(holds, cells, states))
                return self._below(tree, run, history) if inside else self._problem(tree, "the run leaves its cells")
            case Fixpoint() | Invariant() | Region():
                return True

    def _restricted(self, tree: Tree, reason: Restricted) -> bool:
        """The claim is about the same state, and is true in the system that follows the strategy."""
        if reason.tree.state != tree.state or reason.tree.claim != tree.claim or reason.tree.holds != tree.holds:
            return self._problem(tree, "the strategy is said to show something else")
        found = replay(restrict(self.runs.system, reason.strategy), reason.tree, limit=self.limit)
        self.checked += found.checked
        self.surveyed += found.surveyed
        self.trusted.extend(found.trusted)
        self.problems.extend(found.problems)
        return found.ok

    def _same_state(self, tree: Tree, inner: Tree) -> bool:
        return inner.state == tree.state or self._problem(tree, "a part speaks of another state")

    def _along(
        self,
        tree: Tree,
        wrong: str | None,
        states: tuple[State, ...],
        claims: tuple[tuple[int, Tree], ...],
        history: History,
    ) -> bool:
        if wrong is not None:
            return self._problem(tree, wrong)
        good = True
        for position, inner in claims:
            if not 0 <= position < len(states) or inner.state != states[position]:
                return self._problem(tree, f"the claim about position {position} speaks of another state")
            past = None if history is None else (*history[:-1], *states[: position + 1])
            good = self.tree(inner, past) and good
        return good

    def _lasso(self, tree: Tree, reason: Around, history: History) -> str | None:
        lasso, at = reason.lasso, reason.at
        wrong = self.runs.lasso(lasso)
        if wrong is not None:
            return wrong
        if not 0 <= at < len(lasso.states) or lasso.states[at] != tree.state:
            return "the lasso does not come to the state"
        if at and history is not None and lasso.states[: at + 1] != history:
            return "the lasso has another past"
        if at and history is None:
            wrong = self.runs.initial(lasso.states[0])
        unfair, unseen = self.runs.fair(lasso)
        self.trusted.extend(f"{show(condition)} happens again and again" for condition in unseen)
        return wrong or unfair

    # What reasons entail

    def _shown(self, tree: Tree, history: History) -> bool:
        """Whether the reasons, all of them checked, entail the claim."""
        known = {reason.tree.claim: reason.tree.holds for reason in tree.because if isinstance(reason, Part)}
        known.pop(tree.claim, None)
        if any(isinstance(reason, Restricted) for reason in tree.because):
            return True
        if self.runs.conditions.value(tree.claim, tree.state, known) is tree.holds:
            return True
        match tree.claim:
            case logic.Exists(arg, star) | logic.ForAll(arg, star):
                if isinstance(tree.claim, logic.Exists) is not tree.holds:
                    return False
                return self._linear(tree, arg, history) if star else self._branching(tree)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common():
                return not tree.holds and self._ignorance(tree, tree.claim)
            case logic.Correct(agent, arg):
                return not tree.holds and self._misbehaviour(tree, agent, arg)
            case logic.Coalition():
                return self._game(tree, tree.claim)
            case _:
                return False

    def _branching(self, tree: Tree) -> bool:
        for shape in shapes(tree.claim, tree.holds):
            for reason in tree.because:
                match shape, reason:
                    case Reach(target, through, steps), Along(path, claims):
                        last = len(path.states) - 1
                        if (
                            steps in (None, last)
                            and self._all(reason, path.states, [last], target)
                            and self._all(reason, path.states, range(last), through)
                        ):
                            self._needs_fair_end(tree, claims, last)
                            return True
                    case Stay(everywhere), Around(lasso, _, 0):
                        if self._all(reason, lasso.states, range(len(lasso.states)), everywhere):
                            return True
        return False

    def _all(
        self,
        reason: Along | Around,
        states: tuple[State, ...],
        positions: range | list[int],
        wanted: tuple[Literal, ...],
    ) -> bool:
        claimed = {(position, inner.claim): inner.holds for position, inner in reason.claims}
        return all(
            self._value(states[position], position, formula, claimed) is value
            for position in positions
            for formula, value in wanted
        )

    def _value(
        self, state: State, position: int, formula: Formula, claimed: dict[tuple[int, Formula], bool]
    ) -> bool | None:
        known = {claim: value for (place, claim), value in claimed.items() if place == position}
        return self.runs.conditions.value(formula, state, known)

    def _needs_fair_end(self, tree: Tree, claims: tuple[tuple[int, Tree], ...], last: int) -> None:
        """Under fairness a finite path counts only if a fair one goes on from its end."""
        if self.runs.system.fairness and not any(
            position == last and _is_fair_start(inner) for position, inner in claims
        ):
            self.trusted.append(f"{_claim(tree)}: the path can go on fairly")

    def _linear(self, tree: Tree, arg: Formula, history: History) -> bool:
        """Some lasso among the reasons gives the path formula the claimed value at the state's point."""
        for reason in tree.because:
            if not isinstance(reason, Around):
                continue
            lasso, at = reason.lasso, reason.at
            if at == 0 and history is None and looks_back(arg) and self.runs.initial(tree.state) is not None:
                continue
            if at == 0 and history is not None:
                lasso, at = _with_past(lasso, history), len(history) - 1
            truth = LassoTruth(len(lasso.states), lasso.loop, self._base(reason, lasso.states, at - reason.at))
            if truth.word(arg).at(at) is tree.holds:
                return True
        return False

    def _base(self, reason: Around, states: tuple[State, ...], shift: int) -> Callable[[int, Formula], bool | None]:
        claimed = {(position, inner.claim): inner.holds for position, inner in reason.claims}
        return lambda position, formula: self._value(states[position], position - shift, formula, claimed)

    # Knowledge and correct behaviour

    def _ignorance(self, tree: Tree, claim: logic.Knows | logic.Everybody | logic.Distributed | logic.Common) -> bool:
        for reason in tree.because:
            match reason:
                case Part(inner) if isinstance(claim, logic.Common) and self._denies(inner, claim):
                    return True
                case LookAlike(agents, _, inner) if self._denies(inner, claim) and self._may_confuse(agents, claim):
                    if all(indistinguishable(self.runs.system, name, tree.state, inner.state) for name in agents):
                        self._needs_fair_state(inner)
                        return True
        return False

    def _denies(self, inner: Tree, claim: logic.Knows | logic.Everybody | logic.Distributed | logic.Common) -> bool:
        accepted = [point_claim(claim.arg)] + ([claim] if isinstance(claim, logic.Common) else [])
        return not inner.holds and inner.claim in accepted

    def _may_confuse(
        self, agents: tuple[str, ...], claim: logic.Knows | logic.Everybody | logic.Distributed | logic.Common
    ) -> bool:
        if isinstance(claim, logic.Knows):
            return agents == (claim.agent,)
        if isinstance(claim, logic.Distributed):
            return set(agents) == set(claim.group.members)
        return len(agents) == 1 and agents[0] in claim.group.members

    def _needs_fair_state(self, inner: Tree) -> None:
        if self.runs.system.fairness and not any(
            isinstance(reason, Part) and _is_fair_start(reason.tree) for reason in inner.because
        ):
            self.trusted.append(f"{_claim(inner)}: a fair run goes on from there")

    def _misbehaviour(self, tree: Tree, agent: str, arg: Formula) -> bool:
        for reason in tree.because:
            if not isinstance(reason, Elsewhere) or reason.tree.holds or reason.tree.claim != point_claim(arg):
                continue
            if self.runs.conditions.holds(logic.Colour(agent, green=True), reason.tree.state):
                self._needs_fair_state(reason.tree)
                return True
        return False

    # Strategies

    def _game(self, tree: Tree, claim: logic.Coalition) -> bool:
        games = GameChecker(self.runs, self.limit)
        for reason in tree.because:
            claims = reason.claims if isinstance(reason, (Enforced, Answered)) else ()
            known: dict[State, dict[Formula, bool]] = {}
            for inner in claims:
                if isinstance(inner, Tree):
                    known.setdefault(inner.state, {})[inner.claim] = inner.holds

            def truth(formula: Formula, state: State, known: dict[State, dict[Formula, bool]] = known) -> bool | None:
                return self.runs.conditions.value(formula, state, known.get(state, {}))

            try:
                if isinstance(reason, Enforced) and tree.holds:
                    games.enforced(claim, tree.state, reason.strategy, truth)
                    return True
                if isinstance(reason, Answered) and not tree.holds:
                    games.answered(claim, tree.state, reason.answers, truth)
                    return True
            except Trusted as words:
                self.trusted.append(f"{_claim(tree)}: {words}")
                return True
            except Wrong as words:
                self._problem(tree, str(words))
        return False


def _is_fair_start(tree: Tree) -> bool:
    return tree.holds and tree.claim == FAIR_START


def _with_past(lasso: Lasso, history: tuple[State, ...]) -> Lasso:
    """The lasso with its past before it; the actions of the past do not matter for truth and are left out."""
    past = history[:-1]
    return Lasso(past + lasso.states, ((),) * len(past) + lasso.actions, lasso.loop + len(past))


def _claim(tree: Tree) -> str:
    return f"{show(tree.claim)} {'holds' if tree.holds else 'fails'}"
