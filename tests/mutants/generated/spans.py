"""Places in a text: Python's syntax tree counts lines and bytes, a text is cut by characters."""

from __future__ import annotations

import ast


class Lines:
    """A text that knows where its nodes are."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> tuple[int, int]:
        """Where a node begins and ends, without brackets around it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._at(node.lineno, node.col_offset), self._at(node.end_lineno, node.end_col_offset)

    def of(self, node: ast.expr | ast.stmt | ast.keyword) -> str:
        """A node's text."""
        begin, end = self.span(node)
        return self.text[begin:end]

    def indentation(self, node: ast.stmt) -> str:
        """What stands before a statement on its line."""
        begin, _ = self.span(node)
        return self.text[self._starts[node.lineno - 1] : begin]

    def _at(self, line: int, column: int) -> int:
        before = self._lines[line - 1].encode()[:column]
        return self._starts[line - 1] + len(before.decode())
