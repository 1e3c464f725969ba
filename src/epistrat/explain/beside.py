"""What stands beside a run: another one that an agent cannot rule out, and what is announced on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from epistrat import evidence as e
from epistrat.answers.explanation import Block, Compare, Say
from epistrat.evidence import Tree
from epistrat.evidence.points import FAIR_START
from epistrat.explain.offers import doubts, same_history
from epistrat.explain.sentences import asked, because_of, ignorance, itself, lowered, named, short, truth
from epistrat.explain.story import Teller
from epistrat.explain.words import listed
from epistrat.logic.formula import Common


class Beside(ABC):
    """The part of a narrator that tells of look-alikes and announcements."""

    _teller: Teller

    @abstractmethod
    def _summary(self, tree: Tree, run: e.Path) -> Say:
        """Why, in one sentence."""

    @abstractmethod
    def _blocks(self, tree: Tree, run: e.Path, depth: int) -> Iterator[Block]:
        """What is to be told about a claim in the last state of a run that was not told yet."""

    @abstractmethod
    def _deeper(self, tree: Tree, run: e.Path, depth: int) -> Iterator[Block]:
        """What is below a claim, as a detail that may be folded."""

    @abstractmethod
    def _plain(self, tree: Tree) -> bool:
        """Whether the state shows the claim."""

    @abstractmethod
    def _fact(self, tree: Tree) -> Say:
        """A claim that the state shows, or simply a claim."""

    def _sentence(self, said: Say) -> Say:
        text = said.text
        return Say(f"{text if text.startswith('`') else text[:1].upper() + text[1:]}.", said.asserts)

    def _ignorance(self, tree: Tree, reason: e.LookAlike, run: e.Path) -> Say:
        inner = reason.tree
        if same_history(reason, tree.state, run):
            return truth(inner.claim, False, inner.state).within("", ", and what is false nobody knows")
        return ignorance(tree, reason.agents, self._deepest(inner), doubts(tree))

    def _announced(self, said: Tree, after: Tree | None, run: e.Path) -> Say:
        """What follows an announcement."""
        if after is None:
            return Say(f"{short(said.claim)} is false, so it cannot be announced", (itself(said),))
        return lowered(self._summary(after, run)).within(f"once {short(said.claim)} is announced, ")

    def _deepest(self, tree: Tree) -> Tree:
        """The end of a chain of look-alikes."""
        current = tree
        while isinstance(asked(current.claim), Common) and not current.holds:
            below = [
                r.tree for r in current.because if isinstance(r, (e.LookAlike, e.Part)) and r.tree.claim != FAIR_START
            ]
            if not below:
                break
            current = below[0]
        return current

    def _told(self, said: Tree, after: Tree | None, run: e.Path, depth: int) -> Iterator[Block]:
        """An announcement: what is said, and what is so once it was said."""
        if after is None:
            if run.actions:
                yield self._teller.scene("What happens", run)
            yield self._sentence(self._announced(said, after, run))
        else:
            yield Say(f"{short(said.claim)} is announced, and it is true:")
            yield from self._blocks(after, run, depth)
        if not self._plain(said):
            yield from self._deeper(said, run, depth)

    def _look_alike(self, tree: Tree, reason: e.LookAlike, run: e.Path, depth: int) -> Iterator[Block]:
        agents, other, inner = reason.agents, reason.run, reason.tree
        if same_history(reason, tree.state, run):
            if run.actions:
                yield self._teller.scene("What happens", run)
            where = "there" if run.actions else "at the start"
            yield truth(inner.claim, False, inner.state).within("", f" {where}, and what is false nobody knows.")
            if not self._plain(inner):
                yield from self._deeper(inner, run, depth)
            return
        yield self._compared(reason, run)
        if reason.told:
            yield Say("What was announced is true there, too, so that does not rule it out.")
        chained = isinstance(asked(inner.claim), Common) and inner.claim == tree.claim
        if chained:
            yield Say(f"But there {listed(agents)} would have to reckon with what others cannot rule out:")
            yield from self._blocks(inner, other, depth)
            return
        shown, known = self._fact(inner), because_of(tree, agents)
        yield Say(f"There {shown.text}, so {known.text}.", shown.asserts + known.asserts)
        if not self._plain(inner):
            yield from self._deeper(inner, other, depth)

    def _compared(self, reason: e.LookAlike, run: e.Path) -> Compare:
        """The run beside the one that ends in a state which looks the same."""
        left = self._teller.scene("What happens", run)
        right = self._teller.scene(f"What {named(reason.agents)} cannot rule out", reason.run)
        return Compare(left, right, reason.agents, self._teller.seen_on(reason.agents, reason.run, reason.reading))
