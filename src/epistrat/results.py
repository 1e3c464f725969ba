"""What a check gives back: one `Result` per question, and a `Report` over all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from epistrat.engines.contract import Facts, Verdict
from epistrat.evidence.witness import Tree
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.render.as_json import ResultRecord

if TYPE_CHECKING:
    from epistrat.evidence.replay import Replay
    from epistrat.explain import Focus
    from epistrat.render.text import Style


@dataclass(frozen=True, slots=True)
class Question:
    """A formula to check, with the number and the words under which it is reported."""

    index: int
    formula: Formula
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one question.

    ``reason`` and ``advice`` belong to an unknown verdict.  ``evidence`` (and ``others``, if several were wanted) is there where it
    was asked for and exists; ``replay`` says what independent code found when it walked the evidence.
    """

    index: int
    formula: Formula
    text: str
    verdict: Verdict
    engine: str | None
    seconds: float
    system: System = field(repr=False)
    reason: str | None = None
    advice: str | None = None
    evidence: Tree | None = field(default=None, repr=False)
    others: tuple[Tree, ...] = field(default=(), repr=False)
    replay: Replay | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    statistics: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __bool__(self) -> bool:
        """Whether the formula holds, for certain."""
        return self.verdict is Verdict.HOLDS

    def explain(self, focus: Focus | None = None, style: Style | None = None) -> str:
        """Why, in words.  ``focus`` says how much to show, ``style`` how: on how wide a screen, in colour or not."""
        if self.verdict is Verdict.UNKNOWN:
            return " ".join(filter(None, [f"{self.reason}." if self.reason else None, self.advice]))
        if self.evidence is None:
            return ""
        from epistrat.render.tree import show_evidence

        return "\n".join(show_evidence(self.system, (self.evidence, *self.others), self.replay, style, focus))

    def summary(self) -> str:
        """Why, in one sentence; empty where there is nothing to say."""
        if self.evidence is None:
            return ""
        from epistrat.explain import explain

        text = explain(self.system, self.evidence).summary
        return f"{text[:1].upper()}{text[1:]}."

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, why, and runs as lanes per agent."""
        from epistrat.render.page import Answer, fragment

        trees = (self.evidence, *self.others) if self.evidence is not None else ()
        return fragment(self.system, Answer(self.index, self.text, self.verdict.value, trees, self.notes))

    def _repr_svg_(self) -> str | None:
        """For notebooks: the states that the evidence speaks of."""
        if self.evidence is None:
            return None
        from epistrat.render.graph import tree_picture
        from epistrat.render.svg import svg

        return svg(tree_picture(self.system, self.evidence))

    def to_json(self) -> ResultRecord:
        """The answer as plain data; see docs/json.md."""
        record: ResultRecord = {
            "index": self.index,
            "formula": self.text,
            "verdict": self.verdict.value,
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
            "reason": self.reason,
            "advice": self.advice,
            "notes": list(self.notes),
        }
        if self.evidence is not None:
            from epistrat.render.evidence_json import evidence_json

            record["evidence"] = evidence_json(self.system, self.evidence)
            if self.others:
                record["others"] = [evidence_json(self.system, tree) for tree in self.others]
        if self.replay is not None:
            record["replay"] = {
                "checked": self.replay.checked,
                "trusted": list(self.replay.trusted),
                "problems": list(self.replay.problems),
            }
        return record


@dataclass(frozen=True, slots=True)
class Report:
    """All answers, and what is known of the state space."""

    results: tuple[Result, ...]
    facts: Facts
    statistics: Mapping[str, Mapping[str, Any]]
