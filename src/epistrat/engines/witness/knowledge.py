"""Evidence about knowledge and correct behaviour: look-alikes, chains of them, and other reachable states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeAlias

from epistrat.engines.witness.linear import RunProduct, TooLarge, fold
from epistrat.engines.witness.space import S
from epistrat.evidence import Around, Elsewhere, Fixpoint, LookAlike, Part, Path, Reason, Tree
from epistrat.evidence.points import looks_back, point_claim
from epistrat.logic.formula import Colour, Common, Correct, Distributed, Everybody, Formula, Knows, Not, is_state
from epistrat.model.state import State

if TYPE_CHECKING:
    from epistrat.engines.witness.tree import TreeBuilder

Knowledge: TypeAlias = Knows | Everybody | Distributed | Common


LONGEST = 80
"""The longest chain of look-alikes that is shown."""


class Epistemic(Generic[S]):
    """The builder's reasons for claims about knowledge."""

    def __init__(self, site: TreeBuilder[S]) -> None:
        self._site = site
        self._space = site.space

    def ignorance(self, state: State, claim: Knowledge) -> Reason:
        """A look-alike where what is not known is false; for common knowledge a chain of them."""
        if looks_back(claim.arg) and not is_state(claim.arg):
            return self._past_ignorance(state, claim)
        bad = self._space.minus(self._space.worlds, self._space.satisfying(point_claim(claim.arg)))
        if isinstance(claim, Common):
            return self._chain(state, claim, bad)
        for agents in observers(claim):
            found = self._space.meet(self._space.alike(agents, self._space.only(state)), bad)
            if self._space.has(found, state):
                found = self._space.only(state)
            if not self._space.is_empty(found):
                return self._look_alike(agents, claim, point_claim(claim.arg), found)
        raise AssertionError("an agent is said not to know, but no look-alike says why")

    def _look_alike(self, agents: tuple[str, ...], claim: Formula, inner: Formula, found: S) -> LookAlike:
        run = self._space.run_to(self._site.spent.fresh(claim, found))
        return LookAlike(agents, run, self._with_fair_start(self._site.tree(run.last, inner, holds=False)))

    def _with_fair_start(self, tree: Tree) -> Tree:
        return Tree(tree.state, tree.claim, tree.holds, tree.because + self._site.ways.fair_part(tree.state))

    def _chain(self, state: State, claim: Common, bad: S) -> Reason:
        """The next link of a shortest chain of look-alikes to a state in ``bad``."""
        space = self._space
        if space.has(bad, state):
            return Part(self._site.tree(state, point_claim(claim.arg), holds=False))
        layers = [bad]
        while len(layers) < LONGEST:
            for member in claim.group.members:
                found = space.meet(space.alike((member,), space.only(state)), layers[-1])
                if not space.is_empty(found):
                    inner = claim if len(layers) > 1 else point_claim(claim.arg)
                    return self._look_alike((member,), claim, inner, found)
            wider = layers[-1]
            for member in claim.group.members:
                wider = space.join(wider, space.alike((member,), layers[-1]))
            if space.is_empty(space.minus(wider, layers[-1])):
                raise AssertionError("no chain leads to the states where common knowledge fails")
            layers.append(space.minus(wider, space.meet(wider, fold(space.join, layers))))
        return self._site.word(claim, holds=False)

    def _past_ignorance(self, state: State, claim: Knowledge) -> Reason:
        """A run that at some moment looks the same, and on which the path formula is false at that moment."""
        if isinstance(claim, Common):
            return self._site.word(claim, holds=False)
        try:
            for agents in observers(claim):
                alike = self._space.alike(agents, self._space.only(state))
                found = RunProduct(self._space, Not(claim.arg), alike).run_to_moment()
                if found is not None:
                    lasso, at = found
                    run = Path(lasso.states[: at + 1], lasso.actions[:at])
                    around = Around(lasso, self._site.labels(claim.arg, lasso), at)
                    tree = Tree(run.last, point_claim(claim.arg), False, (around,))
                    return LookAlike(agents, run, self._with_fair_start(tree))
        except TooLarge:
            pass
        return self._site.word(claim, holds=False)

    def known(self, state: State, claim: Knowledge) -> Fixpoint:
        """How many states look the same, all of which satisfy what is known."""
        space, here = self._space, self._space.only(state)

        def linked(states: S) -> S:
            return fold(space.join, [states, *(space.alike(agents, states) for agents in observers(claim))])

        if not isinstance(claim, Common):
            return space.fixpoint("look-alikes", linked(here), 1)
        layers = list(space.growing(here, linked))
        return space.fixpoint("look-alikes", layers[-1], len(layers))

    def correctness(self, claim: Correct) -> Fixpoint:
        """How many states are green, all of which satisfy what is asked."""
        return self._space.fixpoint("reachable", self._space.satisfying(Colour(claim.agent, green=True)))

    def misbehaviour(self, claim: Correct) -> Reason:
        """A run to a green state where what is asked is false."""
        inner = point_claim(claim.arg)
        green = self._space.satisfying(Colour(claim.agent, green=True))
        if looks_back(claim.arg) and not is_state(claim.arg):
            return self._site.word(claim, holds=False)
        bad = self._space.minus(green, self._space.satisfying(inner))
        run = self._space.run_to(self._site.spent.fresh(claim, bad))
        return Elsewhere(run, self._with_fair_start(self._site.tree(run.last, inner, holds=False)))


def observers(claim: Knowledge) -> list[tuple[str, ...]]:
    """Those whose views count: each on its own, or, for distributed knowledge, all together."""
    match claim:
        case Knows(agent):
            return [(agent,)]
        case Distributed(group):
            return [group.members]
        case Everybody(group) | Common(group):
            return [(member,) for member in group.members]
