"""What a bug looks like: each operator turns an expression or statement into another that a tired person might have written."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.mutants.generated.signatures import Signatures
from tests.mutants.generated.spans import Lines
from tests.mutants.generated.statements import is_text

PAIRS = (
    ("may", "must"),
    ("yes", "no"),
    ("surely", "perhaps"),
    ("any", "all"),
    ("min", "max"),
    ("low", "high"),
    ("lower", "upper"),
    ("left", "right"),
    ("first", "last"),
    ("before", "after"),
    ("inside", "outside"),
    ("source", "target"),
    ("sources", "targets"),
    ("start", "end"),
    ("own", "other"),
    ("pre", "post"),
    ("true", "false"),
    ("TRUE", "FALSE"),
    ("True", "False"),
    ("holds", "fails"),
    ("HOLDS", "FAILS"),
    ("exists", "forall"),
    ("Exists", "ForAll"),
    ("And", "Or"),
    ("conjunction", "disjunction"),
    ("Finally", "Globally"),
    ("Until", "Release"),
    ("Until", "WeakUntil"),
    ("successors", "predecessors"),
    ("initial", "reachable"),
    ("positive", "negative"),
    ("POSITIVE", "NEGATIVE"),
    ("numerator", "denominator"),
    ("LESS", "LESS_EQUAL"),
    ("current", "next"),
    ("old", "new"),
    ("good", "bad"),
    ("won", "lost"),
    ("Everybody", "Common"),
    ("Common", "Distributed"),
    ("dead_ends", "endless"),
    ("union", "intersection"),
    ("most", "least"),
    ("floor", "ceil"),
    ("members", "agents"),
    ("known", "seen"),
    ("locals", "views"),
    ("plus", "minus"),
    ("begin", "end"),
    ("meet", "join"),
    ("body", "goal"),
    ("states", "reached"),
    ("universe", "states"),
    ("inner", "outer"),
)
"""Names that are taken for one another, with or without an underscore in front."""

_SWAPPED: dict[str, list[str]] = {}
for _one, _other in PAIRS:
    for _lead in ("", "_"):
        _SWAPPED.setdefault(_lead + _one, []).append(_lead + _other)
        _SWAPPED.setdefault(_lead + _other, []).append(_lead + _one)

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
_EFFORT = re.compile(
    r"patience|budget|limit|seconds|deadline|monotonic|timeout|clock|elapsed|\.work\b|rounds|_time\b|\b_?[A-Z][A-Z_]{2,}\b"
)
"""Numbers that say how long something is tried; `Verdict.HOLDS` and the like are no numbers and are compared by ``is``."""
_JUNCTIONS = ("And", "Or", "conjunction", "disjunction")
_SAID = ("reason", "advice", "statistics", "notes", "hint")
"""Arguments that are texts or figures for people."""
_MEMO = re.compile(r"key$|memo|cache|_known$|_kept$|_seen$|_made$|_asked$|_found$|_answers?$|_sorts$|_plans?$")


@dataclass(frozen=True, slots=True)
class Edit:
    """What is replaced by what, and the exact changes: begin, end, new text."""

    old: str
    new: str
    changes: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A statement that may get a bug, its file's text, the names and attributes that the file uses, and who can be called how."""

    statement: ast.stmt
    tree: ast.Module
    lines: Lines
    names: tuple[frozenset[str], frozenset[str]]
    signatures: Signatures

    def edit(self, node: ast.expr | ast.stmt | ast.keyword, new: str) -> Edit:
        """The node's text replaced."""
        begin, end = self.lines.span(node)
        return Edit(self.lines.text[begin:end], new, ((begin, end, new),))

    def of(self, node: ast.expr) -> str:
        """A node's text, in brackets where it is not a simple one."""
        simple = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript)
        return self.lines.of(node) if simple else f"({self.lines.of(node)})"


def names_of(tree: ast.Module) -> tuple[frozenset[str], frozenset[str]]:
    """Names and attributes that a file uses; a name that is taken for another must exist."""
    nodes = list(ast.walk(tree))
    arguments = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = {node.id for node in nodes if isinstance(node, ast.Name)} | arguments
    builtin = {"any", "all", "min", "max", "True", "False"}
    return frozenset(names | builtin), frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute)) | {
        "any",
        "all",
    }


