"""Reading evidence back from JSON, so that it can be replayed in another process than the one that found it.

The claims are formulae; whoever calls brings the parser (``read_formula``).  What does not fit the model is `Unreadable`, with its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from epistrat import evidence as e
from epistrat.answers.certificate import Certificate
from epistrat.answers.verdict import Named, Strategies, Verdict, Watching
from epistrat.evidence import Tree
from epistrat.evidence.strategy import REACH
from epistrat.logic.formula import Formula, Group, Reading, Tag
from epistrat.model.agent import Variable
from epistrat.model.conditions import as_condition
from epistrat.model.state import Act, Joint, State
from epistrat.model.system import Blocking, Scheduling, System
from epistrat.model.transform.choices import USUAL, Choosing, PlayRules
from epistrat.render.json.cursor import Datum, Unreadable
from epistrat.render.json.evidence import SCHEMA
from epistrat.render.json.reading_strategies import StrategyReader
from epistrat.terms import Boolean, Compare, Enumeration, Expr, Terms, Value, whole

FormulaReader = Callable[[str], Formula]
_RATIONAL = re.compile(r"([+-]?[0-9]+)(?:/([0-9]+))?")


def read_evidence(system: System, data: Any, read_formula: FormulaReader) -> Tree:
    """The witness tree that `evidence_json` wrote."""
    return EvidenceReader(system, read_formula).tree(data if isinstance(data, Datum) else Datum(data))


def read_certificate(system: System, result: Datum, read_formula: FormulaReader) -> Certificate:
    """The certificate in one result of a report that `check --json --evidence` printed."""
    reader = EvidenceReader(system, read_formula)
    trees = [result["evidence"]] if "evidence" in result else []
    trees += list(result["others"]) if "others" in result else []
    for tree in trees:
        if "schema" in tree and tree["schema"].value != SCHEMA:
            raise tree["schema"].wrong(f"this is evidence in another format; this is {SCHEMA}")
    return Certificate(
        reader.formula(result["formula"]),
        _word(result["verdict"], Verdict),
        _word(result["strategies"], Strategies) if "strategies" in result else Strategies.ANY,
        reader.agents(result["group"]) if "group" in result and result["group"].value is not None else None,
        tuple(reader.tree(tree) for tree in trees),
        PlayRules(
            _word(result["choices"], Choosing) if "choices" in result else USUAL.choosing,
            _word(result["blocking"], Blocking) if "blocking" in result else USUAL.blocking,
            _word(result["scheduling"], Scheduling) if "scheduling" in result else USUAL.scheduling,
        ),
        _named(result["reading"]) if "reading" in result else Named(),
    )


def _named(data: Datum) -> Named:
    """How strategies are read otherwise than ATL's."""
    return Named(
        _word(data["names"], Tag),
        _word(data["equilibria"], Tag),
        data["memory"].flag(),
        _word(data["watching"], Watching) is Watching.STATES,
    )


def _word(data: Datum, words: type[Any]) -> Any:
    try:
        return words(data.text())
    except ValueError:
        known = ", ".join(word.value for word in words)
        raise data.wrong(f"this is one of {known}") from None


