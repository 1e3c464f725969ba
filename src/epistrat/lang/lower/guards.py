"""Guards of knowledge-based programs: conditions of a protocol that ask what the agent knows.

Outside of `K( )` names are the agent's own, as in every condition; inside, the rules of formulae hold.  A guard is about the past and
present, and about the agent's own knowledge: then there is exactly one system in which all do what their guards, evaluated there, allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from epistrat.lang.lower.expr import Lowering
from epistrat.lang.lower.formula import FormulaLowering
from epistrat.lang.names import AgentNames
from epistrat.lang.scope import Scope
from epistrat.lang.syntax import Chain, Epistemic, Leaf, Level, Node, Plain, Prefix
from epistrat.lang.vocabulary import PREFIX, SELF
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Reading, operands, subformulae
from epistrat.model.agent import ProtocolLine, asked
from epistrat.terms import Expr, subterms

_BACK = (*logic.ATOMS, *logic.CONNECTIVES, *logic.PAST, *logic.KNOWLEDGE, logic.Remembers)
"""What a guard may say inside of `K( )`."""


class Inside(FormulaLowering):
    """Turns what stands in `K( )` of an agent's guards into formulae; ``own`` is the agent."""

    own = ""

    def agent_at(self, at: int) -> str:
        """The agent or group that a word names: `self` is the agent whose guard this is, unless something has that name."""
        word = self.words[at]
        return self.own if word == SELF and not (self.names.is_agent(word) or word in self.names.groups) else word

    def knowledge(self, node: Epistemic) -> Formula | None:
        """What the agent is asked to know."""
        self._marker = ""
        return self._formula(node, 0)


class GuardLowering(Lowering):
    """Turns the guards of one agent into conditions, in which a variable stands for each formula about its knowledge."""

    def __init__(
        self, scope: Scope, propositions: Mapping[str, Expr], own: AgentNames, *, equal_sets: bool = False
    ) -> None:
        super().__init__(scope, equal_sets=equal_sets)
        self._own = own.name
        self._inside = Inside(Scope(scope.names, scope.terms, scope.source), propositions, equal_sets=equal_sets)
        self._inside.own = own.name
        self._asked: dict[Expr, Formula] = {}

    def knows(self, lines: Iterable[ProtocolLine]) -> tuple[Formula, ...]:
        """What these lines ask of the agent's knowledge."""
        used = set(subterms(*(line.condition for line in lines)))
        return tuple(
            sorted((self._asked[one] for one in used & self._asked.keys()), key=lambda one: asked("", one).name)
        )

    def value(self, node: Node, depth: int = 0) -> Expr | None:
        """An expression of any sort, or what the agent knows."""
        if isinstance(node, Epistemic):
            return self._known(node)
        plain = isinstance(node, (Leaf, Plain)) or (isinstance(node, Prefix) and node.op in PREFIX)
        if not plain and not (isinstance(node, Chain) and node.level not in (Level.UNTIL, Level.GOAL)):
            words = (
                "operators of time stand inside of `K( )`, and look back" if isinstance(node, (Chain, Prefix)) else ""
            )
            return self._refuse("a guard asks what the agent knows now", node, words or "this cannot stand in a guard")
        if isinstance(node, Leaf) and self.words[node.end - 1] in ("RedStates", "GreenStates"):
            return self._refuse("a guard asks what the agent knows now", node, "colours stand inside of `K( )`")
        return super().value(node, depth)

    def _known(self, node: Epistemic) -> Expr | None:
        formula = self._inside.knowledge(node)
        if formula is None:
            return None
        if node.op not in ("K", "KW", "GCK") or not _of(self._own, node.op, formula):
            who = "".join(self.words[node.who.start : node.who.end]).replace(",", ", ")
            hint = (
                f"write `K(self, {node.op}({who}, ...))`"
                if node.op != "O"
                else "who behaves correctly is not asked in guards"
            )
            return self._refuse("a guard is about the agent's own knowledge", node, hint)
        part = next((one for one in subformulae(formula) if not isinstance(one, _BACK) and not _wraps(one)), None)
        if part is not None:
            label = "announcements change nothing here" if isinstance(part, logic.Announced) else "it may look back"
            return self._refuse("a guard does not look ahead", node, label)
        if self.scope.names.interleaved:
            label = "give it `Composition = Synchronous;`, or leave out what the agent knows"
            return self._refuse("programs that ask for knowledge are synchronous", node, label, "E045")
        timeless = (Reading.OBSERVATION, Reading.CHANGES)
        if any(isinstance(one, logic.Remembers) and one.reading in timeless for one in subformulae(formula)):
            message = "by observation or changes there may be no such system, or several"
            return self._refuse(message, node, "read guards by `clock` or `recall`", "E045")
        return self.terms.disjunction(
            [self._place(one) for one in (operands(formula) if node.op == "KW" else [formula])]
        )

    def _place(self, formula: Formula) -> Expr:
        """What stands in the condition for a formula about the agent's knowledge."""
        variable = asked(self._own, formula)
        place = self.terms.variable(variable.agent, variable.name, variable.sort)
        self._asked[place] = formula
        return place

    def _refuse(self, message: str, node: Node, label: str, code: str = "E047") -> Expr | None:
        self.scope.error(code, message, node, label)
        return None


def _wraps(part: Formula) -> bool:
    """Whether this says that what is known of a past formula is the past of all runs, which is that of the history."""
    return isinstance(part, logic.ForAll) and part.star


def _of(own: str, op: str, formula: Formula) -> bool:
    """Whether the outermost operator is about the knowledge of this agent."""
    outer = operands(formula)[0] if op == "KW" else formula
    return own in logic.members(outer)
