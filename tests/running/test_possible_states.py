"""Monitors and a brute-force tracker accept and refuse the same logs at the same event, partial observation and hidden actions included.

``EPISTRAT_LOGS=5000`` compares so many logs; without it a sample is compared.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.generators import random_system
from tests.generators.asynchronous import asynchronous_system
from tests.running.tracker import BruteForce, random_log

from epistrat.model.system import System
from epistrat.running.build import Built, build
from epistrat.running.generate import generated
from epistrat.running.properties import Wish

LOGS = int(os.environ.get("EPISTRAT_LOGS", "600"))
MODELS = 50
MOST = 120


def random_model(rng: random.Random) -> tuple[System, tuple[str, ...]]:
    """A small system with a few initial states at most, and hidden actions now and then."""
    while True:
        system = asynchronous_system(rng) if rng.random() < 0.4 else random_system(rng, unbounded=False)
        if not system.finite:
            continue
        actions = sorted({action for agent in system.agents for action in agent.actions})
        hidden = tuple(rng.sample(actions, min(len(actions), rng.choice((0, 0, 1, 2))))) if system.interleaved else ()
        size = 1
        for variable in system.variables:
            size *= len(list(variable.domain))  # type: ignore[arg-type]
        if size > 600:
            continue
        judge = BruteForce(system, hidden)
        if judge.initial() and judge.reachable(MOST) is not None and any(judge.steps(one) for one in judge.initial()):
            return system, hidden


def imported(text: str, folder: Path, name: str) -> Any:
    """A generated file as a module."""
    file = folder / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def compared(built: Built, monitor: Any, hidden: tuple[str, ...], rng: random.Random, logs: int) -> tuple[int, int]:
    """Follow random logs with both; how many were accepted and how many refused."""
    judge = BruteForce(built.system, hidden)
    accepted = refused = 0
    for number in range(logs):
        log = random_log(judge, rng, wrong=number % 2 == 1)
        monitor.reset()
        worlds = judge.with_hidden(judge.initial())
        assert monitor.possible() == len(worlds)
        for do, see in log:
            answer = monitor.step(do, see)
            worlds = judge.after(worlds, do, see)
            assert (answer.kind == "refused") is (not worlds), (log, str(answer))
            if not worlds:
                refused += 1
                break
            assert answer.possible == len(worlds), (log, str(answer))
            shown = [dict(one) for one in worlds]
            assert all(one in shown for one in monitor.states(1_000_000))
        else:
            accepted += 1
    return accepted, refused


@pytest.mark.parametrize("seed", range(MODELS))
def test_logs_are_accepted_and_refused_at_the_right_event(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    system, hidden = random_model(rng)
    built = build(system, Wish(hidden=hidden))
    logs = -(-LOGS // MODELS)
    if seed % 5 == 0:  # the same through a file
        monitor = imported(generated(built), tmp_path, f"guard_of_model_{seed}").Monitor()
    else:
        monitor = built.monitor()()
    accepted, refused = compared(built, monitor, hidden, rng, logs)
    assert accepted + refused == logs


def test_both_outcomes_and_both_compositions_come_up() -> None:
    found = {True: [0, 0], False: [0, 0]}
    concealed = 0
    for seed in range(16):
        rng = random.Random(seed)
        system, hidden = random_model(rng)
        built = build(system, Wish(hidden=hidden))
        accepted, refused = compared(built, built.monitor()(), hidden, rng, 6)
        found[system.interleaved][0] += accepted
        found[system.interleaved][1] += refused
        concealed += bool(hidden)
    assert min(map(min, found.values())) > 0
    assert concealed > 0
