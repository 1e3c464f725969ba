"""What a question needs of an engine, and, where no engine is up to it, the difference in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from epistrat.engines.contract import Options, Strategies
from epistrat.logic.formula import PAST, Coalition, Exists, ForAll, Formula, is_state, subformulae
from epistrat.model.system import System


@dataclass(frozen=True, slots=True)
class Needs:
    """The features of a question that engines differ in."""

    finite: bool
    interleaved: bool
    linear: bool
    past: bool
    strategic: bool
    strategies: Strategies

    def __str__(self) -> str:
        system = "an interleaved model" if self.interleaved else "a model"
        if not self.finite:
            system += " with unbounded variables"
        formula = "linear time or CTL*" if self.linear else "a state formula"
        if self.past:
            formula += " with past"
        if self.strategic:
            formula += f", strategies read as `{self.strategies.value}`"
        return f"{system}; {formula}"


def needs(system: System, formula: Formula, options: Options) -> Needs:
    """What this question needs."""
    parts = subformulae(formula)
    return Needs(
        finite=system.finite,
        interleaved=system.interleaved,
        linear=not is_state(formula) or any(isinstance(part, (ForAll, Exists)) and part.star for part in parts),
        past=any(isinstance(part, PAST) for part in parts),
        strategic=any(isinstance(part, Coalition) for part in parts),
        strategies=options.strategies,
    )


def difference(question: Needs, refusals: Mapping[str, str]) -> str:
    """Why no engine answers: what was needed, and what each engine says to that."""
    if len(set(refusals.values())) == 1:
        return next(iter(refusals.values()))
    said = "; ".join(f"{name}: {why}" for name, why in refusals.items())
    return f"no engine answers this ({question}): {said}"
