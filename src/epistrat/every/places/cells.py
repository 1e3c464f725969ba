"""Variables with their indices."""

from __future__ import annotations

from typing import NamedTuple

from epistrat.lang.templates.tree import AgentTree, Declared, Scope


class Cell(NamedTuple):
    """A variable of an agent."""

    agent: AgentTree
    declared: Declared

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """The indices of the cell: those of the agent, then its own."""
        return (*self.agent.scopes, *self.declared.scopes)

    @property
    def names(self) -> tuple[str, ...]:
        """What the indices are called where the cell is declared."""
        return tuple(binder.name for scope in self.scopes for binder in scope.binders)

    @property
    def word(self) -> str:
        """Agent and variable."""
        return f"{self.agent.name.word}.{self.declared.name.word}"

    @property
    def key(self) -> tuple[str, str]:
        """Agent and variable."""
        return self.agent.name.word, self.declared.name.word

    @property
    def boolean(self) -> bool:
        """Whether it is true or false."""
        return self.declared.kind == "boolean"
