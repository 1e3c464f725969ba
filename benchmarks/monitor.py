"""How long a generated monitor takes for an event: ``python -m benchmarks.monitor``.

A model of 10,000 states: somebody walks round a ring, and a stranger, whose moves are hidden, may be anywhere on another one.  So one
state is possible (with one place of the stranger), or ten.  In a random walk most sets of possible states were met before; a walk
straight ahead meets a new one with every event.  Microseconds, by the clock, of the event alone.
"""

from __future__ import annotations

import importlib.util
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import epistrat
from epistrat.running.build import build
from epistrat.running.generate import generated
from epistrat.running.properties import Wish

EVENTS = 9_000


def ring(size: int, places: int) -> epistrat.System:
    """The model: ``size`` times ``places`` states."""
    return epistrat.load(
        f"""Composition = Interleaved;
        Agent Walker Vars: at : 0..{size - 1}; end Vars Actions = {{on, back}};
        Protocol: Other : {{on, back}}; end Protocol
        Evolution: at = at + 1 if Action = on and at < {size - 1}; at = 0 if Action = on and at = {size - 1};
        at = at - 1 if Action = back and at > 0; end Evolution end Agent
        Agent Stranger Vars: at : 0..{places}; end Vars Actions = {{hop}};
        Protocol: Other : {{hop}}; end Protocol
        Evolution: at = at + 1 if Action = hop and at < {places - 1}; at = 0 if Action = hop and at >= {places - 1};
        end Evolution end Agent
        Evaluation far if Walker.at > {size // 2}; end Evaluation
        InitStates Walker.at = 0 and Stranger.at = 0; end InitStates
        Formulae never: AG !far; end Formulae"""
    )


def imported(text: str, name: str) -> Any:
    """The generated file as a module."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return module


def median(module: Any, choose: Callable[[], str]) -> float:
    """Microseconds of the median event."""
    monitor, taken = module.Monitor(), []
    for _ in range(EVENTS):
        action = choose()
        begun = time.perf_counter()
        monitor.event("Walker", action)
        taken.append(time.perf_counter() - begun)
    return 1e6 * statistics.median(taken)


def main() -> None:
    """Print a table."""
    rng = random.Random(0)
    print(
        f"{'states':>8} {'possible':>9} {'met before':>11} {'always new':>11}   (microseconds, median of {EVENTS:,} events)"
    )
    for size, places in ((10_000, 1), (1_000, 10)):
        module = imported(generated(build(ring(size, places), Wish(("never",), (), ("hop",)))), f"guard_{places}")
        walk = median(module, lambda: rng.choice(("on", "back")))
        new = median(module, lambda: "on") if size > EVENTS else float("nan")
        print(f"{size * places:8,} {places:9} {walk:11.1f} {new:11.1f}")


if __name__ == "__main__":
    main()
