"""Generated text against the scenario that writes the same models: ``python -m benchmarks.twins [--only FAMILY]``.

For each generator of `benchmarks.families` the whole command is measured in turn on the generated text and on the one-page scenario, and
the least CPU seconds of each are compared.  Verdicts and numbers of states must be equal in all runs; times should be within a tenth, or
a twentieth of a second where both are mostly start-up.  A pair that seems slower is measured again: other programs on the machine make
a run longer, never shorter.  Nodes are those of decision diagrams: work that does not depend on the machine.  The table goes to
``results/twins.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.families import text
from benchmarks.measure import Run, check

from epistrat import scenarios
from epistrat.experiments.machine import machine

RESULTS = Path(__file__).parent / "results"
PAIRS: tuple[tuple[str, int, str, str, str, str], ...] = (
    ("dc", 100, "privacy", "dining-cryptographers", "n=100", "privacy"),
    ("dc", 400, "privacy", "dining-cryptographers", "n=400", "privacy"),
    ("payers", 100, "payer", "dining-cryptographers", "n=100", "sure"),
    ("muddy", 60, "one", "muddy-children", "n=60", "learns[1]"),
    ("btp", 64, "main", "bit-transmission", "n=64", "knows,reaches,confirmed,gap,content"),
    ("prisoners", 20, "strategy", "prisoners", "n=20", "together"),
    ("tianji", 20, "strategy", "tian-ji", "n=20", "trick"),
    ("cards", 12, "ctl", "cards", "h=6", "red"),
    ("ring", 40, "all", "token-ring", "n=40", ""),
    ("grid", 8, "all", "robots", "n=8", "meet,part,stay,blind,corner,agree,hunt"),
    ("vote", 16, "all", "roll-call", "n=16", ""),
    ("sparse", 12, "all", "sparse-agents", "n=12", ""),
    ("gossip", 4, "all", "gossip", "n=4", ""),
    ("pipe", 10, "all", "pipe", "n=10", ""),
    ("auction", 6, "all", "auction", "n=6", ""),
    ("lift", 16, "all", "lift", "n=16", ""),
    ("cache", 16, "all", "cache-coherence", "n=16", ""),
    ("election", 8, "all", "leader-election", "n=8 step=5", ""),
    ("signing", 16, "all", "contract-signing", "n=16", ""),
    ("magic", 8, "target", "magic-box", "n=8", "target"),
    ("battery", 1, "seven", "batteries", "size=1", ""),
    ("voters", 10, "second", "secret-ballot", "n=10", "secret"),
)
MOST, NOISE = 1.1, 0.05
AGAIN = 4  # times as many runs, at most, before a pair counts as slower
LIMIT = 600.0  # seconds on the clock, which a busy machine needs


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if verdicts or states differ or a scenario takes too long."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.twins", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", metavar="FAMILY", help="only this family (repeatable)")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each (default: 3)")
    options = parser.parse_args(arguments)
    lines: list[str] = []
    wrong: list[str] = []
    for pair in PAIRS:
        if not options.only or pair[0] in options.only:
            line, good = _compared(pair, options.repeats)
            lines.append(line)
            wrong += [] if good else [f"{pair[0]} {pair[1]}"]
            print(line, flush=True)
    if not options.only:
        _write(lines)
    print(f"different or slower: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


def _compared(pair: tuple[str, int, str, str, str, str], repeats: int) -> tuple[str, bool]:
    family, n, spec, scenario, setting, only = pair
    options = [part for one in setting.split() for part in ("--set", one)] + (["--only", only] if only else [])
    generated: list[Run] = []
    written: list[Run] = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{family}.ispl"
        path.write_text(text(family, n, spec), encoding="utf-8")
        while len(written) < repeats or (len(written) < AGAIN * repeats and not _as_fast(generated, written)):
            generated.append(check(path, LIMIT))
            written.append(check(Path(scenarios.file(scenario)), LIMIT, options))
    before, after = _least(generated), _least(written)
    found = _difference(generated, written)
    cells = [f"{family} {n} {spec}", f"{scenario} {setting} {only}".strip(), f"{before:.2f}", f"{after:.2f}"]
    cells += [f"{after / before:.2f}", *(_nodes(runs) for runs in (generated, written)), str(written[0].states or "")]
    return f"| {' | '.join([*cells, found or 'equal'])} |", not found and _as_fast(generated, written)


def _least(runs: Sequence[Run]) -> float:
    return min(run.cpu for run in runs)


def _as_fast(generated: Sequence[Run], written: Sequence[Run]) -> bool:
    before, after = _least(generated), _least(written)
    return after <= MOST * before or after - before <= NOISE


def _nodes(runs: Sequence[Run]) -> str:
    """The fewest nodes of decision diagrams that a run has made; empty if one of them does not say."""
    figures = [((run.report or {}).get("statistics") or {}).values() for run in runs]
    made = [next((one["nodes"] for one in engines if "nodes" in one), 0) for engines in figures]
    return f"{min(made):,}" if all(made) else ""


def _difference(generated: Sequence[Run], written: Sequence[Run]) -> str:
    """What differs; a run that reached a limit differs from nothing, but is no answer either."""
    runs = [*generated, *written]
    if not all(run.decided for run in runs):
        return next(
            f"NO ANSWER: {run.complaint or ', '.join(run.verdicts) or 'killed'}" for run in runs if not run.decided
        )
    answers = {(tuple(run.verdicts), run.states) for run in runs}
    return "" if len(answers) == 1 else f"DIFFERENT: {'; '.join(map(str, sorted(answers, key=str)))}"


def _write(lines: Sequence[str]) -> None:
    head = ["# Generated text and scenarios", "", (__doc__ or "").split("\n\n")[1].strip(), ""]
    head += [f"- {title}: {words}" for title, words in machine().items()]
    head += [
        "",
        "| generated | scenario | generated, s | scenario, s | ratio | nodes, generated | nodes, scenario | states | verdicts and states |",
    ]
    head += ["|---|---|--:|--:|--:|--:|--:|--:|---|"]
    RESULTS.joinpath("twins.md").write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
