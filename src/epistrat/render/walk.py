"""States, steps and knowledge of a walk through a system, in one line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from epistrat.evidence import Path
from epistrat.explain.words import show_value as show_value
from epistrat.model.state import Joint, State
from epistrat.model.step import Step
from epistrat.model.system import System

_MOST_VALUES = 60
_MOST_ACTORS = 20
_LONGEST_PATH = 12


def show_state(system: System, state: State, changed_from: State | None = None) -> str:
    """A state, agent by agent: ``Sender.bit=b1 ack=false   Receiver.state=empty``; or only what changed."""
    places = [
        (variable, state[index])
        for index, variable in enumerate(system.variables)
        if changed_from is None or changed_from[index] != state[index]
    ]
    if not places:
        return "(no variables)" if changed_from is None else "nothing changes"
    parts: list[str] = []
    owner = ""
    for variable, value in places[:_MOST_VALUES]:
        if variable.owner != owner:
            owner = variable.owner
            parts.append(f"{'  ' if parts else ''}{variable}={show_value(value)}")
        else:
            parts.append(f"{variable.name}={show_value(value)}")
    if len(places) > _MOST_VALUES:
        parts.append(f"... and {len(places) - _MOST_VALUES} more")
    return " ".join(parts)


def show_joint(system: System, joint: Joint) -> str:
    """A joint action: ``Sender: sendb1  Receiver: nothing``; the one name where the system is interleaved."""
    if system.interleaved:
        return next((action for action in joint if action is not None), "(nothing happens)")
    acting = [(agent.name, action) for agent, action in zip(system.agents, joint, strict=True) if action is not None]
    shown = "  ".join(f"{name}: {action}" for name, action in acting[:_MOST_ACTORS])
    more = len(acting) - _MOST_ACTORS
    return f"{shown}  ... and {more} more" if more > 0 else shown or "(nobody acts)"


def show_steps(system: System, state: State, steps: Iterable[Step]) -> Iterator[str]:
    """What can happen next, numbered from 1."""
    listed = list(steps)
    width = len(str(len(listed)))
    for number, step in enumerate(listed, start=1):
        yield f"  {number:>{width}}  {show_joint(system, step.joint)}  -> {show_state(system, step.target, state)}"


def show_options(options: Mapping[str, Sequence[str]], chosen: Mapping[str, str]) -> Iterator[str]:
    """What each agent may do, where it has a choice or has made it."""
    open_ = [(name, actions) for name, actions in options.items() if len(actions) > 1]
    width = max((len(name) for name, _ in open_[:_MOST_ACTORS]), default=0)
    for name, actions in open_[:_MOST_ACTORS]:
        shown = f"{chosen[name]} (chosen)" if name in chosen else ", ".join(actions)
        yield f"  {name:<{width}}  {shown}"
    if len(open_) > _MOST_ACTORS:
        yield f"  ... and {len(open_) - _MOST_ACTORS} more agents"


def show_path(system: System, path: Path) -> Iterator[str]:
    """A path, state by state; the middle of a long one is left out."""
    count = len(path.states)
    for index, state in enumerate(path.states):
        if _LONGEST_PATH // 2 <= index < count - _LONGEST_PATH // 2:
            if index == _LONGEST_PATH // 2:
                yield f"   ... {count - _LONGEST_PATH:,} states ..."
            continue
        if index:
            yield f"     {show_joint(system, path.actions[index - 1])}"
        yield f"{index:>3}  {show_state(system, state, path.states[index - 1] if index else None)}"
