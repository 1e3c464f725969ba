"""The options of each command.  The docstring of a function is what ``epistrat --help`` says about its command."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from epistrat.cli.values import chosen, count, names, natural, positive, settings, size


def lsp(verb: argparse.ArgumentParser) -> None:
    """Serve an editor: messages, completion, verdicts while you write"""
    verb.add_argument("--stdio", action="store_true", help="use standard input and output (there is no other way)")


def check(verb: argparse.ArgumentParser) -> None:
    """Does the model satisfy its formulae?"""
    verb.add_argument("files", nargs="+", metavar="FILE", help="an ISPL model; - reads standard input")
    what = verb.add_argument_group("what to check")
    what.add_argument(
        "-f",
        "--formula",
        action="append",
        metavar="FORMULA",
        help="check this instead of the model's formulae (repeatable)",
    )
    what.add_argument("--only", type=chosen, metavar="N,..", help="only the formulae with these numbers or names")
    what.add_argument("--deadlock", action="store_true", help="also check that no reachable state is a dead end")
    what.add_argument("--overflow", action="store_true", help="also check that no assignment leaves its range")
    what.add_argument(
        "--recall", type=natural, default=0, metavar="W", help="agents remember their last W observations (default: 0)"
    )
    what.add_argument(
        "--expect", action="store_true", help="compare with the verdicts in the file's `-- expect:` lines"
    )
    what.add_argument(
        "--allow-vacuous", action="store_true", help="succeed even if all holds for a trivial reason alone"
    )
    how = verb.add_argument_group("how")
    how.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    how.add_argument("-j", "--jobs", type=count, default=1, metavar="N", help="so many files side by side (default: 1)")
    how.add_argument("--engine", default="auto", metavar="E", help="auto, symbolic, explicit, reference, or all")
    _readings(how)
    how.add_argument("--group", metavar="g", help="with --strategies uniform: only this group's members choose")
    _reading(how)
    _tuning(verb)
    _limits(verb)
    _output(verb, ["text", "json", "junit", "sarif", "github"])
    why = verb.add_argument_group("why")
    why.add_argument("--evidence", action="store_true", help="show why: runs, look-alike states, strategies")
    why.add_argument("--all", type=count, default=1, metavar="N", help="with --evidence: up to N different pieces")
    why.add_argument("--full", action="store_true", help="with --evidence: every variable, not only those that matter")
    why.add_argument("--agents", type=names, metavar="A,B", help="with --evidence: only what these agents see and do")
    why.add_argument(
        "--depth", type=natural, default=2, metavar="N", help="with --evidence: how deep a tree is unfolded"
    )
    why.add_argument(
        "--simulate", type=count, metavar="N", help="walk through the model from where the evidence for formula N ends"
    )
    why.add_argument("--html", metavar="FILE", help="write the evidence as a page")
    why.add_argument("--no-replay", action="store_true", help="do not walk the evidence again to check it")


def info(verb: argparse.ArgumentParser) -> None:
    """Agents, sizes, dead ends, kinds of formulae"""
    verb.add_argument("files", nargs="+", metavar="FILE", help="an ISPL model; - reads standard input")
    _reading(verb)
    verb.add_argument("--engine", default="auto", metavar="E", help="auto, symbolic, explicit or reference")
    _readings(verb)
    verb.add_argument("--no-states", action="store_true", help="do not explore the states")
    verb.add_argument(
        "--coverage", action="store_true", help="lines, actions and values that never occur in reachable states"
    )
    verb.add_argument(
        "--reduce",
        nargs="?",
        const="auto",
        choices=["auto", "singleton", "linear"],
        metavar="MODE",
        help="sizes with partial order reduction, formula by formula (auto, singleton or linear)",
    )
    verb.add_argument(
        "--self-check", action="store_true", help="with --reduce, on small models: compare with the full state space"
    )
    _tuning(verb, but="reduce")
    _limits(verb)
    _output(verb)


def simulate(verb: argparse.ArgumentParser) -> None:
    """Walk through the model, by hand or at random"""
    verb.add_argument("file", metavar="FILE", help="an ISPL model")
    _reading(verb)
    verb.add_argument("--load", metavar="FILE", help="go on from a run that was saved")
    verb.add_argument("--random", type=natural, metavar="N", help="make N random steps and stop")
    verb.add_argument("--seed", type=int, default=0, metavar="S", help="where the random choices start (default 0)")
    verb.add_argument("--json", action="store_true", help="with --random: print the run as JSON")


def _readings(where: argparse._ActionsContainer) -> None:
    where.add_argument(
        "--strategies",
        choices=["any", "uniform", "objective", "subjective"],
        help="how <g> is read (usually any; objective in interleaved models)",
    )
    where.add_argument(
        "--choices", default="written", choices=["written", "single", "sets"], help="interleaved: what can be chosen"
    )
    where.add_argument(
        "--blocking",
        default="wait",
        choices=["wait", "adversary", "ignore"],
        help="interleaved: what happens where choices leave nothing",
    )
    where.add_argument(
        "--scheduling", default="any", choices=["any", "fair"], help="interleaved: which plays of strategies count"
    )


def strategy(verb: argparse.ArgumentParser) -> None:
    """Find a strategy, print it as rules, write it out"""
    verb.add_argument("file", metavar="FILE", help="an ISPL model; - reads standard input")
    verb.add_argument(
        "-f",
        "--formula",
        metavar="FORMULA",
        help="what to enforce, such as '<group>F win'; without one, every formula of the model that asks for a strategy",
    )
    verb.add_argument(
        "--only", type=chosen, metavar="N,..", help="only the model's formulae with these numbers or names"
    )
    verb.add_argument("--engine", default="auto", metavar="E", help="auto, symbolic, explicit or reference")
    _readings(verb)
    verb.add_argument("--group", metavar="g", help="with --strategies uniform: only this group's members choose")
    _reading(verb)
    verb.add_argument("--verify", action="store_true", help="check the model restricted to the strategy")
    verb.add_argument("--table", type=natural, default=20_000, metavar="N", help="states that the strategy may cover")
    output = verb.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print the strategy as JSON")
    output.add_argument("--dot", metavar="FILE", help="write what can happen under the strategy; - prints it")
    output.add_argument("--ispl", metavar="FILE", help="write the model restricted to the strategy; - prints it")
    _tuning(verb)
    _limits(verb)
    verb.set_defaults(evidence=True, all=1, stats=False)


def export(verb: argparse.ArgumentParser) -> None:
    """The reachable states as a graph, drawn or as data"""
    verb.add_argument("file", metavar="FILE", help="an ISPL model; - reads standard input")
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
    verb.add_argument(
        "--only", type=chosen, metavar="N,..", help="with --aiger and --smv: the formulae with these numbers or names"
    )
    verb.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of standard output")
    _limits(verb)


def replay(verb: argparse.ArgumentParser) -> None:
    """Re-check saved answers, without any engine"""
    verb.epilog = (
        "exit status: 0 every answer was re-checked and holds up, 1 some answer is false or was not re-checked, "
        "3 the model or the answers cannot be read, 4 a limit was reached"
    )
    verb.add_argument("model", metavar="MODEL", help="an ISPL model; - reads standard input")
    verb.add_argument("result", metavar="RESULT.json", help="what `epistrat check MODEL --json --evidence` printed")
    _reading(verb)
    verb.add_argument("--json", action="store_true", help="print what was found as JSON")
    verb.add_argument(
        "--states", type=natural, metavar="N", help="visit all states where they are at most N (300), to check sets"
    )
    verb.add_argument("--time", type=positive, metavar="S", help="seconds")
    verb.add_argument("--memory", type=size, metavar="SIZE", help="resident memory, such as 500MB or 2GB")


def studio(verb: argparse.ArgumentParser) -> None:
    """Write, check and walk through models in a web page"""
    verb.add_argument("files", nargs="*", metavar="FILE", help="models to open")
    verb.add_argument("--host", default="127.0.0.1", metavar="H", help="where to listen (default: this machine only)")
    verb.add_argument("--port", type=natural, metavar="P", help="the port (default: 8417, or any that is free)")
    verb.add_argument("--no-browser", dest="browse", action="store_false", help="do not open a browser")
    verb.add_argument("--drafts", type=Path, metavar="DIR", help="where unsaved texts are kept")


def import_(verb: argparse.ArgumentParser) -> None:
    """A model of STV2, or a VMT-LIB transition system, as ISPL"""
    verb.add_argument("file", metavar="FILE", help="a model of STV2 (.stv) or in VMT-LIB (.vmt)")
    verb.add_argument("-o", "--output", metavar="FILE", help="write the ISPL text there")


def fmt(verb: argparse.ArgumentParser) -> None:
    """Print the model in its canonical layout"""
    verb.add_argument("files", nargs="+", metavar="FILE", help="an ISPL model; - reads standard input")
    mode = verb.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="print nothing; exit 1 if a file is not in canonical layout")
    mode.add_argument("--write", action="store_true", help="write the result back into the file")


def sweep(verb: argparse.ArgumentParser) -> None:
    """Check a model over ranges of its parameters, many checks side by side"""
    verb.add_argument(
        "what",
        nargs="+",
        metavar="MODEL | NAME=VALUES",
        help="models, and ranges of their parameters: n=3..6, n=10..50:10, n=2,4,8",
    )
    verb.add_argument(
        "--only",
        action="append",
        metavar="N,..",
        help="only these formulae; each --only is a task of its own (repeatable)",
    )
    verb.add_argument(
        "--store", default="sweep.sqlite", metavar="FILE", help="where results are kept (default: sweep.sqlite)"
    )
    verb.add_argument("-j", "--jobs", type=count, metavar="N", help="checks side by side (default: one for each core)")
    verb.add_argument("--scheduler", metavar="dask://HOST:PORT", help="hand the checks to a Dask cluster")
    verb.add_argument("--time", type=positive, default=60.0, metavar="S", help="seconds for each check (default: 60)")
    verb.add_argument("--memory", default="", metavar="SIZE", help="memory for each check, such as 500MB or 2GB")
    verb.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="OPT",
        help="passed on to check, as in --option=--engine=symbolic",
    )
    verb.add_argument("-o", "--output", metavar="FILE", help="write the table: .csv, or .parquet")
    verb.add_argument("--plot", metavar="FILE.svg", help="draw CPU time over the first parameter")


def bench(verb: argparse.ArgumentParser) -> None:
    """Run a suite of benchmarks, other programs beside it"""
    verb.add_argument(
        "--suite", metavar="NAME", help="a suite's name or .toml file; without it, what there is is listed"
    )
    verb.add_argument("--repeats", type=count, metavar="N", help="runs of each case (default: as the suite says)")
    verb.add_argument(
        "--peers", type=names, metavar="A,B", help="other programs to measure (default: those on the PATH)"
    )
    verb.add_argument("--only", metavar="TEXT", help="only the cases whose name or table contains a text")
    verb.add_argument("--no-variants", action="store_true", help="leave out the variants that the suite compares with")
    verb.add_argument("-o", "--output", metavar="DIR", help="write data, table and picture, after each case")
    verb.add_argument(
        "--resume",
        action="store_true",
        help="with -o: keep the results that are there and as expected, measure the other cases",
    )
    verb.add_argument(
        "--against", metavar="FILE", help="name the cases that got slower than in this .jsonl file of earlier results"
    )


def doctor(verb: argparse.ArgumentParser) -> None:
    """Versions, libraries found, and a self-test"""


def scenario(verb: argparse.ArgumentParser) -> None:
    """Models to learn from: list them, read them, check them in any size"""
    verb.add_argument("name", nargs="?", metavar="NAME", help="a scenario; without it, all are listed")
    verb.add_argument("set", nargs="*", type=settings, metavar="n=10", help="values of its parameters")
    verb.add_argument("--show", action="store_true", help="print the model")
    verb.add_argument("--check", action="store_true", help="check its formulae")
    verb.add_argument("--only", metavar="N,..", help="with --check: only the formulae with these numbers or names")
    verb.add_argument("--evidence", action="store_true", help="with --check: show why")
    verb.add_argument("--expect", action="store_true", help="with --check: compare with the verdicts in the text")
    verb.add_argument("--time", metavar="S", help="with --check: seconds")
    verb.add_argument("--json", action="store_true", help="print as JSON")


def expand(verb: argparse.ArgumentParser) -> None:
    """Print the model with its families written out"""
    verb.add_argument("file", metavar="FILE", help="an ISPL model; - reads standard input")
    _reading(verb, strict=False)
    verb.add_argument("--only", type=chosen, metavar="N,..", help="with these of its formulae, by number or name")
    verb.add_argument("-o", "--output", metavar="FILE", help="write it to a file")


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
        if name == but:
            continue
        if isinstance(one.default, bool):
            tuning.add_argument(f"--{_dashed(name)}", action="store_true", default=None, help=words)
        else:
            kind = str if one.default is None else type(one.default)
            words += f" ({', '.join(choices)})" if choices else ""
            tuning.add_argument(f"--{_dashed(name)}", type=kind, metavar=one.metadata["metavar"] or "M", help=words)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def _limits(verb: argparse.ArgumentParser) -> None:
    limits = verb.add_argument_group("limits, for each file")
    limits.add_argument("--time", type=positive, metavar="S", help="seconds")
    limits.add_argument("--memory", type=size, metavar="SIZE", help="resident memory, such as 500MB or 2GB")
    limits.add_argument("--nodes", type=count, metavar="N", help="symbolic: nodes of decision diagrams")
    limits.add_argument("--states", type=natural, metavar="N", help="engines that store states: how many")
    limits.add_argument(
        "--cores", type=count, metavar="N", help="cores for engines side by side (all); 1: they take turns"
    )


def _output(verb: argparse.ArgumentParser, formats: Sequence[str] = ()) -> None:
    output = verb.add_argument_group("output")
    if formats:
        words = "text (the default), json (one object per file), junit, sarif, or github (annotations)"
        output.add_argument("--format", choices=formats, default="text", metavar="F", help=words)
        output.add_argument("--json", dest="format", action="store_const", const="json", help="--format json")
    else:
        output.add_argument("--json", action="store_true", help="print the report as JSON, one object per file")
    output.add_argument("--stats", action="store_true", help="show what the engines did, and how long it took")
    if formats:
        output.add_argument("--quiet", "-q", action="store_true", help="print only what fails or is unknown")
        output.add_argument("--all-warnings", action="store_true", help="show every warning, not one of each kind")
        output.add_argument("--no-warn", type=names, default=(), metavar="W006,..", help="without these warnings")
        output.add_argument("--werror", action="store_true", help="warnings make the exit status 1")


def _reading(verb: argparse._ActionsContainer, *, strict: bool = True) -> None:
    """How a model is read."""
    if strict:
        verb.add_argument("--strict", action="store_true", help="accept only what MCMAS accepts")
    verb.add_argument(
        "--set", action="extend", type=settings, metavar="n=10", help="values of the model's parameters (n=10,m=2)"
    )
    verb.add_argument(
        "--include-outside", action="store_true", help="allow `include` of files outside the model's folder"
    )


VERBS = (
    check,
    info,
    simulate,
    strategy,
    export,
    replay,
    studio,
    fmt,
    sweep,
    bench,
    doctor,
    scenario,
    import_,
    expand,
    explain,
    completion,
    lsp,
)
"""The commands, in the order in which they are listed."""
