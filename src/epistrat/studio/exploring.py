"""Serves the calls that show a part of the graph of states: around given states, or as one agent sees it."""

from __future__ import annotations

from epistrat.encoding.smt.initial import some_initial_states
from epistrat.explain.words import acts
from epistrat.model.state import Joint, State, show_act
from epistrat.model.system import System
from epistrat.render.json.cursor import Datum
from epistrat.render.json.report import joint_json, state_json
from epistrat.render.labels import in_full
from epistrat.service.excerpt import MOST_STEPS, Excerpt, as_seen, excerpt
from epistrat.service.simulation import Simulation
from epistrat.service.worlds import observers
from epistrat.solvers.budget import Budget
from epistrat.studio import shapes
from epistrat.studio.data import Tell, system_data
from epistrat.studio.walking import open_simulation_of, reader_of, simulation_along
from epistrat.terms import Value

_AT_FIRST = 24
"""So many states are looked into where none is named."""
_FOR_ONE = 3_000
"""So many where one agent looks: its boxes are fewer than the states."""
_INITIAL = 12
MOST_BOXES = 200


def explore(call: Datum, _: Tell) -> shapes.Explored:
    """Look into the given states; without any, from the initial states on, a few from the ``begin``-th; seen by an ``agent``, further."""
    simulation = open_simulation_of(call)
    system = simulation.system
    given = None
    if "states" in call:
        given = reader_of(simulation).path(Datum({"states": call["states"].value, "actions": []}, "states")).states
    begin = call["begin"].count() if "begin" in call else 0
    agent = call["agent"].text() if "agent" in call else ""
    if agent and agent not in system.views:
        raise LookupError(f"there is no agent {agent} that sees anything")
    if given is not None:
        found = excerpt(system, given, len(given))
    elif agent:
        found = _as_seen(system, agent)
    else:
        found = excerpt(system, simulation.initial_states[begin : begin + _INITIAL], _AT_FIRST)
    more = len(simulation.initial_states) > begin + _INITIAL
    begins = set(simulation.initial_states)
    return {
        "system": system_data(system),
        "picture": {"nodes": _nodes(simulation, found, begins), "edges": _edges(system, found, agent)},
        "open": [f"x{index}" for index in sorted(found.open)],
        "more_initial": more and given is None and not agent,
    }


def worlds(call: Datum, _: Tell) -> shapes.Kripke:
    """What agents consider possible at each moment of a run."""
    simulation = simulation_along(call)
    system = simulation.system
    found = simulation.worlds()
    return {
        "system": system_data(system),
        "observers": observers(system),
        "moments": [
            {
                "worlds": [
                    {"state": state_json(system, state), "origin": origin, "marks": list(marks), "out": out}
                    for state, origin, marks, out in zip(one.states, one.origin, one.marks, one.out, strict=True)
                ],
                "more": one.more,
            }
            for one in found
        ],
    }


def _as_seen(system: System, agent: str) -> Excerpt:
    """As one agent sees it, from as many states as leave few enough boxes."""
    view = system.views[agent]
    boxes: set[tuple[Value, ...]] = set()

    def enough(state: State) -> bool:
        boxes.add(tuple([state[index] for index in view]))
        return len(boxes) >= MOST_BOXES - MOST_STEPS

    start, _ = some_initial_states(system, _FOR_ONE, Budget())
    return as_seen(system, agent, excerpt(system, start, _FOR_ONE, enough))


def _nodes(simulation: Simulation, found: Excerpt, begins: set[State]) -> list[shapes.Node]:
    nodes: list[shapes.Node] = []
    for index, state in enumerate(found.states):
        marks = [*(["initial"] if state in begins else []), *(["dead end"] if index in found.dead_ends else [])]
        node: shapes.Node = {
            "id": f"x{index}",
            "lines": [],
            "marks": marks,
            "state": state_json(simulation.system, state),
        }
        nodes.append(node if found.stands_for[index] == 1 else {**node, "many": found.stands_for[index]})
    return nodes


def _edges(system: System, found: Excerpt, agent: str) -> list[shapes.Edge]:
    return [
        {
            "from": f"x{source}",
            "to": f"x{target}",
            "label": _own(system, joints, agent) if agent else in_full(system, joints),
            "kind": "step",
            "joint": joint_json(system, joints[0]) if len(joints) == 1 and not agent else None,
        }
        for (source, target), joints in found.steps.items()
    ]


def _own(system: System, joints: list[Joint], agent: str) -> str:
    """What one agent does on an edge."""
    place = next(index for index, one in enumerate(system.agents) if one.name == agent)
    own = dict.fromkeys(show_act(act) for joint in joints if (act := joint[place]) is not None)
    return ", ".join(own) if own else "; ".join(acts(system, joints[0])) if system.interleaved else ""
