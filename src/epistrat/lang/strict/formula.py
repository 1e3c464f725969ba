"""The formulae that MCMAS 1.3.0 reads: three kinds that do not mix, over propositions and named groups only.

The kinds are those of its grammar: F without marker, L under ``LTL``, S (states) and P (paths) under ``CTL*``.
"""

from __future__ import annotations

from epistrat.lang.lexer import Words
from epistrat.lang.names import Names
from epistrat.lang.syntax import (
    Announcement,
    Binding,
    Chain,
    Epistemic,
    Equilibrium,
    Leaf,
    Level,
    Marked,
    Node,
    Plain,
    Prefix,
    Quantified,
    Strategic,
    Who,
)
from epistrat.lang.vocabulary import OF_AGENT, QUANTIFIED

_LANGUAGE = {"F": "a formula without marker", "L": "LTL", "S": "CTL*", "P": "CTL*"}


class StrictFormulae:
    """Looks for extensions in formulae."""

    def __init__(self, words: Words, names: Names) -> None:
        self.source = words
        self.words = words.list
        self.names = names

    def refuse(self, message: str, start: int, end: int) -> None:
        """Reports an extension."""
        self.source.error("E050", message, start, end)

    def formula(self, marked: Marked) -> None:
        """Reports every extension that the formula uses."""
        if marked.tag:
            self.refuse(f"MCMAS has no `{marked.tag}`", marked.start, marked.start + 1)
            return
        stack = [(marked.body, {"": "F", "LTL": "L", "CTL*": "S"}[marked.marker])]
        while stack:
            node, kind = stack.pop()
            stack.extend(self._parts(node, kind))

    def _parts(self, node: Node, kind: str) -> list[tuple[Node, str]]:
        """Judges one node; its operands with the kinds they must have."""
        if isinstance(node, (Leaf, Plain)):
            self._atom(node)
            return []
        if isinstance(node, Chain):
            return self._chain(node, kind)
        if isinstance(node, Prefix):
            return self._prefix(node, kind)
        if isinstance(node, Epistemic):
            return self._epistemic(node, kind)
        if isinstance(node, (Quantified, Binding)):
            self.refuse("MCMAS has no names for strategies", node.start, node.end)
            return []
        if isinstance(node, Announcement):
            self.refuse("MCMAS has no announcements", node.start, node.end)
            return []
        if isinstance(node, Equilibrium):
            self.refuse(f"MCMAS has no `{node.op}`", node.start, node.end)
            return []
        return self._strategic(node, kind)

    def _atom(self, node: Leaf | Plain) -> None:
        if isinstance(node, Leaf):
            if self.words[node.start] in ("true", "false"):
                self.refuse("MCMAS has no constants in formulae", node.start, node.end)
                return
            if node.end - node.start == 1 or self.words[node.end - 1] in ("RedStates", "GreenStates"):
                return
        self._no_test(node)

    def _no_test(self, node: Node) -> None:
        self.refuse("MCMAS has no conditions in formulae: define a proposition in Evaluation", node.start, node.end)

    def _chain(self, node: Chain, kind: str) -> list[tuple[Node, str]]:
        if node.level >= Level.COMPARE:
            self._no_test(node)
            return []
        if node.level in (Level.IFF, Level.XOR):
            self.refuse(f"MCMAS has no `{node.ops[0]}`", node.start, node.end)
        if node.level == Level.UNTIL:
            self._between(node)
            if kind in ("F", "S"):
                self.refuse(f"`{node.ops[0]}` cannot stand here in {_LANGUAGE[kind]} of MCMAS", node.start, node.end)
        return [(part, kind) for part in node.parts]

    def _between(self, node: Chain) -> None:
        for op in node.ops:
            if op != "U":
                self.refuse(f"MCMAS has no operator `{op}`", node.start, node.end)

    def _prefix(self, node: Prefix, kind: str) -> list[tuple[Node, str]]:
        op = node.op
        if op == "~":
            self._no_test(node)
            return []
        if op == "!":
            return [(node.arg, kind)]
        if op in ("Y", "Once", "Hist"):
            self.refuse(f"MCMAS has no operator `{op}`", node.start, node.end)
            return [(node.arg, kind)]
        if op in QUANTIFIED and kind != "F":
            self.refuse(f"`{op}` is not part of {_LANGUAGE[kind]} in MCMAS", node.start, node.end)
        if op in ("X", "F", "G") and kind in ("F", "S"):
            self.refuse(f"`{op}` cannot stand here in {_LANGUAGE[kind]} of MCMAS", node.start, node.end)
        if op in ("A", "E"):
            return self._quantifier(node, kind)
        return [(node.arg, kind)]

    def _quantifier(self, node: Prefix, kind: str) -> list[tuple[Node, str]]:
        if kind == "L":
            self.refuse(f"`{node.op}` is not part of LTL", node.start, node.end)
            return []
        if kind != "F":
            return [(node.arg, "P")]
        arg = node.arg
        if isinstance(arg, Chain) and arg.level == Level.UNTIL and len(arg.parts) == 2:
            self._between(arg)
            return [(part, "F") for part in arg.parts]
        self.refuse(f"without the marker CTL* MCMAS reads only `{node.op}( f U g )`", node.start, node.end)
        return []

    def _epistemic(self, node: Epistemic, kind: str) -> list[tuple[Node, str]]:
        if node.op == "KW":
            self.refuse("MCMAS has no `KW`: write `K(a, f) or K(a, !f)`", node.start, node.end)
        if node.reading is not None:
            self.refuse("MCMAS knows one reading of knowledge: by what agents see now", node.start, node.end)
        if node.op == "O" and kind != "F":
            self.refuse(f"`O` is not part of {_LANGUAGE[kind]}", node.start, node.end)
        if node.op not in OF_AGENT:
            self._group(node.who)
        return [(node.arg, "S" if kind == "P" else kind)]

    def _strategic(self, node: Strategic, kind: str) -> list[tuple[Node, str]]:
        if kind != "F":
            self.refuse(f"strategies are not part of {_LANGUAGE[kind]}", node.start, node.end)
        self._group(node.who)
        arg = node.arg
        if isinstance(arg, Prefix) and arg.op in ("X", "F", "G"):
            return [(arg.arg, kind)]
        if isinstance(arg, Chain) and arg.level == Level.UNTIL and len(arg.parts) == 2:
            self._between(arg)
            return [(part, kind) for part in arg.parts]
        self.refuse("a coalition of MCMAS enforces X, F, G or U", arg.start, arg.end)
        return []

    def _group(self, who: Who) -> None:
        if who.listed or self.words[who.names[0]] not in self.names.groups:
            self.refuse("MCMAS needs the name of a group from Groups here", who.start, who.end)
