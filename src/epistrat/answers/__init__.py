"""Questions, verdicts, results, reports and explanations as data: what engines give back, what services send and renderers show."""

from epistrat.answers.certificate import Certificate
from epistrat.answers.explanation import Explanation, Focus
from epistrat.answers.result import Facts, Outcome, Question, Report, Result
from epistrat.answers.verdict import Strategies, Verdict

__all__ = [
    "Certificate",
    "Explanation",
    "Facts",
    "Focus",
    "Outcome",
    "Question",
    "Report",
    "Result",
    "Strategies",
    "Verdict",
]
