"""Results that can show themselves: the answers of a check together with the system they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from epistrat import answers
from epistrat.answers import Facts, Focus, Verdict
from epistrat.explain import explain
from epistrat.model.system import System
from epistrat.render.as_json import Json, result_json
from epistrat.render.text import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(answers.Result):
    """The answer to one question, for people and notebooks."""

    system: System = field(repr=False, compare=False)

    @classmethod
    def about(cls, system: System, result: answers.Result) -> Result:
        """The result with its system."""
        return cls(**{one.name: getattr(result, one.name) for one in fields(answers.Result)}, system=system)

    def explain(self, focus: Focus | None = None, style: Style | None = None) -> str:
        """Why, in words.  ``focus`` says how much to show, ``style`` how: on how wide a screen, in colour or not."""
        if self.verdict is Verdict.UNKNOWN:
            return " ".join(filter(None, [f"{self.reason}." if self.reason else None, self.advice]))
        from epistrat.render.tree import show_evidence

        return "\n".join(show_evidence(self.system, self.trees, self.replay, style, focus)) if self.trees else ""

    def summary(self) -> str:
        """Why, in one sentence; empty where there is nothing to say."""
        if self.evidence is None:
            return ""
        text = explain(self.system, self.evidence).summary
        return f"{text[:1].upper()}{text[1:]}."

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, why, and runs as lanes per agent."""
        from epistrat.render.page import fragment

        return fragment(self.system, self)

    def _repr_svg_(self) -> str | None:
        """For notebooks: the states that the evidence speaks of."""
        if self.evidence is None:
            return None
        from epistrat.render.graph import tree_picture
        from epistrat.render.svg import svg

        return svg(tree_picture(self.system, self.evidence))

    def to_json(self) -> dict[str, Json]:
        """The answer as plain data; see docs/json.md."""
        return result_json(self.system, self)


@dataclass(frozen=True, slots=True)
class Report:
    """All answers, and what is known of the state space."""

    results: tuple[Result, ...]
    facts: Facts
    statistics: Mapping[str, Mapping[str, Any]]
