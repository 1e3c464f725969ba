"""Families as trees: what is said about all sizes at once is read off the template itself, not off one size of it.

`tree` says what there is: agents, lines and terms with index terms (`index`) and ranges left standing.  `reading.template` makes it of a
text, `writing.written` writes it out for one value, which gives the system that the text describes for that value: the test of the tree.
`put` puts index terms in the place of indices.
"""

from epistrat.lang.templates.holes import NotATree as NotATree
from epistrat.lang.templates.reading import template as template
from epistrat.lang.templates.tree import Template as Template
from epistrat.lang.templates.writing import written as written
