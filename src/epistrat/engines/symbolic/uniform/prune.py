"""Strategies that prune the model: some uniform choice of the followers makes the whole formula true.

Every follower fixes one allowed action for each of its situations, before anything is checked; the formula is then asked of what remains of
the model.  Bounds on the full model decide many questions at once; a coalition or ``A`` over conditions is a search for a strategy from all
initial states; everything else is tried strategy by strategy, with the blame for each failure as a lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from epistrat.encoding.branch import Branch
from epistrat.encoding.encode import Encoding
from epistrat.encoding.events import letting
from epistrat.encoding.part import Part
from epistrat.encoding.relation import Relation
from epistrat.engines.symbolic.candidates import Candidate
from epistrat.engines.symbolic.checker import Checker
from epistrat.engines.symbolic.uniform.arena import Arena, Plays, Situation, Strategy
from epistrat.engines.symbolic.uniform.blame import Blame
from epistrat.engines.symbolic.uniform.bounds import EpistemicBound
from epistrat.engines.symbolic.uniform.lessons import SITUATIONS, Lessons, note_trial
from epistrat.engines.symbolic.uniform.objective import Objective, objective_of
from epistrat.engines.symbolic.uniform.rewrite import PruningBounds
from epistrat.engines.symbolic.uniform.search import UniformSearch
from epistrat.evidence import UniformStrategy
from epistrat.logic import formula as logic
from epistrat.logic.body import past_inside
from epistrat.logic.formula import Formula, Group, operands
from epistrat.model.conditions import is_condition
from epistrat.model.state import Act
from epistrat.records import replace
from epistrat.solvers.bdd import Bdd

_FEW_STRATEGIES = 24  # so many are gone through where short cuts are checked


class Pruning:
    """Questions about a system whose followers may fix uniform strategies; ``decide`` answers those about the full model."""

    def __init__(self, checker: Checker, followers: Group, decide: Callable[[Formula], bool]) -> None:
        self._checker = checker
        self._decide_full = decide
        self._followers = followers
        self._space = checker.space
        self._algebra = checker.space.algebra
        self._arena = Arena(self._space, followers.members, self._space.reachable)
        self.found: Strategy | None = None

    def decide(self, formula: Formula) -> bool:
        """Whether some pruning makes the formula true in all initial states."""
        self.found = None
        if not self._arena.players:
            self.found = ()
            return self._decide_full(formula)
        with self._algebra.guard(), self._space.work.doing("uniform strategies"):
            holds = self._decide_parts(formula)
            assert not self._space.self_checks or self._by_every_strategy(formula) in (holds, None), "a short cut"
            return holds

    def _decide_parts(self, formula: Formula) -> bool:
        """A disjunction may be decided part by part if it is about one state; the parts of others may need different initial states."""
        if isinstance(formula, logic.Or) and self._space.single_initial and not self._checker.system.fairness:
            return any(self._decide(arg) for arg in formula.args)
        return self._decide(formula)

    def _decide(self, formula: Formula) -> bool:
        if self._bounds_apply:
            bounds = PruningBounds(self._followers)
            # With fairness a pruning may leave initial states without a fair path, and then nothing is asked of them.
            if not self._checker.system.fairness and not self._decide_full(bounds.optimistic(formula)):
                return False
            if self._decide_full(bounds.pessimistic(formula)):
                self.found = self._default()
                return True
        objective = self._plain_objective(formula)
        if objective is not None:
            return self._enforce(objective)
        return self._try_strategies(formula)

    @property
    def _always_able(self) -> bool:
        """Whether the protocols allow some joint action in every reachable state."""
        return self._algebra.implies(self._space.reachable, self._arena.able)

    @property
    def _bounds_apply(self) -> bool:
        """Bounds compare what holds in states of both models.

        A dead end of the protocols is lost for coalitions and good for ``A``.  In an interleaved model strategies add steps: waiting.
        """
        return (
            not self._space.system.interleaved
            and self._always_able
            and all(map(is_condition, self._checker.system.fairness))
        )

    # -- one operator over conditions --------------------------------------------------------------------------------

    def _plain_objective(self, formula: Formula) -> Objective | None:
        """The objective of a formula that asks for no more than one strategy from all initial states.

        Without fairness a play that ends where nobody can act is lost, which is right for coalitions; for ``A`` it must not occur.  A
        choice without outcome is won, which is right for CTL's ``A``; CTL*'s is about infinite paths only.
        """
        if not all(map(is_condition, self._checker.system.fairness)):
            return None
        match formula:
            case logic.Coalition(group, arg) if self._all_follow(group):
                shape = arg
            case logic.ForAll(arg, star) if self._always_able and not (star and self._space.blocked):
                shape = arg
            case logic.Exists(arg) if self._one_path:
                shape = arg
            case _:
                return None
        if not isinstance(shape, (logic.Next, logic.Finally, logic.Globally, logic.Until)) or not all(
            map(is_condition, operands(shape))
        ):
            return None
        labels = self._checker.labels
        return objective_of(self._algebra, shape, [labels.label(operand) for operand in operands(shape)])

    @property
    def _one_path(self) -> bool:
        """Whether strategies of the followers leave exactly one path from every state, so that E and A are the same."""
        encoding, followers = self._space.encoding, self._followers.members
        free = any(protocol.choice and name not in followers for name, protocol in encoding.choices.items())
        return self._space.single_valued and not free and self._always_able and not self._space.blocked

    def _all_follow(self, group: Group) -> bool:
        protocols = self._space.choices
        choosing = (member for member in group.members if member in protocols and protocols[member].choice)
        return all(member in self._followers.members for member in choosing)

    def _enforce(self, objective: Objective) -> bool:
        # Waiting can be fair where no path of the model is.
        starts = self._space.initial if self._space.system.interleaved else self._checker.asked
        search = UniformSearch(self._space, self._checker.labels, self._followers, objective, starts)
        try:
            won = search.wins_from(starts)
            self.found = search.found if won else None
            return won
        finally:
            search.close()

    # -- everything else ---------------------------------------------------------------------------------------------

    def _try_strategies(self, formula: Formula) -> bool:
        plays = Plays(self._arena, self._default())
        lessons = Lessons(self._arena, plays)
        work = self._space.work
        work.counts[SITUATIONS] = sum(self._arena.count(p, self._arena.universe) for p in self._arena.players)
        try:
            while True:
                decisions = lessons.decide()
                if decisions is None:
                    return False
                note_trial(work, lessons)
                strategy = plays.strategy(decisions)
                pruned = self._pruned(strategy)
                if pruned.decide(formula):
                    self.found = strategy
                    return True
                lessons.require(self._alternatives(pruned, formula, strategy))
        finally:
            lessons.close()

    def _by_every_strategy(self, formula: Formula) -> bool | None:
        """As `decide`, by trying every strategy; None if they are many."""
        options: dict[Situation, tuple[Act, ...]] = {}
        count = 1
        for player in self._arena.players:
            for situation in self._arena.listed(player, self._arena.choosing(player, self._arena.universe)):
                state = self._space.encoding.pick(self._arena.cube(situation) & self._arena.universe)
                assert state is not None
                options[situation] = self._arena.allowed(situation, state)
                count *= len(options[situation])
                if count > _FEW_STRATEGIES:
                    return None
        plays = Plays(self._arena, self._default())
        every = (dict(zip(options, picked, strict=True)) for picked in product(*options.values()))
        return any(self._pruned(plays.strategy(decisions)).decide(formula) for decisions in every)

    def _default(self) -> Strategy:
        """The strategy that a search starts with: any will do."""
        objective = Objective(self._algebra.true, self._algebra.false, forever=True)
        return EpistemicBound(self._arena, objective, self._arena.universe, self._arena.universe).default

    def _pruned(self, strategy: Strategy) -> Checker:
        encoding = prune(self._space.encoding, self._arena, strategy)
        return Checker(Candidate(encoding, self._checker.order), self._space.work, "auto", self._checker.spare)

    def _alternatives(
        self, pruned: Checker, formula: Formula, strategy: Strategy
    ) -> Iterator[tuple[Situation, Act, Bdd]]:
        """What the followers could do instead that might make the formula true, situation by situation."""
        blame = self._blame(pruned, formula)
        algebra = self._algebra
        for number, player in enumerate(self._arena.players):
            relation = blame & player.permits & self._arena.universe
            for partner in self._arena.players:
                if partner is not player:
                    relation = algebra.exists(relation, partner.own)
            relation = algebra.exists(relation, player.hidden) & ~strategy[number] & player.permits
            for action, does in player.does.items():
                left = algebra.and_exists(relation, does, player.own)
                for situation in self._arena.listed(player, left):
                    yield situation, action, self._arena.cube(situation)

    def _blame(self, pruned: Checker, formula: Formula) -> Bdd:
        """Why the formula fails in a pruned model; where it looks back, or agents may wait, every choice that is left may be to blame."""
        if past_inside(formula) or self._space.system.interleaved:
            return pruned.space.reachable
        state = self._space.encoding.pick(pruned.asked & ~pruned.labels.label(formula))
        assert state is not None, "the formula fails in an initial state"
        blame = Blame(self._arena, pruned.space, pruned.labels, pruned.paths, frozenset(self._followers.members))
        return blame.failure(formula, self._space.encoding.singleton(state))

    # -- the strategy ------------------------------------------------------------------------------------------------

    def table(self, most: int) -> UniformStrategy | None:
        """What the followers do wherever play under the strategy found can come; None if that is too much to list."""
        assert self.found is not None
        pruned = self._pruned(self.found)
        plays = Plays(self._arena, self.found)
        tables = []
        for player in self._arena.players:
            seen = self._arena.choosing(player, pruned.space.reachable)
            most -= self._algebra.count(seen, player.sees.bit_count())
            if most < 0:
                return None
            moves = tuple([(s.view, plays.preferred(s)) for s in self._arena.listed(player, seen)])
            tables.append((player.name, moves))
        return UniformStrategy(self._followers, tuple(tables))


def prune(encoding: Encoding, arena: Arena, strategy: Strategy) -> Encoding:
    """The encoding of the system in which the players of the arena follow the strategy."""
    protocols = dict(arena.space.choices)
    parts: list[Part] = []
    for player, relation in zip(arena.players, strategy, strict=True):
        part = Part(relation, player.sees | player.acts)
        parts.append(part)
        protocols[player.name] = replace(protocols[player.name], permits=part)
    if encoding.system.interleaved:
        branches = [_narrowed(branch, arena, strategy) for branch in encoding.relation.given]
    else:
        branches = [replace(branch, parts=(*branch.parts, *parts)) for branch in encoding.relation.given]
    pruned = Relation(encoding.algebra, branches, encoding.relation.private)
    return replace(encoding, choices=protocols, relation=pruned)


def _narrowed(branch: Branch, arena: Arena, strategy: Strategy) -> Branch:
    """The steps by one event where all players that declare it choose to let it happen."""
    parts = list(branch.parts)
    for player, relation in zip(arena.players, strategy, strict=True):
        agent = arena.space.system.agent[player.name]
        if branch.name in agent.actions:
            lets = letting(arena.algebra, agent, arena.space.choices[player.name])[branch.name]
            parts.append(Part(arena.algebra.and_exists(relation, lets, player.own), player.sees))
    return replace(branch, parts=tuple(parts))
