"""The options of each command.  The docstring of a function is what ``epistrat --help`` says about its command."""

from __future__ import annotations

import argparse
from pathlib import Path

from epistrat.cli.flags import (
    MODEL,
    engine,
    limits,
    option,
    output,
    reading,
    rows,
    switch,
    time_and_memory,
    tuning,
    typed,
)
from epistrat.cli.verbs_running import conform, mcp, monitor, tests


def lsp(verb: argparse.ArgumentParser) -> None:
    """Serve an editor: messages, completion, verdicts while you write"""
    switch(verb, "--stdio", "use standard input and output (there is no other way)")


def check(verb: argparse.ArgumentParser) -> None:
    """Does the model satisfy its formulae?"""
    verb.add_argument("files", nargs="+", metavar="FILE", help=MODEL)
    from epistrat.service import settings

    what = verb.add_argument_group("what to check")
    rows(what, *settings.WHAT, *settings.EVERY)
    switch(what, "--allow-vacuous", "succeed even if all holds for a trivial reason alone")
    how = verb.add_argument_group("how")
    switch(how, "--watch", "check again whenever a file changes, until Ctrl-C")
    option(how, "-j --jobs N", "so many files side by side (default: 1)", "count", default=1)
    engine(how, "all")
    rows(how, *settings.READINGS, settings.GROUP)
    reading(how)
    tuning(verb)
    limits(verb)
    output(verb, ["text", "json", "junit", "sarif", "github"])
    why = verb.add_argument_group("why")
    rows(why, *settings.EVIDENCE)
    option(why, "--simulate N", "walk through the model from where the evidence for formula N ends", "count")
    option(why, "--html FILE", "write the evidence as a page")
    rows(why, settings.REPLAY, *settings.PROOFS)


def info(verb: argparse.ArgumentParser) -> None:
    """Agents, sizes, dead ends, kinds of formulae"""
    verb.add_argument("files", nargs="+", metavar="FILE", help=MODEL)
    from epistrat.service import settings

    reading(verb)
    engine(verb)
    rows(verb, *settings.READINGS)
    for row in settings.INFO:
        rows(verb, row, **({"nargs": "?", "const": "auto"} if row.name == "reduce" else {}))
    tuning(verb, but="reduce")
    limits(verb)
    output(verb)
    option(verb, "--every N", "which formulae can be asked of all values of a parameter at once, and why others cannot")


def simulate(verb: argparse.ArgumentParser) -> None:
    """Walk through the model, by hand or at random"""
    verb.add_argument("file", metavar="FILE", help="an ISPL model")
    reading(verb)
    option(verb, "--load FILE", "go on from a run that was saved")
    option(verb, "--random N", "make N random steps and stop", "natural")
    option(verb, "--seed S", "where the random choices start (default 0)", int, default=0)
    switch(verb, "--json", "with --random: print the run as JSON")


def strategy(verb: argparse.ArgumentParser) -> None:
    """Find a strategy, print it as rules, write it out"""
    verb.add_argument("file", metavar="FILE", help=MODEL)
    from epistrat.service import settings

    goal, only, memory, verify, table, _ = settings.STRATEGY
    rows(verb, goal, only)
    engine(verb)
    rows(verb, *settings.READINGS, settings.GROUP, memory)
    reading(verb)
    rows(verb, verify, table)
    output = verb.add_argument_group("output")
    switch(output, "--json", "print the strategy as JSON")
    option(output, "--dot FILE", "write what can happen under the strategy; - prints it")
    option(output, "--ispl FILE", "write the model restricted to the strategy; - prints it")
    tuning(verb)
    limits(verb)
    verb.set_defaults(evidence=True, stats=False)


def equilibrium(verb: argparse.ArgumentParser) -> None:
    """Is there a Nash equilibrium, and what keeps everybody in it?"""
    verb.add_argument("file", metavar="FILE", help=MODEL)
    from epistrat.service import settings

    rows(verb, *settings.EQUILIBRIUM)
    engine(verb)
    reading(verb)
    output = verb.add_argument_group("output")
    switch(output, "--json", "print the answers, with runs, deviations and punishments, as JSON")
    tuning(verb)
    limits(verb)
    verb.set_defaults(stats=False)


def export(verb: argparse.ArgumentParser) -> None:
    """The reachable states as a graph, drawn or as data"""
    verb.add_argument("file", metavar="FILE", help=MODEL)
    reading(verb)
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
    option(
        verb,
        "--look-alikes [AGENT,..]",
        "also draw which states look the same to these agents (default: to all)",
        nargs="?",
        const="",
    )
    option(verb, "--only N,..", "with --aiger and --smv: the formulae with these numbers or names", "chosen")
    option(verb, "-o --output FILE", "write to a file instead of standard output")
    limits(verb)


def replay(verb: argparse.ArgumentParser) -> None:
    """Re-check saved answers, without any engine"""
    verb.epilog = (
        "exit status: 0 every answer was re-checked and holds up, 1 some answer is false or was not re-checked, "
        "3 the model or the answers cannot be read, 4 a limit was reached"
    )
    verb.add_argument("model", metavar="MODEL", help=MODEL)
    verb.add_argument("result", metavar="RESULT.json", help="what `epistrat check MODEL --json --evidence` printed")
    reading(verb)
    switch(verb, "--json", "print what was found as JSON")
    switch(verb, "--no-proof", "do not prove verdicts again")
    option(verb, "--states N", "visit all states where they are at most N (300), to check sets", "natural")
    time_and_memory(verb)


