"""Which encodings of a system to try: orders of the variables, the most promising first.

No measure of an order is certain.  A little searching tells where actions should go, whether a restart of FORCE was worth it and whether
compared variables should interleave; where it does not, sizes of relation and propositions may.  What none of these tell is left to
sessions with other options (`epistrat.engines.contract.Rival`), which join if this one turns out to be slow.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.bits import Block, Layout
from epistrat.encoding.encode import Encoding, encode
from epistrat.encoding.footprint import Footprint
from epistrat.encoding.lazily import lazy
from epistrat.encoding.order import Choice, Orders, mcmas_order
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

    choice: Choice
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


def _choice(order: str) -> Choice:
    """The order asked for by name."""
    start, *extras = order.split("-")
    return Choice("declared" if start == "auto" else start, "top" in extras, "interleaved" in extras)


class Candidates:
    """The encodings of one system."""

    def __init__(self, system: System, tuning: SymbolicTuning, nodes: int, work: Work) -> None:
        self._tuning = tuning
        self._nodes = nodes
        self._work = work
        self._patience = work.budget.patience
        self._footprint = Footprint(system, freeze=not tuning.plain)
        self._search_work = self._patience.search_work
        self._chosen = Choice()
        self._others: list[Choice] = []

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

    def _build(self, choice: Choice, patience: float = _UNKNOWN) -> Candidate:
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
        others = [Choice(start, top) for start in ("index", "breadth") for top in (True, False)]
        sizes = {choice: self._relation_size(choice) for choice in others if choice != Choice()}
        best = min(sizes, key=sizes.__getitem__)
        self._others = sorted((choice for choice in sizes if choice != best), key=sizes.__getitem__)
        self._chosen = Choice() if sizes[best] == _UNKNOWN else best
        return self._build(self._chosen)

    def _relation_size(self, choice: Choice) -> float:
        encoding = self._tried(choice, _MOST_TRIAL_NODES, self._patience.order_work)
        return _UNKNOWN if encoding is None else encoding.relation.size()

    def _best(self) -> Candidate:
        meter = self._work.budget.meter
        started = meter.work
        try:
            best = self._build(Choice(), self._patience.order_nodes if self._may_choose() else _UNKNOWN)
        except OutOfNodes:
            return self._rescue()
        first = held = _Held(Choice(), best.encoding, meter.work - started)
        if held.built >= self._patience.order_work:
            self._search_work = held.built
        limit = self._trial_nodes(best)
        others: list[Choice] = []
        private, pairs = bool(best.encoding.relation.private), bool(self._footprint.compared_pairs())
        if pairs and _propositions(best.encoding) > _LARGE_PROPOSITIONS * best.encoding.relation.size():
            held = self._prefer(held, Choice("index", private, True), limit, others, search=False)
        if not held.choice.interleave:
            if private:
                held = self._prefer(held, replace(held.choice, actions_on_top=True), limit, others)
            promising = self._breadth_is_promising()
            if promising or (others and held.built < self._patience.order_work):
                held = self._prefer(held, replace(held.choice, start="breadth"), limit, others, float(promising))
            if pairs:
                held = self._prefer(held, replace(held.choice, interleave=True), limit, others)
        lead = held.choice
        others += [replace(lead, actions_on_top=private), replace(lead, start="breadth")]
        self._chosen, self._others = lead, others
        if lead == Choice():
            return best if first.pace is None else replace(best, found=first.pace.found)
        del best, first, held  # two large tables at a time are one too many
        return self._build(lead)

    def _prefer(
        self,
        held: _Held,
        choice: Choice,
        nodes: int,
        others: list[Choice],
        gain: float = _GAIN,
        search: bool = True,
    ) -> _Held:
        """The better of two orders by a little searching, or, if that does not tell, the other if everything gets smaller by ``gain``."""
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
        if self._is_better(other, held, gain, search):
            others.append(held.choice)
            return other
        others.append(choice)
        return held

    def _is_slow(self, held: _Held) -> bool:
        """Whether a search in this order does not end, or the relation is large: only then another order is worth building."""
        return not self._pace(held).complete or held.encoding.relation.size() > _LARGE

    def _is_better(self, one: _Held, other: _Held, gain: float, search: bool) -> bool:
        """Whether another order is better; to interleave must make things smaller in any case (else cards 14: 6.6 s, not 5.7)."""
        smaller = one.size() < gain * other.size()
        if search and (smaller or not one.choice.interleave):
            known, new = self._pace(other), self._pace(one, _PART)
            if new.beats(known) or known.beats(new):
                return new.beats(known)
        return smaller

    def _pace(self, held: _Held, part: int = 1) -> Pace:
        if held.pace is None:
            most = max(self._patience.search_work, self._search_work // part)
            held.pace = pace(held.encoding, self._tuning.search, self._work, most)
        return held.pace

    def _trial_nodes(self, best: Candidate) -> int:
        return min(_MOST_TRIAL_NODES, max(_TRIAL_NODES, 3 * best.encoding.algebra.nodes()))

    def _tried(self, choice: Choice, nodes: int, most: int) -> Encoding | None:
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

    def _breadth_is_promising(self) -> bool:
        """Whether FORCE finds an order with clearly shorter edges from the other start."""
        with self._work.doing("order"):
            return self._orders.span("breadth") < _SPAN_GAIN * self._orders.span("index")

    def rivals(self) -> list[Choice]:
        """The other orders worth a try, the most promising first, none twice and not the one that was chosen."""
        tried = [self._orders.blocks(self._chosen)]
        found: list[Choice] = []
        for choice in self._others:
            blocks = self._orders.blocks(choice)
            if blocks not in tried:
                tried.append(blocks)
                found.append(choice)
        return found
