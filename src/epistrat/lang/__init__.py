"""ISPL: text to checked systems, and back."""

from epistrat.lang.load import Loaded as Loaded, load as load, parse_formula as parse_formula
from epistrat.lang.origins import Origins as Origins
from epistrat.lang.pages import page as page
