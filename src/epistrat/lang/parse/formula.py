"""Formulae: the operators of time, knowledge and strategies on top of conditions.

An operator letter is an operator only where an operand follows it; otherwise it is a name.

Note [until inside brackets].  CTL writes ``A( f U g )`` with whole formulae f and g, so there U binds weakest of all, while
in linear formulae it binds stronger than ``!``.  Without a marker both can stand behind ``A (``; it is read as CTL if
exactly one of ``U W R S`` and no bare path operator stands directly inside the brackets, else as linear.
"""

from __future__ import annotations

from epistrat.lang.cursor import Mistake
from epistrat.lang.parse.expr import Binder, ExpressionParser, Operator, Quantifier, Said, Waiting
from epistrat.lang.syntax import (
    Announcement,
    Assign,
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
from epistrat.lang.vocabulary import (
    BETWEEN,
    EPISTEMIC,
    EQUILIBRIA,
    FORMULA_INFIX,
    INFIX,
    NAME_OR_INFIX,
    NAMED_INFIX,
    NOT_OPERAND,
    OF_AGENT,
    PATH_PREFIX,
    PATH_WORDS,
    PREFIX,
    TAGS,
    is_read,
)


class FormulaParser(ExpressionParser):
    """Reads formulae."""

    infix = FORMULA_INFIX
    prefix = PREFIX | PATH_WORDS
    what = "a formula"
    marker = ""
    named = False
    _in_value = False

    def formula(self) -> Marked:
        """A formula as a whole, with its tag and its marker."""
        start = self.at
        tag = self.word if self.word in TAGS or self.word == "#iR" else ""
        self.at += tag != ""
        self.named = tag != "" or self._has_names()
        self.infix = NAMED_INFIX if self.named else FORMULA_INFIX
        self.marker = ""
        if self.word in ("LTL", "CTL*") and self.starts_operand(self.at + 1):
            self.marker = self.word
            self.at += 1
        body = self.expression()
        return Marked(start, self.at, self.marker, body, None, tag, self.named)

    def guard(self) -> Node:
        """A condition of a protocol that asks what the agent knows."""
        self.infix, self.marker, self.named = FORMULA_INFIX, "", False
        return self.expression()

    def _has_names(self) -> bool:
        """Whether a quantifier or a binding of strategies stands in the formula at hand."""
        at = self.at
        while self.words[at] not in ("", ";", "end"):
            if self._names_begin(at) and not (self.words[at] == "(" and self.words[at - 1] in (*EPISTEMIC, "count")):
                return True
            at += 1
        return False

    def _names_begin(self, at: int) -> bool:
        """Whether ``<<x``, ``[[x`` or ``(agent,`` stands here."""
        word, follows = self.words[at], self.words[at + 1]
        if word == "(":
            return self.words[at + 2] == "," and follows in self.owners
        return word in ("<", "[") and follows == word

    def starts_operand(self, at: int) -> bool:
        """Whether an operand can start at this word (so that the word before may be an operator)."""
        word = self.words[at]
        if word in NAME_OR_INFIX:  # of several such words in a row every other one is a name
            end = at + 1
            while self.words[end] in NAME_OR_INFIX:
                end += 1
            return ((end - at) % 2 == 1) == (self.words[end] in NOT_OPERAND)
        if word == "-":
            return self.words[at + 1][:1].isdigit()
        return word not in NOT_OPERAND

    def takes_prefix(self, waiting: list[Waiting]) -> bool:
        """Steps over an operator in front of its operand, if one is at hand."""
        at = self.at
        word = self.words[at]
        if word in PREFIX:
            return super().takes_prefix(waiting)
        self._in_value = bool(waiting) and waiting[-1][0] >= Level.COMPARE
        if self._in_value:  # no formula is a side of a comparison
            return False
        if word in PATH_WORDS:
            if not self.starts_operand(at + 1) or (word in ("A", "E") and self.words[at + 1] == "("):
                return False
            waiting.append((Level.PATH, word, at, True))
            self.at = at + 1
            return True
        if self._names_begin(at):
            self._naming(waiting)
            return True
        if word in ("[", "<") and self.words[at + 1] == "!":
            self._announcement(waiting)
            return True
        if word in ("<", "<>"):
            return self._coalition(waiting)
        return False

    def _naming(self, waiting: list[Waiting]) -> None:
        """``<<x>>``, ``[[x]]`` or ``(agent, x)`` in front of an operand."""
        start, word = self.at, self.word
        if word == "(":
            self.at += 1
            who = self._who("GK")
            self.expect(",", "the agent")
            variable = self.name("the name of a strategy")
            self.expect(")", "the strategy")
            waiting.append((Level.PATH, Binder(who, variable), start, True))
            return
        self.at += 2
        names = [self.name("the name of a strategy")]
        while self.accept(","):
            names.append(self.name("the name of a strategy"))
        closing = ">" if word == "<" else "]"
        for _ in "<<":
            self.expect(closing, "the name of the strategy")
        waiting.append((Level.PATH, Quantifier(word == "<", names), start, True))

    def _announcement(self, waiting: list[Waiting]) -> None:
        """``[! f]`` or ``<! f>`` in front of an operand; inside the latter ``>`` and ``>=`` stand in brackets only."""
        start, true = self.at, self.word == "<"
        self.at += 2
        table = {word: level for word, level in self.infix.items() if not (true and word in (">", ">="))}
        said = self.expression(infix=table)
        self.expect(">" if true else "]", "what is announced")
        waiting.append((Level.PATH, Said(said, true), start, True))

    def _coalition(self, waiting: list[Waiting]) -> bool:
        """``<who>X``, ``<who>F``, ``<who>G``, ``<who>!`` in front of an operand; not ``<who>( f U g )``."""
        start = self.at
        who = self.coalition()
        if self.word in PATH_PREFIX and self.starts_operand(self.at + 1):
            waiting.append((Level.PATH, (who, self.word, self.at), start, True))
            self.at += 1
            return True
        if self.word == "!":
            waiting.append((Level.PATH, (who, "", self.at), start, True))
            return True
        if self.word != "(":
            raise self.fail("X, F, G or `( f U g )` after the coalition", code="E036")
        self.at = start
        return False

    def check_values(self, parts: list[Node]) -> None:
        """No side of a comparison holds operators of time, knowledge or strategies."""
        stack: list[Node] = list(parts)
        while stack:
            node = stack.pop()
            if isinstance(node, Chain) and node.level not in (Level.UNTIL, Level.GOAL):
                stack.extend(node.parts)
            elif isinstance(node, Prefix) and node.op in PREFIX:
                stack.append(node.arg)
            elif not isinstance(node, (Leaf, Plain)):
                self.source.error("E002", "expected a value, found a formula", node.start, node.end)
                raise Mistake

    def prefixed(self, op: Operator, start: int, arg: Node) -> Node:
        """A prefix operator, or a coalition with its operator, and the operand."""
        if op == "~":
            self.check_values([arg])
        if isinstance(op, str):
            return Prefix(start, arg.end, op, arg)
        if isinstance(op, Quantifier):
            return Quantified(start, arg.end, op.some, op.names, arg)
        if isinstance(op, Binder):
            return Binding(start, arg.end, op.who, op.variable, arg)
        if isinstance(op, Said):
            return Announcement(start, arg.end, op.said, arg, op.true)
        who, letter, at = op
        return Strategic(start, arg.end, who, Prefix(at, arg.end, letter, arg) if letter else arg)

    def operand(self) -> Node:
        """An atom, something in brackets, or an operator with brackets of its own."""
        start, word = self.at, self.word
        follows = self.words[start + 1]
        if self._in_value:
            return super().operand()
        if follows == "." and self.words[start + 2] in ("RedStates", "GreenStates") and word in self.owners:
            self.at += 3
            if FORMULA_INFIX.get(self.word, 0) >= Level.COMPARE:
                raise self.fail("an operator for formulae")
            return Leaf(start, self.at)
        if word == "count" and follows == "(":
            return self.count()
        if word in EPISTEMIC and (follows == "(" or is_read(self.words, start)):
            return self._epistemic(word)
        if word in EQUILIBRIA and follows == "(":
            self.at += 1
            arg = self.bracketed()
            return Equilibrium(start, self.at, word, arg)
        if word in ("A", "E") and follows == "(":
            self.at += 1
            arg = self._path_in_brackets()
            return Prefix(start, self.at, word, arg)
        if word in ("<", "<>"):
            who = self.coalition()
            arg = self._path_in_brackets()
            return Strategic(start, self.at, who, arg)
        return super().operand()

    def _epistemic(self, op: str) -> Node:
        start = self.at
        reading = None if self.words[start + 1] == "(" else start + 2
        self.at += 2 if reading is None else 5
        who = self._who(op)
        parts: list[Node | Assign | Who] = [who]
        try:
            self.expect(",", "whom the operator is about")
            parts.append(arg := self.expression())
            self.expect(")", "the formula")
        except Mistake as mistake:
            mistake.parts[:0] = parts
            raise
        return Epistemic(start, self.at, op, who, arg, reading)

    def _who(self, op: str) -> Who:
        start = self.at
        if self.word == "{" and op not in OF_AGENT:
            names = self.names_in_braces("an agent", empty=True, environment=True)
            return Who(start, self.at, names, True)
        if self.word == "Environment":
            self.at += 1
        else:
            self.name("an agent" if op in OF_AGENT else "a group")
        return Who(start, self.at, [start], False)

    def coalition(self) -> Who:
        """``<group>``, ``<A, B>``, ``<{A, B}>`` or ``<>``."""
        start = self.at
        if self.accept("<>"):
            return Who(start, self.at, [], True)
        self.at += 1
        if self.word == "{":
            names = self.names_in_braces("an agent", empty=True, environment=True)
            listed = True
        else:
            names = []
            while not names or self.accept(","):
                names.append(self.at)
                if not self.accept("Environment"):
                    self.name("a group or an agent")
            listed = len(names) > 1
        self.expect(">", "the coalition")
        return Who(start, self.at, names, listed)

    def _path_in_brackets(self) -> Node:
        """What stands in brackets behind A, E or a coalition; see note [until inside brackets]."""
        if self.marker or self.named or not self._until_is_weak():
            return self.bracketed()
        self.enter()
        self.at += 1
        left = self.expression(infix=INFIX)
        op = self.word
        if op not in BETWEEN:
            raise self.fail("`U` between two formulae", code="E036")
        self.at += 1
        right = self.expression(infix=INFIX)
        self.expect(")", "the formula")
        self.depth -= 1
        return Chain(left.start, right.end, Level.UNTIL, [op], [left, right])

    def _until_is_weak(self) -> bool:
        """Whether the brackets at hand hold exactly one U, W, R or S and no bare path operator."""
        words = self.words
        at, depth, between = self.at, 0, 0
        while words[at]:
            word, before = words[at], words[at - 1]
            if word == "(":
                depth += 1
            elif word == ")":
                depth -= 1
                if depth == 0:
                    break
            elif depth == 1 and word in BETWEEN:
                if (before == ")" or before in self.simple) and self.starts_operand(at + 1):
                    between += 1
            elif depth == 1 and word in PATH_PREFIX and before not in ("A", "E", ">", "=", ".", "<>", "!="):
                if self.starts_operand(at + 1):
                    return False
            elif word in (";", "end"):
                break
            at += 1
        return between == 1


def whole_formula(parser: FormulaParser) -> Marked | None:
    """A formula that is the whole text, perhaps ended by ``;``."""
    try:
        formula = parser.formula()
        parser.accept(";")
        if parser.word:
            raise parser.fail("the end of the formula")
    except Mistake:
        return None
    return formula
