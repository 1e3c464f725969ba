"""EVE's games as ISPL: a module becomes an agent, a guarded command an action, its guard a line of the protocol.

All variables are the Environment's and seen by everybody, as strategies in EVE see everything.  An agent none of whose commands is
enabled stays: its variables keep their values, as do those that a command does not assign.  Where modules have several commands under
``init`` a first step chooses among them, and goals are about what comes after it.

With a module ``environment`` its variables alone make up the state; what players assign is what they *do*, and the environment reacts
to it at once, by the first of its commands that is enabled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from epistrat.lang.rml.parse import FALSE, TRUE, Command, Expression, Module, Reader
from epistrat.lang.vocabulary import LETTERS, STRUCTURE
from epistrat.records import dataclass
from epistrat.source import NotRead

ENVIRONMENT = "environment"
_STAY = "stay"


@dataclass(frozen=True)
class Translation:
    """The ISPL text, and what is to be said about it: sentences and their places in the original."""

    text: str
    remarks: tuple[tuple[str, int], ...]


def translate(text: str) -> Translation:
    """A game of EVE as ISPL; raises `NotRead` where something cannot be read or has no counterpart."""
    reader = Reader(text)
    reader.read()
    return _Translator(reader).translation()


class _Translator:
    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._around = next((one for one in reader.modules if one.name == ENVIRONMENT), None)
        self._players = [one for one in reader.modules if one is not self._around]
        if not self._players:
            raise NotRead("there is no player", 0)
        self._owner: dict[str, Module] = {}
        taken: set[str] = set()
        for module in reader.modules:
            if module.name in taken:
                raise NotRead(f"`{module.name}` is written twice", module.at)
            taken.add(module.name)
            for name in module.controls:
                if name in self._owner:
                    raise NotRead(f"`{name}` is controlled by two modules", module.at)
                self._owner[name] = module
        for name, at in reader.mentions:
            if name not in self._owner:
                raise NotRead(f"no module controls `{name}`", at)
        self._remarks = [("an empty bracket is read as false", at) for at in reader.empty]
        self._kept = reader.modules if self._around is None else [self._around]
        self._chooses_first = self._around is None and any(len(one.first) > 1 for one in self._players)
        self._named = self._names()

    def _names(self) -> dict[str, str]:
        """Names in ISPL: of the variables, and of players, who must not be called as one of them."""
        found: dict[str, str] = {}
        for name in [*self._owner, *(module.name for module in self._players)]:
            plain = name.lstrip("_") or "x"
            while plain in STRUCTURE or plain in LETTERS or plain in found.values() or plain == "Environment":
                plain += "_"
            found[name] = plain
        return found

    def translation(self) -> Translation:
        """The whole model."""
        lines = ["Semantics = SingleAssignment;", "Agent Environment", "Obsvars:"]
        lines += [f"{self._named[name]}: boolean;" for module in self._kept for name in module.controls]
        lines += ["started: boolean;"] if self._chooses_first else []
        lines += ["end Obsvars", "Actions = { none };", "Protocol: Other: { none }; end Protocol", "Evolution:"]
        lines += self._evolution()
        lines += ["end Evolution", "end Agent"]
        for module in self._players:
            lines += self._agent(module)
        lines += ["Evaluation"]
        lines += [f"{self._named[name]} if {self._here(name)};" for module in self._kept for name in module.controls]
        lines += ["end Evaluation", "InitStates", f"{' and '.join(self._start())};", "end InitStates", "Goals"]
        lines += [f"{self._named[module.name]}: {self._path(module.goal)};" for module in self._players if module.goal]
        lines += ["end Goals", "Formulae", "Nash;"]
        for one in self._reader.properties:
            lines += [f"ENash({self._path(one)});", f"ANash({self._path(one)});"]
        return Translation("\n".join([*lines, "end Formulae", ""]), tuple(self._remarks))

    # players

    def _agent(self, module: Module) -> list[str]:
        self._refuse_own_variables(module)
        rows = list(self._actions(module))
        lines = [f"Agent {self._named[module.name]}", "Vars: end Vars"]
        lines.append(f"Actions = {{ {', '.join([*(action for action, _, _ in rows), _STAY])} }};")
        lines.append("Protocol:")
        lines += [f"{self._written(guard)}: {{ {action} }};" for action, guard, _ in rows]
        return [*lines, f"Other: {{ {_STAY} }};", "end Protocol", "Evolution: end Evolution", "end Agent"]

    def _actions(self, module: Module) -> Iterator[tuple[str, Expression, Command]]:
        """The commands with their guards; in the first step those of ``init``."""
        if self._chooses_first:
            for number, one in enumerate(module.first, 1):
                yield f"begin{number}", ("!", "started"), one
        for number, one in enumerate(module.update, 1):
            yield f"do{number}", ("and", "started", one.guard) if self._chooses_first else one.guard, one

    def _refuse_own_variables(self, module: Module) -> None:
        """What players assign is no part of the state where there is an environment."""
        if self._around is None:
            return
        for command in module.update:
            for part in (command.guard, *(value for _, value in command.assigns)):
                for name in _mentioned(part):
                    if self._owner[name] is not self._around:
                        message = f"`{name}` is no part of the state, as there is an environment"
                        raise NotRead(message, command.at)

    def _start(self) -> list[str]:
        values = dict.fromkeys((name for module in self._kept for name in module.controls), FALSE)
        for module in self._kept:
            if len(module.first) > 1 and not self._chooses_first:
                raise NotRead("the environment has one command under `init`", module.first[1].at)
            for name, value in module.first[0].assigns if not self._chooses_first else ():
                if value not in (TRUE, FALSE):
                    raise NotRead("under `init` variables become true or false", module.first[0].at)
                values[name] = str(value)
        found = [f"Environment.{self._named[name]} = {value}" for name, value in values.items()]
        return [*found, "Environment.started = false"] if self._chooses_first else found

    # what variables become

    def _evolution(self) -> Iterator[str]:
        if self._chooses_first:
            yield "started = true if true;"
        if self._around is not None:
            for name in self._around.controls:
                becomes = self._reacting(name, self._around)
                yield from self._lines(name, becomes, f"!({becomes})")
            return
        for module in self._players:
            rows = list(self._actions(module))
            for name in module.controls:
                both: list[list[str]] = [[], []]
                for action, _, command in rows:
                    for target, value in command.assigns:
                        if target == name:
                            done = f"{self._named[module.name]}.Action = {action}"
                            both[0] += [_both(done, self._written(value))]
                            both[1] += [_both(done, self._written(("!", value)))]
                yield from self._lines(name, *(" or ".join(filter(None, some)) or FALSE for some in both))

    def _lines(self, name: str, true: str, false: str) -> Iterator[str]:
        for value, condition in ((TRUE, true), (FALSE, false)):
            if condition != FALSE:
                yield f"{self._named[name]} = {value} if {condition};"

    def _reacting(self, name: str, around: Module) -> str:
        """When a variable of the environment is true after the step: its first enabled command says so."""
        found = self._here(name)
        for command in reversed(around.update):
            value = dict(command.assigns).get(name)
            guard = self._written(command.guard, self._assigned)
            becomes = self._here(name) if value is None else self._written(value)
            if becomes == found:
                continue
            if becomes == FALSE:
                found = f"(!{guard} and {found})"
            elif becomes == TRUE:
                found = f"({guard} or {found})"
            else:
                found = f"(({guard} and {becomes}) or (!{guard} and {found}))"
        return found

    def _assigned(self, name: str) -> str:
        """That a player's action makes its variable true; for variables of the environment that they are."""
        module = self._owner[name]
        if module is self._around:
            return self._here(name)
        some = [
            _both(f"{self._named[module.name]}.Action = {action}", self._written(value))
            for action, _, command in self._actions(module)
            for target, value in command.assigns
            if target == name and value != FALSE
        ]
        return f"({' or '.join(some)})" if some else FALSE

    # conditions and formulae

    def _here(self, name: str) -> str:
        return f"Environment.{self._named.get(name, name)} = true"

    def _written(self, node: Expression, leaf: Callable[[str], str] | None = None) -> str:
        if isinstance(node, str):
            return node if node in (TRUE, FALSE) else f"({(leaf or self._here)(node)})"
        parts = [self._written(part, leaf) for part in node[1:]]
        return f"!{parts[0]}" if node[0] == "!" else f"({f' {node[0]} '.join(parts)})"

    def _path(self, node: Expression) -> str:
        """A path formula over the propositions; behind the first step where that chooses."""
        for name in _mentioned(node):
            if self._around is not None and self._owner[name] is not self._around:
                at = next(at for mentioned, at in reversed(self._reader.mentions) if mentioned == name)
                raise NotRead(f"`{name}` is no part of the state, as there is an environment", at)
        text = self._formula(node)
        return f"X ({text})" if self._chooses_first else text

    def _formula(self, node: Expression) -> str:
        if isinstance(node, str):
            return self._named.get(node, node)
        parts = [self._formula(part) for part in node[1:]]
        if len(parts) == 1:
            return f"{node[0]} {parts[0]}" if node[0] != "!" else f"!{parts[0]}"
        return f"({f' {node[0]} '.join(map(_bracketed, parts))})"


def _bracketed(text: str) -> str:
    """A formula that begins with an operator in brackets."""
    return f"({text})" if text[:2] in ("G ", "F ", "X ") or text[0] == "!" else text


def _both(done: str, condition: str) -> str:
    """That an action is done where a condition holds; nothing where that is false."""
    return (
        ""
        if condition in (FALSE, f"!{TRUE}")
        else done
        if condition in (TRUE, f"!{FALSE}")
        else f"({done} and {condition})"
    )


def _mentioned(node: Expression) -> Iterator[str]:
    """The variables of a condition or formula."""
    if isinstance(node, tuple):
        for part in node[1:]:
            yield from _mentioned(part)
    elif node not in (TRUE, FALSE):
        yield node
