"""What names and the order of declarations cost: ``python -m benchmarks.disguise [--only FAMILY]``.

Each family is checked as it is written, renamed, and scrambled (renamed and shuffled) with a few seeds, whole command, on one core.  The
median of CPU time over the time of the written model should be below 1.5 for every family, and no verdict may change.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.families import FAMILIES, model, text

from benchmarks import measure

SIZES = {
    "dc": (60, 120), "muddy": (40, 60), "btp": (64,), "prisoners": (20, 25), "tianji": (20, 30), "cards": (10, 12),
    "ring": (20, 40), "grid": (16,), "vote": (16, 24), "sparse": (16, 20), "gossip": (5,), "pipe": (10, 14),
    "auction": (8, 12), "lift": (16, 32), "cache": (16, 32), "election": (6, 8), "signing": (16, 32),
}  # fmt: skip
LIMIT = 60.0
MOST = 1.5


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; 1 if a family's median is above the limit or a verdict changed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.disguise", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", action="append", metavar="FAMILY", help="only this family (repeatable)")
    parser.add_argument("--seeds", type=int, default=2, help="how many disguises of each kind")
    options = parser.parse_args(arguments)
    failed = [family for family in options.only or FAMILIES if not _family(family, options.seeds)]
    print(f"more than {MOST:g} times, or another verdict: {failed or 'none'}")
    return 1 if failed else 0


def _family(family: str, seeds: int) -> bool:
    """Measure one family and print its line."""
    ratios: dict[str, list[float]] = {"renamed": [], "scrambled": []}
    same = True
    for n in SIZES[family]:
        spec = next(iter(model(family, n).specs))
        plain = _run(text(family, n, spec))
        for seed in range(1, seeds + 1):
            for kind, disguised in (
                ("renamed", text(family, n, spec, renamed=seed)),
                ("scrambled", text(family, n, spec, scrambled=seed)),
            ):
                run = _run(disguised)
                ratios[kind].append(run.cpu / plain.cpu)
                same = same and run.verdicts == plain.verdicts
    medians = {kind: median(found) for kind, found in ratios.items()}
    told = ", ".join(f"{kind} {value:.2f} (worst {max(ratios[kind]):.2f})" for kind, value in medians.items())
    print(f"{family:10} {told}{'' if same else '  VERDICTS DIFFER'}", flush=True)
    return same and max(medians.values()) <= MOST


def _run(model_text: str) -> measure.Run:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ispl"
        path.write_text(model_text, encoding="utf-8")
        return measure.check(path, LIMIT, ("--cores", "1"))


if __name__ == "__main__":
    sys.exit(main())
