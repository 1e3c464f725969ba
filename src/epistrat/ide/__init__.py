"""What an editor asks about a text, answered on plain ranges of character offsets: no protocol, no engine, no state.

`analyse` a text once per change, then ask.  Every function takes the analysis, of whatever half-written text, and an offset or a range.
Diagnostics are `Analysis.diagnostics`, with fixes as text edits.
"""

from epistrat.ide.complete import completion
from epistrat.ide.fixes import Mending, fixes
from epistrat.ide.hover import hover
from epistrat.ide.lenses import lenses
from epistrat.ide.navigate import definition, references
from epistrat.ide.outline import outline
from epistrat.ide.values import Completion, Entry, Fold, Hint, Hover, Lens, Reference, Signature, Token
from epistrat.lang.analysis import Analysis, analyse

__all__ = [
    "Analysis",
    "Completion",
    "Entry",
    "Fold",
    "Hint",
    "Hover",
    "Lens",
    "Mending",
    "Reference",
    "Signature",
    "Token",
    "analyse",
    "completion",
    "definition",
    "fixes",
    "hover",
    "lenses",
    "outline",
    "references",
]
