"""Terms of VMT-LIB: what they mention, values for some symbols, and how they are written in ISPL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from epistrat.lang.vmt.parse import Term
from epistrat.source import NotRead

TRUE, FALSE = "true", "false"


def symbols(term: Term) -> set[str]:
    """The symbols and numerals of a term, without operators."""
    if isinstance(term, str):
        return {term}
    return set().union(*[symbols(one) for one in term[1:]]) if len(term) > 1 else set()


def number(term: Term) -> Fraction | None:
    """The value of a constant."""
    match term:
        case str(text):
            try:
                return Fraction(text)
            except ValueError:
                return None
        case ("-", one):
            value = number(one)
            return None if value is None else -value
        case ("/", one, other):
            top, bottom = number(one), number(other)
            return None if top is None or not bottom else top / bottom
        case ("to_real", one):
            return number(one)
    return None


def conjuncts(term: Term) -> Iterator[Term]:
    """The parts of a conjunction."""
    if isinstance(term, tuple) and term[0] == "and":
        for one in term[1:]:
            yield from conjuncts(one)
    elif term != TRUE:
        yield term


def disjunction(parts: list[Term]) -> Term:
    """Some of the parts."""
    kept = [one for one in parts if one != FALSE]
    if TRUE in kept:
        return TRUE
    return FALSE if not kept else kept[0] if len(kept) == 1 else ("or", *kept)


def conjunction(parts: list[Term]) -> Term:
    """All parts."""
    kept = [one for one in parts if one != TRUE]
    if FALSE in kept:
        return FALSE
    return TRUE if not kept else kept[0] if len(kept) == 1 else ("and", *kept)


def negated(term: Term) -> Term:
    """Not the term."""
    if term == TRUE:
        return FALSE
    if term == FALSE:
        return TRUE
    return term[1] if isinstance(term, tuple) and term[0] == "not" else ("not", term)


def replaced(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with values for some symbols, made simpler where constants decide."""
    if isinstance(term, str):
        return values.get(term, term)
    head, parts = term[0], [replaced(one, values) for one in term[1:]]
    match head:
        case "and":
            return conjunction(parts)
        case "or":
            return disjunction(parts)
        case "=>":
            return disjunction([*map(negated, parts[:-1]), parts[-1]])
        case "not":
            return negated(parts[0])
        case "ite" if parts[0] in (TRUE, FALSE):
            return parts[1] if parts[0] == TRUE else parts[2]
        case "=" | "<" | "<=" | ">" | ">=" if len(parts) == 2:
            return _compared(str(head), parts[0], parts[1])
    return (head, *parts)


