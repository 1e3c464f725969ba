"""The server: tools with budgets, the language as a resource, prompts.  Standard input and output, nothing is written, no network."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from epistrat import scenarios
from epistrat.assistants.errands import LONGEST_TEXT, Mistake, error_page
from epistrat.children.asynchronous import AsyncChild
from epistrat.children.child import GRACE, ChildEnded
from epistrat.records import dataclass

AT_ONCE = 2
READING = 10.0
"""Seconds for what needs no engine: messages and layout."""
_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_ABOUT = (
    "epistrat checks models of multi-agent systems: what happens, who knows what, which groups can enforce what. "
    "Read epistrat://language before writing a model; a rejected model comes back with diagnostics "
    "to mend it by. Every question has a budget in seconds."
)

Seconds = Annotated[float, Field(gt=0, description="how long the question may take; what is open then is unknown")]
ModelText = Annotated[
    str | None, Field(max_length=LONGEST_TEXT, description="the model, as ISPL text (see epistrat://language)")
]
ModelFile = Annotated[str | None, Field(description="or a file below the server's folder")]
Formulae = Annotated[list[str] | None, Field(max_length=50, description="formulae in place of the model's own")]
Parameters = Annotated[dict[str, int] | None, Field(description="values of the model's parameters")]
Readings = Literal["any", "uniform", "objective", "subjective"] | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What this server reads and what a question may use."""

    root: Path
    most_seconds: float = 60.0
    most_memory: int = 2_000_000_000


class Desk:
    """Has calls served, each in a process of its own, so many at a time."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds, self._free = bounds, asyncio.Semaphore(AT_ONCE)

    async def ask(self, tool: str, given: Mapping[str, Any], seconds: float = READING) -> dict[str, Any]:
        """The answer of a tool; raises `ToolError` for a call that makes no sense."""
        if seconds > self._bounds.most_seconds:
            raise ToolError(f"seconds is at most {self._bounds.most_seconds:g} here")
        async with self._free:
            child = await AsyncChild.of("epistrat.assistants.worker", memory=2 * self._bounds.most_memory)
            try:
                await child.send((tool, dict(given), str(self._bounds.root), self._bounds.most_memory))
                kind, found = await asyncio.wait_for(child.receive(), seconds + 2 * GRACE)
            except TimeoutError:
                return {"accepted": None, "ending": {"how": "limit", "reason": f"time limit of {seconds:g} s reached"}}
            except ChildEnded as ended:
                return {"accepted": None, "ending": {"how": "crashed", "reason": str(ended)}}
            finally:
                with contextlib.suppress(ProcessLookupError):
                    await child.kill()
        if kind == "mistake":
            raise ToolError(found)
        return dict(found)


def server_of(bounds: Bounds, version: str = "") -> MCPServer[Any]:
    """The server, with everything that it offers."""
    server: MCPServer[Any] = MCPServer("epistrat", instructions=_ABOUT, version=version, log_level="ERROR")
    desk = Desk(bounds)
    _checking(server, desk)
    _looking(server, desk)
    _resources(server)
    _prompts(server)
    return server


def _checking(server: MCPServer[Any], desk: Desk) -> None:
    """Tools that ask engines."""

    @server.tool(annotations=_READ_ONLY)
    async def check(
        seconds: Seconds,
        text: ModelText = None,
        file: ModelFile = None,
        formulae: Formulae = None,
        only: Annotated[
            list[str] | None, Field(description="only these formulae of the model, by name or number")
        ] = None,
        parameters: Parameters = None,
        strategies: Readings = None,
    ) -> dict[str, Any]:
        """Does the model satisfy its formulae? Verdicts with reasons; for a model that is rejected, diagnostics with place and fix."""
        chosen = None if only is None else [int(one) if one.isdecimal() and len(one) < 10 else one for one in only]
        given = {"text": text, "file": file, "formulae": formulae, "only": chosen, "parameters": parameters}
        return await desk.ask("check", {**given, "strategies": strategies, "seconds": seconds}, seconds)

    @server.tool(annotations=_READ_ONLY)
    async def explain(
        text: ModelText = None,
        file: ModelFile = None,
        formula: Annotated[str | None, Field(description="the formula whose verdict is to be explained")] = None,
        seconds: Annotated[float | None, Field(gt=0)] = None,
        parameters: Parameters = None,
        code: Annotated[
            str | None, Field(description="the code of a message, such as E016, in place of all others")
        ] = None,
    ) -> dict[str, Any]:
        """Why does a formula hold or fail, in words (text or file, formula, seconds); or what does a message's code mean (code)?"""
        given = {
            "text": text,
            "file": file,
            "formula": formula,
            "seconds": seconds,
            "parameters": parameters,
            "code": code,
        }
        return await desk.ask("explain", given, seconds or READING)

    @server.tool(annotations=_READ_ONLY)
    async def strategy(
        seconds: Seconds,
        formula: Annotated[str, Field(description="what to enforce, such as <g>F win")],
        text: ModelText = None,
        file: ModelFile = None,
        parameters: Parameters = None,
        strategies: Readings = None,
    ) -> dict[str, Any]:
        """Has the group a strategy? If so its rules, and whether they were re-checked."""
        given = {"text": text, "file": file, "formula": formula, "parameters": parameters, "strategies": strategies}
        return await desk.ask("strategy", {**given, "seconds": seconds}, seconds)


