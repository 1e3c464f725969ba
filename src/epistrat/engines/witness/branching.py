"""Evidence about what some path does: paths to states, and lassos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic

from epistrat import evidence as e
from epistrat.engines.witness.paths import Circle, Paths, Walk
from epistrat.engines.witness.space import S
from epistrat.evidence import Tree
from epistrat.evidence.points import FAIR_START
from epistrat.evidence.shapes import Literal, Reach, Stay, shapes
from epistrat.logic.formula import Formula
from epistrat.model.state import State

if TYPE_CHECKING:
    from epistrat.engines.witness.tree import TreeBuilder


class Ways(Generic[S]):
    """The builder's reasons for claims about some path."""

    def __init__(self, site: TreeBuilder[S]) -> None:
        self._site = site
        self._space = site.space
        self._paths = Paths(site.space)
        self._fair_starts: dict[State, Tree] = {}
        self._opening: tuple[Formula, e.Path] | None = None

    def opening_path(self, formula: Formula, holds: bool) -> State | None:
        """The start of a shortest path to what the formula claims about some state, where only that state matters."""
        self._opening = None
        for shape in shapes(formula, holds):
            if isinstance(shape, Reach) and not shape.through and shape.steps is None and not holds:
                target = self._where(shape.target)
                if not self._space.is_empty(target):
                    self._opening = formula, self._space.run_to(self._site.spent.fresh(formula, target))
                    return self._opening[1].states[0]
        return None

    def _where(self, literals: tuple[Literal, ...]) -> S:
        """The states of W where all the literals are true."""
        result = self._space.worlds
        for formula, value in literals:
            good = self._space.satisfying(formula)
            result = self._space.meet(result, good) if value else self._space.minus(result, good)
        return result

    def reason(self, state: State, formula: Formula, holds: bool) -> e.Reason:
        """A path or a lasso of one of the shapes that show the claim."""
        for shape in shapes(formula, holds):
            found = (
                self._reach(state, formula, shape) if isinstance(shape, Reach) else self._stay(state, formula, shape)
            )
            if found is not None:
                return found
        raise AssertionError("an existential claim has no path")

    def _reach(self, state: State, claim: Formula, shape: Reach) -> e.Along | None:
        target, through = self._where(shape.target), self._where(shape.through)
        fresh = self._site.spent.fresh(claim, target)
        way = (
            self._opened(state, claim)
            or self._way(state, through, fresh, shape.steps)
            or self._way(state, through, target, shape.steps)
        )
        if way is None:
            return None
        last = len(way.points) - 1
        claims = [
            (position, self._site.tree(way.points[position], formula, value))
            for position in range(last + 1)
            for formula, value in (shape.target if position == last else shape.through)
            if position == last or not self._site.conditions.decides(formula)
        ]
        claims += [(last, part.tree) for part in self.fair_part(way.last)]
        return e.Along(e.Path(way.points, way.actions), tuple(claims))

    def _opened(self, state: State, claim: Formula) -> Walk[State] | None:
        """The path that was found when the root was chosen, if this is the place for it."""
        if self._opening is None or self._opening[0] != claim or self._opening[1].states[0] != state:
            return None
        path = self._opening[1]
        return Walk(path.states, path.actions)

    def _way(self, state: State, through: S, target: S, steps: int | None) -> Walk[State] | None:
        if steps is None:
            return self._paths.route(state, through, target)
        found = self._space.step(state, target)
        return None if found is None else Walk((state, found[1]), (found[0],))

    def _stay(self, state: State, claim: Formula, shape: Stay) -> e.Around | None:
        everywhere = self._where(shape.everywhere)
        inside = self._paths.fair_set(everywhere)
        if not self._space.has(inside, state):
            return None
        spent = self._site.spent.of(claim)
        if spent is not None:
            other = self._paths.fair_set(self._space.minus(everywhere, spent))
            inside = other if self._space.has(other, state) else inside
        lasso = lasso_of(self._paths.circle(state, inside))
        claims = [
            (position, self._site.tree(lasso.states[position], formula, value))
            for position in range(len(lasso.states))
            for formula, value in shape.everywhere
            if not self._site.conditions.decides(formula)
        ]
        return e.Around(lasso, tuple(claims))

    def fair_part(self, state: State) -> tuple[e.Part, ...]:
        """Under fairness: that a fair path starts in the state."""
        if not self._space.fairness:
            return ()
        if state not in self._fair_starts:
            circle = self._paths.circle(state, self._paths.fair_set(self._space.worlds))
            self._fair_starts[state] = Tree(state, FAIR_START, True, (e.Around(lasso_of(circle)),))
        return (e.Part(self._fair_starts[state]),)


def lasso_of(circle: Circle[State]) -> e.Lasso:
    """A path that closes, as evidence."""
    return e.Lasso(circle.points, circle.actions, circle.loop)
