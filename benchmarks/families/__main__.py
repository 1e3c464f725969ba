"""``python -m benchmarks.families FAMILY N SPEC [--scrambled SEED] [--seed SEED]`` prints a model; without arguments, what there is."""

from __future__ import annotations

import argparse
import sys

from benchmarks.families import FAMILIES, OBSERVED, model, text


def main() -> int:
    """Print a model, or the families with their specs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.families", description="print a generated model")
    parser.add_argument("case", nargs="*", metavar="FAMILY N SPEC")
    parser.add_argument("--scrambled", type=int, metavar="SEED", help="in disguise")
    parser.add_argument("--seed", type=int, default=1, help="of a random family")
    options = parser.parse_args()
    if not options.case:
        for name, family in (FAMILIES | OBSERVED).items():
            print(f"{name:10} {family.summary} Specs: {', '.join(model(name, 4).specs)}.")
        return 0
    family, n, spec = options.case
    sys.stdout.write(text(family, int(n), spec, scrambled=options.scrambled, seed=options.seed))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
