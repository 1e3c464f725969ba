"""ISPL: text to checked systems, and back."""

from epistrat.lang.format import format_source
from epistrat.lang.load import Loaded, load, parse_formula
from epistrat.lang.origins import Origins
from epistrat.lang.pages import page

__all__ = ["Loaded", "Origins", "format_source", "load", "page", "parse_formula"]
