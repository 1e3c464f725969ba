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
from epistrat.engines.witness.branching import Ways
from epistrat.engines.witness.coalitions import Enforcement
from epistrat.engines.witness.knowledge import Epistemic
from epistrat.engines.witness.linear import RunProduct, TooLarge
from epistrat.engines.witness.space import S, WitnessSpace
from epistrat.engines.witness.start import Spent, Starts
from epistrat.evidence import Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.points import looks_back
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.fragment import is_enforced
from epistrat.model.state import State

if TYPE_CHECKING:
    from epistrat.engines.witness.playing.evidence import Strategies

MOST_TREES = 2_000  # claims of one tree
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
        self.asked: Formula | None = None
        self.conditions = StateConditions(space.system)
        self._products: dict[Formula, RunProduct[S]] = {}
        self.spent: Spent[S] = Spent(space)
        self._starts: Starts[S] = Starts(space, self.product)
        self._trees: dict[tuple[State, Formula, bool], Tree] = {}
        self._epistemic: Epistemic[S] = Epistemic(self)
        self.ways: Ways[S] = Ways(self)
        self._enforcement: Enforcement[S] = Enforcement(self, strategy_states)

    # The root, and other trees than those already given

    def root(self, formula: Formula, holds: bool) -> Tree | None:
        """A tree for the formula in an initial state where it holds (fails)."""
        space = self.space
        self._trees, self.asked = {}, formula
        start = self.ways.opening_path(formula, holds) or self._starts.choose(formula, holds, self.spent)
        if start is None:
            return None
        if holds and isinstance(formula, logic.ForAll) and isinstance(formula.arg, logic.Globally):
            return Tree(start, formula, holds, (space.fixpoint("reachable", space.worlds),))
        tree = self.tree(start, formula, holds, first=True)
        if holds:  # it does so whether or not a fair path starts here
            return tree
        return Tree(tree.state, tree.claim, tree.holds, tree.because + self.ways.fair_part(start))

    # One claim

    def tree(self, state: State, formula: Formula, holds: bool, first: bool = False) -> Tree:
        """The tree for a claim that is true of the state; ``first`` if the state is taken as the beginning of time."""
        key = (state, formula, holds)
        if key not in self._trees or looks_back(formula):
            if self.conditions.decides(formula):
                reasons: tuple[e.Reason, ...] = ()
            elif len(self._trees) >= MOST_TREES or (looks_back(formula) and not first):
                reasons = (self.word(formula, holds),)
            else:
                reasons = tuple(self._reasons(state, formula, holds, first))
            self._trees[key] = Tree(state, formula, holds, reasons)
        return self._trees[key]

    def true(self, state: State, formula: Formula) -> bool:
        """Whether a formula is true in a state."""
        return self.space.has(self._starts.where(formula), state)

    def _reasons(self, state: State, formula: Formula, holds: bool, first: bool) -> Iterator[e.Reason]:
        match formula:
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                yield from self._parts(state, formula, holds, first)
            case logic.Exists(_, star) | logic.ForAll(_, star):
                if isinstance(formula, logic.Exists) is not holds:
                    within = self._starts.within(formula, state, everywhere=first and formula == self.asked)
                    yield within or self.word(formula, holds)
                else:
                    yield self._linear(state, formula, holds) if star else self.ways.reason(state, formula, holds)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common():
                knowledge = self._epistemic
                yield knowledge.known(state, formula) if holds else knowledge.ignorance(state, formula)
            case logic.Correct():
                yield self._epistemic.correctness(formula) if holds else self._epistemic.misbehaviour(formula)
            case logic.Tagged(_, arg):
                yield from self._reasons(state, arg, holds, first)
            case logic.Coalition() if is_enforced(formula.arg):
                yield self._enforcement.reason(state, formula, holds, first)
            case logic.Coalition() | logic.SomeStrategy() | logic.EveryStrategy() | logic.Bound():
                yield self._strategies.reason(state, formula, holds, first) or self.word(formula, holds)
            case logic.SomeEquilibrium() | logic.EveryEquilibrium():
                yield self._strategies.equilibrium(state, formula, holds) or self.word(formula, holds)
            case _:
                yield self.word(formula, holds)

    @lazy
    def _strategies(self) -> Strategies[S]:
        from epistrat.engines.witness.playing.evidence import Strategies

        return Strategies(self)

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
        truths = [(part, self.true(state, part)) for part in parts]
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
        if self.conditions.decides(formula):
            return 0
        return 1 if isinstance(formula, logic.CONNECTIVES) else 2

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
        inside = [part for part in _state_parts(formula) if not self.conditions.decides(part)]
        return tuple(
            (position, self.tree(state, part, self.true(state, part)))
            for position, state in enumerate(lasso.states)
            for part in inside
        )


def _state_parts(formula: Formula) -> list[Formula]:
    """The largest state formulae inside a path formula."""
    if is_state(formula):
        return [formula]
    return list(dict.fromkeys(part for operand in operands(formula) for part in _state_parts(operand)))
