"""One search for the runs of all equilibria, whoever gets its goal on them.

A bit for each agent that never changes says whether the agent is *kept* from its goal on the run; then all steps have to be safe for it,
else the run has to satisfy its goal.  Bits for the states of the agents' automata say what has become of the goals, and a tableau reads the
goals and the fact.  So the 2^n sets of agents that are kept are looked at together: sets of points are diagrams over states and these bits.
Of a goal ``G F p`` the tableau reads p, which has to come again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from operator import or_

from epistrat.encoding.part import variables_of
from epistrat.engines.fixpoints.fixpoint import always
from epistrat.engines.fixpoints.goals import Game
from epistrat.engines.symbolic.linear.tableau import SpareBits, SymbolicTableau, Twin, memories
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.logic import formula as logic
from epistrat.logic.body import split
from epistrat.logic.formula import Formula, Prop
from epistrat.logic.rewrite import conjunction
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd


@dataclass(frozen=True)
class Watched:
    """An agent with a goal, the automaton that reads what becomes of it, and for each state of that which steps into it are safe."""

    name: str
    goal: Formula
    reader: Game[Bdd]
    safe: Mapping[int, Bdd]


@dataclass(frozen=True)
class _Code:
    """The states of an automaton as numbers in binary."""

    twins: tuple[Twin, ...]

    def conditions(self, var: Sequence[Bdd], states: int, true: Bdd, later: bool) -> list[Bdd]:
        """For each state that the bits, or what they are later, mean it."""
        found = []
        for state in range(states):
            one = true
            for place, twin in enumerate(self.twins):
                bit = var[twin.later if later else twin.now]
                one = one & (bit if state >> place & 1 else ~bit)
            found.append(one)
        return found


class Profiles:
    """The steps on which nobody leaves; a point is a state with the bits beside it."""

    def __init__(
        self, space: SymbolicSpace, spare: SpareBits, allowed: Bdd, kept_bits: int, watched: Sequence[Watched]
    ) -> None:
        self._space, self._spare = space, spare
        self._watched, self._actions = watched, kept_bits
        self._everybody = self.algebra.cube(variables_of(kept_bits))
        self._kept = {one.name: spare.lend() for one in watched}
        self._codes = [
            _Code(tuple(spare.lend() for _ in range((len(one.reader.steps) - 1).bit_length()))) for one in watched
        ]
        self._memories = memories(self.algebra, self._written())
        self._allowed = self._safely(allowed, later=True)
        self._arriving = self._safely(allowed, later=False)

    @property
    def algebra(self) -> Algebra:
        """Where sets of points live."""
        return self._space.algebra

    def _conditions(self, number: int, later: bool) -> list[Bdd]:
        code, states = self._codes[number], len(self._watched[number].reader.steps)
        return code.conditions(self.algebra.var, states, self.algebra.true, later)

    def _written(self) -> list[tuple[Twin, Bdd]]:
        """What the bits of automata become."""
        found: list[tuple[Twin, Bdd]] = []
        for number, (code, one) in enumerate(zip(self._codes, self._watched, strict=True)):
            here = self._conditions(number, later=False)
            for place, twin in enumerate(code.twins):
                leading = [
                    here[state] & where
                    for state, steps in enumerate(one.reader.steps)
                    for (target, _), where in steps.items()
                    if target >> place & 1
                ]
                found.append((twin, reduce(or_, leading, self.algebra.false)))
        return found

    def _safely(self, allowed: Bdd, later: bool) -> Bdd:
        """The joint actions that are safe for all who are kept, the automata being in these states afterwards."""
        for number, one in enumerate(self._watched):
            self._space.tick()
            safe = self.algebra.true
            conditions = self._conditions(number, later)
            for state, steps in one.safe.items():
                safe = safe & (~conditions[state] | steps)
            allowed = allowed & (~self.algebra.var[self._kept[one.name].now] | safe)
        return allowed

    # steps

    def pre(self, target: Bdd) -> Bdd:
        """The points with such a step into the target."""
        return self._memories.arrive(target & self._space.reachable, self._before) & self._space.reachable

    def _before(self, target: Bdd) -> Bdd:
        return self.algebra.and_exists(self._allowed, self._space.moves_into(target, self._actions), self._everybody)

    def post(self, source: Bdd) -> Bdd:
        """The points that such steps from the source lead to."""
        return self._space.moves_from(self._memories.cross(source) & self._arriving, self._actions)

    # the search

    def with_a_run(self, fact: Formula, label: Callable[[Formula], Bdd]) -> Bdd:
        """The states in which some equilibrium has a run that satisfies the path formula."""
        tableau, begin, sets = self._tableau(fact, label)
        step = self._space.iteration("runs of equilibria")
        points = always(self.algebra, tableau.pre, self._space.reachable, sets, True, step=step)
        found = tableau.project(points & begin)
        for number in range(len(self._watched)):
            found = found & self._conditions(number, later=False)[0]
        tableau.close()
        bits = [twin for code in self._codes for twin in code.twins] + list(self._kept.values())
        self._spare.give_back(bits)
        return self.algebra.exists(found, self.algebra.cube(twin.now for twin in bits)) & self._space.reachable

    def _tableau(self, fact: Formula, label: Callable[[Formula], Bdd]) -> tuple[SymbolicTableau, Bdd, list[Bdd]]:
        """A tableau, where what is wanted at once begins, and what has to come again and again."""
        kept: dict[Formula, Bdd] = {
            Prop(f"kept {name}"): self.algebra.var[twin.now] for name, twin in self._kept.items()
        }
        goals = [logic.Or((leaf, one.goal)) for leaf, one in zip(kept, self._watched, strict=True)]
        body = split(conjunction((fact, *goals)))
        constant = {leaf for leaf, part in body.leaves.items() if part in kept}
        parts = [_repeated(part, constant) for part in _conjuncts(body.formula)]
        leaves = {leaf: kept[part] if part in kept else label(part) for leaf, part in body.leaves.items()}
        tableau = SymbolicTableau(self, logic.And(tuple(inner for _, inner in parts)), leaves, self._spare)
        begin = self._space.reachable
        sets = list(tableau.justice)
        for again, inner in parts:
            value = tableau.values[inner]
            if again:
                sets.append(value)
            else:
                begin = begin & value
        return tableau, begin, sets


def _conjuncts(formula: Formula) -> list[Formula]:
    return [one for arg in formula.args for one in _conjuncts(arg)] if isinstance(formula, logic.And) else [formula]


def _repeated(formula: Formula, constant: Collection[Formula]) -> tuple[bool, Formula]:
    """(True, p) for ``G F p``, also beside a leaf that never changes: the formula says that p comes again and again."""
    match formula:
        case logic.Globally(logic.Finally(inner)):
            return True, inner
        case logic.Or((leaf, logic.Globally(logic.Finally(inner)))) if leaf in constant:
            return True, logic.Or((leaf, inner))
        case _:
            return False, formula
