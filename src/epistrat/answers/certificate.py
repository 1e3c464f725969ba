"""Certificates: a question with its answer, and the trees that show it."""

from __future__ import annotations

from epistrat.answers.verdict import Named, Strategies, Verdict
from epistrat.evidence import Tree
from epistrat.logic.formula import Formula
from epistrat.model.transform.choices import USUAL, PlayRules
from epistrat.records import dataclass


@dataclass(frozen=True, slots=True)
class Certificate:
    """``verdict`` is the answer to ``question``, because of ``trees``, each of which speaks of one initial state.

    ``reading`` says how strategies are read; ``group`` names those who fix their actions beforehand under the uniform reading
    (None: all agents); ``rules`` how strategies of interleaved systems are played, ``named`` how they are read
    otherwise than ATL's.  A formula fails if it fails in one initial state; it
    holds if it holds in all of them.
    """

    question: Formula
    verdict: Verdict
    reading: Strategies = Strategies.ANY
    group: tuple[str, ...] | None = None
    trees: tuple[Tree, ...] = ()
    rules: PlayRules = USUAL
    named: Named = Named()
