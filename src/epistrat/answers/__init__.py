"""Questions, verdicts, results, reports and explanations as data: what engines give back, what services send and renderers show."""

from epistrat.answers.advice import Advice, Misuse, Setting
from epistrat.answers.certificate import Certificate
from epistrat.answers.ending import DONE, Ending, How
from epistrat.answers.explanation import Explanation, Focus
from epistrat.answers.finding import Finding
from epistrat.answers.result import NOTHING_KNOWN, Facts, Outcome, Question, Report, Result
from epistrat.answers.verdict import Strategies, Verdict

__all__ = [
    "DONE",
    "NOTHING_KNOWN",
    "Advice",
    "Certificate",
    "Ending",
    "Explanation",
    "Facts",
    "Finding",
    "Focus",
    "How",
    "Misuse",
    "Outcome",
    "Question",
    "Report",
    "Result",
    "Setting",
    "Strategies",
    "Verdict",
]