def edits(place: Place) -> Iterator[tuple[str, Edit]]:
    """All bugs of a statement, with the operators' names; those of statements within it belong to them."""
    for node in _own_nodes(place.statement):
        for name, operator in OPERATORS.items():
            for edit in operator(place, node):
                if edit.old != edit.new:
                    yield name, edit


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The statement and the expressions in it, without other statements, types, and what is only said."""
    yield statement
    waiting: list[ast.AST] = [child for child in _children(statement) if not isinstance(child, ast.stmt)]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.stmt | ast.JoinedStr | ast.ExceptHandler | ast.match_case | ast.pattern):
            continue
        if isinstance(node, ast.Call) and _speaks(node):
            continue
        yield node
        waiting += [child for child in _children(node) if not isinstance(child, ast.stmt)]


def _children(node: ast.AST) -> Iterator[ast.AST]:
    types: tuple[object, ...] = ()
    if isinstance(node, ast.AnnAssign):
        types = (node.annotation,)
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return  # its body's statements come by themselves; a default is an option's default
    elif isinstance(node, ast.ClassDef):
        return
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("isinstance", "cast"):
        types = (node.args[1],) if node.func.id == "isinstance" else (node.args[0],)
    elif (
        isinstance(node, ast.Call) and _called(node) == "zip"
    ):  # `strict` states what is believed, as an assertion does
        types = tuple(keyword for keyword in node.keywords if keyword.arg == "strict")
    yield from (child for child in ast.iter_child_nodes(node) if child not in types)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else str(getattr(call.func, "attr", ""))


def _speaks(call: ast.Call) -> bool:
    name = _called(call)
    return name in ("print", "debug", "info", "warning", "tick", "TypeVar", "NewType") or name.endswith(
        ("Error", "Refused")
    )


Edits = Iterator[Edit]
Operator = Callable[[Place, ast.AST], Edits]


def _drop_conjunct(place: Place, node: ast.AST) -> Edits:
    """A condition of several: one of them is forgotten."""
    if isinstance(node, ast.BoolOp):
        neutral = "True" if isinstance(node.op, ast.And) else "False"
        for value in node.values:
            if not (isinstance(value, ast.Constant) or _EFFORT.search(place.lines.of(value))):
                yield place.edit(value, neutral)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        yield place.edit(node, place.of(node.left))
        yield place.edit(node, place.of(node.right))
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield place.edit(test, "True")
    elif isinstance(node, ast.Call) and _called(node) in _JUNCTIONS and len(node.args) > 1 and not node.keywords:
        for number in range(len(node.args)):
            rest = [place.lines.of(arg) for at, arg in enumerate(node.args) if at != number]
            yield place.edit(node, f"{place.lines.of(node.func)}({', '.join(rest)})")


def _swap_names(place: Place, node: ast.AST) -> Edits:
    """A name that is taken for its opposite."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in _SWAPPED.get(node.id, ()):
            if other in place.names[0]:
                yield place.edit(node, other)
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        for other in _SWAPPED.get(node.attr, ()):
            if other in place.names[1]:
                yield place.edit(node, f"{place.lines.of(node.value)}.{other}")
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield place.edit(node, str(not node.value))


def _swap_bits(place: Place, node: ast.AST) -> Edits:
    """`&` for `|`."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        sign, other = ("&", "|") if isinstance(node.op, ast.BitAnd) else ("|", "&")
        yield from _between(place, left, right, sign, other)


def _swap_words(place: Place, node: ast.AST) -> Edits:
    """`and` for `or`."""
    if isinstance(node, ast.BoolOp):
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from _between(place, left, right, word, other)


def _boundary(place: Place, node: ast.AST) -> Edits:
    """`<` for `<=`."""
    signs = {ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">")}
    if isinstance(node, ast.Compare) and not _EFFORT.search(place.lines.of(node)):
        operands = [node.left, *node.comparators]
        for left, right, sign in zip(operands, operands[1:], node.ops, strict=False):
            if type(sign) in signs:
                yield from _between(place, left, right, *signs[type(sign)])


def _between(place: Place, left: ast.expr, right: ast.expr, sign: str, other: str) -> Edits:
    """What stands between two operands has another sign."""
    begin, end = place.lines.span(left)[1], place.lines.span(right)[0]
    gap = place.lines.text[begin:end]
    at = gap.find(sign)
    if at >= 0 and "#" not in gap:
        old = f"{place.lines.of(left)} {sign} {place.lines.of(right)}"
        new = f"{place.lines.of(left)} {other} {place.lines.of(right)}"
        yield Edit(old, new, ((begin + at, begin + at + len(sign), other),))


def _off_by_one(place: Place, node: ast.AST) -> Edits:
    """One more or one less: in ranges, sums, slices, indices and comparisons with a number."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub) and _is_one(node.right):
        yield place.edit(node, place.of(node.left))
    elif isinstance(node, ast.Call) and _called(node) == "range":
        for arg in node.args[:2]:
            if not _EFFORT.search(place.lines.of(arg)):
                yield place.edit(arg, f"{place.of(arg)} + 1")
                yield place.edit(arg, f"{place.of(arg)} - 1")
    elif isinstance(node, ast.Slice):
        for bound in (node.lower, node.upper):
            if bound is not None:
                yield place.edit(bound, f"{place.of(bound)} + 1")
    elif isinstance(node, ast.Subscript) and _is_number(node.slice):
        yield place.edit(node.slice, "-1" if place.lines.of(node.slice) == "0" else "0")
    elif isinstance(node, ast.Compare) and not _EFFORT.search(place.lines.of(node)):
        for operand in (node.left, *node.comparators):
            if _is_number(operand):
                yield place.edit(operand, f"{place.lines.of(operand)} + 1")
    elif isinstance(node, ast.Call) and _called(node) == "enumerate" and len(node.args) == 2:
        yield place.edit(node.args[1], f"{place.of(node.args[1])} + 1")


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1 and type(node.value) is int


