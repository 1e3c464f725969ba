"""Formulae about all sizes as formulae of the counted system, in parts: the formula holds for every size if all parts do.

A formula family is asked of every special member and of one that is new, whichever it is; so is a ``forall`` at the front: under nothing
but ``and``, ``AG``, ``AX``, knowledge, and to the right of ``->``.  ``K(a, p) or K(a, !p)`` becomes
``(p -> K(a, p)) and (!p -> K(a, !p))``, which says the same since what is known is true.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat.every.layout import Env, Layout
from epistrat.every.quotient import Counted, observer
from epistrat.every.spots import Fresh, New, Outside, Spot
from epistrat.lang.templates import tree
from epistrat.lang.templates.index import named
from epistrat.lang.templates.put import put
from epistrat.records import dataclass, replace
from epistrat.terms import Expr

_THROUGH = ("AG", "AX")
_KNOWING = ("K", "GK", "DK", "GCK")
_BOOLEAN = ("and", "or", "xor", "<->")
_CONDITION_PREFIXES = ("!", "~")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a formula, for values of its indices."""

    body: tree.Term
    env: Env

    @property
    def new(self) -> frozenset[New]:
        """The new members that it speaks of."""
        return frozenset(value for value in self.env.values() if isinstance(value, New))


def is_condition(term: tree.Term) -> bool:
    """Whether there is no operator of time, knowledge or strategies in a term."""
    for part in tree.subterms(term):
        if isinstance(part, (tree.Knows, tree.Enforces, tree.Unread)):
            return False
        if isinstance(part, tree.Prefixed) and part.op not in _CONDITION_PREFIXES:
            return False
        if isinstance(part, tree.Op) and part.op in ("U", "W", "R", "S"):
            return False
    return True


def parts(layout: Layout, formula: tree.FormulaTree) -> list[Part]:
    """The parts of a formula."""
    if formula.tag:
        raise Outside(f"the formula has the tag {formula.tag}", formula.at)
    found = [Part(formula.body, {})]
    for scope in formula.scopes:
        found = [Part(one.body, env) for one in found for env in _members(layout, scope, one.env)]
    return [piece for one in found for piece in _pulled(layout, one)]


def _members(layout: Layout, scope: tree.Scope, env: Env) -> Iterator[Env]:
    """All specials in the range, those new ones that are there already, and one more."""
    found: list[dict[str, int | Spot]] = [dict(env)]
    for one in scope.binders:
        grown: list[dict[str, int | Spot]] = []
        for inner in found:
            values: list[int | Spot] = [
                value for value in layout.values(one, inner, True) if not isinstance(value, (Fresh, New))
            ]
            if any(isinstance(value, Fresh) for value in layout.values(one, inner, True)):
                ranks = sorted(value.rank for value in inner.values() if isinstance(value, New))
                values += [New(rank) for rank in [*ranks, len(ranks)]]
            grown += [{**inner, one.name: value} for value in values]
        found = grown
    for inner in found:
        if scope.where is None or layout.truth(scope.where, inner):
            yield inner


def _pulled(layout: Layout, part: Part) -> list[Part]:
    """Parts that together say the same."""
    body = part.body
    if is_condition(body):
        return [part]
    match body:
        case tree.Op(op="and", args=args):
            return [one for arg in args for one in _pulled(layout, replace(part, body=arg))]
        case tree.Op(op="->", args=(left, right)):
            return [
                replace(one, body=replace(body, args=(left, one.body)))
                for one in _pulled(layout, replace(part, body=right))
            ]
        case tree.Op(op="or", args=(tree.Knows() as one, tree.Knows() as other)) if _whether(one, other):
            ways = tuple([tree.Op("->", (each.arg, each), body.at) for each in (one, other)])
            return _pulled(layout, replace(part, body=tree.Op("and", ways, body.at)))
        case tree.Prefixed(op=op, arg=arg) if op in _THROUGH:
            return [replace(one, body=replace(body, arg=one.body)) for one in _pulled(layout, replace(part, body=arg))]
        case tree.Knows(op=op, arg=arg) if op in _KNOWING:
            return [replace(one, body=replace(body, arg=one.body)) for one in _pulled(layout, replace(part, body=arg))]
        case tree.Each(kind="forall", scope=scope, arg=arg):
            found: list[Part] = []
            for env in _members(layout, scope, part.env):
                # the index gets a name of its own for each value: a formula may pick members twice by the same name
                names = {one.name: f"{one.name}'{len(part.env)}" for one in scope.binders}
                own = put(arg, {name: named(new) for name, new in names.items()})
                inner: dict[str, int | Spot] = {**part.env, **{new: env[name] for name, new in names.items()}}
                found += _pulled(layout, Part(own, inner))
            return found
    return [part]


def _whether(one: tree.Knows, other: tree.Knows) -> bool:
    """``K(a, p)`` and ``K(a, !p)``"""
    if (one.op, one.who, one.reading) != ("K", other.who, other.reading) or other.op != "K":
        return False
    denied = tree.Prefixed("!", one.arg), tree.Prefixed("!", other.arg)
    return denied[0] == other.arg or denied[1] == one.arg


