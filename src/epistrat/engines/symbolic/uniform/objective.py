"""What a strategy is to achieve, in one form for all temporal operators.

An *objective* lets a play wait: in each state the play is over and won if the state is in ``goal``; else the state must be in
``through`` and the play goes on.  ``forever`` says whether waiting for ever is winning too.

    f U g: through f, goal g            f W g: the same, forever
    F g: through everything, goal g     G f: through f, no goal, forever

X is a play of one step: ``single`` says that only the states after the first step are looked at, and those must be in ``goal``.

Without fairness a state in which the protocols allow no joint action loses, unless the play is over.  With fairness only fair paths count:
a state outside ``through`` loses only if a fair path goes on from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.logic.formula import Finally, Formula, Globally, Next, Until
from epistrat.records import dataclass
from epistrat.solvers.bdd import Algebra, Bdd


@dataclass(frozen=True)
class Objective:
    """What plays are won."""

    through: Bdd
    goal: Bdd
    forever: bool = False
    single: bool = False


def objective_of(algebra: Algebra, shape: Formula, labels: Sequence[Bdd]) -> Objective:
    """The objective of a temporal operator, given the labels of its operands."""
    match shape:
        case Next():
            return Objective(algebra.true, labels[0], single=True)
        case Finally():
            return Objective(algebra.true, labels[0])
        case Globally():
            return Objective(labels[0], algebra.false, forever=True)
        case Until():
            return Objective(labels[0], labels[1])
    raise TypeError(f"a coalition cannot enforce {type(shape).__name__}")
