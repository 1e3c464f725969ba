"""Agents that turn in rings of their own, and one that is watched: how much of what nobody sees is explored?

Full state space: 2 * length^width states.  Without the watched agent's two states a sum of ring lengths is enough, not their product.
"""

from __future__ import annotations

from epistrat.logic.formula import Exists, Finally, ForAll, Globally, Prop
from epistrat.model.builder import Builder
from epistrat.model.system import System


def free_rings(length: int, width: int) -> System:
    """``width`` rings of ``length`` invisible steps each, beside an agent that switches a light on once."""
    model = Builder(interleaved=True)
    for i in range(1, width + 1):
        ring = model.agent(f"Ring{i}")
        place = ring.range("place", 0, length - 1)
        actions = [f"turn_{i}_{k}" for k in range(length)]
        ring.actions(*actions)
        for k, action in enumerate(actions):
            ring.may(action, when=place == k)
            ring.evolve(ring.action == action, place=(k + 1) % length)
        model.initial(place == 0)
    lamp = model.agent("Lamp")
    on = lamp.boolean("on")
    lamp.actions("switch")
    lamp.may("switch", when=~on)
    lamp.evolve(lamp.action == "switch", on=True)
    model.initial(~on)
    model.proposition("on", on)
    model.formula(Exists(Finally(Prop("on"))), ForAll(Finally(Prop("on"))), ForAll(Globally(Prop("on"))))
    return model.build()
