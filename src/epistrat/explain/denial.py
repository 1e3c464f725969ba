"""One sentence for a verdict, from the formula alone: for where no evidence is at hand.

A formula fails if it is false in some initial state, and holds if it is true in all.  The sentence says what that means and no more.
"""

from __future__ import annotations

from epistrat.answers.verdict import Strategies
from epistrat.explain.sentences import members, named, short
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Reading
from epistrat.logic.histories import unread
from epistrat.model.system import System


def denial(system: System, formula: Formula, reading: Strategies = Strategies.ANY) -> str:
    """What it means that the formula fails."""
    if reading is Strategies.UNIFORM:
        return f"Whatever rules the agents fix first, {short(formula)} is false in some initial state."
    run = "fair run" if system.fairness else "run"
    match formula:
        case logic.ForAll(arg, True):
            return f"{short(arg)} is false on some {run}."
        case logic.ForAll(logic.Globally(f)):
            return f"{short(f)} is false in some state that a {run} from the start comes to."
        case logic.ForAll(logic.Finally(f)):
            return f"Some {run} never comes to {short(f)}."
        case logic.ForAll(logic.Until(f, g)):
            return f"Some {run} does not keep {short(f)} true until {short(g)} is true."
        case logic.Exists(logic.Finally(f), False):
            return f"From some initial state no {run} ever comes to {short(f)}."
        case logic.Exists(logic.Globally(f), False):
            return f"From some initial state no {run} keeps {short(f)} true for ever."
        case logic.Coalition(group, arg):
            return f"From some initial state {members(group)} cannot make sure that {short(arg)}{_by(reading)}."
        case logic.Knows(agent, f):
            return f"In some initial state {agent} does not know {short(f)}."
        case logic.Or() if (whether := logic.knows_whether(formula)) is not None:
            return f"In some initial state {whether[0]} cannot tell whether {short(whether[1])}."
        case logic.Remembers():
            return f"{denial(system, unread(formula), reading)[:-1]}, {_MEANT[formula.reading]}."
        case logic.Announced(said, f):
            return f"In some initial state {short(said)} is true, and {short(f)} is false once that is announced."
        case logic.Everybody(group, f) | logic.Distributed(group, f) | logic.Common(group, f):
            who = {logic.Everybody: "everybody of", logic.Distributed: "together,", logic.Common: "in common,"}
            return f"In some initial state {short(f)} is not known to {who[type(formula)]} {named(group.members)}."
        case _:
            return f"{short(formula)} is false in some initial state."


_MEANT = {
    Reading.OBSERVATION: "by what is seen now",
    Reading.CLOCK: "counting steps",
    Reading.RECALL: "remembering all that was seen",
    Reading.CHANGES: "remembering what changed",
}
"""What knowledge goes by, by the reading."""


def _by(reading: Strategies) -> str:
    """What strategies may look at."""
    if reading is Strategies.ANY:
        return ""
    seen = " by rules that look only at what each agent sees"
    return f"{seen}, in every state that looks the same" if reading is Strategies.SUBJECTIVE else seen


def assurance(system: System, formula: Formula, reading: Strategies = Strategies.ANY) -> str:
    """What it means that the formula holds."""
    if reading is Strategies.UNIFORM:
        return f"There are rules for the agents with which {short(formula)} is true in every initial state."
    run = "fair run" if system.fairness else "run"
    match formula:
        case logic.ForAll(arg, True):
            return f"{short(arg)} is true on every {run} that goes on for ever."
        case logic.ForAll(logic.Globally(f)):
            return f"{short(f)} is true in every state that a {run} from the start comes to."
        case logic.ForAll(logic.Finally(f)):
            return f"Every {run} that goes on for ever comes to {short(f)}."
        case logic.Exists(logic.Finally(f), False):
            return f"From every initial state some {run} comes to {short(f)}."
        case logic.Exists(logic.Globally(f), False):
            return f"From every initial state some {run} keeps {short(f)} true as long as it goes on."
        case logic.Coalition(group, arg):
            return f"From every initial state {members(group)} can make sure that {short(arg)}{_by(reading)}."
        case logic.Remembers():
            return f"{assurance(system, unread(formula), reading)[:-1]}, {_MEANT[formula.reading]}."
        case logic.Announced(said, f):
            return f"In every initial state where {short(said)} is true, {short(f)} is true once that is announced."
        case logic.Knows(agent, f):
            return f"In every initial state {agent} knows {short(f)}."
        case _:
            return f"{short(formula)} is true in every initial state."
