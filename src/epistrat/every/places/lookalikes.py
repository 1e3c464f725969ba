"""Looks for an exchange, in the reachable states of one size: which cells differ between states of the claim and states that look the same.

A search, like `search`: what it finds counts only when the obligations of `exchange` are shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from epistrat.every.places.candidates import Listed, atoms
from epistrat.every.places.claims import Claim
from epistrat.every.places.clauses import Atom, Spot
from epistrat.every.places.exchange import Change, Exchange, two_valued
from epistrat.every.places.family import Cell, Family
from epistrat.every.places.plain import Plainly
from epistrat.lang.templates.writing import envs
from epistrat.model.state import State
from epistrat.terms import Value

_MOST_PATTERNS = 8
_NEAR = 3  # an index up to this is told from the beginning, one from n - 1 on from the end


Met: TypeAlias = tuple[dict[str, int], State]
"""Members, and a state of the claim about them."""


class LookAlikes:
    """Exchanges for one claim."""

    def __init__(self, family: Family, claim: Claim, listed: Listed) -> None:
        self._family, self._claim, self._listed = family, claim, listed
        self._plainly = Plainly(listed)
        self._names = [binder.name for scope in claim.scopes for binder in scope.binders]
        self._number = {state: place for place, state in enumerate(listed.states)}
        self._cells = [cell for cell in family.cells.values() if len(cell.names) == 1 and two_valued(cell)]

    def found(self) -> Iterator[Exchange]:
        """Exchanges that do in all listed states, those that are met most often first."""
        states = list(self._claimed())
        if not states:
            return
        for changes in self._patterns(states):
            if all(self._does(changes, env, state) for env, state in states):
                before = self._before(states)
                guard = tuple(self._guard(before, changes))
                yield Exchange(changes, guard, tuple(self._premises(before)))

    def _claimed(self) -> Iterator[Met]:
        """The members and states in which the premise and the fact hold."""
        for env in envs(self._claim.scopes, {self._family.template.parameter.name: self._listed.size}):
            for state in self._listed.states:
                if all(self._plainly.truth(one, state, env) for one in (*self._claim.premise, self._claim.fact)):
                    yield env, state

    # patterns

    def _patterns(self, states: Sequence[Met]) -> Iterator[tuple[Change, ...]]:
        met: Counter[tuple[Change, ...]] = Counter()
        for env, state in states[:: max(1, len(states) // 40)]:
            met.update(set(self._differences(env, state)))
        ranked = [pattern for pattern, _ in sorted(met.items(), key=lambda one: (-one[1], len(one[0])))]
        yield from ranked[:_MOST_PATTERNS]
        yield from self._ranges()

    def _differences(self, env: dict[str, int], state: State) -> Iterator[tuple[Change, ...]]:
        """What changes to come to look-alikes in which the fact is false, the least changes."""
        options = []
        for other in self._listed.states:
            if self._fails(env, state, other):
                changed = [place for place, (a, b) in enumerate(zip(state, other, strict=True)) if a != b]
                options.append(changed)
        least = min(map(len, options), default=0)
        for changed in options:
            if len(changed) == least:
                pattern = self._flips(env, changed)
                if pattern is not None:
                    yield pattern

    def _flips(self, env: dict[str, int], changed: Iterable[int]) -> tuple[Change, ...] | None:
        found = []
        for place in changed:
            agent, variable, at = self._listed.cell(place)
            cell = self._family.cells[agent, variable]
            if cell not in self._cells:
                return None
            found.append(Change(agent, variable, "=", self._spot(at[0], env)))
        return tuple(sorted(found, key=str))

    def _spot(self, index: int, env: dict[str, int]) -> Spot:
        for name in self._names:
            if abs(index - env[name]) <= 1:
                return name, index - env[name]
        return ("", index) if index <= _NEAR else ("n", index - self._listed.size)

    def _ranges(self) -> Iterator[tuple[Change, ...]]:
        """All cells of a name, on one side of a member or all of them, get one value."""
        spots: list[Spot] = [(name, 0) for name in self._names] or [("", 1), ("n", 0)]
        for cell in self._cells:
            for at in spots:
                for relation in (">", "<", "<>"):
                    yield from ((Change(*cell.key, relation, at, word),) for word in _words(cell))

    def _does(self, changes: Sequence[Change], env: dict[str, int], state: State) -> bool:
        other = self._changed(changes, env, state)
        return other is not None and other in self._number and self._fails(env, state, other)

    def _changed(self, changes: Sequence[Change], env: dict[str, int], state: State) -> State | None:
        made = list(state)
        for place, value in enumerate(state):
            agent, variable, at = self._listed.cell(place)
            for change in changes:
                if (agent, variable) == (change.agent, change.variable) and self._listed.compares(
                    change.relation, at[0], change.at, env
                ):
                    made[place] = self._other(self._family.cells[agent, variable], value, change.word)
                    break
        return tuple(made)

    @staticmethod
    def _other(cell: Cell, value: Value, word: str) -> Value:
        if cell.boolean:
            return (not value) if not word else word == "true"
        first, second = (one.name.word for one in cell.declared.values)
        return word or (second if value == first else first)

    def _fails(self, env: dict[str, int], state: State, other: State) -> bool:
        """The other state looks the same, and the fact is false there."""
        assert self._claim.who is not None
        return self._plainly.alike(self._claim.who, state, other, env) and not self._plainly.truth(
            self._claim.fact, other, env
        )

    # the guard

    def _before(self, states: Sequence[Met]) -> list[tuple[dict[str, int], int]]:
        """For each choice of members the states of the claim, and all states before them."""
        found: dict[tuple[tuple[str, int], ...], int] = {}
        for env, state in states:
            key = tuple(env.items())
            found[key] = found.get(key, 0) | 1 << self._number[state]
        return [(dict(key), self._listed.before(some)) for key, some in found.items()]

    def _premises(self, before: Sequence[tuple[dict[str, int], int]]) -> Iterator[int]:
        """The premises of the claim that hold in all of them."""
        for number, premise in enumerate(self._claim.premise):
            if all(
                self._plainly.truth(premise, state, env)
                for env, states in before
                for place, state in enumerate(self._listed.states)
                if states >> place & 1
            ):
                yield number

    def _guard(self, before: Sequence[tuple[dict[str, int], int]], changes: Sequence[Change]) -> Iterator[Atom]:
        """Comparisons that hold in all of them."""
        spots = [change.at for change in changes if change.relation == "=" and change.at[0] in ("", "n")]
        options = atoms(self._family, "")
        for name in self._names:
            options += atoms(self._family, name)
        options += [Atom(*cell.key, (at,), "=", word) for at in spots for cell in self._cells for word in _words(cell)]
        for atom in dict.fromkeys(options):
            if all(not states & ~(self._listed.where(atom, env) or 0) for env, states in before):
                yield atom


def _words(cell: Cell) -> tuple[str, ...]:
    return ("true", "false") if cell.boolean else tuple([one.name.word for one in cell.declared.values])
