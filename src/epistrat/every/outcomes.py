"""What a step comes to: the new values of variables, and who has which record then."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from epistrat.every import numbers
from epistrat.every.layout import Actor, Layout, Record, values_of
from epistrat.every.moves import Change, Moves, Written
from epistrat.every.readings import Deed, Situation
from epistrat.every.spots import Fresh, Outside
from epistrat.lang.templates import tree
from epistrat.records import dataclass, field
from epistrat.terms import Boolean, Bounded, Const, Enumeration, Expr, Key, Sort, Terms, Value
from epistrat.terms.linear import Linear

_ONE = Fraction(1)


class NewRecord(Exception):
    """A step leads to a record that was not thought of."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record


class _Leaves(Exception):
    """A value leaves its domain: the step does not exist."""


@dataclass(slots=True)
class Outcome:
    """What a step writes: variables, the next record of each member looked at, and those of each kind of others."""

    values: dict[Key, Expr] = field(default_factory=dict)
    counts: dict[Record, Linear] = field(default_factory=dict)
    decided: tuple[Record, Deed] | None = None


class Outcomes:
    """Finds what combinations of changes come to."""

    def __init__(self, layout: Layout, terms: Terms, counters: Mapping[Record, Key]) -> None:
        self.layout, self.terms, self.counters = layout, terms, counters
        self._domains = {key: one.domain for key, one in layout.variables.items()}

    def of(
        self, moves: Moves, actors: list[Actor], ways: list[list[Change]], situation: Situation
    ) -> tuple[list[Outcome], bool]:
        """The outcomes of all combinations of changes, and whether some combination has none."""
        found: list[Outcome] = []
        blocks = False
        for chosen in product(*ways):
            try:
                found.append(self._outcome(moves, list(zip(actors, chosen, strict=True)), situation))
            except _Leaves:
                blocks = True
        return found, blocks

    def _outcome(self, moves: Moves, chosen: list[tuple[Actor, Change]], situation: Situation) -> Outcome:
        path, outcome = moves.path, Outcome()
        looked = [situation.kinds[kind].record for kind in situation.looked]
        picked: list[int] = []
        others: dict[int, dict[int, Value]] = {}
        members: dict[int, dict[int, Value]] = {}
        columns = list(self.layout.columns)
        for actor, change in chosen:
            base = len(situation.looked)
            own = isinstance(actor.spot, Fresh) and actor.spot.rank >= base  # one for all others of a kind
            extra = None
            if change.picked is not None:
                if own:
                    raise Outside("a line of a member is about another member", actor.tree.at)
                extra = len(looked)
                picked.append(change.picked)
                looked.append(situation.kinds[change.picked].record)
            for (place, spot), written in change.writes:
                if not isinstance(spot, Fresh):
                    key = self.layout.key(place, spot)
                    assert key is not None
                    self._put(outcome, key, self._value(moves, key, written))
                    continue
                column = columns.index(place)
                value = self._cell(moves, place, written)
                if spot.rank < 0:
                    others.setdefault(-1 - spot.rank, {})[column] = value
                elif own:
                    others.setdefault(written.situation.looked[spot.rank], {})[column] = value
                else:
                    rank = spot.rank if extra is None or spot.rank < base else extra
                    members.setdefault(rank, {})[column] = value
        if len(picked) > 1:
            raise Outside("two lines are about a member each")
        if picked and path.at_most(situation.others(picked[0])):
            raise Outside("a line is about a member that is not there")
        counts: dict[Record, Linear] = {}
        for rank, record in enumerate(looked):
            self._add(counts, _changed(record, members.get(rank, {})), numbers.whole(1))
        for number, kind in enumerate(situation.kinds):
            left = situation.others(number) - numbers.whole(picked.count(number))
            self._add(counts, _changed(kind.record, others.get(number, {})), left)
        outcome.counts = counts
        return outcome

    def _add(self, counts: dict[Record, Linear], record: Record, number: Linear) -> None:
        if record not in self.counters:
            raise NewRecord(record)
        counts[record] = counts.get(record, numbers.ZERO) + number

    def _put(self, outcome: Outcome, key: Key, value: Expr) -> None:
        outcome.values[key] = value

    def _value(self, moves: Moves, key: Key, written: Written) -> Expr:
        """The new value of a variable; raises `_Leaves` outside of its domain."""
        domain, path = self._domains[key], moves.path
        args = (written.env, written.situation, written.actor)
        match domain:
            case Boolean():
                return moves.reading.truth_of(written.term, *args)
            case Enumeration():
                found = moves.reading.value(written.term, *args)  # type: ignore[arg-type]
                if found.sort is not Sort.NAME:
                    raise Outside("this value is no name", written.term.at)
                if getattr(found, "value", None) not in domain.values:
                    raise Outside("a value is copied from a variable", written.term.at)
                return found
        if isinstance(written.term, tree.Number):
            moves.reading.fits(self.layout.variables[key].reference, written.term, written.env)
        number = self._number(moves, written, domain)
        if isinstance(domain, Bounded):
            low, high = numbers.whole(domain.low), numbers.whole(domain.high)
        elif key in self.layout.bounds:
            low, high = [moves.reading.number_of(one, {}) for one in self.layout.bounds[key]]
        else:
            return number.expression(self.terms)
        if not path.at_most(low - number) or not path.at_most(number - high):
            raise _Leaves
        return number.expression(self.terms)

    def _number(self, moves: Moves, written: Written, domain: object) -> Linear:
        args = (written.env, written.situation, written.actor)
        if domain == Bounded(0, 1) and _is_truth(written.term):
            return numbers.whole(int(moves.path.holds(moves.reading.truth_of(written.term, *args))))
        cases = moves.reading.number(written.term, *args)
        return next(number for condition, number in cases if moves.path.holds(condition))

    def _cell(self, moves: Moves, place: object, written: Written) -> Value:
        """The new value of a member's column."""
        domain = self.layout.columns[place]  # type: ignore[index]
        if isinstance(domain, Enumeration):
            args = (written.env, written.situation, written.actor)
            found = moves.reading.value(written.term, *args)  # type: ignore[arg-type]
            for name in domain.values:
                if moves.path.holds(_same_name(self.terms, found, name)):
                    return name
            raise _Leaves
        number = self._number(moves, written, domain)
        for value in values_of(domain):
            difference = number - numbers.whole(value)  # type: ignore[arg-type]
            if moves.path.at_most(difference) and moves.path.at_most(difference.times(-_ONE)):
                return value
        raise _Leaves


def _same_name(terms: Terms, found: Expr, value: str) -> Expr:
    if isinstance(found, Const):
        return terms.boolean(found.value == value)
    return terms.equals(found, value)


def _is_truth(term: object) -> bool:
    """Whether a term is a condition by its form, or may be one."""
    match term:
        case tree.Literal() | tree.Compared() | tree.Prefixed():
            return True
        case tree.Op(op=op):
            return op not in ("+", "-", "*", "/")
        case tree.Each(kind=kind):
            return kind != "sum"
    return False


def _changed(record: Record, changes: Mapping[int, Value]) -> Record:
    return tuple([changes.get(column, value) for column, value in enumerate(record)])
