"""STV2's input language: agents with locations, guarded transitions, and one formula.

    Agent Voter1:
    LOCAL: [vote]  PERSISTENT: [vote]  INITIAL: [vote:=0]
    init start
    choose1: start -> chosen [vote:=1]
    shared[2] give[show]: chosen [vote==1] -> done
    FORMULA: <<Voter1>><>(vote==1 && !&K_Coercer(vote==1))

``#`` starts a comment.  Expressions become nested tuples: ``(operator, operand, ...)``, a name, or a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from epistrat.records import dataclass, field
from epistrat.source import NotRead

T = TypeVar("T")
Expression: TypeAlias = "int | str | tuple[str, *tuple[Expression, ...]]"

_WORD = re.compile(
    r"\s+|\#[^\n]*|(?P<word>&[KH]_\w+|&\w+|\w+(?:\.\d+)?|:=|->|==|!=|<=|>=|<<|>>|<>|\[\]|&&|\|\||[-+*/%!<>()\[\]:,])"
)
_LEVELS = (("||",), ("&&",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))


@dataclass(frozen=True, slots=True)
class Transition:
    """From one location to another by an event; ``needed`` agents must offer a shared event, None for a private one."""

    event: str
    label: str
    needed: int | None
    source: str
    guard: Expression | None
    target: str
    assigns: tuple[tuple[str, Expression], ...]
    at: int


@dataclass(slots=True)
class AgentText:
    """An agent as it was written."""

    name: str
    at: int
    persistent: list[str] = field(default_factory=list)
    initial: list[tuple[str, Expression]] = field(default_factory=list)
    start: str = ""
    transitions: list[Transition] = field(default_factory=list)


@dataclass(slots=True)
class FormulaText:
    """A coalition (None: all runs), ``[]`` or ``<>``, and a condition."""

    group: tuple[str, ...] | None
    operator: str
    condition: Expression
    at: int


class Reader:
    """Reads a text word by word."""

    def __init__(self, text: str) -> None:
        self.words: list[tuple[str, int]] = []
        place = 0
        while place < len(text):
            match = _WORD.match(text, place)
            if match is None:
                raise NotRead(f"the character `{text[place]}` is not part of STV2's language", place)
            if match["word"]:
                self.words.append((match["word"], place))
            place = match.end()
        self.words.append(("", len(text)))
        self.next = 0
        self.agents: list[AgentText] = []
        self.formula: FormulaText | None = None

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

    def expect(self, *words: str) -> None:
        """Goes behind these words."""
        for word in words:
            if not self.accept(word):
                raise NotRead(f"expected `{word}`, found `{self.word or 'the end'}`", self.at)

    def name(self, what: str) -> str:
        """A name."""
        if not re.match(r"[A-Za-z_]\w*\Z", self.word):
            raise NotRead(f"expected {what}, found `{self.word or 'the end'}`", self.at)
        return self.take()

    def read(self) -> None:
        """All agents, and the last formula."""
        while self.word:
            if self.word == "Agent":
                self._agent()
            elif self.accept("FORMULA"):
                self.expect(":")
                self.formula = self._formula()
            else:
                raise NotRead(f"expected `Agent` or `FORMULA:`, found `{self.word}`", self.at)

    def _agent(self) -> None:
        at = self.at
        self.expect("Agent")
        agent = AgentText(self.name("the agent's name"), at)
        self.expect(":")
        self.agents.append(agent)
        while self.word and self.word not in ("Agent", "FORMULA"):
            if self.word in ("LOCAL", "PERSISTENT") and self.words[self.next + 1][0] == ":":
                kept = self.take() == "PERSISTENT"
                self.expect(":")
                names = self._listed(self._variable)
                agent.persistent += names if kept else []
            elif self.word == "INITIAL" and self.words[self.next + 1][0] == ":":
                self.next += 2
                agent.initial += self._listed(self._assign)
            elif self.accept("init"):
                agent.start = self.name("the initial location")
            else:
                agent.transitions.append(self._transition())

    def _listed(self, one: Callable[[], T]) -> list[T]:
        """``[one, one]``; commas may be left out."""
        if self.accept("[]"):
            return []
        self.expect("[")
        found: list[T] = []
        while not self.accept("]"):
            found.append(one())
            self.accept(",")
        return found

    def _variable(self) -> str:
        return self.name("a variable's name")

    def _assign(self) -> tuple[str, Expression]:
        name = self._variable()
        self.expect(":=")
        return name, self.expression(3)

    def _transition(self) -> Transition:
        at, needed = self.at, None
        if self.accept("shared"):
            self.expect("[")
            needed = self._number()
            self.expect("]")
        if re.match(r"\d|&", self.word):
            raise NotRead("probabilities have no counterpart", at)
        event = label = self.name("an event")
        if self.accept("["):
            label = self.name("the event's local name")
            self.expect("]")
        self.expect(":")
        source = self.name("a location")
        guard = None
        if self.accept("["):
            guard = self.expression()
            self.expect("]")
        self.expect("->")
        if re.match(r"\d|&|\(", self.word):
            raise NotRead("probabilities have no counterpart", self.at)
        target = self.name("a location")
        assigns = self._listed(self._assign) if self.word in ("[", "[]") else []
        return Transition(event, label, needed, source, guard, target, tuple(assigns), at)

    def _number(self) -> int:
        if not self.word.isdigit():
            raise NotRead(f"expected a number, found `{self.word}`", self.at)
        return int(self.take())

    def _formula(self) -> FormulaText:
        at, group = self.at, None
        if self.accept("<<"):
            members: list[str] = []
            while not self.accept(">>"):
                members.append(self.name("an agent's name"))
                self.accept(",")
            group = tuple(members)
        operator = self.take()
        if operator not in ("[]", "<>"):
            raise NotRead(f"expected `[]` or `<>`, found `{operator}`", at)
        if self.word == "&P":
            raise NotRead("probabilities have no counterpart", self.at)
        condition = self.expression()
        while self.accept(","):  # only the first condition counts
            self.expression()
        return FormulaText(group, operator, condition, at)

    def expression(self, level: int = 0) -> Expression:
        """A condition, or from level 3 on a number."""
        if level == len(_LEVELS):
            return self._operand()
        left = self.expression(level + 1)
        while self.word in _LEVELS[level]:
            operator = self.take()
            left = (operator, left, self.expression(level + 1))
        return left

    def _operand(self) -> Expression:
        at = self.at
        if self.accept("!"):
            return ("!", self._operand())
        if self.accept("-"):
            return ("-", 0, self._operand())
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if self.word[:3] == "&K_":
            agent = self.take()[3:]
            self.expect("(")
            known = self.expression()
            self.expect(")")
            return ("K", agent, known)
        if self.word[:3] == "&H_":
            return self._hartley()
        if self.word.isdigit():
            return int(self.take())
        if self.word.startswith("&"):
            raise NotRead(f"`{self.word}` has no counterpart", at)
        return self.name("a condition")

    def _hartley(self) -> Expression:
        agent = self.take()[3:]
        self.expect("[")
        compare = self.take()
        if compare not in ("<=", ">="):
            raise NotRead(f"expected `<=` or `>=`, found `{compare}`", self.at)
        bound = self._number()
        self.expect("]", "(")
        conditions = [self.expression()]
        while self.accept(","):
            conditions.append(self.expression())
        self.expect(")")
        rest: tuple[Expression, ...] = (agent, compare, bound, *conditions)
        return ("H", *rest)
