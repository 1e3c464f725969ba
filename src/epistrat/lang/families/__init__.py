"""Families: texts with parameters, indices and repeated parts become plain words, which the parser reads as any others.

`constants` evaluates index arithmetic, `reader` finds what is repeated, `pieces` writes it out, `expansion` keeps for every word written
out where it stands in the template and for which indices, `include` joins texts.
"""

from epistrat.lang.families.expansion import expanded
from epistrat.lang.families.include import Include, included

__all__ = ["Include", "expanded", "included"]
