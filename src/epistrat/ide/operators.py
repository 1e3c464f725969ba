"""Operators and reserved words: how each is written and what it means, for hovering, completing and calling."""

from __future__ import annotations

from typing import NamedTuple

from epistrat.logic import operators
from epistrat.logic.operators import Form


class Operator(NamedTuple):
    """How an operator is written, with fields to fill in, and what it means."""

    snippet: str
    meaning: str


def _of_whom() -> dict[str, Operator]:
    """Knowledge and its kin, of an agent or a group."""
    found = {}
    for whose, form in (("agent", Form.OF_AGENT), ("group", Form.OF_GROUP)):
        for row in operators.words(form).values():
            found[row.word] = Operator(f"{row.word}(${{1:{whose}}}, ${{2:formula}})", row.meaning)
    return found


FORMULA: dict[str, Operator] = {
    "AG": Operator("AG(${1:formula})", "on all runs, now and always later"),
    "AF": Operator("AF(${1:formula})", "on all runs, now or later"),
    "AX": Operator("AX(${1:formula})", "in all successors"),
    "EG": Operator("EG(${1:formula})", "on some run, now and always later"),
    "EF": Operator("EF(${1:formula})", "on some run, now or later"),
    "EX": Operator("EX(${1:formula})", "in some successor"),
    "A": Operator("A(${1:left} U ${2:right})", "on all runs: `right` now or later, and `left` at every point before"),
    "E": Operator("E(${1:left} U ${2:right})", "on some run: `right` now or later, and `left` at every point before"),
    **_of_whom(),
    "<group>F": Operator("<${1:group}>F ${2:formula}", "the group has a strategy that makes it true now or later"),
    "<group>G": Operator("<${1:group}>G ${2:formula}", "the group has a strategy that keeps it true for ever"),
    "<group>X": Operator("<${1:group}>X ${2:formula}", "the group can make it true in the next state"),
    "<group>U": Operator(
        "<${1:group}>(${2:left} U ${3:right})", "the group has a strategy: `right` now or later, `left` until then"
    ),
    "<<x>>": Operator(
        "<<${1:x}>> (${2:agent}, ${1:x}) ${3:formula}", "for some strategy, called x; `(agent, x)` gives it to an agent"
    ),
    "[[x]]": Operator(
        "[[${1:x}]] (${2:agent}, ${1:x}) ${3:formula}",
        "for every strategy, called x; `(agent, x)` gives it to an agent",
    ),
    "#PR": Operator("#PR ${1:formula}", "strategies see and remember everything"),
    "#Ir": Operator("#Ir ${1:formula}", "strategies see the state and remember nothing"),
    "#ir": Operator("#ir ${1:formula}", "strategies see what their agents see and remember nothing"),
    "ENash": Operator(
        "ENash(${1:formula})", "the run of some Nash equilibrium of the agents' Goals satisfies the path formula"
    ),
    "ANash": Operator(
        "ANash(${1:formula})", "the runs of all Nash equilibria of the agents' Goals satisfy the path formula"
    ),
    "LTL": Operator("LTL ${1:formula}", "a linear formula: true on all infinite runs"),
    "CTL*": Operator("CTL* ${1:formula}", "a state formula with path operators combined freely"),
    **{row.word: Operator(f"{row.word} ${{1:formula}}", row.meaning) for row in operators.words(Form.PATH).values()},
    "forall": Operator("forall ${1:i} in ${2:1}..${3:n}: ${4:formula}", "for all values of the index"),
    "exists": Operator("exists ${1:i} in ${2:1}..${3:n}: ${4:formula}", "for some value of the index"),
}
"""What can begin a formula."""

BETWEEN: dict[str, str] = {
    **{row.word: row.meaning for row in operators.words(Form.JOIN, Form.PAIR).values()},
    **{row.word: f"`left {row.word} right`: {row.meaning}" for row in operators.words(Form.BETWEEN).values()},
}
"""What can stand between two operands."""

WORDS: dict[str, str] = {
    "Semantics": "whether an evolution line may assign several variables (MultiAssignment) or one (SingleAssignment)",
    "Composition": "whether all agents act at once (Synchronous) or one after the other (Interleaved)",
    "Knowledge": "how knowledge is read where a formula does not say it: Observation, Clock, Recall or Changes",
    "Environment": "the agent that the others can observe: its Obsvars all of them, other variables by Lobsvars",
    "Obsvars": "variables of the Environment that every agent sees",
    "Lobsvars": "variables of the Environment that this agent sees as well",
    "Vars": "variables; only the agent itself sees them",
    "RedStates": "states in which the agent does not behave as it should; all others are green",
    "GreenStates": "states in which the agent behaves as it should",
    "Actions": "what the agent can do",
    "Action": "the action done in this step; can be tested in Evolution",
    "Protocol": "which actions are possible in which states",
    "Other": "all states that no line above is about",
    "Evolution": "how variables change in a step",
    "Evaluation": "names for conditions on states, to be used in formulae",
    "InitStates": "where runs can start",
    "Groups": "names for sets of agents",
    "Goals": "what agents want, for equilibria: a path formula each",
    "Nash": "the agents' Goals have a Nash equilibrium: nobody gains by another strategy",
    "Fairness": "what happens again and again on the runs that formulae are about",
    "Formulae": "what is checked",
    "Parameters": "sizes with a default and a range, which can be set from outside: `n = 3 in 2..;`",
    "Constants": "names for numbers: `last = n - 1;`",
    "Definitions": "names for conditions inside an agent",
    "for": "repeats a line, or lines in braces, for all values of an index",
    "where": "leaves out members or lines for which a condition on the indices is false",
    "sum": "`sum(i in 1..n: number)`: the sum over all values of the index",
    "count": "`count(i in 1..n: condition)`: for how many values of the index the condition is true",
}
"""Words with a fixed meaning."""


def explain(word: str) -> str | None:
    """What an operator or reserved word means."""
    if word in FORMULA:
        return FORMULA[word].meaning
    return BETWEEN.get(word) or WORDS.get(word)
