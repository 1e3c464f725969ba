"""The guards of a program as conditions: a table."""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.model.programs import Guard, Implementation
from epistrat.terms import FALSE, TRUE, Expr
from epistrat.terms.show import show_condition


def guard_table(implementation: Implementation, written: tuple[str, ...]) -> Iterator[str]:
    """For each guard when it is true: at which values of the clock or the memory, under which condition on what the agent sees."""
    for guard, text in zip(implementation.printed_guards, written, strict=True):
        yield f"{guard.agent}  {text}"
        for when, condition in _joined(guard):
            yield f"    {_times(implementation, guard, when)}{_shown(guard, condition)}"
    if implementation.printed_guards:
        yield ""
        yield from keeping(implementation)


def keeping(implementation: Implementation) -> Iterator[str]:
    """What is counted and remembered."""
    clock = implementation.clock
    if clock is not None and clock.last:
        then = "stays there" if clock.back == clock.last else f"goes on with {clock.back}"
        yield f"The clock counts the steps up to {clock.last} and {then}."
    for name, memory in implementation.memories.items():
        if len(memory.rows) > 1:
            yield f"{name} remembers one of {len(memory.rows)} things."


def remarks(implementation: Implementation, written: tuple[str, ...]) -> Iterator[str]:
    """Guards that make no difference."""
    for guard, text in zip(implementation.guards, written, strict=True):
        if guard.is_never:
            yield f"{guard.agent}: `{text}` is never true, so this line is never taken"
        elif guard.is_always:
            yield f"{guard.agent}: `{text}` is always true"


def _joined(guard: Guard) -> list[tuple[list[int], Expr]]:
    """Neighbouring values with the same condition together."""
    found: list[tuple[list[int], Expr]] = []
    for value, condition in guard.at:
        if found and value is not None and found[-1][1] == condition:
            found[-1][0].append(value)
        else:
            found.append(([] if value is None else [value], condition))
    return found if len(found) > 1 else [([], condition) for _, condition in found]


def _times(implementation: Implementation, guard: Guard, values: list[int]) -> str:
    if not values:
        return ""
    clock = implementation.clock
    counts = clock is not None and guard.agent not in implementation.memories
    several = f"{values[0]}..{values[-1]}" if len(values) > 1 else f"{values[0]}"
    if counts and clock is not None and clock.back == clock.last and values[-1] == clock.last:
        several = f">= {values[0]}"
    sign = " = " if several.isdigit() else " "
    return f"{guard.mind}{sign}{several}: "


def _shown(guard: Guard, condition: Expr) -> str:
    if condition in (TRUE, FALSE):
        return "always" if condition == TRUE else "never"
    return show_condition(condition, guard.agent)
