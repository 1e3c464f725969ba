"""Proofs of verdicts about finite systems.

A formula is written as sets of states (`meaning`), hints are made about them (`hints`), and rules ask for what shows the hints to be right
(`rules`).  *Holds*: every initial state from which a fair run starts is in the formula's set.  *Fails*: one is not.
"""

from __future__ import annotations

from epistrat.answers.verdict import UNIFORM, Strategies
from epistrat.evidence.proof.attempt import TOO_LARGE, Proof, attempted
from epistrat.evidence.proof.automata import Automaton
from epistrat.evidence.proof.bits import NotProvable, Order
from epistrat.evidence.proof.hints import Hints
from epistrat.evidence.proof.meaning import Meaning
from epistrat.evidence.proof.obligations import Asks, Ledger, Obligation
from epistrat.evidence.proof.past import memory, past_operators
from epistrat.evidence.proof.rules import Rules, needs_search
from epistrat.evidence.proof.search import Circuit, read, search
from epistrat.evidence.proof.sets import STEP, Again, Given, Guessed, Outside, Set, both, one_sided
from epistrat.evidence.proof.world import Encoded, Means, World
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd, OutOfNodes
from epistrat.terms import Expr

_SEEN = "what a group can enforce where its members act on what they see"


@dataclass(frozen=True, slots=True)
class Hinted:
    """What somebody says about a system, who may be wrong: a good order of the bits, and a set that contains the reachable states."""

    order: Order = ()
    reachable: Circuit | None = None


class Prover:
    """Proves verdicts about one system; what questions share is made once."""

    def __init__(
        self,
        system: System,
        hinted: Hinted | None = None,
        means: Means | None = None,
        reading: Strategies = Strategies.ANY,
    ) -> None:
        self._system = system
        self._reading = reading
        self._hinted = hinted or Hinted()
        self._means = means or Means()
        self._made: Encoded | None = None
        self._worlds: dict[bool, Theory] = {}

    def prove(self, formula: Formula, holds: bool, keep: bool = False) -> Proof:
        """A proof that every initial state satisfies the formula, or that one does not."""
        ledger = Ledger(keep)
        claim = formula if is_state(formula) else logic.ForAll(formula, star=True)
        return attempted(
            ledger, lambda: self.encoded, lambda: self._theory(claim, holds, ledger).conclude(claim, holds)
        )

    @property
    def encoded(self) -> Encoded:
        """The system in the bits of a space; raises `NotProvable` where that is too large."""
        if self._made is None:
            try:
                self._made = Encoded(self._system, self._hinted.order, self._means)
            except OutOfNodes:
                raise NotProvable(TOO_LARGE) from None
        return self._made

    def _theory(self, claim: Formula, holds: bool, ledger: Ledger) -> Theory:
        """The states with what the formula asks of the past; searched where the proof needs that they can be reached."""
        operators = past_operators(claim)
        if not operators and self._hinted.reachable is not None and True not in self._worlds:
            theory = self._plain(False, ledger)
            if not theory.takes_search(claim, holds):
                return theory.with_ledger(ledger)
        theory = self._plain(True, ledger).with_ledger(ledger)
        for operator in operators:
            theory = theory.remembering(operator)
        return theory

    def _plain(self, searched: bool, ledger: Ledger) -> Theory:
        if searched not in self._worlds:
            encoded = self.encoded
            if searched:
                found = search(encoded.relation, encoded.initial, encoded.tick)
            else:
                assert self._hinted.reachable is not None
                found = read(self._hinted.reachable, encoded.space)
            world = World(encoded, encoded.relation, encoded.initial, found)
            self._worlds[searched] = Theory(world, ledger, searched, {}, self._reading)
        return self._worlds[searched]


