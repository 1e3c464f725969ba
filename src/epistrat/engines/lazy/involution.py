"""Negative knowledge by symmetry: where exchanging two values of some variables turns every run into a run.

Let D be variables that never change and that nobody concerned observes, each with two of its values.  *Flipping* a state exchanges,
for every variable in D, the one value for the other.  Let G be a condition on D.  If

- every initial state with G is flipped into an initial state,
- every step from a state with G is flipped into a step, and
- no flipped state with G satisfies f,

then every reachable state with G has a reachable twin that looks the same and denies f: f is not known where G holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat import terms as t
from epistrat.encoding.transitions import Transitions, primed_key
from epistrat.engines.lazy.atoms import Atom
from epistrat.proving.contract import Reachability, Trace, Valuation
from epistrat.proving.finite import equality
from epistrat.records import dataclass
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import Expr, Key, Terms, Value, children, subterms, variables
from epistrat.terms.substitute import rebuilt

Swap = Mapping[Key, tuple[Value, Value]]

_MOST_SWAPPED = 40  # variables that one symmetry exchanges


class Involutions:
    """Looks for symmetries of one system."""

    def __init__(self, reach: Reachability, transitions: Transitions, patience: Patience = PATIENT) -> None:
        self._reach = reach
        self._transitions = transitions
        self._terms = transitions.terms
        self._domains = {one.key: one.domain for one in transitions.variables}
        self._frozen: dict[Key, bool] = {}
        self._most_swapped = patience.most(_MOST_SWAPPED)

    def guard(self, atom: Atom, state: Valuation, witness: Trace, question: Sequence[Expr]) -> list[Expr] | None:
        """Facts G about the state such that, in every reachable state with G, the atom is false; None if no symmetry shows it."""
        hidden = [key for key in self._domains if key not in atom.keys]
        swap = self._differences(state, witness.last, hidden)
        if len(swap) > 2 or not self._possible(swap):
            close = self._reach.closest(witness, question, state, hidden)
            if close is None:
                return None
            swap = self._differences(state, close.last, hidden)
        if not swap or len(swap) > self._most_swapped or not self._possible(swap):
            return None
        facts = [equality(self._transitions, key, state[key]) for key in swap]
        demands = self._demands(atom, swap)
        if demands is None or not self._met(demands, facts):
            return None
        for fact in list(facts):
            fewer = [other for other in facts if other is not fact]
            if self._met(demands, fewer):
                facts = fewer
        return facts

    def _differences(self, state: Valuation, other: Valuation, keys: Sequence[Key]) -> Swap:
        return {key: (state[key], other[key]) for key in keys if state[key] != other[key]}

    def _possible(self, swap: Swap) -> bool:
        return all(isinstance(self._domains[key], (t.Boolean, t.Enumeration)) and self._is_frozen(key) for key in swap)

    def _is_frozen(self, key: Key) -> bool:
        if key not in self._frozen:
            sort = self._domains[key].sort
            same = self._terms.compare(
                "=", self._terms.variable(*primed_key(key), sort), self._terms.variable(*key, sort)
            )
            self._frozen[key] = self._reach.valid(same)
        return self._frozen[key]

    def _demands(self, atom: Atom, swap: Swap) -> _Demands | None:
        """The three conditions of the module's description; None if they cannot be written down."""
        terms, system = self._terms, self._transitions
        touched = set(swap) | {primed_key(key) for key in swap}
        try:
            return _Demands(
                terms.negate(flipped(terms, atom.truth, swap, self._domains)),
                terms.conjunction(
                    flipped(terms, one, swap, self._domains) for one in system.initial if variables(one) & touched
                ),
                terms.conjunction(
                    flipped(terms, part.relation, swap, self._domains)
                    for part in system.parts
                    if variables(part.relation) & touched
                ),
            )
        except _NotFlippable:
            return None

    def _met(self, demands: _Demands, guard: Sequence[Expr]) -> bool:
        """Whether the demands are met where the guard holds."""
        terms = self._terms
        excluded = [terms.negate(fact) for fact in guard]

        def under_guard(conclusion: Expr) -> Expr:
            return terms.disjunction((*excluded, conclusion))

        return (
            self._reach.valid(under_guard(demands.denied))
            and self._reach.always_initially(under_guard(demands.start))
            and self._reach.valid(under_guard(demands.step))
        )


@dataclass(frozen=True)
class _Demands:
    """What must be true of flipped states, flipped initial states and flipped steps."""

    denied: Expr
    start: Expr
    step: Expr


class _NotFlippable(Exception):
    """The condition compares a flipped variable with something else."""


def flipped(terms: Terms, expr: Expr, swap: Swap, domains: Mapping[Key, object]) -> Expr:
    """The condition on the flipped state: true in s iff ``expr`` is true in s flipped."""

    def of(key: Key) -> tuple[Value, Value] | None:
        return swap.get((key[0], key[1].removesuffix("'")))

    done: dict[Expr, Expr] = {}
    for term in subterms(expr):
        match term:
            case t.Var() if term.sort is t.Boolean.sort and of(term.key):
                done[term] = terms.negate(term)
            case t.Compare(t.Comparison.EQUAL, t.Var() as one, t.Const(value)) | t.Compare(
                t.Comparison.EQUAL, t.Const(value), t.Var() as one
            ) if of(one.key) and one.sort is not t.Boolean.sort:
                first, second = of(one.key) or (value, value)
                other = second if value == first else first if value == second else value
                done[term] = terms.compare("=", one, t.Const(other, one.sort))
            case t.Compare(t.Comparison.EQUAL, t.Var() as one, t.Var() as two) if one.sort is t.Enumeration.sort and (
                of(one.key) or of(two.key)
            ):
                done[term] = _between(terms, term, one, two, of(one.key), of(two.key), domains)
            case _:
                done[term] = rebuilt(terms, term, [done[child] for child in children(term)]) if children(term) else term
    return done[expr]


def _between(
    terms: Terms,
    term: Expr,
    one: t.Var,
    two: t.Var,
    first: tuple[Value, Value] | None,
    second: tuple[Value, Value] | None,
    domains: Mapping[Key, object],
) -> Expr:
    """A comparison of two variables with names, at least one of which is flipped."""
    if first is not None and second is not None and set(first) == set(second):
        return term
    own, other = (domains[key[0], key[1].removesuffix("'")] for key in (one.key, two.key))
    if isinstance(own, t.Enumeration) and own == other and len(own) == 2 and (first is None or second is None):
        return terms.negate(term)
    raise _NotFlippable
