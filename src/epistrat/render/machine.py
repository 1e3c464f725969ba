"""Pictures of strategies with memory: a node for each memory, with what is done there; edges say when another one comes next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from textwrap import wrap

from epistrat.answers.explanation import Policy
from epistrat.evidence import Machine, StateStrategy
from epistrat.explain.remembering import answers_to, rules_with
from epistrat.logic.formula import Group
from epistrat.model.initial import each_initial_state
from epistrat.model.state import show_act
from epistrat.model.system import System
from epistrat.render.graph import Edge, Picture, Vertex, strategy_picture
from epistrat.render.tree import conditions

WIDTH = 40  # letters of a line in a node
MOST_LINES = 12  # of one node
MOST_STARTS = 1_000  # initial states, gone through one by one


def machine_picture(system: System, machine: Machine) -> tuple[str, Picture]:
    """What is drawn, in words, and the picture: memories, or, where the state alone decides, what can happen."""
    if machine.remembers or any(row.against for row in machine.rows):
        return "what is done with each memory", _memories(system, machine)
    members = tuple(dict.fromkeys(agent for row in machine.rows for agent, _ in row.do))
    moves = tuple((row.state, tuple(map(dict(row.do).get, members))) for row in machine.rows)
    strategy = StateStrategy(Group(members), moves, machine.complete)
    initial = set(islice(each_initial_state(system), MOST_STARTS))
    starts = [row.state for row in machine.rows if row.state in initial]
    return "what can happen under these rules", strategy_picture(system, strategy, starts or [machine.rows[0].state])


def _memories(system: System, machine: Machine) -> Picture:
    """The memories of a strategy, the first of which is 0."""
    picture = Picture()
    memories = sorted({one for row in machine.rows for one in (row.memory, row.after)})
    for memory in memories:
        rows = [row for row in machine.rows if row.memory == memory]
        *does, then = rules_with(system, rows, True) if rows else [Policy("", ())]
        answers = answers_to(system, rows) if any(row.against for row in rows) else ""
        said = wrap(answers, WIDTH) if answers else [line for one in does for line in _does(system, one)]
        marks = frozenset(("initial",) if memory == 0 else ())
        key = f"m{memory}"
        picture.nodes[key] = Vertex(key, tuple(_shortened(said)), "\n".join(said), marks)
        for after, when in _next(system, then).items():
            lines = ("always",) if len(then.rules) == 1 else tuple(_shortened(when))
            picture.edges.append(Edge(key, f"m{after}", "\n".join(when), lines))
    return picture


def _shortened(lines: list[str]) -> list[str]:
    return lines if len(lines) <= MOST_LINES else [*lines[:MOST_LINES], f"and {len(lines) - MOST_LINES} more lines"]


def _does(system: System, policy: Policy) -> Iterator[str]:
    """What an agent does."""
    if len(policy.rules) == 1:
        yield f"{policy.agent}: {show_act(policy.rules[0].action)}"
        return
    yield f"{policy.agent}:"
    for rule in policy.rules:
        yield from wrap(
            f"  {conditions(system, policy.agent, rule)}: {show_act(rule.action)}", WIDTH, subsequent_indent="    "
        )


def _next(system: System, policy: Policy) -> dict[str, list[str]]:
    """For each memory that comes next when that is so."""
    found: dict[str, list[str]] = {}
    for rule in policy.rules:
        found.setdefault(show_act(rule.action), []).extend(wrap(conditions(system, "", rule), WIDTH))
    return found
