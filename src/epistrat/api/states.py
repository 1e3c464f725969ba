"""States whose variables have names, for people who write Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.terms import Value


class NamedState(tuple[Value, ...]):
    """A state: the plain tuple of its values, and ``state["A.y"]``, or ``state["y"]`` where only one agent has such a variable."""

    system: System

    def __new__(cls, system: System, values: State) -> NamedState:
        """The values of a system's variables, in their order."""
        made = super().__new__(cls, values)
        made.system = system
        return made

    def __getnewargs__(self) -> tuple[System, State]:
        return self.system, tuple(self)

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(position(self.system, key) if isinstance(key, str) else key)

    def items(self) -> Iterator[tuple[str, Value]]:
        """The variables with their values."""
        return zip(map(str, self.system.variables), self, strict=True)

    def as_dict(self) -> dict[str, Value]:
        """The values by the names of the variables."""
        return dict(self.items())

    def seen_by(self, agent: str) -> dict[str, Value]:
        """What an agent sees of it."""
        if agent not in self.system.views:
            raise LookupError(f"there is no agent {agent!r}; there are {', '.join(self.system.views)}")
        return {str(self.system.variables[index]): self[index] for index in self.system.views[agent]}

    def __repr__(self) -> str:
        return f"State({', '.join(f'{name}={value!r}' for name, value in self.items())})"


def position(system: System, name: str, agent: str = "") -> int:
    """The place of a variable, by its full name, or by its own where that is clear; the variables of ``agent`` come first."""
    names = [str(variable) for variable in system.variables]
    if name in names:
        return names.index(name)
    if agent and f"{agent}.{name}" in names:
        return names.index(f"{agent}.{name}")
    found = [index for index, variable in enumerate(system.variables) if variable.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise LookupError(f"{name!r} is a variable of several agents: {', '.join(names[index] for index in found)}")
    raise LookupError(f"there is no variable {name!r}; there are {', '.join(names)}")


def values_at(system: System, agent: str, given: Mapping[str, Value] | State) -> dict[int, Value]:
    """Values by position: given by names, or as a state, or as the tuple of what the agent sees."""
    if isinstance(given, Mapping):
        return {position(system, name, agent): value for name, value in given.items()}
    if len(given) == len(system.variables):
        return dict(enumerate(given))
    if len(given) == len(system.views[agent]):
        return dict(zip(system.views[agent], given, strict=True))
    seen = ", ".join(str(system.variables[index]) for index in system.views[agent])
    raise LookupError(f"{len(given)} values are neither a state nor what {agent} sees ({seen})")
