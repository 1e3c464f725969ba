"""The judge: the set of nodes that satisfy a formula, one clause per operator.

A formula is evaluated from its innermost state formulae outwards.  Quantifiers that look back (`history`) first unfold the graph, so that
afterwards the truth of every state formula depends on the node alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from epistrat.engines.contract import Options, Strategies
from epistrat.engines.readings import Readings, readings
from epistrat.engines.reference import temporal
from epistrat.engines.reference.games import Arena, Game
from epistrat.engines.reference.graph import Graph, Nodes, World
from epistrat.engines.reference.history import unfold
from epistrat.engines.reference.knowledge import Observations
from epistrat.engines.reference.paths import Product, alternatives, first_atoms, leaf_masks
from epistrat.engines.reference.tableau import Tableau
from epistrat.logic import formula as logic
from epistrat.logic.body import past_inside
from epistrat.logic.formula import Formula, Group, is_state, operands
from epistrat.logic.fragment import OF_NAMES, fragment, history_quantifiers, is_enforced, past_at_path_level
from epistrat.logic.rewrite import negation
from epistrat.logic.sentences import parts_above_names
from epistrat.model.explore import ReachableGraph
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import Scheduling
from epistrat.solvers.budget import Budget
from epistrat.terms import Expr

if TYPE_CHECKING:
    from epistrat.engines.reference.aims import Aims
    from epistrat.engines.reference.equilibria import Equilibria
    from epistrat.engines.reference.named import Named
    from epistrat.engines.reference.uniform import UniformGame


class Judge:
    """Formulae over the reachable states of one system."""

    def __init__(
        self,
        stepper: Stepper,
        reached: ReachableGraph,
        strategies: Strategies,
        budget: Budget,
        options: Options | None = None,
    ) -> None:
        self._stepper = stepper
        self._reached = reached
        self._strategies = strategies
        self._budget = budget
        self._options = options or Options(strategies)
        self._plain: JudgeLabels | None = None

    def satisfied(self, formula: Formula) -> bool:
        """Whether every initial node (from which a fair path starts, if there is fairness) satisfies the formula."""
        labels = self._plain_labels()
        if fragment(formula).features & OF_NAMES:
            if past_inside(formula):
                raise TypeError("strategies that have names or remember do not look back")
            labels = labels.read(readings(formula, self._options), self._options.states_only)
            formula = formula.arg if isinstance(formula, logic.Tagged) else formula
        if not is_state(formula):
            formula = logic.ForAll(formula, star=True)
        for quantifier in history_quantifiers(formula):
            labels = labels.unfolded(quantifier)
        return labels.world.initial <= labels.of(formula)

    def world(self) -> World:
        """The nodes that formulae without past operators range over."""
        return self._plain_labels().world

    def labels(self) -> JudgeLabels:
        """The labels of formulae that do not look back."""
        return self._plain_labels()

    def _plain_labels(self) -> JudgeLabels:
        """Labels over the fair world: each constraint's set is computed on the full graph, without fairness."""
        if self._plain is None:
            system = self._stepper.system
            world = World.unfair(Graph.plain(self._reached))
            labels = JudgeLabels(world, self._stepper, self._reached, self._strategies, self._budget)
            for constraint in system.fairness:
                for quantifier in history_quantifiers(logic.ForAll(logic.Globally(constraint))):
                    labels = labels.unfolded(quantifier)
            if system.fairness:
                fair = tuple(labels.of(constraint) for constraint in system.fairness)
                anything = World(labels.world.graph, labels.world.nodes, fair)
                labels = labels.within(World(anything.graph, temporal.fair_nodes(anything), fair))
            self._plain = labels
        return self._plain


