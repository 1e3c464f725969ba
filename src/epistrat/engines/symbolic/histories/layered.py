"""What formulae about histories mean, layer by layer: where a formula holds at one moment is a set of states of that layer."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from epistrat.engines.fixpoints.evaluator import ctl_shape
from epistrat.engines.fixpoints.knowledge import Knowledge
from epistrat.engines.fixpoints.label import Labelling
from epistrat.engines.readings import Refused, announced_in_front
from epistrat.engines.symbolic.histories.forgetting import Forgetting
from epistrat.engines.symbolic.histories.layers import Line
from epistrat.logic import formula as logic
from epistrat.logic.body import past_inside
from epistrat.logic.connect import connect
from epistrat.logic.formula import Formula, Reading, is_state, operands, subformulae
from epistrat.logic.rewrite import rebuild, with_operands
from epistrat.solvers.bdd import Bdd

if TYPE_CHECKING:
    from epistrat.engines.symbolic.checker import Checker

_TELLING = (*logic.KNOWING, logic.Remembers, logic.Announced)
_QUANTIFIERS = (logic.ForAll, logic.Exists)


def holds(checker: Checker, formula: Formula) -> bool:
    """Whether the formula is true at the start; raises `Refused` where layers of states do not tell."""
    if past_inside(formula):
        raise Refused("decision diagrams do not answer about the past together with histories")
    layered = Layered(checker)
    found = layered.holds(rebuild(announced_in_front(formula), _about_states))
    layered.confirm()
    return found


class Layered:
    """One formula over the histories of one system.  Values belong to a place of a line and are cut to its layer."""

    def __init__(self, checker: Checker) -> None:
        self._space, self._labels = checker.space, checker.labels
        self._algebra = checker.space.algebra
        self._endless = checker.endless
        self._forgetting = Forgetting(checker.space, self._onwards)
        self._base = Line(checker.asked, self._onwards)
        self._branches: dict[tuple[Line, int, Bdd], Line] = {}
        self._values: dict[tuple[Formula, Line, int], Bdd] = {}
        self._knowledge: dict[tuple[Line, int], Knowledge] = {}
        self._recalling: dict[tuple[Line, tuple[str, ...]], None] = {}

    def _onwards(self, states: Bdd) -> Bdd:
        self._space.tick()
        return self._space.post(states) & self._labels.universe

    def holds(self, formula: Formula) -> bool:
        """Whether it is true at all initial states; an invariant only until a layer shows that it is none."""
        match formula:
            case logic.And(args):
                return all(self.holds(arg) for arg in args)
            case logic.ForAll(logic.Globally(arg), star) if is_state(arg) and (not star or self._endless):
                return self._always(arg)
        return self._algebra.implies(self._base[0], self.where(formula, self._base, 0))

    def _always(self, arg: Formula) -> bool:
        place = 0
        while self._algebra.implies(self._base[place], self.where(arg, self._base, place)):
            later = self._base.after(place)
            if later <= place:
                return True
            place = later
        return False

    def confirm(self) -> None:
        """Raise `Refused` if somebody forgets on a step that was not looked at when it was asked what it remembers."""
        for line, agents in self._recalling:
            for before, _ in line.steps:
                self._require_memory(line, before, agents)

    # -- values --------------------------------------------------------------------------------------------------------

    def where(self, formula: Formula, line: Line, place: int) -> Bdd:
        """The states of a layer at which the formula holds."""
        key = formula, line, place
        if key not in self._values:
            self._space.tick()
            self._values[key] = line[place] & self._value(formula, line, place)
        return self._values[key]

    def _value(self, formula: Formula, line: Line, place: int) -> Bdd:
        if line is self._base and not any(isinstance(part, logic.Remembers) for part in subformulae(formula)):
            return self._timeless(formula, self._labels)
        if not any(isinstance(part, _TELLING) for part in subformulae(formula)):
            return self._labels.label(formula)  # an announcement changes nothing about what happens
        match formula:
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return connect(formula, [self.where(one, line, place) for one in operands(formula)], self._labels.of)
            case logic.ForAll(arg) | logic.Exists(arg):
                return self._timed(formula, arg, line, place)
            case logic.Remembers():
                return self._known(formula, line, place)
            case logic.Announced(said, arg):
                told = self.where(said, line, place)
                return ~told | self.where(arg, self._branch(line, place, told), 0)
            case logic.Knows() | logic.Everybody() | logic.Distributed() | logic.Common() | logic.Correct():
                return self._observed(formula, line)
        raise Refused(f"decision diagrams do not answer this about histories: {type(formula).__name__}")

    def _branch(self, line: Line, place: int, told: Bdd) -> Line:
        key = line, place, told
        if key not in self._branches:
            self._branches[key] = Line(told, self._onwards, (line, place))
        return self._branches[key]

    # -- without clock and memory --------------------------------------------------------------------------------------

    def _timeless(self, formula: Formula, labels: Labelling) -> Bdd:
        """Where a formula holds without clock and memory: no time passes between what is announced and what is known."""
        stack = [formula]
        while stack:
            part = stack.pop()
            if labels.known(part) is not None:
                continue
            if isinstance(part, logic.Announced):
                told = self._timeless(part.said, labels)
                after = labels.within(told, (*labels.given, ("announced", part.said)))
                labels.know(part, ~told | self._timeless(part.arg, after))
            elif labels is not self._labels and isinstance(part, (*_QUANTIFIERS, logic.Coalition)):
                labels.know(part, self._timeless(part, self._labels))  # what happens is the same after an announcement
            else:
                stack.extend(operands(part))
        return labels.label(formula)

    def _observed(self, formula: logic.Knowing, line: Line) -> Bdd:
        """What is known by observation of a fact that depends on the moment: it is true at all moments with a state that looks the same."""
        if line is not self._base:
            raise Refused(
                "decision diagrams do not answer what is known by observation after announcements that depend on the moment"
            )
        doubtful = reduce(or_, [line[place] & ~self.where(formula.arg, line, place) for place in line.close()])
        return self._labels.epistemic(formula, ~doubtful)

    # -- time ----------------------------------------------------------------------------------------------------------

    def _timed(self, formula: logic.ForAll | logic.Exists, arg: Formula, line: Line, place: int) -> Bdd:
        if formula.star and not (self._endless and (ctl_shape(arg) or is_state(arg))):
            raise Refused(
                "decision diagrams answer about histories only one temporal operator at a time, on runs that never end"
            )
        if is_state(arg):
            return self.where(arg, line, place)
        universal = isinstance(formula, logic.ForAll)
        if isinstance(arg, logic.Next):
            later = line.after(place)
            goal = self.where(arg.arg, line, later)
            return ~self._before(line[later] & ~goal) if universal else self._before(goal)
        self._fixpoint(formula, arg, universal, line)
        return self._values[formula, line, place]

    def _before(self, goal: Bdd) -> Bdd:
        return self._labels.temporal.ex(goal)

    def _fixpoint(self, formula: Formula, arg: Formula, universal: bool, line: Line) -> None:
        """Take down where it holds at all places of the line."""
        weak, stay, goal = self._shape(arg, line)
        if universal:  # where no run brings the opposite about
            missed = [line[place] & ~one for place, one in enumerate(goal)]
            weak, stay, goal = not weak, missed, [one & ~other for one, other in zip(missed, stay, strict=True)]
        if weak and self._labels.fairness:
            raise Refused("decision diagrams do not answer about fair runs of histories")
        found = [one | other for one, other in zip(stay, goal, strict=True)] if weak else list(goal)
        changed = True
        while changed:
            changed = False
            for place in reversed(line.close()):
                self._space.tick()
                new = goal[place] | (stay[place] & self._before(found[line.after(place)]))
                changed |= new != found[place]
                found[place] = new
        for place, where in enumerate(found):
            self._values[formula, line, place] = line[place] & ~where if universal else where

    def _shape(self, arg: Formula, line: Line) -> tuple[bool, list[Bdd], list[Bdd]]:
        """``stay U goal``, or ``stay W goal`` where weak, as sets of states for each place."""
        everything = [line[place] for place in line.close()]
        nothing = [self._algebra.false] * len(everything)

        def each(formula: Formula) -> list[Bdd]:
            return [self.where(formula, line, place) for place in line.close()]

        match arg:
            case logic.Finally(goal):
                return False, everything, each(goal)
            case logic.Globally(stay):
                return True, each(stay), nothing
            case logic.Until(stay, goal) | logic.WeakUntil(stay, goal):
                return isinstance(arg, logic.WeakUntil), each(stay), each(goal)
            case logic.Release(goal, stay):
                inside = each(stay)
                return True, inside, [one & other for one, other in zip(each(goal), inside, strict=True)]
        raise Refused(f"decision diagrams do not answer this about histories: {type(arg).__name__}")

    # -- clock and memory ----------------------------------------------------------------------------------------------

    def _known(self, formula: logic.Remembers, line: Line, place: int) -> Bdd:
        members = formula.group.members
        pooled = formula.word == "DK"
        if formula.reading is Reading.CHANGES:
            raise Refused("decision diagrams do not answer what is known by changes")
        if formula.reading is Reading.RECALL:
            for agents in [members] if pooled else [(member,) for member in members]:
                self._recall(line, place, agents)
        if (line, place) not in self._knowledge:
            self._knowledge[line, place] = Knowledge(self._space, line[place])
        knowledge = self._knowledge[line, place]
        fact = self.where(formula.arg, line, place)
        if formula.word == "GCK":
            return knowledge.common(formula.group, fact)
        return knowledge.knows(members, fact) if pooled else knowledge.everybody(formula.group, fact)

    def _recall(self, line: Line, place: int, agents: tuple[str, ...]) -> None:
        """Agents remember all they saw: the moment and what they see now tell it, or this is refused."""
        self._recalling[line, agents] = None
        for before in range(place):
            self._require_memory(line, before, agents)
        if line.parent is not None:
            self._recall(*line.parent, agents)

    def _require_memory(self, line: Line, before: int, agents: tuple[str, ...]) -> None:
        if self._forgetting.forgets(line, before, agents):
            raise Refused(
                f"{' and '.join(agents)} may forget what was seen: decision diagrams answer `recall` only where nothing is forgotten"
            )


def _about_states(part: Formula) -> Formula:
    """What is known of a path formula is that all infinite runs satisfy it."""
    if isinstance(part, logic.KNOWING) and not is_state(part.arg):
        return with_operands(part, (logic.ForAll(part.arg, star=True),))
    return part
