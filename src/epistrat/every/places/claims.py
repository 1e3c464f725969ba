"""What a formula claims, taken apart: in every reachable state (or in every initial one) in which a premise holds, for all members of some
ranges, one thing holds.

Taking apart keeps the meaning but for one step that asks for more: of ``K(a, p) or q`` it asks that a knows p wherever p is true, and q
elsewhere.  Where that is not so nothing is said about the formula.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from epistrat.every.places.family import Outside
from epistrat.lang.templates.tree import (
    Each,
    Enforces,
    FormulaTree,
    Knows,
    Literal,
    Op,
    Prefixed,
    Scope,
    Term,
    Unread,
    Whom,
    parts,
)
from epistrat.records import dataclass, replace

_TIME = frozenset({"X", "F", "G", "Y", "Once", "Hist", "A", "E", "AG", "AF", "AX", "EG", "EF", "EX"})
_UNTIL = frozenset({"U", "W", "R", "S", "T", "Z"})


class Goal(Enum):
    """What holds where the premise does; the value says it in words."""

    HOLDS = "it holds"
    KNOWS = "an agent knows it"
    IGNORES = "an agent does not know it"
    COMMON = "it is common knowledge, or everybody knows it"
    NEXT = "it holds after every step"
    SOME_NEXT = "some step leads to it"
    LASTS = "it holds for ever from here"
    REACHES = "a run can lead to it"
    COMES = "every run leads to it"


@dataclass(frozen=True, slots=True)
class Claim:
    """Wherever ``premise`` holds (``first``: in initial states only), for all members of the ranges, ``goal`` holds of ``fact``."""

    goal: Goal
    fact: Term
    who: Whom | None = None
    premise: tuple[Term, ...] = ()
    scopes: tuple[Scope, ...] = ()
    first: bool = False


def is_condition(term: Term) -> bool:
    """Whether there is no operator in it."""
    if isinstance(term, (Knows, Enforces, Unread)):
        return False
    if isinstance(term, Prefixed) and term.op in _TIME:
        return False
    if isinstance(term, Op) and term.op in _UNTIL:
        return False
    return all(is_condition(part) for part in parts(term))


def claims(formula: FormulaTree) -> list[Claim]:
    """What the formula claims; raises `Outside` where it says something else."""
    if formula.tag or formula.marker not in ("", "LTL", "CTL*"):
        raise Outside("strategies with names", formula.at)
    body, first = formula.body, True
    match body:
        case Prefixed(op="AG", arg=arg):
            body, first = arg, False
        case Prefixed(op="G", arg=arg) if formula.marker == "LTL" and is_condition(arg):
            body, first = arg, False
    start = Claim(Goal.HOLDS, Literal("true"), scopes=formula.scopes, first=first)
    return list(_apart(body, start))


def _apart(term: Term, so_far: Claim) -> Iterator[Claim]:
    """The claims that the term holds wherever the premise does."""
    if is_condition(term):
        yield replace(so_far, goal=Goal.HOLDS, fact=term)
        return
    match term:
        case Op(op="and" | "&", args=args):
            for arg in args:
                yield from _apart(arg, so_far)
        case Op(op="->", args=(premise, conclusion)):
            yield from _apart(Op("or", (_not(premise), conclusion), term.at), so_far)
        case Op(op="or" | "|", args=args):
            yield from _one_of(args, so_far, term)
        case Each(kind="forall", scope=scope, arg=arg):
            yield from _apart(arg, replace(so_far, scopes=(*so_far.scopes, scope)))
        case Prefixed(op="!" | "~", arg=arg):
            yield from _denied(arg, so_far)
        case _:
            yield _single(term, so_far)


def _one_of(args: tuple[Term, ...], so_far: Claim, term: Term) -> Iterator[Claim]:
    """One of several holds: all that are conditions become premises, then what is known wherever it is true."""
    conditions = [arg for arg in args if is_condition(arg)]
    others = [arg for arg in args if not is_condition(arg)]
    premise = (*so_far.premise, *[one for arg in conditions for one in _conjuncts(_not(arg))])
    while len(others) > 1:
        known = next((one for one in others if isinstance(one, Knows) and is_condition(one.arg)), None)
        if known is None:
            raise Outside("one of several claims holds, and nothing says which", term.at)
        others.remove(known)
        yield from _apart(known, replace(so_far, premise=(*premise, *_conjuncts(known.arg))))
        premise = (*premise, *_conjuncts(_not(known.arg)))
    yield from _apart(others[0], replace(so_far, premise=premise))


def _denied(term: Term, so_far: Claim) -> Iterator[Claim]:
    """The claims that the term does not hold."""
    match term:
        case Op(op="or" | "|", args=args):
            for arg in args:
                yield from _apart(_not(arg), so_far)
        case Op(op="and" | "&", args=args):
            yield from _apart(Op("or", tuple([_not(arg) for arg in args]), term.at), so_far)
        case Op(op="->", args=(premise, conclusion)):
            yield from _apart(premise, so_far)
            yield from _apart(_not(conclusion), so_far)
        case Prefixed(op="!" | "~", arg=arg):
            yield from _apart(arg, so_far)
        case Each(kind="exists", scope=scope, arg=arg):
            yield from _apart(_not(arg), replace(so_far, scopes=(*so_far.scopes, scope)))
        case Knows(op="K", who=who, arg=arg, reading="") if is_condition(arg):
            yield replace(so_far, goal=Goal.IGNORES, fact=arg, who=who)
        case Prefixed(op="EF", arg=arg) if is_condition(arg):
            yield replace(so_far, goal=Goal.LASTS, fact=_not(arg))
        case Prefixed(op="EX", arg=arg) if is_condition(arg):
            yield replace(so_far, goal=Goal.NEXT, fact=_not(arg))
        case Prefixed(op="AX", arg=arg) if is_condition(arg):
            yield replace(so_far, goal=Goal.SOME_NEXT, fact=_not(arg))
        case Prefixed(op="AG", arg=arg) if is_condition(arg):
            yield replace(so_far, goal=Goal.REACHES, fact=_not(arg))
        case _:
            raise Outside("this part of the formula", term.at)


_OF_TIME = {
    "AX": Goal.NEXT,
    "EX": Goal.SOME_NEXT,
    "AG": Goal.LASTS,
    "EF": Goal.REACHES,
    "AF": Goal.COMES,
}
_OF_KNOWLEDGE = {"K": Goal.KNOWS, "DK": Goal.KNOWS, "GK": Goal.COMMON, "GCK": Goal.COMMON}


def _single(term: Term, so_far: Claim) -> Claim:
    """One operator in front of a condition."""
    match term:
        case Prefixed(op=op, arg=arg) if op in _OF_TIME and is_condition(arg):
            return replace(so_far, goal=_OF_TIME[op], fact=arg)
        case Knows(op=op, reading="", arg=arg, who=who) if op in _OF_KNOWLEDGE and is_condition(arg):
            return replace(so_far, goal=_OF_KNOWLEDGE[op], fact=arg, who=who)
        case Knows() | Enforces() | Prefixed() | Op():
            raise Outside("operators inside of operators", term.at)
        case _:
            raise Outside("this part of the formula", term.at)


def _conjuncts(term: Term) -> tuple[Term, ...]:
    """Conditions all of which hold where this one does, and only there."""
    match term:
        case Op(op="and" | "&", args=args):
            return tuple([one for arg in args for one in _conjuncts(arg)])
        case Prefixed(op="!" | "~", arg=Op(op="or" | "|", args=args)):
            return tuple([one for arg in args for one in _conjuncts(_not(arg))])
        case Prefixed(op="!" | "~", arg=Op(op="->", args=(premise, conclusion))):
            return (*_conjuncts(premise), *_conjuncts(_not(conclusion)))
        case _:
            return (term,)


def _not(term: Term) -> Term:
    match term:
        case Prefixed(op="!" | "~", arg=arg):
            return arg
        case _:
            return Prefixed("!", term, term.at)
