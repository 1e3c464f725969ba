"""What state formulae mean on sets of states: one evaluator for all engines that compute such sets.

A *value* says where a formula holds: a decision diagram, a bit per state, or a pair of sets, of states where it surely holds and of
states where it surely fails.  An engine brings values with their connectives, atoms, one step, two fixpoints (`until` and `unless`)
and look-alikes; what the operators of the logic make of these is said here and nowhere else.

``A`` is the dual of ``E``: where a player cannot bring the opposite about.  Path formulae of CTL's shape are brought to three forms:

    X g         the next state is in g
    f U g       g now or later, f until then;             F g = true U g
    f W g       f U g, or f for ever;                     G f = f W false,  f R g = g W (f and g)

with the duals  !(X g) = X !g,  !(f U g) = !g W (!f and !g),  !(f W g) = !g U (!f and !g).

A label belongs to a formula and to what is *given* (`epistrat.engines.fixpoints.assignment`).  The universe, the fairness constraints
and the reading of strategies are those of the evaluator; evaluators that share labels differ in what is given only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from epistrat.engines.fixpoints.assignment import NOTHING, Assignment
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, is_state, operands

V = TypeVar("V")
P = TypeVar("P")
Asked: TypeAlias = tuple[Formula, Assignment]
"""What a label is remembered by."""


class Shape(NamedTuple, Generic[V]):
    """``stay U goal``, or ``stay W goal`` where ``weak``."""

    weak: bool
    stay: V
    goal: V


def never(_: object) -> bool:
    """Compute the whole fixpoint."""
    return False


def ctl_shape(arg: Formula) -> bool:
    """Whether a path formula is one future operator over state formulae."""
    return isinstance(arg, logic.FUTURE) and all(map(is_state, operands(arg)))


class Evaluator(ABC, Generic[V, P]):
    """Labels of formulae.  ``V`` are values, ``P`` says who chooses what happens.

    ``stop`` ends a fixpoint early once what is known suffices; the value is then only a bound, from below for `until`, from above for
    `unless`.  An engine may ignore it.
    """

    def __init__(self, of: Booleans[V], given: Assignment = NOTHING, labels: dict[Asked, V] | None = None) -> None:
        self.of = of
        self.given = given
        self.labels: dict[Asked, V] = {} if labels is None else labels

    # -- labels --------------------------------------------------------------------------------------------------------

    def label(self, formula: Formula) -> V:
        """Where a state formula holds.  Do not change the result."""
        found = self.known(formula)
        if found is None:
            self.prepare(formula)
            for part in self._open(formula):  # innermost first, so that deep formulae need no deep recursion
                self.tick()
                self.know(part, self.kept(part, self._compute(part, never)))
            found = self.labels[self._asked(formula)]
        return found

    def known(self, formula: Formula) -> V | None:
        """The label, if it was computed before."""
        return self.labels.get(self._asked(formula))

    def know(self, formula: Formula, value: V) -> None:
        """Take a formula's label as given."""
        self.labels[self._asked(formula)] = value

    def _asked(self, formula: Formula) -> Asked:
        return formula, self.given

    def _open(self, formula: Formula) -> list[Formula]:
        """The state formulae to be labelled for this one, operands first; what can be labelled at once is."""
        order: dict[Formula, None] = {}
        stack = [(formula, False)]
        while stack:
            part, ready = stack.pop()
            if ready:
                order[part] = None
            elif part not in order and self.known(part) is None:
                stated = is_state(part) and (part == formula or self.separate(part))
                value = self.at_once(part) if stated else None
                if value is not None:
                    self.know(part, self.kept(part, value))
                else:
                    stack.append((part, True))
                    stack.extend((operand, False) for operand in reversed(operands(part)))
        return [part for part in order if is_state(part) and (part == formula or self.separate(part))]

    def prepare(self, formula: Formula) -> None:
        """Called before the parts of a formula are labelled."""

    def tick(self) -> None:
        """Called for each part; raises if a limit is reached."""

    def at_once(self, formula: Formula) -> V | None:
        """The value of a state formula that is found without the labels of its operands; else None."""
        return None

    def separate(self, formula: Formula) -> bool:
        """Whether a state formula inside another has a label of its own: whether the state alone decides it."""
        return True

    def kept(self, formula: Formula, value: V) -> V:
        """The label that is remembered for a value."""
        return value

    # -- operators -----------------------------------------------------------------------------------------------------

    def _compute(self, formula: Formula, stop: Callable[[V], bool]) -> V:
        match formula:
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return connect(formula, [self.label(operand) for operand in operands(formula)], self.of)
            case logic.ForAll() | logic.Exists():
                return self._quantified(formula, stop)
            case logic.Coalition():
                return self.coalition(formula, stop)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() | logic.Correct():
                return self.epistemic(formula, self.fact(formula.arg))
            case _:
                return self.atom(formula)

    def _quantified(self, formula: logic.ForAll | logic.Exists, stop: Callable[[V], bool]) -> V:
        arg, universal = formula.arg, isinstance(formula, logic.ForAll)
        if not formula.star or ctl_shape(arg):
            by = self.unavoidable if universal else self.achieved
            return by(self.player(formula), arg, stop)
        if is_state(arg):  # looks at the state, but only if a run starts there
            no, endless = self.of.negate, self.endless
            return (
                self.of.some((no(endless), self.label(arg))) if universal else self.of.every((endless, self.label(arg)))
            )
        return self.along(formula)

    def coalition(self, formula: logic.Coalition, stop: Callable[[V], bool]) -> V:
        """Where a group enforces a path formula of CTL's shape."""
        return self.achieved(self.player(formula), formula.arg, stop)

    def achieved(self, player: P, arg: Formula, stop: Callable[[V], bool] = never) -> V:
        """Where the player brings a path formula of CTL's shape about."""
        if isinstance(arg, logic.Next):
            return self.next(player, self.label(arg.arg))
        return self._fixpoint(player, self._shape(arg), stop)

    def unavoidable(self, player: P, arg: Formula, stop: Callable[[V], bool] = never) -> V:
        """Where the player cannot bring the opposite of a path formula of CTL's shape about."""
        no = self.of.negate
        if isinstance(arg, logic.Next):
            return no(self.next(player, no(self.label(arg.arg))))
        return no(self._fixpoint(player, self._dual(self._shape(arg)), lambda value: stop(no(value))))

    def _fixpoint(self, player: P, shape: Shape[V], stop: Callable[[V], bool]) -> V:
        by = self.unless if shape.weak else self.until
        return by(player, shape.stay, shape.goal, stop)

    def _shape(self, arg: Formula) -> Shape[V]:
        match arg:
            case logic.Finally(goal):
                return Shape(False, self.everything, self.label(goal))
            case logic.Globally(stay):
                return Shape(True, self.label(stay), self.nothing)
            case logic.Until(stay, goal) | logic.WeakUntil(stay, goal):
                return Shape(isinstance(arg, logic.WeakUntil), self.label(stay), self.label(goal))
            case logic.Release(goal, stay):
                inside = self.label(stay)
                return Shape(True, inside, self.of.every((self.label(goal), inside)))
        raise TypeError(f"not of CTL's shape: {type(arg).__name__}")

    def _dual(self, shape: Shape[V]) -> Shape[V]:
        no = self.of.negate
        weak, stay, goal = shape
        if not weak and stay is self.everything:
            return Shape(True, no(goal), self.nothing)
        if weak and goal is self.nothing:
            return Shape(False, self.everything, no(stay))
        missed = no(goal)
        return Shape(not weak, missed, self.of.every((no(stay), missed)))

    def epistemic(self, formula: logic.Knowing, fact: V) -> V:
        """Where those whom the operator names know this fact; for O, whether it holds in all green states."""
        match formula:
            case logic.Knows(agent):
                return self.knows((agent,), fact, formula.arg)
            case logic.Everybody(group):
                known = [self.knows((member,), fact, formula.arg) for member in group.members]
                return self.of.every(known) if known else self.everything
            case logic.Distributed(group):
                return self.knows(group.members, fact, formula.arg)
            case logic.Common(group):
                return self.common(group, fact)
            case logic.Correct(agent):
                return self.correct(self.label(logic.Colour(agent, green=True)), fact)

    def fact(self, arg: Formula) -> V:
        """Where what is said to be known holds: of a path formula, where no run that comes by violates it."""
        return self.label(arg) if is_state(arg) else self.throughout(arg)

    def announced(self, said: Formula) -> Evaluator[V, P]:
        """The evaluator after everybody was told that a formula is true: the worlds where it is are left."""
        return self.within(self.label(said), (*self.given, ("announced", said)))

    # -- what an engine brings -------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def everything(self) -> V:
        """The value of ``true``; always the same object."""

    @property
    @abstractmethod
    def nothing(self) -> V:
        """The value of ``false``; always the same object."""

    @property
    @abstractmethod
    def endless(self) -> V:
        """Where an infinite (fair) run starts."""

    @abstractmethod
    def atom(self, formula: Formula) -> V:
        """Where an atom holds."""

    @abstractmethod
    def player(self, formula: logic.ForAll | logic.Exists | logic.Coalition) -> P:
        """Who brings it about: for E and a coalition the formula, for A its opposite."""

    @abstractmethod
    def next(self, player: P, goal: V) -> V:
        """Where the player brings it about that the next state is in the goal."""

    @abstractmethod
    def until(self, player: P, stay: V, goal: V, stop: Callable[[V], bool]) -> V:
        """Where the player brings the goal about, through states of ``stay``."""

    @abstractmethod
    def unless(self, player: P, stay: V, goal: V, stop: Callable[[V], bool]) -> V:
        """As `until`; or the play remains in ``stay`` for ever."""

    @abstractmethod
    def knows(self, agents: tuple[str, ...], fact: V, about: Formula) -> V:
        """Where the fact holds in all worlds that look the same to the agents together; ``about`` is its formula."""

    @abstractmethod
    def common(self, group: logic.Group, fact: V) -> V:
        """Where the fact holds in all worlds that chains of look-the-same steps of members lead to."""

    @abstractmethod
    def correct(self, green: V, fact: V) -> V:
        """Whether the fact holds in all green worlds: everywhere or nowhere."""

    def along(self, formula: logic.ForAll | logic.Exists) -> V:
        """The value of a quantifier of CTL* over a path formula that is not of CTL's shape."""
        raise TypeError(f"path formulae need automata: {type(formula.arg).__name__}")

    def throughout(self, arg: Formula) -> V:
        """Where no run that comes by violates a path formula."""
        raise TypeError(f"path formulae need automata: {type(arg).__name__}")

    def within(self, worlds: V, given: Assignment) -> Evaluator[V, P]:
        """An evaluator over those of the worlds, sharing labels with this one."""
        raise TypeError("this engine does not leave worlds out")