def _looking(server: MCPServer[Any], desk: Desk) -> None:
    """Tools that look at a model or a run."""

    @server.tool(annotations=_READ_ONLY)
    async def simulate(
        seconds: Seconds,
        text: ModelText = None,
        file: ModelFile = None,
        parameters: Parameters = None,
        steps: Annotated[int, Field(ge=0, le=1000)] = 10,
        seed: int = 0,
        actions: Annotated[
            list[str | dict[str, str]] | None,
            Field(max_length=1000, description="follow these: action names, or in a synchronous model who does what"),
        ] = None,
    ) -> dict[str, Any]:
        """A random run; or how far given actions go, and what is allowed there."""
        given = {"text": text, "file": file, "parameters": parameters, "steps": steps, "seed": seed, "actions": actions}
        return await desk.ask("simulate", {**given, "seconds": seconds}, seconds)

    @server.tool(annotations=_READ_ONLY)
    async def conform(
        seconds: Seconds,
        log: Annotated[
            str,
            Field(max_length=LONGEST_TEXT, description='JSON lines such as {"action": "lease[1]", "see": {"A.x": 1}}'),
        ],
        text: ModelText = None,
        file: ModelFile = None,
        formulae: Formulae = None,
        hidden: Annotated[list[str] | None, Field(description="actions that happen without being told")] = None,
        parameters: Parameters = None,
    ) -> dict[str, Any]:
        """Is this log a run of the model?"""
        given = {
            "text": text,
            "file": file,
            "formulae": formulae,
            "hidden": hidden,
            "parameters": parameters,
            "log": log,
        }
        return await desk.ask("conform", {**given, "seconds": seconds}, seconds)

    @server.tool(annotations=_READ_ONLY)
    async def diagnostics(
        text: ModelText = None, file: ModelFile = None, parameters: Parameters = None
    ) -> dict[str, Any]:
        """Messages about a model: what is wrong, where, and what may be meant."""
        return await desk.ask("diagnostics", {"text": text, "file": file, "parameters": parameters})

    @server.tool(annotations=_READ_ONLY, name="format")
    async def layout(text: ModelText = None, file: ModelFile = None) -> dict[str, Any]:
        """The model in its canonical layout."""
        return await desk.ask("format", {"text": text, "file": file})


def _page(name: str) -> str:
    return files("epistrat.assistants").joinpath(name).read_text(encoding="utf-8")


def _resources(server: MCPServer[Any]) -> None:
    @server.resource("epistrat://language", mime_type="text/markdown")
    def language() -> str:
        """One page to write models from: grammar, modelling, the usual mistakes."""
        return _page("language.md")

    @server.resource("epistrat://operators", mime_type="text/markdown")
    def operators() -> str:
        """What formulae are made of."""
        return _page("operators.md")

    @server.resource("epistrat://errors/{code}", mime_type="text/markdown")
    def errors(code: str) -> str:
        """What a message's code means."""
        try:
            return error_page(code)
        except Mistake as mistake:
            raise ValueError(str(mistake)) from None

    @server.resource("epistrat://examples/{name}", mime_type="text/plain")
    def examples(name: str) -> str:
        """A model to learn from, by its name."""
        if name not in scenarios.names():
            raise ValueError(f"there is no example {name}; there are {', '.join(scenarios.names())}")
        return scenarios.text(name)


def _prompts(server: MCPServer[Any]) -> None:
    @server.prompt()
    def write_model(story: str) -> str:
        """From a story to a checked model."""
        return (
            "Read the resource epistrat://language. Then write a model for the following story: name the agents, what each sees, "
            "what each can do, and the questions that matter as named formulae. Call `diagnostics` until the model is accepted, then "
            f"`check`, and say what was found and what the model leaves out.\n\n{story}"
        )

    @server.prompt()
    def mend(text: str) -> str:
        """Mend a model that is rejected."""
        return (
            "Call `diagnostics` with this model, look up codes that are not clear with `explain`, mend what is wrong without "
            f"changing what the model means, and call `diagnostics` again until it is accepted.\n\n{text}"
        )

    @server.prompt()
    def why(text: str, formula: str) -> str:
        """Say why a formula holds or fails."""
        return (
            f"Call `explain` with this model and the formula {formula}. Say in a few sentences, for somebody who does not know the model, "
            f"why it holds or fails, and name the run or the states that show it.\n\n{text}"
        )


def serve(bounds: Bounds, version: str) -> None:
    """Serve until the client leaves."""
    server_of(bounds, version).run("stdio")
