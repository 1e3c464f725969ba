"""Evidence as JSON, version 1: what docs/evidence.md describes and docs/schema/evidence-1.json defines.

States, joint actions and paths are written as in every report (see `epistrat.render.json.report`).  A reason is an object whose
``kind`` names the key under which its body stands.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from epistrat import evidence as e
from epistrat.evidence import Tree
from epistrat.evidence.conditions import as_formula
from epistrat.logic.formula import Reading
from epistrat.logic.show import show
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.render.json.report import act_json, joint_json, path_json, state_json, value_json
from epistrat.terms import Expr, Value
from epistrat.terms.show import show_expr

SCHEMA = "epistrat-evidence/1"
Json: TypeAlias = dict[str, Any]


def evidence_json(system: System, tree: Tree) -> Json:
    """A witness tree as a JSON object that says which version it is."""
    return {"schema": SCHEMA, **_Writer(system).tree(tree)}


def reason_json(system: System, reason: e.Remembered | e.Chosen) -> Json:
    """A strategy with memory, or tables, under the name of its kind."""
    written = _Writer(system).of_strategies(reason)
    return {written["kind"]: written[written["kind"]]}


def lasso_json(system: System, lasso: e.Lasso) -> Json:
    """A lasso: as many actions as states, and where the last action leads."""
    return {
        "states": [state_json(system, state) for state in lasso.states],
        "actions": [joint_json(system, joint) for joint in lasso.actions],
        "loop": lasso.loop,
    }


def strategy_json(system: System, strategy: e.Strategy) -> Json:
    """A strategy: what is done when what is seen."""
    moves: list[Json]
    complete = True
    if isinstance(strategy, e.RuleStrategy):
        rules = [
            {"agent": agent, "when": _condition(when), "do": act_json(action)}
            for agent, table in strategy.rules
            for when, action in table
        ]
        return {"agents": list(strategy.group.members), "rules": rules}
    if isinstance(strategy, e.StateStrategy):
        complete = strategy.complete
        moves = [
            {"when": state_json(system, state), "do": _choice(strategy.group.members, choice)}
            for state, choice in strategy.moves
        ]
    else:
        moves = [
            {"when": _view(system, agent, seen), "do": {agent: act_json(action)}}
            for agent, table in strategy.moves
            for seen, action in table
        ]
    uniform = not isinstance(strategy, e.StateStrategy)
    return {"agents": list(strategy.group.members), "uniform": uniform, "complete": complete, "moves": moves}


def machine_json(system: System, machine: e.Machine) -> Json:
    """A strategy with memory: what is done with which memory when what is seen, and what is remembered then."""
    return {"complete": machine.complete, "rows": [_row(system, row) for row in machine.rows]}


def _row(system: System, row: e.Row) -> Json:
    found: Json = {"memory": row.memory, "when": state_json(system, row.state)}
    if row.against:
        found["against"] = {agent: act_json(act) for agent, act in row.against}
    found |= {"do": {agent: act_json(act) for agent, act in row.do}, "next": row.after}
    return found if row.to is None else found | {"to": state_json(system, row.to)}


def _table(system: System, table: e.Table, visited: set[State]) -> Json:
    """A strategy without memory: what is done in each state, and whether plays come to it."""
    rows = [
        {"when": state_json(system, state), "do": None if act is None else act_json(act), "matters": state in visited}
        for state, act in table.rows
    ]
    return {"strategy": table.variable, "agents": list(table.agents), "rows": rows}


def _punishment(system: System, punishment: e.Punishment) -> Json:
    """How the others keep an agent from its goal when it leaves the run."""
    deviations = [
        {"at": one.at, "do": one.act, "to": state_json(system, one.state), "memory": one.memory}
        for one in punishment.deviations
    ]
    machine = machine_json(system, punishment.machine)
    return {"agent": punishment.agent, "deviations": deviations, "machine": machine}


def _condition(condition: Expr) -> str:
    return show(as_formula(condition))


def _view(system: System, agent: str, seen: tuple[Value, ...]) -> Json:
    names = [str(system.variables[index]) for index in system.views[agent]]
    return {name: value_json(value) for name, value in zip(names, seen, strict=True)}


def _choice(members: tuple[str, ...], choice: e.Choice) -> Json:
    return {name: act_json(act) for name, act in zip(members, choice, strict=True) if act is not None}


class _Writer:
    """Writes trees of one system."""

    def __init__(self, system: System) -> None:
        self._system = system

    def tree(self, tree: Tree) -> Json:
        """A tree node."""
        return {
            "state": state_json(self._system, tree.state),
            "claim": show(tree.claim),
            "holds": tree.holds,
            "because": [self._reason(reason) for reason in tree.because],
        }

    def _reason(self, reason: e.Reason) -> Json:
        system = self._system
        match reason:
            case e.Part(tree):
                return {"kind": "part", "part": self.tree(tree)}
            case e.Along(path, claims):
                return {"kind": "path", "path": path_json(system, path), "claims": self._claims(claims)}
            case e.Around(lasso, claims, at):
                found = {"kind": "lasso", "lasso": lasso_json(system, lasso), "claims": self._claims(claims)}
                return found | {"at": at} if at else found
            case e.LookAlike():
                return {"kind": "look-alike", "look-alike": self._look_alike(reason)}
            case e.Told(said, after):
                told = {"said": self.tree(said)} | ({} if after is None else {"after": self.tree(after)})
                return {"kind": "announced", "announced": told}
            case e.Elsewhere(run, tree):
                return {"kind": "elsewhere", "elsewhere": self._elsewhere(run, tree)}
            case e.Enforced(strategy, trees):
                found = {"kind": "strategy", "strategy": strategy_json(system, strategy)}
                return found | {"claims": [self.tree(tree) for tree in trees]}
            case e.Answered(answers, trees):
                found = {"kind": "answers", "answers": self._answers(answers)}
                return found | {"claims": [self.tree(tree) for tree in trees]}
            case e.Remembered() | e.Balance() | e.Unbalanced() | e.Chosen():
                return self.of_strategies(reason)
            case e.Restricted(strategy, tree):
                body = {"strategy": strategy_json(system, strategy), "tree": self.tree(tree)}
                return {"kind": "restricted", "restricted": body}
            case e.Fixpoint() | e.Stated() | e.Invariant() | e.Region() | e.Descent():
                return _about_set(reason)
            case e.Derivation(invariant, facts):
                shown = {"invariant": _condition(invariant), "facts": [self._fact(fact) for fact in facts]}
                return {"kind": "derivation", "derivation": shown}
            case e.Abstract(cells, run):
                cut = [_condition(cell) for cell in cells]
                return {"kind": "abstract", "abstract": {"cells": cut, "run": self._reason(run)}}

    def _look_alike(self, reason: e.LookAlike) -> Json:
        found: Json = {"agent": reason.agents[0]} if len(reason.agents) == 1 else {}
        found["agents"] = list(reason.agents)
        if reason.reading is not Reading.OBSERVATION:
            found["reading"] = reason.reading.value
        found |= self._elsewhere(reason.run, reason.tree)
        return found | ({"told": [self.tree(one) for one in reason.told]} if reason.told else {})

    def of_strategies(self, reason: e.Remembered | e.Balance | e.Unbalanced | e.Chosen) -> Json:
        """A reason about strategies otherwise than ATL's."""
        system = self._system
        match reason:
            case e.Remembered(machine, trees):
                found = {"kind": "machine", "machine": machine_json(system, machine)}
                return found | {"claims": [self.tree(tree) for tree in trees]}
            case e.Balance(lasso, punishments, trees):
                body = {
                    "run": lasso_json(system, lasso),
                    "punishments": [_punishment(system, one) for one in punishments],
                }
                found = {"kind": "equilibrium", "equilibrium": body}
                return found | {"claims": [self.tree(tree) for tree in trees]}
            case e.Unbalanced(gains, trees):
                listed: Json = {"kind": "gains", "gains": [_gain(system, one) for one in gains]}
                return listed | {"claims": [self.tree(tree) for tree in trees]}
            case e.Chosen(tables, visited):
                return {"kind": "tables", "tables": [_table(system, one, set(visited)) for one in tables]}

    def _fact(self, fact: e.Fact) -> Json:
        found: Json = {"claim": show(fact.claim), "holds": fact.holds, "where": _condition(fact.where)}
        if fact.reason is not None:
            found["reason"] = _about_set(fact.reason)
        if fact.strategy is not None:
            found["strategy"] = strategy_json(self._system, fact.strategy)
        return found

    def _claims(self, claims: tuple[tuple[int, Tree], ...]) -> list[Json]:
        return [{"at": position, "tree": self.tree(tree)} for position, tree in claims]

    def _elsewhere(self, run: e.Path, tree: Tree) -> Json:
        state = state_json(self._system, tree.state)
        return {"state": state, "path": path_json(self._system, run), "tree": self.tree(tree)}

    def _answers(self, answers: e.Answers) -> Json:
        system = self._system
        members = answers.group.members
        inside = set(members)
        others = [agent.name for agent in system.agents if agent.name not in inside]
        positions = tuple(index for index, agent in enumerate(system.agents) if agent.name in inside)
        moves: list[Json] = []
        for answer in answers.moves:
            joint = joint_json(system, answer.joint)
            move: Json = {
                "when": state_json(system, answer.state),
                "against": _choice(members, answer.choice),
                "do": {name: action for name, action in joint.items() if name not in inside},
                "to": state_json(system, answer.target),
            }
            moves.append(move if answer.goal < 0 else move | {"goal": answer.goal})
        found: Json = {"agents": others, "against": list(members), "strategy": answers.is_strategy(positions)}
        return found | {"complete": answers.complete, "moves": moves}


def _gain(system: System, gain: e.Gain) -> Json:
    won = [{"when": state_json(system, state), "memory": memory} for state, memory in gain.won]
    return {"agent": gain.agent, "won": won, "machine": machine_json(system, gain.machine)}


def _about_set(reason: e.Fixpoint | e.Stated | e.Invariant | e.Region | e.Descent) -> Json:
    """A reason that speaks about all states of a set."""
    match reason:
        case e.Fixpoint(kind, size, rounds, reduced):
            named: Json = {"set": kind, "size": size, "rounds": rounds}
            return {"kind": "fixpoint", "fixpoint": named | ({"reduced": True} if reduced else {})}
        case e.Stated():
            return {"kind": "stated", "stated": {}}
        case e.Invariant(condition):
            return {"kind": "invariant", "invariant": {"formula": _condition(condition)}}
        case e.Region(condition, measure):
            region = {"formula": _condition(condition)} | ({"measure": show_expr(measure)} if measure else {})
            return {"kind": "region", "region": region}
        case e.Descent(places):
            listed = [
                {"formula": _condition(one.condition), "measures": [show_expr(part) for part in one.measures]}
                for one in places
            ]
            return {"kind": "descent", "descent": {"places": listed}}
