"""Does every initial state satisfy the formula?  Asked in the cheapest way that the formula allows."""

from __future__ import annotations

import numpy as np

from epistrat.engines.explicit.histories.settling import settled
from epistrat.engines.explicit.history import remember
from epistrat.engines.explicit.label import MASKS, MaskLabels
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.explicit.linear import exists_run
from epistrat.engines.explicit.quotient import STATIC
from epistrat.logic import formula as logic
from epistrat.logic.connect import connect
from epistrat.logic.formula import NAMING, Formula, is_state, operands, subformulae
from epistrat.logic.fragment import OF_HISTORIES, OF_NAMES, fragment, past_at_path_level
from epistrat.logic.rewrite import negation, rebuild
from epistrat.model.conditions import is_condition
from epistrat.model.system import System
from epistrat.records import replace


def quantified(formula: Formula) -> Formula:
    """The formula with A in front of linear formulae: at the top, and below knowledge, where all infinite runs are meant."""

    def change(part: Formula) -> Formula:
        if isinstance(part, logic.KNOWING) and not is_state(part.arg):
            return replace(part, arg=logic.ForAll(part.arg, star=True))
        return part

    formula = rebuild(formula, change)
    return formula if is_state(formula) else logic.ForAll(formula, star=True)


def propositional_invariant(system: System, formula: Formula) -> Formula | None:
    """f where the formula says of all reachable states that f holds, a Boolean combination of atoms; else None.

    Read over infinite paths, ``AG f`` says nothing of states without a successor, which only synchronous systems have.
    """
    if (
        isinstance(formula, logic.ForAll)
        and isinstance(formula.arg, logic.Globally)
        and (system.interleaved or not formula.star)
    ):
        body = formula.arg.arg
        if is_condition(body):
            return body
    return None


def reads_steps(formula: Formula, starts: int) -> bool:
    """Whether edges are needed to decide the formula, given how many initial states there are; not, if it asks about all states at once."""
    match formula:
        case logic.And(args):
            return any(reads_steps(arg, starts) for arg in args)
        case logic.ForAll(logic.Globally(arg)):
            body = arg
        case logic.Exists(logic.Finally(arg)) if starts == 1:
            body = arg
        case _:
            body = formula
    return not all(isinstance(part, STATIC) for part in subformulae(body))


def satisfied(labels: MaskLabels, formula: Formula) -> bool:
    """Whether every initial state (from which a fair path starts, if there is fairness) satisfies the formula."""
    histories = bool(fragment(formula).features & OF_HISTORIES)
    if histories:
        labels, formula = settled(labels, formula)
    labels, formula = remember(labels, formula)
    if fragment(formula).features & OF_NAMES:
        return _with_names(labels, formula)
    initial = labels.structure.initial
    if labels.worlds is not None:
        initial = initial[labels.worlds[initial]]
    if not len(initial):
        return True
    if not labels.fairness and not histories:  # on graphs of histories, no initial node leads into what was announced
        found = _without_edges(labels, formula)
        if found is not None:
            return found
    return bool(_at_start(labels, formula)[initial].all())


def _with_names(labels: MaskLabels, formula: Formula) -> bool:
    """As `satisfied`; labels may refuse the question, even where there is no initial state to be asked about."""
    asked = np.zeros(labels.structure.count, dtype=np.bool_)
    asked[labels.structure.initial] = True
    if labels.worlds is not None:
        asked &= labels.worlds
    named = isinstance(formula, NAMING)
    found = labels.sentence(formula, asked) if named else labels.label(formula)
    return not (asked & ~found).any()


def by_proposals(labels: MaskLabels, formula: Formula) -> bool | None:
    """As `satisfied`, for sentences without memory whose tables are too many for diagrams; None where the shape is another one."""
    inner = formula.arg if isinstance(formula, logic.Not) else formula
    if labels.tables is None or not isinstance(inner, NAMING):
        return None
    asked = np.zeros(labels.structure.count, dtype=np.bool_)
    asked[labels.structure.initial] = True
    found = labels.tables.guided(formula, asked)
    return labels.tables.expanded(formula, asked) if found is None else found


def _without_edges(labels: MaskLabels, formula: Formula) -> bool | None:
    """The verdict, where it is a question about all reachable states; None where it is not.

    Assumes no fairness; for ``E F`` one initial state, from which everything is reached; and for quantifiers over infinite paths
    that every state has a successor.
    """
    assert not labels.fairness
    match formula:
        case logic.And(args):
            found = [_without_edges(labels, arg) for arg in args]
            if all(verdict is not None for verdict in found):
                return all(found)
        case logic.ForAll(logic.Globally(arg), star) if is_state(arg) and (not star or not labels.structure.dead_ends):
            return bool(labels.label(arg).all())
        case logic.Exists(logic.Finally(arg), star) if is_state(arg) and len(labels.structure.initial) == 1:
            if not star or not labels.structure.dead_ends:
                return bool(labels.label(arg).any())
    return None


def _at_start(labels: MaskLabels, formula: Formula) -> Mask:
    """Where a state formula holds at time 0; only the truth at initial nodes is meant."""
    match formula:
        case logic.Not() | logic.And() | logic.Or() | logic.Implies() | logic.Iff() | logic.Xor():
            return connect(formula, [_at_start(labels, arg) for arg in operands(formula)], MASKS)
        case logic.ForAll(arg) if past_at_path_level(arg):
            return ~_run_from_start(labels, negation(arg))
        case logic.Exists(arg) if past_at_path_level(arg):
            return _run_from_start(labels, arg)
        case logic.Coalition():
            start = np.zeros(labels.structure.count, dtype=np.bool_)
            start[labels.structure.initial] = True
            return labels.enforced(formula, start)
        case _:
            return labels.label(formula)


def _run_from_start(labels: MaskLabels, path: Formula) -> Mask:
    """The initial nodes from which some run satisfies a path formula that looks back to time 0 through the future."""
    start = np.zeros(labels.structure.count, dtype=np.bool_)
    start[labels.structure.initial] = True
    constraints = labels.constraints
    return exists_run(labels.structure, path, labels.label, constraints, start)
