"""Reading evidence back from JSON, so that it can be replayed in another process than the one that found it.

The claims are formulae; whoever calls brings the parser (``read_formula``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from epistrat.evidence import (
    Abstract,
    Along,
    Answer,
    Answered,
    Answers,
    Around,
    Elsewhere,
    Enforced,
    Fixpoint,
    Invariant,
    Lasso,
    LookAlike,
    Part,
    Path,
    Reason,
    Region,
    Restricted,
    RuleStrategy,
    Stated,
    StateStrategy,
    Strategy,
    Tree,
    UniformStrategy,
)
from epistrat.evidence.conditions import as_condition
from epistrat.evidence.strategy import REACH
from epistrat.logic.formula import Formula, Group
from epistrat.model.state import Joint, State
from epistrat.model.system import System
from epistrat.terms import Compare, Domain, Enumeration, Expr, Value, whole

FormulaReader = Callable[[str], Formula]


class UnreadableEvidence(ValueError):
    """The data is not evidence about this model."""


def read_evidence(system: System, data: Any, read_formula: FormulaReader) -> Tree:
    """The witness tree that `evidence_json` wrote."""
    try:
        return _Reader(system, read_formula).tree(data)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise UnreadableEvidence(f"not evidence about this model: {error!r}") from error


class _Reader:
    """Reads trees of one system."""

    def __init__(self, system: System, read_formula: FormulaReader) -> None:
        self._system = system
        self._read_formula = read_formula

    def tree(self, data: Any) -> Tree:
        """A tree node."""
        because = tuple(self._reason(reason) for reason in data["because"])
        return Tree(self._state(data["state"]), self._read_formula(data["claim"]), data["holds"], because)

    def _reason(self, data: Any) -> Reason:
        kind = data["kind"]
        body = data[kind]
        match kind:
            case "part":
                return Part(self.tree(body))
            case "path":
                return Along(self._path(body), self._claims(data))
            case "lasso":
                return Around(self._lasso(body), self._claims(data), data.get("at", 0))
            case "look-alike":
                return LookAlike(tuple(body["agents"]), self._path(body["path"]), self.tree(body["tree"]))
            case "elsewhere":
                return Elsewhere(self._path(body["path"]), self.tree(body["tree"]))
            case "strategy":
                return Enforced(self._strategy(body), tuple(self.tree(tree) for tree in data["claims"]))
            case "answers":
                return Answered(self._answers(body), tuple(self.tree(tree) for tree in data["claims"]))
            case "restricted":
                strategy = self._strategy(body["strategy"])
                if not isinstance(strategy, UniformStrategy):
                    raise UnreadableEvidence("a system can only be restricted to a uniform strategy")
                return Restricted(strategy, self.tree(body["tree"]))
            case "fixpoint":
                return Fixpoint(body["set"], body["size"], body["rounds"], body.get("reduced", False))
            case _:
                return self._proof(kind, body)

    def _proof(self, kind: str, body: Any) -> Reason:
        """A reason that speaks about infinitely many states."""
        match kind:
            case "stated":
                return Stated()
            case "invariant":
                return Invariant(self._condition(body["formula"]))
            case "region":
                measure = self._number(body["measure"]) if "measure" in body else None
                return Region(self._condition(body["formula"]), measure)
            case "abstract":
                run = self._reason(body["run"])
                if not isinstance(run, (Along, Around)):
                    raise UnreadableEvidence("an abstract run is a path or a lasso")
                return Abstract(tuple(map(self._condition, body["cells"])), run)
            case _:
                raise UnreadableEvidence(f"unknown kind of reason: {kind}")

    def _condition(self, text: str) -> Expr:
        """A condition on states."""
        return as_condition(self._system, self._read_formula(text))

    def _number(self, text: str) -> Expr:
        """A number: what it is compared with is dropped."""
        compared = self._condition(f"({text}) < 0")
        if not isinstance(compared, Compare):
            raise UnreadableEvidence(f"not a number: {text}")
        return compared.left

    def _claims(self, data: Any) -> tuple[tuple[int, Tree], ...]:
        return tuple((claim["at"], self.tree(claim["tree"])) for claim in data["claims"])

    def _path(self, data: Any) -> Path:
        return Path(tuple(map(self._state, data["states"])), tuple(map(self._joint, data["actions"])))

    def _lasso(self, data: Any) -> Lasso:
        return Lasso(tuple(map(self._state, data["states"])), tuple(map(self._joint, data["actions"])), data["loop"])

    def _state(self, data: Any) -> State:
        if len(data) != len(self._system.variables):
            raise UnreadableEvidence("a state names every variable once")
        return tuple(_value(variable.domain, data[str(variable)]) for variable in self._system.variables)

    def _joint(self, data: Any) -> Joint:
        agents = self._system.agents
        if self._system.interleaved:
            name = data.get("action")
            return tuple(name if name in agent.actions else None for agent in agents)
        return tuple(data.get(agent.name) for agent in agents)

    def _strategy(self, data: Any) -> Strategy:
        group = Group(tuple(data["agents"]))
        if "rules" in data:
            rules: dict[str, list[tuple[Expr, str]]] = {}
            for rule in data["rules"]:
                rules.setdefault(rule["agent"], []).append((self._condition(rule["when"]), rule["do"]))
            return RuleStrategy(group, tuple((name, tuple(table)) for name, table in rules.items()))
        if not data["uniform"]:
            moves = [
                (self._state(m["when"]), tuple(m["do"].get(name) for name in group.members)) for m in data["moves"]
            ]
            return StateStrategy(group, tuple(moves), data["complete"])
        tables: dict[str, list[tuple[tuple[Value, ...], str]]] = {}
        for move in data["moves"]:
            ((agent, action),) = move["do"].items()
            tables.setdefault(agent, []).append((self._view(agent, move["when"]), action))
        return UniformStrategy(group, tuple((name, tuple(table)) for name, table in tables.items()))

    def _view(self, agent: str, data: Any) -> tuple[Value, ...]:
        seen = [self._system.variables[index] for index in self._system.views[agent]]
        return tuple(_value(variable.domain, data[str(variable)]) for variable in seen)

    def _answers(self, data: Any) -> Answers:
        group = Group(tuple(data["against"]))
        return Answers(group, tuple(self._answer(group, move) for move in data["moves"]), data["complete"])

    def _answer(self, group: Group, move: Any) -> Answer:
        return Answer(
            self._state(move["when"]),
            tuple(move["against"].get(name) for name in group.members),
            self._joint(move["against"] | move["do"]),
            self._state(move["to"]),
            move.get("goal", REACH),
        )


def _value(domain: Domain, data: Any) -> Value:
    if isinstance(data, str) and not isinstance(domain, Enumeration):
        return whole(Fraction(data))
    if not isinstance(data, (bool, int, str)):
        raise UnreadableEvidence(f"not a value: {data!r}")
    return data
