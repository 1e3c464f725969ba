"""Whole programs: agents with their sections, and the sections behind them.

Sections are read in any order; which are missing, repeated or out of order is for `rules` to judge.  A line that cannot be
read is left out of the tree, and reading goes on behind it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from epistrat.lang import syntax
from epistrat.lang.cursor import Cursor, Mistake
from epistrat.lang.names import closest
from epistrat.lang.parse.expr import ExpressionParser
from epistrat.lang.parse.formula import FormulaParser
from epistrat.lang.syntax import Node
from epistrat.lang.vocabulary import AGENT_SECTIONS, EPISTEMIC, MODEL_SECTIONS, SETTINGS, asks_knowledge
from epistrat.source import Edit, Fix, Span

T = TypeVar("T")

_OUTSIDE = frozenset(MODEL_SECTIONS + SETTINGS[:1] + ("Agent", ""))
_SECTIONS = frozenset(AGENT_SECTIONS)


class ModelParser(Cursor):
    """Reads a program."""

    _broken: list[syntax.Broken]

    def program(self, program: syntax.Program) -> None:
        """Puts what the text says into the program; what was read before too much went wrong stays there."""
        self._conditions = ExpressionParser(self.source, self.strict)
        self._formulae = FormulaParser(self.source, self.strict)
        while self.word:
            start = self.at
            self._broken = program.broken
            try:
                self._item(program)
            except Mistake as mistake:
                self._skip(start)
                program.broken.append(syntax.Broken(start, self.at, mistake.parts))

    def _item(self, program: syntax.Program) -> None:
        word, start = self.word, self.at
        if word == "Agent":
            program.agents.append(self._agent())
            return
        if word in SETTINGS:
            self.at += 1
            if not self.accept("="):
                raise self.fail(f"`=` after `{word}`")
            program.settings.append((word, self.at))
            self.at += 1
            self.semicolon(f"`{word}`")
            return
        if word not in MODEL_SECTIONS:
            expected = "an agent or a section (" + ", ".join(MODEL_SECTIONS) + ")"
            if self._misspelt(expected, ("Agent", *MODEL_SECTIONS)):
                self._item(program)
                return
            raise self.fail(expected)
        program.sections.append((word, start))
        self.at += 1
        self.accept(":")
        if word == "Evaluation":
            program.evaluation += self.lines(word, self._named)
        elif word == "InitStates":
            program.initial = self._single(self.lines(word, self._condition), word) or program.initial
        elif word == "Groups":
            program.groups += self.lines(word, self._group)
        elif word == "Goals":
            program.goals += self.lines(word, self._goal)
        elif word == "Fairness":
            program.fairness += self.lines(word, self._formula)
        else:
            program.formulae += self.lines(word, self._named_formula)

    def _skip(self, start: int) -> None:
        """Goes on at the next agent or section behind the word where the mistake began."""
        words, at = self.words, self.at
        while words[at] not in _OUTSIDE or (words[at - 1] == "end" and words[at]):
            at += 1
        self.at = max(at, start + 1)

    # lines and sections

    def lines(self, section: str, line: Callable[[], T]) -> list[T]:
        """The lines of a section and its end."""
        found: list[T] = []
        while self.word != "end" and self.word not in _OUTSIDE and self.word not in _SECTIONS:
            start = self.at
            try:
                found.append(line())
            except Mistake as mistake:
                self.recover()
                self.at = max(self.at, start + 1)
                self._broken.append(syntax.Broken(start, self.at, mistake.parts))
        self.close(section)
        return found

    def close(self, section: str) -> None:
        """``end section``"""
        if self.word != "end":
            span = self.source.span(self.at, self.at + 1)
            fix = Fix(f"insert `end {section}`", (Edit(Span(span.start, span.start), f"end {section}\n"),))
            self.report.error("E008", f"expected `end {section}`, {self.found()}", span, edit=fix)
            return
        name = self.words[self.at + 1]
        if name == section:
            self.at += 2
            return
        span = self.source.span(self.at, self.at + 2)
        outer = name == "Agent" and section in _SECTIONS
        if outer:
            fix = Fix(f"insert `end {section}`", (Edit(Span(span.start, span.start), f"end {section}\n"),))
        else:
            fix = Fix(f"write `end {section}`", (Edit(span, f"end {section}"),))
        self.report.error("E008", f"expected `end {section}`, found `end {name}`", span, edit=fix)
        if not outer:
            self.at += 2 if name.isidentifier() or name == "" else 1

    def with_conditions(self, parse: Callable[[ExpressionParser], T]) -> T:
        """Reads something with the parser of conditions, from here."""
        return self._read(self._conditions, parse)

    def _read(self, parser: ExpressionParser, parse: Callable[..., T]) -> T:
        parser.at = self.at
        parser.depth = 0
        try:
            return parse(parser)
        finally:
            self.at = parser.at

    # agents

    def _agent(self) -> syntax.AgentNode:
        start = self.at
        self.at += 1
        if self.word == "Environment":
            name = self.at
            self.at += 1
        else:
            name = self.name("an agent's name")
        agent = syntax.AgentNode(start, self.at, name)
        self._broken = agent.broken
        while self.word not in _OUTSIDE:
            if self.word == "end":
                break
            if self.word not in _SECTIONS:
                self._stray()
                continue
            section, at = self.word, self.at
            agent.sections.append((section, at))
            try:
                self._section(agent)
            except Mistake as mistake:
                self.recover()
                agent.broken.append(syntax.Broken(at, self.at, mistake.parts))
        self.close("Agent")
        agent.end = self.at
        return agent

    def _misspelt(self, expected: str, words: tuple[str, ...]) -> bool:
        """Whether the word at hand is one of these with a mistake, which is reported; it is read as what was meant."""
        meant = closest(self.word, words) if self.words[self.at - 1] != "end" else None
        if meant is None:
            return False
        self.fail(expected, suggestion=meant)
        self.words[self.at] = meant
        return True

    def _stray(self) -> None:
        """Something in an agent that is no section."""
        expected = "a section (" + ", ".join(AGENT_SECTIONS) + ") or `end Agent`"
        if self._misspelt(expected, AGENT_SECTIONS):
            return
        self.fail(expected)
        words, at = self.words, self.at + 1
        while words[at] not in _OUTSIDE and words[at] not in _SECTIONS and words[at] != "end":
            at += 1
        self.at = at
        if words[at] == "end" and words[at + 1] in _SECTIONS:
            self.at += 2

    def _section(self, agent: syntax.AgentNode) -> None:
        section = self.word
        self.at += 1
        if section in ("Lobsvars", "Actions"):
            if not self.accept("="):
                raise self.fail(f"`=` after `{section}`")
            what = "a variable's name" if section == "Lobsvars" else "an action's name"
            agent.vague |= section == "Actions"
            self.names_in_braces(what, empty=True, into=agent.lobsvars if section == "Lobsvars" else agent.actions)
            agent.vague &= section != "Actions"
            self.semicolon(f"the {'variables' if section == 'Lobsvars' else 'actions'}")
            return
        if not self.accept(":"):
            self.missing(":", f"`{section}`")
        if section == "Obsvars":
            agent.obsvars += self.lines(section, self._declaration)
        elif section == "Vars":
            agent.vars += self.lines(section, self._declaration)
        elif section == "RedStates":
            agent.red = self._single(self.lines(section, self._condition), section) or agent.red
        elif section == "Protocol":
            agent.protocol += self.lines(section, self._rule)
        else:
            agent.evolution += self.lines(section, self._move)

    def _declaration(self) -> syntax.Declaration:
        start = self.at
        name = self.name("a variable's name")
        try:
            kind, items = self._type()
        except Mistake:  # the name is known all the same, which spares a message at every use
            self.recover()
            return syntax.Declaration(start, self.at, name, "", [])
        return syntax.Declaration(start, self.at, name, kind, items)

    def _type(self) -> tuple[str, list[int]]:
        self.expect(":", "the variable's name")
        kind, items = self.word, [self.at]
        if kind in ("boolean", "integer", "real"):
            self.at += 1
        elif kind == "{":
            items = self.names_in_braces("a value", empty=False)
        elif kind == "-" or kind.isdigit():
            kind, items = "..", [self._bound()]
            if not self.accept(".."):
                raise self.fail("`..` between the bounds")
            items.append(self._bound())
        else:
            meant = closest(kind, ("boolean", "integer", "real"))
            raise self.fail("a type (boolean, 0..9, {a, b}, integer or real)", suggestion=meant)
        self.semicolon("the type")
        return kind, items

    def _bound(self) -> int:
        start = self.at
        self.accept("-")
        if not self.word.isdigit():
            raise self.fail("a whole number")
        self.at += 1
        return start

    def _rule(self) -> syntax.ProtocolRule:
        start = self.at
        condition = None
        if self.word == "Other":
            self.at += 1
        else:
            condition = self._guard()
        if not self.accept(":"):
            raise self.fail("`:` and the actions" if condition is None else "an operator, or `:` and the actions")
        actions, sets = self._choices()
        self.semicolon("the actions")
        return syntax.ProtocolRule(start, self.at, condition, actions, sets)

    def _guard(self) -> Node:
        if self.source.distinct.isdisjoint(EPISTEMIC) or not asks_knowledge(self.words, self.at):
            return self.with_conditions(ExpressionParser.expression)
        return self._read(self._formulae, FormulaParser.guard)

    def _choices(self) -> tuple[list[int], list[list[int]]]:
        """Actions and sets of actions in braces: all the actions, and the sets."""
        actions: list[int] = []
        sets: list[list[int]] = []
        if not self.accept("{"):
            raise self.fail("`{`")
        while True:
            if self.word == "{":
                sets.append(self.names_in_braces("an action", empty=False))
                actions += sets[-1]
            else:
                actions.append(self.name("an action"))
            if self.accept("}"):
                return actions, sets
            if not self.accept(","):
                raise self.fail("`,` or `}`")

    def _move(self) -> syntax.Move:
        start = self.at
        assigns: list[syntax.Assign] = []
        try:
            self._assigns(assigns)
            if not self.accept("if"):
                raise self.fail("`and` or `if` after the assignment")
            guard = self.with_conditions(ExpressionParser.expression)
        except Mistake as mistake:
            mistake.parts[:0] = assigns
            raise
        self.semicolon("this condition")
        return syntax.Move(start, self.at, assigns, guard)

    def _assigns(self, found: list[syntax.Assign]) -> None:
        open_brackets = 0
        while True:
            while self.accept("("):
                open_brackets += 1
            found.append(self._assign())
            while open_brackets and self.accept(")"):
                open_brackets -= 1
            if self.accept("and"):
                continue
            if open_brackets:
                raise self.fail("`and` or `)`")
            return

    def _assign(self) -> syntax.Assign:
        start = self.at
        if self.word == "Environment" and self.words[self.at + 1] == ".":
            self.at += 2
        name = self.name("the name of a variable")
        if self.word == "." and name == start:
            self.at += 1
            self.name("the name of a variable")
        target = syntax.Leaf(start, self.at)
        try:
            self.expect("=", "the variable that is assigned")
            value = self.with_conditions(lambda parser: parser.expression(syntax.Level.COMPARE))
        except Mistake as mistake:
            mistake.parts.insert(0, target)
            raise
        return syntax.Assign(start, self.at, target, value)

    # behind the agents

    def _named(self) -> syntax.Named:
        start = self.at
        name = self.name("a proposition's name")
        try:
            if not self.accept("if"):
                raise self.fail("`if` after the proposition's name")
            condition = self.with_conditions(ExpressionParser.expression)
            self.semicolon("this condition")
        except Mistake as mistake:
            self.recover()
            self._broken.append(syntax.Broken(name + 1, self.at, mistake.parts))
            return syntax.Named(start, name + 1, name, None)
        return syntax.Named(start, self.at, name, condition)

    def _single(self, conditions: list[Node], section: str) -> Node | None:
        """The one condition of a section."""
        if len(conditions) > 1:
            second = conditions[1]
            message = f"{section} is one condition: join it to the first by `and` or `or`"
            self.source.error("E002", message, second.start, second.end)
        return conditions[0] if conditions else None

    def _condition(self) -> Node:
        node = self.with_conditions(ExpressionParser.expression)
        self.semicolon("this condition")
        return node

    def _group(self) -> syntax.GroupNode:
        start = self.at
        name = self.name("a group's name")
        self.expect("=", "the group's name")
        members = self.names_in_braces("an agent", empty=True, environment=True)
        self.semicolon("the members")
        return syntax.GroupNode(start, self.at, name, members)

    def _goal(self) -> syntax.GoalNode:
        start = self.at
        if not self.accept("Environment"):
            self.name("an agent")
        who = syntax.Who(start, self.at, [start], False)
        self.expect(":", "the agent")
        goal = self._formula()
        return syntax.GoalNode(start, self.at, who, goal)

    def _named_formula(self) -> syntax.Marked:
        if self.words[self.at + 1] != ":":
            return self._formula()
        name = self.name("a formula's name")
        self.at += 1
        formula = self._formula()
        formula.name = name
        return formula

    def _formula(self) -> syntax.Marked:
        formula = self._read(self._formulae, FormulaParser.formula)
        self.semicolon("this formula")
        return formula