def _compared(op: str, left: Term, right: Term) -> Term:
    one, other = number(left), number(right)
    if one is not None and other is not None:
        true = {"=": one == other, "<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[op]
        return TRUE if true else FALSE
    if op == "=" and left in (TRUE, FALSE):
        left, right = right, left
    if op == "=" and right in (TRUE, FALSE):
        return left if right == TRUE else negated(left)
    return (op, left, right)


class Writer:
    """Writes terms as ISPL.  ``name`` gives a variable's name in ISPL; ``is_boolean`` tells which symbols are Boolean.

    ISPL has no word for what is always true: ``some`` is a variable that helps to say it.  It rejects comparisons with constants outside a
    variable's range, which ``limits`` tells; they are decided here.
    """

    def __init__(
        self,
        name: Callable[[str], str],
        is_boolean: Callable[[str], bool],
        some: str,
        limits: Callable[[str], tuple[Fraction, Fraction] | None],
    ) -> None:
        self._name = name
        self._is_boolean = is_boolean
        self._limits = limits
        variable = name(some)
        known = limits(some)
        value = 0 if known is None else known[0]
        options = ("= true", "= false") if is_boolean(some) else (f"= {value}", f"<> {value}")
        self._always = "(" + " or ".join(f"{variable} {option}" for option in options) + ")"

    def boolean(self, term: Term) -> bool:
        """Whether a term is Boolean."""
        if isinstance(term, str):
            return term in (TRUE, FALSE) or self._is_boolean(term)
        if term[0] == "ite":
            return self.boolean(term[2])
        return term[0] not in ("+", "-", "*", "/", "to_real", "to_int", "mod", "div", "abs")

    def condition(self, term: Term) -> str:
        """A Boolean term."""
        match term:
            case "true":
                return self._always
            case "false":
                return f"!({self._always})"
            case str(symbol):
                return f"{self._name(symbol)} = true"
            case (":knows", str(agent), body):
                return f"K({agent}, {self.condition(body)})"
            case ("not", one):
                return f"!({self.condition(one)})"
            case ("and" | "or" as op, *parts):
                return "(" + f" {op} ".join(self.condition(one) for one in parts) + ")"
            case ("=>", *parts):
                return self.condition(("or", *map(negated, parts[:-1]), parts[-1]))
            case ("xor", left, right):
                return self.condition(("not", ("=", left, right)))
            case ("ite", when, yes, no):
                return self.condition(("or", ("and", when, yes), ("and", negated(when), no)))
            case ("distinct", left, right):
                return self.condition(("not", ("=", left, right)))
            case ("=", left, right) if self.boolean(left):
                return self.condition(("or", ("and", left, right), ("and", negated(left), negated(right))))
            case ("=" | "<" | "<=" | ">" | ">=" as op, left, right):
                return self._comparison(str(op), left, right)
            case ("=" | "<" | "<=" | ">" | ">=" as op, *parts) if len(parts) > 2:
                return self.condition(("and", *[(str(op), a, b) for a, b in pairwise(parts)]))
        raise NotRead(f"{term[0]} cannot be translated", 0)

    def _comparison(self, op: str, left: Term, right: Term) -> str:
        for when, values in split((left, right)):
            if when != TRUE:
                options: list[Term] = [
                    ("and", *conjuncts(case), (op, *both)) for case, both in split((left, right)) if case != FALSE
                ]
                return self.condition(disjunction(options))
            decided = self._decided(op, *values)
            return self.condition(decided) if decided else f"{self.value(values[0])} {op} {self.value(values[1])}"
        raise NotRead("not a comparison", 0)

    def _decided(self, op: str, left: Term, right: Term) -> str:
        """Whether a variable is compared with a constant outside its range: the answer, or nothing."""
        for symbol, constant, direct in ((left, number(right), True), (right, number(left), False)):
            limits = self._limits(symbol) if isinstance(symbol, str) and number(symbol) is None else None
            if limits is not None and constant is not None and not limits[0] <= constant <= limits[1]:
                inside = str(limits[0])
                return str(_compared(op, inside, str(constant)) if direct else _compared(op, str(constant), inside))
        return ""

    def value(self, term: Term) -> str:
        """A number."""
        constant = number(term)
        if constant is not None:
            return str(constant) if constant.denominator == 1 else f"({constant.numerator}/{constant.denominator})"
        match term:
            case str(symbol):
                return self._name(symbol)
            case ("to_real", one):
                return self.value(one)
            case ("-", one):
                return f"(0 - {self.value(one)})"
            case ("+" | "-" | "*" | "/" as op, *parts):
                return "(" + f" {op} ".join(self.value(one) for one in parts) + ")"
        raise NotRead(f"{term[0]} cannot be translated", 0)


def split(terms: tuple[Term, ...]) -> list[tuple[Term, tuple[Term, ...]]]:
    """Cases without ``ite`` in numbers: a condition, and what the terms are where it holds."""
    for place, term in enumerate(terms):
        found = _first_choice(term)
        if found is not None:
            cases = []
            for chosen, when in ((True, found[1]), (False, negated(found[1]))):
                changed = (*terms[:place], _decided(term, found, chosen), *terms[place + 1 :])
                cases += [(conjunction([when, more]), done) for more, done in split(changed)]
            return cases
    return [(TRUE, terms)]


def _first_choice(term: Term) -> tuple[Term, ...] | None:
    if isinstance(term, str):
        return None
    if term[0] == "ite":
        return term
    return next((found for one in term[1:] if (found := _first_choice(one)) is not None), None)


def _decided(term: Term, choice: tuple[Term, ...], yes: bool) -> Term:
    if term == choice:
        return choice[2] if yes else choice[3]
    return term if isinstance(term, str) else (term[0], *[_decided(one, choice, yes) for one in term[1:]])
