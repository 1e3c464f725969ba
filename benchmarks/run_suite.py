"""Measure epistrat: ``python -m benchmarks.run_suite SUITE`` runs a suite, one case after the other, and writes its table.

Every case is the whole command ``epistrat check`` in a process of its own.  Right after it the plain variant (MCMAS's algorithm in
the same engine) checks the same file, so that both figures come from the same minute of the same machine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.families import FAMILIES, text
from benchmarks.report import Row
from benchmarks.suite import Case, Suite, available, load

from benchmarks import measure, plot, report

RESULTS = Path(__file__).parent / "results"
ONE_STATE = """
Agent Only
    Vars:
        on : boolean;
    end Vars
    Actions = {rest};
    Protocol:
        Other : {rest};
    end Protocol
    Evolution:
        on = true if on = true;
    end Evolution
end Agent
Evaluation
    on if Only.on = true;
end Evaluation
InitStates
    Only.on = true;
end InitStates
Formulae
    AG on;
end Formulae
"""

_PATIENCE = 3
"""The plain variant gets at least so many times what the default took."""


def run_case(case: Case, folder: Path, *, plain: bool = True, options: Sequence[str] = ()) -> Row:
    """Measure one case, and the plain variant beside it if both the case and the caller want that."""
    path = folder / f"{case.name.replace(' ', '_')}.ispl"
    path.write_text(case.text(), encoding="utf-8")
    run = measure.check(path, case.limit, options)
    patience = max(case.plain_limit or 0, _PATIENCE * run.cpu)  # less would say nothing about who is faster
    beside = measure.check(path, patience, measure.PLAIN) if plain and case.plain_limit else None
    return Row(case, run, beside)


def run_cases(cases: Iterable[Case], *, plain: bool = True, options: Sequence[str] = ()) -> Iterator[Row]:
    """Measure the cases one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            yield run_case(case, Path(folder), plain=plain, options=options)


def startup() -> float:
    """CPU seconds for a model of one state: what every figure contains."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one_state.ispl"
        path.write_text(ONE_STATE, encoding="utf-8")
        return min(measure.check(path, 30.0).cpu for _ in range(3))


def save(suite: Suite, rows: Sequence[Row], folder: Path, base: float) -> None:
    """Write the suite's data, table and picture."""
    folder.mkdir(parents=True, exist_ok=True)
    about = report.machine()
    report.write_lines(folder / f"{suite.name}.jsonl", suite, rows, about, base)
    report.write_table(folder / f"{suite.name}.md", suite, rows, about, base)
    plot.write(folder / f"{suite.name}.svg", f"epistrat check, {suite.name}: CPU seconds", rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if an answer was wrong or missing, or a figure (of random models: by the median) was not reached."""
    options = _parser().parse_args(arguments)
    if options.print:
        family, n, spec = options.print
        sys.stdout.write(text(family, int(n), spec, scrambled=options.scrambled, seed=options.seed))
        return 0
    if options.suite is None:
        _list()
        return 0
    suite = load(options.suite)
    cases = [case for case in suite.cases if not options.only or case.family in options.only]
    base = startup()
    rows: list[Row] = []
    for row in run_cases(cases, plain=not options.no_plain, options=options.option):
        rows.append(row)
        _tell(row)
        if not options.dry:
            save(suite, rows, options.out, base)
    wrong = [row.case.name for row in rows if row.problem]
    late = report.misses(rows)
    print(
        f"{len(rows)} cases; start-up {base:.2f} s; unanswered or wrong: {wrong or 'none'}; figures missed: {late or 'none'}"
    )
    return 1 if wrong or late else 0


def _tell(row: Row) -> None:
    beside = "" if row.ratio is None else f", plain {row.plain.cpu if row.plain else 0:.2f} s ({row.ratio:.1f} times)"
    aim = "" if row.case.figure is None else f" ({'missed' if row.missed else 'reached'} {row.case.figure:g})"
    print(f"{row.case.name}: {row.run.cpu:.2f} s{aim}, {row.run.peak_mb:.0f} MB{beside} {row.problem}", flush=True)


def _list() -> None:
    print("suites:")
    for name in available():
        print(f"  {name:10} {load(name).summary}")
    print("families:")
    for name, family in FAMILIES.items():
        print(f"  {name:10} {family.summary}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run_suite", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("suite", nargs="?", help="a suite's name or file; without one, what there is is listed")
    parser.add_argument("--only", action="append", metavar="FAMILY", help="only cases of this family (repeatable)")
    parser.add_argument("--no-plain", action="store_true", help="do not run the plain variant")
    parser.add_argument(
        "--option", action="append", default=[], metavar="OPT", help="give --option=--engine=reference to check"
    )
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="DIR", help="where the results go")
    parser.add_argument("--dry", action="store_true", help="write no results")
    parser.add_argument("--print", nargs=3, metavar=("FAMILY", "N", "SPEC"), help="print a model instead of measuring")
    parser.add_argument("--scrambled", type=int, metavar="SEED", help="with --print: in disguise")
    parser.add_argument("--seed", type=int, default=1, help="with --print: of a random family")
    return parser


if __name__ == "__main__":
    sys.exit(main())
