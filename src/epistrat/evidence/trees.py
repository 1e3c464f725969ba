"""Checking a tree claim by claim, with the system's steps alone; no engine is trusted.

A claim is *shown* when its reasons, each of them checked, entail it by the definition of its operator (see `epistrat.evidence.entail`).
Where a reason names a set of states (what holds in *all* of them), all states are visited if they are few, or a prover is asked if
there is one; else the claim was not re-checked, and is listed.  Anything that does not fit is a problem.
"""

from __future__ import annotations

from typing import TypeAlias

from epistrat.answers.verdict import Strategies
from epistrat.evidence import tree as e
from epistrat.evidence.claims import in_words
from epistrat.evidence.defeats import leaves_a_choice, misfit, unfairly_scheduled
from epistrat.evidence.entail import Entailment, History
from epistrat.evidence.findings import Findings
from epistrat.evidence.histories import Histories
from epistrat.evidence.points import looks_back
from epistrat.evidence.proofs import Proofs
from epistrat.evidence.restrict import restrict
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.survey import Survey
from epistrat.evidence.trace import Path
from epistrat.evidence.tree import Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Reading, subformulae
from epistrat.logic.histories import about_histories
from epistrat.logic.show import show
from epistrat.model.state import State
from epistrat.records import dataclass, field, replace
from epistrat.terms import Expr

Context: TypeAlias = tuple[tuple[int, Formula], ...]
"""What was announced, each with the time at which it was."""


