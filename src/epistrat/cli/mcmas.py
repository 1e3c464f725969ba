"""``epistrat mcmas``: MCMAS's switches and output lines, so that scripts written for it keep working.

The exit status is ours (0 all hold, 1 some fail, ...); ``--exit-zero`` gives MCMAS's: 0 after checking, 255 for a rejected model.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.cli.gather import Gathered, rejection
from epistrat.cli.main import bug
from epistrat.cli.supervise import Ending, How, Limits, Send, run_supervised

if TYPE_CHECKING:
    from epistrat.answers import Facts, Question
    from epistrat.api import Result
    from epistrat.model.system import System
    from epistrat.solvers.budget import Budget

Runner = Callable[..., Ending]

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
_READINGS = {0: "any", 1: "any", 2: "subjective", 3: "any"}
_USAGE = "usage: epistrat mcmas [MCMAS's options] [--exit-zero] FILE    (docs/cli.md lists the options)"
_REJECTED = 255


class Misuse(Exception):
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
                raise Misuse(f"{word} needs a value")
            _value(found, word, rest.pop(0))
        elif rest or (word.startswith("-") and word != "-"):
            raise Misuse(f"unknown option {word}")
        else:
            found.file = word
    if not found.file and not found.has("-h", "--help"):
        raise Misuse("no file is named")
    return found


def _value(found: Switches, word: str, value: str) -> None:
    if word in WORDS:
        found.words[word] = value
    elif not value.isdigit() or int(value) > NUMBERS[word]:
        raise Misuse(f"{word} takes a number up to {NUMBERS[word]}")
    else:
        found.numbers[word] = int(value)


def run(arguments: argparse.Namespace, runner: Runner = run_supervised) -> int:
    """Do as MCMAS does."""
    try:
        switches = read_switches(arguments.arguments)
    except Misuse as misuse:
        console.complain(f"epistrat mcmas: {misuse}", _USAGE)
        return Exit.USAGE
    if switches.has("-h", "--help"):
        console.write([_USAGE])
        return Exit.HOLDS
    if switches.has("-s"):
        from epistrat.cli.simulate import run as simulate

        return simulate(argparse.Namespace(file=switches.file, strict=False, random=None, seed=0, json=False))
    return _check(switches, arguments.arguments, runner)


def _as_check(switches: Switches) -> argparse.Namespace:
    """The same wishes in the words of ``epistrat check``."""
    order, reach = switches.number("-o"), switches.number("-e")
    uniform = switches.has("-uniform")
    return argparse.Namespace(
        formula=None, only=None, expect=False, strict=False, engine="auto", json=False, no_replay=False, all=1,
        deadlock=switches.has("-k"), overflow=switches.has("-a"), stats=(switches.number("-v") or 0) > 0,
        evidence=(switches.number("-c") or 0) > 0,
        strategies="uniform" if uniform else _READINGS[switches.number("-atlk") or 0],
        group=switches.words.get("-ufgroup") if uniform else None,
        order=None if order is None else str(order), reach=None if reach is None else str(reach),
        reorder=None, bdd=None, reduce=None, nodes=None, equal_enumerations=switches.has("-n", "-nosubset"),
    )  # fmt: skip


def _check(switches: Switches, written: list[str], runner: Runner) -> int:
    gathered = Gathered(switches.file)
    wishes = _as_check(switches)
    started = time.perf_counter()

    def work(send: Send, budget: Budget) -> None:
        from epistrat.cli.work import check_file

        check_file(switches.file, wishes, send, budget, _formula, partial(_shown, switches), _property)
        if switches.has("-exportmodel"):
            _export(switches, send, budget)

    ending = runner(work, Limits(), gathered.receive)
    gathered.finish(ending, time.perf_counter() - started)
    status = gathered.status(ending)
    if gathered.bug is not None or ending.how is How.CRASHED:
        return bug(*(gathered.bug or (ending.reason or "the check ended unexpectedly", "")))
    if gathered.rejected:
        console.complain(*rejection(gathered.report["diagnostics"], console.style()))
        return _REJECTED if switches.has("--exit-zero") else status
    if gathered.misuse is not None:
        console.complain(f"epistrat mcmas: {gathered.misuse}")
        return status
    console.write(_report(gathered, switches, written))
    return Exit.HOLDS if switches.has("--exit-zero") and status is not Exit.INTERRUPTED else status


def _formula(question: Question) -> str:
    from epistrat.render.mcmas_text import formula_text

    return formula_text(question.formula, linear=question.text.startswith("LTL"))


def _shown(switches: Switches, result: Result) -> list[str]:
    """The evidence as text (``-c 1``), in files (``-c 2``), or both (``-c 3``)."""
    from epistrat.cli.mcmas_files import write_evidence
    from epistrat.render.mcmas_text import trace_text

    wanted = switches.number("-c") or 0
    if result.evidence is None:
        return []
    if wanted in (2, 3):
        write_evidence(result, switches.folder)
    return list(trace_text(result.system, result.evidence, bool(result))) if wanted in (1, 3) else []


def _property(system: System, name: str, facts: Facts) -> list[str]:
    from epistrat.render.mcmas_text import property_text

    return list(property_text(system, name, facts))


def _export(switches: Switches, send: Send, budget: Budget) -> None:
    from epistrat.cli.mcmas_files import write_model
    from epistrat.pipeline import load_file
    from epistrat.solvers.budget import OutOfBudget

    system = load_file(switches.file).system
    if system is None:
        return
    try:
        write_model(system, switches.folder, budget)
    except OutOfBudget as limit:
        send({"event": "misuse", "message": f"-exportmodel: {limit}"})


def _report(gathered: Gathered, switches: Switches, written: list[str]) -> Iterator[str]:
    report = gathered.report
    if not switches.quiet:
        properties = [result.get("explanation", []) for result in report["results"] if "property" in result]
        yield from _preamble(report["model"], written, [line for lines in properties for line in lines])
    formulae = [result for result in report["results"] if "property" not in result]
    for result in formulae:
        value = {"holds": "is TRUE in the model", "fails": "is FALSE in the model"}.get(result["verdict"])
        words = value or f"is UNKNOWN in the model ({result['reason']})"
        yield f"  Formula number {result['index']}: {result['formula']}, {words}"
        yield from result.get("explanation", [])
    yield f"done, {len(formulae)} formulae successfully read and checked"
    yield f"execution time = {report['seconds']:.3f}"
    if report["states"] is not None:
        from epistrat.render.mcmas_text import six_digits

        yield f"number of reachable states = {six_digits(report['states'])}"
    yield f"BDD memory in use = {_peak()}"


def _preamble(model: str, written: list[str], properties: list[str]) -> Iterator[str]:
    yield f"Command line: mcmas {' '.join(written)}"
    yield ""
    yield f"{model} has been parsed successfully."
    yield "Global syntax checking..."
    yield from ("1", "1", "1")
    yield "Done"
    yield "Encoding BDD parameters..."
    yield "Building partial transition relation..."
    yield "Building BDD for initial states..."
    yield "Building reachable state space..."
    yield from properties
    yield "Checking formulae..."
    yield "Verifying properties..."


def _peak() -> int:
    """The most memory that the work took, in bytes."""
    import resource

    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) * 1024
