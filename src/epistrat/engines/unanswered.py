"""Unknown about a model with unbounded variables, in the user's words: what was reached, what stands in the way, what to try.

What stands in the way are variables with too many values to go through, on which the answer can depend; they are named as the model
names them.  How an engine works is no part of the reason.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.answers.advice import Advice, Setting
from epistrat.encoding.cone import Cones
from epistrat.encoding.transitions import NotEncodable, transitions
from epistrat.engines.needs import WIDE
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, subformulae
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import Bounded, Domain, Key, variables
from epistrat.terms.show import show_expr

_MOST_NAMES = 3  # of variables in one reason: more would hide what it says


@dataclass(frozen=True, slots=True)
class Standstill:
    """Why a question stays open, and what may help."""

    reason: str
    advice: Advice


def unanswered(system: System, formula: Formula, limit: str, reached: str) -> Standstill:
    """What to say where a limit ended the work, or nothing was left to try (an empty ``limit``), and so much was ``reached``."""
    names = [str(one) for one in system.variables if one.key in _depends(system, formula) and _endless(one.domain)]
    scope = f"all values of {_listed(names)}" if names else "all states"
    told = f"{reached}, and no argument" if reached else "no argument"
    told += f" was found that covers {scope}"
    if system.product is not None:
        told += f"; products of variables such as `{show_expr(system.product)}` make such arguments hard to find"
    advice: Advice = (Setting("time"),)
    if names:
        advice = (*advice, f"bounds for {_listed(names)}: in a finite model all states can be looked at")
    if system.product is not None:
        advice = (*advice, "replace products of variables by variables of their own")
    return Standstill(f"{limit}: {told}" if limit else told, advice)


def _endless(domain: Domain) -> bool:
    return not domain.finite or (isinstance(domain, Bounded) and len(domain) > WIDE)


def _depends(system: System, formula: Formula) -> set[Key]:
    """The variables on which the answer can depend."""
    asked = set(_read(system, formula))
    try:
        return {one.key for one in Cones(transitions(system)).around(asked).variables}
    except NotEncodable:
        return {one.key for one in system.variables}


def _read(system: System, formula: Formula) -> Iterator[Key]:
    """What the formula's conditions read, and what the agents see whose knowledge it is about."""
    for part in subformulae(formula):
        match part:
            case logic.Prop(name):
                yield from variables(system.propositions[name])
            case logic.Test(condition):
                yield from variables(condition)
            case logic.Knows(agent):
                yield from (system.variables[place].key for place in system.views[agent])
            case logic.Everybody(group) | logic.Distributed(group) | logic.Common(group):
                yield from (system.variables[place].key for place in system.pooled_view(group))


def _listed(names: list[str]) -> str:
    shown = names[:_MOST_NAMES]
    if len(names) > _MOST_NAMES:
        return f"{', '.join(shown)} and {len(names) - _MOST_NAMES} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
