"""VMT-LIB text as declarations, definitions and annotations.

A term is a symbol (a string) or a tuple of terms.  Definitions are inlined, ``let`` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from epistrat.records import dataclass, field
from epistrat.source import NotRead

Term = str | tuple["Term", ...]

_TOKEN = re.compile(r";[^\n]*|\"(?:[^\"]|\"\")*\"|\|[^|]*\||[()]|[^\s()\";|]+")
_SORTS = ("Bool", "Int", "Real")


@dataclass
class Script:
    """What a VMT-LIB text says.  ``next`` maps state variables to the symbols of their next values."""

    sorts: dict[str, str] = field(default_factory=dict)
    next: dict[str, str] = field(default_factory=dict)
    initial: list[Term] = field(default_factory=list)
    steps: list[Term] = field(default_factory=list)
    invariants: list[tuple[Term, int]] = field(default_factory=list)
    stable: list[tuple[Term, int]] = field(default_factory=list)
    """Properties of which VMT-LIB says that they hold from some time on."""
    observed: list[tuple[str, Term, int]] = field(default_factory=list)


def read(text: str) -> Script:
    """The script; raises `NotRead`."""
    return _Reader(text).script()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._found = Script()
        self._defined: dict[str, Term] = {}

    def script(self) -> Script:
        for command, at in self._commands():
            self._command(command, at)
        found = self._found
        if not found.next or not found.steps:
            raise NotRead("a VMT-LIB model has state variables (:next) and a transition relation (:trans)", 0)
        return found

    def _commands(self) -> Iterator[tuple[Term, int]]:
        stack: list[list[Term]] = []
        start = 0
        for token in _TOKEN.finditer(self._text):
            word = token[0]
            if word.startswith(";"):
                continue
            if word == "(":
                start = start if stack else token.start()
                stack.append([])
            elif word == ")":
                if not stack:
                    raise NotRead("a bracket is closed that was not opened", token.start())
                done = tuple(stack.pop())
                if stack:
                    stack[-1].append(done)
                else:
                    yield done, start
            elif not stack:
                raise NotRead(f"{word} stands outside all brackets", token.start())
            else:
                stack[-1].append(word[1:-1] if word.startswith("|") else word)
        if stack:
            raise NotRead("a bracket is not closed", start)

    def _command(self, command: Term, at: int) -> None:
        match command:
            case ("declare-fun", str(name), (), str(sort)) | ("declare-const", str(name), str(sort)):
                if sort not in _SORTS:
                    raise NotRead(f"{name} has the sort {sort}; Bool, Int and Real can be read", at)
                self._found.sorts[name] = sort
            case ("define-fun", str(name), (), _, ("!", body, *annotations)):
                self._annotated(name, self._inlined(body, at), annotations, at)
            case ("define-fun", str(name), (), _, body):
                self._defined[name] = self._inlined(body, at)
            case ("set-logic" | "set-info" | "set-option" | "exit" | "check-sat", *_) | ("assert", "true"):
                return
            case _:
                head = command[0] if isinstance(command, tuple) and command else command
                raise NotRead(f"the command {head} cannot be read here", at)

    def _annotated(self, name: str, body: Term, annotations: list[Term], at: int) -> None:
        found = self._found
        self._defined[name] = body
        for key, value in zip(annotations[::2], annotations[1::2], strict=False):
            text = value.strip('"') if isinstance(value, str) else ""
            match key:
                case ":next":
                    if not isinstance(body, str) or body not in found.sorts or text not in found.sorts:
                        raise NotRead(":next connects two declared symbols", at)
                    found.next[body] = text
                case ":init":
                    found.initial.append(body)
                case ":trans":
                    found.steps.append(body)
                case ":invar-property":
                    found.invariants.append((body, at))
                case ":live-property":
                    found.stable.append((body, at))
                case ":observer":
                    found.observed.append((text, body, at))
                case ":knows":
                    self._defined[name] = (":knows", text, body)
                case _:
                    raise NotRead(f"the annotation {key} cannot be read here", at)

    def _inlined(self, term: Term, at: int, local: dict[str, Term] | None = None) -> Term:
        local = local or {}
        if isinstance(term, str):
            return local.get(term, self._defined.get(term, term))
        match term:
            case ("let", tuple(bindings), body):
                inner = dict(local)
                for binding in bindings:
                    assert isinstance(binding, tuple) and isinstance(binding[0], str)
                    inner[binding[0]] = self._inlined(binding[1], at, local)
                return self._inlined(body, at, inner)
            case ("forall" | "exists", *_):
                raise NotRead("quantifiers cannot be read here", at)
            case ("to_real", one):
                return self._inlined(one, at, local)
            case (str(head), *rest):
                return (head, *[self._inlined(one, at, local) for one in rest])
            case _:
                raise NotRead("not a term", at)
