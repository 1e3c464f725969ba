"""Source text, positions in it, and messages about it."""

from epistrat.source.codes import TITLES as TITLES
from epistrat.source.diagnostic import (
    Diagnostic as Diagnostic,
    Edit as Edit,
    Fix as Fix,
    More as More,
    NotRead as NotRead,
    Related as Related,
    Report as Report,
    Severity as Severity,
    TooMany as TooMany,
)
from epistrat.source.span import MemberSpan as MemberSpan, Position as Position, Span as Span
from epistrat.source.text import JoinedText as JoinedText, SourceText as SourceText
