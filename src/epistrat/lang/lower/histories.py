"""Formulae about histories: knowledge that counts or remembers, and announcements."""

from __future__ import annotations

from epistrat.lang.names import closest
from epistrat.lang.scope import Scope
from epistrat.lang.syntax import Announcement, Epistemic, WordRange
from epistrat.lang.vocabulary import READINGS
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state


def read(scope: Scope, node: Epistemic) -> Reading | None:
    """What the word in brackets behind an operator of knowledge says; None, with a message, where it says nothing."""
    assert node.reading is not None
    word, place = scope.words[node.reading], WordRange(node.reading, node.reading + 1)
    reading = READINGS.get(word)
    if reading is None:
        message = f"`{word}` is no way to remember: observation, clock, recall or changes"
        scope.error("E044", message, place, "", closest(word, READINGS))
        return None
    if node.op == "O" or (node.op == "GCK" and reading is Reading.CHANGES):
        label = "it depends on no view" if node.op == "O" else "`recall` is decided where what is known repeats"
        scope.error("E035", f"`{node.op}` is not read by `{word}`", place, label)
        return None
    return reading


def remembers(word: str, reading: Reading, group: Group, arg: Formula) -> Formula:
    """The operator of this word; of a path formula it is known that all infinite runs satisfy it."""
    if word == "KW":
        return logic.Or(tuple(remembers("K", reading, group, one) for one in (arg, logic.Not(arg))))
    return logic.Remembers(word, reading, group, arg if is_state(arg) else logic.ForAll(arg, True))


def announced(scope: Scope, node: Announcement, said: Formula, arg: Formula) -> Formula | None:
    """``[! said] arg``, or ``<! said> arg``, which is the opposite of ``[! said]`` the opposite."""
    if not is_state(said):
        message = "what is announced is about the present: a path formula needs `A` or `E` before it"
        scope.error("E034", message, node.said)
        return None
    return logic.Not(logic.Announced(said, logic.Not(arg))) if node.true else logic.Announced(said, arg)
