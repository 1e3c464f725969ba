"""Which indices of names stand for members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from epistrat.every.spots import Outside
from epistrat.lang.templates import tree
from epistrat.lang.templates.index import Index

T = TypeVar("T")


class Kinds:
    """Which indices of names are members: those with a range that depends on the parameter, somewhere."""

    def __init__(self, template: tree.Template) -> None:
        self._parameter = template.parameter.name
        self._agents: dict[str, tuple[bool, ...]] = {}
        self._variables: dict[tuple[str, str], tuple[bool, ...]] = {}
        self._actions: dict[str, tuple[bool, ...]] = {}
        self._propositions: dict[str, tuple[bool, ...]] = {}
        for agent in template.agents:
            self._note(self._agents, agent.name.word, agent.name, agent.scopes)
            for one in (*agent.public, *agent.variables):
                self._note(self._variables, (agent.name.word, one.name.word), one.name, (*agent.scopes, *one.scopes))
            for action in agent.actions:
                scopes = agent.scopes if action.scope is None else (*agent.scopes, action.scope)
                self._note(self._actions, action.name.word, action.name, scopes)
        for proposition in template.propositions:
            self._note(self._propositions, proposition.name.word, proposition.name, proposition.scopes)

    def _note(self, table: dict[T, tuple[bool, ...]], key: T, name: tree.Name, scopes: tuple[tree.Scope, ...]) -> None:
        binders = {one.name: one for scope in scopes for one in scope.binders}
        kinds = tuple([self._member(index, binders) for index in name.indices])
        before = table.get(key, kinds)
        if len(before) != len(kinds):
            raise Outside(f"`{name.word}` has different numbers of indices")
        table[key] = tuple([one or other for one, other in zip(before, kinds, strict=True)])

    def _member(self, index: Index, binders: Mapping[str, tree.Binder]) -> bool:
        return any(not self.numeric(binders[name]) for name in index.names() if name in binders) or (
            self._parameter in index.names()
        )

    def numeric(self, one: tree.Binder) -> bool:
        """Whether a range does not depend on the parameter."""
        return self._parameter not in one.low.names() | one.high.names()

    def agent(self, name: tree.Name) -> tuple[bool, ...]:
        """For each index of an agent's name, whether it is a member."""
        return self._of(self._agents.get(name.word), name)

    def is_member(self, name: tree.Name) -> bool:
        """Whether agents of this name are members."""
        return any(self._agents.get(name.word, ()))

    def variable(self, agent: str, name: tree.Name) -> tuple[bool, ...]:
        """The same for a variable."""
        return self._of(self._variables.get((agent, name.word)), name)

    def agents(self, word: str) -> tuple[bool, ...]:
        """The same for all agents of a name."""
        return self._agents[word]

    def variables(self, agent: str, word: str) -> tuple[bool, ...]:
        """The same for all variables of a name."""
        return self._variables[agent, word]

    def has_variable(self, agent: str, word: str) -> bool:
        """Whether agents of this name have a variable of that name."""
        return (agent, word) in self._variables

    def action(self, name: tree.Name) -> tuple[bool, ...]:
        """The same for an action."""
        return self._of(self._actions.get(name.word), name)

    def proposition(self, name: tree.Name) -> tuple[bool, ...] | None:
        """The same for a proposition; None if there is none of that name."""
        found = self._propositions.get(name.word)
        return None if found is None else self._of(found, name)

    def _of(self, found: tuple[bool, ...] | None, name: tree.Name) -> tuple[bool, ...]:
        if found is None or len(found) != len(name.indices):
            raise Outside(f"`{name}` is not declared so")
        return found
