"""What reasons entail: whether the claim of a tree follows from its reasons, all of which were checked before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from epistrat.answers.verdict import Named, Strategies
from epistrat.evidence import tree as e
from epistrat.evidence.balance import balanced
from epistrat.evidence.claims import claimed, concrete, in_words, is_fair_start, parts, with_past
from epistrat.evidence.coverage import Coverage, TooMany
from epistrat.evidence.findings import Findings
from epistrat.evidence.games import GameChecker, Trusted, Wrong
from epistrat.evidence.left import beneath, enforced
from epistrat.evidence.linear import LassoTruth
from epistrat.evidence.points import looks_back, point_claim
from epistrat.evidence.runs import RunChecker
from epistrat.evidence.sameness import told_apart
from epistrat.evidence.shapes import Literal, Reach, Stay, shapes
from epistrat.evidence.survey import Survey
from epistrat.evidence.tables import Tables, tried
from epistrat.evidence.tree import Tree
from epistrat.evidence.unbalanced import unbalanced
from epistrat.logic import formula as logic
from epistrat.logic.announced import in_front
from epistrat.logic.formula import Formula, Reading, subformulae
from epistrat.logic.fragment import is_enforced
from epistrat.logic.histories import about_histories
from epistrat.model.state import State
from epistrat.records import dataclass, replace

History = tuple[State, ...] | None
Known = Mapping[Formula, bool]
Knowledge = logic.Knows | logic.Everybody | logic.Distributed | logic.Common | logic.Remembers
NOTHING: Known = {}


@dataclass
class Entailment:
    """Decides whether reasons show claims about one system, read in one way.

    What could not be re-checked goes to ``findings``.  ``why`` says, after a claim was not shown, what is wrong with its reasons.
    """

    runs: RunChecker
    survey: Survey
    reading: Strategies
    limit: int
    findings: Findings
    why: str = ""
    named: Named = Named()

    def shows(self, tree: Tree, history: History) -> bool:
        """Whether the reasons entail the claim."""
        self.why = "the reasons do not show it"
        known = {reason.tree.claim: reason.tree.holds for reason in tree.because if isinstance(reason, e.Part)}
        known.pop(tree.claim, None)
        if self.runs.conditions.value(tree.claim, tree.state, known) is tree.holds:
            return True
        moved = in_front(tree.claim) if about_histories(tree.claim) else None
        if moved is not None and moved != tree.claim and known.get(moved) is tree.holds:
            return True
        match tree.claim:
            case logic.Exists(arg, star) | logic.ForAll(arg, star):
                if isinstance(tree.claim, logic.Exists) is not tree.holds:
                    return False
                return self._linear(tree, arg, history) if star else self._branching(tree)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() | logic.Remembers():
                return not tree.holds and self._ignorance(tree, tree.claim, history)
            case logic.Announced():
                return self._announced(tree)
            case _ if history is not None and looks_back(tree.claim):
                return self._past(tree, history)
            case logic.Correct(agent, arg):
                return not tree.holds and self._misbehaviour(tree, agent, arg)
            case logic.Tagged(_, arg):
                return self.shows(replace(tree, claim=arg), history)
            case logic.Coalition() if is_enforced(tree.claim.arg):
                return self._game(tree, tree.claim)
            case logic.Coalition() | logic.SomeStrategy() | logic.EveryStrategy() | logic.Bound():
                return self._with_machine(tree)
            case logic.SomeEquilibrium() | logic.EveryEquilibrium():
                return self._with_run(tree)
            case _:
                return False

    # Time

    def _branching(self, tree: Tree) -> bool:
        for shape in shapes(tree.claim, tree.holds):
            for reason in map(concrete, tree.because):
                match shape, reason:
                    case Reach(target, through, steps), e.Along(path):
                        last = len(path.states) - 1
                        if (
                            steps in (None, last)
                            and self._all(reason, path.states, [last], target)
                            and self._all(reason, path.states, range(last), through)
                            and self._fair_from(inner for position, inner in reason.claims if position == last)
                        ):
                            return True
                    case Stay(everywhere), e.Around(lasso, _, 0):
                        if self._all(reason, lasso.states, range(len(lasso.states)), everywhere):
                            return True
        return False

    def _all(
        self,
        reason: e.Along | e.Around,
        states: tuple[State, ...],
        positions: range | list[int],
        wanted: tuple[Literal, ...],
    ) -> bool:
        value, known = self.runs.conditions.value, claimed(reason)
        return all(
            value(formula, states[position], known.get(position, NOTHING)) is truth
            for position in positions
            for formula, truth in wanted
        )

    def _fair_from(self, claims: Iterable[Tree]) -> bool:
        """Under fairness a state counts only if it is shown that a fair run goes on from it."""
        if not self.runs.system.fairness or any(map(is_fair_start, claims)):
            return True
        self.why = "it is not shown that a fair run goes on from there"
        return False

    def _linear(self, tree: Tree, arg: Formula, history: History) -> bool:
        """Some lasso among the reasons gives the path formula the claimed value at the state's point."""
        for reason in map(concrete, tree.because):
            if not isinstance(reason, e.Around):
                continue
            lasso, at = reason.lasso, reason.at
            if at == 0 and history is not None:
                lasso, at = with_past(lasso, history), len(history) - 1
            truth = LassoTruth(len(lasso.states), lasso.loop, self._base(reason, lasso.states, at - reason.at))
            if truth.word(arg).at(at) is tree.holds:
                return True
        return False

    def _base(self, reason: e.Around, states: tuple[State, ...], shift: int) -> Callable[[int, Formula], bool | None]:
        value, known = self.runs.conditions.value, claimed(reason)
        return lambda position, formula: value(formula, states[position], known.get(position - shift, NOTHING))

    def _past(self, tree: Tree, history: tuple[State, ...]) -> bool:
        """What was true of the states of a history: no operator in the claim looks ahead."""
        if any(isinstance(part, logic.FUTURE) for part in subformulae(tree.claim)):
            return False
        value = self.runs.conditions.value
        truth = LassoTruth(len(history), len(history) - 1, lambda at, part: value(part, history[at], NOTHING))
        return truth.word(tree.claim).at(len(history) - 1) is tree.holds

    # Knowledge, announcements and correct behaviour

    def _announced(self, tree: Tree) -> bool:
        """After an announcement that is true the rest is as claimed; one that is not true is followed by anything."""
        for reason in tree.because:
            if isinstance(reason, e.Told) and isinstance(tree.claim, logic.Announced):
                after = reason.after
                if not reason.said.holds:
                    return tree.holds
                if after is not None and after.claim == tree.claim.arg and after.holds is tree.holds:
                    return True
        return False

    def _ignorance(self, tree: Tree, claim: Knowledge, history: History) -> bool:
        common = isinstance(claim, logic.Common) or (isinstance(claim, logic.Remembers) and claim.word == "GCK")
        reading = claim.reading if isinstance(claim, logic.Remembers) else Reading.OBSERVATION
        for reason in tree.because:
            match reason:
                case e.Part(inner) if common and self._denies(inner, claim, common):
                    return True
                case e.LookAlike(agents, run, inner) if self._denies(inner, claim, common):
                    if reason.reading is not reading:
                        self.why = "the look-alike is read otherwise"
                        continue
                    past = history or (tree.state,)
                    if self._confused(agents, claim, past, run.states) and self._fair_from(parts(inner)):
                        return True
        return False

    def _denies(self, inner: Tree, claim: Knowledge, common: bool) -> bool:
        accepted: list[Formula] = [point_claim(claim.arg), *([claim] if common else [])]
        return not inner.holds and inner.claim in accepted

    def _confused(
        self, agents: tuple[str, ...], claim: Knowledge, history: tuple[State, ...], other: tuple[State, ...]
    ) -> bool:
        """Whether the agents are those that must not tell the histories apart, and do not."""
        match claim:
            case logic.Remembers(word, _, group):
                together = word == "DK" and set(agents) == set(group.members)
                those = together or (word != "DK" and len(agents) == 1 and agents[0] in group.members)
            case logic.Knows(agent):
                those = agents == (agent,)
            case logic.Distributed(group):
                those = set(agents) == set(group.members)
            case logic.Everybody(group) | logic.Common(group):
                those = len(agents) == 1 and agents[0] in group.members
        if not those:
            self.why = "the look-alike is one for other agents"
            return False
        wrong = told_apart(self.runs.system, agents, claim, history, other)
        self.why = wrong or self.why
        return wrong is None

    def _misbehaviour(self, tree: Tree, agent: str, arg: Formula) -> bool:
        for reason in tree.because:
            if not isinstance(reason, e.Elsewhere) or reason.tree.holds or reason.tree.claim != point_claim(arg):
                continue
            green = self.runs.conditions.holds(logic.Colour(agent, green=True), reason.tree.state)
            if green and self._fair_from(parts(reason.tree)):
                return True
        return False

    # Strategies

    def _game(self, tree: Tree, claim: logic.Coalition) -> bool:
        tried = [reason.strategy for reason in tree.because if isinstance(reason, e.Restricted)]
        if tried:
            try:
                self.why = "some uniform strategy was not tried"
                return Coverage(self.runs.stepper, self.limit).complete(tried)
            except TooMany:
                self.findings.trust("all uniform strategies were tried")
                return True
        for reason in tree.because:
            if not isinstance(reason, (e.Enforced, e.Answered)):
                continue
            try:
                if isinstance(reason, e.Enforced) is tree.holds:
                    self._play(tree, claim, reason)
                    return True
            except Trusted as words:
                self.findings.trust(f"{in_words(tree)}: {words}")
                return True
            except Wrong as words:
                self.why = str(words)
        return False

    def _with_machine(self, tree: Tree) -> bool:
        """Strategies with memory, for groups over path formulae and where strategies have names."""
        body = None
        if isinstance(tree.claim, logic.NAMING) and self.named.names is logic.Tag.PERFECT:
            body = beneath(self.runs, tree.claim)
        if body is not None:
            known = {one.tree.claim: one.tree.holds for one in tree.because if isinstance(one, e.Part)}
            return self.runs.conditions.value(body, tree.state, known) is tree.holds
        for reason in tree.because:
            if isinstance(reason, e.Chosen):
                return self._tried(tree, lambda shown=reason: self._tables_show(tree, shown))  # type: ignore[misc]
            if isinstance(reason, e.Remembered):
                return self._tried(tree, lambda shown=reason: self._enforced(tree, shown))  # type: ignore[misc]
        return False

    def _enforced(self, tree: Tree, shown: e.Remembered) -> None:
        coalition = isinstance(tree.claim, logic.Coalition)
        remembering = self.named.remembering if coalition else self.named.names is logic.Tag.PERFECT
        if not remembering and (tree.holds or not coalition):  # who loses with memory loses without
            raise Wrong("strategies do not remember here")
        truth = self._truth(shown.claims)
        enforced(self.runs, tree.claim, tree.holds, tree.state, shown.machine, truth, self.limit)

    def _with_run(self, tree: Tree) -> bool:
        for reason in tree.because:
            if isinstance(reason, e.Chosen):
                return self._tried(tree, lambda shown=reason: self._tables_show(tree, shown))  # type: ignore[misc]
            if isinstance(reason, (e.Balance, e.Unbalanced)):
                return self._tried(tree, lambda shown=reason: self._balance(tree, shown))  # type: ignore[misc]
        return False

    def _balance(self, tree: Tree, shown: e.Balance | e.Unbalanced) -> None:
        """Raises `Wrong` unless there is an equilibrium as wanted, or none."""
        truth = self._truth(shown.claims)
        if isinstance(shown, e.Balance):
            balanced(self.runs, tree.claim, tree.holds, tree.state, shown, truth, self.limit, self.named)
        else:
            unbalanced(self.runs, tree.claim, tree.holds, tree.state, shown, truth, self.limit, self.named)

    def _tables_show(self, tree: Tree, shown: e.Chosen) -> None:
        tag = self._without_memory(tree.claim)
        if tag is None:
            raise Wrong("strategies remember here")
        starts: list[State] | None = [tree.state]
        if isinstance(tree.claim, logic.Coalition) and self.reading is Strategies.SUBJECTIVE:
            starts = self.survey.look_alikes(tree.claim.group.members, tree.state)
        if starts is None:
            raise Trusted("from the states that look the same to the group")
        Tables(self.runs, self.survey, tag).show(tree.claim, tree.holds, starts, shown.tables)

    def _without_memory(self, claim: Formula) -> logic.Tag | None:
        """How strategies without memory are read for the claim; None where they remember."""
        if isinstance(claim, logic.EQUILIBRIA):
            tag = self.named.equilibria
        elif isinstance(claim, logic.Coalition):
            tag = logic.Tag.STATES if self.reading is Strategies.ANY else logic.Tag.VIEWS
            tag = logic.Tag.PERFECT if self.named.remembering else tag
        else:
            tag = self.named.names
        return None if tag is logic.Tag.PERFECT else tag

    def all_tried(self, tree: Tree) -> bool | None:
        """The truth of a claim about strategies without memory, where all of them can be tried; None: cannot tell."""
        claim = tree.claim.arg if isinstance(tree.claim, logic.Tagged) else tree.claim
        coalition = isinstance(claim, logic.Coalition) and not is_enforced(claim.arg)
        if not (coalition or isinstance(claim, (*logic.NAMING, *logic.EQUILIBRIA))):
            return None
        tag = self._without_memory(claim)
        if tag is None or (coalition and self.reading is Strategies.SUBJECTIVE):
            return None
        return tried(self.runs, self.survey, claim, tree.state, tag)

    def _tried(self, tree: Tree, check: Callable[[], None]) -> bool:
        """Whether a check finds nothing wrong; what it could not find out is noted."""
        try:
            check()
        except Trusted as words:
            self.findings.trust(f"{in_words(tree)}: {words}")
        except Wrong as words:
            self.why = str(words)
            return False
        return True

    def _truth(self, claims: Iterable[Tree]) -> Callable[[Formula, State], bool | None]:
        """The truth of state formulae: what states show, what is claimed, what visiting all states says."""
        known: dict[State, dict[Formula, bool]] = {}
        for inner in claims:
            known.setdefault(inner.state, {})[inner.claim] = inner.holds

        def truth(formula: Formula, state: State) -> bool | None:
            value = self.runs.conditions.value(formula, state, known.get(state, NOTHING))
            return self.survey.value(formula, state) if value is None else value

        return truth

    def _play(self, tree: Tree, claim: logic.Coalition, reason: e.Enforced | e.Answered) -> None:
        """Raise `Wrong` unless the moves enforce the claim (or defeat all who try)."""
        games = GameChecker(self.runs, self.limit, self.condition)
        known: dict[State, dict[Formula, bool]] = {}
        for inner in reason.claims:
            known.setdefault(inner.state, {})[inner.claim] = inner.holds

        def truth(formula: Formula, state: State) -> bool | None:
            return self.runs.conditions.value(formula, state, known.get(state, NOTHING))

        if isinstance(reason, e.Answered):
            games.answered(claim, tree.state, reason.answers, truth)
            return
        if self.reading is not Strategies.ANY:
            games.must_be_uniform(reason.strategy)
        starts: list[State] | None = [tree.state]
        if self.reading is Strategies.SUBJECTIVE:
            starts = self.survey.look_alikes(claim.group.members, tree.state)
        games.enforced(claim, starts or [tree.state], reason.strategy, truth)
        if starts is None:
            raise Trusted("from the states that look the same to the group")

    def condition(self, formula: Formula, state: State) -> bool | None:
        """The truth of a fairness condition in a state."""
        if self.runs.conditions.decides(formula):
            return self.runs.conditions.holds(formula, state)
        return self.survey.condition(formula, state)
