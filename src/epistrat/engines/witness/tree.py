"""The builder of evidence: one recursion over the operators, the same for all engines.

`evidence` gives a tree for a verdict.  What can be shown by one run, one look-alike or one strategy is shown, whatever stands around it and
below it (`AF EG f` that fails, `EF AG f` that holds); what speaks about all states of a set is stated without evidence, with the size of
that set.  Rules per operator: docs/evidence.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic

from epistrat import evidence as e
from epistrat.encoding.lazily import lazy
from epistrat.engines.contract import STRATEGY_STATES
from epistrat.engines.witness.knowledge import Epistemic
from epistrat.engines.witness.linear import RunProduct, TooLarge
from epistrat.engines.witness.paths import Circle, Paths, Walk
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.engines.witness.start import Spent, Starts
from epistrat.evidence import Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.points import FAIR_START, looks_back
from epistrat.evidence.shapes import Literal, Reach, Stay, shapes
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.model.state import State
from epistrat.model.system import Blocking, Scheduling

if TYPE_CHECKING:
    from epistrat.engines.witness.games import Games

MOST_TREES = 2_000  # claims of one tree
FEWEST_TRIALS, MOST_TRIALS, TRIED_STATES = 10, 500, 1_000_000
"""How many strategies are tried to find one that serves all initial states: so many, or so many states in all."""
DEEPEST = 120
"""How deep formulae and chains of look-alikes may nest: trees that deep are walked by recursion, and nobody reads them."""


def evidence(
    space: WitnessSpace[S], formula: Formula, holds: bool, count: int = 1, strategy_states: int = STRATEGY_STATES
) -> list[Tree]:
    """Up to ``count`` different trees for a verdict; none where no initial state has a say, or where formulae nest too deep for trees.

    A formula fails if it fails in some initial state, and the tree is about that one; if it holds, the tree shows it for one of them.
    ``strategy_states`` bounds the tables of strategies.
    """
    if depth(formula) > DEEPEST:
        return []
    builder: TreeBuilder[S] = TreeBuilder(space, strategy_states)
    trees: list[Tree] = []
    while len(trees) < count:
        tree = builder.root(formula, holds)
        if tree is None or tree in trees:
            break
        trees.append(tree)
        builder.spent.add(tree)
    return trees


def depth(formula: Formula) -> int:
    """How deep a formula nests."""
    found: dict[Formula, int] = {}
    for part in subformulae(formula):
        found[part] = 1 + max((found[operand] for operand in operands(part)), default=0)
    return found[formula]


class TreeBuilder(Generic[S]):
    """Builds trees in one space.  Choices made for one tree are avoided in the next where others exist."""

    def __init__(self, space: WitnessSpace[S], strategy_states: int = STRATEGY_STATES) -> None:
        self.space = space
        self._paths = Paths(space)
        self._epistemic: Epistemic[S] = Epistemic(self)
        self._strategy_states = strategy_states
        self._asked: Formula | None = None
        self._conditions = StateConditions(space.system)
        self._fair_starts: dict[State, Tree] = {}
        self._products: dict[Formula, RunProduct[S]] = {}
        self.spent: Spent[S] = Spent(space)
        self._starts: Starts[S] = Starts(space, self.product)
        self._trees: dict[tuple[State, Formula, bool], Tree] = {}
        self._serving: dict[Formula, tuple[S, e.Reason | None]] = {}
        self._opening: tuple[Formula, e.Path] | None = None

    # The root, and other trees than those already given

    def root(self, formula: Formula, holds: bool) -> Tree | None:
        """A tree for the formula in an initial state where it holds (fails)."""
        space = self.space
        self._trees, self._opening, self._asked = {}, None, formula
        start = self._opening_path(formula, holds) or self._starts.choose(formula, holds, self.spent)
        if start is None:
            return None
        if holds and isinstance(formula, logic.ForAll) and isinstance(formula.arg, logic.Globally):
            return Tree(start, formula, holds, (space.fixpoint("reachable", space.worlds),))
        tree = self.tree(start, formula, holds, first=True)
        if holds:  # it does so whether or not a fair path starts here
            return tree
        return Tree(tree.state, tree.claim, tree.holds, tree.because + self.fair_part(start))

    def _opening_path(self, formula: Formula, holds: bool) -> State | None:
        """The start of a shortest path to what the formula claims about some state, where only that state matters."""
        for shape in shapes(formula, holds):
            if isinstance(shape, Reach) and not shape.through and shape.steps is None and not holds:
                target = self._where(shape.target)
                if not self.space.is_empty(target):
                    self._opening = formula, self.space.run_to(self.spent.fresh(formula, target))
                    return self._opening[1].states[0]
        return None

    # One claim

    def tree(self, state: State, formula: Formula, holds: bool, first: bool = False) -> Tree:
        """The tree for a claim that is true of the state; ``first`` if the state is taken as the beginning of time."""
        key = (state, formula, holds)
        if key not in self._trees or looks_back(formula):
            if self._conditions.decides(formula):
                reasons: tuple[e.Reason, ...] = ()
            elif len(self._trees) >= MOST_TREES or (looks_back(formula) and not first):
                reasons = (self.word(formula, holds),)
            else:
                reasons = tuple(self._reasons(state, formula, holds, first))
            self._trees[key] = Tree(state, formula, holds, reasons)
        return self._trees[key]

    def _true(self, state: State, formula: Formula) -> bool:
        return self.space.has(self._starts.where(formula), state)

    def _reasons(self, state: State, formula: Formula, holds: bool, first: bool) -> Iterator[e.Reason]:
        match formula:
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                yield from self._parts(state, formula, holds, first)
            case logic.Exists(_, star) | logic.ForAll(_, star):
                if isinstance(formula, logic.Exists) is not holds:
                    within = self._starts.within(formula, state, everywhere=first and formula == self._asked)
                    yield within or self.word(formula, holds)
                else:
                    yield self._linear(state, formula, holds) if star else self._branching(state, formula, holds)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common():
                knowledge = self._epistemic
                yield knowledge.known(state, formula) if holds else knowledge.ignorance(state, formula)
            case logic.Correct():
                yield self._epistemic.correctness(formula) if holds else self._epistemic.misbehaviour(formula)
            case logic.Coalition():
                yield self._coalition(state, formula, holds, first)
            case _:
                yield self.word(formula, holds)

    def word(self, formula: Formula, holds: bool) -> e.Fixpoint:
        """A claim without evidence, for what no single run can show."""
        good = self.space.satisfying(formula)
        if not holds:
            return self.space.fixpoint("excluded", good)
        always = isinstance(formula, (logic.ForAll, logic.Exists)) and isinstance(formula.arg, logic.Globally)
        return self.space.fixpoint("safe" if always else "bounded", good)

    # Connectives

    def _parts(self, state: State, formula: Formula, holds: bool, first: bool) -> Iterator[e.Part]:
        """The operands that decide the connective: one where one suffices, a condition on the state if possible."""
        parts = dict.fromkeys(operands(formula)) if isinstance(formula, (logic.And, logic.Or)) else operands(formula)
        truths = [(part, self._true(state, part)) for part in parts]
        match formula:
            case logic.And() | logic.Or():
                wanted = isinstance(formula, logic.Or)
                truths = self._deciding(truths, holds, wanted)
            case logic.Implies():
                negated = [(part, value if index else not value) for index, (part, value) in enumerate(truths)]
                deciding = self._deciding(negated, holds, wanted=True)
                truths = [pair for pair, other in zip(truths, negated, strict=True) if other in deciding]
        for part, value in truths:
            yield e.Part(self.tree(state, part, value, first))

    def _deciding(self, truths: list[tuple[Formula, bool]], holds: bool, wanted: bool) -> list[tuple[Formula, bool]]:
        """All operands if each is needed, else the simplest one that has the value ``wanted``."""
        if holds is not wanted:
            return truths
        candidates = [pair for pair in truths if pair[1] is wanted]
        return [min(candidates, key=lambda pair: self._difficulty(pair[0]))]

    def _difficulty(self, formula: Formula) -> int:
        if self._conditions.decides(formula):
            return 0
        return 1 if isinstance(formula, logic.CONNECTIVES) else 2

    # Paths

    def _where(self, literals: tuple[Literal, ...]) -> S:
        """The states of W where all the literals are true."""
        result = self.space.worlds
        for formula, value in literals:
            good = self.space.satisfying(formula)
            result = self.space.meet(result, good) if value else self.space.minus(result, good)
        return result

    def _branching(self, state: State, formula: Formula, holds: bool) -> e.Reason:
        for shape in shapes(formula, holds):
            found = (
                self._reach(state, formula, shape) if isinstance(shape, Reach) else self._stay(state, formula, shape)
            )
            if found is not None:
                return found
        raise AssertionError("an existential claim has no path")

    def _reach(self, state: State, claim: Formula, shape: Reach) -> e.Along | None:
        target, through = self._where(shape.target), self._where(shape.through)
        fresh = self.spent.fresh(claim, target)
        way = (
            self._opened(state, claim)
            or self._way(state, through, fresh, shape.steps)
            or self._way(state, through, target, shape.steps)
        )
        if way is None:
            return None
        last = len(way.points) - 1
        claims = [
            (position, self.tree(way.points[position], formula, value))
            for position in range(last + 1)
            for formula, value in (shape.target if position == last else shape.through)
            if position == last or not self._conditions.decides(formula)
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
        found = self.space.step(state, target)
        return None if found is None else Walk((state, found[1]), (found[0],))

    def _stay(self, state: State, claim: Formula, shape: Stay) -> e.Around | None:
        everywhere = self._where(shape.everywhere)
        inside = self._paths.fair_set(everywhere)
        if not self.space.has(inside, state):
            return None
        spent = self.spent.of(claim)
        if spent is not None:
            other = self._paths.fair_set(self.space.minus(everywhere, spent))
            inside = other if self.space.has(other, state) else inside
        lasso = _lasso(self._paths.circle(state, inside))
        claims = [
            (position, self.tree(lasso.states[position], formula, value))
            for position in range(len(lasso.states))
            for formula, value in shape.everywhere
            if not self._conditions.decides(formula)
        ]
        return e.Around(lasso, tuple(claims))

    def fair_part(self, state: State) -> tuple[e.Part, ...]:
        """Under fairness: that a fair path starts in the state."""
        if not self.space.fairness:
            return ()
        if state not in self._fair_starts:
            circle = self._paths.circle(state, self._paths.fair_set(self.space.worlds))
            self._fair_starts[state] = Tree(state, FAIR_START, True, (e.Around(_lasso(circle)),))
        return (e.Part(self._fair_starts[state]),)

    # Linear time

    def product(self, formula: Formula) -> RunProduct[S]:
        """The product of the space with a path formula, made once."""
        if formula not in self._products:
            self._products[formula] = RunProduct(self.space, formula)
        return self._products[formula]

    def _linear(self, state: State, formula: logic.ForAll | logic.Exists, holds: bool) -> e.Reason:
        """A lasso on which the path formula holds (for A: fails)."""
        try:
            lasso = self.product(formula.arg if holds else logic.Not(formula.arg)).lasso_from(state)
        except TooLarge:
            return self.word(formula, holds)
        if lasso is None:
            raise AssertionError("an existential claim has no lasso")
        return e.Around(lasso, self.labels(formula.arg, lasso))

    def labels(self, formula: Formula, lasso: e.Lasso) -> tuple[tuple[int, Tree], ...]:
        """The truth of the state formulae inside a path formula along a lasso, where the states do not show it."""
        inside = [part for part in _state_parts(formula) if not self._conditions.decides(part)]
        return tuple(
            (position, self.tree(state, part, self._true(state, part)))
            for position, state in enumerate(lasso.states)
            for part in inside
        )

    # Strategies

    @lazy
    def _games(self) -> Games[S]:
        from epistrat.engines.witness.games import Games

        return Games(self.space, self._strategy_states)

    def _coalition(self, state: State, claim: logic.Coalition, holds: bool, first: bool) -> e.Reason:
        starts, found = self._uniform(state, claim, holds, first)
        if not isinstance(claim.arg, (logic.Next, logic.Finally, logic.Globally, logic.Until)):
            return found or self.word(claim, holds)
        from epistrat.engines.witness.forced import hold_and_goal
        from epistrat.engines.witness.games import visited

        hold, goal = hold_and_goal(claim.arg)
        if isinstance(found, e.Enforced):
            return self._visiting(starts, claim, found, hold, goal)
        if self._leaves_worlds():
            return found or self.word(claim, holds)
        lost = None
        if found is not None:  # whoever fails with perfect information fails with less
            lost = None if holds else self._games.lost(claim)
            if lost is None or not self.space.has(lost, state):
                return found
        if holds:
            strategy, states = self._games.strategy(
                claim, self._all_starts(state) if first and claim == self._asked else [state]
            )
            return e.Enforced(strategy, self._claims(states, hold, goal))
        answers = self._games.answers(claim, state, lost)
        return e.Answered(answers, self._claims([state, *visited(answers)], hold, goal))

    def _leaves_worlds(self) -> bool:
        """Whether plays may lead where formulae do not range, or end: in an interleaved system a group that waits may make a run fair."""
        system = self.space.system
        return system.interleaved and (
            bool(self.space.fairness) or system.blocking is Blocking.IGNORE or system.scheduling is Scheduling.FAIR
        )

    def _uniform(self, state: State, claim: logic.Coalition, holds: bool, first: bool) -> tuple[S, e.Reason | None]:
        """The states from which one strategy succeeds (fails), and the reason.

        At the start one that serves all initial states is looked for first: a strategy for one of them alone is easily taken for it.
        """
        space = self.space
        if first and holds and space.size(space.initial) > 1:
            if claim not in self._serving:
                self._serving[claim] = self._for_all(claim)
            starts, found = self._serving[claim]
            if isinstance(found, e.Enforced):
                return starts, found
        starts = space.starts(claim, space.only(state))
        return starts, space.uniform(claim, starts, holds)

    def _for_all(self, claim: logic.Coalition) -> tuple[S, e.Reason | None]:
        """All initial states and one strategy for them, if there is one."""
        space = self.space
        starts = space.starts(claim, space.initial)
        true = space.is_empty(space.minus(space.initial, space.satisfying(claim)))
        trials = max(FEWEST_TRIALS, min(MOST_TRIALS, TRIED_STATES // max(space.size(space.worlds), 1)))
        return starts, space.uniform(claim, starts, True, trials) if true else None

    def _visiting(self, starts: S, claim: logic.Coalition, found: e.Enforced, hold: Formula, goal: Formula) -> e.Reason:
        """The uniform strategy with claims about what its outcomes visit, where these do not show what the goal asks."""
        if all(map(self._conditions.decides, (hold, goal))):
            return found
        visited = self._games.outcomes_of(found.strategy, self.space.some(starts, MOST_TREES), MOST_TREES)
        if visited is None:
            return self.word(claim, holds=True)
        return e.Enforced(found.strategy, self._claims(visited, hold, goal))

    def _all_starts(self, state: State) -> list[State]:
        """The state and the other initial states, as many as a table may list: one strategy serves them all."""
        rest = self.space.minus(self.space.initial, self.space.only(state))
        return [state, *self.space.some(rest, self._strategy_states - 1)]

    def _claims(self, states: list[State], hold: Formula, goal: Formula) -> tuple[Tree, ...]:
        """The truth of the goal's parts where the states do not show it."""
        parts = [part for part in dict.fromkeys((hold, goal)) if not self._conditions.decides(part)]
        worlds = [state for state in states if parts and self.space.has(self.space.worlds, state)]
        known = dict.fromkeys(worlds)
        return tuple(self.tree(state, part, self._true(state, part)) for state in known for part in parts)


def _lasso(circle: Circle[State]) -> e.Lasso:
    return e.Lasso(circle.points, circle.actions, circle.loop)


def _state_parts(formula: Formula) -> list[Formula]:
    """The largest state formulae inside a path formula."""
    if is_state(formula):
        return [formula]
    return list(dict.fromkeys(part for operand in operands(formula) for part in _state_parts(operand)))