class JudgeLabels:
    """The nodes of one world that satisfy each formula asked about so far.

    ``_named``, ``_aims`` and ``_equilibria`` are there once it is said how such strategies are `read`.
    In an interleaved system with fairness a group that waits may make a run fair which is none of the system's, so play leaves the world.
    Formulae are therefore evaluated at all nodes there (the *domain*); quantifiers and knowledge range over the world as everywhere.
    """

    _named: Named
    _aims: Aims
    _equilibria: Equilibria

    def __init__(
        self,
        world: World,
        stepper: Stepper,
        reached: ReachableGraph,
        strategies: Strategies,
        budget: Budget,
        decided: Mapping[Formula, Nodes] | None = None,
    ) -> None:
        self.world = world
        self._stepper = stepper
        self._system = stepper.system
        self._reached = reached
        self._strategies = strategies
        self._budget = budget
        self._decided = dict(decided or {})
        self._labels: dict[Formula, Nodes] = dict(self._decided)
        self.domain = world.graph.nodes if self._system.interleaved else world.nodes
        self._observations = Observations(self._system, world, reached.states, self.domain)
        played = World(world.graph, self.domain, world.fair)
        self._arena = Arena(played, stepper, reached.states, reached.number)
        self._games: dict[tuple[str, ...], Game] = {}
        self._readings: Readings | None = None

    def read(self, read: Readings, states_only: bool) -> JudgeLabels:
        """Fresh labels over the same world, with strategies that have names, remember or form equilibria read like this."""
        from epistrat.engines.reference.aims import Aims
        from epistrat.engines.reference.equilibria import Equilibria
        from epistrat.engines.reference.named import Named
        from epistrat.engines.reference.plays import Plays

        other = JudgeLabels(self.world, self._stepper, self._reached, read.strategies, self._budget)
        plays = Plays(self._stepper, self._reached)
        other._readings = read
        other._named = Named(other, plays, read, self._budget)
        other._aims = Aims(other, plays, self._budget)
        other._equilibria = Equilibria(other, plays, read, states_only, self._budget)
        return other

    def stand_in(self, formula: Formula, nodes: Nodes) -> Formula:
        """A formula that holds at exactly these nodes, in place of another one."""
        if isinstance(formula, logic.ATOMS) and self._labels.get(formula) == nodes:
            return formula
        found = logic.Prop(f"what holds in {len(self._labels)}")
        self._labels[found] = nodes
        return found

    def within(self, world: World) -> JudgeLabels:
        """Fresh labels over another world of the same system."""
        return JudgeLabels(world, self._stepper, self._reached, self._strategies, self._budget)

    def unfolded(self, quantifier: Formula) -> JudgeLabels:
        """Labels over the graph unfolded for a quantifier that looks back; the quantifier is decided there.

        Quantifiers decided before keep their truth: it does not depend on what is remembered in addition.
        """
        assert isinstance(quantifier, (logic.ForAll, logic.Exists))
        universal = isinstance(quantifier, logic.ForAll)
        tableau = Tableau(negation(quantifier.arg) if universal else quantifier.arg)
        unfolded = unfold(self.world, tableau, self._masks(tableau), self._budget)
        graph = unfolded.graph
        decided = {formula: graph.lift(nodes) for formula, nodes in self._decided.items()}
        labels = JudgeLabels(
            self.world.lift(graph), self._stepper, self._reached, self._strategies, self._budget, decided
        )
        world = labels.world
        product = Product(world, tableau, labels._masks(tableau), self._budget)
        found = product.satisfiable({node: unfolded.atoms[node] for node in world.nodes})
        labels._decided[quantifier] = labels._labels[quantifier] = labels.domain - found if universal else found
        return labels

    def of(self, formula: Formula) -> Nodes:
        """The nodes of the world that satisfy a state formula."""
        return self._everywhere(formula) & self.world.nodes

    def _everywhere(self, formula: Formula) -> Nodes:
        """The nodes of the domain that satisfy a state formula."""
        for part in parts_above_names(formula):
            if part not in self._labels and is_state(part):
                self._budget.check()
                self._labels[part] = self._clause(part)
        return self._labels[formula]

    def _clause(self, formula: Formula) -> Nodes:
        nodes = self.domain
        match formula:
            case logic.Truth(value):
                return nodes if value else frozenset()
            case logic.Prop(name):
                return self._where(self._system.propositions[name])
            case logic.Test(condition):
                return self._where(condition)
            case logic.Colour(agent, green):
                return self._green(agent) if green else nodes - self._green(agent)
            case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
                return self.boolean(formula, [self._labels[operand] for operand in operands(formula)])
            case logic.ForAll(arg, star=False):
                found = temporal.for_all(self.world, arg, [self._labels[operand] for operand in operands(arg)])
                return found | (nodes - self.world.nodes)
            case logic.Exists(arg, star=False):
                inside = [self._labels[operand] & self.world.nodes for operand in operands(arg)]
                return temporal.exists(self.world, arg, inside)
            case logic.ForAll(arg):
                return nodes - self._some_path(negation(arg))
            case logic.Exists(arg):
                return self._some_path(arg)
            case logic.Coalition():
                return self._coalition(formula)
            case logic.SomeStrategy() | logic.EveryStrategy() | logic.Bound():
                return self._named.of(formula)
            case logic.SomeEquilibrium(arg):
                return self._equilibria.some(arg)
            case logic.EveryEquilibrium(arg):
                return nodes - self._equilibria.some(negation(arg))
            case _:
                return self._epistemic(formula)

    def _where(self, condition: Expr) -> Nodes:
        """The nodes whose state satisfies a condition."""
        meaning = self._stepper.evaluator.meaning(condition)
        state, states = self.world.graph.state, self._reached.states
        return frozenset(node for node in self.domain if meaning(states[state[node]], ()))

    def _green(self, agent: str) -> Nodes:
        """The nodes that are green for the agent: those outside its red states, if it has any."""
        found = self._system.agent.get(agent)
        if found is None or found.red is None:
            return self.domain
        return self.domain - self._where(found.red)

    def boolean(self, formula: Formula, args: list[Nodes]) -> Nodes:
        """What a connective makes of the nodes that satisfy its operands."""
        nodes = self.domain
        match formula:
            case logic.Not():
                return nodes - args[0]
            case logic.And():
                return frozenset.intersection(*args)
            case logic.Or():
                return frozenset.union(*args)
            case logic.Implies():
                return (nodes - args[0]) | args[1]
            case logic.Iff():
                return nodes - (args[0] ^ args[1])
            case _:
                return args[0] ^ args[1]

    def _masks(self, tableau: Tableau) -> list[int]:
        return leaf_masks(self.world, [self.of(leaf) for leaf in tableau.leaves])

    def _some_path(self, body: Formula) -> Nodes:
        """``E body``: some infinite (fair) path from the node satisfies the body, that is, one of its disjuncts.

        A body with past operators that was not unfolded for is asked about at time 0 only, so just the initial nodes are answered.
        """
        starts = self.world.initial if past_at_path_level(body) else self.world.nodes
        found: set[int] = set()
        for disjunct in alternatives(body):
            tableau = Tableau(disjunct)
            product = Product(self.world, tableau, self._masks(tableau), self._budget)
            found |= product.satisfiable(dict.fromkeys(starts - found, first_atoms(tableau)))
        return frozenset(found)

    def _violations(self, body: Formula) -> Nodes:
        """The nodes at which the body can be false: for a state formula those where it is, for a path formula those that some
        infinite (fair) run from an initial node passes at a moment when it is false.
        """
        if is_state(body):
            return self.world.nodes - self.of(body)
        tableau = Tableau(body)
        product = Product(self.world, tableau, self._masks(tableau), self._budget)
        product.grow((node, atom) for node in self.world.initial for atom in first_atoms(tableau))
        return product.violated()

    def _epistemic(self, formula: Formula) -> Nodes:
        match formula:
            case logic.Knows(agent, arg):
                return self._observations.knows(agent, self._violations(arg))
            case logic.Everybody(group, arg):
                return self._observations.everybody(group, self._violations(arg))
            case logic.Distributed(group, arg):
                return self._observations.distributed(group, self._violations(arg))
            case logic.Common(group, arg):
                return self._observations.common(group, self._violations(arg))
            case logic.Correct(agent, arg):
                return self._observations.correct(self._green(agent), self._violations(arg))
            case _:
                raise TypeError(f"not a state formula: {formula}")

    def _coalition(self, formula: logic.Coalition) -> Nodes:
        """``<group> shape`` in the reading of strategies that was asked for."""
        group, shape = formula.group, formula.arg
        if self._readings is not None and not is_enforced(shape):
            return self._aims.enforceable(formula, self._readings.coalitions, self._classes(group))
        if self._strategies in (Strategies.ANY, Strategies.UNIFORM):
            return self._game(group).value(shape, [self._labels[operand] for operand in operands(shape)])
        if self._system.scheduling is Scheduling.FAIR:
            return self._fairly_scheduled(formula)
        search = self.uniform_game(formula)
        if self._strategies is Strategies.OBJECTIVE:
            return search.objective(self.domain)
        return search.subjective(self._classes(group))

    def _classes(self, group: Group) -> list[tuple[Nodes, Nodes]]:
        """The nodes of the world that the group cannot tell apart, and with them all nodes that look like these."""
        positions = self._system.pooled_view(group)
        worlds = self._observations.classes(positions)
        alike: dict[State, set[int]] = {}
        for node in self.domain:
            alike.setdefault(self._observations.sees(positions, node), set()).add(node)
        return [(worlds.get(seen, frozenset()), frozenset(nodes)) for seen, nodes in alike.items()]

    def _fairly_scheduled(self, formula: logic.Coalition) -> Nodes:
        from epistrat.engines.reference.scheduling import FairPlays

        args = [self._everywhere(operand) for operand in operands(formula.arg)]
        states, number = self._reached.states, self._reached.number
        fair = self.world.constraints
        plays = FairPlays(self._stepper, number, formula.group, formula.arg, args, fair, self._budget)
        if self._strategies is Strategies.OBJECTIVE:
            return frozenset(node for node in self.domain if plays.succeeds([states[node]]))
        classes = self._classes(formula.group)
        return frozenset(n for starts, nodes in classes if plays.succeeds([states[s] for s in starts]) for n in nodes)

    def _game(self, group: Group) -> Game:
        game = self._games.get(group.members)
        if game is None:
            game = self._games[group.members] = Game(self._arena, group)
        return game

    def uniform_game(self, formula: logic.Coalition) -> UniformGame:
        """The search for uniform strategies that a coalition formula asks for."""
        from epistrat.engines.reference.uniform import UniformGame

        args = [self._everywhere(operand) for operand in operands(formula.arg)]
        game = self._game(formula.group)
        return UniformGame(self._system, game, self._observations, formula.arg, args, self._budget)
