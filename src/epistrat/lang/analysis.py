"""What is known of a text, whether it is a model already or half of one: tree, names, uses, messages.

The tree stays as it was read; what is found out about it stands beside it, keyed by node or by word.  Nothing but the messages is
computed before it is asked for, so that checking a large model pays for none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from epistrat.lang.families import Include
from epistrat.lang.lexer import Words
from epistrat.lang.load import read
from epistrat.lang.names import Names
from epistrat.lang.origins import Origins
from epistrat.lang.syntax import Program
from epistrat.lang.uses import Use, find_uses
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.source import Diagnostic, Report, SourceText


@dataclass(frozen=True)
class Analysis:
    """A text and what is known of it.  ``system`` is None if there are errors; everything else is there all the same."""

    words: Words
    program: Program
    names: Names
    origins: Origins
    report: Report
    system: System | None

    @property
    def source(self) -> SourceText:
        """The text."""
        return self.words.source

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All messages, in the order of the text."""
        return self.report.diagnostics

    @cached_property
    def uses(self) -> dict[int, Use]:
        """Every word that names something, by its index, in the order of the text."""
        return {use.at: use for use in find_uses(self.program, self.words, self.names)}

    def use_at(self, offset: int) -> Use | None:
        """The use or declaration at an offset; a place directly behind a name belongs to it."""
        at = self.words.at(offset)
        found = self.uses.get(at)
        if found is None or self.words.span(at, at + 1).start > offset:
            following = self.words.span(at + 1, at + 2).start == offset
            return self.uses.get(at + 1) if following else None
        return found


def analyse(
    text: str,
    name: str = "<text>",
    *,
    parameters: Mapping[str, int] | None = None,
    include: Include | None = None,
) -> Analysis:
    """What is known of a text; see `epistrat.lang.load.load` for the options."""
    words, program, lowerer, system = read(text, name, False, False, parameters or {}, include)
    return Analysis(words, program, lowerer.names, lowerer.origins, words.report, system)
