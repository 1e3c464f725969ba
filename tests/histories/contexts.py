"""What formulae about histories mean, as the specification words it: truth at a history in a context.

A context says which histories are possible, for the readings that know the time, and for those that do not.  Histories are written out up
to a time; an announcement makes another context, which is written out, too.  This shares nothing with `tests.histories.definition`, nor
with the engines: it has steps and conditions of the model, and dead ends, fairness and interleaving are told here once more.

Two ways to come to an end: ``rests``, for models whose histories all come to rest or end (unbounded operators are asked then, and what is
true at the last moment stays true); else only steps that are written out are looked at, and operators without bound are about states alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state, operands, subformulae
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.solvers.budget import Budget

History = tuple[State, ...]
MOST = 1500
"""Histories of one length."""


class TooMany(Exception):
    """More histories than are written out."""


class Context:
    """The possible histories, by their time: for readings that know the time, and for those that do not."""

    def __init__(self, timed: list[frozenset[History]], timeless: list[frozenset[History]]) -> None:
        self.timed, self.timeless = timed, timeless


class Judge:
    """One system, with its histories up to a time."""

    def __init__(self, system: System, last: int, *, rests: bool) -> None:
        self.system, self.last, self.rests = system, last, rests
        self._stepper = Stepper(system)
        self._next: dict[State, list[State]] = {}
        starts = initial_states(system, 1000, Budget())
        self._reached = self._reach(starts)
        self._worlds = self._on_fair_paths() if system.fairness else set(self._reached)
        layers: list[list[History]] = [[(state,) for state in dict.fromkeys(starts) if state in self._worlds]]
        while len(layers) <= last:
            layers.append([(*one, state) for one in layers[-1] for state in self._after(one[-1])])
            if len(layers[-1]) > MOST:
                raise TooMany
        self.layers = layers
        if rests:
            assert all(self._after(one[-1]) == [one[-1]] for one in layers[-1]), "histories come to rest"
        everything = [frozenset(layer) for layer in layers]
        self.first = Context(everything, everything)
        self._told: dict[tuple[Context, Formula, int], Context] = {}
        self._known: dict[tuple[Formula, History, Context], bool] = {}
        self._extensions: dict[History, list[History]] = {}
        for layer in layers[1:]:
            for one in layer:
                self._extensions.setdefault(one[:-1], []).append(one)

    def holds(self, formula: Formula) -> bool:
        """Whether the formula holds at all initial states, of those on fair paths."""
        claim = formula if is_state(formula) else logic.ForAll(formula, True)
        return all(self.true(claim, one, self.first) for one in self.layers[0])

    # -- states ----------------------------------------------------------------------------------------------------------

    def _step(self, state: State) -> list[State]:
        if state not in self._next:
            found = [
                end for joint in self._stepper.joint_actions(state) for end in self._stepper.outcomes(state, joint)
            ]
            if not found and self.system.interleaved:
                found = [state]
            self._next[state] = list(dict.fromkeys(found))
        return self._next[state]

    def _after(self, state: State) -> list[State]:
        return [one for one in self._step(state) if one in self._worlds]

    def _reach(self, starts: Iterable[State]) -> dict[State, None]:
        found = dict.fromkeys(starts)
        pending = list(found)
        while pending:
            for state in self._step(pending.pop()):
                if state not in found:
                    found[state] = None
                    pending.append(state)
        return found

    def _on_fair_paths(self) -> set[State]:
        """The states from which a path starts that comes by states of each constraint again and again."""
        behind = {state: set(self._reach(self._step(state))) for state in self._reached}
        round_about = [state for state in self._reached if state in behind[state]]
        good = set()
        for state in round_about:
            circle = {one for one in behind[state] if state in behind[one]}
            if all(any(self._condition(fair, one) for one in circle) for fair in self.system.fairness):
                good.add(state)
        return {state for state in self._reached if state in good or behind[state] & good}

    def _condition(self, formula: Formula, state: State) -> bool:
        match formula:
            case logic.Truth(value):
                return value
            case logic.Prop(name):
                return self._stepper.evaluator.holds(self.system.propositions[name], state)
            case logic.Test(condition):
                return self._stepper.evaluator.holds(condition, state)
            case logic.Colour(agent, green):
                red = self.system.agent[agent].red
                return (red is None or not self._stepper.evaluator.holds(red, state)) is green
            case logic.Not(arg):
                return not self._condition(arg, state)
            case logic.And(args):
                return all(self._condition(one, state) for one in args)
            case logic.Or(args):
                return any(self._condition(one, state) for one in args)
        raise AssertionError(formula)

    # -- state formulae at histories -------------------------------------------------------------------------------------

    def true(self, formula: Formula, history: History, context: Context) -> bool:
        """Whether a state formula is true of a history."""
        key = formula, history, context
        if key not in self._known:
            self._known[key] = self._true(formula, history, context)
        return self._known[key]

    def _true(self, formula: Formula, history: History, context: Context) -> bool:
        def here(part: Formula) -> bool:
            return self.true(part, history, context)

        match formula:
            case logic.Truth() | logic.Prop() | logic.Test() | logic.Colour():
                return self._condition(formula, history[-1])
            case logic.Not(arg):
                return not here(arg)
            case logic.And(args):
                return all(map(here, args))
            case logic.Or(args):
                return any(map(here, args))
            case logic.Implies(left, right):
                return not here(left) or here(right)
            case logic.Iff(left, right):
                return here(left) == here(right)
            case logic.Announced(said, arg):
                return not here(said) or self.true(arg, history, self.after_saying(said, len(history) - 1, context))
            case logic.ForAll(arg, star) | logic.Exists(arg, star):
                universal = isinstance(formula, logic.ForAll)
                if not star and isinstance(arg, logic.FUTURE) and all(map(is_state, operands(arg))):
                    return self._branching(universal, arg, history, context)
                runs = (one for one in self._runs(history))
                return (all if universal else any)(self._along(arg, run, len(history) - 1, context) for run in runs)
            case logic.Coalition(group, arg):
                return self._enforced(group, arg, history, context)
        return self._epistemic(formula, history, context)

    def _enforced(self, group: Group, goal: Formula, history: History, context: Context) -> bool:
        """Some choice of the members leaves only what is good, and so on; strategies depend on histories, knowledge not on them."""
        last = len(history) - 1 == self.last

        def later(part: Formula) -> bool:
            choices = self._outcomes(group, history)
            return any(all(self.true(part, one, context) for one in ends) for ends in choices)

        def now(part: Formula) -> bool:
            return self.true(part, history, context)

        match goal:
            case logic.Next(arg):
                return later(arg)
            case logic.Finally(arg):
                return now(arg) or (not last and later(logic.Coalition(group, goal)))
            case logic.Globally(arg):
                return now(arg) and (last or later(logic.Coalition(group, goal)))
            case logic.Until(left, right):
                return now(right) or (now(left) and not last and later(logic.Coalition(group, goal)))
        raise AssertionError(goal)

    def _outcomes(self, group: Group, history: History) -> list[list[History]]:
        """For each choice of the members what it leaves."""
        members = [place for place, agent in enumerate(self.system.agents) if agent.name in group.members]
        found: dict[tuple[object, ...], list[History]] = {}
        for joint in self._stepper.joint_actions(history[-1]):
            ends = found.setdefault(tuple(joint[place] for place in members), [])
            ends += [(*history, end) for end in self._stepper.outcomes(history[-1], joint)]
        if len(history) - 1 == self.last:
            if not self.rests:
                raise TooMany
            return [[history] if ends else [] for ends in found.values()]
        return list(found.values())

    def _branching(self, universal: bool, path: Formula, history: History, context: Context) -> bool:
        """By the table for dead ends: universal operators are the duals of existential ones."""

        def no(part: Formula) -> Formula:
            return logic.Not(part)

        match path:
            case logic.Next(arg) if universal:
                return all(self.true(arg, one, context) for one in self._extended(history))
            case logic.Next(arg):
                return any(self.true(arg, one, context) for one in self._extended(history))
            case logic.Finally(arg):
                path = logic.Until(logic.Truth(True), arg)
            case logic.Globally(arg):
                path = logic.WeakUntil(arg, logic.Truth(False))
            case logic.Release(left, right):
                path = logic.WeakUntil(right, logic.And((left, right)))
        assert isinstance(path, logic.Until | logic.WeakUntil)
        stay, goal, weak = path.left, path.right, isinstance(path, logic.WeakUntil)
        if universal:
            opposite = self._some(no(goal), logic.And((no(stay), no(goal))), not weak, history, context)
            return not opposite
        return self._some(stay, goal, weak, history, context)

    def _some(self, stay: Formula, goal: Formula, weak: bool, history: History, context: Context) -> bool:
        """``E (stay U goal)``, or where weak ``E (stay W goal)``: with an infinite path on which it stays."""
        assert self.rests
        if self.true(goal, history, context):
            return True
        if not self.true(stay, history, context):
            return False
        if len(history) - 1 == self.last:
            return weak  # it rests here for ever
        return any(self._some(stay, goal, weak, one, context) for one in self._extended(history))

    def _extended(self, history: History) -> list[History]:
        """The extensions by a step; what rests stays what it is."""
        if len(history) - 1 == self.last:
            if not self.rests:
                raise TooMany
            return [history]
        return self._extensions.get(history, [])

    # -- path formulae ---------------------------------------------------------------------------------------------------

    def _runs(self, history: History) -> Iterator[History]:
        """The infinite runs that go on from a history, up to the time when they rest."""
        assert self.rests
        if len(history) - 1 == self.last:
            yield history
        for one in self._extensions.get(history, []):
            yield from self._runs(one)

    def _along(self, path: Formula, run: History, at: int, context: Context) -> bool:  # noqa: C901  # one case for each operator
        def sub(part: Formula, moment: int) -> bool:
            return self._along(part, run, moment, context)

        if is_state(path):
            return self.true(path, run[: at + 1], context)
        later = range(at, self.last + 1)
        match path:
            case logic.Announced(said, arg):
                if not self.true(said, run[: at + 1], context):
                    return True
                return self._along(arg, run, at, self.after_saying(said, at, context))
            case logic.Next(arg):
                return sub(arg, min(at + 1, self.last))
            case logic.Finally(arg):
                return any(sub(arg, one) for one in later)
            case logic.Globally(arg):
                return all(sub(arg, one) for one in later)
            case logic.Until(left, right):
                return any(sub(right, one) and all(sub(left, before) for before in range(at, one)) for one in later)
            case logic.WeakUntil(left, right):
                return sub(logic.Until(left, right), at) or sub(logic.Globally(left), at)
            case logic.Release(left, right):
                return sub(logic.WeakUntil(right, logic.And((left, right))), at)
            case logic.Yesterday(arg):
                return at > 0 and sub(arg, at - 1)
            case logic.Once(arg):
                return any(sub(arg, one) for one in range(at + 1))
            case logic.Historically(arg):
                return all(sub(arg, one) for one in range(at + 1))
            case logic.Since(left, right):
                return any(
                    sub(right, one) and all(sub(left, after) for after in range(one + 1, at + 1))
                    for one in range(at + 1)
                )
            case logic.Not(arg):
                return not sub(arg, at)
            case logic.And(args):
                return all(sub(one, at) for one in args)
            case logic.Or(args):
                return any(sub(one, at) for one in args)
            case logic.Implies(left, right):
                return not sub(left, at) or sub(right, at)
        raise AssertionError(path)

    # -- knowledge -------------------------------------------------------------------------------------------------------

    def _epistemic(self, formula: Formula, history: History, context: Context) -> bool:
        match formula:
            case logic.Knows(agent, arg):
                return self._knows("K", Reading.OBSERVATION, Group((agent,)), arg, history, context)
            case logic.Everybody(group, arg):
                return self._knows("GK", Reading.OBSERVATION, group, arg, history, context)
            case logic.Distributed(group, arg):
                return self._knows("DK", Reading.OBSERVATION, group, arg, history, context)
            case logic.Common(group, arg):
                return self._knows("GCK", Reading.OBSERVATION, group, arg, history, context)
            case logic.Remembers(word, reading, group, arg):
                return self._knows(word, reading, group, arg, history, context)
            case logic.Correct(agent, arg):
                green = logic.Colour(agent, green=True)
                claim = arg if is_state(arg) else logic.ForAll(arg, True)
                return all(
                    self.true(claim, one, context)
                    for one in self._possible(context, None)
                    if self._condition(green, one[-1])
                )
        raise AssertionError(formula)

    def _possible(self, context: Context, time: int | None) -> list[History]:
        if time is not None:
            return list(context.timed[time])
        return [one for layer in context.timeless for one in layer]

    def _knows(
        self, word: str, reading: Reading, group: Group, arg: Formula, history: History, context: Context
    ) -> bool:
        claim = arg if is_state(arg) else logic.ForAll(arg, True)
        knows_time = reading in (Reading.CLOCK, Reading.RECALL)
        if not knows_time:
            assert self.rests or (reading is Reading.OBSERVATION and self._about_states(claim))
            if not self.rests:
                return self._observed_states(word, group, claim, history, context)
        possible = self._possible(context, len(history) - 1 if knows_time else None)
        eyes = [self._sight(reading, self.system.views[name]) for name in group.members]
        if word == "DK":
            eyes = [self._sight(reading, sorted({place for one in group.members for place in self.system.views[one]}))]
        if word in ("K", "DK", "GK"):
            return all(
                self.true(claim, other, context) for eye in eyes for other in possible if eye(other) == eye(history)
            )
        pending, met = [history], {history}
        while pending:
            one = pending.pop()
            if not self.true(claim, one, context):
                return False
            for other in possible:
                if other not in met and any(eye(one) == eye(other) for eye in eyes):
                    met.add(other)
                    pending.append(other)
        return True

    @staticmethod
    def _sight(reading: Reading, places: Iterable[int]):  # type: ignore[no-untyped-def]  # from histories to what was seen
        chosen = list(places)

        def seen(history: History) -> object:
            views = [tuple(state[place] for place in chosen) for state in history]
            if reading is Reading.OBSERVATION:
                return views[-1]
            if reading is Reading.CLOCK:
                return len(views), views[-1]
            if reading is Reading.RECALL:
                return tuple(views)
            return (views[0], *(after for before, after in pairwise(views) if before != after))

        return seen

    def _about_states(self, formula: Formula) -> bool:
        allowed = (*logic.ATOMS, logic.Not, logic.And, logic.Or)
        return all(isinstance(part, allowed) for part in subformulae(formula))

    def _observed_states(self, word: str, group: Group, claim: Formula, history: History, context: Context) -> bool:
        """Knowledge by observation of a condition, before announcements: about states."""
        assert context is self.first
        views = [self.system.views[name] for name in group.members]
        if word == "DK":
            views = [tuple(sorted({place for one in views for place in one}))]
        met, pending = {history[-1]}, [history[-1]]
        found = []
        while pending:
            one = pending.pop()
            near = [
                other
                for other in self._worlds
                if any(all(one[place] == other[place] for place in view) for view in views)
            ]
            found += near
            if word == "GCK":
                pending += [other for other in near if other not in met]
                met.update(near)
        if word == "GCK":
            found.append(history[-1])
        return all(self._condition(claim, one) for one in found)

    # -- announcements ---------------------------------------------------------------------------------------------------

    def after_saying(self, said: Formula, time: int, context: Context) -> Context:
        """From this time on those histories are possible on which it was true then; without time, those of which it is true."""
        key = context, said, time
        if key not in self._told:
            true_then = {one for one in context.timed[time] if self.true(said, one, context)}
            timed = [
                layer if number < time else frozenset(one for one in layer if one[: time + 1] in true_then)
                for number, layer in enumerate(context.timed)
            ]
            self._told[key] = _Saying(self, said, timed, context)
        return self._told[key]


class _Saying(Context):
    """What is left after an announcement; without time, found when it is asked for."""

    def __init__(self, judge: Judge, said: Formula, timed: list[frozenset[History]], before: Context) -> None:
        self.timed = timed
        self._judge, self._said, self._before = judge, said, before

    @cached_property
    def timeless(self) -> list[frozenset[History]]:  # type: ignore[override]
        """The histories of any time of which it is true."""
        return [
            frozenset(one for one in layer if self._judge.true(self._said, one, self._before))
            for layer in self._before.timeless
        ]
