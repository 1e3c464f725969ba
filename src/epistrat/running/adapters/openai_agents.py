"""Tools, guardrails and hand-offs of the package openai-agents that ask a monitor."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from epistrat.running.runtime.monitor import Monitor

# What follows is copied into generated files.


def openai_tool(
    m: Monitor,
    tool: Any,
    agent: str,
    action: str | Callable[[Mapping[str, Any]], str],
    *,
    blocked: str = "tell",
    timeout: float = 10,
    see: Mapping[str, Any] | None = None,
) -> Any:
    """The tool (or function), called only if the monitor allows its action; otherwise the sentence that says why is its result.

    ``action`` is a name, or a function of the tool's arguments as a dict.  With ``blocked`` "wait" it waits as long as that makes sense.
    """
    agents = import_module("agents")
    if not isinstance(tool, agents.FunctionTool):
        tool = agents.function_tool(tool)
    call = tool.on_invoke_tool

    async def guarded(context: Any, arguments: str) -> Any:
        named = action if isinstance(action, str) else action(json.loads(arguments or "{}"))
        decision = await m.admit_later(agent, named, see, blocked, timeout)
        return decision.text if decision.kind in ("blocked", "refused") else await call(context, arguments)

    return replace(tool, on_invoke_tool=guarded)


def openai_guardrail(m: Monitor, guardrail: Any, agent: str | None = None, *, passed: str, tripped: str) -> Any:
    """The input guardrail (or its function); what it decides is recorded as one of two actions."""
    agents = import_module("agents")
    if not isinstance(guardrail, agents.InputGuardrail):
        guardrail = agents.InputGuardrail(guardrail_function=guardrail)
    decide = guardrail.guardrail_function

    async def recorded(*arguments: Any) -> Any:
        found = decide(*arguments)
        result = await found if hasattr(found, "__await__") else found
        m.event(agent, tripped if result.tripwire_triggered else passed)
        return result

    return replace(guardrail, guardrail_function=recorded, name=guardrail.get_name())


def openai_handoff(m: Monitor, target: Any, agent: str, action: str) -> Any:
    """A hand-off that is offered only while the monitor allows its action, which is recorded when it happens."""
    agents = import_module("agents")
    return agents.handoff(
        target,
        on_handoff=lambda context: m.act(agent, action) and None,
        is_enabled=lambda context, speaker: m.ask(agent, action).ok,
    )
