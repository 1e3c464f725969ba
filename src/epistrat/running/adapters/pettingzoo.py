"""Parallel environments of the package pettingzoo in which agents do only what a monitor allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from epistrat.running.runtime.monitor import Monitor

# What follows is copied into generated files.


def ShieldedParallelEnv(
    env: Any,
    m: Monitor,
    *,
    actions: Mapping[str, Mapping[int, str]],
    names: Mapping[str, str] | None = None,
    see: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None,
) -> Any:
    """The environment; joint actions that are not allowed are mended, agent by agent in the order of ``possible_agents``.

    ``actions`` says for each agent which number is which action, ``names`` what an agent is called in the model, ``see`` what the
    observations show of the model's variables.  Masks are those for the next step, each agent as if it chose first.
    """
    wrappers, numpy = import_module("pettingzoo.utils.wrappers"), import_module("numpy")
    base: Any = wrappers.BaseParallelWrapper
    called = {one: (names or {}).get(one, one) for one in actions}

    def told(infos: Mapping[str, Any], blocked: Mapping[str, int]) -> dict[str, Any]:
        found: dict[str, Any] = {one: dict(info) for one, info in infos.items()}
        for one in found:
            allowed, own = (m.allowed(called[one]), actions[one]) if one in actions else ([], {})
            mask = [own.get(number) in allowed for number in range(max(own, default=-1) + 1)]
            found[one] |= {"action_mask": numpy.array(mask, dtype="int8"), "blocked": blocked.get(one)}
        return found

    class Shielded(base):  # type: ignore[misc]  # the package may not be there to say what it is
        """A parallel environment with a shield."""

        def reset(self, seed: int | None = None, options: Any = None) -> Any:
            """Begin an episode, and a run."""
            observations, infos = self.env.reset(seed=seed, options=options)
            m.reset(see(observations) if see else None)
            return observations, told(infos, {})

        def step(self, wanted: Mapping[str, Any]) -> Any:
            """One joint step, with the actions or others that are allowed."""
            given, made, blocked = dict[str, str](), dict(wanted), dict[str, int]()
            for one in (one for one in self.possible_agents if one in wanted and one in actions):
                chosen = m.choose(called[one], actions[one].get(int(wanted[one])), given, actions[one].values())
                given[called[one]] = chosen
                made[one] = next(number for number, name in actions[one].items() if name == chosen)
                blocked |= {one: int(wanted[one])} if made[one] != int(wanted[one]) else {}
            observations, rewards, ended, cut, infos = self.env.step(made)
            m.step(given, see(observations) if see else None)
            return observations, rewards, ended, cut, told(infos, blocked)

    return Shielded(env)
