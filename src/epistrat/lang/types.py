"""Which values go together: the rules for comparisons and assignments.

Each rule gives None where all is well, else the mistake as (code, sentence, label, what was probably meant).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from epistrat.lang.names import closest, listing
from epistrat.terms import Bounded, Const, Domain, Enumeration, Expr, Sort, Var, whole

Problem: TypeAlias = tuple[str, str, str, str | None]
Domains: TypeAlias = Callable[[str, str], Domain]


def kind(expr: Expr) -> str:
    """What an expression is, in words."""
    if isinstance(expr, Const):
        if expr.sort is Sort.NAME:
            return f"`{expr.value}`"
        return f"`{str(expr.value).lower()}`"
    if isinstance(expr, Var):
        return f"{expr.agent}.{expr.name}"
    return {Sort.BOOLEAN: "a truth value", Sort.NUMBER: "a number", Sort.NAME: "a name"}[expr.sort]


def sort_name(sort: Sort) -> str:
    """A sort in words."""
    return {Sort.BOOLEAN: "Boolean", Sort.NUMBER: "a number", Sort.NAME: "an enumeration"}[sort]


def comparison(
    op: str, left: Expr, right: Expr, domains: Domains, *, literal: bool, equal_sets: bool = False
) -> Problem | None:
    """The rules for ``left op right``; ``literal`` says that both sides are written without operators."""
    ordered = op not in ("=", "<>", "!=")
    if literal and isinstance(left, Const) and isinstance(right, Const):
        return "E025", "two constants are compared: the answer is always the same", "", None
    if left.sort is not right.sort:
        return _mixed(left, right, domains)
    if left.sort is Sort.NUMBER:
        return (_in_range(op, left, right, domains) or _in_range(op, right, left, domains)) if literal else None
    if ordered:
        what = "truth values" if left.sort is Sort.BOOLEAN else "enumeration values"
        return "E024", f"`{op}` is for numbers: {what} have no order", "only `=` and `<>` are possible", None
    if left.sort is Sort.NAME:
        return _names(left, right, domains, equal_sets)
    return None


def _mixed(left: Expr, right: Expr, domains: Domains) -> Problem:
    if isinstance(left, Const):
        left, right = right, left
    if isinstance(right, Const) and isinstance(left, Var):
        domain = domains(left.agent, left.name)
        candidates = ["true", "false"] if left.sort is Sort.BOOLEAN else [str(v) for v in _values(domain)]
        return (
            "E021" if isinstance(domain, Enumeration) else "E020",
            f"{kind(left)} cannot be {kind(right)}",
            f"its type is {domain}",
            closest(str(right.value), candidates),
        )
    both = f"{kind(left)} is {sort_name(left.sort)}, {kind(right)} is {sort_name(right.sort)}"
    return "E020", "only values of one type can be compared", both, None


def _values(domain: Domain) -> list[str]:
    return list(domain.values) if isinstance(domain, Enumeration) else []


def _in_range(op: str, variable: Expr, literal: Expr, domains: Domains) -> Problem | None:
    """A bounded variable is compared directly with a number only inside its range."""
    if not (isinstance(variable, Var) and isinstance(literal, Const)):
        return None
    domain = domains(variable.agent, variable.name)
    if not isinstance(domain, Bounded):
        return None
    value = literal.value
    assert not isinstance(value, str)
    exact = op in ("=", "<>", "!=")
    if value in domain if exact else domain.low <= value <= domain.high:
        return None
    return "E022", f"{value} lies outside the range of {kind(variable)}", f"its range is {domain}", None


def _names(left: Expr, right: Expr, domains: Domains, equal_sets: bool) -> Problem | None:
    if isinstance(left, Const):
        left, right = right, left
    assert isinstance(left, Var)
    domain = domains(left.agent, left.name)
    assert isinstance(domain, Enumeration)
    if isinstance(right, Const):
        return _member(left, domain, str(right.value))
    assert isinstance(right, Var)
    other = domains(right.agent, right.name)
    one, two = set(domain), set(other)  # type: ignore[arg-type]  # both are enumerations
    if one == two or (not equal_sets and (one <= two or two <= one)):
        return None
    return "E026", f"{kind(left)} and {kind(right)} have different values", f"{domain} against {other}", None


def _member(variable: Var, domain: Enumeration, value: str) -> Problem | None:
    if value in domain.values:
        return None
    label = f"its values are {listing(domain.values)}"
    return "E021", f"{kind(variable)} cannot be `{value}`", label, closest(value, domain.values)


def assignment(target: Var, value: Expr, domains: Domains, *, literal: bool) -> Problem | None:
    """The rules for ``target = value`` as an assignment; ``literal`` says that the value is written without operators."""
    domain = domains(target.agent, target.name)
    if value.sort is not target.sort:
        if isinstance(value, Const):
            return _mixed(target, value, domains)
        label = f"{kind(target)} is {sort_name(target.sort)}, {kind(value)} is {sort_name(value.sort)}"
        return "E020", f"{kind(target)} cannot be assigned {kind(value)}", label, None
    if isinstance(domain, Enumeration):
        if isinstance(value, Const):
            return _member(target, domain, str(value.value))
        assert isinstance(value, Var)
        other = domains(value.agent, value.name)
        if set(domain) != set(other):  # type: ignore[arg-type]  # both are enumerations
            label = f"{domain} against {other}"
            return "E026", f"{kind(target)} and {kind(value)} have different values", label, None
    if isinstance(domain, Bounded) and literal:
        return _fits(target, domain, value, domains)
    return None


def _fits(target: Var, domain: Bounded, value: Expr, domains: Domains) -> Problem | None:
    if isinstance(value, Const) and whole(value.value) not in domain:
        return "E022", f"{kind(target)} cannot be {value.value}", f"its range is {domain}", None
    if isinstance(value, Var):
        other = domains(value.agent, value.name)
        if isinstance(other, Bounded) and (other.high < domain.low or domain.high < other.low):
            label = f"{other} against {domain}"
            return "E022", f"{kind(target)} can take no value of {kind(value)}", label, None
    return None
