"""The words that mean something, and where."""

from __future__ import annotations

from epistrat.lang.syntax import Level
from epistrat.logic.nodes import Tag
from epistrat.logic.operators import Form, words

# Words that are never names.
STRUCTURE = frozenset(
    """Semantics Agent Environment Obsvars Lobsvars Vars RedStates GreenStates Actions Action Protocol Other Evolution
    Evaluation InitStates Groups Fairness Formulae end if and or boolean true false CTL*""".split()  # noqa: SIM905
)
# Words that MCMAS reserves too, but that are names wherever an operator cannot stand.
LETTERS = frozenset(
    """MultiAssignment SingleAssignment MA SA LTL
    AG EG AX EX AF EF A E X F G U K GK GCK DK O""".split()  # noqa: SIM905
)

AGENT_SECTIONS = ("Obsvars", "Lobsvars", "Vars", "RedStates", "Actions", "Protocol", "Evolution")
MODEL_SECTIONS = ("Evaluation", "InitStates", "Groups", "Goals", "Fairness", "Formulae")
SETTINGS = ("Semantics", "Composition")

COMPARISONS = frozenset({"=", "<>", "!=", "<", "<=", ">", ">="})

# Infix operators of conditions and arithmetic.
INFIX: dict[str, int] = {
    "<->": Level.IFF,
    "->": Level.IMPLIES,
    "or": Level.OR,
    "xor": Level.XOR,
    "and": Level.AND,
    **dict.fromkeys(COMPARISONS, Level.COMPARE),
    "|": Level.BIT_OR,
    "^": Level.BIT_OR,
    "&": Level.BIT_AND,
    "+": Level.SUM,
    "-": Level.SUM,
    "*": Level.PRODUCT,
    "/": Level.PRODUCT,
}
BETWEEN = frozenset(words(Form.BETWEEN))
FORMULA_INFIX: dict[str, int] = INFIX | dict.fromkeys(BETWEEN, Level.UNTIL)
NAMED_INFIX: dict[str, int] = INFIX | dict.fromkeys(BETWEEN, Level.GOAL)
TAGS: dict[str, Tag] = {tag.value: tag for tag in Tag} | {"#IR": Tag.PERFECT}
EQUILIBRIA = frozenset(words(Form.EQUILIBRIUM))

PREFIX: dict[str, int] = {"!": Level.NOT, "~": Level.BIT_NOT}
QUANTIFIED = frozenset({"AG", "AF", "AX", "EG", "EF", "EX"})
PATH_PREFIX = frozenset(words(Form.PATH))
PATH_WORDS: dict[str, int] = dict.fromkeys(QUANTIFIED | PATH_PREFIX | {"A", "E"}, Level.PATH)
# Operators about one agent, and about a group.
OF_AGENT = frozenset(words(Form.OF_AGENT))
EPISTEMIC = OF_AGENT | frozenset(words(Form.OF_GROUP))

# What can follow a complete operand: a leaf in front of one of these needs no further look.
CLOSERS = frozenset({"and", "or", "->", "<->", ")", ";", ":", ",", "if"})
# What cannot start an operand: an operator letter in front of one of these is a name.
NOT_OPERAND = CLOSERS | frozenset({"", "=", "!=", "<=", ">=", ">", ".", "}", "&", "|", "^", "+", "*", "/", "end"})
# Infix operators that are names wherever an operand must stand.
NAME_OR_INFIX = BETWEEN | {"xor"}

# A text without any of these has no families and includes nothing.
FAMILY_WORDS = frozenset("[ Parameters Constants Definitions for where forall exists sum count include".split())  # noqa: SIM905
