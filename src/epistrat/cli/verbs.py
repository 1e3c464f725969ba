"""The options of each command.  The docstring of a function is what ``epistrat --help`` says about its command.

An option is written as in the help: ``-f --formula FORMULA``, with what its value stands for.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epistrat.service.settings import Row

_MODEL = "an ISPL model; - reads standard input"


def _switch(where: argparse._ActionsContainer, flags: str, words: str, **more: Any) -> None:
    """An option without value."""
    where.add_argument(*flags.split(), action="store_true", help=words, **more)


def _option(
    where: argparse._ActionsContainer, flags: str, words: str, kind: str | Callable[[str], Any] = str, **more: Any
) -> None:
    """An option with a value, which is read by ``kind``: a function, or the name of one in `epistrat.service.values`."""
    *flag, value = flags.split()
    where.add_argument(*flag, type=_typed(kind), metavar=value, help=words, **more)


def _typed(kind: str | Callable[[Any], Any]) -> Callable[[str], Any]:
    """The same reader, for argparse: what it says of a wrong value is shown."""
    if isinstance(kind, str):
        from epistrat.service import values

        read: Callable[[Any], Any] = getattr(values, kind)
    else:
        read = kind

    def reader(text: str) -> Any:
        try:
            return read(text)
        except ValueError as wrong:
            raise argparse.ArgumentTypeError(str(wrong)) from None

    return reader


def _rows(where: argparse._ActionsContainer, *rows: Row, **more: Any) -> None:
    """The settings of these rows.  What is not given is None, or off."""
    for row in rows:
        if not row.value and not row.choices:
            action = "store_false" if row.default else "store_true"
            where.add_argument(*row.flags, dest=row.name, action=action, help=row.words, **more)
            continue
        kind = str if row.choices or row.listed else _typed(row.read)
        if row.listed:
            more = {**more, "action": "append"}
        where.add_argument(
            *row.flags,
            dest=row.name,
            type=kind,
            metavar=row.value or None,
            choices=row.choices or None,
            help=row.words,
            **more,
        )
        more.pop("action", None)


def lsp(verb: argparse.ArgumentParser) -> None:
    """Serve an editor: messages, completion, verdicts while you write"""
    _switch(verb, "--stdio", "use standard input and output (there is no other way)")


def check(verb: argparse.ArgumentParser) -> None:
    """Does the model satisfy its formulae?"""
    verb.add_argument("files", nargs="+", metavar="FILE", help=_MODEL)
    from epistrat.service import settings

    what = verb.add_argument_group("what to check")
    _rows(what, *settings.WHAT)
    _switch(what, "--allow-vacuous", "succeed even if all holds for a trivial reason alone")
    how = verb.add_argument_group("how")
    _switch(how, "--watch", "check again whenever a file changes, until Ctrl-C")
    _option(how, "-j --jobs N", "so many files side by side (default: 1)", "count", default=1)
    _engine(how, "all")
    _rows(how, *settings.READINGS, settings.GROUP)
    _reading(how)
    _tuning(verb)
    _limits(verb)
    _output(verb, ["text", "json", "junit", "sarif", "github"])
    why = verb.add_argument_group("why")
    _rows(why, *settings.EVIDENCE)
    _option(why, "--simulate N", "walk through the model from where the evidence for formula N ends", "count")
    _option(why, "--html FILE", "write the evidence as a page")
    _rows(why, settings.REPLAY)


def info(verb: argparse.ArgumentParser) -> None:
    """Agents, sizes, dead ends, kinds of formulae"""
    verb.add_argument("files", nargs="+", metavar="FILE", help=_MODEL)
    from epistrat.service import settings

    _reading(verb)
    _engine(verb)
    _rows(verb, *settings.READINGS)
    for row in settings.INFO:
        _rows(verb, row, **({"nargs": "?", "const": "auto"} if row.name == "reduce" else {}))
    _tuning(verb, but="reduce")
    _limits(verb)
    _output(verb)


def simulate(verb: argparse.ArgumentParser) -> None:
    """Walk through the model, by hand or at random"""
    verb.add_argument("file", metavar="FILE", help="an ISPL model")
    _reading(verb)
    _option(verb, "--load FILE", "go on from a run that was saved")
    _option(verb, "--random N", "make N random steps and stop", "natural")
    _option(verb, "--seed S", "where the random choices start (default 0)", int, default=0)
    _switch(verb, "--json", "with --random: print the run as JSON")


def _engine(where: argparse._ActionsContainer, *others: str) -> None:
    """Which engine is asked: one of the registry, or what else stands for some."""
    from epistrat.service.settings import ENGINES

    *names, last = ("auto", *ENGINES, *others)
    _option(where, "--engine E", f"{', '.join(names)} or {last}", default="auto")


def strategy(verb: argparse.ArgumentParser) -> None:
    """Find a strategy, print it as rules, write it out"""
    verb.add_argument("file", metavar="FILE", help=_MODEL)
    from epistrat.service import settings

    goal, only, verify, table, _ = settings.STRATEGY
    _rows(verb, goal, only)
    _engine(verb)
    _rows(verb, *settings.READINGS, settings.GROUP)
    _reading(verb)
    _rows(verb, verify, table)
    output = verb.add_argument_group("output")
    _switch(output, "--json", "print the strategy as JSON")
    _option(output, "--dot FILE", "write what can happen under the strategy; - prints it")
    _option(output, "--ispl FILE", "write the model restricted to the strategy; - prints it")
    _tuning(verb)
    _limits(verb)
    verb.set_defaults(evidence=True, stats=False)


def monitor(verb: argparse.ArgumentParser) -> None:
    """Write a guard for a program: one file that follows its run and says what it may still do"""
    verb.epilog = (
        "exit status: 0 the file is written, 1 the group of a shield cannot keep its property, "
        "3 the model, a formula or a name is not accepted, 4 a limit was reached"
    )
    verb.add_argument("file", metavar="MODEL", help=_MODEL)
    _option(verb, "-o --output FILE", "write it there; only files that this command wrote are overwritten")
    _following(verb)
    words = "what the shield is told after each event: variables, such as Player.p,Table.card"
    _option(verb, "--sees A.x,..", words, "indexed", default=())
    _option(
        verb, "--for NAME,..", "add functions for openai-agents, langgraph, gymnasium, pettingzoo", "names", default=()
    )
    _option(verb, "--most-states N", "states that the file may hold (default: 20,000)", "count", default=20_000)
    _switch(verb, "--no-self-check", "do not compare the file with the model on random runs")
    _reading(verb)
    _limits(verb)


def _following(verb: argparse.ArgumentParser) -> None:
    """What is followed."""
    words = "a property: a formula of the model by name, or AG f, A f, a linear formula, or <g>G f for a shield (repeatable)"
    _option(verb, "-f --formula FORMULA", words, action="append", default=[])
    words = "tell when a state formula becomes true, such as leak='K(Eve, secret)' (repeatable)"
    _option(verb, "--watch NAME=FORMULA", words, "watched", action="append", default=[])
    _option(verb, "--hidden a,b", "actions that happen without being told (interleaved models)", "indexed", default=())


def export(verb: argparse.ArgumentParser) -> None:
    """The reachable states as a graph, drawn or as data"""
    verb.add_argument("file", metavar="FILE", help=_MODEL)
    _reading(verb)
    form = verb.add_mutually_exclusive_group()
    for name, words in (
        ("dot", "for Graphviz"),
        ("json", "as data"),
        ("svg", "drawn"),
        ("mermaid", "for Mermaid"),
        ("html", "drawn, as a page"),
        ("vmt", "the model itself as VMT-LIB, with its invariants and observers"),
        ("aiger", "the model itself as an AIGER circuit, with the invariant that --only names"),
        ("smv", "the model itself as an SMV program, with its CTL formulae, for NuSMV"),
    ):
        form.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=words)
    _option(
        verb,
        "--look-alikes [AGENT,..]",
        "also draw which states look the same to these agents (default: to all)",
        nargs="?",
        const="",
    )
    _option(verb, "--only N,..", "with --aiger and --smv: the formulae with these numbers or names", "chosen")
    _option(verb, "-o --output FILE", "write to a file instead of standard output")
    _limits(verb)


def replay(verb: argparse.ArgumentParser) -> None:
    """Re-check saved answers, without any engine"""
    verb.epilog = (
        "exit status: 0 every answer was re-checked and holds up, 1 some answer is false or was not re-checked, "
        "3 the model or the answers cannot be read, 4 a limit was reached"
    )
    verb.add_argument("model", metavar="MODEL", help=_MODEL)
    verb.add_argument("result", metavar="RESULT.json", help="what `epistrat check MODEL --json --evidence` printed")
    _reading(verb)
    _switch(verb, "--json", "print what was found as JSON")
    _option(verb, "--states N", "visit all states where they are at most N (300), to check sets", "natural")
    _time_and_memory(verb)


def studio(verb: argparse.ArgumentParser) -> None:
    """Write, check and walk through models in a web page"""
    verb.add_argument("files", nargs="*", metavar="FILE", help="models to open")
    _option(verb, "--host H", "where to listen (default: this machine only)", default="127.0.0.1")
    _option(verb, "--port P", "the port (default: 8417, or any that is free)", "natural")
    verb.add_argument("--no-browser", dest="browse", action="store_false", help="do not open a browser")
    _option(verb, "--drafts DIR", "where unsaved texts are kept", Path)


def import_(verb: argparse.ArgumentParser) -> None:
    """A model of STV2, or a VMT-LIB transition system, as ISPL"""
    verb.add_argument("file", metavar="FILE", help="a model of STV2 (.stv) or in VMT-LIB (.vmt)")
    _option(verb, "-o --output FILE", "write the ISPL text there")


def fmt(verb: argparse.ArgumentParser) -> None:
    """Print the model in its canonical layout"""
    verb.add_argument("files", nargs="+", metavar="FILE", help=_MODEL)
    mode = verb.add_mutually_exclusive_group()
    _switch(mode, "--check", "print nothing; exit 1 if a file is not in canonical layout")
    _switch(mode, "--write", "write the result back into the file")


def sweep(verb: argparse.ArgumentParser) -> None:
    """Check a model over ranges of its parameters, many checks side by side"""
    words = "models, and ranges of their parameters: n=3..6, n=10..50:10, n=2,4,8"
    verb.add_argument("what", nargs="+", metavar="MODEL | NAME=VALUES", help=words)
    _option(verb, "--only N,..", "only these formulae; each --only is a task of its own (repeatable)", action="append")
    _option(verb, "--store FILE", "where results are kept (default: sweep.sqlite)", default="sweep.sqlite")
    _option(verb, "-j --jobs N", "checks side by side (default: one for each core)", "count")
    _option(verb, "--scheduler dask://HOST:PORT", "hand the checks to a Dask cluster")
    _option(verb, "--time S", "seconds for each check (default: 60)", "positive", default=60.0)
    _option(verb, "--memory SIZE", "memory for each check, such as 500MB or 2GB", default="")
    _option(verb, "--option OPT", "passed on to check, as in --option=--engine=symbolic", action="append", default=[])
    _option(verb, "-o --output FILE", "write the table: .csv, .json, .md, .parquet or .tex")
    _option(verb, "--plot FILE", "draw CPU time over the first parameter, a curve for each formula: .svg or .png")


def bench(verb: argparse.ArgumentParser) -> None:
    """Run a suite of benchmarks, other programs beside it"""
    _option(verb, "--suite NAME", "a suite's name or .toml file; without it, what there is is listed")
    _option(verb, "--repeats N", "runs of each case (default: as the suite says)", "count")
    _option(verb, "--peers A,B", "other programs to measure (default: those on the PATH)", "names")
    _option(verb, "--only TEXT", "only the cases whose name or table contains a text")
    _switch(verb, "--no-variants", "leave out the variants that the suite compares with")
    _option(verb, "-o --output DIR", "write data, table and picture, after each case")
    _switch(verb, "--resume", "with -o: keep the results that are there and as expected, measure the other cases")
    _option(verb, "--against FILE", "name the cases that got slower than in this .jsonl file of earlier results")


def doctor(verb: argparse.ArgumentParser) -> None:
    """Versions, libraries found, and a self-test"""


def scenario(verb: argparse.ArgumentParser) -> None:
    """Models to learn from: list them, read them, check them in any size"""
    verb.add_argument("name", nargs="?", metavar="NAME", help="a scenario; without it, all are listed")
    verb.add_argument("set", nargs="*", type=_typed("parameters"), metavar="n=10", help="values of its parameters")
    _switch(verb, "--show", "print the model")
    _switch(verb, "--check", "check its formulae")
    _option(verb, "--only N,..", "with --check: only the formulae with these numbers or names")
    _switch(verb, "--evidence", "with --check: show why")
    _switch(verb, "--expect", "with --check: compare with the verdicts in the text")
    _option(verb, "--time S", "with --check: seconds")
    _switch(verb, "--json", "print as JSON")


def expand(verb: argparse.ArgumentParser) -> None:
    """Print the model with its families written out"""
    verb.add_argument("file", metavar="FILE", help=_MODEL)
    _reading(verb, strict=False)
    _option(verb, "--only N,..", "with these of its formulae, by number or name", "chosen")
    _option(verb, "-o --output FILE", "write it to a file")


def completion(verb: argparse.ArgumentParser) -> None:
    """A script that makes a shell complete commands and options"""
    verb.add_argument("shell", choices=["bash", "zsh", "fish"], help="for which shell")


def explain(verb: argparse.ArgumentParser) -> None:
    """What a message's code means"""
    verb.add_argument("code", metavar="CODE", nargs="?", help="a code such as E012; without one, all are listed")


