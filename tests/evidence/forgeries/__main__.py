"""``python -m tests.evidence.forgeries --count 2000 --seed 1``: forgeries by kind of evidence and premise, and how many were refused."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter

from tests.evidence.forgeries.run import Figures, forge, words


def main() -> int:
    """Make forgeries, and print what became of them; 0 if all of them were refused and all honest answers accepted."""
    parser = argparse.ArgumentParser(prog="python -m tests.evidence.forgeries")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    begun = time.monotonic()

    def told(figures: Figures) -> None:
        if sys.stderr.isatty():
            print(f"\r{figures.made} of {arguments.count}", end="", file=sys.stderr)

    figures = forge(arguments.count, arguments.seed, told)
    show(figures)
    print(f"seed {arguments.seed}, {time.monotonic() - begun:.0f} s")
    return 1 if figures.accepted or figures.rejected else 0


def show(figures: Figures) -> None:
    """The figures as a table."""
    premises: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for (kind, premise), number in (figures.false + figures.listed).items():
        premises[premise] += number
        kinds[kind] += number
    listed = Counter(dict.fromkeys(kinds, 0))
    for (kind, _), number in figures.listed.items():
        listed[kind] += number
    print("evidence                  honest  not re-checked  forged    of these false  listed as not re-checked")
    for kind in sorted({*figures.honest, *figures.open, *kinds}):
        forged = kinds[kind]
        print(
            f"{kind:<26}{figures.honest[kind]:>6}{figures.open[kind]:>16}{forged:>8}"
            f"{forged - listed[kind]:>18}{listed[kind]:>26}"
        )
    print("\npremise dropped or weakened")
    for premise, number in premises.most_common():
        print(f"{number:>6}  {premise}")
    for kind, premise, case in figures.accepted:
        print(f"ACCEPTED  {kind}, {premise}: {words(case)}")
    for case in figures.rejected:
        print(f"HONEST, BUT REFUSED  {case.kind}: {words(case)}")
    print(
        f"\n{figures.made} forgeries: {sum(figures.false.values())} false, {sum(figures.listed.values())} listed as not re-checked, "
        f"{len(figures.accepted)} accepted; {sum(figures.honest.values())} honest answers accepted, "
        f"{sum(figures.open.values())} honest, and not re-checked, {len(figures.rejected)} refused"
    )


if __name__ == "__main__":
    sys.exit(main())
