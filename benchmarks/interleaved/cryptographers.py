"""Dining cryptographers who look at their coins and speak one after the other.

Who paid and how the coins fell is fixed in the initial states: (n+1) * 2^n of them.  Cryptographer i first looks (``look_i``), then
says whether the two coins it sees differ, the payer saying the opposite (``say_i_0``, ``say_i_1``).  A counter hears everything; of the
cryptographers only the first hears what is said, or all of them.  Reachable: (n+1) * 6^n states.
"""

from __future__ import annotations

from epistrat.logic.formula import And, ForAll, Formula, Globally, Implies, Knows, Not, Or, Prop
from epistrat.model.builder import AgentBuilder, Builder
from epistrat.model.handles import Term
from epistrat.model.system import System


def dining_cryptographers(n: int, all_hear: bool = False, star: bool = False) -> System:
    """The system, with the formulae (2), with knowledge, and (5), without.  ``star`` reads them as LTL."""
    model = Builder(interleaved=True)
    says = [f"say_{j}_{v}" for j in range(1, n + 1) for v in (0, 1)]
    cryptographers = [_cryptographer(model, i, n, says, hears=all_hear or i == 1) for i in range(1, n + 1)]
    counter = model.agent("Counter")
    counter.actions(*says)
    _count(counter, n, says)
    paid = [agent["paid"] for agent in cryptographers]
    for i in range(n):
        model.initial(cryptographers[i]["right"] == cryptographers[(i + 1) % n]["left"])
        for j in range(i):
            model.initial(~(paid[i] & paid[j]))
    for agent in cryptographers:
        model.initial(agent["phase"] == "start")
    for agent in (*(cryptographers if all_hear else cryptographers[:1]), counter):
        model.initial(agent["number"] == 0, ~agent["odd"])
    model.proposition("odd", (counter["number"] == n) & counter["odd"])
    for i in range(n):
        model.proposition(f"paid{i + 1}", paid[i])
    model.formula(*formulae(n, star))
    return model.build()


def formulae(n: int, star: bool = False) -> tuple[Formula, Formula]:
    """Formulae (2) and (5): the first cryptographer, not having paid, knows of an odd count that another paid, not who."""
    others: list[Formula] = [Prop(f"paid{i}") for i in range(2, n + 1)]
    some = others[0] if len(others) == 1 else Or(tuple(others))
    when = And((Prop("odd"), Not(Prop("paid1"))))
    unknown = [Not(Knows("C1", other)) for other in others]
    knows = And((Knows("C1", some), *unknown))
    return (
        ForAll(Globally(Implies(when, knows)), star=star),
        ForAll(Globally(Implies(when, some)), star=star),
    )


def _cryptographer(model: Builder, i: int, n: int, says: list[str], hears: bool) -> AgentBuilder:
    agent = model.agent(f"C{i}")
    paid, left, right = agent.boolean("paid"), agent.boolean("left"), agent.boolean("right")
    phase = agent.enum("phase", "start", "looked", "said")
    own = [f"say_{i}_0", f"say_{i}_1"]
    agent.actions(f"look_{i}", *(says if hears else own))
    if hears:
        _count(agent, n, says, own)
    differ = paid ^ left ^ right
    room = agent["number"] < n if hears else True
    agent.may(f"look_{i}", when=phase == "start")
    agent.may(own[1], when=(phase == "looked") & differ & room)
    agent.may(own[0], when=(phase == "looked") & ~differ & room)
    agent.evolve(agent.action == f"look_{i}", phase="looked")
    for v, say in enumerate(own):
        heard: dict[str, Term | str] = {"phase": "said"}
        if hears:
            heard |= {"number": agent["number"] + 1}
            heard |= {"odd": ~agent["odd"]} if v else {}
        agent.evolve((agent.action == say) & room, **heard)
    return agent


def _count(agent: AgentBuilder, n: int, says: list[str], own: list[str] | None = None) -> None:
    """Let the agent count what is said, except by itself."""
    number, odd = agent.range("number", 0, n), agent.boolean("odd")
    others = [say for say in says if say not in (own or [])]
    agent.may(*others, when=number < n)
    for say in others:
        if say.endswith("_1"):
            agent.evolve((agent.action == say) & (number < n), number=number + 1, odd=~odd)
        else:
            agent.evolve((agent.action == say) & (number < n), number=number + 1)
