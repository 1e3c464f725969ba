"""The counted system of a template: one system with whole numbers for all sizes (theorems 1 and 2 of docs/any-number.md).

It is a synchronous system in which the Environment has all variables and makes all steps.  Who knows something is an agent that only sees:
his own record, what he sees of variables that stand alone, and how many unnamed members have which values in what he sees of them.
The size is a variable that everybody sees and that never changes.

Where unnamed members have choices, its states between two *settled* ones are no states of the model: see `epistrat.every.steps`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from epistrat.every import numbers
from epistrat.every.condensing import condensed, condition as condition_of
from epistrat.every.layout import Actor, Layout, Place, Quotients, Record
from epistrat.every.readings import Deed, Kind, Reading, Situation
from epistrat.every.spots import Fresh, NeedsSpecial, New, Outside, Sizes, Special, Spot
from epistrat.every.steps import Choices, NewChoice, NewRecord, Stepping
from epistrat.lang.templates import tree
from epistrat.model.agent import ENVIRONMENT, Agent, Assignment, EvolutionLine, Variable
from epistrat.model.system import Composition, Semantics, System
from epistrat.records import dataclass
from epistrat.terms import And, Bounded, Expr, Integer, Key, Terms

_MOST_SPECIALS = 6
_MOST_RECORDS = 60
_STEP = "step"
_GOING = "going"
"""A variable that is 1: where a line would make it 0 there is no step."""


@dataclass(frozen=True)
class Counted:
    """The system of all sizes from ``least`` on; ``specials`` are kept by themselves, ``counters`` count the other members by record."""

    layout: Layout
    terms: Terms
    least: int
    specials: tuple[Special | New, ...]
    counters: Mapping[Record, Key]
    sums: Mapping[Key, tuple[Record, ...]]
    choices: Choices
    system: System

    @property
    def settled(self) -> Expr:
        """Whether no member has decided what to do next; ``true`` where there are no such choices."""
        decided = numbers.total(map(numbers.variable, self.choices.values()))
        return numbers.at_most(self.terms, decided, numbers.ZERO)

    def condensed(self, condition: Expr) -> Expr:
        """A condition in which sums that have a variable stand as that variable."""
        return condition_of(condition, _of_counters(self.counters, self.sums, self.choices), self.terms, {})

    @property
    def situation(self) -> Situation:
        """How many unnamed members have which record."""
        return Situation(tuple([Kind(one, None, numbers.variable(key)) for one, key in self.counters.items()]))

    @property
    def reading(self) -> Reading:
        """Reads conditions on states."""
        return Reading(self.layout, self.terms)


def counted(
    template: tree.Template, specials: Iterable[Special | New], least: int, quotients: Quotients | None = None
) -> Counted:
    """The system in which these members, and all that the model itself names, are kept by themselves; raises `Outside`.

    ``quotients`` are needed by formulae.
    """
    known: tuple[Special | New, ...] = tuple(sorted(specials, key=_order))
    _plausible(template)
    while True:
        if len(known) > _MOST_SPECIALS:
            raise Outside(f"more than {_MOST_SPECIALS} members are named")
        try:
            return _Making(template, known, least, quotients or {}).made()
        except NeedsSpecial as needed:
            known = tuple(sorted({*known, needed.special}, key=_order))


def _order(one: Special | New) -> tuple[int, int, int]:
    return (one.factor, one.number, 0) if isinstance(one, Special) else (9, one.rank, 0)


def _plausible(template: tree.Template) -> None:
    if template.fairness:
        raise Outside("fairness lines", template.fairness[0].at)
    if dict(template.settings).get("Knowledge", "Observation") != "Observation":
        raise Outside("knowledge that counts or remembers")
    for agent in template.agents:
        if agent.red is not None:
            raise Outside("red states", agent.at)


class _Making:
    def __init__(
        self, template: tree.Template, specials: tuple[Special | New, ...], least: int, quotients: Quotients
    ) -> None:
        self.template, self.specials = template, specials
        self.sizes = Sizes(template.parameter.name, least)
        self.layout = Layout(template, self.sizes, specials)
        self.layout.quotients |= quotients
        self.terms = Terms()
        self.reading = Reading(self.layout, self.terms)

    def made(self) -> Counted:
        """The system, with only those records that members can have."""
        records, choices = self._first_records(), dict[tuple[Record, Deed], Key]()
        usual: dict[Record, Deed | None] = {}
        while True:
            if len(records) > _MOST_RECORDS:
                raise Outside(f"a member can have more than {_MOST_RECORDS} records")
            counters = {record: self._counter(record) for record in records}
            sums = self._sums(counters)
            stepping = Stepping(self.layout, self.terms, counters, sums, choices, usual)
            try:
                lines = stepping.lines()
            except NewRecord as found:
                records.append(found.record)
                continue
            except NewChoice as new:
                usual[new.record] = new.usual
                choices |= {(new.record, deed): self._choice(new.record, deed) for deed in new.deeds}
                continue
            system = self._system(counters, sums, choices, lines, stepping.blocks)
            return Counted(self.layout, self.terms, self.sizes.least, self.specials, counters, sums, choices, system)

    def _counter(self, record: Record) -> Key:
        words = [_word(value) for value in record]
        return ENVIRONMENT, "_".join(["others", *words])

    def _choice(self, record: Record, deed: Deed) -> Key:
        words = [_word(value) for value in (*record, deed[0], *deed[1])]
        return ENVIRONMENT, "_".join(["decided", *words])

    # the beginning

    def _initial(self, counters: Mapping[Record, Key]) -> list[Expr]:
        situation = Situation(tuple([Kind(one, None, numbers.variable(key)) for one, key in counters.items()]))
        if self.template.initial is None:
            return []
        found = self.reading.condition(self.template.initial, {}, situation)
        return list(found.args) if isinstance(found, And) else [found]

    def _first_records(self) -> list[Record]:
        """The records that members may have at first: not those that the condition plainly excludes."""
        if self.layout.low is None:
            return []
        counters = {record: self._counter(record) for record in self.layout.records()}
        plain = set(self._initial(counters))
        excluded = {
            record: self.terms.negate(numbers.at_most(self.terms, numbers.whole(1), numbers.variable(key)))
            for record, key in counters.items()
        }
        return [record for record in counters if excluded[record] not in plain]

    def _start(self, counters: Mapping[Record, Key], sums: Mapping[Key, tuple[Record, ...]], choices: Choices) -> Expr:
        terms, size = self.terms, numbers.variable(self.layout.size)
        found = self._initial(counters)
        for key, (low, high) in self.layout.bounds.items():
            value = numbers.variable(key)
            found.append(numbers.at_most(terms, self.reading.number_of(low, {}), value))
            found.append(numbers.at_most(terms, value, self.reading.number_of(high, {})))
        for (dividend, divisor), key in self.layout.quotients.items():
            whole = size.times(Fraction(dividend.factor)) + numbers.whole(dividend.number)
            rest = whole - numbers.variable(key).times(Fraction(divisor))
            found.append(numbers.at_most(terms, numbers.ZERO, rest))
            found.append(numbers.at_most(terms, rest, numbers.whole(divisor - 1)))
        for key in counters.values():
            found.append(numbers.at_most(terms, numbers.ZERO, numbers.variable(key)))
        for key in choices.values():
            found.append(numbers.equal(terms, numbers.variable(key), numbers.ZERO))
        if self.layout.low is not None and self.layout.high is not None:
            named = self.layout.named
            for position, one in enumerate(named):
                for other in named[:position]:
                    if isinstance(one, Special) and isinstance(other, Special):
                        self.sizes.same(one, other)
            unnamed = self.layout.high.number - self.layout.low + 1 - len(named)
            self.sizes.least = max(self.sizes.least, -unnamed)
            everybody = numbers.total(numbers.variable(key) for key in counters.values())
            found.append(numbers.equal(terms, everybody, size + numbers.whole(unnamed)))
        for key, records in sums.items():
            found.append(
                numbers.equal(
                    terms, numbers.variable(key), numbers.total(numbers.variable(counters[one]) for one in records)
                )
            )
        found.append(numbers.at_most(terms, numbers.whole(self.sizes.least), size))
        return terms.conjunction(found)

    # who sees what

    def _seen(self, actor: Actor) -> tuple[list[Key], frozenset[int]]:
        """The variables that an agent sees, and the columns that it sees of every unnamed member."""
        places: list[tuple[Place, Spot | None]] = []
        for place, spot in self.layout.places():
            own = place.agent == actor.word and place.agent_at == actor.at
            if own and (place.cell or spot == actor.spot):
                places.append((place, spot))
        if not self.template.interleaved:
            places += self.layout.public
            for one in actor.tree.observes:
                scopes = () if one.scope is None else (one.scope,)
                name = one.name
                for env in self.layout.envs(scopes, actor.env, fresh=True):
                    at, spot = self.layout.indices(name.indices, self.layout.kinds.variable(ENVIRONMENT, name), env)
                    places.append((Place(ENVIRONMENT, (), name.word, at, spot is not None), spot))
        columns = list(self.layout.columns)
        keys = [key for place, spot in places if (key := self.layout.key(place, spot)) is not None]
        of_others = frozenset(columns.index(place) for place, spot in places if isinstance(spot, Fresh))
        return list(dict.fromkeys(keys)), of_others

    def _views(self) -> dict[str, tuple[list[Key], frozenset[int]]]:
        lone = [actor for actor in self.layout.actors if not isinstance(actor.spot, Fresh)]
        return {actor.title: self._seen(actor) for actor in lone}

    def _sums(self, counters: Mapping[Record, Key]) -> dict[Key, tuple[Record, ...]]:
        """How many unnamed members have which values in columns that somebody sees; classes of one record are counters already."""
        found: dict[Key, tuple[Record, ...]] = {}
        for _, columns in self._views().values():
            for values, records in _classes(columns, counters).items():
                if len(records) > 1 and columns:
                    found[self._sum(columns, values)] = records
        return found

    def _sum(self, columns: frozenset[int], values: Record) -> Key:
        words = [str(column) for column in sorted(columns)]
        return ENVIRONMENT, "_".join(["seen", *words, "is", *map(_word, values)])

    # the whole

    def _system(
        self,
        counters: Mapping[Record, Key],
        sums: Mapping[Key, tuple[Record, ...]],
        choices: Choices,
        lines: list[EvolutionLine],
        blocks: bool,
    ) -> System:
        start = self._start(counters, sums, choices)
        fixed = [self.layout.size, *self.layout.quotients.values()]
        numbered = [Variable(*key, Integer()) for key in (*counters.values(), *sums, *choices.values())]
        public = [Variable(*key, Integer(), public=True) for key in fixed]
        variables = [*public, *self.layout.variables.values(), *numbered]
        if blocks and not self.template.interleaved:
            variables.append(Variable(ENVIRONMENT, _GOING, Bounded(1, 1)))
            stuck = self.terms.negate(self.terms.disjunction(line.guard for line in lines))
            lines = [*lines, EvolutionLine((Assignment(_GOING, self.terms.number(0)),), stuck)]
        agents = [
            Agent(
                ENVIRONMENT,
                tuple(variables),
                actions=(_STEP,),
                other=(_STEP,),
                evolution=tuple(lines),
            )
        ]
        for title, (keys, columns) in self._views().items():
            own = [key[1] for key in (*keys, *choices.values())]
            for values, records in _classes(columns, counters).items() if columns else ():
                own.append(counters[records[0]][1] if len(records) == 1 else self._sum(columns, values)[1])
            agents.append(Agent(observer(title), observes=tuple(dict.fromkeys(own))))
        for names in ([one.name for one in agents], [one.name for one in agents[0].variables]):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise Outside(f"two things would be called `{twice}`")
        made = System(tuple(agents), start, Composition.SYNCHRONOUS, Semantics.MULTI)
        return condensed(made, _of_counters(counters, sums, choices), self.terms)


def _of_counters(
    counters: Mapping[Record, Key], sums: Mapping[Key, tuple[Record, ...]], choices: Choices
) -> dict[Key, tuple[Key, ...]]:
    """The numbers of which sums are made: those who have decided are counted, too."""
    found: dict[Key, tuple[Key, ...]] = {}
    for key, records in sums.items():
        decided = [of for (one, _), of in choices.items() if one in records]
        found[key] = (*(counters[one] for one in records), *decided)
    return found


def observer(title: str) -> str:
    """The agent that sees what the agent of this name sees."""
    return "World" if title == ENVIRONMENT else title


def _classes(columns: frozenset[int], counters: Mapping[Record, Key]) -> dict[Record, tuple[Record, ...]]:
    found: dict[Record, tuple[Record, ...]] = {}
    for record in counters:
        values = tuple([record[column] for column in sorted(columns)])
        found[values] = (*found.get(values, ()), record)
    return found


def _word(value: object) -> str:
    return str(value).replace("-", "minus")
