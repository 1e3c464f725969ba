"""Results that can show themselves: the answers of a check together with the system they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from epistrat import answers
from epistrat.answers import Facts, Focus, Verdict
from epistrat.model.system import System
from epistrat.records import dataclass, field, fields
from epistrat.source import Diagnostic

if TYPE_CHECKING:
    from epistrat.render.wording import Style


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
        from epistrat.render.text import show_unknown
        from epistrat.render.tree import WIDTH, show_evidence
        from epistrat.render.wording import Style, Wording

        style = style or Style(width=WIDTH, wording=Wording.PYTHON)
        if self.verdict is Verdict.UNKNOWN:
            return show_unknown(self, style)
        return "\n".join(show_evidence(self.system, self._explained(focus), style))

    def __str__(self) -> str:
        """As the command prints it."""
        from epistrat.render.text import show_result
        from epistrat.render.wording import Style, Wording

        return "\n".join(show_result(self.system, self, Style(wording=Wording.PYTHON)))

    def summary(self) -> str:
        """Why, in one sentence; empty where there is nothing to say."""
        return next((told.sentence for told in self._explained().explanations), "")

    def _explained(self, focus: Focus | None = None) -> Result:
        from epistrat.explain.narrate import explained

        return explained(self.system, self, focus)

    def _repr_html_(self) -> str:
        """For notebooks: the verdict, why, and runs as lanes per agent."""
        from epistrat.render.page import fragment

        return fragment(self.system, self._explained())

    def _repr_svg_(self) -> str | None:
        """For notebooks: the states that the evidence speaks of."""
        if self.evidence is None:
            return None
        from epistrat.render.graph import tree_picture
        from epistrat.render.svg import svg

        return svg(tree_picture(self.system, self.evidence, reading=self.reading))

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; see docs/json.md."""
        from epistrat.render.json.report import result_json

        return result_json(self.system, self)


class Results(list[Result]):
    """Answers in the order of the questions: a list that prints as the command does.

    The answer to one formula is true if it holds: ``if model.check("AG p"): ...``.
    """

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __bool__(self) -> bool:
        """Of one answer: whether the formula holds.  Of several, or none, there is no telling what is meant."""
        if len(self) != 1:
            many = "several formulae" if len(self) else "no formula"
            raise TypeError(
                f"the answers to {many} have no truth value: write all(results), any(results), len(results) or results[0]"
            )
        return bool(self[0])

    def __getattr__(self, name: str) -> NoReturn:
        """What an answer has and a list of answers has not, such as ``verdict``: the message says what to write."""
        if not name.startswith("_") and hasattr(Result, name):
            raise AttributeError(f"these are the answers to {len(self)} formulae: write results[0].{name}")
        raise AttributeError(f"a list of answers has no attribute {name!r}")

    def _repr_html_(self) -> str:
        """For notebooks: one answer below the other."""
        return "".join(result._repr_html_() for result in self)


@dataclass(frozen=True, slots=True)
class Report:
    """All answers about a model, what is known of its states, and warnings.  ``value`` is the same as plain data."""

    system: System = field(repr=False)
    value: answers.Report

    def __str__(self) -> str:
        """As the command prints it."""
        from epistrat.render.text import show_report
        from epistrat.render.wording import Style, Wording

        return "\n".join(show_report(self.value, Style(wording=Wording.PYTHON)))

    @property
    def results(self) -> tuple[Result, ...]:
        """The answers, in the order of the questions."""
        return tuple(Result.about(self.system, result) for result in self.value.results)

    @property
    def facts(self) -> Facts:
        """What is known of the reachable states."""
        return self.value.facts

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings about the model's text and its states."""
        return self.value.diagnostics

    @property
    def statistics(self) -> Mapping[str, Mapping[str, Any]]:
        """What the engines did."""
        return self.value.statistics