class EvidenceReader:
    """Reads trees of one system."""

    def __init__(self, system: System, read_formula: FormulaReader) -> None:
        self._system = system
        self._read_formula = read_formula
        self._formulae: dict[str, Formula] = {}
        self._strategies = StrategyReader(self._state, self._acts, self.agents)

    def formula(self, data: Datum) -> Formula:
        """A formula, written in ISPL."""
        text = data.text()
        if text not in self._formulae:
            try:
                self._formulae[text] = self._read_formula(text)
            except (ValueError, LookupError) as error:
                raise data.wrong(f"not a formula of this model: {error}") from error
        return self._formulae[text]

    def tree(self, data: Datum) -> Tree:
        """A tree node."""
        try:
            because = tuple(self._reason(reason) for reason in data["because"])
            return Tree(self._state(data["state"]), self.formula(data["claim"]), data["holds"].flag(), because)
        except RecursionError:
            raise data.wrong("this is nested too deep") from None

    def _reason(self, data: Datum) -> e.Reason:
        kind = data["kind"].text()
        body = data[kind]
        match kind:
            case "part":
                return e.Part(self.tree(body))
            case "path":
                return e.Along(self.path(body), self._claims(data))
            case "lasso":
                return e.Around(self._lasso(body), self._claims(data), data["at"].count() if "at" in data else 0)
            case "look-alike":
                return self._look_alike(body)
            case "elsewhere":
                return e.Elsewhere(self.path(body["path"]), self.tree(body["tree"]))
            case "strategy":
                return e.Enforced(self.strategy(body), tuple(self.tree(tree) for tree in data["claims"]))
            case "answers":
                return e.Answered(self._answers(body), tuple(self.tree(tree) for tree in data["claims"]))
            case "machine":
                return e.Remembered(self._strategies.machine(body), tuple(self.tree(tree) for tree in data["claims"]))
            case "tables":
                return self._strategies.tables(body)
            case "gains":
                gains = tuple(map(self._strategies.gain, body))
                return e.Unbalanced(gains, tuple(self.tree(tree) for tree in data["claims"]))
            case "equilibrium":
                punishments = tuple(map(self._strategies.punishment, body["punishments"]))
                return e.Balance(
                    self._lasso(body["run"]), punishments, tuple(self.tree(tree) for tree in data["claims"])
                )
            case "restricted":
                strategy = self.strategy(body["strategy"])
                if not isinstance(strategy, e.UniformStrategy):
                    raise body["strategy"].wrong("a system can only be restricted to a uniform strategy")
                return e.Restricted(strategy, self.tree(body["tree"]))
            case _:
                return self._set(data["kind"], body)

    def _look_alike(self, body: Datum) -> e.LookAlike:
        reading = Reading.OBSERVATION
        if "reading" in body:
            try:
                reading = Reading(body["reading"].text())
            except ValueError:
                raise body["reading"].wrong("not a reading of knowledge") from None
        told = tuple([self.tree(one) for one in body["told"]]) if "told" in body else ()
        return e.LookAlike(self.agents(body["agents"]), self.path(body["path"]), self.tree(body["tree"]), reading, told)

    def _set(self, kind: Datum, body: Datum) -> e.Reason:
        """A reason that speaks about all states of a set, or about an announcement."""
        match kind.text():
            case "announced":
                return e.Told(self.tree(body["said"]), self.tree(body["after"]) if "after" in body else None)
            case "fixpoint":
                reduced = "reduced" in body and body["reduced"].flag()
                return e.Fixpoint(body["set"].text(), body["size"].count(), body["rounds"].count(), reduced)
            case "stated":
                return e.Stated()
            case "invariant":
                return e.Invariant(self._condition(body["formula"]))
            case "region":
                measure = self._number(body["measure"]) if "measure" in body else None
                return e.Region(self._condition(body["formula"]), measure)
            case "descent":
                places = [
                    e.Place(self._condition(one["formula"]), tuple(self._number(part) for part in one["measures"]))
                    for one in body["places"]
                ]
                return e.Descent(tuple(places))
            case "derivation":
                return e.Derivation(self._condition(body["invariant"]), tuple(self._fact(one) for one in body["facts"]))
            case "abstract":
                run = self._reason(body["run"])
                if not isinstance(run, (e.Along, e.Around)):
                    raise body["run"].wrong("an abstract run is a path or a lasso")
                return e.Abstract(tuple(map(self._condition, body["cells"])), run)
            case _:
                raise kind.wrong(f"there is no reason of kind {kind.value!r}")

    def _fact(self, data: Datum) -> e.Fact:
        reason = self._about_all(data["reason"]) if "reason" in data else None
        strategy = self.strategy(data["strategy"]) if "strategy" in data else None
        if strategy is not None and not isinstance(strategy, e.RuleStrategy):
            raise data["strategy"].wrong("a fact about a set of states rests on rules")
        where = self._condition(data["where"])
        return e.Fact(self.formula(data["claim"]), data["holds"].flag(), where, reason, strategy)

    def _about_all(self, data: Datum) -> e.Region | e.Descent:
        kind = data["kind"]
        reason = self._set(kind, data[kind.text()])
        if not isinstance(reason, (e.Region, e.Descent)):
            raise kind.wrong("a fact rests on a region or a descent")
        return reason

    def _condition(self, data: Datum) -> Expr:
        """A condition on states."""
        try:
            return as_condition(self._system, self.formula(data))
        except TypeError:
            raise data.wrong("this should be a condition on one state") from None

    def _number(self, data: Datum) -> Expr:
        """A number: a constant, or anything else read as the left side of a comparison."""
        number = _rational(data.text())
        if number is not None:
            return Terms().number(number)
        compared = self._condition(Datum(f"({data.text()}) < 0", data.where))
        if not isinstance(compared, Compare):
            raise data.wrong("this should be a number that depends on the state")
        return compared.left

    def _claims(self, data: Datum) -> tuple[tuple[int, Tree], ...]:
        return tuple((claim["at"].count(), self.tree(claim["tree"])) for claim in data["claims"])

    # Runs

    def path(self, data: Datum) -> e.Path:
        """A path: its states and the joint actions between them."""
        return e.Path(tuple(map(self._state, data["states"])), tuple(map(self._joint, data["actions"])))

    def _lasso(self, data: Datum) -> e.Lasso:
        path = self.path(data)
        return e.Lasso(path.states, path.actions, data["loop"].count())

    def _state(self, data: Datum) -> State:
        variables = self._system.variables
        known = {str(variable) for variable in variables}
        for name, value in data.items():
            if name not in known:
                raise value.wrong("the model has no such variable")
        return tuple([_value(variable, data[str(variable)]) for variable in variables])

    def _joint(self, data: Datum) -> Joint:
        agents = self._system.agents
        if self._system.interleaved:
            name = data["action"].text() if "action" in data else None
            if name is not None and not any(name in agent.actions for agent in agents):
                raise data["action"].wrong(f"nobody has the action {name}")
            return tuple([name if name in agent.actions else None for agent in agents])
        done = self._actions(data)
        return tuple([done.get(agent.name) for agent in agents])

    def _actions(self, data: Datum) -> dict[str, str]:
        """Agents and what they do."""
        done: dict[str, str] = {}
        for name, action in data.items():
            agent = self._system.agent.get(name)
            if agent is None:
                raise action.wrong("the model has no such agent")
            if action.text() not in agent.actions:
                raise action.wrong(f"{name} has no action {action.value}")
            done[name] = action.text()
        return done

    def _acts(self, data: Datum) -> dict[str, Act]:
        """Agents and what they choose: an action, or a list of actions."""
        chosen: dict[str, Act] = {}
        for name, act in data.items():
            if isinstance(act.value, list):
                single = [self._actions(Datum({name: one.value}, one.where))[name] for one in act]
                chosen[name] = tuple(single)
            else:
                chosen.update(self._actions(Datum({name: act.value}, data.where)))
        return chosen

    def agents(self, data: Datum) -> tuple[str, ...]:
        """Names of agents."""
        for name in data:
            if name.text() not in self._system.views:
                raise name.wrong(f"the model has no agent {name.value}")
        return tuple(name.text() for name in data)

    # Strategies

    def strategy(self, data: Datum) -> e.Strategy:
        """A strategy that `strategy_json` wrote."""
        group = Group(self.agents(data["agents"]))
        if "rules" in data:
            rules: dict[str, list[tuple[Expr, Act]]] = {}
            for rule in data["rules"]:
                ((name, action),) = self._acts(Datum({rule["agent"].text(): rule["do"].value}, rule.where)).items()
                rules.setdefault(name, []).append((self._condition(rule["when"]), action))
            return e.RuleStrategy(group, tuple((name, tuple(table)) for name, table in rules.items()))
        if not data["uniform"].flag():
            moves = [(self._state(move["when"]), self._choice(group, move["do"])) for move in data["moves"]]
            return e.StateStrategy(group, tuple(moves), data["complete"].flag())
        tables: dict[str, list[tuple[tuple[Value, ...], Act]]] = {}
        for move in data["moves"]:
            done = self._acts(move["do"])
            if len(done) != 1:
                raise move["do"].wrong("a row of a uniform strategy is about one agent")
            ((name, action),) = done.items()
            tables.setdefault(name, []).append((self._view(name, move["when"]), action))
        return e.UniformStrategy(group, tuple((name, tuple(table)) for name, table in tables.items()))

    def _choice(self, group: Group, data: Datum) -> tuple[Act | None, ...]:
        done = self._acts(data)
        return tuple([done.get(name) for name in group.members])

    def _view(self, agent: str, data: Datum) -> tuple[Value, ...]:
        seen = [self._system.variables[index] for index in self._system.views[agent]]
        return tuple([_value(variable, data[str(variable)]) for variable in seen])

    def _answers(self, data: Datum) -> e.Answers:
        group = Group(self.agents(data["against"]))
        return e.Answers(group, tuple(self._answer(group, move) for move in data["moves"]), data["complete"].flag())

    def _answer(self, group: Group, move: Datum) -> e.Answer:
        choice = self._choice(group, move["against"])
        if self._system.interleaved:
            joint = self._joint(move["do"])
        else:
            done = self._actions(move["against"]) | self._actions(move["do"])
            joint = tuple([done.get(agent.name) for agent in self._system.agents])
        return e.Answer(
            self._state(move["when"]),
            choice,
            joint,
            self._state(move["to"]),
            move["goal"].count() if "goal" in move else REACH,
        )


def _rational(text: str) -> Fraction | None:
    """A number written as p or p/q; None for anything else (a division by zero, an exponent that would fill the memory)."""
    parts = _RATIONAL.fullmatch(text)
    try:
        return None if parts is None else Fraction(int(parts[1]), int(parts[2] or 1))
    except (ValueError, ZeroDivisionError):  # more digits than Python reads, or nothing to divide by
        return None


def _value(variable: Variable, data: Datum) -> Value:
    """A value of the variable's domain."""
    found = data.value
    kinds: tuple[type, ...] = (int, Fraction)
    if isinstance(variable.domain, Boolean):
        kinds = (bool,)
    elif isinstance(variable.domain, Enumeration):
        kinds = (str,)
    elif isinstance(found, str):
        number = _rational(found)
        if number is None:
            raise data.wrong(f"{variable} cannot be {data.value!r}")
        found = whole(number)
    if isinstance(found, (bool, int, str, Fraction)) and type(found) in kinds and found in variable.domain:
        return found
    raise data.wrong(f"{variable} cannot be {data.value!r}")


__all__ = ["EvidenceReader", "FormulaReader", "Unreadable", "read_certificate", "read_evidence"]
