"""The words that mean something, and where."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.lang.syntax import Level
from epistrat.logic.nodes import Reading, Tag
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
SETTINGS = ("Semantics", "Composition", "Knowledge")

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
# What agents compare: in brackets behind an operator of knowledge, and as the value of Knowledge.
READINGS: dict[str, Reading] = {reading.value: reading for reading in Reading}
KNOWLEDGE: dict[str, Reading] = {word.capitalize(): reading for word, reading in READINGS.items()}


SELF = "self"
"""In a guard: the agent whose protocol this is."""


def is_read(words: Sequence[str], at: int) -> bool:
    """Whether an operator of knowledge with a reading stands here: ``K[clock](``, or ``K[word](a,`` with some other word."""
    if words[at] not in EPISTEMIC or words[at + 1] != "[" or words[at + 3 : at + 5] != ["]", "("]:
        return False
    return words[at + 2] in READINGS or words[at + 5] == "{" or words[at + 6] == ","


def asks_knowledge(words: Sequence[str], at: int) -> bool:
    """Whether an operator of knowledge stands in the condition of a protocol that begins here."""
    while words[at] not in (":", ";", "{", "end", ""):
        if words[at] in EPISTEMIC and (words[at + 1] == "(" or is_read(words, at)):
            return True
        at += 1
    return False


# What can follow a complete operand: a leaf in front of one of these needs no further look.
CLOSERS = frozenset({"and", "or", "->", "<->", ")", ";", ":", ",", "if"})
# What cannot start an operand: an operator letter in front of one of these is a name.
NOT_OPERAND = CLOSERS | frozenset({"", "=", "!=", "<=", ">=", ">", ".", "}", "&", "|", "^", "+", "*", "/", "end"})
# Infix operators that are names wherever an operand must stand.
NAME_OR_INFIX = BETWEEN | {"xor"}

# A text without any of these has no families and includes nothing.
FAMILY_WORDS = frozenset("[ Parameters Constants Definitions for where forall exists sum count include".split())  # noqa: SIM905
