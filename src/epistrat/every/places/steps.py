"""The steps of a family, as conditions on two moments: those of `epistrat.model.step`, with an open number of members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from epistrat.every.places.family import Cell, Env, Moment, Value, equal
from epistrat.every.places.first_order import AllOf, AnyOf, Condition, Place, implies, opposite
from epistrat.every.places.reading import Eyes, Reader, indices
from epistrat.lang.templates.tree import AgentTree, Move, Ref, Rule, Term


class Steps:
    """Steps between moments: the earlier one says what is done."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self._family = reader, reader.family

    def initial(self, moment: Moment) -> Condition:
        """The moment is a start."""
        types = self._family.types(moment)
        start = self._family.template.initial
        if start is None:
            return types
        return AllOf((types, self._reader.truth(start, Eyes(moment, self._family.env()))))

    def step(self, now: Moment, later: Moment) -> Condition:
        """Some step leads from one moment to the other; an interleaved step in which nothing happens is left out."""
        parts = [self._members(agent, now, later) for agent in self._family.template.agents]
        if self._family.template.interleaved:
            parts.append(self.somebody(now))
        return AllOf((*parts, self._family.types(later)))

    def somebody(self, now: Moment) -> Condition:
        """Interleaved: what happens is an action that somebody has."""
        env = self._family.env()

        def takes_part(agent: AgentTree, inner: Env) -> Condition:
            return self._reader.takes_part(agent, self._places(agent, inner), now.action(agent, ()))

        acting = [agent for agent in self._family.template.agents if agent.actions]
        return AnyOf(tuple([self._family.somewhere(one.scopes, env, partial(takes_part, one)) for one in acting]))

    def _members(self, agent: AgentTree, now: Moment, later: Moment) -> Condition:
        return self._family.everywhere(
            agent.scopes, self._family.env(), lambda env: self.member(agent, env, now, later)
        )

    def member(self, agent: AgentTree, env: Env, now: Moment, later: Moment) -> Condition:
        """One agent does what it may do, and moves."""
        moves = AllOf(tuple(self.moves(agent, env, now, later)))
        if not agent.actions:
            return self.stays(agent, env, now, later) if self._family.template.interleaved else moves
        allowed = self.allowed(agent, env, now)
        if not self._family.template.interleaved:
            return AllOf((allowed, moves))
        takes_part = self._reader.takes_part(agent, self._places(agent, env), now.action(agent, ()))
        return AllOf(
            (
                implies(takes_part, AllOf((allowed, moves))),
                AnyOf((takes_part, self.stays(agent, env, now, later))),
            )
        )

    # what is allowed

    def allowed(self, agent: AgentTree, env: Env, now: Moment) -> Condition:
        """What the agent does is allowed."""
        eyes = Eyes(now, env, agent)
        done = now.action(agent, self._places(agent, env))
        if agent.name.word == "Environment" and not agent.protocol:
            return self._reader.takes_part(agent, self._places(agent, env), done)
        return AnyOf(tuple([self._offers(rule, eyes, done) for rule in agent.protocol]))

    def _offers(self, rule: Rule, eyes: Eyes, done: Value) -> Condition:
        """A protocol line applies for some values of its indices, and what is done is one of its actions."""

        def applies(env: Env) -> Condition:
            condition = (
                opposite(self.covered(eyes))
                if rule.condition is None
                else self._reader.truth(rule.condition, eyes.at(env))
            )
            return AllOf((condition, AnyOf(tuple([self._family.listed(one, env, done) for one in rule.actions]))))

        pinned = self._reader.pinned(rule.scopes, rule.condition, eyes)
        return self._family.somewhere(rule.scopes, eyes.env, applies, pinned)

    def covered(self, eyes: Eyes) -> Condition:
        """Some line with a condition applies."""
        assert eyes.agent is not None
        return AnyOf(
            tuple(
                self._family.somewhere(
                    rule.scopes,
                    eyes.env,
                    partial(self._guarded, rule.condition, eyes),
                    self._reader.pinned(rule.scopes, rule.condition, eyes),
                )
                for rule in eyes.agent.protocol
                if rule.condition is not None
            )
        )

    def _guarded(self, condition: Term, eyes: Eyes, env: Env) -> Condition:
        return self._reader.truth(condition, eyes.at(env))

    # what moves

    def moves(self, agent: AgentTree, env: Env, now: Moment, later: Moment) -> list[Condition]:
        """The agent's cells change by its lines: all by one line, or (SingleAssignment) each by one of its own."""
        cells = [cell for cell in self._family.cells.values() if cell.agent is agent]
        if not self._family.template.single:
            return [self._by_one_line(agent, cells, env, now, later)] if cells else []
        return [
            self._family.everywhere(
                cell.declared.scopes,
                env,
                partial(self._own_line, cell, now, later),
            )
            for cell in cells
        ]

    def _own_line(self, cell: Cell, now: Moment, later: Moment, env: Env) -> Condition:
        """Of the lines that assign the cell one is executed; if none is enabled it stays."""
        own = {name: env[name] for name in (*self._family.env(), *indices(cell.agent.scopes))}
        eyes = Eyes(now, own, cell.agent)
        wanted = [env[name] for name in indices(cell.declared.scopes)]
        after = later.value(cell, [env[name] for name in cell.names])
        made: list[Condition] = []
        enabled: list[Condition] = []
        for line in cell.agent.evolution:
            for target, value in line.assigns:
                if target.name.word != cell.declared.name.word:
                    continue

                self._reader.may_be(target, value, eyes)

                def becomes(here: Eyes, value: Term = value) -> Condition:
                    return equal(after, self._fitting(value, here, len(after)))

                made.append(self._applying(line, target, wanted, eyes, becomes))
                enabled.append(self._applying(line, target, wanted, eyes, lambda _: AllOf(())))
        stays = equal(after, now.value(cell, [env[name] for name in cell.names]))
        return AnyOf((*made, AllOf((opposite(AnyOf(tuple(enabled))), stays))))

    def _applying(
        self, line: Move, target: Ref, wanted: Sequence[Place], eyes: Eyes, says: Callable[[Eyes], Condition]
    ) -> Condition:
        """The line is enabled for indices for which it assigns the cell with these ones, and what is said holds for them."""
        bound = indices(line.scopes)
        fixed = {
            index.name: place
            for index, place in zip(target.name.indices, wanted, strict=True)
            if index.op == "name" and index.name in bound
        }

        def here(env: Env) -> Condition:
            hit = [
                self._family.place(index, env) == place
                for index, place in zip(target.name.indices, wanted, strict=True)
            ]
            inner = eyes.at(env)
            return AllOf((self._family.met(hit), self._reader.truth(line.guard, inner), says(inner)))

        return self._family.somewhere(
            line.scopes, eyes.env, here, {**self._reader.pinned(line.scopes, line.guard, eyes), **fixed}
        )

    def _fitting(self, value: Term, eyes: Eyes, width: int) -> Value:
        found = self._reader.value(value, eyes)
        return (*found, *[self._family.whole(0)] * (width - len(found)))

    def _by_one_line(self, agent: AgentTree, cells: Sequence[Cell], env: Env, now: Moment, later: Moment) -> Condition:
        """One enabled line is executed, and what it does not assign stays; if none is enabled all stays."""
        eyes = Eyes(now, env, agent)
        made, enabled = [], []
        for line in agent.evolution:

            def executed(inner: Env, line: Move = line) -> Condition:
                here = eyes.at(inner)
                return AllOf(
                    (
                        self._reader.truth(line.guard, here),
                        *[self._after(cell, line, here, env, now, later) for cell in cells],
                    )
                )

            pinned = self._reader.pinned(line.scopes, line.guard, eyes)
            made.append(self._family.somewhere(line.scopes, env, executed, pinned))
            enabled.append(self._family.somewhere(line.scopes, env, partial(self._guarded, line.guard, eyes), pinned))
        stays = self.stays(agent, env, now, later)
        return AnyOf((*made, AllOf((opposite(AnyOf(tuple(enabled))), stays))))

    def _after(self, cell: Cell, line: Move, eyes: Eyes, env: Env, now: Moment, later: Moment) -> Condition:
        """What the line makes of a cell, at all of its own indices."""
        for target, value in line.assigns:
            self._reader.may_be(target, value, eyes)
        assigned = [(target, value) for target, value in line.assigns if target.name.word == cell.declared.name.word]

        def one(inner: Env) -> Condition:
            at = [inner[name] for name in cell.names]
            after = later.value(cell, at)
            own = [inner[name] for name in indices(cell.declared.scopes)]
            result: Condition = equal(after, now.value(cell, at))
            for target, value in assigned:
                places = [self._family.place(index, eyes.env) for index in target.name.indices]
                here = self._family.met([a == b for a, b in zip(own, places, strict=True)])
                made = equal(after, self._fitting(value, eyes, len(after)))
                result = AllOf((implies(here, made), AnyOf((here, result))))
            return result

        return self._family.everywhere(cell.declared.scopes, env, one)

    def stays(self, agent: AgentTree, env: Env, now: Moment, later: Moment) -> Condition:
        """All cells of the agent stay as they are."""

        def same(cell: Cell, inner: Env) -> Condition:
            return equal(self._family.of(later, cell, inner), self._family.of(now, cell, inner))

        own = [cell for cell in self._family.cells.values() if cell.agent is agent]
        return AllOf(tuple([self._family.everywhere(one.declared.scopes, env, partial(same, one)) for one in own]))

    @staticmethod
    def _places(agent: AgentTree, env: Env) -> list[Place]:
        return [env[name] for name in indices(agent.scopes)]
