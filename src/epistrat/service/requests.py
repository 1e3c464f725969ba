"""What can be asked, as frozen values that pickle.  Faces build them; `epistrat.service.run` serves them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from epistrat.answers import Certificate, Focus, Strategies
from epistrat.answers.verdict import Watching
from epistrat.evidence.findings import MOST_SURVEYED
from epistrat.jobs.limits import UNLIMITED, Limits
from epistrat.lang.load import Loaded
from epistrat.logic.formula import Formula, Reading
from epistrat.model.system import System
from epistrat.model.transform.choices import USUAL, PlayRules
from epistrat.records import dataclass, field
from epistrat.service.settings import STRATEGY_STATES, Tuning
from epistrat.service.values import MOST_CHECKED, Sizes


@dataclass(frozen=True, slots=True)
class File:
    """A model in a file, with values for its parameters.  ``outside`` allows it to include files outside its folder."""

    name: str
    parameters: Mapping[str, int] = field(default_factory=dict)
    outside: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """A model as text, or as the bytes of a text, what it is called in messages, and values for its parameters.

    A text that belongs into a ``folder``, and is called as a file there, may include files of that folder.
    """

    content: str | bytes
    name: str = "<text>"
    parameters: Mapping[str, int] = field(default_factory=dict)
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A model that was loaded or built before."""

    system: System
    loaded: Loaded | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return self.loaded.source.name if self.loaded is not None else "<model>"


Model: TypeAlias = File | Text | Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What every request says: which model, how it is read (``strict``: as MCMAS does), and what serving it may use."""

    model: Model
    strict: bool = False
    equal_enumerations: bool = False
    limits: Limits = UNLIMITED


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineRequest(Request):
    """A request that engines work on; ``tuning`` are the options of single engines (see `epistrat.service.settings`).

    ``strategies`` None is the usual reading: `any` in synchronous systems, `objective` in interleaved ones.  ``play`` is about the
    latter only.
    """

    engine: str = "auto"
    strategies: Strategies | None = None
    play: PlayRules = USUAL
    group: str | tuple[str, ...] | None = None
    tuning: tuple[Tuning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest(EngineRequest):
    """Does the model satisfy its formulae, or those given?

    ``only`` picks formulae by number or name.  ``deadlock`` and ``overflow`` ask for two properties of the reachable states as well.

    ``evidence`` asks for up to ``examples`` pieces of evidence, with strategies of up to ``strategy_states`` states.  They are re-checked
    independently unless ``replay`` is false, and explained in words if there is a ``focus``.

    ``remarks`` asks for a sentence why a formula fails and a note where one holds vacuously, where that costs little and no evidence is
    asked for.  ``facts`` asks what the reachable states look like.  ``expect`` compares with the verdicts that the file expects.

    Unless ``prove`` is false, verdicts are proved again: within a share of what the check costs; in full where there is ``evidence``,
    where a directory ``proof`` is to keep the obligations (with a SAT solver's refutations if there is ``drat``), and where a verdict
    that is neither proved nor checked is unknown (``require_proof``).

    ``recall``: agents remember so many past observations (see `epistrat.model.transform.recall`); ``"none"`` or ``"full"``: strategies
    do not, or do, remember all that has happened.  ``watching`` says what they see of it in equilibria.

    ``strategy_memory``: strategies on what is seen have so many states of memory (see `epistrat.model.transform.memory`).

    ``knowledge`` is how operators of knowledge are read that do not say it; None: as the model says.
    """

    formulae: tuple[str | Formula, ...] | None = None
    only: tuple[int | str, ...] | None = None
    deadlock: bool = False
    overflow: bool = False
    evidence: bool = False
    examples: int = 1
    strategy_states: int = STRATEGY_STATES
    replay: bool = True
    focus: Focus | None = None
    remarks: bool = True
    facts: bool = True
    expect: bool = False
    recall: int | str = 0
    strategy_memory: int = 1
    watching: Watching = Watching.ACTIONS
    knowledge: Reading | None = None
    prove: bool = True
    proof: str | None = None
    drat: bool = False
    require_proof: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryRequest(CheckRequest):
    """Does the model satisfy its formulae for every value of a parameter?

    Where ``sizes`` has no end, values up to ``upto`` are checked.  Numbers in ``only`` count formulae as they are written.
    """

    sizes: Sizes
    upto: int = MOST_CHECKED


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoRequest(EngineRequest):
    """What does the model consist of?  ``explore``: count its states; ``reduce``: what partial order reduction does for each formula.

    ``coverage``: which lines, actions and values never occur in reachable states.
    """

    explore: bool = True
    reduce: str | None = None
    self_check: bool = False
    coverage: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRequest(EngineRequest):
    """A strategy that enforces the formula, as rules; without one, a strategy for each formula of the model that asks for it.

    ``only`` picks formulae of the model by number or name.
    ``strategy_memory``: how many states of memory it has.
    ``table``: how many states it may cover.  ``restricted``: also the model restricted to it; ``verify``: check the formula there.
    """

    formula: str | Formula | None = None
    only: tuple[int | str, ...] | None = None
    strategy_memory: int = 1
    table: int = 20_000
    restricted: bool = False
    verify: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EquilibriumRequest(EngineRequest):
    """Is there a Nash equilibrium?  With ``where``, a path formula: does some, does every equilibrium satisfy it?"""

    where: str | Formula | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest(Request):
    """The graph of the reachable states, where they are at most ``most``."""

    most: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeRequest(Request):
    """The model itself as VMT-LIB (``vmt``), as an SMV program (``smv``) or, with one of its formulae, as an AIGER circuit (``aiger``).

    ``only`` picks formulae by number or name.
    """

    form: str
    only: tuple[int | str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ImplementRequest(Request):
    """The ordinary system that a program is, its guards being read so where they do not say it; None: as the model says."""

    knowledge: Reading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRequest(EngineRequest):
    """The reachable states, at most ``most`` with ``most_steps`` steps, and where each of these state formulae holds."""

    formulae: tuple[Formula, ...] = ()
    most: int = 20_000
    most_steps: int = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest(Request):
    """Do these answers hold up?  Where the model has at most ``survey`` states, all of them are visited; ``prove``: verdicts are proved.

    ``knowledge`` is how the guards of a program were read, where it is not as the model says.
    """

    knowledge: Reading | None = None
    certificates: tuple[Certificate, ...] = ()
    survey: int = MOST_SURVEYED
    prove: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateRequest(Request):
    """A random run of so many steps."""

    steps: int
    seed: int | None = None
