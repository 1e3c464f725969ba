"""The steps of the counted system, as lines of one agent: under a condition, variables and counters get new values.

*Interleaved*: for every action, and every kind of member that it can be about, those who list it must allow it; a member that is not named
moves from one counter to another.

*Synchronous*: every agent that stands alone chooses.  Unnamed members who have a choice make it one by one, in steps of their own: the
counters of `Choices` say how many of a record have decided for which action.  Then all act together.  Between two such steps the system is
*settled*: nobody has decided yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from typing import TypeAlias

from epistrat.every import numbers
from epistrat.every.layout import Actor, Layout, Record
from epistrat.every.moves import Change, Moves
from epistrat.every.outcomes import NewRecord as NewRecord, Outcome, Outcomes
from epistrat.every.paths import Facts, Path, Paths
from epistrat.every.readings import Deed, Kind, Situation
from epistrat.every.spots import Fresh, Outside
from epistrat.model.agent import ENVIRONMENT, Assignment, EvolutionLine
from epistrat.terms import FALSE, TRUE, Bounded, Expr, Key, Terms
from epistrat.terms.linear import Linear

_ONE = Fraction(1)


class NewChoice(Exception):
    """Members of a record may choose between these actions; ``usual`` is one that is always allowed, if there is one."""

    def __init__(self, record: Record, deeds: list[Deed], usual: Deed | None) -> None:
        super().__init__()
        self.record, self.deeds, self.usual = record, deeds, usual


class Stepping:
    """Finds the lines for some records."""

    def __init__(
        self,
        layout: Layout,
        terms: Terms,
        counters: Mapping[Record, Key],
        sums: Mapping[Key, tuple[Record, ...]],
        choices: Choices,
        usual: Mapping[Record, Deed | None],
    ) -> None:
        self.layout, self.terms, self.counters, self._sums = layout, terms, counters, sums
        self.choices, self.usual = choices, usual
        self.records = list(counters)
        self.blocks = False
        self._lone = [actor for actor in layout.actors if not isinstance(actor.spot, Fresh)]
        self._members = [actor for actor in layout.actors if isinstance(actor.spot, Fresh)]
        self._domains = {key: one.domain for key, one in layout.variables.items()}
        self._outcomes = Outcomes(layout, terms, counters)
        self._paths = Paths(terms, self._known())

    def _known(self) -> Facts:
        """Bounds of numbers; and the size as the number of all members, where there are any."""
        ranges: dict[Linear, tuple[int | None, int | None]] = {}
        for key in (*self.counters.values(), *self.choices.values()):
            ranges[numbers.variable(key)] = (0, None)
        for key, one in self.layout.variables.items():
            if isinstance(one.domain, Bounded):
                ranges[numbers.variable(key)] = (one.domain.low, one.domain.high)
        reading = Moves(self.layout, self.terms, Path(self.terms, (), Facts())).reading
        for key, bounds in self.layout.bounds.items():
            low, high = [reading.number_of(one, {}) for one in bounds]
            least, most = [int(one.constant) if not one.factors else None for one in (low, high)]
            ranges[numbers.variable(key)] = (least, most)
        equal: dict[Key, Linear] = {}
        if self.layout.low is not None and self.layout.high is not None:
            named = len(self.layout.named) - (self.layout.high.number - self.layout.low + 1)
            unnamed = numbers.total(map(self.count, self.counters))
            equal[self.layout.size] = unnamed + numbers.whole(named)
        return Facts(ranges, self._domains, equal)

    def lines(self) -> list[EvolutionLine]:
        """All lines, without repetition."""
        found: dict[EvolutionLine, None] = {}
        for choice in self._interleaved() if self.layout.template.interleaved else self._synchronous():
            for condition, outcomes in self._paths.every(choice):
                for one in outcomes:
                    found[self._line(condition, one)] = None
        return list(found)

    def count(self, record: Record) -> Linear:
        """How many members have a record, those included who have decided."""
        decided = [numbers.variable(key) for (one, _), key in self.choices.items() if one == record]
        return numbers.total([numbers.variable(self.counters[record]), *decided])

    def _line(self, condition: Expr, outcome: Outcome) -> EvolutionLine:
        if outcome.decided is not None:
            before, after = self.counters[outcome.decided[0]], self.choices[outcome.decided]
            one = numbers.whole(1)
            less, more = numbers.variable(before) - one, numbers.variable(after) + one
            made = [(before, less), (after, more)]
            return EvolutionLine(tuple([Assignment(key[1], n.expression(self.terms)) for key, n in made]), condition)
        return self._acted(condition, outcome)

    def _acted(self, condition: Expr, outcome: Outcome) -> EvolutionLine:
        writes: dict[str, Expr] = {key[1]: value for key, value in outcome.values.items()}
        writes |= {key[1]: self.terms.number(0) for key in self.choices.values()}
        for record, key in self.counters.items():
            number = outcome.counts.get(record, numbers.ZERO)
            if number != numbers.variable(key):
                writes[key[1]] = number.expression(self.terms)
        for key, records in self._sums.items():
            before = numbers.total(map(self.count, records))
            after = numbers.total(outcome.counts.get(one, numbers.ZERO) for one in records)
            if after != before:
                writes[key[1]] = (numbers.variable(key) + after - before).expression(self.terms)
        size = numbers.variable(self.layout.size).expression(self.terms)
        made = [Assignment(name, value) for name, value in writes.items()]
        return EvolutionLine(tuple(made or [Assignment(self.layout.parameter, size)]), condition)

    def start(self) -> Situation:
        """How many members have which record."""
        return Situation(tuple([Kind(one, None, self.count(one)) for one in self.counters]))

    def decided(self) -> Situation:
        """The same when all who have a choice have made it: those who have decided differently are of different kinds.

        Where an action is always allowed, whoever has not decided does that.
        """
        kinds: list[Kind] = []
        for record, key in self.counters.items():
            chosen = [
                Kind(one, deed, numbers.variable(of)) for (one, deed), of in self.choices.items() if one == record
            ]
            kinds += chosen
            usual = self.usual.get(record)
            if usual is not None or not chosen:
                kinds.append(Kind(record, usual, numbers.variable(key)))
        return Situation(tuple(kinds))

    # interleaved

    def _interleaved(self) -> Iterator[Choice]:
        first = Moves(self.layout, self.terms, Path(self.terms, (), Facts()))
        deeds = dict.fromkeys(deed for actor in self.layout.actors for deed in first.deeds(actor))
        for deed in deeds:
            if not isinstance(deed[2], Fresh):
                yield lambda path, deed=deed: self._event(path, deed, self.start())  # type: ignore[misc]
                continue
            for kind in range(len(self.records)):
                yield lambda path, deed=deed, kind=kind: self._looked_event(path, deed, kind)  # type: ignore[misc]

    def _looked_event(self, path: Path, deed: Deed, kind: int) -> list[Outcome]:
        before = self.start()
        if path.at_most(before.others(kind)):
            return []
        situation, spot = before.look(kind)
        return self._event(path, (deed[0], deed[1], spot), situation)

    def _event(self, path: Path, deed: Deed, situation: Situation) -> list[Outcome]:
        """One action happens: all who list it must allow it."""
        moves = Moves(self.layout, self.terms, path)
        taking: list[tuple[Actor, Situation]] = []
        for actor, after, kind in self._everybody(moves, situation):
            if not any(moves.lists(one, actor.env, deed) for one in actor.tree.actions):
                continue
            if not path.holds(moves.allowed(actor, deed, after)):
                if kind is None or not path.at_most(situation.others(kind)):
                    return []
                continue
            taking.append((actor, after))
        return self._after(moves, taking, situation, deed)

    def _everybody(self, moves: Moves, situation: Situation) -> Iterator[tuple[Actor, Situation, int | None]]:
        """All agents that stand alone, the members looked at, and one member of each kind of others."""
        for actor in self._lone:
            yield actor, situation, None
        for actor in self._members:
            for rank in range(len(situation.looked)):
                yield moves.env(actor, Fresh(rank))[0], situation, None
            for kind in range(len(situation.kinds)):
                after, spot = situation.look(kind)
                yield moves.env(actor, spot)[0], after, kind

    def _after(
        self, moves: Moves, taking: list[tuple[Actor, Situation]], situation: Situation, deed: Deed
    ) -> list[Outcome]:
        """What follows when these take part."""
        deeds = {actor.title: deed for actor, _ in taking if not isinstance(actor.spot, Fresh)}
        kinds = tuple([Kind(one.record, deed, one.number) for one in situation.kinds])
        acting = Situation(kinds, situation.looked, deeds)
        ways: list[list[Change]] = []
        for actor, after in taking:
            here = Situation(kinds, after.looked, deeds)
            ways.append(self._changes(moves, actor, here, acting))
        return self._ending(moves, [actor for actor, _ in taking], ways, acting)

    # synchronous

    def _synchronous(self) -> Iterator[Choice]:
        first = Moves(self.layout, self.terms, Path(self.terms, (), Facts()))
        choices: list[list[tuple[Deed | None, int | None]]] = []
        for actor in self._lone:
            mine: list[tuple[Deed | None, int | None]] = []
            for deed in first.deeds(actor):
                if actor.spot is not None and deed[2] is not None:
                    raise Outside(f"the action `{deed[0]}` of a member has a member as an index", actor.tree.at)
                looked = range(len(self.decided().kinds)) if isinstance(deed[2], Fresh) else [None]
                mine += [(deed, kind) for kind in looked]
            choices.append(mine or [(None, None)])
            self._find_blocks(actor)
        for actor in self._members:
            if any(deed[2] is not None for deed in first.deeds(actor)):
                raise Outside("an action of a member has a member as an index", actor.tree.at)
        for record in self._urged():
            self.blocks |= any(found for _, found in self._paths.every(partial(self._stuck, record)))
        for record, deed in self.choices:
            yield lambda path, record=record, deed=deed: self._decision(path, record, deed)  # type: ignore[misc]
        for chosen in product(*choices):
            yield lambda path, chosen=chosen: self._joint(path, chosen)  # type: ignore[misc]

    def _urged(self) -> list[Record]:
        """The records whose members must all have decided before they act."""
        return [one for one, usual in self.usual.items() if usual is None]

    def _find_blocks(self, actor: Actor) -> None:
        """Note whether an agent that acts may have no action that is allowed."""

        def may(path: Path) -> bool:
            moves, situation = Moves(self.layout, self.terms, path), self.start()
            for deed in moves.deeds(actor):
                if not isinstance(deed[2], Fresh) and path.holds(moves.allowed(actor, deed, situation)):
                    return True
            return not moves.deeds(actor)

        if any(rule.condition is None and rule.actions for rule in actor.tree.protocol) or not actor.tree.protocol:
            self.blocks |= bool(actor.tree.actions) and actor.word != ENVIRONMENT and not actor.tree.protocol
            return
        self.blocks |= not all(found for _, found in self._paths.every(may))

    def _decision(self, path: Path, record: Record, deed: Deed) -> list[Outcome]:
        """A member decides for an action."""
        moves, number = Moves(self.layout, self.terms, path), self.records.index(record)
        if path.at_most(numbers.variable(self.counters[record])):
            return []
        after, spot = self.start().look(number)
        acting = [moves.env(actor, spot)[0] for actor in self._members]
        acting = [actor for actor in acting if moves.deeds(actor)]
        if len(acting) > 1:
            raise Outside("a member has two agents that act", acting[1].tree.at)
        return [Outcome(decided=(record, deed))] if path.holds(moves.allowed(acting[0], deed, after)) else []

    def _stuck(self, record: Record, path: Path) -> bool:
        """Whether a member who has a choice may have no action that is allowed."""
        if path.at_most(numbers.variable(self.counters[record])):
            return False
        return not any(self._decision(path, record, deed) for one, deed in self.choices if one == record)

    def _joint(self, path: Path, chosen: tuple[tuple[Deed | None, int | None], ...]) -> list[Outcome]:
        """All agents act together."""
        moves = Moves(self.layout, self.terms, path)
        for record in self._urged():
            if not path.at_most(numbers.variable(self.counters[record])):
                return []
        situation = self.decided()
        deeds: dict[str, Deed] = {}
        for actor, (deed, kind) in zip(self._lone, chosen, strict=True):
            if deed is None:
                continue
            if kind is not None:
                if situation.looked:
                    raise Outside("two agents choose a member at once", actor.tree.at)
                if path.at_most(situation.others(kind)):
                    return []
                situation, spot = situation.look(kind)
                deed = (deed[0], deed[1], spot)
            deeds[actor.title] = deed
        for actor in self._lone:
            if actor.title in deeds and not path.holds(moves.allowed(actor, deeds[actor.title], situation)):
                return []
        kinds = self._acting(moves, path, situation)
        if kinds is None:
            self.blocks = True
            return []
        acting = Situation(kinds, situation.looked, deeds)
        everybody = [(actor, after) for actor, after, _ in self._everybody(moves, acting)]
        ways = [self._changes(moves, actor, after, acting) for actor, after in everybody]
        return self._ending(moves, [actor for actor, _ in everybody], ways, acting)

    def _choice(self, moves: Moves, me: Actor, after: Situation, record: Record) -> NewChoice:
        """Between which actions the members of a record may choose, whatever is true otherwise."""
        where = Moves(self.layout, self.terms, moves.path)
        where.reading.path = None
        allowed = {deed: where.allowed(me, deed, after) for deed in moves.deeds(me)}
        usual = next((deed for deed, condition in allowed.items() if condition == TRUE), None)
        return NewChoice(record, [one for one, when in allowed.items() if when != FALSE and one != usual], usual)

    def _acting(self, moves: Moves, path: Path, situation: Situation) -> tuple[Kind, ...] | None:
        """The kinds with the actions that their members choose; None if there is one that has none."""
        found: list[Kind] = []
        for number, kind in enumerate(situation.kinds):
            if kind.deed is not None:
                found.append(kind)
                continue
            deed: Deed | None = None
            for actor in self._members:
                after, spot = situation.look(number)
                me = moves.env(actor, spot)[0]
                mine = [one for one in moves.deeds(me) if path.holds(moves.allowed(me, one, after))]
                if not moves.deeds(me):
                    continue
                if len(mine) > 1:
                    if path.at_most(kind.number):
                        continue
                    raise self._choice(moves, me, after, kind.record)
                if not mine and not path.at_most(kind.number):
                    return None
                if deed is not None:
                    raise Outside("a member has two agents that act", actor.tree.at)
                deed = mine[0] if mine else None
            found.append(Kind(kind.record, deed, kind.number))
        return tuple(found)

    # what follows

    def _changes(self, moves: Moves, actor: Actor, after: Situation, acting: Situation) -> list[Change]:
        """What an agent may do; all other members of one kind must do the same."""
        found = moves.changes(actor, after)
        others = after.looked[len(acting.looked) :]
        if len(found) > 1 and others and not moves.path.at_most(acting.others(others[0])):
            raise Outside("members have more than one outcome of a step", actor.tree.at)
        return found

    def _ending(
        self, moves: Moves, actors: list[Actor], ways: list[list[Change]], situation: Situation
    ) -> list[Outcome]:
        found, blocks = self._outcomes.of(moves, actors, ways, situation)
        self.blocks |= blocks
        return found


Choices: TypeAlias = Mapping[tuple[Record, Deed], Key]
"""How many members of a record have decided for an action."""
Choice: TypeAlias = "Callable[[Path], list[Outcome]]"
