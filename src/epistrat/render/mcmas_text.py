"""Output in the words of MCMAS, line by line, for scripts that read it.

Formulae are printed in full brackets; below ``LTL`` the arguments of knowledge operators carry the A that their reading implies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from epistrat.evidence import Along, Around, Tree
from epistrat.logic.formula import (
    FUTURE,
    PAST,
    And,
    Coalition,
    Colour,
    Common,
    Correct,
    Distributed,
    Everybody,
    Exists,
    Finally,
    ForAll,
    Formula,
    Globally,
    Historically,
    Iff,
    Implies,
    Knows,
    Next,
    Not,
    Once,
    Or,
    Prop,
    Release,
    Since,
    Test,
    Truth,
    Until,
    WeakUntil,
    Xor,
    Yesterday,
    subformulae,
)
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.render.walk import show_value
from epistrat.terms.show import show_condition

_PREFIX = {Next: "X", Finally: "F", Globally: "G", Yesterday: "Y", Once: "Once", Historically: "Hist"}
_BETWEEN = {Until: "U", WeakUntil: "W", Release: "R", Since: "S"}
_CONNECTIVE = {Implies: "->", Iff: "<->", Xor: "xor"}
_GROUP = {Everybody: "GK", Distributed: "DK", Common: "GCK"}


def formula_text(formula: Formula, *, linear: bool = False) -> str:
    """The formula as MCMAS prints it; ``linear`` where it was written behind ``LTL``."""
    written: dict[Formula, str] = {}
    for part in subformulae(formula):
        written[part] = _write(part, written, linear)
    return written[formula]


def _write(formula: Formula, done: dict[Formula, str], linear: bool) -> str:
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Prop(name):
            return name
        case Test(condition):
            return f"({show_condition(condition)})"
        case Colour(agent, green):
            return f"{agent}.{'GreenStates' if green else 'RedStates'}"
        case Not(arg):
            return f"(! {done[arg]})"
        case And(args) | Or(args):
            sign = "&&" if isinstance(formula, And) else "||"
            return reduce(lambda left, right: f"({left} {sign} {right})", [done[arg] for arg in args])
        case Implies(left, right) | Iff(left, right) | Xor(left, right):
            return f"({done[left]} {_CONNECTIVE[type(formula)]} {done[right]})"
        case Until(left, right) | WeakUntil(left, right) | Release(left, right) | Since(left, right):
            return f"({done[left]} {_BETWEEN[type(formula)]} {done[right]})"
        case ForAll(arg) | Exists(arg):
            return _quantified("A" if isinstance(formula, ForAll) else "E", arg, formula.star, done)
        case Coalition(group, arg):
            return _after(f"<{group.name or ','.join(group.members)}>", arg, done)
        case Correct(agent, arg):
            return f"O({agent}, {done[arg]})"
        case Knows(agent, arg):
            return f"K({agent}, {_known(arg, done, linear)})"
        case Everybody(group, arg) | Distributed(group, arg) | Common(group, arg):
            return f"{_GROUP[type(formula)]}({group}, {_known(arg, done, linear)})"
        case _:
            return f"({_PREFIX[type(formula)]} {done[formula.arg]})"


def _known(arg: Formula, done: dict[Formula, str], linear: bool) -> str:
    """What is known: a path formula is meant for all runs, and below LTL MCMAS says so of every argument."""
    return f"(A {done[arg]})" if linear or isinstance(arg, FUTURE + PAST) else done[arg]


def _quantified(letter: str, arg: Formula, star: bool, done: dict[Formula, str]) -> str:
    return f"({letter} {done[arg]})" if star else _after(letter, arg, done)


def _after(front: str, arg: Formula, done: dict[Formula, str]) -> str:
    """``(AG f)`` and ``(<g>G f)``, but ``A(f U g)`` and ``<g>(f U g)``."""
    if isinstance(arg, (Next, Finally, Globally)):
        return f"({front}{_PREFIX[type(arg)]} {done[arg.arg]})"
    return f"{front}{done[arg]}"


def first_run(tree: Tree) -> list[State]:
    """The states of the evidence's first path or lasso (which ends where it closes); the one state if there is none."""
    reason = next((reason for reason in tree.because if isinstance(reason, (Along, Around))), None)
    if isinstance(reason, Along):
        return list(reason.path.states)
    if isinstance(reason, Around):
        return [*reason.lasso.states, reason.lasso.states[reason.lasso.loop]]
    return [tree.state]


def trace_text(system: System, tree: Tree, holds: bool) -> Iterator[str]:
    """The first run of the evidence as a list of state numbers, then each state."""
    yield f"  The following is a {'witness' if holds else 'counterexample'} for the formula:"
    run = first_run(tree)
    numbers = {state: number for number, state in enumerate(dict.fromkeys(run))}
    yield f"   < {' '.join(str(numbers[state]) for state in run)} >"
    yield "  States description:"
    yield from states_text(system, numbers)


def states_text(system: System, states: Iterable[State]) -> Iterator[str]:
    """The states, numbered from 0, agent by agent and variable by variable."""
    for number, state in enumerate(states):
        yield f"------------- State: {number} -----------------"
        yield from _state(system, state)
        yield "----------------------------------------"


def _state(system: System, state: State) -> Iterator[str]:
    for agent in system.agents:
        yield f"Agent {agent.name}"
        for variable in agent.variables:
            yield f"  {variable.name} = {show_value(state[system.position[variable.key]])}"


def six_digits(count: int) -> str:
    """A number of states as MCMAS prints it: six significant digits."""
    return f"{count:.6g}" if count < 10**300 else f"{str(count)[0]}.{str(count)[1:6]}e+{len(str(count)) - 1}"
