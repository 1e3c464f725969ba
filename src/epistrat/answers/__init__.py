"""Questions, verdicts, results, reports and explanations as data: what engines give back, what services send and renderers show."""

from epistrat.answers.advice import Advice as Advice, Misuse as Misuse, Setting as Setting
from epistrat.answers.certificate import Certificate as Certificate
from epistrat.answers.ending import DONE as DONE, Ending as Ending, How as How
from epistrat.answers.explanation import Explanation as Explanation, Focus as Focus
from epistrat.answers.finding import Finding as Finding
from epistrat.answers.result import (
    NOTHING_KNOWN as NOTHING_KNOWN,
    Difference as Difference,
    Facts as Facts,
    Outcome as Outcome,
    Question as Question,
    Report as Report,
    Result as Result,
)
from epistrat.answers.verdict import Strategies as Strategies, Verdict as Verdict
