"""What a monitor is asked to follow: properties, watches, hidden actions, what the shield is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, is_state
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.service.models import question_is, questions, read_formula

ASKS_KNOWLEDGE = (
    "its protocols ask what agents know: `epistrat implement` prints the ordinary model, which can be followed"
)


class Unusable(ValueError):
    """An option that names nothing of the model, or a formula that no monitor can follow; says what is wrong in words."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, as it was written."""

    formulae: tuple[str | Formula, ...] = ()
    watches: tuple[tuple[str, str | Formula], ...] = ()
    hidden: tuple[str, ...] = ()
    sees: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Followed:
    """A property: the linear formula that is followed, and the group that is to keep it, where there is one."""

    name: str
    formula: Formula
    linear: Formula
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class Watched:
    """A state formula whose truth is told whenever it changes; ``words`` say what is so when it is true."""

    name: str
    formula: Formula
    words: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A wish about a model, with all its names understood.  ``hidden`` are actions, ``sees`` positions of variables."""

    properties: tuple[Followed, ...] = ()
    watches: tuple[Watched, ...] = ()
    hidden: tuple[str, ...] = ()
    sees: tuple[int, ...] = ()


def understood(system: System, wish: Wish) -> Plan:
    """The plan of a wish; raises `Unusable`, and `InputError` for a text that is no formula."""
    if system.is_program:
        raise Unusable(ASKS_KNOWLEDGE)
    properties = tuple(one for text in wish.formulae for one in _properties(system, text))
    watches = tuple(_watched(system, name, text) for name, text in wish.watches)
    _distinct([one.name for one in properties], "property")
    _one_shield([one for one in properties if one.group is not None])
    _distinct([one.name for one in watches], "watch")
    actions = dict.fromkeys(action for agent in system.agents for action in agent.actions)
    if wish.hidden and not system.interleaved:
        raise Unusable("hidden actions are for interleaved models; in a synchronous step, leave out who was not seen")
    hidden = _members(wish.hidden, actions, "action")
    variables = {str(variable): index for index, variable in enumerate(system.variables)}
    sees = _members(wish.sees, variables, "variable")
    return Plan(properties, watches, hidden, tuple(variables[name] for name in sees))


def _members(wanted: Iterable[str], known: Iterable[str], kind: str) -> tuple[str, ...]:
    """The names that are meant; the name of a family means all its members."""
    names = list(known)
    found: dict[str, None] = {}
    for one in wanted:
        meant = [name for name in names if name == one or name.startswith(f"{one}[")]
        if not meant:
            raise Unusable(f"there is no {kind} {one}{_hint(one, names)}")
        found.update(dict.fromkeys(meant))
    return tuple(found)


def _hint(word: str, names: Sequence[str]) -> str:
    near = get_close_matches(word, names, 1, 0.5)
    return f"; did you mean {near[0]}?" if near else ""


def _distinct(names: Sequence[str], kind: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise Unusable(f"there are two {kind} entries called {name}")


def _one_shield(shields: Sequence[Followed]) -> None:
    """Groups that can keep each of two properties may be unable to keep both, so one monitor has one shield."""
    if len(shields) < 2:
        return
    first, second = shields[0], shields[1]
    words = f"{first.name} and {second.name} both ask for a shield, and what keeps one may break the other"
    if first.group != second.group:
        raise Unusable(f"{words}; make a monitor for each group")
    raise Unusable(f"{words}; ask for both in one formula, <g>G(f and h)")


def _properties(system: System, text: str | Formula) -> Iterator[Followed]:
    """A property for each formula of the model that is named, or for the one that is written."""
    if isinstance(text, str):
        named = [one for one in questions(system) if one.name and question_is(text.strip())(one)]
        if named:
            yield from (_followed(one.name, one.formula) for one in named)
            return
        try:
            formula = read_formula(text, system)
        except ValueError:
            near = _hint(text.strip(), [name for name in system.formula_names if name])
            if near and text.strip().isidentifier():
                raise Unusable(f"there is no formula {text.strip()}{near}") from None
            raise
        yield _followed(f"`{' '.join(text.split())}`", formula)
        return
    names = [name for name, own in zip(system.formula_names, system.formulae, strict=False) if own == text and name]
    yield _followed(names[0] if names else f"`{show(text)}`", text)


def _followed(name: str, formula: Formula) -> Followed:
    match formula:
        case logic.ForAll(arg):
            return Followed(name, formula, arg)
        case logic.Coalition(group, logic.Globally() as arg):
            return Followed(name, formula, arg, group)
        case logic.Coalition():
            raise Unusable(
                f"{name} cannot be followed: only for <g>G is there a most permissive strategy; "
                "`epistrat strategy` finds one for the others"
            )
        case logic.Exists():
            raise Unusable(
                f"{name} cannot be followed: E is about what could happen, and a monitor follows what does; ask AG, A or a linear formula"
            )
        case _:
            return Followed(name, formula, formula)


def _watched(system: System, name: str, text: str | Formula) -> Watched:
    formula = read_formula(text, system) if isinstance(text, str) else text
    if isinstance(formula, logic.ForAll) and isinstance(text, str) and formula.star and not is_state(formula.arg):
        raise Unusable(f"the watch {name} is no state formula: write A in front, or follow it as a property with -f")
    return Watched(name, formula, words_of(name, formula))


def words_of(name: str, formula: Formula) -> str:
    """What is so when a watch is true: knowledge in words, other things by the name of the watch."""
    match formula:
        case logic.Knows(agent, arg):
            return f"{agent} knows {show(arg)}"
        case logic.Common(group, arg):
            return f"it is common knowledge of {group} that {show(arg)}"
        case logic.Everybody(group, arg):
            return f"everybody in {group} knows {show(arg)}"
        case _:
            return f"{name} is true"
