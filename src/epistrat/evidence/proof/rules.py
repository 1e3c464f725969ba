"""The rules: what shows that the states of a hint are inside the set they are said to be, and that all others are outside.

One rule for each word of `epistrat.evidence.proof.sets` and each side.  A rule asks for obligations and for what it needs of smaller sets:

- *inside* ``Least``: layers; a state of each that is not in the one before holds and comes into the one before;
- *outside* ``Least``: the hint contains the goal, and from what holds outside it one does not come into it;
- *inside* ``Greatest``: every state of the hint is a goal, or holds and comes into the hint;
- *outside* ``Greatest``: layers that shrink; what a layer loses is no goal, and does not hold or does not come into the layer before;
- *inside* ``Again``: for each condition layers as above, and from the hint one comes into the last of them;
- *outside* ``Again``: what is lost cannot come to a condition, for a closed set contains all that can;
- *inside* what looks alike: needs that every found state can be reached, so the search is made again (`epistrat.evidence.proof.search`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from epistrat.evidence.proof import groups
from epistrat.evidence.proof.bits import NotProvable
from epistrat.evidence.proof.hints import Hint, Hints, Layers
from epistrat.evidence.proof.obligations import Asks, Ledger, Obligation
from epistrat.evidence.proof.sets import (
    Again,
    Anywhere,
    Before,
    Both,
    Either,
    Given,
    Greatest,
    Guessed,
    Kind,
    Least,
    Outside,
    Set,
    Through,
    Uniform,
)
from epistrat.evidence.proof.world import Strategy, World
from epistrat.solvers.bdd import Bdd

_UNRELIABLE = "a state is to look like one that can be reached, but states were not searched"


class Rules:
    """Shows claims about one world; ``inner`` are the rules of an automaton's world with the sets it reads."""

    def __init__(
        self,
        world: World,
        hints: Hints,
        ledger: Ledger,
        inner: Callable[[int], tuple[Rules, tuple[Set, ...]]],
        searched: bool,
    ) -> None:
        self._world = world
        self._hints = hints
        self._ledger = ledger
        self._inner = inner
        self._searched = searched
        self._shown: set[tuple[Set, bool]] = set()

    def show(self, one: Set, inside: bool) -> Bdd:
        """Show that the hint's states are inside the set, or that all others are outside; the hint's states."""
        hint = self._hints.of(one)
        if (one, inside) not in self._shown:
            self._shown.add((one, inside))
            self._by_rule(one, hint, inside)
        return hint.states

    def _by_rule(self, one: Set, hint: Hint, inside: bool) -> None:
        match one:
            case Given(states):
                self._equal(hint, self._world.found & states, inside)
            case Outside(of):
                self._equal(hint, self._world.found & ~self.show(of, not inside), inside)
            case Both(of):
                parts = [self.show(part, inside) for part in of]
                self._equal(hint, self._world.space.conjunction([self._world.found, *parts]), inside)
            case Either(of):
                self._equal(hint, self._world.space.disjunction([self.show(part, inside) for part in of]), inside)
            case Before(through, into, among):
                first = self._world.found if among is None else self.show(among, inside)
                self._before(through, hint, first, self.show(into, inside), inside)
            case Least(through, hold, goal):
                self._least(through, hint, self.show(hold, inside), self.show(goal, inside), inside)
            case Greatest(through, hold, goal):
                self._greatest(through, hint, self.show(hold, inside), self.show(goal, inside), inside)
            case Again():
                self._again(one, hint, inside)
            case Anywhere(of):
                self._anywhere(hint, self.show(of, inside), inside)
            case Uniform():
                self._uniform(one, hint)
            case Guessed(automaton, of):
                self._guessed(automaton, of, hint, inside)

    # -- obligations --------------------------------------------------------------------------------------------------

    def _ask(self, claim: str, meaning: str, asks: Asks, *sets: Bdd, through: Through | None = None) -> None:
        self._ledger.enter(Obligation(claim, meaning, asks, self._world, sets, through))

    def _inside(self, claim: str, meaning: str, one: Bdd, other: Bdd) -> None:
        self._ask(claim, meaning, Asks.INSIDE, one, other)

    def _every(self, claim: str, through: Through, one: Bdd, other: Bdd) -> None:
        """From every state of ``one`` one comes into the other."""
        if through.kind in (Kind.ALIKE, Kind.LINKED):
            assert self._searched, _UNRELIABLE
        self._ask(claim, through.kind.value, Asks.EVERY, one, other, through=through)

    def _none(self, claim: str, through: Through, one: Bdd, other: Bdd) -> None:
        self._ask(claim, f"never: {through.kind.value}", Asks.NONE, one, other, through=through)

    # -- the rules ----------------------------------------------------------------------------------------------------

    def _equal(self, hint: Hint, states: Bdd, inside: bool) -> None:
        if hint.states == states:
            return
        one, other = (hint.states, states) if inside else (states, hint.states)
        self._inside("parts", "a set follows from its parts", one, other)

    def _before(self, through: Through, hint: Hint, among: Bdd, into: Bdd, inside: bool) -> None:
        if inside:
            self._inside("before a set", "its states are among those that are asked about", hint.states, among)
            self._every("before a set", through, hint.states, into)
        else:
            self._none("before a set", through, among & ~hint.states, into)

    def _layers(self, claim: str, through: Through, layers: Layers, hold: Bdd, goal: Bdd) -> Bdd:
        """Show that from every state of the last layer the goal is reached through states that hold."""
        self._inside(claim, "the first layer are goals", layers[0], goal)
        for near, far in pairwise(layers):
            fresh = far & ~near
            self._inside(claim, "a further layer holds", fresh, hold)
            self._every(claim, through, fresh, near)
        return layers[-1]

    def _least(self, through: Through, hint: Hint, hold: Bdd, goal: Bdd, inside: bool) -> None:
        claim = "a least set"
        if inside:
            last = self._layers(claim, through, hint.layers[0], hold, goal)
            self._inside(claim, "the set is its last layer", hint.states, last)
            return
        self._inside(claim, "goals are in it", goal, hint.states)
        self._none(claim, through, hold & ~hint.states, hint.states)

    def _greatest(self, through: Through, hint: Hint, hold: Bdd, goal: Bdd, inside: bool) -> None:
        claim = "a greatest set"
        if inside:
            rest = hint.states & ~goal
            self._inside(claim, "what is no goal holds", rest, hold)
            self._every(claim, through, rest, hint.states)
            return
        layers = hint.layers[0]
        self._inside(claim, "the first layer is everything", self._world.found, layers[0])
        for more, fewer in pairwise(layers):
            self._inside(claim, "no goal is lost", goal, fewer)
            self._none(claim, through, more & ~fewer & hold, more)
        self._inside(claim, "the last layer is the set", layers[-1], hint.states)

    def _again(self, one: Again, hint: Hint, inside: bool) -> None:
        claim = "again and again"
        hold, goal = self.show(one.hold, inside), self.show(one.goal, inside)
        conditions = [self.show(condition, inside) for condition in one.conditions]
        if inside:
            rest = hint.states & ~goal
            self._inside(claim, "what is no goal holds", rest, hold)
            for condition, layers in zip(conditions, hint.layers, strict=True):
                last = self._layers(claim, one.through, layers, hint.states, goal | hint.states & condition)
                self._every(claim, one.through, rest, last)
            return
        left = self._world.found
        for lost in hint.rounds:
            self._inside(claim, "nothing is lost without a reason", left, lost.left)
            self._inside(claim, "goals are near", goal | lost.left & conditions[lost.condition], lost.near)
            self._none(claim, one.through, lost.left & ~lost.near, lost.near)
            self._inside(claim, "no goal is lost", goal, lost.kept)
            self._none(claim, one.through, lost.left & ~lost.kept & hold, lost.near)
            left = lost.kept
        self._inside(claim, "what is left is the set", left, hint.states)

    def _anywhere(self, hint: Hint, of: Bdd, inside: bool) -> None:
        claim = "in some state that can be reached"
        empty = self._world.algebra.false
        if inside and hint.states != empty:
            assert self._searched, _UNRELIABLE
            self._ask(claim, "there is one", Asks.SOME, of)
        elif not inside and hint.states != self._world.found:
            self._inside(claim, "there is none", of, empty)

    def _uniform(self, one: Uniform, hint: Hint) -> None:
        """Strategies: each is one of the group's members, reads what they see, leaves them one choice, and succeeds in its own world."""
        claim = "strategies on what is seen"
        sets = [Given(self.show(operand, True)) for operand in one.operands]
        fair = [Given(self.show(part, False)) for part in one.fair]
        served = self._world.algebra.false
        for play in self._hints.plays(one):
            self._is_uniform(claim, one, play.strategy)
            world = self._world.following(play.strategy)
            rules = Rules(world, play.hints, self._ledger, self._inner, self._searched)
            states = rules.show(groups.played(one, sets, fair, Given(world.found)), True)
            if one.together:
                states = self._world.found & ~self._world.alike(one.group, self._world.found & ~states)
            served = served | states
        self._inside(claim, "some strategy succeeds from every state", hint.states, served)

    def _is_uniform(self, claim: str, one: Uniform, strategy: Strategy) -> None:
        world = self._world
        if not set(strategy) <= set(one.group):
            raise NotProvable("a strategy of others than the group")
        for name, table in strategy.items():
            unseen = world.unseen(name)
            left = world.found
            for choice, where in table.items():
                wider = world.algebra.exists(where, unseen)
                self._inside(claim, f"{name} chooses {', '.join(sorted(choice))} by what it sees", wider, where)
            for choice, where in world.following(strategy).narrowed(name, world.options(name)):
                self._inside(
                    claim, f"{name} chooses {', '.join(sorted(choice))} and nothing else", where & world.found, left
                )
                left = left & ~where
            can = world.space.disjunction(where for _, where in world.options(name))
            self._inside(claim, f"{name} chooses something where it can", left & can, world.algebra.false)

    def _guessed(self, automaton: int, of: Set, hint: Hint, inside: bool) -> None:
        """The automaton reads sets of this world, which must be exactly what they are said to be."""
        rules, read = self._inner(automaton)
        for one in read:
            self.show(one, True)
            self.show(one, False)
        states = rules.show(of, inside)
        guessed = Through(Kind.GUESSED)
        if inside:
            rules._every("an automaton", guessed, hint.states, states)
        else:
            rules._none("an automaton", guessed, self._world.found & ~hint.states, states)


def needs_search(one: Set, inside: bool) -> bool:
    """Whether showing the claim takes that all found states can be reached."""
    match one:
        case Given():
            return False
        case Outside(of):
            return needs_search(of, not inside)
        case Both(of) | Either(of):
            return any(needs_search(part, inside) for part in of)
        case Before(through, into, among):
            alike = inside and through.kind in (Kind.ALIKE, Kind.LINKED)
            return alike or needs_search(into, inside) or (among is not None and needs_search(among, inside))
        case Least(through, hold, goal) | Greatest(through, hold, goal):
            alike = inside and through.kind in (Kind.ALIKE, Kind.LINKED)
            return alike or needs_search(hold, inside) or needs_search(goal, inside)
        case Again(_, hold, goal, conditions):
            return any(needs_search(part, inside) for part in (hold, goal, *conditions))
        case Anywhere(of):
            return inside or needs_search(of, inside)
        case Uniform() | Guessed():
            return True
