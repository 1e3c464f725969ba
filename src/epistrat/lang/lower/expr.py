"""Conditions and arithmetic, from syntax to typed expressions; names and types are checked on the way.

A mistake is reported once however often the same words are repeated, and makes the whole expression None.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from epistrat.lang.cursor import DEEPEST
from epistrat.lang.scope import Scope
from epistrat.lang.syntax import Chain, Leaf, Level, Node, Plain, Prefix
from epistrat.lang.types import comparison, kind, sort_name
from epistrat.source import Report
from epistrat.terms import Const, Expr, Sort, Var

# A sum or parity longer than this is built as a balanced tree, so that its height stays small.
LONGEST_LINE = 48
# Longer numbers have no use, and reading them takes quadratic time.
MOST_DIGITS = 1000


class Lowering:
    """Turns the expressions of one scope into terms."""

    def __init__(self, scope: Scope, *, equal_sets: bool = False) -> None:
        self.scope = scope
        self.terms = scope.terms
        self.words = scope.words
        self.report: Report = scope.report
        self.equal_sets = equal_sets
        self._plain: dict[tuple[str, ...], Expr | None] = {}

    def condition(self, node: Node, depth: int = 0) -> Expr | None:
        """An expression that must be Boolean."""
        expr = self.value(node, depth)
        if expr is None or expr.sort is Sort.BOOLEAN:
            return expr
        return self._wrong(expr, node, "E027", "a condition is needed here")

    def _wrong(self, expr: Expr, node: Node, code: str, words: str) -> Expr | None:
        """Reports that an expression has another sort than is needed; nothing is left of it."""
        if isinstance(expr, Const) and expr.sort is Sort.NAME and isinstance(node, Leaf):
            self.scope.unknown_value(str(expr.value), node)
        else:
            self.scope.error(code, f"{words}, but {kind(expr)} is {sort_name(expr.sort)}", node)
        return None

    def value(self, node: Node, depth: int = 0) -> Expr | None:
        """An expression of any sort."""
        if isinstance(node, Plain):
            key = tuple(self.words[node.start : node.end])
            if key in self._plain:
                return self._plain[key]
            left, right = Leaf(node.start, node.op), Leaf(node.op + 1, node.end)
            expr = self._plain[key] = self._compare(self.words[node.op], left, right, node, depth)
            return expr
        if isinstance(node, Leaf):
            return self._leaf(node)
        if self.too_deep(depth, node):
            return None
        if isinstance(node, Chain):
            return self._chain(node, depth)
        assert isinstance(node, Prefix)  # the parser lets no formula into a condition
        arg = self._boolean(node.arg, node.op, depth + 1)
        return None if arg is None else self.terms.negate(arg)

    def too_deep(self, depth: int, node: Node) -> bool:
        """Whether a tree of this height is too high; reported if so."""
        if depth <= DEEPEST:
            return False
        self.scope.error("E003", f"more than {DEEPEST} operators stand inside each other here", node)
        return True

    def _leaf(self, leaf: Leaf) -> Expr | None:
        first = self.words[leaf.start]
        length = leaf.end - leaf.start
        if length == 3:
            name = self.words[leaf.start + 2]
            if name == "Action":
                self.scope.error("E032", "an action is tested by `Action = name`", leaf)
                return None
            return self.scope.prefixed(first, name, leaf)
        if first == "true" or first == "false":
            return self.terms.boolean(first == "true")
        if first == "Action":
            self.scope.error("E032", "an action is tested by `Action = name`", leaf)
            return None
        if length == 2 or first[0].isdigit():
            return self._number("".join(self.words[leaf.start : leaf.end]), leaf)
        return self.scope.bare(first, leaf)

    def _number(self, digits: str, leaf: Leaf) -> Expr | None:
        if len(digits) > MOST_DIGITS:
            self.scope.error("E022", f"a number has at most {MOST_DIGITS} digits", leaf)
            return None
        return self.terms.number(Fraction(digits) if "." in digits else int(digits))

    def _chain(self, chain: Chain, depth: int) -> Expr | None:
        level = chain.level
        if level == Level.AND or level == Level.OR or level == Level.BIT_AND:
            args = self._all(chain, depth + 1)
            if args is None:
                return None
            return self.terms.disjunction(args) if level == Level.OR else self.terms.conjunction(args)
        if level == Level.COUNT:
            args = self._all(chain, depth + 1)
            return None if args is None else self.terms.counted(args, chain.ops[0], int(chain.ops[1]))
        if level == Level.COMPARE:
            if len(chain.parts) > 2:
                self.scope.error("E024", "comparisons do not chain: join two of them by `and`", chain)
                return None
            return self._compare(chain.ops[0], chain.parts[0], chain.parts[1], chain, depth + 1)
        if level >= Level.SUM:
            return self._arithmetic(chain, depth)
        return self._connect(chain, depth)

    def _all(self, chain: Chain, depth: int) -> list[Expr] | None:
        """All operands, which must be Boolean."""
        plain, words = self._plain, self.words
        found: list[Expr] = []
        good = True
        for part in chain.parts:
            expr = plain.get(tuple(words[part.start : part.end])) if type(part) is Plain else None
            if expr is None:
                expr = self._boolean(part, chain.ops[0], depth)
            if expr is None:
                good = False
            else:
                found.append(expr)
        return found if good else None

    def _boolean(self, node: Node, op: str, depth: int) -> Expr | None:
        expr = self.value(node, depth)
        if expr is None or expr.sort is Sort.BOOLEAN:
            return expr
        return self._wrong(expr, node, "E020", f"`{op}` is for truth values")

    def _connect(self, chain: Chain, depth: int) -> Expr | None:
        """``<-> -> xor | ^``: Boolean operators that are built pair by pair (runs of ``|`` at once)."""
        if chain.level == Level.BIT_OR and "^" not in chain.ops:
            args = self._all(chain, depth + 1)
            return None if args is None else self.terms.disjunction(args)
        long = len(chain.parts) > LONGEST_LINE and set(chain.ops) in ({"xor"}, {"^"})
        inner = depth + (len(chain.parts).bit_length() + 1 if long else len(chain.parts))
        args = None if self.too_deep(inner, chain) else self._all(chain, inner)
        if args is None:
            return None
        terms = self.terms
        if long:
            return _balanced(terms.exclusive, args)
        if chain.level == Level.IMPLIES:
            result = args[-1]
            for arg in reversed(args[:-1]):
                result = terms.disjunction([terms.negate(arg), result])
            return result
        result = args[0]
        for op, arg in zip(chain.ops, args[1:], strict=True):
            if op == "|":
                result = terms.disjunction([result, arg])
            else:
                result = terms.exclusive(result, arg)
                if op == "<->":
                    result = terms.negate(result)
        return result

    def _arithmetic(self, chain: Chain, depth: int) -> Expr | None:
        long = len(chain.parts) > LONGEST_LINE and "/" not in chain.ops
        inner = depth + (len(chain.parts).bit_length() + 1 if long else len(chain.parts))
        if self.too_deep(inner, chain):
            return None
        args: list[Expr] = []
        for part in chain.parts:
            expr = self.value(part, inner)
            if expr is None:
                return None
            if expr.sort is not Sort.NUMBER:
                return self._wrong(expr, part, "E020", f"`{chain.ops[0]}` is for numbers")
            args.append(expr)
        if not long:
            return self._fold(chain.ops, args)
        if chain.level == Level.PRODUCT:
            return _balanced(partial(self.terms.arith, "*"), args)
        plus = [arg for op, arg in zip(["+", *chain.ops], args, strict=True) if op == "+"]
        minus = [arg for op, arg in zip(["+", *chain.ops], args, strict=True) if op == "-"]
        add = partial(self.terms.arith, "+")
        total = _balanced(add, plus)
        return self.terms.arith("-", total, _balanced(add, minus)) if minus else total

    def _fold(self, ops: list[str], args: list[Expr]) -> Expr:
        """From left to right; a quotient of two literals is itself a literal."""
        result = args[0]
        for op, arg in zip(ops, args[1:], strict=True):
            if op == "/" and isinstance(result, Const) and isinstance(arg, Const) and arg.value != 0:
                result = self.terms.number(Fraction(result.value) / Fraction(arg.value))
            else:
                result = self.terms.arith(op, result, arg)
        return result

    def _compare(self, op: str, left: Node, right: Node, whole: Node, depth: int) -> Expr | None:
        if isinstance(left, Leaf) and self.words[left.end - 1] == "Action":
            return self._action(op, left, right, whole)
        one, other = self.value(left, depth), self.value(right, depth)
        if one is None or other is None:
            return None
        if self._strangers(one, left, other, right):
            return None
        literal = isinstance(left, Leaf) and isinstance(right, Leaf)
        problem = comparison(op, one, other, self.scope.domain, literal=literal, equal_sets=self.equal_sets)
        if problem is not None:
            code, message, label, meant = problem
            at = right if isinstance(other, Const) or not isinstance(one, Const) else left
            place = at if isinstance(at, Leaf) else whole
            about = [side for side in (one, other) if isinstance(side, Var)]
            self.scope.error(code, message, place, label, meant, about)
            return None
        return self.terms.compare(op, one, other)

    def _strangers(self, one: Expr, left: Node, other: Expr, right: Node) -> bool:
        """Whether a bare name stands where no enumeration variable gives it a meaning; reported if so."""
        for expr, node, beside in ((one, left, other), (other, right, one)):
            if not (isinstance(expr, Const) and expr.sort is Sort.NAME and isinstance(node, Leaf)):
                continue
            if not isinstance(beside, Var):
                self.scope.unknown_value(str(expr.value), node)
                return True
        return False

    def _action(self, op: str, left: Leaf, right: Node, whole: Node) -> Expr | None:
        """A test of an action."""
        words = self.words
        if op != "=" or not isinstance(right, Leaf) or right.end - right.start != 1:
            message = "an action is tested by `Action = name`; for the opposite write `!(Action = name)`"
            self.scope.error("E032", message, whole)
            return None
        owner = words[left.start] if left.end - left.start == 3 else None
        return self.scope.action(owner, words[right.start], Leaf(left.start, right.end))


def _balanced(join: Callable[[Expr, Expr], Expr], args: list[Expr]) -> Expr:
    """Joins neighbours, and again, until one is left: exact sums and products, and parities, do not depend on the order."""
    while len(args) > 1:
        pairs = [join(args[i], args[i + 1]) for i in range(0, len(args) - 1, 2)]
        args = pairs + args[len(args) & ~1 :]
    return args[0]
