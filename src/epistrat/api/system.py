"""Models that can be asked: `System`, where they come from (`load`, `Builder`), and their questions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, Unpack, cast

from epistrat.answers import Strategies
from epistrat.api.equilibrium import FoundEquilibrium
from epistrat.api.every import ForAllSizes
from epistrat.api.options import CheckOptions, settings_of
from epistrat.api.result import Report, Results
from epistrat.api.simulation import Simulation
from epistrat.api.states import NamedState
from epistrat.api.strategy import FoundStrategy
from epistrat.lang.load import Loaded
from epistrat.lang.vocabulary import STRUCTURE
from epistrat.logic.formula import Formula, Truth
from epistrat.model.builder import Builder as ModelBuilder
from epistrat.model.handles import ModelError
from epistrat.model.show import to_ispl
from epistrat.model.state import State, alike_pairs
from epistrat.model.system import System as ModelSystem
from epistrat.records import dataclass, field, fields
from epistrat.service import (
    CheckRequest,
    EquilibriumRequest,
    EveryRequest,
    ExportRequest,
    File,
    Given,
    InputError,
    StrategyRequest,
    Text,
    ask,
    asking,
)
from epistrat.service.events import ignore
from epistrat.service.models import read, read_formula
from epistrat.service.requests import ImplementRequest
from epistrat.solvers.budget import OutOfBudget
from epistrat.source import Diagnostic
from epistrat.terms import Enumeration

_SYSTEM_FIELDS = tuple(one.name for one in fields(ModelSystem))
_COMPARED_FIELDS = tuple(one.name for one in fields(ModelSystem) if one.compare)


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
        return all(getattr(self, name) == getattr(other, name) for name in _COMPARED_FIELDS)

    __hash__ = None  # type: ignore[assignment]  # as of every value that holds dictionaries

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings about the model's text."""
        return tuple(self.loaded.diagnostics) if self.loaded is not None else ()

    def formula(self, text: str) -> Formula:
        """The formula that a text denotes; raises `InputError` if it denotes none."""
        return read_formula(text, self)

    def check(
        self, formula: str | Formula | Sequence[str | Formula] | None = None, **options: Unpack[CheckOptions]
    ) -> Results:
        """Check one formula, several, or (None) the model's own; see `report` for the options."""
        return Results(self.report(formula, facts=False, **options).results)

    def strategy(
        self,
        formula: str | Formula,
        *,
        strategies: str | Strategies | None = None,
        group: str | Iterable[str] | None = None,
        verify: bool = False,
        table: int = 20_000,
        time: float | None = None,
    ) -> FoundStrategy:
        """A strategy that enforces the formula (``<group>F goal``), as rules; false where there is none.

        ``verify``: check the model restricted to it as well.  ``table``: how many states it may cover.
        """
        given = {
            "formula": _formula(formula),
            "restricted": True,
            "verify": verify,
            "table": table,
            "strategies": strategies,
            "group": group,
            "time": time,
        }
        request = asking.request(StrategyRequest, Given(self, self.loaded), given, face="python")
        return FoundStrategy(ask(request)[1][0])

    def equilibrium(
        self, where: str | Formula | None = None, *, engine: str = "auto", time: float | None = None
    ) -> FoundEquilibrium:
        """Is there a Nash equilibrium of the agents' goals, for strategies with memory and without?  False where there is none.

        ``where`` is a path formula: does some, does every equilibrium satisfy it?  See docs/strategies-with-names.md.
        """
        given = {"where": where, "engine": engine, "time": time}
        request = asking.request(EquilibriumRequest, Given(self, self.loaded), given, face="python")
        return FoundEquilibrium(ask(request)[1])

    def every(self, parameter: str, *, upto: int | None = None, **options: Any) -> ForAllSizes:
        """Do the formulae hold for every value of a parameter?  ``parameter`` is ``"n"``, ``"n=4.."`` or ``"n=4..40"``.

        Values are checked from the smallest on, up to ``upto`` where there is no largest; other options are those of `check`.  True if
        all formulae are proved for every value.  See docs/any-number.md.
        """
        given = {"sizes": parameter, "upto": upto, **options}
        request = asking.request(EveryRequest, Given(self, self.loaded), given)
        return ForAllSizes(ask(request)[1], request.model.name)

    def graph(self, most: int = 10_000, *, look_alikes: bool | str | Iterable[str] = False) -> Any:
        """The reachable states as a `networkx.MultiDiGraph`: states are nodes, with ``initial``; edges carry ``actions``.

        With ``look_alikes`` (true, or the names of agents) there are also edges with ``alike``: the agents to whom two states look the
        same; each pair has one, from the smaller number to the larger.
        Needs networkx.  Raises `OutOfBudget` where there are more than ``most`` states.
        """
        try:
            import networkx  # type: ignore[import-untyped,unused-ignore]  # an extra, which may have types
        except ImportError as error:
            raise ImportError("model.graph() needs networkx: pip install 'epistrat[graph]'") from error

        if self.is_program:
            return self.implement().graph(most, look_alikes=look_alikes)
        reached = ask(ExportRequest(model=Given(self, self.loaded), most=most))[1].reached
        graph = networkx.MultiDiGraph()
        names = [str(variable) for variable in self.variables]
        for number, state in enumerate(reached.states):
            graph.add_node(number, initial=number in reached.initial, **dict(zip(names, state, strict=True)))
        agents = [agent.name for agent in self.agents]
        for source, steps in enumerate(reached.steps):
            for joint, target in steps:
                graph.add_edge(source, target, actions=dict(zip(agents, joint, strict=True)))
        for pair, observers in self._alike(reached.states, look_alikes, most).items():
            graph.add_edge(*pair, alike=observers)
        return graph

    def _alike(
        self, states: Sequence[State], look_alikes: bool | str | Iterable[str], most: int
    ) -> dict[tuple[int, int], tuple[str, ...]]:
        if look_alikes is False:
            return {}
        wanted = [agent.name for agent in self.agents if not agent.is_environment]
        if look_alikes is not True:
            wanted = [look_alikes] if isinstance(look_alikes, str) else list(look_alikes)
        for name in wanted:
            if name not in self.views:
                raise LookupError(f"there is no agent {name!r}; there are {', '.join(self.views)}")
        try:
            found = alike_pairs(self, states, 10 * most)
        except OverflowError as too_many:
            raise OutOfBudget(str(too_many)) from None
        shown = {pair: tuple(one for one in agents if one in wanted) for pair, agents in found.items()}
        return {pair: agents for pair, agents in shown.items() if agents}

    def state(self, values: State) -> NamedState:
        """A state whose variables can be asked by name: one of evidence, or of a graph."""
        return NamedState(self, values)

    def report(
        self,
        formula: str | Formula | Sequence[str | Formula] | None = None,
        *,
        facts: bool = True,
        **options: Unpack[CheckOptions],
    ) -> Report:
        """Check, and say what is known of the reachable states.

        ``engine``: a name, "auto" or "all".  ``strategies``: how coalition operators are read; ``group``: with "uniform", whose
        members choose.  ``choices``, ``blocking``, ``scheduling``: how strategies of interleaved systems are
        played.  ``evidence``: up to ``examples`` pieces, re-checked by independent code unless ``replay`` is false;
        ``strategy_states`` bounds the tables of strategies.
        ``recall``: agents remember so many past observations.  ``deadlock``, ``overflow``: check these properties of the reachable
        states as well.  ``only``: numbers or names of the model's formulae.
        ``time`` (seconds), ``memory`` (bytes), ``nodes``, ``states``: limits; what they cut off is unknown.  ``cores``: how many engines
        may use (1: they take turns).  ``budget``: the same, to be cancelled.  ``watch`` hears the events of the check
        (`epistrat.service.events`).  Further keywords are the options of single engines; docs/cli.md lists them.
        """
        given = {"formulae": _several(formula), "facts": facts, **settings_of(options)}
        request = asking.request(CheckRequest, Given(self, self.loaded), given, face="python")
        found = ask(request, options.get("budget"), options.get("watch", ignore))[0]
        made = self.is_program and found.system is not None
        return Report(System.of(found.system) if made and found.system is not None else self, found)

    def implement(self, knowledge: str | None = None, *, time: float | None = None) -> System:
        """The ordinary model that a program is, whose protocols ask what agents know; others are returned as they are.

        ``knowledge``: how guards are read that do not say it, `clock` or `recall`; None: as the model says.  Each guard is compared with
        the condition that takes its place.
        """
        given = {"knowledge": knowledge, "time": time}
        request = asking.request(ImplementRequest, Given(self, self.loaded), given, face="python")
        return System.of(ask(request)[1].implementation.printed)

    def simulate(self, seed: int | None = None) -> Simulation:
        """Walk through the model step by step."""
        return Simulation(self.implement() if self.is_program else self, seed)

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