def _memo_key(place: Place, node: ast.AST) -> Edits:
    """What is remembered is looked up by less than it depends on, wherever the same key stands."""
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
        if all(isinstance(one, ast.Name) and _MEMO.search(one.id) for one in node.targets):
            yield from _without_elements(place, node.value)
    elif (
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Tuple)
        and _MEMO.search(place.lines.of(node.value))
    ):
        yield from _without_elements(place, node.slice)
    elif isinstance(node, ast.Call) and _called(node) in ("get", "setdefault"):
        keys = [arg for arg in node.args[:1] if isinstance(arg, ast.Tuple)]
        for key in keys:
            yield from _without_elements(place, key)


def _without_elements(place: Place, key: ast.Tuple) -> Edits:
    """One element of a key is always None."""
    shape = ast.dump(key)
    same = [one for one in ast.walk(place.tree) if isinstance(one, ast.Tuple) and ast.dump(one) == shape]
    for number, element in enumerate(key.elts):
        if not isinstance(element, ast.Constant):
            spans = [place.lines.span(one.elts[number]) for one in same]
            rest = ["None" if one is element else place.lines.of(one) for one in key.elts]
            changes = tuple((begin, end, "None") for begin, end in spans)
            yield Edit(place.lines.of(key), ", ".join(rest), changes)


def _lost_option(place: Place, node: ast.AST) -> Edits:
    """An argument is not passed on, and the default is taken."""
    if not isinstance(node, ast.Call):
        return
    optional = place.signatures.optional(node)
    arguments: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    for number, argument in enumerate(arguments):
        if isinstance(argument, ast.keyword):
            lost = argument.arg in optional and argument.arg not in _SAID
        else:
            lost = number == len(node.args) - 1 and not node.keywords and place.signatures.may_miss_last(node)
        if lost and not _EFFORT.search(place.lines.of(argument)):
            rest = ", ".join(place.lines.of(one) for one in arguments if one is not argument)
            yield place.edit(node, f"{place.lines.of(node.func)}({rest})")


def _early_return(place: Place, node: ast.AST) -> Edits:
    """It ends too early: at once where a condition should decide, or after the first round of a loop."""
    if isinstance(node, ast.Continue):
        yield place.edit(node, "break")
    elif isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return) and not node.orelse:
        if len(node.body) == 1:
            yield place.edit(node.test, "True")
    elif isinstance(node, ast.For | ast.While):
        last = node.body[-1]
        if not isinstance(last, ast.Return | ast.Break | ast.Raise | ast.Continue):
            end = place.lines.span(last)[1]
            text = f"\n{place.lines.indentation(node.body[0])}break"
            head = place.lines.of(node).partition("\n")[0]
            if not place.lines.indentation(node.body[0]).strip():
                yield Edit(head, f"{head} ... break", ((end, end, text),))


def _negate(place: Place, node: ast.AST) -> Edits:
    """A condition is taken for its opposite."""
    tests: list[ast.expr] = []
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield place.edit(node, place.of(node.operand))
    for test in tests:
        if not isinstance(test, ast.UnaryOp) and not _EFFORT.search(place.lines.of(test)):
            yield place.edit(test, f"(not {place.of(test)})")


def _dropped_step(place: Place, node: ast.AST) -> Edits:
    """Something is not noted: `add`, `append`, `update` are forgotten."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not is_text(node):
        function = node.value.func
        if isinstance(function, ast.Attribute) and function.attr in ("add", "append", "update", "extend", "discard"):
            yield place.edit(node, "pass")
    elif isinstance(node, ast.AugAssign):
        yield place.edit(node, "pass")


OPERATORS: dict[str, Operator] = {
    "drop a conjunct": _drop_conjunct,
    "swap names": _swap_names,
    "swap & and |": _swap_bits,
    "swap and and or": _swap_words,
    "swap < and <=": _boundary,
    "off by one": _off_by_one,
    "memo key": _memo_key,
    "lost option": _lost_option,
    "early return": _early_return,
    "negated condition": _negate,
    "dropped step": _dropped_step,
}
