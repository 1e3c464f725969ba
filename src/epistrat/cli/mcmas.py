"""``epistrat mcmas``: MCMAS's switches and output lines, so that scripts written for it keep working.

Exit statuses are epistrat's (0 all hold, 1 some fail, ...); ``--exit-zero`` gives MCMAS's: 0 after checking, 255 for a rejected model.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from epistrat.answers import Report, Result, Strategies, Verdict
from epistrat.cli import console
from epistrat.cli.ask import complain, model, serve
from epistrat.cli.exit_codes import Exit, Refused, status_of
from epistrat.evidence import Tree
from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.records import dataclass, field
from epistrat.render.dot import dot
from epistrat.render.graph import reachable_picture, tree_picture
from epistrat.render.mcmas_text import first_run, formula_text, property_text, six_digits, states_text, trace_text
from epistrat.service import CheckRequest, ExportRequest, SimulateRequest, asking
from epistrat.service.graph import StateGraph
from epistrat.service.requests import Model

# Switches that take a number, with its largest value; those that take a word; those that stand alone.
NUMBERS = {
    "-v": 5, "-e": 3, "-o": 4, "-g": 3, "-bddgroup": 3, "-d": 3, "-dao": 3, "-c": 3, "-f": 4, "-fullatl": 4,
    "-l": 2, "-atlcex": 2, "-atlk": 3, "-uc": 10**9,
}  # fmt: skip
WORDS = ("-p", "-cex_prefix", "-ufgroup")
ALONE = (
    "-s", "-q", "-u", "-bdd_stats", "-nobddcache", "-k", "-a", "-exportmodel", "-w", "-atlnewstate", "-uniform",
    "-n", "-nosubset", "-h", "--help", "-debug", "-newpo", "--exit-zero",
)  # fmt: skip
_READINGS = {0: Strategies.ANY, 1: Strategies.ANY, 2: Strategies.SUBJECTIVE, 3: Strategies.ANY}
_USAGE = "usage: epistrat mcmas [MCMAS's options] [--exit-zero] FILE    (docs/cli.md lists the options)"
_REJECTED = 255
_MOST_STATES = 100_000  # of a graph that is written


class BadSwitch(Exception):
    """A command line that MCMAS would refuse."""


@dataclass
class Switches:
    """The command line, taken apart."""

    file: str = ""
    numbers: dict[str, int] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    alone: set[str] = field(default_factory=set)

    def has(self, *names: str) -> bool:
        """Whether one of the switches was given."""
        return any(name in self.alone for name in names)

    def number(self, *names: str) -> int | None:
        """The value of a switch under one of its names."""
        return next((self.numbers[name] for name in names if name in self.numbers), None)

    @property
    def folder(self) -> Path:
        """Where files go."""
        return Path(self.words.get("-p") or self.words.get("-cex_prefix") or ".")

    @property
    def quiet(self) -> bool:
        """Whether only the lines with verdicts and figures are wanted."""
        return self.has("-q")


def read_switches(arguments: list[str]) -> Switches:
    """Take the command line apart; the file is the last argument."""
    found = Switches()
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ALONE:
            found.alone.add(word)
        elif word in NUMBERS or word in WORDS:
            if not rest:
                raise BadSwitch(f"{word} needs a value")
            _value(found, word, rest.pop(0))
        elif rest or (word.startswith("-") and word != "-"):
            raise BadSwitch(f"unknown option {word}")
        else:
            found.file = word
    if not found.file and not found.has("-h", "--help"):
        raise BadSwitch("no file is named")
    return found


def _value(found: Switches, word: str, value: str) -> None:
    if word in WORDS:
        found.words[word] = value
    elif not value.isdigit() or int(value) > NUMBERS[word]:
        raise BadSwitch(f"{word} takes a number up to {NUMBERS[word]}")
    else:
        found.numbers[word] = int(value)


def run(arguments: argparse.Namespace) -> int:
    """Do as MCMAS does."""
    try:
        switches = read_switches(arguments.arguments)
    except BadSwitch as misuse:
        raise Refused(Exit.USAGE, f"epistrat mcmas: {misuse}", _USAGE) from None
    if switches.has("-h", "--help"):
        console.write([_USAGE])
        return Exit.HOLDS
    if switches.has("-s"):
        from epistrat.cli.simulate import walk

        return walk(SimulateRequest(model=model(switches.file), steps=0, seed=0))
    if "-ufgroup" in switches.words and not switches.has("-uniform"):
        console.complain("epistrat mcmas: -ufgroup has no effect without -uniform")
    return _check(switches, arguments.arguments)


def request_of(switches: Switches) -> CheckRequest:
    """The same wishes as a request."""
    uniform = switches.has("-uniform")
    order, reach = switches.number("-o"), switches.number("-e")
    given = {
        "strategies": Strategies.UNIFORM if uniform else _READINGS[switches.number("-atlk") or 0],
        "group": switches.words.get("-ufgroup") if uniform else None,
        "order": None if order is None else str(order),
        "reach": None if reach is None else str(reach),
        "deadlock": switches.has("-k"),
        "overflow": switches.has("-a"),
        "evidence": (switches.number("-c") or 0) > 0,
        "explain": False,
        "remarks": False,
    }
    equal = switches.has("-n", "-nosubset")
    return asking.request(CheckRequest, model(switches.file), given, equal_enumerations=equal)


def _check(switches: Switches, written: list[str]) -> int:
    request = request_of(switches)
    report, _ = serve(request, quiet=True)
    wrong = complain("mcmas", report)
    if wrong is not None:
        return _REJECTED if wrong is Exit.INPUT and switches.has("--exit-zero") else wrong
    if switches.has("-exportmodel"):
        _export(request.model, switches)
    console.write(_report(report, switches, written))
    status = status_of(report)
    return Exit.HOLDS if switches.has("--exit-zero") and status is not Exit.INTERRUPTED else status


def _export(model: Model, switches: Switches) -> None:
    report, graph = serve(ExportRequest(model=model, most=_MOST_STATES), quiet=True)
    if graph is None:
        console.complain(f"epistrat mcmas: -exportmodel: {report.ending.reason}")
    else:
        _write_model(graph, switches.folder)


def _report(report: Report, switches: Switches, written: list[str]) -> Iterator[str]:
    if not switches.quiet:
        yield from _preamble(report, written)
    formulae = [result for result in report.results if result.question.property is None]
    for result in formulae:
        text = formula_text(result.formula, linear=result.text.startswith("LTL"))
        value = {Verdict.HOLDS: "is TRUE in the model", Verdict.FAILS: "is FALSE in the model"}.get(result.verdict)
        yield f"  Formula number {result.index}: {text}, {value or f'is UNKNOWN in the model ({result.reason})'}"
        yield from _evidence(report.system, result, switches)
    yield f"done, {len(formulae)} formulae successfully read and checked"
    yield f"execution time = {report.seconds:.3f}"
    if isinstance(report.facts.states, int):
        yield f"number of reachable states = {six_digits(report.facts.states)}"
    yield f"BDD memory in use = {_peak()}"


def _evidence(system: System | None, result: Result, switches: Switches) -> Iterator[str]:
    """The evidence as text (``-c 1``), in files (``-c 2``), or both (``-c 3``)."""
    wanted = switches.number("-c") or 0
    if system is None or result.evidence is None:
        return
    if wanted in (2, 3):
        _write_evidence(system, result.evidence, result.index, switches.folder)
    if wanted in (1, 3):
        yield from trace_text(system, result.evidence, bool(result))


def _preamble(report: Report, written: list[str]) -> Iterator[str]:
    yield f"Command line: mcmas {' '.join(written)}"
    yield ""
    yield f"{report.model} has been parsed successfully."
    yield "Global syntax checking..."
    yield from ("1", "1", "1")
    yield "Done"
    yield "Encoding BDD parameters..."
    yield "Building partial transition relation..."
    yield "Building BDD for initial states..."
    yield "Building reachable state space..."
    for result in report.results:
        if result.question.property is not None and report.system is not None:
            yield from property_text(report.system, result.question.property, report.facts)
    yield "Checking formulae..."
    yield "Verifying properties..."


def _peak() -> int:
    """The most memory that the work took, in bytes."""
    from epistrat.solvers.budget import peak_memory

    return peak_memory(children=True)


def _write_evidence(system: System, evidence: Tree, number: int, folder: Path) -> None:
    """The evidence of one answer: a picture, and the states in it: its own, and those of its first path or lasso."""
    states = dict.fromkeys([evidence.state, *first_run(evidence)])
    _write(folder, f"formula{number}", dot(tree_picture(system, evidence, full=True)), system, states)


def _write_model(graph: StateGraph, folder: Path) -> None:
    """The reachable states and all steps between them."""
    _write(folder, "model", dot(reachable_picture(graph.system, graph.reached)), graph.system, graph.reached.states)


def _write(folder: Path, name: str, picture: str, system: System, states: Iterable[State]) -> None:
    """The files that MCMAS writes: ``name.dot`` and ``name.info``."""
    (folder / f"{name}.dot").write_text(picture, encoding="utf-8")
    (folder / f"{name}.info").write_text("\n".join([*states_text(system, states), ""]), encoding="utf-8")
