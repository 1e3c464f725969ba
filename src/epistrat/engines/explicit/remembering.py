"""Coalitions with memory over path formulae, on explored states: the game of `epistrat.engines.fixpoints.goals` with a bit per state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from epistrat.engines.explicit.games import Games
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.structure import Explored
from epistrat.engines.fixpoints.goals import Universe, enforced
from epistrat.engines.readings import Refused, no_next_state
from epistrat.logic import formula as logic
from epistrat.logic.body import split, unsigned
from epistrat.logic.formula import Group, Prop
from epistrat.logic.rewrite import conjunction

if TYPE_CHECKING:
    from epistrat.engines.explicit.label import MaskLabels


def remembering(labels: MaskLabels, formula: logic.Coalition) -> Mask:
    """Where a group enforces a path formula, on fair runs if there is fairness."""
    structure = labels.structure
    assert isinstance(structure, Explored)
    require_next_states(labels, structure)
    body = split(formula.arg, unsigned)
    fair = {Prop(f"fair {number}"): where for number, where in enumerate(labels.constraints)}
    goal = body.formula
    if fair:
        goal = logic.Or((logic.Not(conjunction(logic.Globally(logic.Finally(leaf)) for leaf in fair)), goal))
    games = labels.games(formula.group)

    def holds(leaf: Prop) -> Mask:
        return fair[leaf] if leaf in fair else labels.label(body.leaves[leaf])

    def force(target: Mask) -> Mask:
        return ~games.opposed(~target)

    universe = Universe(
        labels.of,
        labels.everything,
        lambda some: not some.any(),
        lambda one, other: bool((one == other).all()),
        labels.tick,
    )
    return enforced(universe, force, goal, holds)


def require_next_states(labels: MaskLabels, structure: Explored) -> None:
    """Raises `Refused` where an allowed joint action leads nowhere, or none is allowed."""
    if structure.system.interleaved:
        return
    joint: Games = labels.games(Group(tuple(agent.name for agent in structure.system.agents)))
    stuck = np.bincount(joint.owners, minlength=structure.count) == 0
    stuck[joint.owners[joint.outcomes == 0]] = True
    if stuck.any():
        raise Refused(no_next_state(structure.system, structure.state(int(np.flatnonzero(stuck)[0]))))
