"""Which strategies have names at a place of a formula, and which agents follow them.

Before a temporal operator every agent that declares actions must be bound; what stands below A, E or ``<g>`` is about the whole system.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from epistrat.lang.names import closest
from epistrat.lang.scope import Scope
from epistrat.lang.syntax import Binding, Marked, WordRange
from epistrat.source import Edit, Fix, Span


class NamedStrategies:
    """The names and bindings at the place that is being read."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._variables: list[str] = []
        self._bound: list[str] | None = None
        self._told = False

    def begin(self, _: Marked) -> None:
        """A new formula."""
        self._variables, self._bound, self._told = [], None, False

    @contextmanager
    def quantified(self, names: Sequence[str]) -> Iterator[None]:
        """Below a quantifier."""
        before, bound = list(self._variables), self._bound
        self._variables += names
        self._bound = [] if bound is None else bound
        yield
        self._variables, self._bound = before, bound

    @contextmanager
    def bound(self, node: Binding, members: Sequence[str]) -> Iterator[None]:
        """Below a binding, whose variable must have been quantified."""
        name = self._scope.words[node.variable]
        if name not in self._variables:
            meant = closest(name, self._variables)
            label = "" if meant else f"write `<<{name}>>` or `[[{name}]]` before it"
            place = WordRange(node.variable, node.variable + 1)
            self._scope.error("E065", f"no quantifier introduces the strategy `{name}`", place, label, meant)
        bound = self._bound
        self._bound = [*(bound or ()), *members]
        yield
        self._bound = bound

    @contextmanager
    def whole_system(self) -> Iterator[None]:
        """Below a path quantifier or a coalition, where strategies do not restrict the runs."""
        bound = self._bound
        self._bound = None
        yield
        self._bound = bound

    def goal(self, node: WordRange) -> None:
        """A temporal operator: who acts must follow a strategy."""
        if self._bound is None or self._told:
            return
        missing = [
            agent.name
            for agent in self._scope.names.agents.values()
            if (agent.actions or agent.vague) and agent.name not in self._bound
        ]
        if not missing:
            return
        self._told = True
        span = self._scope.source.span(node.start, node.end)
        names = " and ".join(missing)
        fixes = self._fix(missing, span)
        message = f"{names} {'has' if len(missing) == 1 else 'have'} no strategy here"
        label = f"bind {'it' if len(missing) == 1 else 'them'}: `({missing[0]}, x)` before this"
        self._scope.report.error("E065", message, span, label=label, edit=fixes)

    def _fix(self, missing: Sequence[str], span: Span) -> Fix | None:
        """The missing bindings, if it is clear which strategy is meant."""
        if not self._variables:
            return None
        text = "".join(f"({name}, {self._variables[-1]}) " for name in missing)
        return Fix(f"insert `{text.strip()}`", (Edit(Span(span.start, span.start), text),))
