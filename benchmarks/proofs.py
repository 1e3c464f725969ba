"""How many verdicts are proved again, and what that costs: ``python -m benchmarks.proofs [--sizes default|papers] [--only NAME]``.

``default``: all scenarios and examples as they are, with evidence, all formulae.  ``papers``: rows at the papers' sizes.  For each model
the processor seconds of the check and of its proofs are told, and every verdict that is neither proved nor checked is named with the
reason.  The last lines sum up: the share of verdicts that are proved or checked, the reasons of the others, and for ``papers`` the
largest cost of proofs in parts of the check's.

``--default``: instead, what a check costs with the proofs it makes unasked, in parts of one with ``--no-proof``: both commands in
turn, one core, the least processor seconds of each.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import EPISTRAT, execute

from epistrat import scenarios
from epistrat.answers.backing import Standing
from epistrat.answers.verdict import Verdict
from epistrat.jobs.limits import Limits
from epistrat.service import CheckRequest, ask
from epistrat.service.proofs import LEAST, SHARE
from epistrat.service.requests import File

ROOT = Path(__file__).parents[1]
PAPERS: tuple[tuple[str, dict[str, int], str, str], ...] = (
    ("muddy-children", {"n": 20}, "", "auto"),
    ("muddy-children", {"n": 60}, "exact,finally,wrong", "auto"),
    ("prisoners", {"n": 10}, "", "auto"),
    ("prisoners", {"n": 20}, "", "auto"),
    ("tian-ji", {"n": 20}, "", "auto"),
    ("tian-ji", {"n": 30}, "", "auto"),
    ("dining-cryptographers", {"n": 20}, "", "auto"),
    ("dining-cryptographers", {"n": 60}, "", "auto"),
    ("dining-cryptographers", {"n": 150}, "", "auto"),
    ("cards", {"h": 5}, "", "auto"),
    ("cards", {"h": 6}, "", "auto"),
    ("cryptographers-in-turn", {"n": 6}, "", "explicit"),
    ("cryptographers-in-turn", {"n": 8}, "", "explicit"),
    ("write-once-caches", {"n": 4}, "", "explicit"),
    ("train-gate-controller", {"n": 50}, "", "explicit"),
    ("token-ring", {"n": 40}, "", "auto"),
    ("gossip", {"n": 5}, "", "auto"),
    ("tunnels", {"n": 10}, "", "auto"),
    ("number-transmission", {}, "", "auto"),
    ("secret-ballot", {"n": 10}, "", "auto"),
    ("batteries", {}, "", "auto"),
)
LIMIT = 600.0  # seconds on the clock for a model


class Row(NamedTuple):
    """One model: what stands behind its verdicts, and the processor seconds of check and proofs."""

    name: str
    standings: Counter[Standing]
    open: list[str]
    check: float
    proofs: float
    unknown: int


def measured(name: str, path: Path, parameters: dict[str, int], only: str, engine: str, evidence: bool) -> Row:
    """A model, checked in this process, its verdicts proved whatever that takes."""
    chosen = tuple(only.split(",")) if only else None
    model = File(str(path), parameters)
    plain = CheckRequest(model=model, engine=engine, only=chosen, evidence=evidence, prove=False, limits=Limits(LIMIT))
    began = time.process_time()
    ask(plain)
    check = time.process_time() - began
    report, _ = ask(
        CheckRequest(
            model=model, engine=engine, only=chosen, evidence=evidence, require_proof=True, limits=Limits(LIMIT)
        )
    )
    results = [result for result in report.results if result.backing is not None]
    standings = Counter(result.backing.standing for result in results if result.backing is not None)
    left = [
        f"{result.title}: {result.backing.reason}"
        for result in results
        if result.backing is not None and result.backing.standing in (Standing.ALONE, Standing.REFUTED)
    ]
    proofs = sum(result.backing.seconds for result in results if result.backing is not None)
    unknown = sum(result.verdict is Verdict.UNKNOWN and result.backing is None for result in report.results)
    return Row(name, standings, left, check, proofs, unknown)


def models(sizes: str) -> list[tuple[str, Path, dict[str, int], str, str, bool]]:
    """What is measured: name, file, parameters, formulae, engine, with evidence or not."""
    folder = ROOT / "src" / "epistrat" / "scenarios"
    if sizes == "papers":
        return [
            (f"{name} {parameters or ''}", folder / f"{name}.ispl", parameters, only, engine, name in _UNBOUNDED)
            for name, parameters, only, engine in PAPERS
        ]
    found = [(name, folder / f"{name}.ispl") for name in sorted(scenarios.names())]
    found += [(str(path.relative_to(ROOT)), path) for path in sorted((ROOT / "examples").rglob("*.ispl"))]
    return [(name, path, {}, "", "auto", True) for name, path in found]


def unasked(chosen: Sequence[tuple[str, Path, dict[str, int], str, str, bool]], runs: int) -> int:
    """What proofs that nobody asks for cost; 1 if that is more than they may in some row that says something."""
    worst = 0.0
    for name, path, parameters, only, engine, _ in chosen:
        ways: dict[str, list[float]] = {"": [], "--no-proof": []}
        given = [f"--set={one}={value}" for one, value in parameters.items()]
        common = [*EPISTRAT, "--cores", "1", "--engine", engine, *given, *(["--only", only] if only else []), str(path)]
        for _ in range(runs):
            for way, seconds in ways.items():
                seconds.append(execute([*common, *([way] if way else [])], LIMIT).cpu)
        with_proofs, without = (min(seconds) for seconds in ways.values())
        allowed = max(LEAST, SHARE * without)
        over = (with_proofs - without) / allowed
        worst = max(worst, over)
        print(
            f"{name:45} with {with_proofs:6.2f}  without {without:6.2f}  ratio {with_proofs / without:.2f}"
            f"  of what is allowed {over:.2f}",
            flush=True,
        )
    print(f"proofs that nobody asks for take at most {worst:.2f} of what they may")
    return int(worst > 1.0)


_UNBOUNDED = ("tunnels", "number-transmission", "secret-ballot", "batteries")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", choices=("default", "papers"), default="default")
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="only models with this in their name (repeatable)"
    )
    parser.add_argument("--default", action="store_true", help="what the proofs cost that a check makes unasked")
    parser.add_argument("--runs", type=int, default=3, help="of each command, for --default")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    chosen = [one for one in models(options.sizes) if not options.only or any(name in one[0] for name in options.only)]
    if options.default:
        return unasked(chosen, options.runs)
    for name, path, parameters, only, engine, evidence in chosen:
        row = measured(name, path, parameters, only, engine, evidence)
        rows.append(row)
        said = ", ".join(f"{count} {standing.value}" for standing, count in sorted(row.standings.items(), key=str))
        print(f"{name:45} check {row.check:7.2f}  proofs {row.proofs:7.2f}  {said}", flush=True)
        for line in row.open:
            print(f"    {line}", flush=True)
    total = sum((row.standings for row in rows), Counter())
    every = sum(total.values())
    good = total[Standing.PROVED] + total[Standing.CHECKED]
    print(f"{every} verdicts: {total[Standing.PROVED]} proved, {total[Standing.CHECKED]} checked, {every - good} not")
    print(f"share: {good / max(every, 1):.1%}; undecided: {sum(row.unknown for row in rows)}")
    for reason, count in Counter(line.rsplit(": ", 1)[-1] for row in rows for line in row.open).most_common():
        print(f"  {count:4} {reason}")
    slow = [(row.proofs / row.check, row.name) for row in rows if row.check > _TELLING]
    if slow:
        print(f"proofs cost at most {max(slow)[0]:.2f} of the check ({max(slow)[1]})")
    return 0


_TELLING = 0.1  # processor seconds: of a shorter check the cost of its proofs says nothing

if __name__ == "__main__":
    raise SystemExit(main())
