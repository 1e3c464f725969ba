"""Phrases: lists, names, values, and facts about many agents said in one breath."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from epistrat.model.agent import ENVIRONMENT, Variable
from epistrat.model.state import Joint, State
from epistrat.model.system import System
from epistrat.terms import Boolean, Value

MOST_NAMES = 6
_EXACT_DIGITS = 40  # longer numbers are rounded
IDLE = frozenset({"nothing", "none", "null", "no_op", "noop", "nop", "skip", "idle", "wait", "do_nothing"})
"""Names that models give to the action of doing nothing."""


def listed(items: Sequence[str], most: int | None = None) -> str:
    """``a, b and c``; beyond ``most`` the rest is counted."""
    items = list(items)
    if most is not None and len(items) > most:
        return f"{', '.join(items[:most])} and {len(items) - most} more"
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def counted(count: int, word: str) -> str:
    """``1 step``, ``3 steps``, ``12,345 states``; huge numbers by their size."""
    plural = word if count == 1 else f"{word}s"
    return f"{number(count)} {plural}"


def number(count: int) -> str:
    """A count with all its digits, ``12,345``; one too long to read is rounded, and says so."""
    digits = str(count)
    return f"{count:,}" if len(digits) <= _EXACT_DIGITS else f"about {digits[0]}.{digits[1:4]}e{len(digits) - 1}"


def show_value(value: Value) -> str:
    """A value as ISPL writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def label(system: System, variable: Variable) -> str:
    """What to call a variable: the Environment's by their own names where these are unique, others with their owner."""
    if variable.owner == ENVIRONMENT and sum(other.name == variable.name for other in system.variables) == 1:
        return variable.name
    return str(variable)


def facts(system: System, positions: Iterable[int], state: State) -> tuple[str, ...]:
    """What the variables at these positions are, those of the same name together: ``coin: C1 tail, 49 others head``."""
    groups: dict[str, list[int]] = {}
    for index in positions:
        groups.setdefault(system.variables[index].name, []).append(index)
    return tuple(
        _one(system, system.variables[indices[0]], state[indices[0]])
        if len(indices) == 1
        else _several(system, name, indices, state)
        for name, indices in groups.items()
    )


def _one(system: System, variable: Variable, value: Value) -> str:
    name = label(system, variable)
    if isinstance(variable.domain, Boolean):
        return name if value else f"not {name}"
    return f"{name} = {show_value(value)}"


def _several(system: System, name: str, indices: list[int], state: State) -> str:
    """Variables of one name.  "All" and "nobody" are said only where every variable of this name is meant."""
    by_value: dict[Value, list[str]] = {}
    for index in indices:
        by_value.setdefault(state[index], []).append(system.variables[index].owner)
    everyone = frozenset(variable.owner for variable in system.variables if variable.name == name)
    boolean = all(isinstance(system.variables[index].domain, Boolean) for index in indices)
    if boolean and len(indices) == len(everyone):
        return f"{name}: {_who(by_value.get(True, []), len(everyone))}"
    return f"{name}: {shares({show_value(value): owners for value, owners in by_value.items()}, everyone)}"


def _who(owners: list[str], everyone: int) -> str:
    if not owners:
        return "nobody"
    if len(owners) == everyone:
        return f"all {everyone}" if everyone > MOST_NAMES else listed(owners)
    if everyone - len(owners) < min(len(owners), 3) and len(owners) > MOST_NAMES:
        return f"{len(owners)} of {everyone}"
    return listed(owners, MOST_NAMES)


def shares(by_value: Mapping[str, list[str]], everyone: frozenset[str]) -> str:
    """Who has which value: small shares by name, the largest by its size if it is large; "all" only if that is everyone."""
    *rare, (value, owners) = sorted(by_value.items(), key=lambda item: len(item[1]))
    if len(owners) > 1 and everyone == frozenset(owners):
        return f"all {value}"
    said = [f"{listed(names, MOST_NAMES)} {word}" for word, names in rare]
    said.append(
        f"{len(owners)} others {value}" if rare and len(owners) > 3 else f"{listed(owners, MOST_NAMES)} {value}"
    )
    return ", ".join(said)


def _by_action(system: System, joint: Joint, only: frozenset[str] | None, choices: int) -> dict[str, list[str]]:
    """Who did what, of those that have so many actions at least."""
    found: dict[str, list[str]] = {}
    for agent, action in zip(system.agents, joint, strict=True):
        if len(agent.actions) < choices or action is None or action.lower() in IDLE:
            continue
        if only is None or agent.name in only:
            found.setdefault(action, []).append(agent.name)
    return found


def acts(system: System, joint: Joint, only: frozenset[str] | None = None) -> tuple[str, ...]:
    """Who did what; those who do the same are named together, those who do nothing are not mentioned.

    Nor are those who have no choice, unless nobody has.
    """
    if system.interleaved:
        name = next((action for action in joint if action is not None), None)
        if name is None:
            return ("nothing can happen any more",)
        who = [agent.name for agent, action in zip(system.agents, joint, strict=True) if action is not None]
        return (f"{name} ({listed(who, MOST_NAMES)})",)
    by_action = _by_action(system, joint, only, 2) or _by_action(system, joint, only, 1)
    if sum(map(len, by_action.values())) > MOST_NAMES:
        everyone = frozenset(agent.name for agent in system.agents if agent.actions and agent.name != ENVIRONMENT)
        return (shares(by_action, everyone),)
    return tuple(f"{listed(names)}: {action}" for action, names in by_action.items()) or ("nobody does anything",)
