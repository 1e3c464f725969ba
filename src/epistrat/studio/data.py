"""What the page draws, as plain data: systems, answers, explanations, pictures.  States and runs are written as in every report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from epistrat.answers import Explanation, Facts, Result
from epistrat.answers.explanation import Block, Compare, Detail, Moment, Policy, Rules, Say, Scene
from epistrat.evidence.trace import Path
from epistrat.explain.words import label
from epistrat.model.agent import Variable
from epistrat.model.state import show_act
from epistrat.model.system import System
from epistrat.render.graph import Picture, tree_picture
from epistrat.render.json.cursor import Datum
from epistrat.render.json.report import joint_json, state_json
from epistrat.render.replay import show_replay
from epistrat.render.tree import conditions
from epistrat.render.wording import Wording
from epistrat.service import Text
from epistrat.source import Diagnostic
from epistrat.studio import shapes

Tell: TypeAlias = Callable[[shapes.Event], None]
Parameters: TypeAlias = tuple[tuple[str, int], ...]


def given_parameters(call: Datum) -> Parameters:
    """The values that a call gives to the parameters of its text."""
    if "parameters" not in call:
        return ()
    return tuple(sorted((name, value.count()) for name, value in call["parameters"].items()))


def model_of(call: Datum) -> Text:
    """The model of a call: its text, sizes, and, where it is in a file, the folder of that."""
    folder = call["folder"].text() if "folder" in call else None
    return Text(call["text"].text(), call["name"].text(), dict(given_parameters(call)), folder)


def system_data(system: System) -> shapes.System:
    """Names: who there is, what each sees and can do."""
    names = [str(variable) for variable in system.variables]
    return {
        "agents": [
            {
                "name": agent.name,
                "actions": list(agent.actions),
                "variables": [str(variable) for variable in agent.variables],
                "sees": [names[index] for index in system.views.get(agent.name, ())],
            }
            for agent in system.agents
        ],
        "variables": [_variable(system, variable) for variable in system.variables],
        "groups": {name: list(members) for name, members in system.groups.items()},
        "propositions": list(system.propositions),
        "interleaved": system.interleaved,
    }


def _variable(system: System, variable: Variable) -> shapes.Variable:
    return {
        "key": str(variable),
        "agent": variable.owner,
        "name": variable.name,
        "label": label(system, variable),
        "domain": str(variable.domain),
    }


def result_data(system: System | None, result: Result) -> shapes.Result:
    """An answer with its explanations and, for each, the states it speaks of as a picture."""
    found: shapes.Result = {
        "index": result.index,
        "text": result.text,
        "name": result.question.name,
        "verdict": result.verdict.value,
        "engine": result.engine,
        "seconds": round(result.seconds, 3),
        "why": result.why,
        "reason": result.reason,
        "advice": Wording.FORM.advice(result.advice),
        "notes": [*([f"{result.verdict.value}, {result.read_as}."] if result.read_as else []), *result.notes],
        "trivial": result.only_because,
        "property": result.question.property,
        "rechecked": list(show_replay(result.replay, system))
        if result.replay is not None and system is not None
        else [],
        "complete": result.replay is not None and result.replay.complete,
        "explanations": [],
        "path": None,
    }
    if system is None:
        return found
    pairs = zip(result.explanations, result.trees, strict=False)
    found["explanations"] = [
        explanation_data(system, one, tree_picture(system, tree, reading=result.reading)) for one, tree in pairs
    ]
    found["path"] = run_data(system, result.path) if result.path is not None else None
    return found


def run_data(system: System, path: Path) -> shapes.Run:
    """States and the joint actions between them."""
    return {
        "states": [state_json(system, state) for state in path.states],
        "actions": [joint_json(system, joint) for joint in path.actions],
    }


def message_data(diagnostic: Diagnostic) -> shapes.Message:
    """A message about the model."""
    at = diagnostic.position
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "label": diagnostic.label,
        "notes": list(diagnostic.notes),
        "line": at.line if at is not None else None,
        "column": at.column if at is not None else None,
    }


def facts_data(facts: Facts) -> shapes.Facts:
    """What is known of the states; a number too large for the page is a text."""
    states = facts.states
    return {
        "states": str(states) if isinstance(states, int) and states > 2**53 else states,
        "dead_ends": facts.dead_ends if facts.dead_ends is None else str(facts.dead_ends),
        "reason": facts.reason,
    }


def explanation_data(system: System, explanation: Explanation, picture: Picture) -> shapes.Explanation:
    """An explanation: a sentence, blocks, and the states it speaks of."""
    blocks = [_block(system, block) for block in explanation.blocks]
    return {"sentence": explanation.sentence, "blocks": blocks, "picture": picture_data(system, picture)}


def _block(system: System, block: Block) -> shapes.Block:
    match block:
        case Say(text):
            return {"kind": "say", "text": text}
        case Scene():
            return {"kind": "scene", **_scene(system, block)}
        case Compare(left, right, agents, shared):
            return {
                "kind": "compare",
                "left": _scene(system, left),
                "right": _scene(system, right),
                "agents": list(agents),
                "shared": list(shared),
            }
        case Rules(policies):
            return {"kind": "rules", "policies": [policy_data(system, policy) for policy in policies]}
        case Detail(title, blocks):
            return {"kind": "detail", "title": title, "blocks": [_block(system, one) for one in blocks]}


def _scene(system: System, scene: Scene) -> shapes.Scene:
    moments = [_moment(system, moment) for moment in scene.moments]
    return {"title": scene.title, "moments": moments, "loop": scene.loop, "omitted": scene.omitted}


def _moment(system: System, moment: Moment) -> shapes.Moment:
    return {
        "index": moment.index,
        "state": state_json(system, moment.state),
        "joint": None if moment.joint is None else joint_json(system, moment.joint),
        "acts": list(moment.acts),
        "facts": list(moment.facts),
        "changed": moment.changed,
        "noticed": moment.noticed,
    }


def policy_data(system: System, policy: Policy) -> shapes.Policy:
    """The rules of one agent, in words."""
    several = len(policy.rules) > 1
    rules: list[shapes.Rule] = [
        {"when": conditions(system, policy.agent, rule) if several else "always", "do": show_act(rule.action)}
        for rule in policy.rules
    ]
    return {"agent": policy.agent, "uniform": policy.uniform, "rules": rules}


def picture_data(system: System, picture: Picture) -> shapes.Picture:
    """States as nodes, steps and look-alikes as edges."""
    return {
        "nodes": [
            {
                "id": node.key,
                "lines": list(node.lines),
                "marks": sorted(node.marks),
                "state": state_json(system, picture.states[node.key]),
            }
            for node in picture.nodes.values()
        ],
        "edges": [
            {
                "from": edge.source,
                "to": edge.target,
                "label": edge.label,
                "kind": edge.kind,
                "joint": None if edge.joint is None else joint_json(system, edge.joint),
            }
            for edge in picture.edges
        ],
    }