def studio(verb: argparse.ArgumentParser) -> None:
    """Write, check and walk through models in a web page"""
    verb.add_argument("files", nargs="*", metavar="FILE", help="models to open")
    option(verb, "--host H", "where to listen (default: this machine only)", default="127.0.0.1")
    option(verb, "--port P", "the port (default: 8417, or any that is free)", "natural")
    verb.add_argument("--no-browser", dest="browse", action="store_false", help="do not open a browser")
    option(verb, "--drafts DIR", "where unsaved texts are kept", Path)


def import_(verb: argparse.ArgumentParser) -> None:
    """A model of STV2, a game of EVE, or a VMT-LIB transition system, as ISPL"""
    verb.add_argument(
        "file", metavar="FILE", help="a model of STV2 (.stv), a game of EVE (.rml), or a system in VMT-LIB (.vmt)"
    )
    option(verb, "-o --output FILE", "write the ISPL text there")


def fmt(verb: argparse.ArgumentParser) -> None:
    """Print the model in its canonical layout"""
    verb.add_argument("files", nargs="+", metavar="FILE", help=MODEL)
    mode = verb.add_mutually_exclusive_group()
    switch(mode, "--check", "print nothing; exit 1 if a file is not in canonical layout")
    switch(mode, "--write", "write the result back into the file")


def sweep(verb: argparse.ArgumentParser) -> None:
    """Check a model over ranges of its parameters, many checks side by side"""
    words = "models, and ranges of their parameters: n=3..6, n=10..50:10, n=2,4,8"
    verb.add_argument("what", nargs="+", metavar="MODEL | NAME=VALUES", help=words)
    option(verb, "--only N,..", "only these formulae; each --only is a task of its own (repeatable)", action="append")
    option(verb, "--store FILE", "where results are kept (default: sweep.sqlite)", default="sweep.sqlite")
    option(verb, "-j --jobs N", "checks side by side (default: one for each core)", "count")
    option(verb, "--scheduler dask://HOST:PORT", "hand the checks to a Dask cluster")
    option(verb, "--time S", "seconds for each check (default: 60)", "positive", default=60.0)
    option(verb, "--memory SIZE", "memory for each check, such as 500MB or 2GB", default="")
    option(verb, "--option OPT", "passed on to check, as in --option=--engine=symbolic", action="append", default=[])
    option(verb, "-o --output FILE", "write the table: .csv, .json, .md, .parquet or .tex")
    option(verb, "--plot FILE", "draw CPU time over the first parameter, a curve for each formula: .svg or .png")


def bench(verb: argparse.ArgumentParser) -> None:
    """Run a suite of benchmarks, other programs beside it"""
    option(verb, "--suite NAME", "a suite's name or .toml file; without it, what there is is listed")
    option(verb, "--repeats N", "runs of each case (default: as the suite says)", "count")
    option(verb, "--peers A,B", "other programs to measure (default: those on the PATH)", "names")
    option(verb, "--only TEXT", "only the cases whose name or table contains a text")
    switch(verb, "--no-variants", "leave out the variants that the suite compares with")
    option(verb, "-o --output DIR", "write data, table and picture, after each case")
    switch(verb, "--resume", "with -o: keep the results that are there and as expected, measure the other cases")
    option(verb, "--against FILE", "name the cases that got slower than in this .jsonl file of earlier results")


def doctor(verb: argparse.ArgumentParser) -> None:
    """Versions, libraries found, and a self-test"""


def scenario(verb: argparse.ArgumentParser) -> None:
    """Models to learn from: list them, read them, check them in any size"""
    verb.add_argument("name", nargs="?", metavar="NAME", help="a scenario; without it, all are listed")
    verb.add_argument("set", nargs="*", type=typed("parameters"), metavar="n=10", help="values of its parameters")
    switch(verb, "--show", "print the model")
    switch(verb, "--check", "check its formulae")
    option(verb, "--only N,..", "with --check: only the formulae with these numbers or names")
    switch(verb, "--evidence", "with --check: show why")
    switch(verb, "--expect", "with --check: compare with the verdicts in the text")
    option(verb, "--time S", "with --check: seconds")
    switch(verb, "--json", "print as JSON")


def expand(verb: argparse.ArgumentParser) -> None:
    """Print the model with its families written out"""
    verb.add_argument("file", metavar="FILE", help=MODEL)
    reading(verb, strict=False)
    option(verb, "--only N,..", "with these of its formulae, by number or name", "chosen")
    option(verb, "--every N", "the system that counts members, for all values of a parameter; with one formula")
    option(verb, "-o --output FILE", "write it to a file")


def implement(verb: argparse.ArgumentParser) -> None:
    """The ordinary model that a program is, whose protocols ask what agents know"""
    verb.epilog = (
        "exit status: 0 the model is written, 2 usage, 3 the model is not accepted, or nothing implements it, "
        "4 a limit was reached"
    )
    verb.add_argument("file", metavar="FILE", help=MODEL)
    from epistrat.service import settings

    rows(verb, *settings.IMPLEMENT)
    reading(verb)
    switch(verb, "--guards", "print a table instead: for each guard the weakest condition on what the agent sees")
    option(verb, "-o --output FILE", "write it to a file")
    limits(verb)


def completion(verb: argparse.ArgumentParser) -> None:
    """A script that makes a shell complete commands and options"""
    verb.add_argument("shell", choices=["bash", "zsh", "fish"], help="for which shell")


def explain(verb: argparse.ArgumentParser) -> None:
    """What a message's code means"""
    verb.add_argument("code", metavar="CODE", nargs="?", help="a code such as E012; without one, all are listed")


VERBS = (
    check, info, simulate, strategy, equilibrium, monitor, conform, tests, export, replay, studio, fmt, sweep, bench, doctor, scenario,
    import_, expand, implement, explain, completion, lsp, mcp,
)  # fmt: skip
"""The commands, in the order in which they are listed."""
