"""Trains that share a tunnel, let in one at a time by a controller.

Train i waits, goes in (``in_i``, together with the controller, when the light is green), comes out (``out_i``), and returns (``back_i``, on
its own).  Full state space: 2^n * (1 + n/2) states.
"""

from __future__ import annotations

from epistrat.logic.formula import And, ForAll, Formula, Globally, Implies, Knows, Not, Prop
from epistrat.model.builder import Builder
from epistrat.model.system import System


def train_gate_controller(n: int, star: bool = False) -> System:
    """The system, with the formulae (1), with knowledge, and (4), without.  ``star`` reads them as LTL."""
    model = Builder(interleaved=True)
    trains = []
    for i in range(1, n + 1):
        train = model.agent(f"Train{i}")
        place = train.enum("place", "wait", "tunnel", "away")
        train.actions(f"in_{i}", f"out_{i}", f"back_{i}")
        for action, before, after in (("in", "wait", "tunnel"), ("out", "tunnel", "away"), ("back", "away", "wait")):
            train.may(f"{action}_{i}", when=place == before)
            train.evolve(train.action == f"{action}_{i}", place=after)
        model.initial(place == "wait")
        model.proposition(f"in_tunnel{i}", place == "tunnel")
        trains.append(train)
    controller = model.agent("Controller")
    light = controller.enum("light", "green", "red")
    ins, outs = [f"in_{i}" for i in range(1, n + 1)], [f"out_{i}" for i in range(1, n + 1)]
    controller.actions(*ins, *outs)
    controller.may(*ins, when=light == "green")
    controller.may(*outs, when=light == "red")
    for action in ins:
        controller.evolve(controller.action == action, light="red")
    for action in outs:
        controller.evolve(controller.action == action, light="green")
    model.initial(light == "green")
    model.formula(*formulae(n, star))
    return model.build()


def formulae(n: int, star: bool = False) -> tuple[Formula, Formula]:
    """Formulae (1) and (4): train 1 in the tunnel (knows that it) is there alone."""
    others: list[Formula] = [Not(Prop(f"in_tunnel{i}")) for i in range(2, n + 1)]
    alone = others[0] if len(others) == 1 else And(tuple(others))
    inside = Prop("in_tunnel1")
    return (
        ForAll(Globally(Implies(inside, Knows("Train1", alone))), star=star),
        ForAll(Globally(Implies(inside, alone)), star=star),
    )
