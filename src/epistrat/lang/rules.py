"""Which sections a program must have, and which only once: one function per rule."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.lang.lexer import Words
from epistrat.lang.syntax import AgentNode, Program
from epistrat.model.agent import ENVIRONMENT
from epistrat.source import Related


def check_sections(program: Program, words: Words) -> None:
    """Reports sections that are missing, repeated or in the wrong place."""
    for rule in _RULES:
        rule(program, words)


def _repeated_sections(program: Program, words: Words) -> None:
    """Every section is written once."""
    _once(program.sections, words)
    _once([(name, at - 2) for name, at in program.settings], words)
    for agent in program.agents:
        _once(agent.sections, words)


def _once(sections: list[tuple[str, int]], words: Words) -> None:
    seen: dict[str, int] = {}
    for name, at in sections:
        if name in seen:
            first = words.span(seen[name], seen[name] + 1)
            related = (Related(first, "first written here"),)
            words.error("E009", f"{name} is written twice", at, related=related)
        seen.setdefault(name, at)


def _needs_agents(program: Program, words: Words) -> None:
    """There is an agent."""
    if not program.agents:
        words.error("E010", "a model needs an agent", 0)


def _needs_initial_states(program: Program, words: Words) -> None:
    """There is an initial condition."""
    if program.initial is not None:
        return
    for name, at in program.sections:
        if name == "InitStates":
            if words.report.ok:  # else the condition is there and could not be read
                words.error("E010", "InitStates has no condition", at)
            return
    words.error("E010", "the section InitStates is missing", words.count)


def _agents_are_complete(program: Program, words: Words) -> None:
    """An agent says what it can do and when; the Environment may do anything if it has no protocol."""
    for agent in program.agents:
        written = {name for name, _ in agent.sections}
        name = words.list[agent.name]
        if "Actions" not in written:
            _missing(agent, words, f"{name} has no section Actions")
        elif "Protocol" not in written and agent.actions and name != ENVIRONMENT:
            _missing(agent, words, f"{name} has no section Protocol")


def _missing(agent: AgentNode, words: Words, message: str) -> None:
    words.error("E010", message, agent.start, agent.name + 1)


def _environment_sections(program: Program, words: Words) -> None:
    """Obsvars belong to the Environment, Lobsvars to the other agents."""
    for agent in program.agents:
        is_environment = words.list[agent.name] == ENVIRONMENT
        for name, at in agent.sections:
            if name == "Obsvars" and not is_environment:
                words.error("E035", "only the Environment has Obsvars", at)
            if name == "Lobsvars" and is_environment:
                words.error("E035", "the Environment sees all its variables: no Lobsvars", at)


def _interleaved_has_no_environment(program: Program, words: Words) -> None:
    """An interleaved system consists of normal agents."""
    if not any(words.list[at] == "Interleaved" for name, at in program.settings if name == "Composition"):
        return
    for agent in program.agents:
        if words.list[agent.name] == ENVIRONMENT:
            message, label = "an interleaved system has no Environment", "give the agent another name"
            words.error("E037", message, agent.start, agent.name + 1, label=label)


_RULES: tuple[Callable[[Program, Words], None], ...] = (
    _repeated_sections,
    _needs_agents,
    _needs_initial_states,
    _agents_are_complete,
    _environment_sections,
    _interleaved_has_no_environment,
)
