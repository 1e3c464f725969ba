"""What agents may do and what follows, read off the template: protocols and evolution lines in a situation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from epistrat.every.layout import Actor, Env, Layout, Place
from epistrat.every.paths import Path
from epistrat.every.readings import Deed, Reading, Situation
from epistrat.every.spots import Fresh, Outside, Spot
from epistrat.lang.templates import tree
from epistrat.records import dataclass
from epistrat.terms import Expr, Terms

Target: TypeAlias = tuple[Place, Spot | None]


@dataclass(frozen=True, slots=True)
class Written:
    """A value that an evolution line gives to a variable: the term, and where it is read."""

    term: tree.Term
    env: Env
    situation: Situation
    actor: Actor


@dataclass(frozen=True, slots=True)
class Change:
    """What one agent does in a step.  ``picked`` is the kind of the member that its line is about, if it is none that was looked at."""

    writes: tuple[tuple[Target, Written], ...]
    picked: int | None = None


class Moves:
    """Reads protocols and evolutions on one path."""

    def __init__(self, layout: Layout, terms: Terms, path: Path) -> None:
        self.layout, self.terms, self.path = layout, terms, path
        self.reading = Reading(layout, terms, path)

    def env(self, actor: Actor, spot: Spot | None) -> tuple[Actor, Env]:
        """The agent as this member."""
        if spot == actor.spot or spot is None:
            return actor, actor.env
        env = {name: spot if isinstance(value, Fresh) else value for name, value in actor.env.items()}
        return Actor(actor.tree, env, actor.at, spot), env

    # protocols

    def lists(self, listed: tree.Listed, env: Env, deed: Deed) -> bool:
        """Whether an entry of a list names the action."""
        if listed.name.word != deed[0]:
            return False
        kinds = self.layout.kinds.action(listed.name)
        for inner in self._candidates(listed.scope, env, deed[2]):
            if (listed.name.word, *self.layout.indices(listed.name.indices, kinds, inner)) == deed:
                return True
        return False

    def _candidates(self, scope: tree.Scope | None, env: Env, spot: Spot | None) -> Iterator[Env]:
        """Values of indices among which that of an action with this member must be."""
        if scope is None:
            yield env
            return
        found: list[dict[str, int | Spot]] = [dict(env)]
        for one in scope.binders:
            grown: list[dict[str, int | Spot]] = []
            for inner in found:
                values = self.layout.values(one, inner, True)
                if not self.layout.kinds.numeric(one):
                    unnamed = any(isinstance(value, Fresh) for value in values)
                    values = [spot] if spot in values or (isinstance(spot, Fresh) and unnamed) else []
                grown += [{**inner, one.name: value} for value in values]
            found = grown
        for inner in found:
            if scope.where is None or self.layout.truth(scope.where, inner):
                yield inner

    def allowed(self, actor: Actor, deed: Deed, situation: Situation) -> Expr:
        """Where the agent may do the action."""
        terms, env = self.terms, actor.env
        if actor.word == "Environment" and not actor.tree.protocol:
            return terms.boolean(True)
        ways: list[Expr] = []
        every: list[Expr] = []
        for rule in actor.tree.protocol:
            if rule.condition is None:
                if any(self.lists(one, env, deed) for one in rule.actions):
                    ways.append(terms.negate(terms.disjunction(every)))
                continue
            for there, inner, after in self._all(rule.scopes, env, situation):
                condition = self.reading.condition(rule.condition, inner, after, actor)
                holds = terms.conjunction((there, condition))
                every.append(holds)
                if any(self.lists(one, inner, deed) for one in rule.actions):
                    ways.append(holds)
        return terms.disjunction(ways)

    def _all(self, scopes: tuple[tree.Scope, ...], env: Env, situation: Situation) -> list[tuple[Expr, Env, Situation]]:
        """All values of the indices of a line."""
        found: list[tuple[Expr, Env, Situation]] = [(self.terms.boolean(True), env, situation)]
        for scope in scopes:
            found = [
                (self.terms.conjunction((here, there)), inner, after)
                for here, outer, before in found
                for there, inner, after in self.reading.members(scope, outer, before)
            ]
        return found

    def deeds(self, actor: Actor) -> list[Deed]:
        """All actions of the agent, unnamed members being ``Fresh(0)``."""
        found: dict[Deed, None] = {}
        for one in actor.tree.actions:
            scopes = () if one.scope is None else (one.scope,)
            for env in self.layout.envs(scopes, actor.env, fresh=True):
                at, spot = self.layout.indices(one.name.indices, self.layout.kinds.action(one.name), env)
                found[one.name.word, at, spot] = None
        return list(found)

    # evolutions

    def changes(self, actor: Actor, situation: Situation) -> list[Change]:
        """What the agent may do to variables in a step, one alternative each."""
        enabled: list[tuple[tree.Move, Env, Situation]] = []
        for move in actor.tree.evolution:
            for there, env, after in self._all(move.scopes, actor.env, situation):
                guard = self.reading.condition(move.guard, env, after, actor)
                picked = len(after.looked) > len(situation.looked)
                if self.path.holds(guard) and ((self.layout.template.single and picked) or self.path.holds(there)):
                    enabled.append((move, env, after))
        if self.layout.template.single:
            return self._single(enabled, actor, situation)
        return [self._change(*one, actor, situation) for one in enabled] or [Change(())]

    def _change(self, move: tree.Move, env: Env, after: Situation, actor: Actor, situation: Situation) -> Change:
        new = after.looked[len(situation.looked) :]
        if len(new) > 1:
            raise Outside("a line is about two members", move.at)
        writes = [
            (self._target(target, env, actor), Written(value, env, after, actor)) for target, value in move.assigns
        ]
        return Change(tuple(writes), new[0] if new else None)

    def _single(
        self, enabled: list[tuple[tree.Move, Env, Situation]], actor: Actor, situation: Situation
    ) -> list[Change]:
        """Each variable by itself; what is written to a member not looked at is written to all of its kind."""
        writers: dict[Target, list[Written]] = {}
        for move, env, after in enabled:
            new = after.looked[len(situation.looked) :]
            for target, value in move.assigns:
                place, spot = self._target(target, env, actor)
                if isinstance(spot, Fresh) and spot.rank >= len(situation.looked):
                    if len(new) > 1:
                        raise Outside("a line is about two members", move.at)
                    spot = Fresh(-1 - new[0])  # every member of this kind
                elif new and not self._there(after, situation):
                    continue
                writers.setdefault((place, spot), []).append(Written(value, env, after, actor))
        for (_, spot), found in writers.items():
            if len(found) > 1 and isinstance(spot, Fresh) and (spot.rank < 0 or spot.rank >= len(situation.looked)):
                raise Outside("members have more than one outcome of a step", found[0].term.at)
        ways = [[(target, one) for one in found] for target, found in writers.items()]
        return [Change(tuple(chosen)) for chosen in product(*ways)]

    def _there(self, after: Situation, situation: Situation) -> bool:
        """Whether there are members of the kinds that were looked at last."""
        return all(not self.path.at_most(situation.others(kind)) for kind in after.looked[len(situation.looked) :])

    def _target(self, target: tree.Ref, env: Env, actor: Actor) -> Target:
        at, cell = self.layout.indices(target.name.indices, self.layout.kinds.variable(actor.word, target.name), env)
        place = Place(actor.word, actor.at, target.name.word, at, cell is not None)
        return place, actor.spot if cell is None else cell
