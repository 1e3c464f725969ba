"""One formula type for everything: CTL*, past, ATL, knowledge and correct behaviour.

State formulae and path formulae are one type; `epistrat.logic.formula.is_state` tells them apart.  `And` and `Or` are n-ary.  How each is
written, what it means in words and what kind of operator it is stands in its row (`epistrat.logic.operators`).

Note [two readings of a path quantifier].  Where every state has a successor, ``AG p`` in CTL and ``A (G p)`` in CTL* are the
same.  At dead ends they are not: CTL is defined by preimages and their duals (``AG p`` looks at the dead end itself),
LTL and CTL* quantify over infinite paths only (from a dead end there is none, so every A holds and every E fails).  A
quantifier therefore says which reading is meant: ``star=False`` is CTL's and is allowed only directly above X, F, G, U, W or R
whose operands are state formulae; ``star=True`` is that of LTL and CTL*.
"""

from __future__ import annotations

from typing import TypeAlias

from epistrat.logic.choices import Group as Group, Reading as Reading, Tag as Tag
from epistrat.records import dataclass
from epistrat.terms import Expr, Node


@dataclass(frozen=True, slots=True, eq=False)
class Truth(Node):
    """A constant."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class Prop(Node):
    """A proposition that the system defines by name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Test(Node):
    """A condition on the current state, written directly in the formula."""

    __test__ = False  # not a test case, whatever pytest thinks of the name
    condition: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Colour(Node):
    """The state is green (or red) for the agent."""

    agent: str
    green: bool


@dataclass(frozen=True, slots=True, eq=False)
class Not(Node):
    """Negation."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class And(Node):
    """Conjunction."""

    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Or(Node):
    """Disjunction."""

    args: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Implies(Node):
    """``left -> right``."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Iff(Node):
    """``left <-> right``."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Xor(Node):
    """``left xor right``."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class ForAll(Node):
    """``A``: on all (fair) paths from here.  See note [two readings of a path quantifier]."""

    arg: Formula
    star: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Exists(Node):
    """``E``: on some (fair) path from here.  See note [two readings of a path quantifier]."""

    arg: Formula
    star: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Next(Node):
    """``X``: at the next point."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Finally(Node):
    """``F``: now or later."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Globally(Node):
    """``G``: now and always later."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Until(Node):
    """``left U right``: right now or later, and left at every point before."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class WeakUntil(Node):
    """``left W right``: left U right, or left for ever."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Release(Node):
    """``left R right``: right up to and including the point where left holds, or right for ever."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Yesterday(Node):
    """``Y``: at the previous point; false at time 0."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Once(Node):
    """``Once``: now or earlier."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Historically(Node):
    """``Hist``: now and always earlier."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Since(Node):
    """``left S right``: right now or earlier, and left at every point after that, up to now."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Knows(Node):
    """``K``: in all reachable states that look the same to the agent (for a path formula: at all such points of all runs)."""

    agent: str
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class KnowsWhether(Node):
    """``KW``: the agent knows that it is true, or knows that it is false."""

    agent: str
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Everybody(Node):
    """``GK``: every member knows."""

    group: Group
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Distributed(Node):
    """``DK``: what the members know if they pool what they see."""

    group: Group
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Common(Node):
    """``GCK``: in all states reached by chains of look-the-same steps of members."""

    group: Group
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Remembers(Node):
    """``K[recall](a, f)`` and its kin: ``word`` is K, GK, DK or GCK.  f holds in all histories that look the same to the group.

    Two histories look the same to an agent by *observation* if what it sees at their ends is the same; by the *clock* if they are
    equally long, too; by *recall* if it saw the same at all their moments; by *changes* if it saw the same, repetitions left out.
    """

    word: str
    reading: Reading
    group: Group
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Announced(Node):
    """``[! said] arg``: if said is true, arg is once everybody was told so.

    From this moment on only those runs are possible on which it was true at this moment; what was possible before stays as it was.
    """

    said: Formula
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Correct(Node):
    """``O``: in all reachable states that are green for the agent."""

    agent: str
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Coalition(Node):
    """``<group>``: the group has a strategy that enforces arg, a path formula."""

    group: Group
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Tagged(Node):
    """``#PR``, ``#Ir``, ``#ir`` in front of a formula: perfect information with memory; by states, by what agents see, without memory."""

    tag: Tag
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class SomeStrategy(Node):
    """``<<x>>``: for some strategy, called x."""

    variable: str
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class EveryStrategy(Node):
    """``[[x]]``: for every strategy, called x."""

    variable: str
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class Bound(Node):
    """``(agent, x)``: the agent follows the strategy called x.  A path formula arg holds on every run that the strategies leave."""

    agent: str
    variable: str
    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class SomeEquilibrium(Node):
    """``ENash(f)``: f holds on the run of some Nash equilibrium; ``Nash`` is ``ENash(true)``."""

    arg: Formula


@dataclass(frozen=True, slots=True, eq=False)
class EveryEquilibrium(Node):
    """``ANash(f)``: f holds on the run of every Nash equilibrium."""

    arg: Formula


Formula: TypeAlias = (
    Truth
    | Prop
    | Test
    | Colour
    | Not
    | And
    | Or
    | Implies
    | Iff
    | Xor
    | ForAll
    | Exists
    | Next
    | Finally
    | Globally
    | Until
    | WeakUntil
    | Release
    | Yesterday
    | Once
    | Historically
    | Since
    | Knows
    | KnowsWhether
    | Everybody
    | Distributed
    | Common
    | Remembers
    | Announced
    | Correct
    | Coalition
    | Tagged
    | SomeStrategy
    | EveryStrategy
    | Bound
    | SomeEquilibrium
    | EveryEquilibrium
)

FUTURE = (Next, Finally, Globally, Until, WeakUntil, Release)
PAST = (Yesterday, Once, Historically, Since)
TEMPORAL = FUTURE + PAST
KNOWLEDGE = (Knows, Everybody, Distributed, Common)
KNOWING = (*KNOWLEDGE, Correct)
Knowing: TypeAlias = Knows | Everybody | Distributed | Common | Correct
ATOMS = (Truth, Prop, Test, Colour)
CONNECTIVES = (Not, And, Or, Implies, Iff, Xor)
Connective: TypeAlias = Not | And | Or | Implies | Iff | Xor
REMEMBERING = (Remembers, Announced)
NAMING = (SomeStrategy, EveryStrategy, Bound)
Naming: TypeAlias = SomeStrategy | EveryStrategy | Bound
EQUILIBRIA = (SomeEquilibrium, EveryEquilibrium)
