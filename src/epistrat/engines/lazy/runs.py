"""Linear formulae: is there an infinite run on which the formula is false?

The formula's negation becomes a tableau; a counterexample is a run of the product that meets all conditions of justice again and
again.  In a finite system it is found or excluded as a state that comes back (`proving.liveness`).  In an infinite one runs that repeat,
and runs on which some numbers grow for ever, are looked for; that there are none is proved by ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from epistrat.encoding.memory import Memory
from epistrat.encoding.tableau import TransitionTableau
from epistrat.encoding.transitions import Transitions
from epistrat.engines.lazy.atoms import outermost
from epistrat.logic import formula as logic
from epistrat.logic.formula import ATOMS, Formula, is_state, operands, subformulae
from epistrat.logic.fragment import delay
from epistrat.logic.rewrite import negation
from epistrat.model.system import System
from epistrat.proving.acceleration import Macro
from epistrat.proving.contract import Trace, Undecided, Valuation
from epistrat.proving.finite import FiniteReachability, FiniteSettings
from epistrat.proving.forever import STILL, endless, forever
from epistrat.proving.liveness import Repeating, no_rank_sinks, ranks, repeating
from epistrat.proving.unbounded import UnboundedReachability
from epistrat.records import dataclass, replace
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Expr, Var

_FIRST_LASSO = 10  # steps unrolled before a proof is tried
_LASSO_WORK = 3_000_000  # for all of them
_LONGER_LASSO = 24  # steps, once shorter lassos are excluded
_SLICES = (4_000_000, 16_000_000, 64_000_000, 256_000_000)  # work for a proof and for longer runs, in turn
_INVARIANT_WORK = 7_500_000  # for the proof that no run is bad


@dataclass(frozen=True)
class Circle:
    """An infinite run: the states up to the last, then again from position ``loop`` on.

    ``inputs`` are those of the steps, the last one leading back.  ``grows`` says that the run does not literally repeat: some numbers
    grow for ever from the last of the ``real`` first states on, where it seems to stand still.  ``violated``, if not None, says that the
    run is not known beyond its last state: what must always be true, with bounded futures, is false at that position.  ``macro`` is the
    step that is then taken for ever, with what it adds.
    """

    states: tuple[Valuation, ...]
    inputs: tuple[Valuation, ...]
    loop: int
    grows: bool = False
    violated: int | None = None
    real: int | None = None
    macro: Macro | None = None


class Runs:
    """Infinite runs of one system that make a linear formula false.

    ``base`` are the system's steps; ``guessing`` adds placeholders for knowledge that change freely as far as ``lemmas`` admit.
    """

    def __init__(
        self,
        system: System,
        base: Transitions,
        leaf: Callable[[Formula], Expr],
        budget: Budget,
        guessing: Callable[[Transitions], Transitions],
        lemmas: Sequence[Expr] = (),
    ) -> None:
        self._system = system
        self._base = base
        self._leaf = leaf
        self._budget = budget
        self._guessing = guessing
        self._lemmas = lemmas

    def violating(self, body: Formula) -> Circle | None:
        """An infinite run on which the formula is false at time 0, or None if there is none.  Raises `Undecided`."""
        if self._base.finite:
            return self._finite(body)
        return self._infinite(body)

    def _product(self, base: Transitions, body: Formula) -> tuple[Transitions, list[Expr]]:
        """The product with the tableau of the negation, which holds at time 0."""
        tableau = TransitionTableau(self._system, base, self._leaf)
        start = tableau.condition(negation(body))
        product = tableau.extend()
        return product.extended(initial=(start,)), tableau.justice

    def _finite(self, body: Formula) -> Circle | None:
        product, justice = self._product(self._guessing(self._base), body)
        found = repeating(product, justice)
        reach = FiniteReachability(
            found.system,
            self._budget.check,
            FiniteSettings(cross_check=self._budget.cross_check, patience=self._budget.patience),
        )
        trace = reach.within([found.closed], self._budget.patience.most(_FIRST_LASSO)) or reach.reaches([found.closed])
        return None if trace is None else circle(found, trace)

    def _finite_violation(self, body: Formula) -> bool | Circle:
        """True if ``G f``, f with bounded futures, is proved as an invariant of finite paths within some work.

        A run if a path violates it and every path goes on for ever; else False.
        """
        depth = delay(body.arg) if isinstance(body, logic.Globally) else None
        known = [operand for node in outermost(body) for operand in operands(node)]
        if depth is None or not isinstance(body, logic.Globally) or not all(map(is_state, known)):
            return False
        guessing = self._guessing(self._base)
        memory = Memory(self._system, guessing, "late ", self._leaf)
        question = [memory.later(depth), guessing.terms.negate(memory.delayed(body.arg, depth))]
        try:
            reach = UnboundedReachability(memory.extend(), self._budget.worth(_INVARIANT_WORK))
            trace = reach.reaches(question)
            if trace is None:
                return True
            goes_on = self._system.interleaved or UnboundedReachability(self._base, self._budget).system.total
            return Circle(trace.states, trace.inputs, 0, True, len(trace.inputs) - depth) if goes_on else False
        except OutOfBudget:
            self._budget.check()
            return False

    def _infinite(self, body: Formula) -> Circle | None:
        early = self._finite_violation(body)
        if early is not False:
            return early if isinstance(early, Circle) else None
        product, justice = self._product(self._guessing(self._base), body)
        found = repeating(product, justice)
        reach = UnboundedReachability(found.system, self._budget)
        most = self._budget.patience.most
        trace = reach.within([found.closed], most(_FIRST_LASSO), _LASSO_WORK)
        if trace is not None:
            return circle(found, trace)
        growing = self._growing(body)
        if growing is not None:
            return growing
        question = no_rank_sinks(found, ranks(product, [*justice, *product.initial], self._budget.patience))
        excluded: bool | None = None
        for work in _SLICES:
            with suppress(Undecided):
                excluded = reach.reaches([question], work) is None if excluded is None else excluded
            if excluded:
                return None
            trace = reach.within([found.closed], most(_LONGER_LASSO), work)
            if trace is not None:
                return circle(found, trace)
        raise Undecided("neither a run that repeats nor ranks that exclude all runs were found")

    def _growing(self, body: Formula) -> Circle | None:
        """A run that ends in a loop on which numbers grow for ever."""
        own = UnboundedReachability(self._base, self._budget)
        leaves = [*(self._leaf(part) for part in self._leaves(body)), *self._lemmas]
        still, macros = forever(self._base, own.macros(), leaves)
        if not macros:
            return None
        product, justice = self._product(self._guessing(still), body)
        found = repeating(product, justice)
        reach = UnboundedReachability(found.system, self._budget)
        trace = reach.within([found.closed], self._budget.patience.most(_FIRST_LASSO), _LASSO_WORK)
        if trace is None:
            return None
        result = circle(found, trace)
        if not result.states[result.loop][STILL.key]:  # it never stands still: it repeats literally
            return result
        real = [bool(state[STILL.key]) for state in result.states].index(True)
        for macro in macros:
            if endless(self._base, result.states[real], macro.inputs[0], dict(macro.adds), leaves, self._budget):
                return replace(result, grows=True, real=real, macro=macro)
        return None

    def _leaves(self, body: Formula) -> list[Formula]:
        return [part for part in subformulae(body) if isinstance(part, ATOMS)]


def circle(found: Repeating, trace: Trace) -> Circle:
    """The run that a trace to a state which equals its copy describes."""
    saved = [bool(state[_key(found.saved)]) for state in trace.states]
    return Circle(trace.states[:-1], trace.inputs, saved.index(True) - 1)


def _key(expr: Expr) -> tuple[str, str]:
    assert isinstance(expr, Var)
    return expr.key
