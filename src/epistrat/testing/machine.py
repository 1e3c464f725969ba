"""A model and a driver as a stateful test for Hypothesis."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from epistrat.api import System, load
from epistrat.running.build import build
from epistrat.running.properties import Wish
from epistrat.testing.driving import Run


def state_machine(model: str | os.PathLike[str] | System, driver: Callable[[], Any], **parameters: int) -> Any:
    """A ``RuleBasedStateMachine`` that does what the model allows, with a fresh driver for each run; needs Hypothesis."""
    try:
        from hypothesis import strategies
        from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
    except ImportError as error:
        raise ImportError("epistrat.testing.state_machine needs hypothesis: pip install hypothesis") from error

    system = model if isinstance(model, System) else load(model, strict=False, **parameters)
    monitor = build(system, Wish()).monitor()

    class Follows(RuleBasedStateMachine):
        """Drives the program as Hypothesis chooses."""

        @initialize(data=strategies.data())
        def begin(self, data: Any) -> None:
            """Begin in one of the initial states."""
            self.monitor = monitor()
            self.run = Run("model", self.monitor, driver())
            self.run.begin(data.draw(strategies.sampled_from(self.monitor.states(1_000))))

        @rule(data=strategies.data())
        def step(self, data: Any) -> None:
            """Make one of the steps that the model allows."""
            enabled = self.monitor.enabled()
            if enabled:
                chosen = data.draw(strategies.sampled_from(enabled))
                self.run.step({"action": chosen} if isinstance(chosen, str) else {"do": chosen})

        def teardown(self) -> None:
            """End the run."""
            if hasattr(self, "run"):
                self.run.__exit__()

    return Follows
