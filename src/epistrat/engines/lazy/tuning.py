"""The options of the lazy engine.  All of them change the time it takes, none the verdict."""

from __future__ import annotations

from epistrat.engines.tuning import Tuning, option, parts, without
from epistrat.records import dataclass, fields


@dataclass(frozen=True, slots=True)
class Switches:
    """The optimisations of the lazy engine, each of which can be switched off."""

    static: bool = True
    """Lemmas that need no search: what is known is true, what is seen is known."""
    cores: bool = True
    """Generalise "is known" to all observations that exclude the opposite for the same reason."""
    involutions: bool = True
    """Generalise "is not known" by symmetries: every state has a twin that looks the same."""
    projection: bool = True
    """Generalise "is not known" to all observations that the same kind of run can produce."""
    layers: bool = True
    """Ask first whether a part of what is observed is enough to know."""
    pairs: bool = True
    """Where observers remember, look for two runs side by side that they cannot tell apart."""
    cone: bool = True
    """Leave out what a question does not depend on."""
    frames: bool = True
    """Questions share what was found out about reachable states."""
    last: bool = True
    """Where the formula is an invariant, validate the last state of a counterexample only."""
    rails: bool = True
    """Validate only those K that the counterexample depends on (the dual-rail encoding of the paper)."""


OPTIMISATIONS = tuple(one.name for one in fields(Switches))


@dataclass(frozen=True)
class LazyTuning(Tuning):
    """How knowledge is learnt."""

    without: str = without(OPTIMISATIONS)
    eager: bool = option(False, "find out where something is known before the formula is checked")
    parameters: bool = option(False, "find out for which values of some observed variables something is known")

    cross_check: bool = option(False, "ask a second solver every query, too; a different answer is an error")
    solver: str = option("auto", "clauses or arithmetic for finite models", choices=("auto", "sat", "smt"))

    @property
    def switches(self) -> Switches:
        """The optimisations that are left."""
        return Switches(**{name: False for name in parts(self.without) if name in OPTIMISATIONS})
