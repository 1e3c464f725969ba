"""Gossip: everybody knows a secret; in a call one tells another a secret.

In a call ``tell_i_j_k`` person i, who has secret k, tells it to j, who has not; telling everything takes several calls.
"""

from __future__ import annotations

from epistrat.logic.formula import And, Exists, Finally, ForAll, Formula, Globally, Implies, Knows, Prop
from epistrat.model.builder import Builder
from epistrat.model.system import System


def gossip(n: int, ring: bool = False) -> System:
    """n people who can all call each other, or (``ring``) only their next neighbour."""
    model = Builder(interleaved=True)
    calls = [(i, j) for i in range(1, n + 1) for j in range(1, n + 1) if i != j and (not ring or j % n + 1 == i)]
    people = range(1, n + 1)
    for i in people:
        person = model.agent(f"Person{i}")
        for k in people:
            person.boolean(f"has{k}")
        for caller, called in calls:
            tells = {k: f"tell_{caller}_{called}_{k}" for k in people if k != called}
            if i not in (caller, called):
                continue
            person.actions(*tells.values())
            for k, tell in tells.items():
                if i == caller:
                    person.may(tell, when=person[f"has{k}"])
                else:
                    person.may(tell, when=~person[f"has{k}"])
                    person.evolve(person.action == tell, **{f"has{k}": True})
        for k in people:
            model.initial(person[f"has{k}"] if i == k else ~person[f"has{k}"])
            model.proposition(f"has_{i}_{k}", person[f"has{k}"])
    model.formula(*formulae(n))
    return model.build()


def formulae(n: int) -> tuple[Formula, ...]:
    """Everybody can learn everything; on every run somebody does; whoever has a secret knows that its owner has it."""
    everything: Formula = And(tuple(Prop(f"has_{i}_{k}") for i in range(1, n + 1) for k in range(1, n + 1)))
    first: Formula = And(tuple(Prop(f"has_1_{k}") for k in range(1, n + 1)))
    return (
        Exists(Finally(everything)),
        ForAll(Finally(first)),
        ForAll(Globally(Implies(Prop("has_1_2"), Knows("Person1", Prop("has_2_2"))))),
        Exists(Finally(Knows("Person1", Prop(f"has_2_{n}")))),
    )
