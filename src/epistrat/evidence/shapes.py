"""What a path must show: the existential half of the branching operators, in one table.

``E`` over a path operator that holds, and ``A`` over one that fails, both say that some path exists.  This module says what is to be
seen along it, as `Literal` lists: pairs of a state formula and whether it holds.

==============================  ====================================  ==========================
claim                           on a finite path                      on an infinite path
==============================  ====================================  ==========================
EX f                            f at its second state
EF f                            f at the end
E(f U g)                        f before the end, g at the end
EG f                                                                  f everywhere
E(f W g)                        as E(f U g)                           f everywhere
E(f R g)                        g before the end, f and g at the end  g everywhere
not AX f                        not f at its second state
not AG f                        not f at the end
not A(f U g)                    not g before, neither at the end      not g everywhere
not AF f                                                              not f everywhere
not A(f W g)                    not g before, neither at the end
not A(f R g)                    not f before, not g at the end
==============================  ====================================  ==========================
"""

from __future__ import annotations

from typing import TypeAlias

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.records import dataclass

Literal: TypeAlias = tuple[Formula, bool]


@dataclass(frozen=True, slots=True)
class Reach:
    """A finite path: ``through`` holds at every state before the last, ``target`` at the last.  ``steps`` fixes the length."""

    target: tuple[Literal, ...]
    through: tuple[Literal, ...] = ()
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """An infinite path on which all of ``everywhere`` hold at every state."""

    everywhere: tuple[Literal, ...]


Shape: TypeAlias = Reach | Stay


def shapes(claim: Formula, holds: bool) -> tuple[Shape, ...]:
    """The ways in which a path can show the claim; none if no single path can."""
    match claim, holds:
        case logic.Exists(arg, False), True:
            return _some(arg)
        case logic.ForAll(arg, False), False:
            return _violation(arg)
        case _:
            return ()


def _some(arg: Formula) -> tuple[Shape, ...]:
    match arg:
        case logic.Next(f):
            return (Reach(((f, True),), steps=1),)
        case logic.Finally(f):
            return (Reach(((f, True),)),)
        case logic.Globally(f):
            return (Stay(((f, True),)),)
        case logic.Until(f, g):
            return (Reach(((g, True),), ((f, True),)),)
        case logic.WeakUntil(f, g):
            return Reach(((g, True),), ((f, True),)), Stay(((f, True),))
        case logic.Release(f, g):
            return Reach(((g, True), (f, True)), ((g, True),)), Stay(((g, True),))
        case _:
            return ()


def _violation(arg: Formula) -> tuple[Shape, ...]:
    match arg:
        case logic.Next(f):
            return (Reach(((f, False),), steps=1),)
        case logic.Finally(f):
            return (Stay(((f, False),)),)
        case logic.Globally(f):
            return (Reach(((f, False),)),)
        case logic.Until(f, g):
            return Reach(((f, False), (g, False)), ((g, False),)), Stay(((g, False),))
        case logic.WeakUntil(f, g):
            return (Reach(((f, False), (g, False)), ((g, False),)),)
        case logic.Release(f, g):
            return (Reach(((g, False),), ((f, False),)),)
        case _:
            return ()


def positive(claim: Formula, holds: bool) -> Formula | None:
    """A formula that is true where the claim is: itself, or its opposite if it fails; None where no proof is known for that."""
    match claim:
        case _ if holds:
            return claim
        case logic.ForAll(logic.Globally(f), star):
            return logic.Exists(logic.Finally(logic.Not(f)), star)
        case logic.ForAll(logic.Finally(f), star):
            return logic.Exists(logic.Globally(logic.Not(f)), star)
        case logic.Exists(logic.Globally(f), star):
            return logic.ForAll(logic.Finally(logic.Not(f)), star)
        case logic.Exists(logic.Finally(f), star):
            return logic.ForAll(logic.Globally(logic.Not(f)), star)
        case _:
            return None
