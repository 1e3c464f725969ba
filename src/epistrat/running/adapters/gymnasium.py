"""Environments of the package gymnasium in which an agent does only what a monitor allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from epistrat.running.runtime.monitor import Monitor

# What follows is copied into generated files.


def ShieldedEnv(
    env: Any,
    m: Monitor,
    agent: str,
    *,
    actions: Mapping[int, str],
    see: Callable[[Any], Mapping[str, Any]] | None = None,
) -> Any:
    """The environment; an action that is not allowed, whatever others do in the same step, is replaced by one that is.

    ``actions`` says which number is which action, ``see`` what an observation shows of the model's variables.
    ``info["action_mask"]`` has a 1 for each action that is allowed next, ``info["blocked"]`` is the action that was replaced, or None.
    """
    gymnasium, numpy = import_module("gymnasium"), import_module("numpy")
    base: Any = gymnasium.Wrapper
    numbers = {name: number for number, name in actions.items()}

    def told(info: dict[str, Any], blocked: int | None) -> dict[str, Any]:
        allowed = m.alone(agent)
        mask = numpy.array([actions.get(one) in allowed for one in range(max(actions) + 1)], dtype="int8")
        return {**info, "action_mask": mask, "blocked": blocked}

    class Shielded(base):  # type: ignore[misc]  # the package may not be there to say what it is
        """An environment with a shield."""

        def reset(self, **keywords: Any) -> Any:
            """Begin an episode, and a run."""
            observation, info = self.env.reset(**keywords)
            m.reset(see(observation) if see else None)
            return observation, told(info, None)

        def step(self, action: Any) -> Any:
            """One step, with the action or another that is allowed."""
            chosen = m.choose(agent, actions.get(int(action)), among=numbers.keys() & set(m.alone(agent)))
            observation, reward, terminated, truncated, info = self.env.step(numbers[chosen])
            m.event(agent, chosen, see(observation) if see else None)
            blocked = None if numbers[chosen] == int(action) else int(action)
            return observation, reward, terminated, truncated, told(info, blocked)

    return Shielded(env)
