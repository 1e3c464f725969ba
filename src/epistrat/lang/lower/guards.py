"""Guards of knowledge-based programs: conditions of a protocol that ask what the agent knows.

Outside of `K( )` names are the agent's own, as in every condition; inside, the rules of formulae hold.  A guard is about the past and
present, and about the agent's own knowledge: then there is exactly one system in which all do what their guards, evaluated there, allow.
"""

from __future__ import annotations

from collections.abc import Iterable

from epistrat.lang.lower.expr import Lowering
from epistrat.lang.lower.formula import FormulaLowering
from epistrat.lang.scope import Scope
from epistrat.lang.syntax import Chain, Epistemic, Leaf, Level, Node, Plain, Prefix
from epistrat.lang.vocabulary import PREFIX
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Reading, operands, subformulae
from epistrat.model.agent import ProtocolLine, asked
from epistrat.terms import Expr, subterms

_BACK = (*logic.ATOMS, *logic.CONNECTIVES, *logic.PAST, *logic.KNOWLEDGE, logic.Remembers)
"""What a guard may say inside of `K( )`."""


class GuardLowering(Lowering):
    """Turns the guards of one agent into conditions, in which a variable stands for each formula about its knowledge."""

    def __init__(self, scope: Scope, formulae: FormulaLowering, own: str, *, equal_sets: bool = False) -> None:
        super().__init__(scope, equal_sets=equal_sets)
        self._formulae, self._own = formulae, own
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
        return super().value(node, depth)

    def _known(self, node: Epistemic) -> Expr | None:
        formula = self._formulae.inside(node)
        if formula is None:
            return None
        if node.op not in ("K", "KW", "GCK") or not _of(self._own, node.op, formula):
            hint = f"write `K(self, {node.op}({self._formulae.who(node)}, ...))`"
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
        place = self.terms.variable(self._own, (name := asked(self._own, formula)).name, name.sort)
        self._asked[place] = formula
        return place

    def _refuse(self, message: str, node: Node, label: str, code: str = "E047") -> None:
        self.scope.error(code, message, node, label)


def _wraps(part: Formula) -> bool:
    """Whether this says that what is known of a past formula is the past of all runs, which is that of the history."""
    return isinstance(part, logic.ForAll) and part.star


def _of(own: str, op: str, formula: Formula) -> bool:
    """Whether the outermost operator is about the knowledge of this agent."""
    outer = operands(formula)[0] if op == "KW" else formula
    return own in logic.members(outer)
