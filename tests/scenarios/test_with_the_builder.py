"""Scenarios written once more with the Python builder: the systems are equal."""

from __future__ import annotations

import pytest

import epistrat
from epistrat import all_of, scenarios


def token_ring(n: int) -> epistrat.System:
    """Mutual exclusion by a token."""
    model = epistrat.Builder(single=True)
    process = {i: model.agent(f"Process[{i}]") for i in range(1, n + 1)}
    for i, one in process.items():
        state, token = one.enum("state", "rest", "want", "use"), one.boolean("token")
        one.actions("idle", "ask", "enter", "leave", "pass")
        one.may("idle", "ask", when=(state == "rest") & ~token)
        one.may("ask", "pass", when=(state == "rest") & token)
        one.may("idle", when=(state == "want") & ~token)
        one.may("enter", when=(state == "want") & token)
        one.may("idle", "leave", when=state == "use")
        one.evolve(one.action == "ask", state="want")
        one.evolve(one.action == "enter", state="use")
        one.evolve(one.action == "leave", state="rest")
        one.evolve(one.action == "pass", token=False)
        one.evolve(process[(i - 2) % n + 1].action == "pass", token=True)
    for name, value in (("use", "use"), ("want", "want")):
        for i, one in process.items():
            model.proposition(f"{name}[{i}]", one["state"] == value)
    for i, one in process.items():
        model.proposition(f"token[{i}]", one["token"])
    model.initial(*(one["state"] == "rest" for one in process.values()), process[1]["token"])
    model.initial(*(~one["token"] for i, one in process.items() if i > 1))
    model.group("all", *process.values())
    model.group("first", process[1])
    model.group("second", process[2])
    model.formula(
        exclusion="AG !(use[1] and use[2])",
        alone=f"AG(use[1] -> K(Process[1], forall i in 2..{n}: !use[i]))",
        possible=f"EF use[{n}]",
        chance="AG(want[1] -> EF use[1])",
        hunger="AG(want[1] -> AF use[1])",
        blind="AG(want[1] -> K(Process[1], !use[2]))",
        together="AG(want[1] -> <all>F use[1])",
        second="<second>F use[2]",
        first="AG(token[1] -> <first>F use[1])",
    )
    return model.build()


def contract_signing(n: int) -> epistrat.System:
    """Contract signing with a notary."""
    model = epistrat.Builder(single=True)
    notary = model.environment()
    verdict = notary.enum("verdict", "open", "cancelled", "enforced", public=True)
    has = {i: notary.boolean(f"has[{i}]") for i in range(1, n + 1)}
    party = {i: model.agent(f"Party[{i}]") for i in has}
    notary.actions("watch", "cancel", "enforce")
    complete = all_of(*has.values())
    notary.may("watch", "enforce", when=all_of(verdict == "open", *has.values()))
    notary.may("watch", "cancel", when=(verdict == "open") & ~complete)
    notary.otherwise("watch")
    for i in has:
        notary.evolve((verdict == "open") & (party[i].action == "sign"), **{f"has[{i}]": True})
    notary.evolve(notary.action == "cancel", verdict="cancelled")
    notary.evolve(notary.action == "enforce", verdict="enforced")
    for one in party.values():
        stage = one.enum("stage", "willing", "signed", "withdrawn")
        one.actions("sign", "withdraw", "think")
        one.may("sign", "withdraw", "think", when=(verdict == "open") & (stage == "willing"))
        one.otherwise("think")
        one.evolve(one.action == "sign", stage="signed")
        one.evolve(one.action == "withdraw", stage="withdrawn")
    for value in ("signed", "withdrawn"):
        for i, one in party.items():
            model.proposition(f"{value}[{i}]", one["stage"] == value)
    model.proposition("enforced", verdict == "enforced")
    model.proposition("cancelled", verdict == "cancelled")
    model.initial(verdict == "open")
    for i in has:
        model.initial(~has[i], party[i]["stage"] == "willing")
    model.group("parties", *party.values())
    model.group("everyone", notary, *party.values())
    model.group("last", party[n])
    signed = " and ".join(f"signed[{i}]" for i in party)
    model.formula(
        fair=f"AG(enforced -> ({signed}))",
        common=f"AG(enforced -> GCK(parties, {signed}))",
        final="AG(withdrawn[1] -> AG !enforced)",
        unsure=f"AG(signed[1] -> K(Party[1], signed[{n}]))",
        slow="AG(withdrawn[1] -> AF cancelled)",
        together="<everyone>F enforced",
        parties="<parties>F enforced",
        veto="<last>G !enforced",
    )
    return model.build()


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_systems_are_equal(n: int) -> None:
    assert token_ring(n) == epistrat.load(scenarios.file("token-ring"), n=n)
    assert contract_signing(n) == epistrat.load(scenarios.file("contract-signing"), n=n)


def test_the_others_differ() -> None:
    assert token_ring(2) != token_ring(3)
