"""What an editor asks about a text, answered on plain ranges of character offsets: no protocol, no engine, no state.

`analyse` a text once per change, then ask.  Every function takes the analysis, of whatever half-written text, and an offset or a range.
Diagnostics are `Analysis.diagnostics`, with fixes as text edits.
"""

from epistrat.ide.colour import TOKEN_KINDS as TOKEN_KINDS, folds as folds, tokens as tokens
from epistrat.ide.complete import completion as completion
from epistrat.ide.fixes import Mending as Mending, fixes as fixes
from epistrat.ide.hints import hints as hints
from epistrat.ide.hover import hover as hover
from epistrat.ide.layout import format_edits as format_edits, formatted as formatted
from epistrat.ide.lenses import lenses as lenses
from epistrat.ide.navigate import definition as definition, references as references
from epistrat.ide.offers import without_fields as without_fields
from epistrat.ide.outline import outline as outline
from epistrat.ide.positions import Positions as Positions
from epistrat.ide.rename import CannotRename as CannotRename, renamable as renamable, rename as rename
from epistrat.ide.signature import signature as signature
from epistrat.ide.values import (
    Completion as Completion,
    Entry as Entry,
    Fold as Fold,
    Hint as Hint,
    Hover as Hover,
    Lens as Lens,
    Reference as Reference,
    Signature as Signature,
    Token as Token,
)
from epistrat.lang.analysis import Analysis as Analysis, analyse as analyse
