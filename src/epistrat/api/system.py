"""Models that can be asked: `System`, where they come from (`load`, `Builder`), and their questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from typing import Any, cast

from epistrat import pipeline
from epistrat.answers import Question, Strategies
from epistrat.api.result import Report, Result
from epistrat.engines.contract import STRATEGY_STATES, Options, Watcher, silent
from epistrat.engines.registry import read_options
from epistrat.lang.load import Loaded
from epistrat.logic.formula import Formula
from epistrat.model.builder import Builder as ModelBuilder
from epistrat.model.show import to_ispl
from epistrat.model.system import System as ModelSystem
from epistrat.pipeline import InputError
from epistrat.simulation import Simulation
from epistrat.solvers.budget import Budget
from epistrat.source import Diagnostic

_SYSTEM_FIELDS = tuple(one.name for one in fields(ModelSystem))


@dataclass(frozen=True, eq=False)
class System(ModelSystem):
    """A checked model that can be asked.  Two systems are equal if they describe the same model, wherever they came from."""

    loaded: Loaded | None = field(default=None, repr=False)

    @classmethod
    def of(cls, system: ModelSystem, loaded: Loaded | None = None) -> System:
        """The same model with questions and answers."""
        return cls(**{name: getattr(system, name) for name in _SYSTEM_FIELDS}, loaded=loaded)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModelSystem):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _SYSTEM_FIELDS)

    __hash__ = None  # type: ignore[assignment]  # as of every value that holds dictionaries

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings about the model's text."""
        return tuple(self.loaded.diagnostics) if self.loaded is not None else ()

    def formula(self, text: str) -> Formula:
        """The formula that a text denotes; raises `InputError` if it denotes none."""
        return pipeline.read_formula(text, self)

    def check(self, formula: str | Formula | Sequence[str | Formula] | None = None, **options: Any) -> list[Result]:
        """Check one formula, several, or (None) the model's own; see `report` for the options."""
        return list(self.report(formula, facts=False, **options).results)

    def report(
        self,
        formula: str | Formula | Sequence[str | Formula] | None = None,
        *,
        engine: str = "auto",
        strategies: str | Strategies = Strategies.ANY,
        group: str | Iterable[str] | None = None,
        evidence: bool = True,
        examples: int = 1,
        strategy_states: int = STRATEGY_STATES,
        replay: bool = True,
        only: Iterable[int] | None = None,
        time: float | None = None,
        memory: int | None = None,
        nodes: int | None = None,
        states: int | None = None,
        budget: Budget | None = None,
        watch: Watcher = silent,
        facts: bool = True,
        **tuning: Any,
    ) -> Report:
        """Check, and say what is known of the reachable states.

        ``engine``: a name, "auto" or "all".  ``strategies``: how coalition operators are read; ``group``: with "uniform", whose
        members choose.  ``evidence``: up to ``examples`` pieces, re-checked by independent code unless ``replay`` is false;
        ``strategy_states`` bounds the tables of strategies.  ``only``: numbers of the model's formulae.  ``time`` (seconds), ``memory``
        (bytes), ``nodes``, ``states``: limits; what they cut off is unknown.  ``budget``: the same, for those who want to cancel.
        Further keywords are the options of single engines; docs/cli.md lists them.
        """
        limits = budget or Budget(time, memory, nodes, states)
        tuned = read_options(tuning)
        chosen = Options(Strategies(strategies), self._members(group), evidence, tuned, examples, strategy_states)
        asked = self._questions(formula, only)
        found = pipeline.check(
            self, asked, engine=engine, options=chosen, budget=limits, watch=watch, facts=facts, replayed=replay
        )
        return Report(tuple(Result.about(self, one) for one in found.results), found.facts, found.statistics)

    def _members(self, group: str | Iterable[str] | None) -> tuple[str, ...] | None:
        if isinstance(group, str):
            if group not in self.groups:
                raise LookupError(f"there is no group {group!r}; there are {', '.join(self.groups) or 'none'}")
            return tuple(self.groups[group])
        return None if group is None else tuple(group)

    def _questions(
        self, formula: str | Formula | Sequence[str | Formula] | None, only: Iterable[int] | None
    ) -> list[Question]:
        if formula is None:
            return pipeline.questions(self, only=only, origins=self.loaded.origins if self.loaded else None)
        several: Iterable[str | Formula] = (
            formula if isinstance(formula, (list, tuple)) else (cast("str | Formula", formula),)
        )
        read: list[Formula] = [self.formula(one) if isinstance(one, str) else one for one in several]
        return pipeline.questions(self, read, only)

    def simulate(self, seed: int | None = None) -> Simulation:
        """Walk through the model step by step."""
        return Simulation(self, seed)

    def to_ispl(self) -> str:
        """The model as ISPL text that loads to an equal system."""
        return to_ispl(self)

    def _repr_html_(self) -> str:
        """For notebooks: the agents with their variables and actions."""
        rows = "".join(
            f"<tr><td>{escape(agent.name)}</td><td>{_html(f'{v.name}: {v.domain}' for v in agent.variables)}</td>"
            f"<td>{_html(agent.actions)}</td></tr>"
            for agent in self.agents
        )
        return f"<table><tr><th>agent</th><th>variables</th><th>actions</th></tr>{rows}</table>"


def _html(items: Iterable[str]) -> str:
    return escape(", ".join(items))


def load(source: str | os.PathLike[str], *, strict: bool = False) -> System:
    """Load a model from a file, or from its text: what is blank or contains a line break or a semicolon is taken for text.

    Raises `InputError`, whose ``diagnostics`` say what is wrong and where.
    """
    if isinstance(source, str) and (not source.strip() or "\n" in source or ";" in source):
        loaded = pipeline.load_text(source, strict=strict)
    else:
        loaded = pipeline.load_file(os.fspath(source), strict=strict)
    if loaded.system is None:
        raise InputError(loaded.diagnostics)
    return System.of(loaded.system, loaded)


class Builder(ModelBuilder):
    """A model written in Python; see docs/python-api.md.  Formulae may be given as text."""

    def __init__(self, *, interleaved: bool = False, single: bool = False) -> None:
        super().__init__(interleaved=interleaved, single=single, reader=pipeline.read_formula)

    def build(self) -> System:
        """The finished system."""
        return System.of(super().build())
