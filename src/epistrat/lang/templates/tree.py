"""The template of a family as a tree: what was written, with index terms and ranges left standing.

A *term* is a condition, a value or a formula; one kind of tree serves all three, as in `epistrat.lang.syntax`.  A *line* is what a section
holds; ``scopes`` says for which indices it is written, outermost first: ``for``, ``where``, the range in its own name, and before these
the range of its agent, which stands at the agent alone.  Lines that one ``for { }`` repeats share its `Scope`.

Definitions stand written out where they are used.  Constants and all parameters but the open one stand as numbers, or as expressions over
the open one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from epistrat.lang.families import Parameter
from epistrat.lang.templates.index import Index
from epistrat.records import dataclass, field
from epistrat.source import SourceText, Span

NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Binder:
    """``name in low..high``"""

    name: str
    low: Index
    high: Index


@dataclass(frozen=True, slots=True)
class Scope:
    """Indices with their ranges and a condition on them.  ``number`` tells scopes apart that look the same."""

    binders: tuple[Binder, ...]
    where: Index | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class Name:
    """A word with its indices; none for most words."""

    word: str
    indices: tuple[Index, ...] = ()

    def __str__(self) -> str:
        return f"{self.word}[{', '.join(map(str, self.indices))}]" if self.indices else self.word


@dataclass(frozen=True, slots=True)
class Listed:
    """A name in a list, for all indices of its own scope, if it has one."""

    name: Name
    scope: Scope | None = None
    at: Span = field(default=NOWHERE, compare=False, repr=False)


# terms


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or an expression over parameters and indices."""

    index: Index
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison of indices, which is true or false before there is a model."""

    index: Index
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Literal:
    """``true``, ``false`` or a decimal number."""

    word: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ref:
    """``name`` or ``owner.name``: a variable, a proposition, a value, an action, or the word Action."""

    owner: Name | None
    name: Name
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Op:
    """An infix operator between its operands: two, or any number for ``and`` and ``or``."""

    op: str
    args: tuple[Term, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Prefixed:
    """``! ~ X F G Y Once Hist A E AG AF AX EG EF EX`` in front of a term."""

    op: str
    arg: Term
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Each:
    """``forall``, ``exists``, ``sum``, or ``count``, which is compared with a number: ``op`` and ``bound``.

    ``brackets``: copies of the term stand in brackets where they are written out.
    """

    kind: str
    scope: Scope
    arg: Term
    op: str = ""
    bound: Index | None = None
    brackets: bool = False
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Whom:
    """An agent or group by its name, or a list in braces."""

    names: tuple[Listed, ...]
    listed: bool


@dataclass(frozen=True, slots=True)
class Knows:
    """``K GK GCK DK O`` with whom and what; ``reading`` is the word in brackets behind the operator."""

    op: str
    who: Whom
    arg: Term
    reading: str = ""
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Enforces:
    """``<who>`` and the path formula that it enforces."""

    who: Whom
    arg: Term
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of a formula for which there is no tree, and what it is: announcements, strategies with names."""

    what: str
    at: Span = field(default=NOWHERE, compare=False, repr=False)


Term: TypeAlias = Number | Compared | Literal | Ref | Op | Prefixed | Each | Knows | Enforces | Unread


# lines


@dataclass(frozen=True, slots=True)
class Declared:
    """``name : kind``; ``low`` and ``high`` of a range (kind ``..``), ``values`` of an enumeration (kind ``{``)."""

    scopes: tuple[Scope, ...]
    name: Name
    kind: str
    low: Index | None = None
    high: Index | None = None
    values: tuple[Listed, ...] = ()
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """A protocol line; the condition of Other is None.  ``choices`` are actions, or lists of actions in braces of their own."""

    scopes: tuple[Scope, ...]
    condition: Term | None
    choices: tuple[Listed | tuple[Listed, ...], ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def actions(self) -> tuple[Listed, ...]:
        """All the actions."""
        return tuple([one for choice in self.choices for one in (choice if isinstance(choice, tuple) else (choice,))])


@dataclass(frozen=True, slots=True)
class Move:
    """An evolution line: variables with their new values, and the guard."""

    scopes: tuple[Scope, ...]
    assigns: tuple[tuple[Ref, Term], ...]
    guard: Term
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AgentTree:
    """An agent, for all indices of its scopes.  The scopes of its lines come after these."""

    scopes: tuple[Scope, ...]
    name: Name
    public: tuple[Declared, ...] = ()
    variables: tuple[Declared, ...] = ()
    observes: tuple[Listed, ...] = ()
    red: Term | None = None
    actions: tuple[Listed, ...] = ()
    protocol: tuple[Rule, ...] = ()
    evolution: tuple[Move, ...] = ()
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Proposition:
    """``name if condition``"""

    scopes: tuple[Scope, ...]
    name: Name
    condition: Term
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GroupTree:
    """``name = {members}``"""

    scopes: tuple[Scope, ...]
    name: Name
    members: tuple[Listed, ...]
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class FormulaTree:
    """A formula or a fairness line; ``name`` is None where it has none."""

    scopes: tuple[Scope, ...]
    name: Name | None
    body: Term
    marker: str = ""
    tag: str = ""
    at: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Template:
    """A whole text.  ``parameter`` is the open one, ``settings`` are the values of Semantics, Composition and Knowledge."""

    parameter: Parameter
    settings: tuple[tuple[str, str], ...]
    agents: tuple[AgentTree, ...]
    propositions: tuple[Proposition, ...]
    initial: Term | None
    groups: tuple[GroupTree, ...]
    fairness: tuple[FormulaTree, ...]
    formulae: tuple[FormulaTree, ...]
    source: SourceText = field(compare=False, repr=False)

    @property
    def interleaved(self) -> bool:
        """Whether one action happens at a time."""
        return ("Composition", "Interleaved") in self.settings

    @property
    def single(self) -> bool:
        """Whether every variable has its own evolution line."""
        return dict(self.settings).get("Semantics") in ("SA", "SingleAssignment")

    def line(self, at: Span) -> int:
        """The number of the line where something stands."""
        return self.source.position(at.start).line

    def words(self, at: Span) -> str:
        """What stands there, on one line."""
        return " ".join(self.source.cut(at).split())


Line: TypeAlias = Declared | Rule | Move | Proposition | GroupTree | FormulaTree


def subterms(term: Term) -> Iterator[Term]:
    """The term and all that it is made of."""
    yield term
    for part in parts(term):
        yield from subterms(part)


def parts(term: Term) -> tuple[Term, ...]:
    """What a term is made of."""
    match term:
        case Op(args=args):
            return args
        case Prefixed(arg=arg) | Each(arg=arg) | Knows(arg=arg) | Enforces(arg=arg):
            return (arg,)
        case _:
            return ()
