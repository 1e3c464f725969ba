"""``epistrat bench``: run a suite of benchmarks, and the programs of others beside it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, Refused
from epistrat.experiments import bench, bench_report, peers, suite
from epistrat.experiments.machine import machine
from epistrat.experiments.suite import Suite


def run(arguments: argparse.Namespace) -> Exit:
    """List the suites, or run one."""
    if arguments.suite is None:
        console.write(["suites:", *(f"  {name:10} {summary}" for name, summary in suite.available().items())])
        found = [f"{peer.name} ({'found' if peer.found else 'not on the PATH'})" for peer in peers.PEERS.values()]
        console.write([f"other programs: {', '.join(found)}"])
        return Exit.HOLDS
    try:
        whole = suite.load(arguments.suite)
    except suite.BadSuite as wrong:
        raise Refused(Exit.USAGE, f"bench: {wrong}") from None
    before: dict[str, float] = {}
    if arguments.against:
        before = bench_report.seconds(Path(arguments.against))  # now: it may be written over
        if not before:
            raise Refused(Exit.USAGE, f"bench: {arguments.against} holds no results to compare with")
    folder = Path(arguments.output) if arguments.output else None
    rows = bench_report.read(folder, whole) if folder and arguments.resume else {}
    wanted = _wanted(whole, arguments.only, rows)
    bench.compile_program()
    startup = bench.startup() if folder else 0.0
    beside = peers.chosen(arguments.peers)
    for row in bench.run(wanted, repeats=arguments.repeats, beside=beside, variants=not arguments.no_variants):
        rows[row.case.name] = row
        console.write([_line(len(rows), len(whole.cases), row)])
        if folder:
            bench_report.write(folder, whole, _in_order(whole, rows), machine(), startup)
    if folder:
        written = bench_report.write(folder, whole, _in_order(whole, rows), machine(), startup)
        console.write([f"wrote {', '.join(map(str, written))}"])
    if before:
        late = bench.slower(rows.values(), before)
        compared = sum(name in before for name in rows)
        console.write([f"slower than before: {len(late)} of {compared}", *(f"  {line}" for line in late)])
    return _end(list(rows.values()))


def _wanted(whole: Suite, text: str | None, done: dict[str, bench.Row]) -> Suite:
    cases = [case for case in whole.cases if not text or text in case.name]
    return replace(whole, cases=tuple(case for case in cases if case.name not in done or done[case.name].problem))


def _in_order(whole: Suite, rows: dict[str, bench.Row]) -> list[bench.Row]:
    return [rows[case.name] for case in whole.cases if case.name in rows]


def _end(rows: list[bench.Row]) -> Exit:
    wrong = [row.case.title for row in rows if row.problem]
    late = bench.misses(rows)
    said = f"not as expected: {', '.join(wrong)}" if wrong else "all as expected"
    console.write([f"{len(rows)} cases; {said}" + (f"; figures missed: {'; '.join(late)}" if late else "")])
    return Exit.FAILS if wrong or late else Exit.HOLDS


def _line(number: int, all_of_them: int, row: bench.Row) -> str:
    beside = "".join(f", {name} {run.cpu:.2f} s" for name, run in row.beside)
    problem = f"  {row.problem}" if row.problem else ""
    return f"{number:3}/{all_of_them}  {row.case.title}: {row.cpu:.2f} s, {row.peak_mb:.0f} MB{beside}{problem}"
