"""A prover that goes through all states of finite systems: the measure of provers that ask a solver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product

from epistrat.model.evaluate import Evaluator
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.terms import Expr, FiniteDomain


class Enumeration:
    """Implements `epistrat.evidence.prover.Prover`; where a domain is infinite it cannot tell."""

    def entails(self, system: System, premise: Expr, conclusion: Expr) -> bool | None:
        holds = Evaluator(system).holds
        return _all(system, lambda state: not holds(premise, state) or holds(conclusion, state))

    def every_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        return _steps(system, source, target, measure, all)

    def some_step(self, system: System, source: Expr, target: Expr, measure: Expr | None = None) -> bool | None:
        return _steps(system, source, target, measure, any)


def _steps(
    system: System, source: Expr, target: Expr, measure: Expr | None, how: Callable[[Iterable[bool]], bool]
) -> bool | None:
    stepper = Stepper(system)
    holds = stepper.evaluator.holds

    def size(state: State) -> Fraction:
        return Fraction(0) if measure is None else Fraction(stepper.evaluator.value(measure, state))

    def good(state: State, other: State) -> bool:
        return holds(target, other) and (measure is None or size(other) < size(state))

    def fits(state: State) -> bool:
        return not holds(source, state) or how(good(state, step.target) for step in stepper.successors(state))

    return _all(system, fits)


def _all(system: System, fits: Callable[[State], bool]) -> bool | None:
    states = _states(system)
    return None if states is None else all(map(fits, states))


def _states(system: System) -> Iterator[State] | None:
    domains = [variable.domain for variable in system.variables]
    finite = [domain for domain in domains if isinstance(domain, FiniteDomain)]
    return None if len(finite) < len(domains) else product(*finite)
