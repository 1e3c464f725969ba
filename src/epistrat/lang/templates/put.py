"""Index terms in the place of indices, all through a tree."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import TypeVar

from epistrat.lang.templates.index import Index, named
from epistrat.lang.templates.tree import (
    Binder,
    Compared,
    Each,
    Enforces,
    Knows,
    Listed,
    Literal,
    Name,
    Number,
    Op,
    Prefixed,
    Ref,
    Scope,
    Term,
    Unread,
    Whom,
)
from epistrat.records import replace

Values = Mapping[str, Index]
T = TypeVar("T", bound=Term)


def put(term: Term, values: Values) -> Term:
    """The term with index terms in the place of the indices of these names; indices bound inside keep out of the way."""
    if not values:
        return term
    match term:
        case Number(index=index) | Compared(index=index):
            return replace(term, index=index.put(values))
        case Literal() | Unread():
            return term
        case Ref(owner=owner, name=name):
            return replace(term, owner=None if owner is None else put_name(owner, values), name=put_name(name, values))
        case Op(args=args):
            return replace(term, args=tuple([put(arg, values) for arg in args]))
        case Prefixed(arg=arg):
            return replace(term, arg=put(arg, values))
        case Each(scope=scope, arg=arg, bound=bound):
            new, inner = put_scope(scope, values)
            bound = None if bound is None else bound.put(values)
            return replace(term, scope=new, arg=put(arg, inner), bound=bound)
        case Knows(who=who, arg=arg) | Enforces(who=who, arg=arg):
            return replace(term, who=put_whom(who, values), arg=put(arg, values))


def put_name(name: Name, values: Values) -> Name:
    """The name at these indices."""
    return Name(name.word, tuple([one.put(values) for one in name.indices])) if name.indices else name


def put_whom(who: Whom, values: Values) -> Whom:
    """The agents at these indices."""
    return Whom(tuple([put_listed(one, values) for one in who.names]), who.listed)


def put_listed(one: Listed, values: Values) -> Listed:
    """The entry of a list at these indices."""
    if one.scope is None:
        return replace(one, name=put_name(one.name, values))
    scope, inner = put_scope(one.scope, values)
    return replace(one, scope=scope, name=put_name(one.name, inner))


def put_scope(scope: Scope, values: Values) -> tuple[Scope, Values]:
    """The scope at these indices, and what is then put into what it is about: a binder gets another name where it would catch one."""
    inner = dict(values)
    binders: list[Binder] = []
    for one in scope.binders:
        low, high = one.low.put(inner), one.high.put(inner)
        inner.pop(one.name, None)
        caught = frozenset[str]().union(*(index.names() for index in inner.values()))
        name = one.name
        if name in caught:
            name = next(new for number in count(2) if (new := f"{one.name}{number}") not in caught)
            inner[one.name] = named(name)
        binders.append(Binder(name, low, high))
    where = None if scope.where is None else scope.where.put(inner)
    return Scope(tuple(binders), where, scope.number), inner
