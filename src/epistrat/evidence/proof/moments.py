"""Proofs about histories: for each moment the states to which histories of that length lead, and among them those where a formula holds.

Each such set is made from those of its parts and shown by obligations on both sides: steps lead from each moment to the next; who knows
sees no state like its own that denies it, and who does not know sees one; from some states a step leads somewhere, from the others none.
What remembers is shown like what counts steps, where nothing is forgotten: no two steps from one moment to the next lead to states that
look the same to an agent, from states of which one has a bit that the agent sees and the other has not (that is no obligation: it is
decided at once).  There is no proof where somebody forgets, where announcements are about what is observed, of what will be without bound
below other operators, and under fairness constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epistrat.evidence.proof.attempt import Proof, attempted
from epistrat.evidence.proof.bits import NotProvable
from epistrat.evidence.proof.obligations import Asks, Ledger, Obligation
from epistrat.evidence.proof.sets import STEP, Kind, Through
from epistrat.evidence.proof.world import Encoded, World
from epistrat.logic import formula as logic
from epistrat.logic.connect import Booleans, connect
from epistrat.logic.formula import Formula, Reading, is_state, operands, subformulae
from epistrat.solvers.bdd import Bdd

_MODAL = (*logic.KNOWING, logic.Remembers, logic.Announced, logic.ForAll, logic.Exists, logic.Coalition)
_NO_PROOF = "there is no proof about histories of this kind"


def prove(encoded: Callable[[], Encoded], formula: Formula, holds: bool, keep: bool = False) -> Proof:
    """A proof that every initial state satisfies a formula about histories, or that one does not."""
    ledger = Ledger(keep)
    claim = formula if is_state(formula) else logic.ForAll(formula, star=True)
    return attempted(ledger, encoded, lambda: Moments(encoded(), ledger).conclude(claim, holds))


class _Line:
    """The states at each moment from a first one on; behind the last moment the line goes on at ``back``, once that is known."""

    def __init__(self, first: Bdd, earlier: tuple[_Line, int] | None = None) -> None:
        self.layers = [first]
        self.earlier = earlier
        self.back: int | None = None
        self.worlds: dict[int, World] = {}


class Moments:
    """The proof about one formula."""

    def __init__(self, encoded: Encoded, ledger: Ledger) -> None:
        if encoded.system.fairness:
            raise NotProvable("there is no proof about histories under fairness constraints")
        if encoded.system.interleaved:
            raise NotProvable("there is no proof about histories of interleaved systems")
        self._encoded, self._ledger = encoded, ledger
        self._algebra, self._space = encoded.space.algebra, encoded.space
        space = encoded.space
        negate = lambda some: ~some  # noqa: E731
        self._of = Booleans(negate, space.conjunction, space.disjunction, self._algebra.xor)
        self._first = _Line(encoded.initial)
        truth = encoded.moves.acting.truth
        self._writing: dict[tuple[str, str], list[Bdd]] = {one.key: [] for one in encoded.system.variables}
        for agent in encoded.system.agents:
            for written in agent.evolution:
                for made in written.assignments:
                    self._writing[agent.name, made.target].append(truth(written.guard))
        self._branches: dict[tuple[_Line, int, Bdd], _Line] = {}
        self._known: dict[tuple[Formula, _Line, int], Bdd] = {}
        self._sure: set[tuple[_Line, int, tuple[str, ...]]] = set()
        self._recalled: dict[tuple[_Line, tuple[str, ...]], None] = {}

    def conclude(self, claim: Formula, holds: bool) -> None:
        """Show the verdict."""
        parts = claim.args if isinstance(claim, logic.And) else (claim,)
        starts = self._encoded.initial, self._first.layers[0]
        self._ask(self._first, 0, "initial states are at the first moment", Asks.INSIDE, *starts)
        try:
            if holds:
                for part in parts:
                    self._holds(part)
            else:
                self._fails(parts)
        finally:  # who forgets on a step that was made later makes all of it worth nothing, also what was refuted
            self._confirm()

    def _confirm(self) -> None:
        """Nobody who is asked what it remembers forgets on any step that was made."""
        for line, agents in list(self._recalled):
            for place in range(len(line.layers) - (line.back is None)):
                self._remembers(line, place, agents)

    def _holds(self, claim: Formula) -> None:
        line = self._first
        match claim:
            case logic.ForAll(logic.Globally(arg), False):
                place = 0
                while True:
                    self._ask(
                        line,
                        place,
                        "what is always true is true at this moment",
                        Asks.INSIDE,
                        line.layers[place],
                        self.where(arg, line, place),
                    )
                    later = self._after(line, place)
                    if later <= place:
                        return
                    place = later
            case _:
                self._ask(
                    line,
                    0,
                    "every initial state satisfies the formula",
                    Asks.INSIDE,
                    line.layers[0],
                    self.where(claim, line, 0),
                )

    def _fails(self, parts: Sequence[Formula]) -> None:
        """Some conjunct fails, the first that is found to."""
        for part in parts:
            line, place = self._first, 0
            if isinstance(part, logic.ForAll) and isinstance(part.arg, logic.Globally) and not part.star:
                while True:
                    missing = line.layers[place] & ~self.where(part.arg.arg, line, place)
                    later = self._after(line, place) if missing == self._algebra.false else 0
                    if later <= place:
                        break
                    place = later
            else:
                missing = line.layers[0] & ~self.where(part, line, 0)
            if missing != self._algebra.false or part is parts[-1]:
                self._ask(line, place, "some state of this moment does not satisfy the formula", Asks.SOME, missing)
                return

    # -- moments -------------------------------------------------------------------------------------------------------

    def _after(self, line: _Line, place: int) -> int:
        """The place of the next moment: its states are those that steps lead to."""
        if place + 1 < len(line.layers):
            return place + 1
        if line.back is None:
            self._encoded.tick()
            layer = line.layers[place]
            later = self._world(line, place).after(layer)
            if later in line.layers:
                line.back = line.layers.index(later)
            else:
                line.layers.append(later)
            target = place + 1 if line.back is None else line.back
            self._ask(line, place, f"steps lead to moment {target}", Asks.LEADS, layer, line.layers[target])
            return target
        return line.back

    def _world(self, line: _Line, place: int) -> World:
        """The states of one moment, and for steps those of the next."""
        if place not in line.worlds:
            layer = line.layers[place]
            line.worlds[place] = World(self._encoded, self._encoded.relation, layer, layer)
        return line.worlds[place]

    def _ask(
        self, line: _Line, place: int, meaning: str, asks: Asks, *sets: Bdd, through: Through | None = None
    ) -> None:
        self._ledger.enter(Obligation(f"moment {place}", meaning, asks, self._world(line, place), sets, through))

    # -- formulae ------------------------------------------------------------------------------------------------------

    def where(self, formula: Formula, line: _Line, place: int) -> Bdd:
        """The states of a moment at which the formula holds."""
        key = formula, line, place
        if key not in self._known:
            self._encoded.tick()
            self._known[key] = line.layers[place] & self._value(formula, line, place)
        return self._known[key]

    def _value(self, formula: Formula, line: _Line, place: int) -> Bdd:
        if isinstance(formula, logic.CONNECTIVES):
            return connect(formula, [self.where(one, line, place) for one in operands(formula)], self._of)
        if not any(isinstance(part, (*_MODAL, *logic.PAST)) for part in subformulae(formula)):
            return self._condition(formula)
        match formula:
            case logic.Remembers():
                return self._remembered(formula, line, place)
            case logic.Announced(said, arg) if is_state(arg):
                told = self.where(said, line, place)
                key = line, place, told
                if key not in self._branches:
                    self._branches[key] = _Line(told, (line, place))
                return ~told | self.where(arg, self._branches[key], 0)
            case logic.ForAll(logic.Next(arg), False):
                return ~self._some_step(~self._next(arg, line, place), line, place)
            case logic.Exists(logic.Next(arg), False):
                return self._some_step(self._next(arg, line, place), line, place)
        raise NotProvable(_NO_PROOF)

    def _condition(self, formula: Formula) -> Bdd:
        system, truth = self._encoded.system, self._encoded.moves.conditions.truth
        match formula:
            case logic.Truth(value):
                return self._algebra.true if value else self._algebra.false
            case logic.Prop(name):
                return truth(system.propositions[name])
            case logic.Test(condition):
                return truth(condition)
            case logic.Colour(agent, green):
                owner = system.agent.get(agent)
                red = self._algebra.false if owner is None or owner.red is None else truth(owner.red)
                return ~red if green else red
        raise NotProvable(_NO_PROOF)

    def _next(self, arg: Formula, line: _Line, place: int) -> Bdd:
        return self.where(arg, line, self._after(line, place))

    def _some_step(self, goal: Bdd, line: _Line, place: int) -> Bdd:
        """The states of a moment from which some step leads to the goal, among the states of the next."""
        layer, later = line.layers[place], line.layers[self._after(line, place)]
        world = World(self._encoded, self._encoded.relation, layer, layer | later)
        goal = goal & later
        some = layer & world.through(STEP, goal)
        for meaning, asks, states in (
            ("from here some step leads there", Asks.EVERY, some),
            ("from here no step leads there", Asks.NONE, layer & ~some),
        ):
            self._ledger.enter(Obligation(f"moment {place}", meaning, asks, world, (states, goal), STEP))
        return some

    # -- knowledge -----------------------------------------------------------------------------------------------------

    def _remembered(self, claim: logic.Remembers, line: _Line, place: int) -> Bdd:
        members, world = claim.group.members, self._world(line, place)
        if claim.reading not in (Reading.CLOCK, Reading.RECALL) or not is_state(claim.arg):
            raise NotProvable(_NO_PROOF)
        observers = [members] if claim.word == "DK" else [(member,) for member in members]
        if claim.reading is Reading.RECALL:
            for agents in observers:
                self._recall(line, place, agents)
        through = Through(Kind.ALIKE, members) if claim.word == "DK" else Through(Kind.LINKED, members)
        doubtful = world.found & ~self.where(claim.arg, line, place)
        unsure = world.through(through, doubtful)
        like = "who does not know sees a state like its own in which it is false"
        self._ask(line, place, like, Asks.EVERY, unsure, doubtful, through=through)
        if claim.word == "GCK":
            unsure = unsure | doubtful
            while (fresh := world.through(through, unsure) & ~unsure) != self._algebra.false:
                self._ask(line, place, like, Asks.EVERY, fresh, unsure, through=through)
                unsure = unsure | fresh
            doubtful = unsure
        self._ask(
            line,
            place,
            "who knows sees no state like its own in which it is false",
            Asks.NONE,
            world.found & ~unsure,
            doubtful,
            through=through,
        )
        return ~unsure

    def _recall(self, line: _Line, place: int, agents: tuple[str, ...]) -> None:
        self._recalled[line, agents] = None
        for before in range(place):
            self._remembers(line, before, agents)
        if line.earlier is not None:
            self._recall(*line.earlier, agents)

    def _remembers(self, line: _Line, place: int, agents: tuple[str, ...]) -> None:
        """Nothing the agents saw is forgotten on the step from this moment: what they see after it, and when, tells it."""
        if (line, place, agents) in self._sure:
            return
        self._sure.add((line, place, agents))
        layer, algebra = line.layers[place], self._algebra
        for bit in self._doubtful(layer, agents):
            self._encoded.tick()
            hidden = algebra.cube(self._encoded.hidden(agents))
            has = algebra.exists(self._encoded.relation.after(layer & algebra.var[bit]), hidden)
            if has & self._encoded.relation.after(layer & ~algebra.var[bit]) != algebra.false:
                raise NotProvable(
                    f"{' and '.join(agents)} may forget what was seen: there is no proof of what is remembered"
                )

    def _doubtful(self, layer: Bdd, agents: tuple[str, ...]) -> list[int]:
        """The bits that are seen and differ at this moment, of variables that some line may write then."""
        system, space = self._encoded.system, self._space
        found: list[int] = []
        for index in sorted({index for agent in agents for index in system.views[agent]}):
            slot = system.variables[index].key
            if all(layer & guard == self._algebra.false for guard in self._writing[slot]):
                continue
            for now, later in zip(space.now[slot], space.later[slot], strict=True):
                has = layer & self._algebra.var[now]
                if now != later and has not in (self._algebra.false, layer):
                    found.append(now)
        return found
