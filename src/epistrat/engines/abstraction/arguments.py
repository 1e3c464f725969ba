"""What an abstraction proves about all concrete states of a set, as reasons that a prover can check again.

``AG`` and knowledge rest on an invariant, ``EG`` and what a group keeps true on a region, ``F`` and ``U`` on a descent.  What a group
forces comes with its decision rules: conditions made of predicates, and what each member does there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from epistrat.encoding.part import variables_of
from epistrat.engines.abstraction.descent import Descents, Stage
from epistrat.engines.abstraction.enumerate import Rank
from epistrat.engines.abstraction.force import Anything, Everything, Members, Player
from epistrat.engines.abstraction.label import AbstractLabels
from epistrat.engines.abstraction.regions import condition_of
from epistrat.evidence import Descent, Enforced, Invariant, Place, Reason, Region, RuleStrategy
from epistrat.evidence.shapes import positive
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group
from epistrat.model.conditions import is_condition
from epistrat.solvers.bdd import Bdd
from epistrat.terms import Expr, Terms

_MOST_STAGES = 24  # of a descent that evidence writes down: nobody reads more


class TooLong(Exception):
    """A condition, or a list of stages, would be too long to read."""


class Arguments:
    """Reasons from the labels of one abstraction."""

    def __init__(self, labels: AbstractLabels) -> None:
        self._labels = labels
        self._space = labels.space
        self._algebra = labels.space.algebra
        self._terms = Terms()

    def reasons(self, formula: Formula, holds: bool) -> list[Reason]:
        """Why the formula has this truth where its label says so; nothing where that cannot be written down."""
        claim = positive(formula, holds)
        if claim is None or self._space.on_grids:  # no prover can be told that reals move on a grid
            return []
        try:
            return list(self._reasons(claim))
        except TooLong:
            return []

    def _reasons(self, claim: Formula) -> Iterator[Reason]:
        match claim:
            case logic.ForAll(logic.Globally(goal), False) if is_condition(goal):
                everywhere = self._algebra.implies(self._space.reached, self._labels.label(goal).yes)
                yield Invariant(self._everything()) if everywhere else Region(self._where(claim))
            case logic.Knows(_, goal) | logic.Everybody(_, goal) | logic.Distributed(_, goal) if is_condition(goal):
                yield Invariant(self._everything())
            case logic.Common(_, goal) if is_condition(
                goal
            ):  # elsewhere, an invariant says nothing of the chains from a state
                if self._algebra.implies(self._space.reached, self._labels.label(goal).yes):
                    yield Invariant(self._everything())
            case logic.Correct(_, goal) if is_condition(goal):
                yield Invariant(self._everything())
            case logic.Exists(logic.Globally(goal), False) if is_condition(goal):
                yield Region(self._where(claim))
            case logic.ForAll(arg, False):
                yield from self._descent(arg, Everything())
            case logic.Exists(arg, False):
                yield from self._descent(arg, Anything())
            case logic.Coalition(group, logic.Globally(goal)) if is_condition(goal):
                inside = self._labels.label(claim).yes
                yield Enforced(self.rules(group, [Stage(inside, inside, ())]))
                yield Region(self._where(claim))
            case logic.Coalition(group, logic.Next(goal)) if is_condition(goal):
                good = self._labels.label(goal).yes
                yield Enforced(self.rules(group, [Stage(self._labels.label(claim).yes, good, ())]))
            case logic.Coalition(group, arg):
                yield from self._descent(arg, Members(group))

    def _everything(self) -> Expr:
        return self.condition(self._space.reached)

    def _where(self, claim: Formula) -> Expr:
        return self.condition(self._labels.label(claim).yes)

    def condition(self, states: Bdd, care: Bdd | None = None) -> Expr:
        """A set as a condition, which may be anything where nobody cares; raises `TooLong`."""
        found = condition_of(self._space, states, self._terms, care)
        if found is None:
            raise TooLong
        return found

    # -- descents -------------------------------------------------------------------------------------------------

    def _descent(self, arg: Formula, player: Player) -> Iterator[Reason]:
        match arg:
            case logic.Finally(goal):
                hold: Formula = logic.Truth(True)
            case logic.Until(hold, goal):
                pass
            case _:
                return
        if not (is_condition(hold) and is_condition(goal)):
            return
        stages = self.stages(player, self._labels.label(hold).yes, self._labels.label(goal).yes)
        if isinstance(player, Members):
            yield Enforced(self.rules(player.group, stages))
        yield Descent(tuple(Place(self.condition(stage.states), self.measures(stage, stages)) for stage in stages))

    def stages(self, player: Player, before: Bdd, goal: Bdd) -> list[Stage]:
        """The stages in which the player forces the goal."""
        labels = self._labels
        stages = Descents(labels.forcing, player).to(before, goal, labels.ranks, labels.depth)
        if len(stages) > self._space.budget.patience.most(_MOST_STAGES):
            raise TooLong
        return stages

    def measures(self, stage: Stage, stages: Sequence[Stage]) -> tuple[Expr, ...]:
        """The key of a stage as numbers, as many as the longest key has."""
        width = max(len(one.key) for one in stages)
        key = (*stage.key, *(0 for _ in range(width - len(stage.key))))
        terms = self._terms
        return tuple(part.form.expression(terms) if isinstance(part, Rank) else terms.number(part) for part in key)

    # -- decision rules -------------------------------------------------------------------------------------------

    def rules(self, group: Group, stages: Sequence[Stage]) -> RuleStrategy:
        """What the members do, stage by stage: the first rule whose condition is true counts."""
        names = [name for name in group.members if name in self._space.layout.actions]
        tables: dict[str, list[tuple[Expr, str]]] = {name: [] for name in names}
        left = self._space.reached  # outside of it, and where a rule counts already, conditions may say anything
        for stage in stages:
            for states, actions in self._choices(group, stage):
                condition = self.condition(states & left, left & self._relevant(stages))
                left = left & ~states
                for name in names:
                    tables[name].append((condition, actions[name]))
        return RuleStrategy(group, tuple((name, tuple(rules)) for name, rules in tables.items()))

    def _relevant(self, stages: Sequence[Stage]) -> Bdd:
        """The states of all stages: elsewhere the group needs no rule."""
        found = self._algebra.false
        for stage in stages:
            found = found | stage.states
        return found

    def _choices(self, group: Group, stage: Stage) -> Iterator[tuple[Bdd, dict[str, str]]]:
        """The states of a stage, by what the members do in them."""
        layout, algebra = self._space.layout, self._algebra
        _, own = self._labels.forcing.choice(group)
        moves = self._labels.forcing.moves(group, stage.good)
        left = stage.states
        while (picked := algebra.pick(moves & left)) is not None:
            bits = {bit: picked.get(bit, False) for bit in variables_of(own)}
            states = left & algebra.exists(moves & self._space.cube(bits), algebra.cube(variables_of(own)))
            actions: dict[str, str] = {}
            for name in group.members:
                fields = layout.actions.get(name)
                if fields is not None:
                    code = sum(bits[bit] << place for place, bit in enumerate(fields))
                    actions[name] = str(layout.names[name][code])
            yield states, actions
            left = left & ~states
