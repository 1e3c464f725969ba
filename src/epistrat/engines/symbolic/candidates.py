"""Which encodings of a system to try: orders of the variables, the most promising first.

No measure of an order is certain.  A little searching tells where actions should go and whether a restart of FORCE was worth it, and where
it does not the relation's size may; the propositions' size tells whether compared variables should interleave.  What none of these tell is
left to sessions with other options (`epistrat.engines.contract.Rival`), which join if this one turns out to be slow.
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
_MOST_TRIAL_NODES = 1 << 20  # and at most these,
_TRIAL_TABLE = (
    1 << 21
)  # in a table so large that OxiDD's own thread does not collect in it, at moments that no run repeats
_SMALL = 48  # bits: smaller systems get a smaller cache, since clearing the large one takes longer than checking most of them
_SMALL_CACHE = 1 << 18  # entries
_SPAN_GAIN = 0.85  # an order is tried if its edges are this much shorter
_LARGE_PROPOSITIONS = 2  # times the relation: then compared variables may be interleaved,
_INTERLEAVE_GAIN = 0.7  # if everything gets this much smaller
_UNKNOWN = float("inf")
_LARGE = 200_000  # a relation of so many nodes calls for a comparison, whatever it takes
_MORE_TO_BUILD = 1.25  # times the work of the first order: what another one may take to build
_TOP_GAIN = 0.5  # actions go on top if the relation gets this much smaller and a search does not tell (auction 18)
_QUICK = 20_000  # work of a search that is no reason to prefer an order
_FEW_LINES = 2  # of a protocol: more may overlap


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Nodes of the relation, and of all propositions together."""

    relation: float
    propositions: float

    @property
    def total(self) -> float:
        return self.relation + self.propositions


def _sizes(encoding: Encoding) -> _Sizes:
    conditions, size = encoding.conditions, encoding.algebra.size
    propositions = [size(conditions.part(condition).function) for condition in encoding.system.propositions.values()]
    return _Sizes(encoding.relation.size(), sum(propositions))


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
                work.tick()
                if algebra.nodes() > patience or work.budget.meter.work > end:
                    raise OutOfNodes

            with algebra.guard():
                encoding = encode(self._footprint, algebra, layout, tuning.plain, tick, self._patience)
            end = _UNKNOWN  # what is done with it is counted by others
            return encoding

    def _rescue(self) -> Candidate:
        """Where the usual order needs too many nodes to be built: the smallest of the others, if one fits."""
        others = [Choice(start, top) for start in ("index", "breadth") for top in (True, False)]
        sizes = {choice: self._trial(choice, _MOST_TRIAL_NODES).relation for choice in others if choice != Choice()}
        best = min(sizes, key=sizes.__getitem__)
        self._others = sorted((choice for choice in sizes if choice != best), key=sizes.__getitem__)
        self._chosen = Choice() if sizes[best] == _UNKNOWN else best
        return self._build(self._chosen)

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
        if best.encoding.relation.private:
            held = self._prefer(held, replace(held.choice, actions_on_top=True), limit, others, _TOP_GAIN)
        promising = self._breadth_is_promising()
        if promising or self._is_slow(held):
            held = self._prefer(held, replace(held.choice, start="breadth"), limit, others, float(promising))
        lead = held.choice
        if self._footprint.compared_pairs():
            lead = self._compare_interleaved(lead, best, limit, others)
        others.append(replace(lead, start="breadth"))
        self._chosen, self._others = lead, others
        if lead == Choice():
            return best if first.pace is None else replace(best, found=first.pace.found)
        del best, first, held  # two large tables at a time are one too many
        return self._build(lead)

    def _prefer(self, held: _Held, choice: Choice, nodes: int, others: list[Choice], gain: float) -> _Held:
        """The better of two orders by a little searching, or, if that does not tell, the other if its relation is smaller by ``gain``."""
        if not held.encoding.relation.size() or self._orders.blocks(choice) == self._orders.blocks(held.choice):
            return held
        most = self._patience.order_work
        if held.built >= most:  # an order that is much more work to build is not better
            slow = not self._pace(held).complete or held.encoding.relation.size() > _LARGE
            most = int(_MORE_TO_BUILD * held.built) if slow else 0
        started = self._work.budget.meter.work
        encoding = self._tried(choice, nodes, most) if most else None
        if encoding is None:
            others.append(choice)
            return held
        other = _Held(choice, encoding, self._work.budget.meter.work - started)
        if self._is_better(other, held, gain):
            others.append(held.choice)
            return other
        others.append(choice)
        return held

    def _is_slow(self, held: _Held) -> bool:
        """Whether a search in this order, quick to build, did not end; it does not tell where variables may interleave (robots 32)."""
        if self._footprint.compared_pairs():
            return False
        return held.built < self._patience.order_work and held.pace is not None and not held.pace.complete

    def _is_better(self, one: _Held, other: _Held, gain: float) -> bool:
        if not self._pace(other).complete or self._pace(other).work > _QUICK:
            if self._pace(one).beats(self._pace(other)):
                return True
            if self._pace(other).beats(self._pace(one)):
                return False
        return one.encoding.relation.size() < gain * other.encoding.relation.size()

    def _pace(self, held: _Held) -> Pace:
        if held.pace is None:
            held.pace = pace(held.encoding, self._tuning.search, self._work, self._search_work)
        return held.pace

    def _compare_interleaved(self, lead: Choice, best: Candidate, limit: int, others: list[Choice]) -> Choice:
        """Interleave compared variables if propositions, not the relation, are what is large, and that makes them small."""
        tops = (True, False) if best.encoding.relation.private else (False,)
        first, *rest = (replace(lead, interleave=True, actions_on_top=top) for top in tops)
        size = _sizes(best.encoding)
        if size.propositions > _LARGE_PROPOSITIONS * size.relation:
            found = self._trial(first, limit)
            if found.total < _INTERLEAVE_GAIN * size.total:
                others[:0] = [lead, *rest]
                return first
            others[:0] = [first, *rest]
        else:
            others += [first, *rest]
        return lead

    def _trial_nodes(self, best: Candidate) -> int:
        return min(_MOST_TRIAL_NODES, max(_TRIAL_NODES, 3 * best.encoding.algebra.nodes()))

    def _trial(self, choice: Choice, nodes: int) -> _Sizes:
        """How large things are in another order, infinite if they do not fit into so many nodes."""
        encoding = self._tried(choice, nodes, self._patience.order_work)
        try:
            if encoding is not None:
                with encoding.algebra.guard():
                    return _sizes(encoding) if choice.interleave else _Sizes(encoding.relation.size(), 0)
        except OutOfNodes:
            pass
        return _Sizes(_UNKNOWN, _UNKNOWN)

    def _tried(self, choice: Choice, nodes: int, most: int) -> Encoding | None:
        """The encoding in another order, in a small table; None if it needs more nodes, or more work."""
        with self._work.doing("order"):
            blocks = self._orders.blocks(choice)
        try:
            return self._encode(blocks, _TRIAL_TABLE, _SMALL_CACHE, patience=nodes, most=most)
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
