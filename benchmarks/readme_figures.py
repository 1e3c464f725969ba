"""The table of times in the README, made from the committed results.

    .venv/bin/python -m benchmarks.readme_figures

writes it; a test compares it with the results.  Only which rows are shown, and what they are called, is written here.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BEGIN, END = "<!-- figures: benchmarks/readme_figures.py -->\n", "<!-- end of figures -->\n"


class Row(NamedTuple):
    """A row of the README: a case of a suite, and in words what it asks.  ``full`` is a case with all states, if this one has fewer."""

    suite: str
    case: str
    words: str
    full: str = ""


ROWS = (
    Row(
        "figures",
        "dining-cryptographers n=240 privacy",
        "240 dining cryptographers: the payer stays unknown (`privacy`)",
    ),
    Row(
        "figures",
        "muddy-children n=100 learns[1]",
        "100 muddy children: the first learns that it is muddy (`learns[1]`)",
    ),
    Row("figures", "prisoners n=25 together", "25 prisoners, strategies under fairness (`together`)"),
    Row("figures", "tian-ji n=40 trick", "Tian Ji with 40 horses, strategies (`trick`)"),
    Row(
        "figures",
        "cryptographers-in-turn n=8 privacy --engine explicit",
        "8 interleaved cryptographers, with partial order reduction (`privacy`)",
        "cryptographers-in-turn n=8 privacy --engine explicit --reduce off",
    ),
)


def block() -> str:
    """The lines between the marks."""
    head, cases = _results("figures")
    lines = [
        "CPU seconds of the whole command, for one formula of the scenario; *plain* is MCMAS's algorithm inside the same engine, run",
        "right after each case and stopped after six seconds or three times as long, whichever is more. Measured with",
        f"`epistrat bench --suite figures` on {head['machine']} ({head['date'].split()[0]};",
        "[all rows](benchmarks/results/figures.md)).",
        "",
        "| model and question | states | epistrat | plain |",
        "| --- | --- | --- | --- |",
    ]
    lines += [_line(row, cases) for row in ROWS]
    return "\n".join(lines) + "\n"


def _results(suite: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    text = (ROOT / "benchmarks/results" / f"{suite}.jsonl").read_text(encoding="utf-8")
    head, *cases = map(json.loads, text.splitlines())
    return head, {case["case"]: case for case in cases}


def _line(row: Row, cases: dict[str, dict[str, Any]]) -> str:
    case = cases[row.case]
    states = _states(case["states"])
    if row.full:
        states += f" of {_states(cases[row.full]['states'])}"
    plain = case["beside"].get("plain")
    return f"| {row.words} | {states} | {_seconds(case['cpu'])} | {_plain(plain)} |"


def _plain(run: dict[str, Any] | None) -> str:
    if run is None:
        return ""
    decided = all(one["verdict"] in ("holds", "fails") for one in run["verdicts"])
    return _seconds(run["cpu"]) if decided else f"over {int(run['cpu'])}"


def _seconds(cpu: float) -> str:
    return f"{cpu:.1f}" if cpu < 10 else f"{cpu:.0f}"


def _states(states: str) -> str:
    return f"{int(states):,}" if len(states) < 10 else f"10^{round(math.log10(int(states)))}"


def text() -> str:
    """The README with the block as the results have it."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + block() + END + after


if __name__ == "__main__":
    README.write_text(text(), encoding="utf-8")
