"""Formulae in which strategies have names: what they depend on, who shares a strategy, and the shape that is decided with memory.

A *goal* is a maximal path formula below bindings; it is about the runs that the strategies leave.  Path formulae below A, E and ``<g>`` are
about the whole system.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state, operands, subformulae
from epistrat.logic.rewrite import with_operands
from epistrat.records import dataclass

_WHOLE = (logic.ForAll, logic.Exists, logic.Coalition)


def has_names(formula: Formula) -> bool:
    """Whether strategies have names in it, or equilibria are asked for."""
    return any(isinstance(part, (logic.Tagged, *logic.NAMING, *logic.EQUILIBRIA)) for part in subformulae(formula))


def parts_above_names(formula: Formula) -> list[Formula]:
    """The distinct subformulae that are not inside a sentence with names or a question about equilibria, operands first."""
    order: list[Formula] = []
    seen: set[Formula] = set()
    stack = [(formula, False)]
    while stack:
        part, ready = stack.pop()
        if ready:
            order.append(part)
        elif part not in seen:
            seen.add(part)
            stack.append((part, True))
            if not isinstance(part, (*logic.NAMING, *logic.EQUILIBRIA)):
                stack.extend((operand, False) for operand in reversed(operands(part)))
    return order


def state_parts(body: Formula) -> Iterator[Formula]:
    """The maximal state formulae of a path formula."""
    stack = [body]
    while stack:
        part = stack.pop()
        if is_state(part):
            yield part
        else:
            stack.extend(reversed(operands(part)))


def over_leaves(body: Formula, leaf: Callable[[Formula], Formula]) -> Formula:
    """The path formula with every maximal state formula replaced."""
    if is_state(body):
        return leaf(body)
    return with_operands(body, tuple([over_leaves(operand, leaf) for operand in operands(body)]))


def sharing(variable: str, scope: Formula) -> tuple[str, ...]:
    """The agents that the variable is bound to in its scope."""
    found: dict[str, None] = {}
    stack = [scope]
    while stack:
        part = stack.pop()
        if isinstance(part, (logic.SomeStrategy, logic.EveryStrategy)) and part.variable == variable:
            continue
        if isinstance(part, logic.Bound) and part.variable == variable:
            found[part.agent] = None
        stack.extend(reversed(operands(part)))
    return tuple(found)


def shared_by_nobody(formula: Formula) -> bool:
    """Whether every strategy is followed by one agent at most."""
    quantified = [part for part in subformulae(formula) if isinstance(part, (logic.SomeStrategy, logic.EveryStrategy))]
    return all(len(sharing(part.variable, part.arg)) <= 1 for part in quantified)


def without_names(formula: Formula) -> Formula:
    """What a formula means where nobody has a choice: each agent has one strategy, and goals are about all runs.

    Assumes that every protocol allows exactly one action everywhere, and that no two agents follow one strategy.
    """
    if isinstance(formula, (logic.Tagged, *logic.NAMING)):
        return without_names(formula.arg)
    if not is_state(formula):
        return logic.ForAll(over_leaves(formula, without_names), star=True)
    if isinstance(formula, _WHOLE):
        return with_operands(formula, (over_leaves(formula.arg, without_names),))
    return with_operands(formula, tuple(map(without_names, operands(formula))))


def given(formula: Formula, acting: Collection[str]) -> frozenset[tuple[str, str]]:
    """What the truth of a formula below bindings depends on: ("agent", a) for strategies followed, ("name", x) for names from outside.

    ``acting`` are the agents that declare actions: a goal depends on what all of them do.
    """
    known: dict[Formula, frozenset[tuple[str, str]]] = {}

    def of(part: Formula) -> frozenset[tuple[str, str]]:
        if part not in known:
            known[part] = found(part)
        return known[part]

    def found(part: Formula) -> frozenset[tuple[str, str]]:
        if not is_state(part):
            return union(state_parts(part)) | {("agent", name) for name in acting}
        match part:
            case logic.SomeStrategy(variable, arg) | logic.EveryStrategy(variable, arg):
                return of(arg) - {("name", variable)}
            case logic.Bound(agent, variable, arg):
                inner = of(arg)
                return inner - {("agent", agent)} | {("name", variable)} if ("agent", agent) in inner else inner
            case logic.ForAll(arg) | logic.Exists(arg) | logic.Coalition(_, arg):
                return union(state_parts(arg))
            case logic.SomeEquilibrium() | logic.EveryEquilibrium():
                return frozenset()
            case _:
                return union(operands(part))

    def union(parts: Collection[Formula] | Iterator[Formula]) -> frozenset[tuple[str, str]]:
        return frozenset().union(*map(of, parts))

    return of(formula)


@dataclass(frozen=True, slots=True)
class Player:
    """One quantifier of a prefix: whether it is ``<<x>>``, and the agents that follow x."""

    some: bool
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneGoal:
    """A prefix of quantifiers that binds everybody, in their order, and the path formula below it."""

    players: tuple[Player, ...]
    goal: Formula


class Crossing(Exception):
    """A sentence is not a prefix with one goal; the message says what crosses."""


def crossing_in_words(crossing: Crossing) -> str:
    """Why a sentence with several goals is not decided where strategies remember."""
    return f"strategies with memory and several goals: {crossing} (E066); ask with `#Ir`, or for an equilibrium with `Nash`"


def one_goal(sentence: Formula, acting: Collection[str]) -> OneGoal | Formula:
    """The prefix and the goal of a sentence, or the state formula below the prefix if it depends on no strategy.

    Raises `Crossing` if there are several goals, or a goal that uses strategies from outside.
    """
    order: list[tuple[bool, str]] = []
    following: dict[str, int] = {}
    numbers: dict[str, int] = {}
    body = sentence
    while isinstance(body, logic.NAMING):
        if isinstance(body, logic.Bound):
            if body.variable not in numbers:
                raise Crossing(f"the strategy `{body.variable}` comes from outside")
            following[body.agent] = numbers[body.variable]
        else:
            numbers[body.variable] = len(order)
            order.append((isinstance(body, logic.SomeStrategy), body.variable))
        body = body.arg
    if is_state(body):
        if given(body, acting):
            raise Crossing("several goals, or knowledge of a goal, stand below one prefix")
        return body
    for leaf in state_parts(body):
        for kind, name in sorted(given(leaf, acting)):
            what = f"the strategy of {name}" if kind == "agent" else f"the strategy `{name}`"
            raise Crossing(f"a goal inside the goal uses {what} from outside")
    players = [
        Player(some, tuple(agent for agent, number in following.items() if number == place))
        for place, (some, _) in enumerate(order)
    ]
    return OneGoal(tuple(player for player in players if player.agents), body)
