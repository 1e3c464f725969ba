"""Three-valued labelling: for every state formula the abstract states where it is surely true and those where it is surely false.

"Surely" means in every reachable concrete state that the abstract one stands for.  Each operator is computed twice, once for the player
that wants it true and once for the one that wants it false; the second is the exact negation of the first, so that nothing is lost
where the abstraction is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from epistrat.encoding.part import variables_of
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.force import Anything, Everything, Forcing, Members, Others, Player
from epistrat.engines.abstraction.space import AbstractSpace
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Expr


class Label(NamedTuple):
    """Where a formula is surely true, and where surely false."""

    yes: Bdd
    no: Bdd


class Labels:
    """The labels of formulae on one abstraction.

    ``counts`` are the abstract states that formulae may range over, ``surely_counts`` those that they do range over if they are reached;
    ``sure`` are states that stand for some reachable state each.
    """

    def __init__(
        self, space: AbstractSpace, sure: Bdd, ranks: Sequence[Rank] = (), depth: int = 0, thorough: bool = True
    ) -> None:
        self.space = space
        self.forcing = Forcing(space, thorough)
        self._algebra = space.algebra
        self.counts = self.surely_counts = space.reached
        self.sure = sure & space.reached
        self.ranks = tuple(ranks)
        self.depth = depth
        self._known: dict[Formula, Label] = {}

    def of(self, formula: Formula) -> Label:
        """The label of a state formula."""
        for part in subformulae(formula):
            if part not in self._known and is_state(part):
                self.space.budget.check()
                yes, no = self._one(part)
                self._known[part] = Label(yes & self.counts, no & self.counts)
        return self._known[formula]

    def _one(self, formula: Formula) -> Label:
        match formula:
            case logic.Truth(value):
                return self._condition(self._algebra.true if value else self._algebra.false)
            case logic.Prop(name):
                return self._where(self.space.system.propositions[name])
            case logic.Test(condition):
                return self._where(condition)
            case logic.Colour(agent, green):
                colour = self._green(agent)
                return self._condition(colour if green else ~colour)
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return self._boolean(formula, [self._known[operand] for operand in operands(formula)])
            case logic.ForAll(arg):
                return self._temporal(arg, Everything(), Anything())
            case logic.Exists(arg):
                return self._temporal(arg, Anything(), Everything())
            case logic.Coalition(group, arg):
                return self._temporal(arg, Members(group), Others(group))
            case _:
                return self._epistemic(formula)

    def _condition(self, function: Bdd) -> Label:
        return Label(function, ~function)

    def _where(self, condition: Expr) -> Label:
        return self._condition(self.space.conditions.of(condition).function)

    def _green(self, agent: str) -> Bdd:
        found = self.space.system.agent.get(agent)
        if found is None or found.red is None:
            return self._algebra.true
        return ~self.space.conditions.of(found.red).function

    def _boolean(self, formula: Formula, args: list[Label]) -> Label:
        match formula:
            case logic.Not():
                return Label(args[0].no, args[0].yes)
            case logic.And():
                return self._both(args)
            case logic.Or():
                return self._either(args)
            case logic.Implies():
                return self._either([Label(args[0].no, args[0].yes), args[1]])
            case _:
                one, two = args
                same = Label((one.yes & two.yes) | (one.no & two.no), (one.yes & two.no) | (one.no & two.yes))
                return same if isinstance(formula, logic.Iff) else Label(same.no, same.yes)

    def _both(self, args: list[Label]) -> Label:
        yes, no = self._algebra.true, self._algebra.false
        for arg in args:
            yes, no = yes & arg.yes, no | arg.no
        return Label(yes, no)

    def _either(self, args: list[Label]) -> Label:
        negated = self._both([Label(arg.no, arg.yes) for arg in args])
        return Label(negated.no, negated.yes)

    # -- time and strategies --------------------------------------------------------------------------------------

    def _temporal(self, shape: Formula, player: Player, opponent: Player) -> Label:
        args = [self._known[operand] for operand in operands(shape)]
        nothing, everything = self._algebra.false, self._algebra.true
        f, g = args[0], args[-1]
        match shape:
            case logic.Next():
                return Label(self.forcing.step(player, f.yes), self.forcing.step(opponent, f.no))
            case logic.Finally():
                return Label(self._soon(player, everything, f.yes), self._ever(opponent, f.no, nothing))
            case logic.Globally():
                return Label(self._ever(player, f.yes, nothing), self._soon(opponent, everything, f.no))
            case logic.Until():
                return Label(self._soon(player, f.yes, g.yes), self._ever(opponent, g.no, f.no & g.no))
            case logic.WeakUntil():
                return Label(self._ever(player, f.yes, g.yes), self._soon(opponent, g.no, f.no & g.no))
            case logic.Release():
                return Label(self._ever(player, g.yes, f.yes & g.yes), self._soon(opponent, f.no, g.no))
            case _:
                raise TypeError(f"no temporal operator: {shape}")

    def _soon(self, player: Player, before: Bdd, goal: Bdd) -> Bdd:
        return self.forcing.eventually(player, before, goal, self.ranks, self.depth)

    def _ever(self, player: Player, stay: Bdd, leave: Bdd) -> Bdd:
        return self.forcing.for_ever(player, stay, leave)

    # -- knowledge ------------------------------------------------------------------------------------------------

    def _epistemic(self, formula: Formula) -> Label:
        system = self.space.system
        match formula:
            case logic.Knows(agent, arg):
                return self._certain(system.views[agent], self._known[arg])
            case logic.Everybody(group, arg):
                return self._both([self._certain(system.views[member], self._known[arg]) for member in group.members])
            case logic.Distributed(group, arg):
                return self._certain(system.pooled_view(group), self._known[arg])
            case logic.Common(group, arg):
                return self._common(group, self._known[arg])
            case logic.Correct(agent, arg):
                body, green = self._known[arg], self._green(agent)
                some = (self.sure & green & body.no) != self._algebra.false
                everywhere = self._algebra.implies(self.counts & green, body.yes)
                yes = self._algebra.true if everywhere else self._algebra.false
                return Label(yes, self._algebra.true if some else self._algebra.false)
            case _:
                raise TypeError(f"not a state formula: {formula}")

    def _look_alike(self, positions: Sequence[int], states: Bdd) -> Bdd:
        """The reachable states that agree with some of the given ones on everything an observer of the positions can compute."""
        hidden = self.space.state_mask & ~self.space.visible(positions)
        return self._algebra.exists(states, self._algebra.cube(variables_of(hidden))) & self.counts

    def confusing(self, formula: logic.Knows | logic.Distributed, states: Bdd) -> Bdd:
        """The reachable states that look like one of the given ones and in which the body of the formula is not sure."""
        views = self.space.system.views
        seen = (
            views[formula.agent] if isinstance(formula, logic.Knows) else self.space.system.pooled_view(formula.group)
        )
        return self._look_alike(seen, states) & ~self.of(formula.arg).yes

    def _certain(self, positions: Sequence[int], body: Label) -> Label:
        """Knowledge of whoever sees the positions.

        It is surely false where the body is; and, if the observer sees no numbers, where a state that is surely reached looks the same and
        the body is surely false there.  With numbers the look-alike might have other ones.
        """
        yes = self.counts & ~self._look_alike(positions, self.counts & ~body.yes)
        no = body.no
        if self.space.exact(positions):
            no = no | self._look_alike(positions, self.sure & body.no)
        return Label(yes, no)

    def _common(self, group: Group, body: Label) -> Label:
        views = [self.space.system.views[member] for member in group.members]
        unsure = self._chains(views, self.counts & ~body.yes, self.counts)
        exact = [positions for positions in views if self.space.exact(positions)]
        no = body.no | self._chains(exact, self.sure & body.no, self.sure)
        return Label(self.counts & ~unsure, no)

    def _chains(self, views: Sequence[Sequence[int]], start: Bdd, through: Bdd) -> Bdd:
        """Everything linked with the start by look-the-same steps, all but the last through states of the given set."""
        found = start
        while True:
            self.space.budget.check()
            following = found
            for positions in views:
                following = following | self._look_alike(positions, following & through)
            if following == found:
                return found
            found = following
