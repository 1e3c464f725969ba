"""From a witness tree to an explanation: who acted, what changed, who could see it, and why an agent cannot know.

The narrator walks down the tree and carries the run that led to the state at hand.  A run is told when it ends in something that the states
show; where it ends in ignorance it is told side by side with the run that the agent cannot rule out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from epistrat import evidence as e
from epistrat.answers import Setting
from epistrat.answers.explanation import Block, Compare, Detail, Explanation, Focus, Rules, Say, Scene
from epistrat.evidence import Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.points import FAIR_START
from epistrat.explain.abilities import answers_sentence, counter_policies, enforcing, first_answers, restricting
from epistrat.explain.beside import Beside
from epistrat.explain.endings import Stop, ending
from epistrat.explain.moments import Moments
from epistrat.explain.offers import (
    claims_at_the_end,
    concrete,
    goes_on,
    parts_of,
    reasons_of,
    unlike,
)
from epistrat.explain.policy import policies
from epistrat.explain.proofs import proof_sentence, proof_summary
from epistrat.explain.remembering import memory_blocks, memory_summary
from epistrat.explain.sentences import (
    ON_THIS_RUN,
    because_of,
    cannot_tell,
    fixpoint_sentence,
    itself,
    lowered,
    named,
    short,
    together,
    truth,
    what_path_shows,
)
from epistrat.explain.story import Teller
from epistrat.explain.words import counted
from epistrat.logic.formula import (
    CONNECTIVES,
    And,
    Coalition,
    Exists,
    ForAll,
    Formula,
    Implies,
    Or,
    is_state,
    operands,
)
from epistrat.logic.histories import about_histories
from epistrat.logic.show import show
from epistrat.model.system import System

MOST_PARTS = 3  # operands of one connective that are explained


class Narrator(Beside):
    """Tells trees of one system."""

    def __init__(self, system: System, teller: Teller, focus: Focus, ends: Callable[[System], bool]) -> None:
        self._system = system
        self._may_end = ends
        self._teller = teller
        self._focus = focus
        self._conditions = StateConditions(system)

    def root(self, tree: Tree) -> Explanation:
        """The whole explanation."""
        start = e.Path((tree.state,), ())
        blocks = tuple(_without_repetition(self._blocks(tree, start, 0)))
        summary = self._summary(tree, start)
        return Explanation(show(tree.claim), tree.holds, summary.text, blocks, self._focus, summary.asserts)

    @cached_property
    def _ends(self) -> bool:
        return self._may_end(self._system)

    def _ending(self, tree: Tree, reason: e.Reason) -> Stop | None:
        """Where the strategy that is shown makes a run end."""
        if not (isinstance(reason, e.Enforced) and isinstance(tree.claim, Coalition)):
            return None
        return ending(self._system, tree.state, reason.strategy, tree.claim.arg, self._conditions)

    # One sentence

    def _summary(self, tree: Tree, run: e.Path) -> Say:
        """Why, in one sentence: down to the first thing that is not a connective or a path."""
        for reason in map(concrete, reasons_of(tree)):
            match reason:
                case e.Along(path, claims):
                    return self._at_the_end(run.then(path), claims_at_the_end(tree, path, claims))
                case e.Around(lasso):
                    round_and_round = f"A run goes round through {counted(lasso.period, 'state')} for ever, and "
                    return self._on_the_run(tree, reason).within(round_and_round)
                case e.LookAlike():
                    return self._ignorance(tree, reason, run)
                case e.Told(said, after):
                    return self._announced(said, after, run)
                case e.Elsewhere(_, inner):
                    return Say(f"{short(inner.claim)} can fail although nobody misbehaves", (itself(inner),))
                case e.Enforced() | e.Answered():
                    return enforcing(self._system, tree, self._ending(tree, reason))
                case e.Remembered() | e.Balance() | e.Unbalanced() | e.Chosen():
                    return memory_summary(self._system, tree, reason)
                case e.Restricted(strategy):
                    return lowered(Say(restricting(tree, strategy)))
                case e.Fixpoint():
                    return fixpoint_sentence(self._system, tree, reason, self._ends)
                case e.Invariant() | e.Region() | e.Descent() | e.Derivation() | e.Stated():
                    return proof_summary(self._system, tree, reason, there=bool(run.actions))
        other = unlike(tree)
        if other is not None:
            return cannot_tell(tree, other.tree)
        parts = parts_of(tree)
        hard = [part for part in parts if not self._plain(part)]
        if hard:
            easy = [self._fact(part) for part in parts if self._plain(part)][:MOST_PARTS]
            more = [Say(counted(len(hard) - 1, "more reason"))] if len(hard) > 1 else []
            return together(lowered(part) for part in [*easy, self._summary(hard[0], run), *more])
        return self._facts(tree)

    def _at_the_end(self, run: e.Path, claims: Sequence[Tree]) -> Say:
        """What is true at the end of a run, with the number of its steps."""
        if len(claims) == 1 and goes_on(claims[0]):  # which counts the steps from the start, as this does
            return self._summary(claims[0], run)
        plain = [self._fact(claim) for claim in claims if self._plain(claim)]
        deeper = [self._summary(claim, run) for claim in claims if not self._plain(claim)]
        when = f"After {counted(len(run.actions), 'step')}" if run.actions else "At the start"
        said = together(lowered(part) for part in [*plain, *deeper] if part.text)
        return said.within(f"{when} ") if said.text else Say(f"{when} it is so")

    def _facts(self, tree: Tree) -> Say:
        """A claim that follows from parts which the state shows, by these parts."""
        return together(map(self._fact, parts_of(tree) or [tree]))

    def _plain(self, tree: Tree) -> bool:
        return self._conditions.decides(tree.claim)

    def _fact(self, tree: Tree) -> Say:
        """A claim that the state shows, or simply a claim: broken down to the operands that decide it."""
        claims = list(self._deciding(tree.claim, tree)) if self._plain(tree) else [(tree.claim, tree.holds)]
        if len(claims) > MOST_PARTS:
            claims = list(self._needed(tree.claim, tree))
        if len(claims) > MOST_PARTS:  # some of them alone would not show it
            claims = [(tree.claim, tree.holds)]
        return together(truth(claim, holds, tree.state) for claim, holds in claims)

    def _deciding(self, claim: Formula, tree: Tree) -> Iterator[tuple[Formula, bool]]:
        """The operands of a connective, with their truth, that decide it."""
        if not isinstance(claim, CONNECTIVES) or len(operands(claim)) > 3:
            yield claim, self._conditions.holds(claim, tree.state)
            return
        for operand in operands(claim):
            yield from self._deciding(operand, tree)

    def _needed(self, claim: Formula, tree: Tree) -> Iterator[tuple[Formula, bool]]:
        """Of the operands only those that are needed: one that is false makes a conjunction false."""
        value = self._conditions.holds(claim, tree.state)
        match claim:
            case And(args) | Or(args) if value is isinstance(claim, Or):
                chosen = [next(one for one in args if self._conditions.holds(one, tree.state) is value)]
            case Implies(left, right) if value:
                chosen = [right if self._conditions.holds(right, tree.state) else left]
            case _ if isinstance(claim, CONNECTIVES):
                chosen = list(operands(claim))
            case _:
                yield claim, value
                return
        for one in chosen:
            yield from self._needed(one, tree)

    # Blocks

    def _blocks(self, tree: Tree, run: e.Path, depth: int) -> Iterator[Block]:
        """What is to be told about a claim in the last state of a run that was not told yet."""
        reasons = reasons_of(tree)
        if not reasons:
            yield from self._from_parts(tree, run, depth)
            return
        for reason in map(concrete, reasons):
            yield from self._reason(tree, reason, run, depth)

    def _from_parts(self, tree: Tree, run: e.Path, depth: int) -> Iterator[Block]:
        other = unlike(tree)
        if other is not None:
            yield self._compared(other, run)
            yield cannot_tell(tree, other.tree).within("", ".")
            yield from self._deeper(other.tree, other.run, depth)
            return
        parts = parts_of(tree)
        hard = [part for part in parts if not self._plain(part)]
        if not hard:
            if run.actions:
                yield self._teller.scene("What happens", run)
            facts = self._facts(tree)
            yield facts.within("There ", ".") if run.actions else self._sentence(facts)
            return
        easy = [self._fact(part) for part in parts if self._plain(part)]
        easy = easy if self._focus.full or len(easy) <= MOST_PARTS else [*easy[:MOST_PARTS], Say("so on")]
        shown = hard if self._focus.full else hard[:MOST_PARTS]
        blocks = [block for part in shown for block in self._blocks(part, run, depth)]
        if len(shown) < len(hard):
            blocks.append(
                Say(f"The same can be said of {counted(len(hard) - len(shown), 'more part')}.", more=Setting("full"))
            )
        if easy:
            told = 1 if blocks and isinstance(blocks[0], (Scene, Compare)) else 0
            inside = any(isinstance(reason, (e.Along, e.Around)) for part in shown for reason in reasons_of(part))
            then = f"At moment {len(run.actions)} " if inside else "Then "
            blocks.insert(told, together(easy).within(then if run.actions else "At the start ", "."))
        yield from blocks

    def _reason(self, tree: Tree, reason: e.Reason, run: e.Path, depth: int) -> Iterator[Block]:
        match reason:
            case e.Along(path, claims):
                yield from self._along(tree, path, claims, run, depth)
            case e.Around(lasso, claims):
                yield from self._first(run)
                yield self._teller.scene("What goes on for ever", lasso)
                yield self._sentence(self._on_the_run(tree, reason))
                once = e.Path(lasso.states, lasso.actions[:-1])
                yield from self._details(claims, depth, run.then(once), len(run.actions))
            case e.LookAlike():
                yield from self._look_alike(tree, reason, run, depth)
            case e.Told(said, after):
                yield from self._told(said, after, run, depth)
            case e.Elsewhere(other, inner):
                yield self._teller.scene("What can happen", other)
                yield because_of(tree).within("", ".")
                yield from self._deeper(inner, other, depth)
            case e.Enforced() | e.Answered():
                yield from self._game(tree, reason, run, depth)
            case e.Remembered() | e.Balance() | e.Unbalanced() | e.Chosen():
                yield from self._first(run)
                yield from memory_blocks(self._system, self._teller, tree, reason, self._focus.full)
                yield from self._details(tuple(enumerate(reason.claims)), depth)
            case e.Restricted(strategy, inner):
                example = "" if tree.holds or not strategy.moves else "; for example with these"
                yield Say(f"{restricting(tree, strategy)}{example}:")
                yield Rules(policies(self._system, strategy))
                if inner.state != tree.state:  # read subjectively, the rules must do wherever the group may be
                    yield self._teller.scene("Where it starts", run)
                    who = named(strategy.group.members)
                    yield Say(f"{who} cannot tell this from another start, from which the rules must do too:")
                    run = e.Path((inner.state,), ())
                yield from self._blocks(inner, run, depth)
            case e.Fixpoint(kind):
                if run.actions or kind == "excluded":
                    yield self._teller.scene("What happens" if run.actions else "Where it starts", run)
                yield self._sentence(fixpoint_sentence(self._system, tree, reason, self._ends))
            case e.Invariant() | e.Region() | e.Descent() | e.Derivation() | e.Stated():
                if run.actions or isinstance(reason, (e.Region, e.Descent)):
                    yield self._teller.scene("What happens" if run.actions else "Where it starts", run)
                yield self._sentence(proof_sentence(self._system, tree, reason, there=bool(run.actions)))

    def _first(self, run: e.Path) -> Iterator[Block]:
        if run.actions:
            yield self._teller.scene("What happens first", run)

    def _on_the_run(self, tree: Tree, reason: e.Around) -> Say:
        """What an infinite run shows: at which moments a linear formula is decided, or what is true all along."""
        shown = what_path_shows(tree, reason.lasso, self._conditions)
        claim = tree.claim
        if not isinstance(claim, (ForAll, Exists)) or not claim.star or reason.at:
            return shown
        if all(map(is_state, operands(claim.arg))) and not shown.text.startswith(ON_THIS_RUN):
            return shown
        claims = {(at, one.claim): one.holds for at, one in reason.claims}
        states = reason.lasso.states

        def known(place: int, formula: Formula) -> bool | None:
            found = claims.get((place, formula))
            return self._conditions.value(formula, states[place], {}) if found is None else found

        def fact(formula: Formula, holds: bool, place: int) -> Say:
            return self._fact(Tree(states[place], formula, holds))

        told = Moments(reason.lasso, known, fact).told(claim.arg, tree.holds)
        return shown if told is None else Say(told.text, (*told.asserts, *shown.asserts))

    def _game(self, tree: Tree, reason: e.Enforced | e.Answered, run: e.Path, depth: int) -> Iterator[Block]:
        yield from self._first(run)
        if not run.actions and isinstance(reason, e.Answered) and self._teller.relevant:
            yield self._teller.scene("Where it starts", run)
        yield enforcing(self._system, tree, self._ending(tree, reason)).within("", ".")
        if isinstance(reason, e.Enforced):
            yield Rules(policies(self._system, reason.strategy))
        else:
            yield answers_sentence(self._system, tree, reason.answers)
            counter = counter_policies(self._system, reason.answers)
            if counter:
                yield Rules(counter)
            elif reason.answers.moves:
                yield Say(first_answers(self._system, reason.answers))
        yield from self._details(tuple(enumerate(reason.claims)), depth)

    def _along(
        self, tree: Tree, path: e.Path, claims: tuple[tuple[int, Tree], ...], run: e.Path, depth: int
    ) -> Iterator[Block]:
        whole = run.then(path)
        last = len(path.actions)
        ends = claims_at_the_end(tree, path, claims) or [
            claim for at, claim in claims if at == last
        ]  # `EG true` was asked
        hard = [claim for claim in ends if not self._plain(claim)]
        if not hard:
            yield self._teller.scene("What happens", whole)
            there = f"At moment {len(whole.actions)} " if run.actions else "There " if last else "Already at the start "
            yield together(map(self._fact, ends)).within(there, ".")
        for claim in hard:
            yield from self._blocks(claim, whole, depth)
        yield from self._details(
            tuple((at, claim) for at, claim in claims if at != last), depth, whole, len(run.actions)
        )

    def _deeper(self, tree: Tree, run: e.Path, depth: int) -> Iterator[Block]:
        """What is below a claim, as a detail that may be folded."""
        if parts_of(tree) or reasons_of(tree):
            yield Detail(f"Why {self._fact(tree).text} there", tuple(self._blocks(tree, run, depth + 1)))

    def _details(
        self, claims: tuple[tuple[int, Tree], ...], depth: int, whole: e.Path | None = None, start: int = 0
    ) -> Iterator[Block]:
        """Claims about states on the way, each different one once; ``whole`` is the run, on which position 0 is at ``start``."""
        seen: dict[tuple[Formula, bool], list[int]] = {}
        first: dict[tuple[Formula, bool], Tree] = {}
        for at, claim in claims:
            if claim.claim != FAIR_START:
                seen.setdefault((claim.claim, claim.holds), []).append(at)
                first.setdefault((claim.claim, claim.holds), claim)
        for key, places in seen.items():
            claim = first[key]
            title = f"Why {self._fact(claim).text} ({counted(len(places), 'state')})"
            run = e.Path((claim.state,), ())
            if whole is not None and about_histories(claim.claim):
                end = start + places[0]
                run = e.Path(whole.states[: end + 1], whole.actions[:end])
            yield Detail(title, tuple(self._blocks(claim, run, depth + 1)))


def _without_repetition(blocks: Iterator[Block]) -> Iterator[Block]:
    """The blocks without scenes that were already told."""
    told: list[Block] = []
    for block in blocks:
        if isinstance(block, Scene) and block in told:
            continue
        told.append(block.left if isinstance(block, Compare) else block)
        yield block
