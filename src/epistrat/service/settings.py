"""The table of settings: what can be said about a request, in which words, and what is meant where nothing is said.

Every face reads it: the command makes its flags from these rows, Python its keywords, the studio its form; `epistrat.service.asking`
makes requests of what they were given.  Options of single engines are rows of the engines' own (`epistrat.engines.tuning`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from epistrat.answers import Strategies
from epistrat.answers.verdict import Watching
from epistrat.engines.contract import STRATEGY_STATES
from epistrat.engines.registry import NAMES as ENGINES, options as engine_options, read_options
from epistrat.engines.tuning import BadOption, Tuning
from epistrat.logic.formula import Reading
from epistrat.model.system import Blocking, Scheduling
from epistrat.model.transform.choices import Choosing
from epistrat.records import dataclass
from epistrat.service import values

__all__ = ["ENGINES", "STRATEGY_STATES", "BadOption", "Row", "Tuning", "engine_options", "read_options"]


@dataclass(frozen=True, slots=True)
class Row:
    """A setting: its name, what it sets in words, how a value is read, and which one is meant where none is given.

    ``value`` is what help calls the value; a switch has none.  ``flag`` is how a shell writes it, if not ``--name``.
    ``listed``: there may be several.
    """

    name: str
    words: str
    read: Callable[[Any], Any] = values.switch
    default: Any = False
    value: str = ""
    choices: tuple[str, ...] = ()
    flag: str = ""
    listed: bool = False

    @property
    def flags(self) -> list[str]:
        """How a shell writes it."""
        return self.flag.split() or [f"--{self.name.replace('_', '-')}"]


def _words(words: str) -> tuple[str, ...]:
    return tuple(words.split())


STRICT = Row("strict", "accept only what MCMAS accepts")
ENGINE = Row("engine", "which engine is asked", values.text, "auto", "E")
READINGS = (
    Row(
        "strategies",
        "how <g> is read (usually any; objective in interleaved models)",
        values.one_of(Strategies),
        None,
        choices=_words("any uniform objective subjective"),
    ),
    Row(
        "choices",
        "interleaved: what can be chosen",
        values.one_of(Choosing),
        Choosing.WRITTEN,
        choices=_words("written single sets"),
    ),
    Row(
        "blocking",
        "interleaved: what happens where choices leave nothing",
        values.one_of(Blocking),
        Blocking.WAIT,
        choices=_words("wait adversary ignore"),
    ),
    Row(
        "scheduling",
        "interleaved: which plays of strategies count",
        values.one_of(Scheduling),
        Scheduling.ANY,
        choices=_words("any fair"),
    ),
)
GROUP = Row("group", "with --strategies uniform: only this group's members choose", values.group, None, "g")
TIME = Row("time", "seconds", values.positive, None, "S")
MEMORY = Row("memory", "resident memory, such as 500MB or 2GB", values.size, None, "SIZE")
STRATEGY_MEMORY = Row(
    "strategy_memory",
    "with --strategies objective or subjective: states of memory that each member's strategy has (default: 1)",
    values.strategy_memory,
    1,
    "N",
)
LIMITS = (
    TIME,
    MEMORY,
    Row("nodes", "symbolic: nodes of decision diagrams", values.count, None, "N"),
    Row("states", "engines that store states: how many", values.natural, None, "N"),
    Row("cores", "cores for engines side by side (all); 1: they take turns", values.count, None, "N"),
)
ONLY = Row("only", "only the formulae with these numbers or names", values.chosen, None, "N,..")
WHAT = (
    Row(
        "formulae",
        "check this instead of the model's formulae (repeatable)",
        values.formulae,
        None,
        "FORMULA",
        flag="-f --formula",
        listed=True,
    ),
    ONLY,
    Row("deadlock", "also check that no reachable state is a dead end"),
    Row("overflow", "also check that no assignment leaves its range"),
    Row(
        "recall",
        "agents remember their last W observations (default: 0); none, full: what strategies remember",
        values.recall,
        0,
        "W",
    ),
    STRATEGY_MEMORY,
    Row(
        "watching",
        "equilibria: what strategies with memory see of the past",
        values.one_of(Watching),
        Watching.ACTIONS,
        choices=_words("actions states"),
    ),
    Row(
        "knowledge",
        "what agents compare: what they see now, also the time, all they saw, or what changed (usually: as the model says)",
        values.one_of(Reading),
        None,
        choices=_words("observation clock recall changes"),
    ),
    Row("expect", "compare with the verdicts in the file's `-- expect:` lines"),
)
EVIDENCE = (
    Row("evidence", "show why: runs, look-alike states, strategies"),
    Row("examples", "with --evidence: up to N different pieces", values.count, 1, "N", flag="--all"),
    Row("full", "with --evidence: every variable, not only those that matter"),
    Row("agents", "with --evidence: only what these agents see and do", values.names, None, "A,B"),
    Row("depth", "with --evidence: how deep a tree is unfolded", values.natural, 2, "N"),
)
REPLAY = Row("replay", "do not walk the evidence again to check it", values.switch, True, flag="--no-replay")
PROOFS = (
    Row(
        "proof", "prove verdicts again, whatever it takes, and keep the obligations in DIR", values.folder, None, "DIR"
    ),
    Row("drat", "with --proof: also the SAT solver's proofs"),
    Row("require_proof", "a verdict that is neither proved again nor checked is unknown"),
    Row("prove", "do not prove verdicts again", values.switch, True, flag="--no-proof"),
)
CHECK = (
    *WHAT,
    *EVIDENCE,
    REPLAY,
    *PROOFS,
    Row("strategy_states", "states that a strategy in evidence may cover", values.natural, STRATEGY_STATES, "N"),
    Row("explain", "evidence also in words (usually: where there is evidence)", values.switch, None),
    Row("remarks", "one sentence why a formula fails", values.switch, True),
    Row("facts", "what the reachable states look like", values.switch, True),
)
EVERY = (
    Row("sizes", "for every value of a parameter: n, n=4.. or n=4..40", values.sizes, None, "N", flag="--every"),
    Row("upto", "with --every: check values up to this one", values.whole, values.MOST_CHECKED, "N"),
)
STRATEGY = (
    Row(
        "formula",
        "what to enforce, such as '<group>F win'; without one, every formula of the model that asks for a strategy",
        lambda given: given,
        None,
        "FORMULA",
        flag="-f --formula",
    ),
    Row("only", "only the model's formulae with these numbers or names", values.chosen, None, "N,.."),
    STRATEGY_MEMORY,
    Row("verify", "check the model restricted to the strategy"),
    Row("table", "states that the strategy may cover", values.natural, 20_000, "N"),
    Row("restricted", "the model restricted to the strategy"),
)
EQUILIBRIUM = (
    Row(
        "where",
        "ask whether some, whether every equilibrium satisfies a path formula, such as 'F paid'",
        lambda given: given,
        None,
        "FORMULA",
    ),
)
INFO = (
    Row("explore", "do not explore the states", values.switch, True, flag="--no-states"),
    Row("coverage", "lines, actions and values that never occur in reachable states"),
    Row(
        "reduce",
        "sizes with partial order reduction, formula by formula (auto, singleton or linear)",
        values.text,
        None,
        "MODE",
        _words("auto singleton linear"),
    ),
    Row("self_check", "with --reduce, on small models: compare with the full state space"),
)
IMPLEMENT = tuple(row for row in WHAT if row.name == "knowledge")
EXPORT = (Row("most", "states that are drawn or listed", values.count, 1, "N"),)
EXCHANGE = (Row("form", "for which tools", values.text, "vmt", "FORM", _words("vmt smv aiger")), ONLY)
_HOUR, _GIGABYTES = 3_600.0, 4_000_000_000
FACES: Mapping[str, Mapping[str, Any]] = {
    "python": {"evidence": True, "explain": False},
    "studio": {"evidence": True, "time": _HOUR, "memory": _GIGABYTES},
    "editor": {"time": 60.0, "memory": _GIGABYTES, "facts": False},
}
"""What a face means, other than the command, where its user says nothing."""
