"""Small models: ``python -m benchmarks.small [--limit SECONDS]``.

Twenty shapes of the zoo, each at the largest size with fewer than 1,000 reachable states, asked ten formulae: its own, and some that
anybody might ask of its propositions and agents.  Printed is the CPU time of the whole command, and with ``--bare`` beside it that without
remarks.  Nobody waits for a second where there are so few states.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.families.text import Question, Spec, render
from benchmarks.measure import check
from benchmarks.zoo import SHAPES, model

from epistrat.experiments.process import Run

MOST_STATES = 1_000
FORMULAE = 10
SHAPES_ASKED = [
    "bakery",
    "semaphore",
    "philosophers",
    "chain",
    "broadcast",
    "key_exchange",
    "contract_net",
    "bargaining",
    "coercion",
    "hats",
    "logicians",
    "generals",
    "pennies",
    "nim",
    "robots",
    "patrol",
    "monolith",
    "rooms",
    "quorum",
    "dial",
]


def text(name: str, n: int) -> str:
    """The shape's model with ten formulae."""
    pieces = model(name, n)
    (label, spec), *_ = pieces.specs.items()
    asked = [one.formula for one in spec.questions]
    for formula in _usual(tuple(pieces.propositions), pieces.agents[-1].name):
        if len(asked) < FORMULAE and formula not in asked:
            asked.append(formula)
    questions = Spec(tuple(Question(formula) for formula in asked[:FORMULAE]), spec.fairness)
    return render(replace(pieces, specs={label: questions}), label)


def _usual(propositions: Sequence[str], agent: str) -> Iterator[str]:
    for one in propositions:
        yield f"AG({one} -> AF !{one})"
        yield f"EF(K({agent}, {one}))"
        yield f"AG({one} -> K({agent}, {one}))"
        yield f"E(!{one} U {one})"


def measured(name: str, options: Sequence[str] = ()) -> tuple[int, Run]:
    """The largest size with few states, and the run at that size."""
    shape = SHAPES[name]
    found: tuple[int, Run] | None = None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.ispl"
        for n in sorted({*range(shape.tiny, shape.tiny + 4), *shape.sizes}):
            path.write_text(text(name, n), encoding="utf-8")
            run = check(path, 10.0, options)
            if not run.decided or run.states is None or run.states >= MOST_STATES:
                break
            found = n, run
    assert found is not None, name
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its status is 1 if a model takes longer than the limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--limit", type=float, default=0.35, help="CPU seconds that a model may take")
    parser.add_argument("--only", help="only shapes whose names match")
    options = parser.parse_args(arguments)
    late = 0
    for name in SHAPES_ASKED:
        if options.only and not re.search(options.only, name):
            continue
        n, run = measured(name)
        late += run.cpu > options.limit
        print(f"{name:16} n={n:<4} {run.states or 0:4} states  {run.cpu:5.2f} s  {run.peak_mb:4.0f} MB", flush=True)
    print(f"{late} of {len(SHAPES_ASKED)} take more than {options.limit:g} s")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
