"""From a formula to a question with placeholders: which states are bad, if we knew who knows what."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.memory import Memory, next_depth
from epistrat.encoding.transitions import Transitions
from epistrat.engines.lazy.atoms import OWNER, Atom, observers, outermost
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import Expr, Sort, Var


class Refused(Exception):
    """The engine does not answer such a question; the message says why, in a user's words."""


@dataclass(frozen=True)
class Invariant:
    """In all reachable states: ``body``.  ``runs`` says that only states on infinite runs count."""

    body: Formula
    runs: bool


@dataclass(frozen=True)
class Linear:
    """On all infinite runs, at time 0: ``body``."""

    body: Formula


def shape(formula: Formula) -> Invariant | Linear:
    """What kind of question a formula is."""
    if not is_state(formula):
        return shape(logic.ForAll(formula, star=True))
    if not isinstance(formula, logic.ForAll):
        raise Refused("it answers formulae with one A (or LTL) in front; knowledge may stand inside")
    body, star = formula.arg, formula.star
    _no_quantifiers(body)
    if isinstance(body, logic.Globally) and looks_back_only(body.arg):
        return Invariant(body.arg, star)
    if not star and not isinstance(body, logic.Finally):
        raise Refused("AX, A(f U g) and their kin are answered in their linear reading only: write LTL in front")
    return Linear(body)


def _no_quantifiers(body: Formula) -> None:
    for part in subformulae(body):
        if isinstance(part, (logic.ForAll, logic.Exists)):
            raise Refused("it answers formulae with one A (or LTL) in front, not quantifiers inside")
        if isinstance(part, logic.Coalition):
            raise Refused("it knows nothing of strategies")


def looks_back_only(body: Formula) -> bool:
    """Whether, outside knowledge, no future operator occurs."""
    stack = [body]
    while stack:
        part = stack.pop()
        if isinstance(part, logic.FUTURE):
            return False
        if not isinstance(part, (*logic.KNOWLEDGE, logic.Correct)):
            stack.extend(operands(part))
    return True


class Abstraction:
    """Turns formulae into conditions in which every K is a placeholder."""

    def __init__(self, system: System, memory: Memory, transitions: Transitions) -> None:
        self._system = system
        self._memory = memory
        self._terms = transitions.terms
        self.atoms: dict[Formula, Atom] = {}

    def add(self, formula: Formula, without_knowledge: Callable[[Formula], Formula]) -> None:
        """Make atoms of the outermost knowledge subformulae.  ``without_knowledge`` rewrites bodies that speak of knowledge."""
        for node in outermost(formula):
            if node in self.atoms:
                continue
            found = observers(self._system, node)
            if found is None:
                raise Refused("it does not answer this kind of group knowledge")
            agents, positions, body = found
            plain = without_knowledge(body)
            depth = next_depth(plain)
            if depth is None:
                raise Refused("knowledge of what happens in an unbounded future is not answered yet")
            truth = self._memory.condition(plain) if depth == 0 else self._memory.delayed(plain, depth)
            keys = tuple(self._system.variables[position].key for position in positions)
            variable = Var(OWNER, f"k{len(self.atoms)}", Sort.BOOLEAN)
            self.atoms[node] = Atom(node, agents, keys, body, variable, truth, depth)

    def condition(self, formula: Formula) -> Expr:
        """A formula that looks back only, with placeholders for knowledge, as a condition."""
        return Propositional(self._system, self._terms, self._leaf).condition(formula)

    def _leaf(self, formula: Formula) -> Expr:
        if formula in self.atoms:
            return self.atoms[formula].variable
        if outermost(formula):
            raise Refused("past operators over knowledge are not answered yet")
        return self._memory.condition(formula)