@dataclass
class TreeChecker:
    """Walks trees of one system and collects findings.  A claim's ``history`` is the run that led to it, None if it has none.

    Claims that look back, and those about histories, need a history.  Other claims have one truth value in a state, after the same
    announcements: saying both is a problem.  ``context``: what was announced so far, and when.
    """

    entailment: Entailment
    proofs: Proofs
    findings: Findings
    histories: Histories | None = None
    _said: dict[tuple[State, Formula, Context], bool] = field(default_factory=dict)

    def tree(self, tree: Tree, history: History, context: Context = ()) -> bool:
        """Check the tree; whether its claim may be used (it is shown, or was not re-checked)."""
        wrong = self.entailment.runs.state(tree.state) or self._misplaced(tree, history, context)
        if wrong is not None:
            return self._problem(tree, wrong)
        findings = [self._below(tree, reason, history, context) for reason in tree.because]
        if not all(findings):
            return False
        proved = self._proved(tree)
        if proved is False:
            return self._problem(tree, "what is to prove it does not")
        if proved or self.entailment.shows(tree, history):
            self.findings.checked += 1
            self.findings.proved += proved is True
            return True
        return self._about_sets(tree, history, context)

    def _proved(self, tree: Tree) -> bool | None:
        """Whether a reason that speaks of all states of a set proves the claim; None: there is none, or nobody can tell."""
        answers = [
            self.proofs.shows(tree, one)
            for one in tree.because
            if isinstance(one, (e.Invariant, e.Region, e.Descent, e.Derivation))
        ]
        return False if False in answers else True if True in answers else None

    def _misplaced(self, tree: Tree, history: History, context: Context) -> str | None:
        if looks_back(tree.claim) or about_histories(tree.claim):
            return "it depends on the past, which is not known here" if history is None else None
        if self._said.setdefault((tree.state, tree.claim, context), tree.holds) is not tree.holds:
            return "the opposite is claimed about the same state"
        return None

    def _problem(self, tree: Tree, words: str) -> bool:
        self.findings.problems.append(f"{in_words(tree)}: {words}")
        return False

    # Claims about sets of states

    def _about_sets(self, tree: Tree, history: History, context: Context) -> bool:
        """A claim that rests on a set of states: visit them all, or ask the prover, or list it as not re-checked."""
        why = self.entailment.why
        sets = [
            reason
            for reason in tree.because
            if isinstance(reason, (e.Fixpoint, e.Stated, e.Invariant, e.Region, e.Descent, e.Derivation))
        ]
        if not sets:
            return self._problem(tree, why)
        here = e.Along(Path((tree.state,), ()))  # AG f needs f in the state itself
        opposite = replace(tree, holds=not tree.holds, because=(*tree.because, here))
        if replace(self.entailment, findings=Findings()).shows(opposite, history):
            return self._problem(tree, "its state or its reasons show the opposite")
        if any(isinstance(reason, e.Fixpoint) and not _suits(tree, reason) for reason in sets):
            return self._problem(tree, "a set of this kind is no reason for it")
        surveyed = self._surveyed(tree, history, context)
        if surveyed is not None and surveyed is not tree.holds:
            return self._problem(tree, "visiting all states says otherwise")
        for reason in sets:
            timeless = not (
                context or about_histories(tree.claim)
            )  # sets of histories are counted in more than one way
            if timeless and isinstance(reason, e.Fixpoint) and self.entailment.survey.fits(tree, reason) is False:
                return self._problem(tree, f"there are not {reason.size} such states")
        if surveyed is None or not all(isinstance(reason, (e.Fixpoint, e.Stated)) for reason in sets):
            self.findings.trust(in_words(tree))
            return True
        self.findings.checked += 1
        self.findings.surveyed += 1
        return True

    def _surveyed(self, tree: Tree, history: History, context: Context) -> bool | None:
        """The truth of a claim where all states, or histories, are visited; None: cannot tell."""
        if about_histories(tree.claim):
            known = self.histories is not None and history is not None and not context
            return self.histories.value(tree.claim, history) if known else None  # type: ignore[union-attr, arg-type]
        if context and any(isinstance(part, logic.KNOWING) for part in subformulae(tree.claim)):
            return None
        surveyed = self.entailment.survey.value(tree.claim, tree.state)
        return self.entailment.all_tried(tree) if surveyed is None else surveyed

    # What is below a claim

    def _below(self, tree: Tree, reason: e.Reason, history: History, context: Context) -> bool:
        """Check the runs and the trees of one reason, without asking what they show."""
        runs = self.entailment.runs
        match reason:
            case e.Part(inner):
                return self._same_state(tree, inner) and self.tree(inner, history, context)
            case e.Along(path, claims):
                wrong = runs.path(path)
                if wrong is None and path.states[0] != tree.state:
                    wrong = "the path starts elsewhere"
                return self._along(tree, wrong, path.states, claims, history, context)
            case e.Around(lasso, claims, at):
                past = history if at == 0 else (lasso.states[0],)
                wrong = self._lasso(tree, reason, history) or self._rounds(reason, past, context)
                return self._along(tree, wrong, lasso.states, claims, past, context)
            case e.LookAlike(_, run, inner):
                wrong = runs.run_to(run, inner.state) or self._not_left(reason, history, context)
                return self._problem(tree, wrong) if wrong is not None else self._alike(tree, reason, context)
            case e.Told():
                return self._told(tree, reason, history, context)
            case e.Elsewhere(run, inner):
                wrong = runs.run_to(run, inner.state) or ("announcements may rule it out" if context else None)
                return self._problem(tree, wrong) if wrong is not None else self.tree(inner, run.states)
            case e.Enforced() | e.Answered() | e.Remembered() | e.Balance() | e.Unbalanced():
                findings = [self.tree(inner, None) for inner in reason.claims]
                return all(findings)
            case e.Abstract(cells, run):
                states = run.path.states if isinstance(run, e.Along) else run.lasso.states
                return self._below(tree, run, history, context) and self._inside(tree, cells, states)
            case e.Restricted():
                return self._defeat(tree, reason)
            case e.Fixpoint() | e.Stated() | e.Invariant() | e.Region() | e.Descent() | e.Derivation() | e.Chosen():
                return True

    def _defeat(self, tree: Tree, reason: e.Restricted) -> bool:
        """A play against one strategy of a group, in the system whose members follow it."""
        entailment = self.entailment
        wrong = misfit(tree, reason, entailment.runs.system, entailment.reading, entailment.survey)
        if wrong is not None:
            return self._problem(tree, wrong)
        narrowed = RunChecker(restrict(entailment.runs.system, reason.strategy))
        followers, start = set(reason.strategy.group.members), reason.tree.state
        if start != tree.state and entailment.survey.look_alikes(reason.strategy.group.members, tree.state) is None:
            self.findings.trust("the state in which the play against a strategy starts can be reached")
        match leaves_a_choice(narrowed, followers, [start], entailment.limit):
            case True:
                return self._problem(tree, "the strategy leaves somebody a choice")
            case None:
                self.findings.trust("the strategy fixes one action for everybody in every reachable state")
        within = Entailment(narrowed, Survey(narrowed, 0), Strategies.ANY, entailment.limit, self.findings)
        proofs = Proofs(narrowed.system, None, Strategies.ANY)
        if not TreeChecker(within, proofs, self.findings).tree(reason.tree, (start,)):
            return False
        wrong = unfairly_scheduled(reason.tree, narrowed)
        return wrong is None or self._problem(tree, wrong)

    def _inside(self, tree: Tree, cells: tuple[Expr, ...], states: tuple[State, ...]) -> bool:
        holds = self.entailment.runs.stepper.evaluator.holds
        inside = len(cells) == len(states) and all(map(holds, cells, states))
        return inside or self._problem(tree, "the run leaves its abstract states")

    def _same_state(self, tree: Tree, inner: Tree) -> bool:
        return inner.state == tree.state or self._problem(tree, "a part speaks of another state")

    def _along(
        self,
        tree: Tree,
        wrong: str | None,
        states: tuple[State, ...],
        claims: tuple[tuple[int, Tree], ...],
        history: History,
        context: Context,
    ) -> bool:
        if wrong is not None:
            return self._problem(tree, wrong)
        good = True
        for position, inner in claims:
            if not 0 <= position < len(states) or inner.state != states[position]:
                return self._problem(tree, f"the claim about position {position} speaks of another state")
            past = None if history is None else (*history[:-1], *states[: position + 1])
            good = self.tree(inner, past, context) and good
        return good

    def _lasso(self, tree: Tree, reason: e.Around, history: History) -> str | None:
        lasso, at = reason.lasso, reason.at
        wrong = self.entailment.runs.lasso(lasso)
        if wrong is not None:
            return wrong
        if not 0 <= at < len(lasso.states) or lasso.states[at] != tree.state:
            return "the lasso does not come to the state"
        if at and lasso.states[: at + 1] != history:
            return "the lasso has another past"
        return self._unfair(reason)

    def _unfair(self, reason: e.Around) -> str | None:
        """What is wrong with the lasso's fairness; conditions whose truth is not known are noted."""
        lasso = reason.lasso
        for condition in self.entailment.runs.system.fairness:
            values = {self.entailment.condition(condition, state) for state in lasso.states[lasso.loop :]}
            if True in values:
                continue
            if None not in values:
                return "the repeated part misses a fairness condition"
            self.findings.trust(f"{show(condition)} happens again and again")
        return None

    def _rounds(self, reason: e.Around, past: History, context: Context) -> str | None:
        """A claim inside the repeated part is used in every round, so it must not depend on the past.

        One about histories must be true in all rounds, which is looked at where histories can be visited.
        """
        late = [(position, inner) for position, inner in reason.claims if position >= reason.lasso.loop]
        if any(looks_back(inner.claim) and not about_histories(inner.claim) for _, inner in late):
            return "a claim about the repeated part looks back, and may differ from round to round"
        for position, inner in late:
            if about_histories(inner.claim):
                known = self.histories is not None and past is not None and not context
                same = self.histories.in_all_rounds(inner, reason.lasso, position, past) if known else None  # type: ignore[union-attr, arg-type]
                if same is False:
                    return "a claim about the repeated part is not true in every round"
                if same is None:
                    self.findings.trust(f"{in_words(inner)} in every round")
        return None

    # Histories

    def _told(self, tree: Tree, reason: e.Told, history: History, context: Context) -> bool:
        """An announcement: the tree about what was said, and the one about the moment after it."""
        said, after = reason.said, reason.after
        if not (isinstance(tree.claim, logic.Announced) and said.claim == tree.claim.said and history is not None):
            return self._problem(tree, "something else is announced")
        if not (self._same_state(tree, said) and self.tree(said, history, context)):
            return False
        if after is None:
            return True
        later = (*context, (len(history) - 1, said.claim))
        return self._same_state(tree, after) and self.tree(after, history, later)

    def _not_left(self, reason: e.LookAlike, history: History, context: Context) -> str | None:
        """Why it is not shown that announcements leave the second history possible."""
        if len(reason.told) != len(context):
            return "it is not shown that what was announced was true there"
        timed = reason.reading in (Reading.CLOCK, Reading.RECALL)
        for told, (time, said) in zip(reason.told, context, strict=True):
            if not timed and (history is None or time != len(history) - 1):
                return "a step lies between an announcement and knowledge that cannot tell how long ago it was"
            if told.claim != said or not told.holds:
                return "something else was announced"
            at = time if timed else len(reason.run.states) - 1
            if at >= len(reason.run.states) or told.state != reason.run.states[at]:
                return "the announcement was made at another moment"
        return None

    def _alike(self, tree: Tree, reason: e.LookAlike, context: Context) -> bool:
        """The trees about a second history: at its end, and at the moments of announcements."""
        states, timed = reason.run.states, reason.reading in (Reading.CLOCK, Reading.RECALL)
        for number, told in enumerate(reason.told):
            at = context[number][0] if timed else len(states) - 1
            before = context[:number] if timed else tuple([(len(states) - 1, said) for _, said in context[:number]])
            if not self.tree(told, states[: at + 1], before):
                return False
        later = context if timed else tuple([(len(states) - 1, said) for _, said in context])
        return self.tree(reason.tree, states, later)


def _suits(tree: Tree, reason: e.Fixpoint) -> bool:
    """Whether a set of that kind can decide such a claim."""
    knowledge = isinstance(tree.claim, (*logic.KNOWLEDGE, logic.Remembers))
    match reason.kind:
        case "excluded":
            return not tree.holds
        case "look-alikes":
            return tree.holds and knowledge
        case "reachable":
            always = isinstance(tree.claim, logic.ForAll) and isinstance(tree.claim.arg, logic.Globally)
            return tree.holds and (always or isinstance(tree.claim, logic.Correct))
        case "safe" | "bounded":
            return tree.holds
        case _:
            return False
