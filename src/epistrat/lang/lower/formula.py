"""Formulae, from syntax to `logic.formula`.

Under a marker every quantifier has the reading of LTL and CTL*; without one, a quantifier directly above X, F, G, U, W or R of
state formulae has CTL's, any other that of CTL*.  A formula that is not a state formula is linear and read with A in front.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from epistrat.lang.lower.expr import Lowering
from epistrat.lang.lower.histories import announced, read, remembers
from epistrat.lang.lower.names import NamedStrategies
from epistrat.lang.names import closest
from epistrat.lang.scope import Scope
from epistrat.lang.syntax import (
    Announcement,
    Binding,
    Chain,
    Epistemic,
    Equilibrium,
    Leaf,
    Level,
    Marked,
    Node,
    Plain,
    Prefix,
    Quantified,
    Strategic,
    Who,
    WordRange,
)
from epistrat.lang.vocabulary import OF_AGENT, PATH_WORDS, TAGS
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, operands, subformulae
from epistrat.logic.operators import Form, Operator, words
from epistrat.model.agent import ENVIRONMENT
from epistrat.terms import Expr

_PATH = words(Form.PATH)
_PAIR = words(Form.PAIR, Form.BETWEEN)
_OF_AGENT = words(Form.OF_AGENT)
_OF_GROUP = words(Form.OF_GROUP)
_EQUILIBRIUM = words(Form.EQUILIBRIUM)
_NAMES = (*logic.NAMING, *logic.EQUILIBRIA)


def _about_strategies(body: Formula) -> bool:
    return any(isinstance(part, (logic.Coalition, *_NAMES)) for part in subformulae(body))


def _made(row: Operator, *parts: Any) -> Formula:
    """The formula of an operator over its parts; where it stands for others, written out."""
    made: Formula = row.kind(*parts)
    return made if row.stands_for is None else row.stands_for(made)


class FormulaLowering:
    """Turns formulae into what engines check."""

    def __init__(self, scope: Scope, propositions: Mapping[str, Expr], *, equal_sets: bool = False) -> None:
        self.scope = scope
        self.propositions = propositions
        self.names = scope.names
        self.words = scope.words
        self.conditions = Lowering(scope, equal_sets=equal_sets)
        self._marker = ""
        self._named = NamedStrategies(scope)
        self._atoms: dict[tuple[str, ...], Formula | None] = {}

    def formula(self, marked: Marked) -> Formula | None:
        """A formula as a whole."""
        if marked.tag == "#iR":
            label = "`#ir` is without memory, `#PR` with perfect information"
            self.scope.error("E066", "memory together with partial observation is undecidable", marked, label)
            return None
        body = self._untagged(marked)
        return body if body is None or not marked.tag else logic.Tagged(TAGS[marked.tag], body)

    def goal(self, marked: Marked) -> Formula | None:
        """What an agent wants: a path formula over states, without names of strategies."""
        self._marker = marked.marker
        self._named.begin(marked)
        body = self._formula(marked.body, 0)
        if marked.named or marked.marker or (body is not None and _about_strategies(body)):
            self.scope.error("E067", "a goal is a path formula without strategies, markers and tags", marked)
            return None
        return body

    def _untagged(self, marked: Marked) -> Formula | None:
        self._marker = marked.marker
        self._named.begin(marked)
        body = self._formula(marked.body, 0)
        if body is None:
            return None
        if self._marker == "LTL" and _about_strategies(body):
            self.scope.error("E035", "strategies are not part of LTL: leave out the marker", marked)
            return None
        if self._marker == "LTL":
            return logic.ForAll(body, True)
        if is_state(body):
            return body
        if self._marker == "CTL*":
            self.scope.error(
                "E034", "a CTL* formula is a state formula: `A` or `E` must stand before this", marked.body
            )
            return None
        return logic.ForAll(body, True)

    def fairness(self, marked: Marked) -> Formula | None:
        """A fairness constraint: a CTL or knowledge formula."""
        body = self.formula(marked)
        if body is None:
            return None
        stack = [body]
        while stack:
            part = stack.pop()
            if isinstance(
                part, (logic.Coalition, logic.Tagged, *_NAMES, *logic.REMEMBERING, *logic.FUTURE, *logic.PAST)
            ) or (isinstance(part, (logic.ForAll, logic.Exists)) and part.star):
                about = "knowledge is read by what agents see now, and nothing is announced"
                label = about if isinstance(part, logic.REMEMBERING) else ""
                self.scope.error("E038", "a fairness constraint is a formula of CTL and knowledge", marked, label)
                return None
            stack.extend(operands(part.arg if isinstance(part, (logic.ForAll, logic.Exists)) else part))
        return body

    def _formula(self, node: Node, depth: int) -> Formula | None:
        if isinstance(node, (Leaf, Plain)):
            key = tuple(self.words[node.start : node.end])
            if key not in self._atoms:
                self._atoms[key] = self._atom(node)
            return self._atoms[key]
        if self.conditions.too_deep(depth, node):
            return None
        if isinstance(node, Chain):
            return self._test(node, depth) if node.level > Level.PATH else self._chain(node, depth)
        if isinstance(node, Prefix):
            return self._prefix(node, depth)
        if isinstance(node, Epistemic):
            return self._epistemic(node, depth)
        if isinstance(node, Quantified):
            return self._quantifier(node, depth)
        if isinstance(node, Binding):
            return self._bound(node, depth)
        if isinstance(node, Equilibrium):
            return self._equilibrium(node, depth)
        if isinstance(node, Announcement):
            return self._announced(node, depth)
        return self._strategic(node, depth)

    # atoms

    def _atom(self, node: Leaf | Plain) -> Formula | None:
        first = self.words[node.start]
        if isinstance(node, Plain):
            return self._test(node, 0)
        if first in ("true", "false") and node.end - node.start == 1:
            return logic.Truth(first == "true")
        if node.end - node.start == 3:
            last = self.words[node.end - 1]
            if last in ("RedStates", "GreenStates"):
                return logic.Colour(first, last == "GreenStates") if self._is_agent(first, node.start) else None
            return self._test(node, 0)
        if first in self.names.propositions:
            return logic.Prop(first)
        if first == "Nash":
            return logic.SomeEquilibrium(logic.Truth(True))
        if not first[0].isalpha() or first == "Action":
            return self._test(node, 0)
        self._unknown_proposition(first, node)
        return None

    def _unknown_proposition(self, name: str, node: Leaf) -> None:
        owners = self.names.owners(name)
        meant = closest(name, self.names.propositions) or (f"{owners[0]}.{name}" if owners else None)
        self.scope.error("E016", f"there is no proposition `{name}`", node, "Evaluation does not define it", meant)

    def _test(self, node: Node, depth: int) -> Formula | None:
        condition = self.conditions.condition(node, depth)
        return None if condition is None else logic.Test(condition)

    # connectives and time

    def _chain(self, chain: Chain, depth: int) -> Formula | None:
        flat = chain.level in (Level.AND, Level.OR)
        inner = depth + (1 if flat or chain.level == Level.COUNT else len(chain.parts))
        if self.conditions.too_deep(inner, chain):
            return None
        if chain.level in (Level.UNTIL, Level.GOAL):
            self._named.goal(chain)
        args = [self._formula(part, inner) for part in chain.parts]
        good = [arg for arg in args if arg is not None]
        if len(good) < len(args):
            return None
        if flat:
            return logic.And(tuple(good)) if chain.level == Level.AND else logic.Or(tuple(good))
        if chain.level == Level.COUNT:
            return self._count(chain, good)
        if chain.level == Level.IMPLIES:
            result = good[-1]
            for arg in reversed(good[:-1]):
                result = logic.Implies(arg, result)
            return result
        if chain.level == Level.GOAL:
            result = good[-1]
            for op, arg in zip(reversed(chain.ops), reversed(good[:-1]), strict=True):
                result = _made(_PAIR[op], arg, result)
            return result
        result = good[0]
        for op, arg in zip(chain.ops, good[1:], strict=True):
            result = _made(_PAIR[op], result, arg)
        return result

    def _count(self, chain: Chain, parts: list[Formula]) -> Formula | None:
        """How many formulae hold, compared with a number: conditions on the state, of which there is a term for their number."""
        terms = self.scope.terms
        conditions: list[Expr] = []
        for part in parts:
            match part:
                case logic.Prop(name):
                    conditions.append(self.propositions[name])
                case logic.Test(condition):
                    conditions.append(condition)
                case logic.Truth(value):
                    conditions.append(terms.boolean(value))
                case logic.Not(logic.Prop(name)):
                    conditions.append(terms.negate(self.propositions[name]))
                case logic.Not(logic.Test(condition)):
                    conditions.append(terms.negate(condition))
                case _:
                    message = "so many formulae cannot be counted: propositions, conditions and their negations can be"
                    self.scope.error("E063", message, chain)
                    return None
        return logic.Test(terms.counted(conditions, chain.ops[0], int(chain.ops[1])))

    def _prefix(self, node: Prefix, depth: int) -> Formula | None:
        op = node.op
        if op == "~":
            return self._test(node, depth)
        if op in _PATH:
            self._named.goal(node)
        if op in PATH_WORDS and op not in _PATH:
            with self._named.whole_system():
                arg = self._formula(node.arg, depth + 1)
        else:
            arg = self._formula(node.arg, depth + 1)
        if arg is None:
            return None
        if op == "!":
            return logic.Not(arg)
        if op in _PATH:
            return _made(_PATH[op], arg)
        if op in ("A", "E"):
            if not self._marker and is_state(arg) and not self._may_follow(node):
                self.scope.error("E039", f"`{op}` needs a path formula: X, F, G or `( f U g )`", node)
                return None
            return self._quantified(op, arg)
        return self._quantified(op[0], _made(_PATH[op[1]], arg))

    def _may_follow(self, node: Prefix) -> bool:
        """Whether a state formula is unambiguous here: in brackets, or another quantifier."""
        arg = node.arg
        return self.words[node.start + 1] == "(" or (isinstance(arg, Prefix) and arg.op in PATH_WORDS)

    def _quantified(self, letter: str, arg: Formula) -> Formula:
        ctl = not self._marker and isinstance(arg, logic.FUTURE) and all(map(is_state, operands(arg)))
        return logic.ForAll(arg, not ctl) if letter == "A" else logic.Exists(arg, not ctl)

    # knowledge, correct behaviour and strategies

    def _epistemic(self, node: Epistemic, depth: int) -> Formula | None:
        arg = self._formula(node.arg, depth + 1)
        at = node.who.start
        if node.reading is not None:
            return self._read(node, arg)
        if node.op in OF_AGENT:
            name = self.agent_at(at)
            if not self._is_agent(name, at) or arg is None:
                return None
            row = _OF_AGENT[node.op]
            return self._correct(node, name, arg) if row.kind is logic.Correct else _made(row, name, arg)
        group = self._group(node.who)
        return None if group is None or arg is None else _made(_OF_GROUP[node.op], group, arg)

    def _read(self, node: Epistemic, arg: Formula | None) -> Formula | None:
        """``K[recall](a, f)``: knowledge with what is compared."""
        at = node.who.start
        if node.op not in OF_AGENT:
            group = self._group(node.who)
        else:
            name = self.agent_at(at)
            group = Group((name,), name) if self._is_agent(name, at) else None
        reading = read(self.scope, node)
        return None if arg is None or group is None or reading is None else remembers(node.op, reading, group, arg)

    def _announced(self, node: Announcement, depth: int) -> Formula | None:
        said, arg = self._formula(node.said, depth + 1), self._formula(node.arg, depth + 1)
        return None if said is None or arg is None else announced(self.scope, node, said, arg)

    def _correct(self, node: Epistemic, name: str, arg: Formula) -> Formula | None:
        if self._marker == "LTL":
            self.scope.error("E035", "`O` is not part of LTL: leave out the marker", node)
            return None
        if not is_state(arg):
            self.scope.error("E034", "`O` is about states: a path formula needs `A` or `E` before it", node.arg)
            return None
        return logic.Correct(name, arg)

    def _strategic(self, node: Strategic, depth: int) -> Formula | None:
        with self._named.whole_system():
            arg = self._formula(node.arg, depth + 1)
        group = self._group(node.who)
        if arg is None or group is None:
            return None
        if self._marker == "LTL":
            self.scope.error("E035", "strategies are not part of LTL: leave out the marker", node)
            return None
        if is_state(arg):
            message = "a coalition enforces a path formula: X, F, G, `( f U g )`, or several of these"
            self.scope.error("E036", message, node.arg)
            return None
        return logic.Coalition(group, arg)

    def _quantifier(self, node: Quantified, depth: int) -> Formula | None:
        names = [self.words[at] for at in node.names]
        with self._named.quantified(names):
            arg = self._formula(node.arg, depth + len(names))
        if arg is None:
            return None
        for name in reversed(names):
            arg = logic.SomeStrategy(name, arg) if node.some else logic.EveryStrategy(name, arg)
        return arg

    def _bound(self, node: Binding, depth: int) -> Formula | None:
        group = self._group(node.who)
        members = () if group is None else group.members
        with self._named.bound(node, members):
            arg = self._formula(node.arg, depth + len(members))
        if group is None or arg is None:
            return None
        for name in reversed(members):
            arg = logic.Bound(name, self.words[node.variable], arg)
        return arg

    def _equilibrium(self, node: Equilibrium, depth: int) -> Formula | None:
        with self._named.whole_system():
            arg = self._formula(node.arg, depth + 1)
        return None if arg is None else _made(_EQUILIBRIUM[node.op], arg)

    def agent_at(self, at: int) -> str:
        """The agent or group that a word names."""
        return self.words[at]

    def _is_agent(self, name: str, at: int) -> bool:
        if self.names.is_agent(name):
            return True
        if name == ENVIRONMENT:
            self.scope.error("E037", "an interleaved system has no Environment", WordRange(at, at + 1))
        elif name in self.names.groups:
            self.scope.error("E013", f"`{name}` is a group; an agent is needed here", WordRange(at, at + 1))
        else:
            self.scope.no_agent(name, at)
        return False

    def _group(self, who: Who) -> Group | None:
        names = [self.agent_at(at) for at in who.names]
        if not who.listed and names[0] in self.names.groups:
            return Group(self.names.groups[names[0]], names[0])
        if not who.listed and not self.names.is_agent(names[0]):
            meant = closest(names[0], [*self.names.groups, *self.names.agents])
            at = who.names[0]
            self.scope.error("E015", f"there is no group or agent `{names[0]}`", WordRange(at, at + 1), "", meant)
            return None
        good = [self._is_agent(name, at) for name, at in zip(names, who.names, strict=True)]
        return Group(tuple(dict.fromkeys(names))) if all(good) else None
