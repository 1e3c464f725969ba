"""Source text, positions in it, and messages about it."""

from epistrat.source.codes import TITLES
from epistrat.source.diagnostic import Diagnostic, Edit, Fix, NotRead, Related, Report, Severity, TooMany
from epistrat.source.span import MemberSpan, Position, Span
from epistrat.source.text import JoinedText, SourceText

__all__ = [
    "TITLES",
    "Diagnostic",
    "Edit",
    "Fix",
    "JoinedText",
    "MemberSpan",
    "NotRead",
    "Position",
    "Related",
    "Report",
    "Severity",
    "SourceText",
    "Span",
    "TooMany",
]
