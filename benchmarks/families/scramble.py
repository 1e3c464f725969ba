"""The same model in disguise: agents and declarations shuffled, every name replaced by letters that mean nothing.

A variable order that reads names or trusts the order of declarations works well on models that people or scripts have written
neatly.  Scrambling takes both hints away; verdicts and state counts stay what they were.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from string import ascii_lowercase

from benchmarks.families.text import AgentText, ModelText, Question, Spec

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LANGUAGE = frozenset(
    _WORD.findall(
        """
        Agent Environment Obsvars Lobsvars Vars Actions Action Protocol Other Evolution Evaluation InitStates Groups Fairness
        Formulae RedStates GreenStates Semantics MultiAssignment SingleAssignment end if and or xor boolean integer real true false
        LTL AG EG AX EX AF EF A E X F G U W R S Y Once Hist K GK GCK DK O
        """
    )
)


class _Disguise:
    """A source of chance, and the new name of every name met so far; ``shuffles`` says whether lines change places."""

    def __init__(self, seed: int, shuffles: bool) -> None:
        self._chance = random.Random(seed)
        self._shuffles = shuffles
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()

    def shuffled(self, lines: Sequence[str]) -> list[str]:
        """The lines in another order; an Other line stays the last one."""
        last = [line for line in lines if line.startswith("Other")]
        rest = [line for line in lines if not line.startswith("Other")]
        if self._shuffles:
            self._chance.shuffle(rest)
        return [self.text(line) for line in rest + last]

    def text(self, text: str) -> str:
        """The text with every name replaced."""
        return _WORD.sub(lambda match: self._name(match.group()), text)

    def texts(self, texts: Iterable[str]) -> list[str]:
        """Each of the texts with every name replaced."""
        return [self.text(text) for text in texts]

    def _name(self, name: str) -> str:
        if name in _LANGUAGE:
            return name
        if name not in self._names:
            self._names[name] = self._fresh()
        return self._names[name]

    def _fresh(self) -> str:
        while True:
            name = "".join(self._chance.choices(ascii_lowercase, k=7))
            if name not in self._taken and name not in _LANGUAGE:
                self._taken.add(name)
                return name

    def agent(self, agent: AgentText) -> AgentText:
        """The agent, disguised."""
        return replace(
            agent,
            name=self.text(agent.name),
            variables=self.shuffled(agent.variables),
            public=self.shuffled(agent.public),
            sees=self.shuffled(agent.sees),
            actions=self.shuffled(agent.actions),
            protocol=self.shuffled(agent.protocol),
            evolution=self.shuffled(agent.evolution),
        )

    def agents(self, agents: Sequence[AgentText]) -> list[AgentText]:
        """All agents in another order, the Environment first."""
        first = [agent for agent in agents if agent.name == "Environment"]
        rest = [agent for agent in agents if agent.name != "Environment"]
        if self._shuffles:
            self._chance.shuffle(rest)
        return [self.agent(agent) for agent in first + rest]


def rename(model: ModelText, seed: int = 1) -> ModelText:
    """A model that differs from the given one in names only."""
    return scramble(model, seed, shuffles=False)


def scramble(model: ModelText, seed: int = 1, *, shuffles: bool = True) -> ModelText:
    """A model that differs from the given one in names and order only; the order of the questions stays."""
    disguise = _Disguise(seed, shuffles)
    return replace(
        model,
        agents=disguise.agents(model.agents),
        propositions={disguise.text(name): disguise.text(condition) for name, condition in model.propositions.items()},
        initial=disguise.shuffled(list(model.initial)),
        groups={disguise.text(name): disguise.texts(members) for name, members in model.groups.items()},
        specs={
            name: Spec(
                tuple(Question(disguise.text(question.formula), question.holds) for question in spec.questions),
                tuple(disguise.texts(spec.fairness)),
            )
            for name, spec in model.specs.items()
        },
    )
