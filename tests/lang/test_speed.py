"""Large models are read at a megabyte per second or faster, in little memory."""

from __future__ import annotations

import time
import tracemalloc

from epistrat.lang import load


def cryptographers(count: int) -> str:
    """Dining cryptographers; the initial condition makes it quadratic."""
    people = range(1, count + 1)
    lines = ["Agent Environment", "    Obsvars:", *[f"        say{i} : 0..1;" for i in people], "    end Obsvars"]
    lines += ["    Actions = {none};", "    Protocol:", "        Other : {none};", "    end Protocol", "    Evolution:"]
    lines += [
        f"        say{i} = {v} if say{i} = 0 and C{i}.Action = {a};"
        for i in people
        for v, a in ((0, "same"), (1, "other"))
    ]
    lines += ["    end Evolution", "end Agent"]
    for i in people:
        lines += [
            f"Agent C{i}",
            "    Vars:",
            "        paid : {yes, no};",
            "        mine : {head, tail};",
            "        left : {head, tail};",
        ]
        lines += ["    end Vars", "    Actions = {same, other};", "    Protocol:"]
        lines += [
            "        (paid = no and mine = left) or (paid = yes and !(mine = left)) : {same};",
            "        Other : {other};",
        ]
        lines += [
            "    end Protocol",
            "    Evolution:",
            "        paid = yes if paid = yes;",
            "    end Evolution",
            "end Agent",
        ]
    lines += ["Evaluation", *[f"    paid{i} if C{i}.paid = yes;" for i in people], "end Evaluation", "InitStates"]
    one = [" and ".join(f"C{j}.paid = {'yes' if j == i else 'no'}" for j in people) for i in (0, *people)]
    lines += ["    (" + " or ".join(f"({text})" for text in one) + ") and C1.left = C2.mine;", "end InitStates"]
    lines += ["Formulae", "    AG (" + " or ".join(f"K(C{i}, paid{i})" for i in people) + ");", "end Formulae"]
    return "\n".join(lines)


def test_a_megabyte_per_second() -> None:
    text = cryptographers(300)
    assert len(text) > 1_500_000
    seconds = []
    for _ in range(2):
        start = time.process_time()
        loaded = load(text)
        seconds.append(time.process_time() - start)
        assert loaded.ok
        assert loaded.diagnostics == []
    assert min(seconds) < 3 * len(text) / 1_000_000  # a third of that on an idle machine


def test_memory() -> None:
    text = cryptographers(100)
    tracemalloc.start()
    loaded = load(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert loaded.ok
    assert peak < 300 * len(text)