class Theory:
    """The claims about one world, and what they rest on."""

    def __init__(
        self, world: World, ledger: Ledger, searched: bool, remembered: dict[Formula, Set], reading: Strategies
    ) -> None:
        self._reading = reading
        self.system = world.system
        self._world = world
        self._ledger = ledger
        self._searched = searched
        self._remembered = remembered
        self._automata: list[tuple[World, Hints, tuple[Set, ...]]] = []
        self._by_body: dict[tuple[Formula, bool], Set] = {}
        self._hints = Hints(world, lambda number: self._automata[number][1])
        self._closed = False
        self._new_rules()
        self._meaning = Meaning(self, world.found, remembered, reading)

    def _new_rules(self) -> None:
        self._inner: dict[int, Rules] = {}
        self._rules = Rules(self._world, self._hints, self._ledger, self._rules_of, self._searched)

    def with_ledger(self, ledger: Ledger) -> Theory:
        """The same, entering its obligations somewhere else."""
        if ledger is not self._ledger:
            self._ledger, self._closed = ledger, False
            self._new_rules()
        return self

    def _rules_of(self, number: int) -> tuple[Rules, tuple[Set, ...]]:
        world, hints, read = self._automata[number]
        if number not in self._inner:
            self._inner[number] = Rules(world, hints, self._ledger, self._rules_of, self._searched)
        return self._inner[number], read

    # -- what formulae need -------------------------------------------------------------------------------------------

    def where(self, condition: Expr) -> Bdd:
        """The states that satisfy a condition."""
        return self._world.encoded.moves.conditions.truth(condition) & self._world.found

    def some_path(self, body: Formula, meaning: Meaning) -> Set:
        """``E body``, by the automaton of the body."""
        key = body, meaning.fair is not None
        if key not in self._by_body:
            self._by_body[key] = self._automaton(body, meaning)
        return self._by_body[key]

    def _automaton(self, body: Formula, meaning: Meaning) -> Set:
        read: list[Set] = []

        def leaf(formula: Formula) -> Bdd | None:
            if not is_state(formula) and formula not in self._remembered:
                return None
            read.append(self._exactly(meaning.of(formula)))
            return self._hints.states(read[-1])

        automaton = Automaton(self._world, body, leaf)
        fair = [Given(self._hints.states(one)) for one in meaning.fairness]
        read += map(self._exactly, meaning.fairness)
        world = self._world.guessing(automaton.extras(), automaton.pairs)
        self._automata.append((world, Hints(world, lambda number: self._automata[number][1]), tuple(read)))
        everything = Given(world.found)
        conditions = (*fair, *map(Given, automaton.conditions))
        ends = Again(STEP, everything, Outside(everything), conditions or (everything,))
        return Guessed(len(self._automata) - 1, both(Given(automaton.start), ends))

    def remembering(self, operator: Formula) -> Theory:
        """The claims about states that remember an operator; its operands must be exactly what they are said to be."""
        if not all(map(self._meaning.about_states, operands(operator))):
            raise NotProvable("a past operator over a future one")
        self._found()
        sets = [self._exactly(self._meaning.of(one)) for one in operands(operator)]
        for one in sets:
            self._rules.show(one, True)
            self._rules.show(one, False)
        world = self._world
        kept = memory(world, operator, [self._hints.states(one) for one in sets])
        tick = world.encoded.tick
        wider = world.remembering(
            kept.initial, [kept.kept], kept.pairs, lambda relation, start: search(relation, start, tick)
        )
        remembered = {**self._remembered, operator: Given(kept.true)}
        return Theory(wider, self._ledger, True, remembered, self._reading)

    def _limited(self, claim: Formula) -> bool:
        """Whether a proof may fail to be found although the verdict is right."""
        return self._reading in UNIFORM and any(isinstance(one, logic.Coalition) for one in subformulae(claim))

    def _exactly(self, one: Set) -> Set:
        """A set of which both sides are needed: of what strategies on what is seen can do, one side may have no proof."""
        if one_sided(one, True) != one_sided(one, False):
            raise NotProvable(_SEEN)
        return one

    # -- conclusions --------------------------------------------------------------------------------------------------

    def takes_search(self, claim: Formula, holds: bool) -> bool:
        """Whether the proof needs that every found state can be reached."""
        fair = self._meaning.fair
        return needs_search(one_sided(self._meaning.of(claim), holds), holds) or (
            fair is not None and needs_search(fair, not holds)
        )

    def _found(self) -> None:
        """The found states contain the initial ones, and no step leaves them."""
        if not self._closed:
            world = self._world
            self._ask("the states", "initial states are among them", Asks.INSIDE, world.initial, world.found)
            self._ask("the states", "no step leaves them", Asks.CLOSED, world.found)
            self._closed = True

    def _ask(self, claim: str, meaning: str, asks: Asks, *sets: Bdd) -> None:
        self._ledger.enter(Obligation(claim, meaning, asks, self._world, sets))

    def conclude(self, claim: Formula, holds: bool) -> None:
        """Show the verdict; raises `Refuted` or `NotProvable`."""
        self._found()
        asked = one_sided(self._meaning.of(claim), holds)
        states = self._rules.show(asked, holds)
        starts = self._world.initial
        if self._meaning.fair is not None:
            starts = starts & self._rules.show(self._meaning.fair, not holds)
        if self._limited(claim) and holds != self._world.algebra.implies(starts, states):
            raise NotProvable(_SEEN)
        if holds:
            self._ask("the verdict", "every initial state satisfies the formula", Asks.INSIDE, starts, states)
        else:
            self._ask("the verdict", "some initial state does not satisfy the formula", Asks.SOME, starts & ~states)
