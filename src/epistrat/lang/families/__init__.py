"""Families: texts with parameters, indices and repeated parts become plain words, which the parser reads as any others.

`constants` evaluates index arithmetic, `reader` and `phrases` find what is repeated, `pieces` and `counting` write it out, `expansion`
keeps for every word written out where it stands in the template and for which indices, `include` joins texts.
"""

from contextlib import suppress

from epistrat.lang.families.expansion import expanded as expanded
from epistrat.lang.families.include import Include as Include, included as included
from epistrat.lang.families.phrases import Parameter as Parameter
from epistrat.lang.families.reader import Reader
from epistrat.lang.lexer import Words
from epistrat.source import Report, SourceText, TooMany


def parameters(text: str) -> tuple[Parameter, ...]:
    """The parameters that a text declares, as far as it can be read."""
    source = SourceText(text)
    words = Words(source, Report(source))
    if words.too_long or "Parameters" not in words.distinct:
        return ()
    reader = Reader(words, {}, {})
    with suppress(TooMany):
        reader.program()
    return tuple(reader.parameters.values())
