"""From a formula to a question with placeholders: which states are bad, if we knew who knows what."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.memory import Memory
from epistrat.encoding.transitions import Transitions
from epistrat.engines.lazy.atoms import OWNER, Atom, observers, outermost
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands
from epistrat.logic.fragment import delay
from epistrat.model.conditions import Propositional
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.terms import Expr, Sort, Var


class Refused(Exception):
    """What is asked depends on runs that may end, or on a solver that is not there; the message says so in a user's words."""


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
    """What kind of question a formula is that the engine accepts."""
    if not is_state(formula):
        return shape(logic.ForAll(formula, star=True))
    assert isinstance(formula, logic.ForAll)
    body = formula.arg
    if isinstance(body, logic.Globally) and _is_condition_on_the_past(body.arg):
        return Invariant(body.arg, formula.star)
    return Linear(body)


def _is_condition_on_the_past(body: Formula) -> bool:
    """Whether, outside knowledge, no future operator occurs, nor a past one that looks back at knowledge."""
    stack = [body]
    while stack:
        part = stack.pop()
        if isinstance(part, logic.FUTURE) or (isinstance(part, logic.PAST) and outermost(part)):
            return False
        if not isinstance(part, logic.KNOWING):
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
            agents, positions, body = observers(self._system, node)
            plain = without_knowledge(body)
            depth = delay(plain)
            assert depth is not None, "the engine accepts no other knowledge"
            truth = self._memory.condition(plain) if depth == 0 else self._memory.delayed(plain, depth)
            keys = tuple(self._system.variables[position].key for position in positions)
            variable = Var(OWNER, f"k{len(self.atoms)}", Sort.BOOLEAN)
            self.atoms[node] = Atom(node, agents, keys, body, variable, truth, depth)

    def condition(self, formula: Formula) -> Expr:
        """A formula that looks back only, with placeholders for knowledge, as a condition."""
        return Propositional(self._system, self._terms, self._leaf).condition(formula)

    def _leaf(self, formula: Formula) -> Expr:
        return self.atoms[formula].variable if formula in self.atoms else self._memory.condition(formula)
