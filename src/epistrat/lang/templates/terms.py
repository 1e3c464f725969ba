"""Terms of a template: the nodes of the parser, with those of bodies that it saw as one word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from epistrat.lang import syntax
from epistrat.lang.cursor import Mistake
from epistrat.lang.families.counting import Counted
from epistrat.lang.families.pieces import Defined, Definition, Member, Piece, Repeat, Value
from epistrat.lang.lexer import Words
from epistrat.lang.parse.expr import ExpressionParser
from epistrat.lang.parse.formula import FormulaParser
from epistrat.lang.syntax import Level
from epistrat.lang.templates import tree
from epistrat.lang.templates.holes import Hole, Laid, NotATree
from epistrat.lang.templates.index import Index, number
from epistrat.lang.templates.put import put
from epistrat.lang.vocabulary import FORMULA_INFIX
from epistrat.source import Span

if TYPE_CHECKING:
    from epistrat.lang.templates.reading import Indices

_KINDS = {"and": "forall", "or": "exists", "+": "sum"}
_FLAT = (Level.AND, Level.OR)


class TermReader:
    """Reads terms out of the words laid down for them."""

    def __init__(self, base: Words, indices: Indices, ends: Mapping[int, int]) -> None:
        self._base, self._indices, self._ends = base, indices, ends
        self._bodies: dict[Definition, tree.Term] = {}

    # words

    def name(self, word: str) -> tree.Name:
        """A word as a name with indices."""
        if not isinstance(word, Hole):
            return tree.Name(word)
        if not isinstance(word.piece, Member):
            raise NotATree("a name that depends on indices in another way", getattr(word.piece, "at", 0))
        return tree.Name(word.piece.name, tuple([self._indices.index(one) for one in word.piece.indices]))

    def bound(self, word: str) -> Index:
        """A word as a number."""
        if isinstance(word, Hole):
            assert isinstance(word.piece, Value)
            return self._indices.index(word.piece.constant)
        return number(int(word))

    def listed(self, laid: Laid, at: int) -> tree.Listed:
        """A word in a list."""
        word, scope = laid.list[at], None
        place = laid.span(at, at + 1)
        if isinstance(word, Hole) and word.ranges:
            if len(word.ranges) > 1:
                raise NotATree("a list in a list", laid.origin[at])
            scope = self._indices.scope(word.ranges[0], 0)
        return tree.Listed(self.name(word), scope, place)

    # terms

    def term(self, node: syntax.Node, laid: Laid, marked: syntax.Marked | None) -> tree.Term:
        """The term of a node; ``marked`` is the formula that it is in."""
        at = laid.span(node.start, node.end)
        match node:
            case syntax.Plain(start=start, end=end, op=op):
                left, right = syntax.Leaf(start, op), syntax.Leaf(op + 1, end)
                return tree.Op(laid.list[op], (self._leaf(left, laid, marked), self._leaf(right, laid, marked)), at)
            case syntax.Leaf():
                return self._leaf(node, laid, marked)
            case syntax.Chain(level=level):
                return self._chain(node, level, [self.term(part, laid, marked) for part in node.parts], laid)
            case syntax.Prefix(op=op, arg=arg):
                return tree.Prefixed(op, self.term(arg, laid, marked), at)
            case syntax.Epistemic(op=op, who=who, arg=arg, reading=reading):
                read = "" if reading is None else laid.list[reading]
                return tree.Knows(op, self._whom(who, laid), self.term(arg, laid, marked), read, at)
            case syntax.Strategic(who=who, arg=arg):
                return tree.Enforces(self._whom(who, laid), self.term(arg, laid, marked), at)
            case _:
                what = "an announcement" if isinstance(node, syntax.Announcement) else "strategies with names"
                return tree.Unread(what, at)

    def _whom(self, who: syntax.Who, laid: Laid) -> tree.Whom:
        return tree.Whom(tuple([self.listed(laid, at) for at in who.names]), who.listed)

    def _chain(self, node: syntax.Chain, level: int, args: list[tree.Term], laid: Laid) -> tree.Term:
        at = laid.span(node.start, node.end)
        if level == Level.COUNT:
            raise NotATree("a count without members", laid.origin[node.start])
        if level in _FLAT:
            return tree.Op("and" if level == Level.AND else "or", tuple(args), at)
        if level in (Level.IMPLIES, Level.GOAL):
            result = args[-1]
            for op, arg in zip(reversed(node.ops), reversed(args[:-1]), strict=True):
                result = tree.Op(op, (arg, result), at)
            return result
        result = args[0]
        for op, arg in zip(node.ops, args[1:], strict=True):
            result = tree.Op(op, (result, arg), at)
        return result

    def _leaf(self, leaf: syntax.Leaf, laid: Laid, marked: syntax.Marked | None) -> tree.Term:
        words, at = laid.list, laid.span(leaf.start, leaf.end)
        first = words[leaf.start]
        if leaf.end - leaf.start == 3:
            return tree.Ref(self.name(first), self.name(words[leaf.end - 1]), at)
        if leaf.end - leaf.start == 2:
            value = words[leaf.start + 1]
            if "." in value:
                return tree.Literal(f"-{value}", at)
            return tree.Number(Index("negative", (self.bound(value),)).put({}), at)
        if isinstance(first, Hole):
            return self._hole(first, laid, at, marked)
        if first in ("true", "false") or "." in first:
            return tree.Literal(first, at)
        return tree.Number(number(int(first)), at) if first.isdigit() else tree.Ref(None, tree.Name(first), at)

    def _hole(self, hole: Hole, laid: Laid, at: Span, marked: syntax.Marked | None) -> tree.Term:
        match hole.piece:
            case Value(constant=constant, truth=truth):
                index = self._indices.index(constant)
                return tree.Compared(index, at) if truth else tree.Number(index, at)
            case Member():
                return tree.Ref(None, self.name(hole), at)
            case Counted(members=members, op=op, number=bound):
                body = self._body(members.body, marked)
                scope = self._indices.scope(members.range, 0)
                return tree.Each("count", scope, body, op, self._indices.index(bound), True, at)
            case Repeat(range=scope, body=pieces, joint=joint, brackets=brackets):
                body = self._body(pieces, marked)
                return tree.Each(_KINDS[joint], self._indices.scope(scope, 0), body, brackets=brackets, at=at)
            case Defined(definition=definition, indices=indices):
                return self._defined(definition, [self._indices.index(one) for one in indices])
            case _:
                raise NotATree("this part", 0)

    def _defined(self, definition: Definition, indices: list[Index]) -> tree.Term:
        """The condition that the definition stands for, at these indices."""
        if definition not in self._bodies:
            self._bodies[definition] = self._body(definition.body, None)
        names = [binder.name for binder in definition.range.binders]
        values: Mapping[str, Index] = dict(zip(names, indices, strict=True))
        return put(self._bodies[definition], values)

    def _body(self, pieces: list[Piece], marked: syntax.Marked | None) -> tree.Term:
        """What stands behind a range, as a term of the same kind as that around it."""
        laid = Laid(self._base, pieces, self._ends)
        parser: ExpressionParser = ExpressionParser(laid.words)
        if marked is not None:
            parser = FormulaParser(laid.words)
            parser.infix, parser.marker, parser.named = FORMULA_INFIX, marked.marker, False
        try:
            node = parser.expression()
        except Mistake:
            raise NotATree("a repeated part that cannot be read alone", laid.origin[0]) from None
        if parser.word:
            raise NotATree("a repeated part that cannot be read alone", laid.origin[parser.at])
        return self.term(node, laid, marked)