def _tuning(verb: argparse.ArgumentParser, *, but: str | None = None) -> None:
    """A flag for each option of a single engine, except those called ``but``."""
    from epistrat.service.settings import engine_options

    tuning = verb.add_argument_group("tuning one engine")
    for name, (engines, one) in engine_options().items():
        words, choices = f"{engines}: {one.metadata['words']}", one.metadata["choices"]
        flag = f"--{name.replace('_', '-')}"
        if name == but:
            continue
        if isinstance(one.default, bool):
            _switch(tuning, flag, words, default=None)
        else:
            kind = str if one.default is None else type(one.default)
            words += f" ({', '.join(choices)})" if choices else ""
            _option(tuning, f"{flag} {one.metadata['metavar'] or 'M'}", words, kind)


def _time_and_memory(where: argparse._ActionsContainer) -> None:
    from epistrat.service import settings

    _rows(where, settings.TIME, settings.MEMORY)


def _limits(verb: argparse.ArgumentParser) -> None:
    from epistrat.service import settings

    _rows(verb.add_argument_group("limits, for each file"), *settings.LIMITS)


def _output(verb: argparse.ArgumentParser, formats: Sequence[str] = ()) -> None:
    output = verb.add_argument_group("output")
    if formats:
        words = "text (the default), json (one object per file), junit, sarif, or github (annotations)"
        _option(output, "--format F", words, choices=formats, default="text")
        output.add_argument("--json", dest="format", action="store_const", const="json", help="--format json")
    else:
        _switch(output, "--json", "print the report as JSON, one object per file")
    _switch(output, "--stats", "show what the engines did, and how long it took")
    if formats:
        _switch(output, "--quiet -q", "print only what fails or is unknown")
        _switch(output, "--verbose", "also tell what failed beside a verdict and was left out")
        _switch(output, "--all-warnings", "show every warning, not one of each kind")
        _option(output, "--no-warn W006,..", "without these warnings", "names", default=())
        _switch(output, "--werror", "warnings make the exit status 1")


def _reading(verb: argparse._ActionsContainer, *, strict: bool = True) -> None:
    """How a model is read."""
    if strict:
        from epistrat.service import settings

        _rows(verb, settings.STRICT)
    _option(verb, "--set n=10", "values of the model's parameters (n=10,m=2)", "parameters", action="extend")
    _switch(verb, "--include-outside", "allow `include` of files outside the model's folder")


VERBS = (
    check, info, simulate, strategy, monitor, export, replay, studio, fmt, sweep, bench, doctor, scenario, import_, expand, explain,
    completion, lsp,
)  # fmt: skip
"""The commands, in the order in which they are listed."""
