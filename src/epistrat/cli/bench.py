"""``epistrat bench``: run a suite of benchmarks, and the programs of others beside it."""

from __future__ import annotations

import argparse
from pathlib import Path

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.experiments import bench, bench_report, peers, suite
from epistrat.experiments.machine import machine


def run(arguments: argparse.Namespace) -> Exit:
    """List the suites, or run one."""
    if arguments.suite is None:
        console.write(["suites:", *(f"  {name:10} {summary}" for name, summary in suite.available().items())])
        found = [f"{peer.name} ({'found' if peer.found else 'not on the PATH'})" for peer in peers.PEERS.values()]
        console.write([f"other programs: {', '.join(found)}"])
        return Exit.HOLDS
    try:
        wanted = suite.load(arguments.suite)
    except suite.BadSuite as wrong:
        console.complain(f"bench: {wrong}")
        return Exit.USAGE
    rows: list[bench.Row] = []
    for row in bench.run(wanted, repeats=arguments.repeats, beside=peers.chosen(arguments.peers)):
        rows.append(row)
        console.write([_line(len(rows), len(wanted.cases), row)])
    if arguments.output:
        written = bench_report.write(Path(arguments.output), wanted, rows, machine())
        console.write([f"wrote {', '.join(map(str, written))}"])
    wrong_ones = [row.case.task.name for row in rows if row.problem]
    console.write(
        [f"{len(rows)} cases; " + (f"not as expected: {', '.join(wrong_ones)}" if wrong_ones else "all as expected")]
    )
    return Exit.FAILS if wrong_ones else Exit.HOLDS


def _line(number: int, all_of_them: int, row: bench.Row) -> str:
    beside = "".join(f", {name} {run.cpu:.2f} s" for name, run in row.beside)
    problem = f"  {row.problem}" if row.problem else ""
    return f"{number:3}/{all_of_them}  {row.case.task.name}: {row.cpu:.2f} s, {row.peak_mb:.0f} MB{beside}{problem}"
