"""How the predicates of one cluster change, as relations over the bits of an abstraction.

The units that write the cluster's variables make one of several combined updates.  Where listing the rows of an update needs a solver,
they are learnt state by state, for those states of the cluster that turn out to be reachable while the update can happen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from epistrat.encoding.part import Part, mask_of, variables_of
from epistrat.engines.abstraction.choices import Unit
from epistrat.engines.abstraction.conditions import PredicateConditions
from epistrat.engines.abstraction.enumerate import Enumerator, Question, Row, Table
from epistrat.engines.abstraction.layout import AbstractLayout, Cluster
from epistrat.solvers.bdd import Algebra, Bdd
from epistrat.terms import Expr, Key

Update = tuple[tuple[Key, Expr], ...]


class _Case:
    """One combined update: when it is made, its rows, and for which states of the cluster they are known."""

    def __init__(self, chosen: Part, table: Table | None) -> None:
        self.chosen = chosen
        self.table = table
        self.rows: list[Row] = []
        self.unknown: list[Row] = []
        self.known: Bdd | None = None


class Updates:
    """The updates of one cluster."""

    def __init__(
        self,
        cluster: Cluster,
        units: Sequence[Unit],
        layout: AbstractLayout,
        conditions: PredicateConditions,
        algebra: Algebra,
        enumerator: Enumerator,
        initial: Expr,
    ) -> None:
        self._cluster = cluster
        self._units = units
        self._layout = layout
        self._conditions = conditions
        self._algebra = algebra
        self._enumerator = enumerator
        self._initial_condition = initial
        self._pairs = [layout.predicates[predicate] for predicate in cluster.predicates]
        self._now = [now for now, _ in self._pairs]
        self._columns = [*self._now, *(then for _, then in self._pairs)]
        self._columns += [then for rank in cluster.ranks for _, then in layout.changes[rank]]
        self._support = mask_of(self._columns)
        self.incomplete = False
        self._cases = list(self._find_cases())
        hidden = mask_of([bit for pair in layout.pairs for bit in pair[:1]]) & ~mask_of(self._now)
        private = mask_of([bit for bits in (*layout.actions.values(), *layout.choices) for bit in bits])
        self._others = algebra.cube(variables_of(hidden | private))

    @property
    def lazy(self) -> bool:
        """Whether some rows are learnt on demand."""
        return any(case.table is not None and case.table.rows is None for case in self._cases)

    def _find_cases(self) -> Iterator[_Case]:
        writers = [index for index, unit in enumerate(self._units) if self._cluster.keys & set(unit.keys)]
        updates = [self._updates_of(self._units[index]) for index in writers]
        conditions = self._conditions
        for combination in product(*(list(found.items()) for found in updates)):
            chosen = conditions.join.all(
                [
                    conditions.join.any([conditions.code(number, self._layout.choices[index]) for number in numbers])
                    for index, (_, numbers) in zip(writers, combination, strict=True)
                ]
            )
            update = tuple(sorted((item for made, _ in combination for item in made), key=lambda item: item[0]))
            table = None
            if update or self._cluster.ranks:
                predicates, ranks = self._cluster.predicates, self._cluster.ranks
                table = self._enumerator.table(Question(predicates, update, predicates, ranks))
            case = _Case(chosen, table)
            if table is not None and table.rows is not None:
                case.rows = table.rows
            yield case

    def _updates_of(self, unit: Unit) -> dict[Update, list[int]]:
        """The distinct updates of the cluster's variables, each with the numbers of the alternatives that make it."""
        found: dict[Update, list[int]] = {(): [0]}
        for number, alternative in enumerate(unit.alternatives, 1):
            made = tuple((key, value) for key, value in alternative.assignments if key in self._cluster.keys)
            found.setdefault(made, []).append(number)
        return found

    def initial(self) -> Bdd:
        """The states of the cluster that initial states are in (or, where that is cheap, all that exist)."""
        rows = self._enumerator.first_rows(self._cluster.predicates, self._initial_condition)
        if rows is None:
            self.incomplete = True
            return self._algebra.true
        return self._function(rows, self._now)

    def learn(self, states: Bdd, enabled: Bdd) -> bool:
        """Find the rows that start in the given states; False if all were known."""
        news = False
        for case in self._cases:
            if case.table is None or case.table.rows is not None:
                continue
            where = self._algebra.and_exists(states, enabled & case.chosen.function, self._others)
            fresh = where if case.known is None else where & ~case.known
            if fresh == self._algebra.false:
                continue
            news = True
            case.known = where if case.known is None else case.known | where
            for before in self._rows_in(fresh):
                rows = case.table.from_state(before)
                if rows is None:
                    self.incomplete = True
                    case.unknown.append(before)
                else:
                    case.rows = [*case.rows, *rows]
        return news

    def _rows_in(self, states: Bdd) -> Iterator[Row]:
        """The values of the cluster's predicates in a set that depends on nothing else."""
        while True:
            picked = self._algebra.pick(states)
            if picked is None:
                return
            row = tuple([picked.get(bit, False) for bit in self._now])
            yield row
            states = states & ~self._function([row], self._now)

    def may(self) -> Part:
        """What may change how."""
        return self._part(sure=False)

    def must(self) -> Part:
        """What must change how."""
        return self._part(sure=True)

    def _part(self, sure: bool) -> Part:
        return self._conditions.join.any(
            [
                self._conditions.join.all((case.chosen, Part(self._relation(case, sure), self._support)))
                for case in self._cases
            ]
        )

    def _relation(self, case: _Case, sure: bool) -> Bdd:
        if case.table is None:
            same = self._algebra.true
            for now, then in reversed(self._pairs):
                same = ~self._algebra.xor(self._algebra.var[now], self._algebra.var[then]) & same
            return same
        if not sure:
            return self._function(case.rows, self._columns) | self._function(case.unknown, self._now)
        width = len(self._now)
        times: dict[Row, int] = {}
        for row in case.rows:
            times[row[:width]] = times.get(row[:width], 0) + 1
        return self._function([row for row in case.rows if times[row[:width]] == 1], self._columns)

    def _function(self, rows: Sequence[Row], bits: Sequence[int]) -> Bdd:
        """The function that is true exactly for the rows of values of the bits."""
        order = sorted(range(len(bits)), key=lambda place: bits[place])
        algebra = self._algebra

        def build(left: Sequence[Row], depth: int) -> Bdd:
            if not left:
                return algebra.false
            if depth == len(order):
                return algebra.true
            place = order[depth]
            low = build([row for row in left if not row[place]], depth + 1)
            high = build([row for row in left if row[place]], depth + 1)
            return low if low == high else algebra.ite(algebra.var[bits[place]], high, low)

        return build(list(rows), 0)
