"""EVE's input language: modules that control Boolean variables by guarded commands, goals, and properties.

    module alice controls a
      init
      :: true ~> a' := true;
      update
      :: b or !a ~> a' := b;
      goal
      :: G F a;
    property
    :: F (a and b);

``--`` starts a comment.  Conditions and path formulae become nested tuples: ``(operator, operands...)``, or a name.  As in EVE all of
``and or -> <->`` bind alike, to the left; in formulae U binds tighter, and operators in front of their operand tightest.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from epistrat.records import dataclass, field
from epistrat.source import NotRead

Expression: TypeAlias = "str | tuple[str, *tuple[Expression, ...]]"

_WORD = re.compile(r"\s+|--[^\n]*|(?P<word>[A-Za-z_]\w*|::|~>|:=|<->|->|&&|\|\||[(),;'!])")
_JOINING = {"and": "and", "&&": "and", "or": "or", "||": "or", "->": "->", "<->": "<->"}
_SECTIONS = ("module", "init", "update", "goal", "property", "")
TRUE, FALSE = "true", "false"


@dataclass(frozen=True, slots=True)
class Command:
    """Where its guard holds, a command may give variables new values."""

    guard: Expression
    assigns: tuple[tuple[str, Expression], ...]
    at: int


@dataclass(slots=True)
class Module:
    """A player, or the environment."""

    name: str
    at: int
    controls: list[str] = field(default_factory=list)
    first: list[Command] = field(default_factory=list)
    update: list[Command] = field(default_factory=list)
    goal: Expression | None = None


class Reader:
    """Reads a text word by word; ``empty`` are the places of brackets with nothing in them."""

    def __init__(self, text: str) -> None:
        self.words: list[tuple[str, int]] = []
        place = 0
        while place < len(text):
            match = _WORD.match(text, place)
            if match is None:
                raise NotRead(f"the character `{text[place]}` is not part of EVE's language", place)
            if match["word"]:
                self.words.append((match["word"], place))
            place = match.end()
        self.words.append(("", len(text)))
        self.next = 0
        self.modules: list[Module] = []
        self.properties: list[Expression] = []
        self.mentions: list[tuple[str, int]] = []
        self.empty: list[int] = []

    @property
    def word(self) -> str:
        """The word at hand."""
        return self.words[self.next][0]

    @property
    def at(self) -> int:
        """Where it stands."""
        return self.words[self.next][1]

    def take(self) -> str:
        """The word at hand; goes on behind it."""
        self.next += 1
        return self.words[self.next - 1][0]

    def accept(self, word: str) -> bool:
        """Goes behind the word if it is the one at hand."""
        if self.word != word:
            return False
        self.next += 1
        return True

    def expect(self, word: str) -> None:
        """Goes behind this word."""
        if not self.accept(word):
            raise NotRead(f"expected `{word}`, found `{self.word or 'the end'}`", self.at)

    def name(self, what: str) -> str:
        """A name."""
        if not re.match(r"[A-Za-z_]", self.word):
            raise NotRead(f"expected {what}, found `{self.word or 'the end'}`", self.at)
        return self.take()

    def read(self) -> None:
        """All modules and properties."""
        while self.word:
            if self.accept("property"):
                self.properties += self._formulae()
            elif self.word == "module":
                self.modules.append(self._module())
            else:
                raise NotRead(f"expected `module` or `property`, found `{self.word}`", self.at)

    def _module(self) -> Module:
        self.expect("module")
        at = self.at
        module = Module(self.name("the module's name"), at)
        self.expect("controls")
        module.controls.append(self.name("a variable"))
        while self.accept(","):
            module.controls.append(self.name("a variable"))
        self.expect("init")
        module.first = self._commands(module)
        self.expect("update")
        module.update = self._commands(module)
        if self.accept("goal"):
            at = self.at
            goals = self._formulae()
            if len(goals) > 1:
                raise NotRead("a module has one goal", at)
            module.goal = goals[0]
        return module

    def _commands(self, module: Module) -> list[Command]:
        found: list[Command] = []
        while self.word == "::":
            at = self.at
            self.take()
            guard = self.expression(temporal=False)
            self.expect("~>")
            assigns = [self._assignment(module)]
            while self.accept(","):
                assigns.append(self._assignment(module))
            self.accept(";")
            found.append(Command(guard, tuple(assigns), at))
        if not found:
            raise NotRead(f"expected `::` and a command, found `{self.word or 'the end'}`", self.at)
        return found

    def _assignment(self, module: Module) -> tuple[str, Expression]:
        at = self.at
        name = self.name("a variable")
        if name not in module.controls:
            raise NotRead(f"{module.name} does not control `{name}`", at)
        self.expect("'")
        self.expect(":=")
        return name, self.expression(temporal=False)

    def _formulae(self) -> list[Expression]:
        found: list[Expression] = []
        while self.accept("::"):
            found.append(self.expression(temporal=True))
            if self.word not in _SECTIONS:
                self.expect(";")
        if not found:
            self.expect("::")
        return found

    def expression(self, temporal: bool) -> Expression:
        """A condition, or where ``temporal`` a path formula."""
        left = self._until(temporal)
        while self.word in _JOINING:
            operator = _JOINING[self.take()]
            left = (operator, left, self._until(temporal))
        return left

    def _until(self, temporal: bool) -> Expression:
        left = self._operand(temporal)
        while temporal and self.accept("U"):
            left = ("U", left, self._operand(temporal))
        return left

    def _operand(self, temporal: bool) -> Expression:
        at = self.at
        if self.accept("!"):
            return ("!", self._operand(temporal))
        if temporal and self.word in ("G", "F", "X"):
            return (self.take(), self._operand(temporal))
        if self.accept("("):
            if self.accept(")"):
                self.empty.append(at)
                return FALSE
            inner = self.expression(temporal)
            self.expect(")")
            return inner
        name = self.name("a condition")
        if name not in (TRUE, FALSE):
            self.mentions.append((name, at))
        return name
