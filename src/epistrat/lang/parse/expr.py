"""Conditions and arithmetic: operators by how strongly they bind, operands by what they start with.

One loop handles all levels: operators wait on a stack until a weaker one comes, and operators of one level become one
`Chain`.  Only brackets call it again, so long chains cost no stack at all.  The two commonest operands, ``x = v`` and
``Agent.x = v``, are taken whole.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from epistrat.lang.cursor import Cursor, Mistake
from epistrat.lang.syntax import Chain, Leaf, Level, Node, Plain, Prefix, Who
from epistrat.lang.vocabulary import CLOSERS, COMPARISONS, INFIX, PREFIX
from epistrat.source import Related


class Quantifier(NamedTuple):
    """``<<x>>`` or ``[[x]]``; ``names`` are indices of words."""

    some: bool
    names: list[int]


class Binder(NamedTuple):
    """``(agent, x)``; ``variable`` is the index of a word."""

    who: Who
    variable: int


class Said(NamedTuple):
    """``[! said]``; with ``true``, ``<! said>``."""

    said: Node
    true: bool


# A waiting operator: its level, the operator (for a coalition who it is and what it enforces), where it starts, and
# whether it stands in front of its operand.
Operator: TypeAlias = str | tuple[Who, str, int] | Quantifier | Binder | Said
Waiting: TypeAlias = tuple[int, Operator, int, bool]


class ExpressionParser(Cursor):
    """Reads conditions and expressions."""

    infix = INFIX
    prefix = PREFIX
    what = "a condition"

    def expression(self, least: int = 0, infix: dict[str, int] | None = None) -> Node:
        """Everything up to a word that cannot go on, or an infix operator weaker than ``least``."""
        self.enter()
        words, simple, owners, owned = self.words, self.simple, self.owners, self.owned
        table = self.infix if infix is None else infix
        operands: list[Node] = []
        waiting: list[Waiting] = []
        try:
            while True:
                at = self.at
                sign = at + 3 if words[at + 1] == "." else at + 1
                if (
                    words[sign] in COMPARISONS
                    and words[sign] in table  # not where an announcement ends there
                    and words[sign + 2] in CLOSERS
                    and words[sign + 1] in simple
                    and (words[at] in simple if sign == at + 1 else words[at] in owners and words[at + 2] in owned)
                    and (not waiting or waiting[-1][0] < Level.COMPARE)
                ):
                    self.at = sign + 2
                    operands.append(Plain(at, sign + 2, sign))
                elif self.takes_prefix(waiting):
                    continue
                else:
                    operands.append(self.operand())
                word = words[self.at]
                level = table.get(word, 0)
                while waiting and waiting[-1][0] > level:
                    self._reduce(waiting, operands)
                if level == 0 or level < least:
                    break
                waiting.append((level, word, self.at, False))
                self.at += 1
        except Mistake as mistake:
            mistake.parts[:0] = operands
            raise
        while waiting:
            self._reduce(waiting, operands)
        self.depth -= 1
        return operands[0]

    def takes_prefix(self, waiting: list[Waiting]) -> bool:
        """Steps over an operator that stands in front of its operand, if one is at hand."""
        word = self.words[self.at]
        level = self.prefix.get(word, 0)
        if level == 0:
            return False
        waiting.append((level, word, self.at, True))
        self.at += 1
        return True

    def _reduce(self, waiting: list[Waiting], operands: list[Node]) -> None:
        """Gives the last waiting operator, with all of its level before it, its operands."""
        level, op, start, is_prefix = waiting.pop()
        if is_prefix:
            operands[-1] = self.prefixed(op, start, operands[-1])
            return
        ops = [op]
        while waiting and waiting[-1][0] == level and not waiting[-1][3]:
            ops.append(waiting.pop()[1])
        ops.reverse()
        parts = operands[-len(ops) - 1 :]
        if level >= Level.COMPARE:
            self.check_values(parts)
        del operands[-len(ops) - 1 :]
        operands.append(Chain(parts[0].start, parts[-1].end, level, ops, parts))  # type: ignore[arg-type]  # infix operators are words

    def check_values(self, parts: list[Node]) -> None:
        """Operands of comparisons and arithmetic: what cannot be one is a mistake.  Conditions hold nothing else."""

    def prefixed(self, op: Operator, start: int, arg: Node) -> Node:
        """A prefix operator with its operand."""
        assert isinstance(op, str)
        return Prefix(start, arg.end, op, arg)

    def operand(self) -> Node:
        """A leaf or something in brackets."""
        start, word = self.at, self.word
        if word == "(":
            return self.bracketed()
        if word == "count" and self.words[start + 1] == "(":
            return self.count()
        if self.words[start + 1] == "." and word in self.owners:
            self.at += 2
            if self.word not in self.owned:
                raise self.fail("a variable's name")
            self.at += 1
            return Leaf(start, self.at)
        if word in self.simple:
            self.at += 1
            return Leaf(start, self.at)
        if word == "-" and self.words[start + 1][:1].isdigit():
            self.at += 2
            return Leaf(start, self.at)
        raise self.fail(self.what)

    def count(self) -> Node:
        """``count(condition, ...) >= number``: an extension, and what families write for many members."""
        start = self.at
        self.at += 1
        parts: list[Node] = []
        while self.word in ("(", ","):
            self.at += 1
            parts.append(self.expression())
        if self.word != ")":
            raise self.fail("`,` or `)`")
        self.at += 1
        op, number = self.word, self.words[self.at + 1]
        if op not in COMPARISONS or not number.isdigit() or len(number) > 9:
            raise self.fail("a comparison with a number after `count(...)`")
        self.at += 2
        return Chain(start, self.at, Level.COUNT, [op, number], parts)

    def bracketed(self) -> Node:
        """``( ... )``"""
        start = self.at
        self.at += 1
        node = self.expression()
        if self.word != ")":
            opened = self.source.span(start, start + 1)
            line = self.report.source.position(opened.start).line
            mistake = self.fail(
                "an operator or `)`",
                label=f"the bracket was opened in line {line}",
                related=(Related(opened, "the bracket was opened here"),),
            )
            mistake.parts.append(node)
            raise mistake
        self.at += 1
        return node
