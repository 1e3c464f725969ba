"""Mutual exclusion by a lock that is handed out by a keeper, with knowledge about who is inside.

Process i thinks, asks (``ask_i``, private), enters (``enter_i``, together with the keeper), works for a while in private, and leaves
(``leave_i``, together with the keeper).
"""

from __future__ import annotations

from epistrat.logic.formula import And, Exists, Finally, ForAll, Formula, Globally, Implies, Knows, Not, Prop
from epistrat.model.builder import Builder
from epistrat.model.system import System


def mutual_exclusion(n: int, work: int = 2) -> System:
    """n processes, each doing ``work`` private steps before it asks again and while it is inside."""
    model = Builder(interleaved=True)
    for i in range(1, n + 1):
        process = model.agent(f"Process{i}")
        place = process.enum("place", "out", "asking", "inside")
        done = process.range("done", 0, work)
        process.actions(f"work_{i}", f"ask_{i}", f"enter_{i}", f"leave_{i}")
        process.may(f"work_{i}", when=(place != "asking") & (done < work))
        process.may(f"ask_{i}", when=(place == "out") & (done == work))
        process.may(f"enter_{i}", when=place == "asking")
        process.may(f"leave_{i}", when=(place == "inside") & (done == work))
        process.evolve((process.action == f"work_{i}") & (done < work), done=done + 1)
        process.evolve(process.action == f"ask_{i}", place="asking", done=0)
        process.evolve(process.action == f"enter_{i}", place="inside")
        process.evolve(process.action == f"leave_{i}", place="out", done=0)
        model.initial(place == "out", done == 0)
        model.proposition(f"inside{i}", place == "inside")
        model.proposition(f"asking{i}", place == "asking")
    keeper = model.agent("Keeper")
    free = keeper.boolean("free")
    enters, leaves = [f"enter_{i}" for i in range(1, n + 1)], [f"leave_{i}" for i in range(1, n + 1)]
    keeper.actions(*enters, *leaves)
    keeper.may(*enters, when=free)
    keeper.may(*leaves, when=~free)
    for action in enters:
        keeper.evolve(keeper.action == action, free=False)
    for action in leaves:
        keeper.evolve(keeper.action == action, free=True)
    model.initial(free)
    model.formula(*formulae(n))
    return model.build()


def formulae(n: int) -> tuple[Formula, ...]:
    """Never two inside; who is inside knows it; an asker gets in on some run, not on all; it never knows that the lock is free."""
    others: list[Formula] = [Not(Prop(f"inside{i}")) for i in range(2, n + 1)]
    alone = others[0] if len(others) == 1 else And(tuple(others))
    return (
        ForAll(Globally(Implies(Prop("inside1"), alone))),
        ForAll(Globally(Implies(Prop("inside1"), Knows("Process1", alone)))),
        ForAll(Globally(Implies(Prop("asking1"), Exists(Finally(Prop("inside1")))))),
        ForAll(Globally(Implies(Prop("asking1"), Finally(Prop("inside1")))), star=True),
        Exists(Finally(And((Prop("asking1"), Knows("Process1", alone))))),
    )