def _several(formula: str | Formula | Sequence[str | Formula] | None) -> tuple[str | Formula, ...] | None:
    if formula is None:
        return None
    several = formula if isinstance(formula, (list, tuple)) else [formula]
    return tuple(_formula(one) for one in several)


def _formula(formula: object) -> str | Formula:
    if isinstance(formula, str) or type(formula).__module__ == Truth.__module__:
        return cast("str | Formula", formula)
    raise TypeError(f"a formula is a text, such as 'AG p', or what `model.formula(text)` gives; this is {formula!r}")


def _html(items: Iterable[str]) -> str:
    return escape(", ".join(items))


def load(source: str | os.PathLike[str], *, strict: bool = False, **parameters: int) -> System:
    """Load a model from a file, or from its text: what is blank or contains a line break or a semicolon is taken for text.

    Further keywords are values for the model's parameters: ``load("cryptographers.ispl", n=10)``.

    Raises `InputError`, whose ``diagnostics`` say what is wrong and where.
    """
    if isinstance(source, str) and (not source.strip() or "\n" in source or ";" in source):
        loaded = read(Text(source, parameters=parameters), strict=strict)
    else:
        loaded = read(File(os.fspath(source), parameters), strict=strict)
    if loaded.system is None:
        raise InputError(loaded.diagnostics)
    return System.of(loaded.system, loaded)


