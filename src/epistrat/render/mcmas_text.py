"""Output in the words of MCMAS, line by line, for scripts that read it.

Formulae are printed in full brackets; below ``LTL`` the arguments of knowledge operators carry the A that their reading implies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from epistrat.answers import Facts
from epistrat.evidence import Along, Around, Tree
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, operands, subformulae
from epistrat.logic.show import BETWEEN, CONNECTIVE, GROUP, PREFIX, show
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.render.walk import show_value
from epistrat.terms.show import show_condition

_END_OF_STATE = "-" * 40


def formula_text(formula: Formula, *, linear: bool = False) -> str:
    """The formula as MCMAS prints it; ``linear`` where it was written behind ``LTL``."""
    written: dict[Formula, str] = {}
    for part in subformulae(formula):
        written[part] = _write(part, written, linear)
    return written[formula]


def _write(formula: Formula, done: dict[Formula, str], linear: bool) -> str:
    match formula:
        case logic.Truth(value):
            return "true" if value else "false"
        case logic.Prop(name):
            return name
        case logic.Test(condition):
            return f"({show_condition(condition)})"
        case logic.Colour(agent, green):
            return f"{agent}.{'GreenStates' if green else 'RedStates'}"
        case logic.Not(arg):
            return f"(! {done[arg]})"
        case logic.And(args) | logic.Or(args):
            sign = "&&" if isinstance(formula, logic.And) else "||"
            return reduce(lambda left, right: f"({left} {sign} {right})", [done[arg] for arg in args])
        case logic.Implies(left, right) | logic.Iff(left, right) | logic.Xor(left, right):
            return f"({done[left]} {CONNECTIVE[type(formula)]} {done[right]})"
        case (
            logic.Until(left, right)
            | logic.WeakUntil(left, right)
            | logic.Release(left, right)
            | logic.Since(left, right)
        ):
            return f"({done[left]} {BETWEEN[type(formula)]} {done[right]})"
        case logic.ForAll(arg) | logic.Exists(arg):
            return _quantified("A" if isinstance(formula, logic.ForAll) else "E", arg, formula.star, done)
        case logic.Coalition(group, arg):
            return _after(f"<{group.name or ','.join(group.members)}>", arg, done)
        case logic.Correct(agent, arg):
            return f"O({agent}, {done[arg]})"
        case logic.Knows(agent, arg):
            return f"K({agent}, {_known(arg, done, linear)})"
        case logic.Everybody(group, arg) | logic.Distributed(group, arg) | logic.Common(group, arg):
            return f"{GROUP[type(formula)]}({group}, {_known(arg, done, linear)})"
        case _:
            return f"({_prefixed(formula, done)})"


def _prefixed(formula: Formula, done: dict[Formula, str]) -> str:
    """An operator in front of its argument; one that MCMAS lacks as we write it."""
    before = PREFIX.get(type(formula))
    return show(formula) if before is None else f"{before} {done[operands(formula)[0]]}"


def _known(arg: Formula, done: dict[Formula, str], linear: bool) -> str:
    """What is known: a path formula is meant for all runs, and below LTL MCMAS says so of every argument."""
    return f"(A {done[arg]})" if linear or isinstance(arg, logic.FUTURE + logic.PAST) else done[arg]


def _quantified(letter: str, arg: Formula, star: bool, done: dict[Formula, str]) -> str:
    return f"({letter} {done[arg]})" if star else _after(letter, arg, done)


def _after(front: str, arg: Formula, done: dict[Formula, str]) -> str:
    """``(AG f)`` and ``(<g>G f)``, but ``A(f U g)`` and ``<g>(f U g)``."""
    if isinstance(arg, (logic.Next, logic.Finally, logic.Globally)):
        return f"({front}{PREFIX[type(arg)]} {done[arg.arg]})"
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


def property_text(system: System, name: str, facts: Facts) -> Iterator[str]:
    """What ``-k`` (deadlock) and ``-a`` (overflow) add to the output: a state without successor, a line that leaves its range."""
    count, path = (facts.dead_ends, facts.dead_end) if name == "deadlock" else (facts.overflows, facts.overflow)
    if count is None:
        yield f"The search for {name} states did not end: {facts.reason or 'the states were not explored'}"
        return
    if name == "deadlock":
        yield (
            "Attention: there are deadlock states in the model!"
            if count
            else "There is no deadlock state in the model!"
        )
    if path is None:
        return
    if name == "deadlock":
        yield "The following state does not have any successors."
    elif facts.overflow_line is not None:
        agent, line = facts.overflow_line
        yield f"Evolution item {line} in Agent {agent} can cause overflow in the following state: "
    yield from _state(system, path.last)
    yield _END_OF_STATE


def states_text(system: System, states: Iterable[State]) -> Iterator[str]:
    """The states, numbered from 0, agent by agent and variable by variable."""
    for number, state in enumerate(states):
        yield f"------------- State: {number} -----------------"
        yield from _state(system, state)
        yield _END_OF_STATE


def _state(system: System, state: State) -> Iterator[str]:
    for agent in system.agents:
        yield f"Agent {agent.name}"
        for variable in agent.variables:
            yield f"  {variable.name} = {show_value(state[system.position[variable.key]])}"


def six_digits(count: int) -> str:
    """A number of states as MCMAS prints it: six significant digits."""
    return f"{count:.6g}" if count < 10**300 else f"{str(count)[0]}.{str(count)[1:6]}e+{len(str(count)) - 1}"
