"""What can be said on the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from epistrat import __version__

_UNITS = {
    "": 1,
    "B": 1,
    "KB": 10**3,
    "MB": 10**6,
    "GB": 10**9,
    "KIB": 2**10,
    "MIB": 2**20,
    "GIB": 2**30,
    "KI": 2**10,
    "MI": 2**20,
    "GI": 2**30,
    "K": 10**3,
    "M": 10**6,
    "G": 10**9,
}
_EPILOG = (
    "exit status: 0 all hold, 1 some fail, 2 usage, 3 input error, 4 unknown, 70 a bug in epistrat, 130 interrupted"
)


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one or two lines, with what may be meant."""

    def error(self, message: str) -> NoReturn:
        """End with a message."""
        known = [flag for action in self._actions for flag in action.option_strings]
        words = [name for action in self._actions if isinstance(action.choices, dict) for name in action.choices]
        meant = [
            found[0]
            for word in re.findall(r"(?<![\w-])--?[\w-]+|(?<=')[\w-]+(?=')", message.partition("(choose")[0])
            if word not in known and (found := get_close_matches(word, [*known, *words], 1, 0.6))
        ]
        hint = f"; did you mean `{meant[0]}`?" if meant else ""
        self.exit(2, f"{self.prog}: {message}{hint}\n`{self.prog} --help` lists the options.\n")

    def parse_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """As usual, but a command's own parser complains about its options."""
        found, left = self.parse_known_args(args, namespace)
        if left:
            chosen = [
                action.choices[found.verb]
                for action in self._actions
                if isinstance(action.choices, dict) and getattr(found, "verb", None) in action.choices
            ]
            (chosen[0] if chosen else self).error(f"there is no option {' '.join(left)}")
        return found


def parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The command line.  Only commands that are named in what was given get their options: those of engines take time to gather."""
    top = Parser(
        prog="epistrat",
        description="Check multi-agent systems: time, knowledge and strategies.",
        epilog=_EPILOG,
    )
    top.add_argument("--version", action="version", version=f"epistrat {__version__}")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="COMMAND")
    for fill, words in (
        (_check, "does the model satisfy its formulae?"),
        (_info, "agents, sizes, dead ends, kinds of formulae"),
        (_simulate, "walk through the model, by hand or at random"),
        (_strategy, "find a strategy, print it as rules, write it out"),
        (_export, "the reachable states as a graph, drawn or as data"),
        (_replay, "re-check saved answers, without any engine"),
        (_studio, "write, check and walk through models in a web page"),
        (_fmt, "print the model in its canonical layout"),
        (_sweep, "check a model over ranges of its parameters, many checks side by side"),
        (_bench, "run a suite of benchmarks, other programs beside it"),
        (_doctor, "versions, libraries found, and a self-test"),
        (_scenario, "models to learn from: list them, read them, check them in any size"),
        (_import, "a model of STV2, or a VMT-LIB transition system, as ISPL"),
        (_expand, "print the model with its families written out"),
        (_explain, "what a message's code means"),
        (_completion, "a script that makes a shell complete commands and options"),
        (_lsp, "serve an editor: messages, completion, verdicts while you write"),
    ):
        name = fill.__name__.removeprefix("_")
        verb = verbs.add_parser(name, help=words, epilog=_EPILOG if fill is _check else None)
        if name in given:
            fill(verb)
    verbs.add_parser("mcmas", help="MCMAS's options and output lines, for scripts", add_help=False)
    return top


def _lsp(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--stdio", action="store_true", help="use standard input and output (there is no other way)")


def _check(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("files", nargs="+", metavar="FILE", help="an ISPL model; - reads standard input")
    what = verb.add_argument_group("what to check")
    what.add_argument(
        "-f",
        "--formula",
        action="append",
        metavar="FORMULA",
        help="check this instead of the model's formulae (repeatable)",
    )
    what.add_argument("--only", type=_chosen, metavar="N,..", help="only the formulae with these numbers or names")
    what.add_argument("--deadlock", action="store_true", help="also check that no reachable state is a dead end")
    what.add_argument("--overflow", action="store_true", help="also check that no assignment leaves its range")
    what.add_argument(
        "--recall", type=_natural, default=0, metavar="W", help="agents remember their last W observations (default: 0)"
    )
    what.add_argument(
        "--expect", action="store_true", help="compare with the verdicts in the file's `-- expect:` lines"
    )
    what.add_argument(
        "--allow-vacuous", action="store_true", help="succeed even if there is no initial state, or no fair run"
    )
    how = verb.add_argument_group("how")
    how.add_argument("--engine", default="auto", metavar="E", help="auto, symbolic, explicit, reference, or all")
    _readings(how)
    how.add_argument("--group", metavar="g", help="with --strategies uniform: only this group's members choose")
    _reading(how)
    _tuning(verb)
    _limits(verb)
    _output(verb, ["text", "json", "junit", "sarif", "github"])
    why = verb.add_argument_group("why")
    why.add_argument("--evidence", action="store_true", help="show why: runs, look-alike states, strategies")
    why.add_argument("--all", type=_count, default=1, metavar="N", help="with --evidence: up to N different pieces")
    why.add_argument("--full", action="store_true", help="with --evidence: every variable, not only those that matter")
    why.add_argument("--agents", type=_names, metavar="A,B", help="with --evidence: only what these agents see and do")
    why.add_argument(
        "--depth", type=_natural, default=2, metavar="N", help="with --evidence: how deep a tree is unfolded"
    )
    why.add_argument(
        "--simulate", type=_count, metavar="N", help="walk through the model from where the evidence for formula N ends"
    )
    why.add_argument("--html", metavar="FILE", help="write the evidence as a page")
    why.add_argument("--no-replay", action="store_true", help="do not walk the evidence again to check it")


def _info(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("files", nargs="+", metavar="FILE", help="an ISPL model; - reads standard input")
    _reading(verb)
    verb.add_argument("--engine", default="auto", metavar="E", help="auto, symbolic, explicit or reference")
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


def _simulate(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", metavar="FILE", help="an ISPL model")
    _reading(verb)
    verb.add_argument("--load", metavar="FILE", help="go on from a run that was saved")
    verb.add_argument("--random", type=_natural, metavar="N", help="make N random steps and stop")
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


def _strategy(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", metavar="FILE", help="an ISPL model; - reads standard input")
    verb.add_argument(
        "-f",
        "--formula",
        metavar="FORMULA",
        help="what to enforce, such as '<group>F win'; without one, every formula of the model that asks for a strategy",
    )
    verb.add_argument(
        "--only", type=_chosen, metavar="N,..", help="only the model's formulae with these numbers or names"
    )
    verb.add_argument("--engine", default="auto", metavar="E", help="auto, symbolic, explicit or reference")
    _readings(verb)
    verb.add_argument("--group", metavar="g", help="with --strategies uniform: only this group's members choose")
    _reading(verb)
    verb.add_argument("--verify", action="store_true", help="check the model restricted to the strategy")
    verb.add_argument("--table", type=_natural, default=20_000, metavar="N", help="states that the strategy may cover")
    output = verb.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print the strategy as JSON")
    output.add_argument("--dot", metavar="FILE", help="write what can happen under the strategy; - prints it")
    output.add_argument("--ispl", metavar="FILE", help="write the model restricted to the strategy; - prints it")
    _tuning(verb)
    _limits(verb)
    verb.set_defaults(evidence=True, all=1, stats=False)


def _export(verb: argparse.ArgumentParser) -> None:
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
    ):
        form.add_argument(f"--{name}", dest="format", action="store_const", const=name, help=words)
    verb.add_argument("--only", type=_count, default=1, metavar="N", help="with --aiger: the number of the formula")
    verb.add_argument("-o", "--output", metavar="FILE", help="write to a file instead of standard output")
    _limits(verb)


def _replay(verb: argparse.ArgumentParser) -> None:
    verb.epilog = (
        "exit status: 0 every answer was re-checked and holds up, 1 some answer is false or was not re-checked, "
        "3 the model or the answers cannot be read, 4 a limit was reached"
    )
    verb.add_argument("model", metavar="MODEL", help="an ISPL model; - reads standard input")
    verb.add_argument("result", metavar="RESULT.json", help="what `epistrat check MODEL --json --evidence` printed")
    _reading(verb)
    verb.add_argument("--json", action="store_true", help="print what was found as JSON")
    verb.add_argument(
        "--states", type=_natural, metavar="N", help="visit all states where they are at most N (300), to check sets"
    )
    verb.add_argument("--time", type=_positive, metavar="S", help="seconds")
    verb.add_argument("--memory", type=_bytes, metavar="SIZE", help="resident memory, such as 500MB or 2GB")


def _studio(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("files", nargs="*", metavar="FILE", help="models to open")
    verb.add_argument("--host", default="127.0.0.1", metavar="H", help="where to listen (default: this machine only)")
    verb.add_argument("--port", type=_natural, metavar="P", help="the port (default: 8417, or any that is free)")
    verb.add_argument("--no-browser", dest="browse", action="store_false", help="do not open a browser")
    verb.add_argument("--drafts", type=Path, metavar="DIR", help="where unsaved texts are kept")


def _import(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", metavar="FILE", help="a model of STV2 (.stv) or in VMT-LIB (.vmt)")
    verb.add_argument("-o", "--output", metavar="FILE", help="write the ISPL text there")


def _fmt(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("files", nargs="+", metavar="FILE", help="an ISPL model; - reads standard input")
    mode = verb.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="print nothing; exit 1 if a file is not in canonical layout")
    mode.add_argument("--write", action="store_true", help="write the result back into the file")


def _sweep(verb: argparse.ArgumentParser) -> None:
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
    verb.add_argument("-j", "--jobs", type=_count, metavar="N", help="checks side by side (default: one for each core)")
    verb.add_argument("--scheduler", metavar="dask://HOST:PORT", help="hand the checks to a Dask cluster")
    verb.add_argument("--time", type=_positive, default=60.0, metavar="S", help="seconds for each check (default: 60)")
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


def _bench(verb: argparse.ArgumentParser) -> None:
    verb.add_argument(
        "--suite", metavar="NAME", help="a suite's name or .toml file; without it, what there is is listed"
    )
    verb.add_argument("--repeats", type=_count, metavar="N", help="runs of each case (default: as the suite says)")
    verb.add_argument(
        "--peers", type=_names, metavar="A,B", help="other programs to measure (default: those on the PATH)"
    )
    verb.add_argument("-o", "--output", metavar="DIR", help="write data, table and picture")


def _doctor(verb: argparse.ArgumentParser) -> None:
    """Nothing can be set."""


def _scenario(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("name", nargs="?", metavar="NAME", help="a scenario; without it, all are listed")
    verb.add_argument("set", nargs="*", type=_settings, metavar="n=10", help="values of its parameters")
    verb.add_argument("--show", action="store_true", help="print the model")
    verb.add_argument("--check", action="store_true", help="check its formulae")
    verb.add_argument("--only", metavar="N,..", help="with --check: only the formulae with these numbers or names")
    verb.add_argument("--evidence", action="store_true", help="with --check: show why")
    verb.add_argument("--expect", action="store_true", help="with --check: compare with the verdicts in the text")
    verb.add_argument("--time", metavar="S", help="with --check: seconds")
    verb.add_argument("--json", action="store_true", help="print as JSON")


def _expand(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("file", metavar="FILE", help="an ISPL model; - reads standard input")
    _reading(verb, strict=False)
    verb.add_argument("-o", "--output", metavar="FILE", help="write it to a file")


def _completion(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("shell", choices=["bash", "zsh", "fish"], help="for which shell")


def _explain(verb: argparse.ArgumentParser) -> None:
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
    limits.add_argument("--time", type=_positive, metavar="S", help="seconds")
    limits.add_argument("--memory", type=_bytes, metavar="SIZE", help="resident memory, such as 500MB or 2GB")
    limits.add_argument("--nodes", type=_count, metavar="N", help="symbolic: nodes of decision diagrams")
    limits.add_argument("--states", type=_natural, metavar="N", help="engines that store states: how many")
    limits.add_argument(
        "--cores", type=_count, metavar="N", help="cores for engines side by side (all); 1: they take turns"
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
        output.add_argument("--no-warn", type=_names, default=(), metavar="W006,..", help="without these warnings")
        output.add_argument("--werror", action="store_true", help="warnings make the exit status 1")


def _reading(verb: argparse._ActionsContainer, *, strict: bool = True) -> None:
    """How a model is read."""
    if strict:
        verb.add_argument("--strict", action="store_true", help="accept only what MCMAS accepts")
    verb.add_argument(
        "--set", action="extend", type=_settings, metavar="n=10", help="values of the model's parameters (n=10,m=2)"
    )
    verb.add_argument(
        "--include-outside", action="store_true", help="allow `include` of files outside the model's folder"
    )


def _settings(text: str) -> list[tuple[str, int]]:
    """Values of parameters: ``n=10,m=2``."""
    found: list[tuple[str, int]] = []
    for part in text.split(","):
        given = re.fullmatch(r"\s*([A-Za-z]\w*)\s*=\s*(-?\d{1,10})\s*", part)
        if given is None:
            raise argparse.ArgumentTypeError(f"{part!r} sets no parameter; write n=10")
        found.append((given[1], int(given[2])))
    return found


def _natural(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no whole number") from None
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def _count(text: str) -> int:
    value = _natural(text)
    if value == 0:
        raise argparse.ArgumentTypeError("0 is too few; ask for one or more")
    return value


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of seconds") from None
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")
    return value


def _chosen(text: str) -> list[int | str]:
    """Numbers, ranges and names: ``1,3,5-7,privacy``."""
    found: list[int | str] = []
    for part in re.split(r",(?![^\[]*\])", text):
        if re.match(r"\s*[A-Za-z]", part):
            found.append(re.sub(r"\s", "", part))
            continue
        bounds = re.fullmatch(r"\s*(\d+)\s*(?:-\s*(\d+)\s*)?", part)
        if bounds is None:
            raise argparse.ArgumentTypeError(f"{part!r} is neither a number, a range such as 2-5, nor a name")
        first, last = int(bounds[1]), int(bounds[2] or bounds[1])
        if last < first:
            raise argparse.ArgumentTypeError(f"{part!r} is an empty range; write {last}-{first}")
        found.extend(range(first, last + 1))
    return found


def _names(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (part.strip() for part in text.split(","))))


def _bytes(text: str) -> int:
    size = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", text)
    if size is None or size[2].upper() not in _UNITS:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 500MB or 2GB")
    return int(float(size[1]) * _UNITS[size[2].upper()])