class Builder(ModelBuilder):
    """A model written in Python; see docs/python-api.md.  Formulae may be given as text."""

    def __init__(self, *, interleaved: bool = False, single: bool = False) -> None:
        super().__init__(interleaved=interleaved, single=single, reader=read_formula)

    def build(self) -> System:
        """The finished system.  What is no model as ISPL is none here either: the same validation raises `ModelError`."""
        system = super().build()
        reserved = sorted(set(_names(system)) & STRUCTURE)
        if reserved:
            raise ModelError(f"`{reserved[0]}` is a reserved word and cannot be a name")
        loaded = read(Text(to_ispl(system), "<built>"))
        if loaded.system is None:
            raise ModelError("; ".join([_complaint(one) for one in loaded.diagnostics if one.is_error][:3]))
        return System.of(system)


def _names(system: ModelSystem) -> Iterator[str]:
    """What was named, except the Environment and its like."""
    yield from (agent.name for agent in system.agents if not agent.is_environment)
    for agent in system.agents:
        yield from agent.actions
        for variable in agent.variables:
            yield variable.name
            yield from variable.domain.values if isinstance(variable.domain, Enumeration) else ()
    yield from (*system.propositions, *system.groups)


def _complaint(diagnostic: Diagnostic) -> str:
    """What is wrong, with the line it is about as ISPL."""
    if diagnostic.span is None or diagnostic.source is None:
        return diagnostic.message
    line = diagnostic.source.line(diagnostic.source.position(diagnostic.span.start).line).strip()
    return f"{diagnostic.message}, in `{line}`"
