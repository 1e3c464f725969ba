"""ISPL: text to checked systems, and back."""

from epistrat.lang.load import Loaded, load, parse_formula
from epistrat.lang.origins import Origins

__all__ = ["Loaded", "Origins", "load", "parse_formula"]
