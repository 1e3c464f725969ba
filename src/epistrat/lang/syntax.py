"""The syntax tree: what was written, each node with the range of words it covers.

``start`` is the index of a node's first word and ``end`` that of the first word behind it.  Nodes know words by their index
and nothing about names or types.  One kind of tree serves conditions, arithmetic and formulae: ``(`` may open any of
them, and only what follows tells which.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TypeAlias, assert_never

from epistrat.records import dataclass, field


class Level(IntEnum):
    """How strongly operators bind, weakest first; COUNT is ``count(...)`` with what it is compared with, taken as a whole, and
    GOAL is ``U W R S`` in a formula with names.
    """

    COUNT = 0
    GOAL = 1
    IFF = 2
    IMPLIES = 3
    OR = 4
    XOR = 5
    AND = 6
    NOT = 7
    UNTIL = 8
    PATH = 9
    COMPARE = 10
    BIT_OR = 11
    BIT_AND = 12
    BIT_NOT = 13
    SUM = 14
    PRODUCT = 15


@dataclass(slots=True, eq=False)
class WordRange:
    """The words from ``start`` up to, not including, ``end``."""

    start: int
    end: int


@dataclass(slots=True, eq=False)
class Leaf(WordRange):
    """A name, ``Agent.name``, a number (perhaps with its minus sign), ``true`` or ``false``."""


@dataclass(slots=True, eq=False)
class Plain(WordRange):
    """A comparison of two leaves that is not taken apart; ``op`` is the index of the comparison sign."""

    op: int


@dataclass(slots=True, eq=False)
class Chain(WordRange):
    """Operands with infix operators of one level between them, in the order written; of COUNT, what is counted, ``ops`` being the
    comparison sign and the number.
    """

    level: int
    ops: list[str]
    parts: list[Node]


@dataclass(slots=True, eq=False)
class Prefix(WordRange):
    """An operator in front of its operand: ``! ~ X F G Y Once Hist A E AG AF AX EG EF EX``."""

    op: str
    arg: Node


@dataclass(slots=True, eq=False)
class Who(WordRange):
    """Agents, by a name or a list; ``names`` are indices of words."""

    names: list[int]
    listed: bool


@dataclass(slots=True, eq=False)
class Epistemic(WordRange):
    """``K GK GCK DK O`` with whom and what it is about; ``reading`` is the index of the word in brackets behind it, if there is one."""

    op: str
    who: Who
    arg: Node
    reading: int | None = None


@dataclass(slots=True, eq=False)
class Announcement(WordRange):
    """``[! said]``, or ``<! said>`` if it must be ``true`` that it is said, in front of a formula."""

    said: Node
    arg: Node
    true: bool


@dataclass(slots=True, eq=False)
class Strategic(WordRange):
    """``<who>`` and the path formula that it enforces."""

    who: Who
    arg: Node


@dataclass(slots=True, eq=False)
class Quantified(WordRange):
    """``<<x>>`` or ``[[x]]`` in front of a formula; ``names`` are indices of words."""

    some: bool
    names: list[int]
    arg: Node


@dataclass(slots=True, eq=False)
class Binding(WordRange):
    """``(agent, x)`` in front of a formula; ``variable`` is the index of a word."""

    who: Who
    variable: int
    arg: Node


@dataclass(slots=True, eq=False)
class Equilibrium(WordRange):
    """``ENash(f)`` or ``ANash(f)``."""

    op: str
    arg: Node


Node: TypeAlias = (
    Leaf | Plain | Chain | Prefix | Epistemic | Strategic | Quantified | Binding | Equilibrium | Announcement
)


@dataclass(slots=True, eq=False)
class Marked(WordRange):
    """A formula as a whole; ``marker`` is ``LTL``, ``CTL*`` or empty, ``name`` the index of its name, if it has one.

    ``tag`` is ``#PR``, ``#Ir``, ``#ir`` or empty; ``named`` says that strategies have names in it.
    """

    marker: str
    body: Node
    name: int | None = None
    tag: str = ""
    named: bool = False


@dataclass(slots=True, eq=False)
class GoalNode(WordRange):
    """``agent : formula`` of Goals."""

    who: Who
    goal: Marked


@dataclass(slots=True, eq=False)
class Declaration(WordRange):
    """``name : type``.

    ``kind`` is the first word of the type, ``..`` for a range (indices of its bounds in ``items``), or empty if the type could
    not be read.
    """

    name: int
    kind: str
    items: list[int]


@dataclass(slots=True, eq=False)
class ProtocolRule(WordRange):
    """A protocol line; the condition of Other is None.

    ``sets`` are the lists of actions in braces of their own, which are among the ``actions`` too.
    """

    condition: Node | None
    actions: list[int]
    sets: list[list[int]]


@dataclass(slots=True, eq=False)
class Assign(WordRange):
    """``name = value``; ``target`` covers the name and, if written, its prefix."""

    target: Leaf
    value: Node


@dataclass(slots=True, eq=False)
class Move(WordRange):
    """An evolution line."""

    assigns: list[Assign]
    guard: Node


@dataclass(slots=True, eq=False)
class Broken(WordRange):
    """A line of a section that could not be read, with the nodes in it that could."""

    parts: list[Node | Assign | Who]


@dataclass(slots=True, eq=False)
class AgentNode(WordRange):
    """An agent.

    ``sections`` lists the sections written: their names and the indices where they start.  ``vague`` says that its actions
    could not be read.
    """

    name: int
    obsvars: list[Declaration] = field(default_factory=list)
    vars: list[Declaration] = field(default_factory=list)
    lobsvars: list[int] = field(default_factory=list)
    red: Node | None = None
    actions: list[int] = field(default_factory=list)
    protocol: list[ProtocolRule] = field(default_factory=list)
    evolution: list[Move] = field(default_factory=list)
    sections: list[tuple[str, int]] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    vague: bool = False


@dataclass(slots=True, eq=False)
class Named(WordRange):
    """``name if condition`` of Evaluation; without condition if that could not be read."""

    name: int
    condition: Node | None


@dataclass(slots=True, eq=False)
class GroupNode(WordRange):
    """``name = {members}`` of Groups."""

    name: int
    members: list[int]


@dataclass(slots=True, eq=False)
class Program:
    """A whole text.  ``settings`` are the indices of the values of Semantics and Composition."""

    settings: list[tuple[str, int]] = field(default_factory=list)
    agents: list[AgentNode] = field(default_factory=list)
    evaluation: list[Named] = field(default_factory=list)
    initial: Node | None = None
    groups: list[GroupNode] = field(default_factory=list)
    goals: list[GoalNode] = field(default_factory=list)
    fairness: list[Marked] = field(default_factory=list)
    formulae: list[Marked] = field(default_factory=list)
    sections: list[tuple[str, int]] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)


Item: TypeAlias = (
    Node | Who | Marked | Declaration | ProtocolRule | Assign | Move | Named | GroupNode | GoalNode | Broken | AgentNode
)
"""Whatever has a place in the text."""


def items(program: Program) -> list[Item]:
    """The outermost items of a program, in the order of the text."""
    initial = [] if program.initial is None else [program.initial]
    behind = [*program.evaluation, *initial, *program.groups, *program.goals, *program.fairness, *program.formulae]
    return sorted([*program.agents, *behind, *program.broken], key=lambda item: item.start)


def children(item: Item) -> list[Item]:
    """What an item is made of."""
    match item:
        case Leaf() | Plain() | Who() | Declaration() | GroupNode():
            return []
        case Chain(parts=parts) | Broken(parts=parts):
            return [*parts]
        case Prefix(arg=arg) | Quantified(arg=arg) | Equilibrium(arg=arg):
            return [arg]
        case Epistemic(who=who, arg=arg) | Strategic(who=who, arg=arg) | Binding(who=who, arg=arg):
            return [who, arg]
        case Announcement(said=said, arg=arg):
            return [said, arg]
        case GoalNode(who=who, goal=goal):
            return [who, goal]
        case Marked(body=body):
            return [body]
        case ProtocolRule(condition=condition) | Named(condition=condition):
            return [] if condition is None else [condition]
        case Assign(target=target, value=value):
            return [target, value]
        case Move(assigns=assigns, guard=guard):
            return [*assigns, guard]
        case AgentNode():
            red = [] if item.red is None else [item.red]
            found = [*item.obsvars, *item.vars, *red, *item.protocol, *item.evolution, *item.broken]
            return sorted(found, key=lambda one: one.start)
        case _:
            assert_never(item)
