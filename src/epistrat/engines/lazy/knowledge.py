"""Is something known in a state?  The answer, a run that shows it if not, and a lemma that serves many states."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

from epistrat.encoding.memory import Memory
from epistrat.encoding.remembered import ages, remembered
from epistrat.encoding.transitions import Transitions
from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.involution import Involutions
from epistrat.engines.lazy.lemmas import Lemma, Lemmas
from epistrat.engines.lazy.tuning import Switches
from epistrat.model.fold import fold
from epistrat.proving.contract import NotARun, Reachability, Trace, Valuation
from epistrat.proving.finite import equality
from epistrat.records import dataclass
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import TRUE, Expr, Key, Sort, Var, subterms, variables
from epistrat.terms.substitute import substitute

_MOST_REGIONS = 16  # of one projection, before it is given up


@dataclass(frozen=True)
class KnowledgeAnswer:
    """Whether the atom is true in the state; if not, a run to a state that looks the same and denies it.

    ``instead``: the run looks like the end of this one, which is as bad as the state that was asked about.
    """

    known: bool
    witness: Trace | None = None
    instead: Trace | None = None


class KnowledgeInStates:
    """Answers about atoms in states of one system."""

    def __init__(
        self,
        reach: Reachability,
        memory: Memory,
        transitions: Transitions,
        lemmas: Lemmas,
        switches: Switches,
        parameters: bool = False,
        patience: Patience = PATIENT,
    ) -> None:
        self._reach = reach
        self._memory = memory
        self._terms = transitions.terms
        self._transitions = transitions
        self._sorts = {one.key: one.domain.sort for one in transitions.variables}
        self._lemmas = lemmas
        self._switches = switches
        self._parameters = parameters
        self._remembered = remembered(transitions)
        self._ages = ages(transitions)
        self._involutions = Involutions(reach, transitions, patience)
        self._most_regions = patience.most(_MOST_REGIONS)
        self._pool: list[Trace] = []
        self._paired: set[tuple[Atom, Expr]] = set()
        self.validations = 0

    def in_state(
        self, atom: Atom, state: Valuation, trace: Trace, assumed: bool | None = None, bad: Expr | None = None
    ) -> KnowledgeAnswer:
        """Whether the atom is true in a state, which is the end of the given trace.

        A lemma is learnt where the answer is not the one that was ``assumed``, at least.  With ``bad``, any other state that satisfies
        it and where the atom is false will do as well.
        """
        self.validations += 1
        if atom.delay == 0 and not self.holds(atom.truth, state):
            if not self._switches.static:
                self._learn(atom, False, self._facts(atom.keys, state), "it is false")
            return KnowledgeAnswer(False, trace)
        seen = self._seen_before(atom, state)
        if seen is not None:
            if assumed is not False:
                self._not_known(atom, state, seen)
            return KnowledgeAnswer(False, seen)
        if self._known_by_invariants(atom, state):
            return KnowledgeAnswer(True)
        if self._parameters and atom.delay == 0 and self._synthesise(atom, state):
            known = self._settled(atom, state)
            if known is not None:
                return known
        layers = self._layers(atom)
        for keys in layers:
            facts = self._facts(keys, state)
            found = self._reach.reaches(self.question(atom, facts))
            if found is None:
                self._known(atom, state, facts)
                return KnowledgeAnswer(True)
            self._point(atom, found)
            self._pool.append(found)
            if keys == atom.keys or self._looks_the_same(atom, state, found):
                if assumed is not False:
                    self._not_known(atom, state, found)
                return KnowledgeAnswer(False, found)
            if bad is not None and keys == layers[0]:
                pair = self._alike(atom, bad, trace, found)
                if pair is not None:
                    return pair
        raise AssertionError("the last layer is what the observers see")

    def holds(self, condition: Expr, state: Valuation) -> bool:
        """Whether a condition is true in a state."""
        return fold(self._terms, condition, state) == TRUE

    # Questions

    def question(self, atom: Atom, facts: Iterable[Expr]) -> list[Expr]:
        """States that satisfy the facts and in which what is said to be known is false."""
        denied = self._terms.negate(atom.truth)
        if atom.delay == 0:
            return [*facts, denied]
        return [*(self.delayed(fact, atom.delay) for fact in facts), self._memory.later(atom.delay), denied]

    def delayed(self, fact: Expr, delay: int) -> Expr:
        """A condition on variables, as one on their values some steps ago."""
        old: dict[Expr, Expr] = {
            term: self._memory.ago(term.key, delay) for term in subterms(fact) if isinstance(term, Var)
        }
        return substitute(self._terms, fact, old)

    def _facts(self, keys: Iterable[Key], state: Valuation) -> list[Expr]:
        """The observation of a state; a number as two bounds, so that one of them may turn out to be enough."""
        facts: list[Expr] = []
        for key in keys:
            if self._sorts[key] is Sort.NUMBER:
                variable, value = self._terms.variable(*key, Sort.NUMBER), self._terms.number(state[key])
                facts += [self._terms.compare("<=", variable, value), self._terms.compare("<=", value, variable)]
            else:
                facts.append(equality(self._transitions, key, state[key]))
        return facts

    def _layers(self, atom: Atom) -> list[tuple[Key, ...]]:
        """Growing parts of what is observed: the present, then 1, 2, 4, ... remembered observations; the last is everything."""
        if not self._switches.layers:
            return [atom.keys]
        age = {key: self._ages.get(key, 0) for key in atom.keys}
        oldest = max(age.values(), default=0)
        limits = [0, *(1 << power for power in range(int(log2(oldest)) + 1 if oldest else 0)), oldest]
        layers = [tuple(key for key in atom.keys if age[key] <= limit) for limit in limits]
        return list(dict.fromkeys(layers))

    def _looks_the_same(self, atom: Atom, state: Valuation, trace: Trace) -> bool:
        there = self._point(atom, trace)
        return all(there[key] == state[key] for key in atom.keys)

    def _point(self, atom: Atom, trace: Trace) -> Valuation:
        """The state of a trace that denies the atom; raises `NotARun` where the trace is shorter than what the atom looks ahead."""
        place = len(trace.states) - 1 - atom.delay
        if place < 0:
            raise NotARun("it ends before what is said to be known can be told")
        return trace.states[place]

    def _seen_before(self, atom: Atom, state: Valuation) -> Trace | None:
        """A trace found earlier that ends in a state which looks the same and denies the atom."""
        if atom.delay:
            return None
        for trace in self._pool:
            if self._looks_the_same(atom, state, trace) and not self.holds(atom.truth, trace.last):
                return trace
        return None

    def _alike(self, atom: Atom, bad: Expr, trace: Trace, found: Trace) -> KnowledgeAnswer | None:
        """Two runs that look the same for so long that memory does not tell them apart: these two made longer, or others."""
        oldest = max((self._remembered.get(key, (key, 0))[1] for key in atom.keys), default=0)
        if not oldest or atom.delay or not self._switches.pairs:
            return None
        denied = self._terms.negate(atom.truth)
        for begun in ((trace, found, oldest), None):
            if begun is None and (atom, bad) in self._paired:
                continue
            pair = self._reach.alike(atom.keys, bad, denied, begun)
            if pair is not None and self._looks_the_same(atom, pair[0].last, pair[1]):
                self._pool.append(pair[1])
                return KnowledgeAnswer(False, pair[1], pair[0])
        self._paired.add((atom, bad))
        return None

    # Learning

    def _learn(self, atom: Atom, known: bool, facts: Iterable[Expr], how: str) -> None:
        self._lemmas.learn(Lemma(atom, known, self._terms.conjunction(facts), how))

    def _known(self, atom: Atom, state: Valuation, facts: list[Expr]) -> None:
        """From "no reachable state with these facts denies it" to fewer facts that exclude it for the same reason."""
        if not self._switches.cores:
            self._learn(atom, True, self._facts(atom.keys, state), "no state that looks the same denies it")
            return
        if self._known_by_invariants(atom, state):
            return
        if atom.delay == 0:
            few = self._reach.refuted_by(facts, self._terms.negate(atom.truth))
        else:
            now = {self.delayed(fact, atom.delay): fact for fact in facts}
            denied = self._terms.conjunction((self._memory.later(atom.delay), self._terms.negate(atom.truth)))
            found = self._reach.refuted_by(list(now), denied)
            few = None if found is None else [now[fact] for fact in found]
        self._learn(atom, True, facts if few is None else few, "an invariant excludes the opposite")
        if few and atom.delay == 0:
            for older in self._reach.also_refuted(self._at_other_ages(atom, few), self._terms.negate(atom.truth)):
                self._learn(atom, True, older, "an invariant excludes the opposite, whenever it was observed")

    def _at_other_ages(self, atom: Atom, facts: list[Expr]) -> list[list[Expr]]:
        """The same facts about observations of other ages, where all of them have one age."""
        keys = {key: self._remembered.get(key, (key, 0)) for key in atom.keys}
        own = [keys[key] for fact in facts for key in variables(fact)]
        ages = {age for _, age in own}
        if len(ages) != 1 or not self._remembered:
            return []
        named = {source: key for key, source in keys.items()}
        found = []
        for other in sorted({age for _, age in keys.values()} - ages):
            moved: dict[Expr, Expr] = {
                self._terms.variable(*named[source, age], self._sorts[source]): self._terms.variable(
                    *named[source, other], self._sorts[source]
                )
                for source, age in own
                if (source, other) in named
            }
            if len(moved) == len(set(own)):
                found.append([substitute(self._terms, fact, moved) for fact in facts])
        return found

    def _synthesise(self, atom: Atom, state: Valuation) -> bool:
        """Find all values of some observed variables for which the atom is true, the others being as in the state.

        As many variables as the logarithm of the questions asked so far.  Whether the search came to an end.
        """
        terms = self._terms
        count = min(len(atom.keys), 1 + int(log2(self.validations)))
        chosen = [atom.keys[(self.validations + place) % len(atom.keys)] for place in range(count)]
        facts = self._facts([key for key in atom.keys if key not in chosen], state)
        denied: list[Expr] = []
        for _ in range(self._most_regions):
            found = self._reach.reaches(self.question(atom, [*facts, *map(terms.negate, denied)]))
            if found is None:
                here, why = [*facts, terms.negate(terms.disjunction(denied))], "by parameters"
                self._learn(atom, True, here, why)
                self._learn(atom, False, [*facts, terms.disjunction(denied)], why)
                return True
            self._pool.append(found)
            denied.append(terms.conjunction(equality(self._transitions, key, found.last[key]) for key in chosen))
        return False

    def _settled(self, atom: Atom, state: Valuation) -> KnowledgeAnswer | None:
        """What the lemma learnt last says of the state; None where a run is needed to show it."""
        lemma = self._lemmas.learnt[-2]
        if lemma.atom is atom and lemma.known and self.holds(lemma.condition, state):
            return KnowledgeAnswer(True)
        seen = self._seen_before(atom, state)
        return None if seen is None else KnowledgeAnswer(False, seen)

    def _known_by_invariants(self, atom: Atom, state: Valuation) -> bool:
        """Whether the invariants exclude that any state which looks the same denies the atom; a lemma says where they do."""
        if not self._switches.cores or atom.delay:
            return False
        region = self._reach.surely(self._layers(atom)[0], self._terms.negate(atom.truth))
        if region is None or not self.holds(region, state):
            return False
        self._learn(atom, True, [region], "invariants exclude the opposite")
        return True

    def _not_known(self, atom: Atom, state: Valuation, witness: Trace) -> None:
        if self._switches.involutions and atom.delay == 0:
            guard = self._involutions.guard(atom, state, witness, self.question(atom, self._facts(atom.keys, state)))
            if guard is not None:
                self._learn(atom, False, guard, "every such state has a twin that looks the same")
                return
        if self._switches.projection:
            question = self.question(atom, ())
            keys = [self.delayed_key(key, atom.delay) for key in atom.keys]
            region = self._reach.project(witness, question, keys)
            if region is not None:
                self._learn(atom, False, [self._undelayed(region, atom)], "the same kind of run shows it")
                return
        self._learn(atom, False, self._facts(atom.keys, state), "a state that looks the same denies it")

    def delayed_key(self, key: Key, delay: int) -> Key:
        """The variable that holds another one's value some steps ago."""
        variable = self._memory.ago(key, delay)
        assert isinstance(variable, Var)
        return variable.key

    def _undelayed(self, region: Expr, atom: Atom) -> Expr:
        if atom.delay == 0:
            return region
        back: dict[Expr, Expr] = {
            self._memory.ago(key, atom.delay): self._terms.variable(*key, self._sorts[key]) for key in atom.keys
        }
        return substitute(self._terms, region, back)
