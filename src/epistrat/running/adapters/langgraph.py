"""Nodes of the package langgraph that ask a monitor before they go on to another node."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from epistrat.running.runtime.answers import Answer, Blocked
from epistrat.running.runtime.monitor import Monitor

# What follows is copied into generated files.


def langgraph_node(
    m: Monitor,
    node: Callable[..., Any],
    me: str,
    *,
    agent: str | None = None,
    action: Callable[[str, str], str | None],
    instead: Callable[[Any, Answer], Any] | None = None,
) -> Callable[..., Any]:
    """The node; where it goes (``Command.goto``) is an action of the model, recorded if it is allowed.

    ``action(me, goto)`` names the action, None if going there is none.  ``instead(state, decision)`` gives another command where it is not
    allowed; without it `Blocked` is raised.
    """
    command = import_module("langgraph.types").Command

    def asked(state: Any, result: Any) -> Any:
        goto = result.goto if isinstance(result, command) else ()
        for target in (goto,) if isinstance(goto, str) else goto:
            named = action(me, target if isinstance(target, str) else target.node)
            decision = None if named is None else m.admit(agent, named, None, "tell", 0)
            if decision is not None and decision.kind in ("blocked", "refused"):
                if instead is None:
                    raise Blocked(decision)
                return instead(state, decision)
        return result

    @functools.wraps(node)
    def guarded(state: Any, *arguments: Any, **keywords: Any) -> Any:
        return asked(state, node(state, *arguments, **keywords))

    @functools.wraps(node)
    async def awaited(state: Any, *arguments: Any, **keywords: Any) -> Any:
        return asked(state, await node(state, *arguments, **keywords))

    return awaited if import_module("inspect").iscoroutinefunction(node) else guarded


def langgraph_state(m: Monitor, key: str = "epistrat") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator for nodes: the run that the monitor follows is kept in the graph's state, and so in its checkpoints."""

    def wrap(node: Callable[..., Any]) -> Callable[..., Any]:
        def begun(state: Any) -> None:
            if state.get(key):
                m.restore(state[key])

        def saved_in(result: Any) -> Any:
            update = getattr(result, "update", None) if hasattr(result, "goto") else result
            saved = {**(update or {}), key: m.snapshot()}
            return import_module("dataclasses").replace(result, update=saved) if hasattr(result, "goto") else saved

        @functools.wraps(node)
        def kept(state: Any, *arguments: Any, **keywords: Any) -> Any:
            begun(state)
            return saved_in(node(state, *arguments, **keywords))

        @functools.wraps(node)
        async def awaited(state: Any, *arguments: Any, **keywords: Any) -> Any:
            begun(state)
            return saved_in(await node(state, *arguments, **keywords))

        return awaited if import_module("inspect").iscoroutinefunction(node) else kept

    return wrap
