"""An answer that stays unknown says what was found out about knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

from epistrat.engines.contract import Options, Verdict
from epistrat.engines.lazy.atoms import Atom
from epistrat.engines.lazy.lemmas import Lemma, Lemmas, in_words
from epistrat.engines.registry import load as engine
from epistrat.lang import load
from epistrat.logic.formula import Knows, Prop
from epistrat.solvers.budget import Budget, OutOfBudget
from epistrat.terms import Sort, Terms, Var


def test_unknown_says_what_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(__file__).parents[2] / "examples" / "unbounded" / "opacity.ispl").read_text(encoding="utf-8")
    system = load(text, "opacity").system
    assert system is not None
    learn = Lemmas.learn

    def learn_and_stop(self: Lemmas, lemma: Lemma) -> None:
        learn(self, lemma)
        raise OutOfBudget("no more time")

    monkeypatch.setattr(Lemmas, "learn", learn_and_stop)
    session = engine("lazy").open(system, Options(), Budget())
    outcomes = [session.check(formula) for formula in system.formulae]
    told = [one.notes for one in outcomes if one.verdict is Verdict.UNKNOWN and one.notes]
    assert told and all(notes[-1] == "open: all other observations" for notes in told)


def test_lemmas_are_told_in_words() -> None:
    terms = Terms()
    result = terms.variable("Environment", "result", Sort.NUMBER)
    zero, vote = terms.compare("<=", result, terms.number(0)), Var("Environment", "vote", Sort.BOOLEAN)
    atom = Atom(Knows("Jury", Prop("yes")), ("Jury",), (), Prop("yes"), vote, vote)
    yes, no = Lemma(atom, True, zero, ""), Lemma(atom, False, terms.negate(zero), "")
    where = "where Environment.result <= 0"
    assert in_words([yes, no], terms, lambda _: True) == [f"Jury knows yes exactly {where}"]
    assert in_words([no], terms, lambda _: True) == ["Jury never knows yes"]
    assert in_words([yes], terms, lambda _: False) == [f"Jury knows yes {where}"]
    assert in_words([no], terms, lambda _: False) == ["Jury does not know yes where !(Environment.result <= 0)"]
