"""The loop for invariants with knowledge: look for a bad state, see whether what it assumes about knowledge is true, learn, repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from epistrat.engines.lazy.atoms import OWNER, Atom
from epistrat.engines.lazy.knowledge import KnowledgeAnswer, KnowledgeInStates
from epistrat.engines.lazy.lemmas import Lemmas
from epistrat.engines.lazy.tuning import Switches
from epistrat.model.fold import fold
from epistrat.proving.contract import Reachability, Trace
from epistrat.records import dataclass
from epistrat.terms import FALSE, Expr, Terms, Value, variables


@dataclass(frozen=True)
class Counterexample:
    """A trace to a bad state, and the truth of the atoms that make it bad."""

    trace: Trace
    answers: dict[Atom, KnowledgeAnswer]


class InvariantLoop:
    """Whether a condition with placeholders holds in all reachable states."""

    def __init__(
        self,
        reach: Reachability,
        knowledge: KnowledgeInStates,
        lemmas: Lemmas,
        switches: Switches,
        tell: Callable[[int, int], None],
    ) -> None:
        self._reach = reach
        self._knowledge = knowledge
        self._lemmas = lemmas
        self._switches = switches
        self._tell = tell
        self.rounds = 0

    def refute(self, condition: Expr, atoms: Sequence[Atom]) -> Counterexample | None:
        """A reachable state that violates the condition, or None if there is none."""
        terms = self._lemmas.terms
        bad = terms.negate(condition)
        while True:
            self.rounds += 1
            self._tell(self.rounds, len(self._lemmas.learnt))
            trace = self._reach.reaches([bad, *self._lemmas.all()])
            if trace is None:
                return None
            if not self._switches.last:
                for state in trace.states:
                    for atom in atoms:
                        self._knowledge.in_state(atom, state, trace)
            found = self._validate(condition, atoms, trace)
            if found is not None:
                return found

    def _validate(self, condition: Expr, atoms: Sequence[Atom], trace: Trace) -> Counterexample | None:
        """The counterexample, if the atoms that it depends on are as it assumes; else a lemma is learnt that excludes it."""
        assumed = self._assumed(condition, atoms, trace)
        answers: dict[Atom, KnowledgeAnswer] = {}
        for atom, value in assumed.items():
            others = self._others(condition, atom) if list(assumed.items()) == [(atom, False)] else None
            answer = answers[atom] = self._knowledge.in_state(atom, trace.last, trace, value, others)
            if answer.known is not value:
                return None
            trace = answer.instead or trace
        return Counterexample(trace, answers)

    def _others(self, condition: Expr, atom: Atom) -> Expr | None:
        """States that are bad if this atom is false there; None where that depends on other atoms."""
        terms = self._lemmas.terms
        bad = terms.negate(fold(terms, condition, {atom.variable.key: False}))
        return bad if all(key[0] != OWNER for key in variables(bad)) else None

    def _assumed(self, condition: Expr, atoms: Sequence[Atom], trace: Trace) -> dict[Atom, bool]:
        """Values of few atoms that make the condition false in the trace's last state."""
        terms = self._lemmas.terms
        open_condition = fold(terms, condition, trace.last)
        values = {atom: bool(trace.free.get(atom.variable.key, False)) for atom in atoms}
        if not self._switches.rails:
            return values
        return few_assumptions(terms, open_condition, values)


def few_assumptions(terms: Terms, condition: Expr, values: dict[Atom, bool]) -> dict[Atom, bool]:
    """Values of as few atoms as a greedy search finds that make the condition false whatever the others are."""
    needed = dict(values)
    for atom in values:
        fewer: dict[tuple[str, str], Value] = {one.variable.key: value for one, value in needed.items() if one != atom}
        if fold(terms, condition, fewer) == FALSE:
            del needed[atom]
    return needed
