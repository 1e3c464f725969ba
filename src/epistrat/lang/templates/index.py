"""Index terms: arithmetic over a parameter and indices that is left standing, where a model of one size has numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from epistrat.lang.families.constants import Constant, Wrong
from epistrat.records import dataclass

Env: TypeAlias = Mapping[str, int]

_WEAK = {"or": 0, "and": 1, "=": 2, "<>": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "+": 3, "-": 3}
_STRONG = {"*": 4, "/": 4, "mod": 4}


@dataclass(frozen=True, slots=True)
class Index:
    """An expression as in `families.constants`, as a value that compares: ``op`` is ``#`` for a number, ``name``, or an operator."""

    op: str
    args: tuple[Index, ...] = ()
    name: str = ""
    number: int = 0

    def value(self, env: Env) -> int:
        """The value, truth values being 1 and 0; raises `Wrong` where there is none and KeyError for an unknown name."""
        return self.constant().value(env)

    def constant(self) -> Constant:
        """The same as a node of the reader's."""
        return Constant(0, 0, self.op, [arg.constant() for arg in self.args], self.name, self.number)

    def names(self) -> frozenset[str]:
        """The parameters and indices in it."""
        own = {self.name} if self.op == "name" else set()
        return frozenset(own.union(*(arg.names() for arg in self.args)))

    def put(self, values: Mapping[str, Index]) -> Index:
        """The expression with others in the place of names; what then has a value is a number."""
        if self.op == "name":
            return values.get(self.name, self)
        if not self.args:
            return self
        return folded(Index(self.op, tuple([arg.put(values) for arg in self.args])))

    def __str__(self) -> str:
        return _shown(self)


def number(value: int) -> Index:
    """A number."""
    return Index("#", number=value)


def named(name: str) -> Index:
    """A parameter or an index."""
    return Index("name", name=name)


def folded(index: Index) -> Index:
    """A number if the expression has a value whatever the parameters and indices are; an expression without value stays."""
    if index.op in ("#", "name") or any(arg.op != "#" for arg in index.args):
        return index
    try:
        return number(index.value({}))
    except Wrong:
        return index


def terms_in(index: Index) -> Iterator[Index]:
    """The expression and all its parts."""
    yield index
    for arg in index.args:
        yield from terms_in(arg)


def _shown(index: Index, least: int = 0) -> str:
    if index.op == "#":
        return str(index.number)
    if index.op == "name":
        return index.name
    if index.op in ("negative", "!"):
        return f"{'-' if index.op == 'negative' else '!'}{_shown(index.args[0], 5)}"
    if index.op in ("min", "max", "pow"):
        return f"{index.op}({', '.join(map(str, index.args))})"
    level = (_WEAK | _STRONG)[index.op]
    text = f"{_shown(index.args[0], level)} {index.op} {_shown(index.args[1], level + 1)}"
    return f"({text})" if level < least else text
