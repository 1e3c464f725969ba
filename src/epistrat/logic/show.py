"""Formulae as text in ISPL's syntax; the parser reads the text back to the same formula.

Brackets are written wherever two readers might disagree: operands of U, W, R and S, and path operators below Boolean
ones.  A marker (``LTL`` or ``CTL*``) is written where a quantifier with the infinite-path reading stands directly above a
CTL shape, because without a marker such a quantifier has CTL's reading (see `formula`, note [two readings]).  One text
cannot say both readings of one shape in one formula; then the marker wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from epistrat import terms
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state, knows_whether, operands, subformulae
from epistrat.logic.operators import Form, Operator, by_kind, words
from epistrat.terms import Expr
from epistrat.terms.show import show_condition, show_expr

_ROWS = by_kind()
PREFIX, BETWEEN, CONNECTIVE, GROUP, AGENT = (
    {row.kind: row.word for row in words(*forms).values()}
    for forms in ((Form.PATH,), (Form.BETWEEN,), (Form.JOIN, Form.PAIR), (Form.OF_GROUP,), (Form.OF_AGENT,))
)

# How strongly the outermost operator of a text holds it together.
_BINARY, _PATH, _STATE, _ATOM = range(4)


def ctl_shaped(body: Formula) -> bool:
    """Whether a quantifier may stand above the body in CTL: one future operator directly over state formulae."""
    return isinstance(body, logic.FUTURE) and all(map(is_state, operands(body)))


def marker(formula: Formula) -> str:
    """The word that must precede the formula: ``LTL``, ``CTL*`` or nothing."""
    if isinstance(formula, logic.ForAll) and formula.star and not _quantified(formula.arg):
        return "LTL"
    quantifiers = [one for one in subformulae(formula, below=_written) if isinstance(one, (logic.ForAll, logic.Exists))]
    return "CTL*" if any(one.star and ctl_shaped(one.arg) for one in quantifiers) else ""


def _written(formula: Formula) -> tuple[Formula, ...]:
    """The operands that are written: with clock or memory it is known of a path formula that all infinite runs satisfy it."""
    arg = formula.arg if isinstance(formula, logic.Remembers) else formula
    bare = arg is not formula and isinstance(arg, logic.ForAll) and arg.star and not is_state(arg.arg)
    return operands(arg if bare else formula)


def show(formula: Formula, written_out: bool = False) -> str:
    """The formula as one line of ISPL; ``written_out`` without ``KW``, which MCMAS does not know."""
    if isinstance(formula, logic.Tagged):
        return f"{formula.tag.value} {show(formula.arg, written_out)}"
    word = marker(formula)
    if word == "LTL" and isinstance(formula, logic.ForAll):
        return "LTL " + _text(formula.arg, "LTL", written_out)
    if isinstance(formula, logic.ForAll) and formula.star and not is_state(formula.arg) and not marker(formula.arg):
        # a path formula is read with A in front, and inside CTL's reading is kept
        return _text(formula.arg, "", written_out)
    text = _text(formula, word, written_out)
    return f"{word} {text}" if word else text


def _quantified(formula: Formula) -> bool:
    kinds = (logic.ForAll, logic.Exists, logic.Coalition, logic.Correct, *logic.NAMING, *logic.EQUILIBRIA)
    return any(isinstance(part, kinds) for part in subformulae(formula, below=_written))


def _text(formula: Formula, word: str, written_out: bool) -> str:
    """Writes every distinct subformula once, operands first, so that depth costs no stack."""
    written: dict[Formula, tuple[str, int]] = {}
    for part in subformulae(formula):
        whether = None if written_out else knows_whether(part)
        known = whether and (f"KW({whether[0]}, {written[whether[1]][0]})", _ATOM)
        written[part] = known or _write(part, written.__getitem__, bool(word))
    return written[formula][0]


def _write(formula: Formula, done: Callable[[Formula], tuple[str, int]], marked: bool) -> tuple[str, int]:
    """The text of a formula, given those of its operands, and how strongly it holds together."""

    def within(operand: Formula, least: int) -> str:
        text, strength = done(operand)
        return text if strength >= least else f"({text})"

    match formula:
        case logic.Truth(value):
            return ("true" if value else "false"), _ATOM
        case logic.Prop(name):
            return name, _ATOM
        case logic.Test(condition):
            return _test(condition), _BINARY
        case logic.Colour(agent, green):
            return f"{agent}.{'GreenStates' if green else 'RedStates'}", _ATOM
        case logic.ForAll() | logic.Exists():
            return _write_quantified(formula, marked, within), _STATE
        case logic.Coalition(group, arg):
            return _coalition(group) + _after_quantifier(arg, within), _STATE
        case logic.Tagged() | logic.SomeStrategy() | logic.EveryStrategy() | logic.Bound():
            return _write_named(formula, within), _STATE
        case logic.SomeEquilibrium(logic.Truth(True)):
            return "Nash", _ATOM
        case _:
            return _by_row(_ROWS[type(formula)], formula, within)


def _by_row(row: Operator, formula: Any, within: Callable[[Formula, int], str]) -> tuple[str, int]:
    match row.form:
        case Form.NEGATION:
            return row.word + within(formula.arg, _ATOM), _STATE
        case Form.JOIN | Form.PAIR:
            return f" {row.word} ".join([within(arg, _STATE) for arg in operands(formula)]), _BINARY
        case Form.BETWEEN:
            return f" {row.word} ".join([within(arg, _ATOM) for arg in operands(formula)]), _BINARY
        case Form.OF_AGENT:
            return f"{row.word}({formula.agent}, {within(formula.arg, _BINARY)})", _ATOM
        case Form.OF_GROUP:
            return f"{row.word}({formula.group}, {within(formula.arg, _BINARY)})", _ATOM
        case Form.READ:
            who = formula.group.members[0] if formula.word == "K" else formula.group
            return f"{formula.word}[{formula.reading.value}]({who}, {within(_written(formula)[0], _BINARY)})", _ATOM
        case Form.AFTER:
            return f"[! {within(formula.said, _BINARY)}] {within(formula.arg, _PATH)}", _PATH
        case Form.EQUILIBRIUM:
            return f"{row.word}({within(formula.arg, _BINARY)})", _ATOM
        case _:
            return f"{row.word} {within(formula.arg, _PATH)}", _PATH


def _write_named(formula: logic.Tagged | logic.Naming, within: Callable[[Formula, int], str]) -> str:
    rest = within(formula.arg, _PATH)
    match formula:
        case logic.Tagged(tag):
            return f"{tag.value} {rest}"
        case logic.SomeStrategy(variable):
            return f"<<{variable}>> {rest}"
        case logic.EveryStrategy(variable):
            return f"[[{variable}]] {rest}"
        case logic.Bound(agent, variable):
            return f"({agent}, {variable}) {rest}"


def _test(condition: Expr) -> str:
    """A condition in a formula.  Its connectives are written as bit operators: ``and`` would join two formulae."""
    inner = condition.arg if isinstance(condition, terms.Not) else condition
    if isinstance(inner, (terms.And, terms.Or, terms.Xor)):
        return f"({show_expr(condition)}) = true"
    return show_condition(condition)


def _write_quantified(formula: logic.ForAll | logic.Exists, marked: bool, within: Callable[[Formula, int], str]) -> str:
    letter = "A" if isinstance(formula, logic.ForAll) else "E"
    if marked or formula.star:
        return f"{letter} ({within(formula.arg, _BINARY)})"
    return letter + _after_quantifier(formula.arg, within)


def _after_quantifier(arg: Formula, within: Callable[[Formula, int], str]) -> str:
    """``G p`` or ``(p U q)``, to stand directly behind A, E or a coalition."""
    if isinstance(arg, (logic.Next, logic.Finally, logic.Globally)):
        return f"{PREFIX[type(arg)]} {within(arg.arg, _STATE)}"
    return f"({within(arg, _BINARY)})"


def _coalition(group: Group) -> str:
    """A single agent stands in braces: without them it would be read as the group of that name, if there is one."""
    if group.name is None and len(group.members) == 1:
        return f"<{{{group.members[0]}}}>"
    return f"<{','.join(group.members) if group.name is None else group.name}>"
