"""Which encodings of a system to try: orders of the variables, the most promising first.

No measure of an order is certain.  The usual order is built and compared, one after the other, with those of the table `TRIALS`.  An order
takes the place of the one held if, by the first measure that tells,

1. a little searching finds all states in it, or clearly more of them (`epistrat.engines.symbolic.pace`),
2. relation and propositions together get smaller by the gain that its row asks for.

What none of these tell is left to sessions with other options (`epistrat.engines.contract.Rival`), which join if this one turns out to be
slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from epistrat.encoding.bits import Block, Layout
from epistrat.encoding.encode import Encoding, encode
from epistrat.encoding.footprint import Footprint
from epistrat.encoding.lazily import lazy
from epistrat.encoding.order import Arrangement, Orders, mcmas_order
from epistrat.engines.symbolic.pace import Pace, pace
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.symbolic.work import Work
from epistrat.model.system import System
from epistrat.records import dataclass, replace
from epistrat.solvers.bdd import Bdd, OutOfNodes, open_algebra
from epistrat.solvers.bdd.algebra import CACHE

_TRIAL_NODES = 1 << 16  # three times those of the best so far, but at least these
_MOST_TRIAL_NODES = 1 << 20  # and at most these
_SMALL = 48  # bits: smaller systems get a smaller cache, since clearing the large one takes longer than checking most of them
_SMALL_CACHE = 1 << 18  # entries
_SPAN_GAIN = 0.85  # an order is tried if its edges are this much shorter
_LARGE_PROPOSITIONS = 10  # times the relation: no search tells then (robots 16: 12, 32: 40; ledger 9, grid_robots 3)
_UNKNOWN = float("inf")
_LARGE = 200_000  # a relation of so many nodes calls for a comparison, whatever it takes
_MORE_TO_BUILD = 1.25  # times the work of the first order: what another one may take to build
_PART = 4  # of the search that the first order gets if it is much work to build, for another one (prisoners 30: -0.4 s)
_GAIN = 0.5  # another order is taken if everything gets this much smaller and a search does not tell (docs/symbolic.md)
_FEW_LINES = 2  # of a protocol: more may overlap


def _propositions(encoding: Encoding) -> int:
    """The nodes of all propositions."""
    conditions, size = encoding.conditions, encoding.algebra.size
    return sum(size(conditions.part(condition).function) for condition in encoding.system.propositions.values())


@dataclass(frozen=True, slots=True)
class Candidate:
    """An encoding, the name of its order, and states that were found while it was compared with others."""

    encoding: Encoding
    order: str
    found: Bdd | None = None


@dataclass(slots=True)
class _Held:
    """An order that is compared with others: its encoding, the work to build it, and how a search goes in it, once that is known."""

    choice: Arrangement
    encoding: Encoding
    built: int
    pace: Pace | None = None

    def size(self) -> float:
        """The nodes of the relation and of all propositions; infinite if these do not fit."""
        algebra = self.encoding.algebra
        try:
            with algebra.guard():
                size = self.encoding.relation.size() + _propositions(self.encoding)
                return _UNKNOWN if algebra.crowded() else size
        except OutOfNodes:
            return _UNKNOWN


def _choice(order: str) -> Arrangement:
    """The order asked for by name."""
    start, *extras = order.split("-")
    return Arrangement("declared" if start == "auto" else start, "top" in extras, "interleaved" in extras)


class _Compared:
    """What is known while orders are compared: the order held, those set aside, and properties of the system that trials depend on."""

    def __init__(self, held: _Held, footprint: Footprint, orders: Orders, quick: int) -> None:
        self.held = held
        self.others: list[Arrangement] = []
        self.quick = quick
        self.private = bool(held.encoding.relation.private)
        self.pairs = bool(footprint.compared_pairs())
        self._usual, self._orders = held.encoding, orders

    @property
    def interleaved(self) -> bool:
        """Whether compared variables interleave in the order held."""
        return self.held.choice.interleave

    @lazy
    def dwarfed(self) -> bool:
        """Whether propositions have so many more nodes than the relation that no search tells."""
        return _propositions(self._usual) > _LARGE_PROPOSITIONS * self._usual.relation.size()

    @lazy
    def shorter(self) -> bool:
        """Whether FORCE finds an order with clearly shorter edges from the other start."""
        return self._orders.span("breadth") < _SPAN_GAIN * self._orders.span("index")

    def but(self, **changes: Any) -> Arrangement:
        """The order held with something changed."""
        return replace(self.held.choice, **changes)


@dataclass(frozen=True, slots=True)
class Trial:
    """An order to compare with the one held, and when: ``gain`` is how small everything has to get, in parts of what it is.

    With ``search`` a little searching in both is asked first.
    """

    order: Callable[[_Compared], Arrangement]
    applies: Callable[[_Compared], bool]
    gain: Callable[[_Compared], float] = lambda _: _GAIN
    search: bool = True


TRIALS = (
    Trial(lambda c: Arrangement("index", c.private, True), lambda c: c.pairs and c.dwarfed, search=False),
    Trial(lambda c: c.but(actions_on_top=True), lambda c: not c.interleaved and c.private),
    Trial(
        lambda c: c.but(start="breadth"),
        lambda c: not c.interleaved and (c.shorter or (bool(c.others) and c.held.built < c.quick)),
        lambda c: float(c.shorter),
    ),
    Trial(lambda c: c.but(interleave=True), lambda c: not c.interleaved and c.pairs),
)
"""The orders that are compared with the usual one, in this order."""


class Candidates:
    """The encodings of one system."""

    def __init__(self, system: System, tuning: SymbolicTuning, nodes: int, work: Work) -> None:
        self._tuning = tuning
        self._nodes = nodes
        self._work = work
        self._patience = work.budget.patience
        self._footprint = Footprint(system, freeze=not tuning.plain)
        self._search_work = self._patience.search_work
        self._chosen = Arrangement()
        self._others: list[Arrangement] = []

    @lazy
    def _orders(self) -> Orders:
        return Orders(self._footprint)

    def first(self) -> Candidate:
        """The encoding to begin with; `rivals` then are the orders worth a try if it turns out to be slow."""
        number = self._tuning.mcmas_order
        if number is not None:
            blocks = mcmas_order(self._footprint.items, number)
            return Candidate(self._encode(blocks, self._nodes), f"MCMAS {number}")
        if self._tuning.order != "auto" or self._tuning.plain:
            return self._build(_choice(self._tuning.order))
        return self._best()

    def _build(self, choice: Arrangement, patience: float = _UNKNOWN) -> Candidate:
        """The encoding in the order of this choice; raises `OutOfNodes` also if more than ``patience`` nodes are made on the way."""
        with self._work.doing("order"):
            blocks = self._orders.blocks(choice)
        return Candidate(self._encode(blocks, self._nodes, patience=patience), str(choice))

    def _encode(
        self,
        blocks: Sequence[Block],
        nodes: int,
        cache: int | None = None,
        patience: float = _UNKNOWN,
        most: float = _UNKNOWN,
    ) -> Encoding:
        tuning, work = self._tuning, self._work
        layout = Layout(self._footprint.items, blocks)
        if cache is None:
            cache = _SMALL_CACHE if layout.size <= _SMALL else CACHE
        with work.doing("encoding"):
            algebra = open_algebra(layout.size, tuning.library, nodes, cache, tuning.reorder)
            work.measure(algebra)
            end = work.budget.meter.work + most

            def tick() -> None:
                if most < _UNKNOWN and algebra.crowded():
                    raise OutOfNodes  # not counted: how many nodes there are now depends on OxiDD's own thread
                work.tick()
                if algebra.nodes() > patience or work.budget.meter.work > end:
                    raise OutOfNodes

            with algebra.guard():
                encoding = encode(self._footprint, algebra, layout, tuning.plain, tick, self._patience)
                tick()
            end = patience = most = _UNKNOWN  # what is done with it is counted by others
            return encoding

    def _rescue(self) -> Candidate:
        """Where the usual order needs too many nodes to be built: the smallest of the others, if one fits."""
        others = [Arrangement(start, top) for start in ("index", "breadth") for top in (True, False)]
        sizes = {choice: self._relation_size(choice) for choice in others if choice != Arrangement()}
        best = min(sizes, key=sizes.__getitem__)
        self._others = sorted((choice for choice in sizes if choice != best), key=sizes.__getitem__)
        self._chosen = Arrangement() if sizes[best] == _UNKNOWN else best
        return self._build(self._chosen)

    def _relation_size(self, choice: Arrangement) -> float:
        encoding = self._tried(choice, _MOST_TRIAL_NODES, self._patience.order_work)
        return _UNKNOWN if encoding is None else encoding.relation.size()

    def _best(self) -> Candidate:
        meter = self._work.budget.meter
        started = meter.work
        try:
            best = self._build(Arrangement(), self._patience.order_nodes if self._may_choose() else _UNKNOWN)
        except OutOfNodes:
            return self._rescue()
        first = held = _Held(Arrangement(), best.encoding, meter.work - started)
        if held.built >= self._patience.order_work:
            self._search_work = held.built
        limit = self._trial_nodes(best)
        compared = _Compared(held, self._footprint, self._orders, self._patience.order_work)
        for trial in TRIALS:
            if self._applies(trial, compared):
                compared.held = self._prefer(compared, trial, limit)
        lead, others = compared.held.choice, compared.others
        others += [replace(lead, actions_on_top=compared.private), replace(lead, start="breadth")]
        self._chosen, self._others = lead, others
        if lead == Arrangement():
            return best if first.pace is None else replace(best, found=first.pace.found)
        del best, first, held, compared  # two large tables at a time are one too many
        return self._build(lead)

    def _applies(self, trial: Trial, compared: _Compared) -> bool:
        with self._work.doing("order"):
            return trial.applies(compared)

    def _prefer(self, compared: _Compared, trial: Trial, nodes: int) -> _Held:
        """The better of two orders; the other one is set aside, unless it could not be built."""
        held, choice, others = compared.held, trial.order(compared), compared.others
        if not held.encoding.relation.size() or self._orders.blocks(choice) == self._orders.blocks(held.choice):
            return held
        most, started = self._patience.order_work, self._work.budget.meter.work
        large = held.built >= most
        if (large or not choice.interleave) and not self._is_slow(held):
            others.append(choice)
            return held
        encoding = self._tried(choice, nodes, int(_MORE_TO_BUILD * held.built) if large else most)
        if encoding is None:
            return held
        other = _Held(choice, encoding, self._work.budget.meter.work - started)
        if self._is_better(other, held, trial.gain(compared), trial.search):
            others.append(held.choice)
            return other
        others.append(choice)
        return held

    def _is_slow(self, held: _Held) -> bool:
        """Whether a search in this order does not end, or the relation is large: only then another order is worth building."""
        return not self._pace(held).complete or held.encoding.relation.size() > _LARGE

    def _is_better(self, one: _Held, other: _Held, gain: float, search: bool) -> bool:
        """Whether another order is better; to interleave must make things smaller, else no search is made (cards 14: 0.9 s less)."""
        size, known = one.size(), other.size()
        smaller = size < gain * known
        if search and (size < known or not one.choice.interleave):
            new, old = self._pace(one, _PART), self._pace(other)
            if new.beats(old) or old.beats(new):
                return new.beats(old)
        return smaller

    def _pace(self, held: _Held, part: int = 1) -> Pace:
        if held.pace is None:
            most = max(self._patience.search_work, self._search_work // part)
            held.pace = pace(held.encoding, self._tuning.search, self._work, most)
        return held.pace

    def _trial_nodes(self, best: Candidate) -> int:
        return min(_MOST_TRIAL_NODES, max(_TRIAL_NODES, 3 * best.encoding.algebra.nodes()))

    def _tried(self, choice: Arrangement, nodes: int, most: int) -> Encoding | None:
        """The encoding in another order, in a small table; None if it needs more nodes, or more work."""
        with self._work.doing("order"):
            blocks = self._orders.blocks(choice)
        try:
            return self._encode(blocks, nodes, _SMALL_CACHE, most=most)
        except OutOfNodes:
            return None

    def _may_choose(self) -> bool:
        """Whether some agent is likely to have a choice, so that it matters where its action bits go."""
        for agent in self._footprint.system.agents:
            several = [line.actions for line in agent.protocol if len(line.actions) > 1]
            if several or agent.free or len(agent.other or ()) > 1 or len(agent.protocol) > _FEW_LINES:
                return True
        return False

    def rivals(self) -> list[Arrangement]:
        """The other orders worth a try, the most promising first, none twice and not the one that was chosen."""
        tried = [self._orders.blocks(self._chosen)]
        found: list[Arrangement] = []
        for choice in self._others:
            blocks = self._orders.blocks(choice)
            if blocks not in tried:
                tried.append(blocks)
                found.append(choice)
        return found
