"""Labels on decision diagrams: what `epistrat.engines.fixpoints.evaluator` needs, over any `StateGraph`.

A `Labelling` belongs to a universe: the reachable states, or with fairness those from which a fair path starts.  A label is right within
its universe and says nothing outside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import and_, invert, or_
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from epistrat.encoding.lazily import lazy
from epistrat.encoding.part import Part
from epistrat.engines.fixpoints.assignment import NOTHING, Assignment
from epistrat.engines.fixpoints.evaluator import Asked, Evaluator, never
from epistrat.engines.fixpoints.fixpoint import Stop
from epistrat.engines.fixpoints.graph import GameGraph, StateGraph
from epistrat.engines.fixpoints.knowledge import Knowledge
from epistrat.engines.fixpoints.temporal import Temporal
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans
from epistrat.logic.formula import Formula, Group
from epistrat.logic.fragment import is_enforced
from epistrat.solvers.bdd import Algebra, Bdd

if TYPE_CHECKING:
    from epistrat.engines.fixpoints.strategic import Strategic


class PathLabels(NamedTuple):
    """Labels what fixpoints of one operator cannot: path formulae below quantifiers and knowledge, and strategies with memory."""

    quantified: Callable[[Labelling, logic.ForAll | logic.Exists], Bdd]
    throughout: Callable[[Labelling, Formula], Bdd]
    enforced: Callable[[Labelling, logic.Coalition], Bdd] | None = None
    sentence: Callable[[Labelling, Formula], Bdd] | None = None


Player: TypeAlias = Temporal | Group
"""Who chooses what happens: everybody together, for paths within a universe; or a group against the others."""


class Labelling(Evaluator[Bdd, Player]):
    """Labels of formulae over one universe."""

    def __init__(
        self,
        space: StateGraph,
        universe: Bdd,
        fairness: Sequence[Bdd] = (),
        paths: PathLabels | None = None,
        given: Assignment = NOTHING,
        labels: dict[Asked, Bdd] | None = None,
    ) -> None:
        super().__init__(booleans(space.algebra), given, labels)
        self.space = space
        self.algebra = space.algebra
        self.universe = universe
        self.fairness = tuple(fairness)
        self.temporal = Temporal(space, universe, fairness)
        self.knowledge = Knowledge(space, universe, wider=bool(fairness))
        self._paths = paths
        self._bounds: dict[Formula, Bdd] = {}
        self._supports: dict[Formula, int] = {}

    def bound(self, formula: Formula, stop: Stop) -> Bdd:
        """As `label`, but the outermost fixpoint may end early; see `epistrat.engines.fixpoints.fixpoint`."""
        found = self.known(formula)
        if found is None:
            found = self._bounds[formula] = self._compute(formula, stop)
        return found

    def condition(self, formula: Formula) -> Part | None:
        """The label of a formula without modal operators, with what it depends on; None for others."""
        return self.space.condition(formula)

    def at_once(self, formula: Formula) -> Bdd | None:
        """Conditions on the state."""
        if isinstance(formula, (*logic.NAMING, *logic.EQUILIBRIA)):
            assert self._paths is not None and self._paths.sentence is not None
            return self._paths.sentence(self, formula)
        part = self.condition(formula)
        if part is None:
            return None
        self._supports[formula] = part.support
        return part.function

    def atom(self, formula: Formula) -> Bdd:
        """The states in which a condition holds."""
        raise TypeError(f"not a state formula: {type(formula).__name__}")

    @property
    def everything(self) -> Bdd:
        """All valuations, whether or not they are states."""
        return self.algebra.true

    @property
    def nothing(self) -> Bdd:
        """The empty set."""
        return self.algebra.false

    def within(self, worlds: Bdd, given: Assignment) -> Labelling:
        """Labels over those of the states."""
        return type(self)(self.space, self.universe & worlds, self.fairness, self._paths, given, self.labels)

    # -- time and strategies -------------------------------------------------------------------------------------------

    @property
    def endless(self) -> Bdd:
        """The states from which an infinite (fair) path starts."""
        return self.on_endless_paths.universe

    @lazy
    def on_endless_paths(self) -> Temporal:
        """CTL over the states from which an infinite (fair) path starts: what the quantifiers of CTL* range over."""
        universe = self.universe if self.fairness else self.temporal.eg(self.universe)
        return Temporal(self.space, universe, self.fairness)

    @lazy
    def strategic(self) -> Strategic:
        """What coalitions can enforce; the graph must be a `GameGraph`."""
        assert hasattr(self.space, "choices"), "what a coalition enforces must not depend on the past"
        from epistrat.engines.fixpoints.strategic import Strategic

        return Strategic(cast(GameGraph, self.space), self.fairness)

    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> Player:
        """Whoever chooses paths, or the group."""
        if isinstance(formula, logic.Coalition):
            return formula.group
        return self.on_endless_paths if formula.star else self.temporal

    def next(self, player: Player, goal: Bdd) -> Bdd:
        """EX, or ``<group>X``."""
        return player.ex(goal) if isinstance(player, Temporal) else self.strategic.next(player, goal)

    def until(self, player: Player, stay: Bdd, goal: Bdd, stop: Stop) -> Bdd:
        """E U, or ``<group>U``."""
        if isinstance(player, Temporal):
            return player.eu(stay, goal, stop)
        return self.strategic.until(player, stay, goal, stop)

    def unless(self, player: Player, stay: Bdd, goal: Bdd, stop: Stop) -> Bdd:
        """E W and EG, or ``<group>G``."""
        if isinstance(player, Temporal):
            for_ever = player.eg(stay, stop if goal is self.nothing else never)
            return for_ever if goal is self.nothing else player.eu(stay, goal, stop) | for_ever
        assert goal is self.nothing, "a coalition has no W"
        return self.strategic.globally(player, stay, stop)

    def coalition(self, formula: logic.Coalition, stop: Stop) -> Bdd:
        """What the group enforces; G is taken up where a bound was left, from above (robots 16: a remark took 21 s after 10)."""
        if not is_enforced(formula.arg):
            assert self._paths is not None and self._paths.enforced is not None
            return self._paths.enforced(self, formula)
        if formula in self._bounds and isinstance(formula.arg, logic.Globally):
            inside = self.label(formula.arg.arg) & self._bounds[formula]
            return self.strategic.globally(formula.group, inside, stop)
        return super().coalition(formula, stop)

    def along(self, formula: logic.ForAll | logic.Exists) -> Bdd:
        """By laws of CTL*, or a tableau."""
        return super().along(formula) if self._paths is None else self._paths.quantified(self, formula)

    # -- knowledge -----------------------------------------------------------------------------------------------------

    def throughout(self, arg: Formula) -> Bdd:
        """The states at which no run violates the path formula."""
        return super().throughout(arg) if self._paths is None else self._paths.throughout(self, arg)

    def knows(self, agents: tuple[str, ...], fact: Bdd, about: Formula) -> Bdd:
        """By projection onto what agents see; several who pool what they see see much, and nothing is projected for them."""
        support = self._supports.get(about) if len(agents) == 1 else None
        return self.knowledge.knows(agents, fact, support)

    def common(self, group: Group, fact: Bdd) -> Bdd:
        """Common knowledge."""
        return self.knowledge.common(group, fact)

    def correct(self, green: Bdd, fact: Bdd) -> Bdd:
        """Everywhere or nowhere."""
        return self.knowledge.correct(green, fact)


def booleans(algebra: Algebra) -> Booleans[Bdd]:
    """Connectives of diagrams."""

    def every(sets: Sequence[Bdd]) -> Bdd:
        return reduce(and_, sets, algebra.true)

    def some(sets: Sequence[Bdd]) -> Bdd:
        return reduce(or_, sets, algebra.false)

    return Booleans(invert, every, some, algebra.xor)