def is_universal(term: tree.Term) -> bool:
    """Whether a formula is about all runs and about knowledge that is there: more runs and more look-alikes can only make it fail."""
    if is_condition(term):
        return True
    match term:
        case tree.Op(op="and" | "or", args=args):
            return all(map(is_universal, args))
        case tree.Op(op="->", args=(left, right)):
            return is_condition(left) and is_universal(right)
        case tree.Prefixed(op="AG" | "AX" | "AF" | "A" | "X" | "F" | "G", arg=arg):
            return is_universal(arg)
        case tree.Knows(op="K" | "GK" | "DK" | "GCK", arg=arg) | tree.Each(kind="forall" | "exists", arg=arg):
            return is_universal(arg)
    return False


class Phrasing:
    """Writes parts as ISPL; conditions become propositions, whose meanings are in ``conditions``."""

    def __init__(self, counted: Counted) -> None:
        self._counted = counted
        self.conditions: dict[str, Expr] = {}
        self._names: dict[Expr, str] = {}

    def text(self, part: Part, marker: str) -> str:
        """The formula."""
        if self._counted.choices and marker:
            raise Outside(f"unnamed members have choices, and the formula is one of {marker}", part.body.at)
        return f"{marker} {self._phrase(part.body, part.env, True)}".strip()

    def _phrase(self, term: tree.Term, env: Env, positive: bool | None) -> str:
        """A term; ``positive`` says on which side of negations it stands, None: on both."""
        if is_condition(term):
            return self._condition(self._counted.reading.condition(term, env, self._counted.situation))
        match term:
            case tree.Op(op="S") | tree.Prefixed(op="Y" | "Once" | "Hist"):
                raise Outside("the formula looks back", term.at)
            case tree.Op(op="->", args=(left, right)):
                denied = None if positive is None else not positive
                return f"({self._phrase(left, env, denied)} -> {self._phrase(right, env, positive)})"
            case tree.Op(op=op, args=args):
                inner = positive if op in ("and", "or") else None
                if op not in _BOOLEAN and self._counted.choices:
                    raise Outside(f"unnamed members have choices, and the formula has `{op}`", term.at)
                return "(" + f" {op} ".join(self._phrase(arg, env, inner) for arg in args) + ")"
            case tree.Prefixed(op="!", arg=arg):
                return f"(! {self._phrase(arg, env, None if positive is None else not positive)})"
            case tree.Prefixed(op=op, arg=arg):
                return self._in_time(op, self._phrase(arg, env, positive), term, positive)
            case tree.Knows(op=op, who=who, arg=arg, reading="") if op in _KNOWING:
                whom = self._whom(who, env)
                shown = whom[0] if op == "K" else f"{{{', '.join(whom)}}}"
                return f"{op}({shown}, {self._phrase(arg, env, positive)})"
            case tree.Knows(op=op):
                raise Outside(f"`{op}` speaks of histories or of correct states", term.at)
            case tree.Each(kind=kind):
                raise Outside(f"the formula picks a member under an operator (`{kind}`)", term.at)
            case tree.Enforces():
                raise Outside("strategies", term.at)
            case tree.Unread(what=what):
                raise Outside(what, term.at)
        raise Outside("this part of the formula", term.at)

    def _in_time(self, op: str, inner: str, term: tree.Term, positive: bool | None) -> str:
        """An operator of time: where members have choices, it passes over states that are not settled.

        Runs that never become settled again, if there are any, can only make ``AF`` and ``AX`` fail.
        """
        if not self._counted.choices:
            return f"({op} {inner})"
        settled = self._condition(self._counted.settled)
        match op:
            case "AG":
                return f"(AG ({settled} -> {inner}))"
            case "EF":
                return f"(EF ({settled} and {inner}))"
            case "EX":
                return f"(EX E(!{settled} U ({settled} and {inner})))"
            case "AF" if positive:
                return f"(AF ({settled} and {inner}))"
            case "AX" if positive:
                return f"(AX A(!{settled} U ({settled} and {inner})))"
        raise Outside(f"unnamed members have choices, and the formula has `{op}`", term.at)

    def _condition(self, condition: Expr) -> str:
        name = self._names.get(condition)
        if name is None:
            name = self._names[condition] = f"c{len(self._names) + 1}"
            self.conditions[name] = self._counted.condensed(condition)
        return name

    def _whom(self, who: tree.Whom, env: Env) -> list[str]:
        layout = self._counted.layout
        found: list[str] = []
        for one in who.names:
            groups = [group for group in layout.template.groups if group.name.word == one.name.word]
            entries = [entry for group in groups for entry in group.members] if groups and not who.listed else [one]
            if groups and one.name.indices:
                raise Outside(f"the group `{one.name}` has an index")
            for entry in entries:
                scopes = () if entry.scope is None else (entry.scope,)
                for inner in layout.envs(scopes, env, fresh=True):
                    at, spot = layout.indices(entry.name.indices, layout.kinds.agent(entry.name), inner)
                    if isinstance(spot, Fresh):
                        raise Outside(f"the group grows with {layout.parameter}", entry.at)
                    found.append(self._title(entry.name.word, at, spot))
        return found

    def _title(self, word: str, at: tuple[int, ...], spot: Spot | None) -> str:
        for actor in self._counted.layout.actors:
            if (actor.word, actor.at, actor.spot) == (word, at, spot):
                return observer(actor.title)
        raise Outside(f"there is no agent `{word}` at this index")
