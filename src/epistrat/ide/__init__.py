"""What an editor asks about a text, answered on plain ranges of character offsets: no protocol, no engine, no state.

`analyse` a text once per change, then ask.  Every function takes the analysis, of whatever half-written text, and an offset or a range.
Diagnostics are `Analysis.diagnostics`, with fixes as text edits.
"""

from epistrat.ide.colour import TOKEN_KINDS, folds, tokens
from epistrat.ide.complete import completion
from epistrat.ide.fixes import Mending, fixes
from epistrat.ide.hints import hints
from epistrat.ide.hover import hover
from epistrat.ide.layout import format_edits, formatted
from epistrat.ide.lenses import lenses
from epistrat.ide.navigate import definition, references
from epistrat.ide.offers import without_fields
from epistrat.ide.outline import outline
from epistrat.ide.positions import Positions
from epistrat.ide.rename import CannotRename, renamable, rename
from epistrat.ide.signature import signature
from epistrat.ide.values import Completion, Entry, Fold, Hint, Hover, Lens, Reference, Signature, Token
from epistrat.lang.analysis import Analysis, analyse

__all__ = [
    "TOKEN_KINDS",
    "Analysis",
    "CannotRename",
    "Completion",
    "Entry",
    "Fold",
    "Hint",
    "Hover",
    "Lens",
    "Mending",
    "Positions",
    "Reference",
    "Signature",
    "Token",
    "analyse",
    "completion",
    "definition",
    "fixes",
    "folds",
    "format_edits",
    "formatted",
    "hints",
    "hover",
    "lenses",
    "outline",
    "references",
    "renamable",
    "rename",
    "signature",
    "tokens",
    "without_fields",
]
