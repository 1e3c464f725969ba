"""A proof as files: each obligation for solvers, and a manifest that says what each means.

``N.smt2`` is every question that is not asked of diagrams alone; ``N.cnf`` those that need no choice for each state; with ``drat`` also
``N.drat``, by which a solver shows that the clauses have no solution.  The manifest is written last: where it is, all its files are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from epistrat.evidence.proof.bits import Space
from epistrat.evidence.proof.obligations import Asks, Obligation
from epistrat.evidence.proof.questions import Circuits, Clauses, dimacs, is_plain, question, smtlib
from epistrat.evidence.proof.world import World

SCHEMA = "epistrat-proof/1"
_MANIFEST = "manifest.json"
_NAME = re.compile(r"[0-9]+\.(smt2|cnf|drat)")
_OTHER_BITS = "bits that are not listed are those of automata, of what is remembered, and of other states"
Solver = Callable[[list[list[int]]], list[str] | None]
"""The lines of a DRAT proof that clauses have no solution; None where there is one, or the solver gives up."""


def prepare(folder: Path) -> None:
    """Make place for the proofs of a check: those that an earlier one has left are removed, for they are about something else."""
    folder.mkdir(parents=True, exist_ok=True)
    for one in folder.iterdir():
        if one.name.isdigit() and (one / _MANIFEST).is_file():
            _remove(one)


def _remove(folder: Path) -> None:
    """Remove what `write` has written, and nothing else."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        names = (
            [name for row in manifest["obligations"] for name in row["files"]] if manifest["schema"] == SCHEMA else None
        )
    except (ValueError, LookupError, TypeError):
        names = None
    if names is None:
        return
    (folder / _MANIFEST).unlink()
    for name in names:
        if isinstance(name, str) and _NAME.fullmatch(name):
            (folder / name).unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def write(
    folder: Path,
    said: Mapping[str, Any],
    kept: Sequence[Obligation],
    drat: Solver | None = None,
    tick: Callable[[], object] = lambda: None,
) -> None:
    """Write the obligations of one verdict; ``said`` is what the manifest says of it.  ``tick`` is told before each, and may raise."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    circuits: Circuits | None = None
    for number, obligation in enumerate(kept, start=1):
        tick()
        world = obligation.world
        assert isinstance(world, World)
        if world.algebra.library != "oxidd":
            break
        circuits = circuits or Circuits(world.algebra.true, world.algebra.false)
        rows.append(_row(folder, number, obligation, circuits, drat))
    bits = dict(_bits(kept[0].world.space)) if kept and isinstance(kept[0].world, World) else {}
    _manifest(folder, {**said, "obligations": rows, "bits": bits, "other_bits": _OTHER_BITS})


def write_questions(folder: Path, said: Mapping[str, Any], asked: Sequence[tuple[str, str]]) -> None:
    """Write what an SMT solver was asked about infinitely many states; ``asked`` are meanings and questions."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    for number, (meaning, text) in enumerate(asked, start=1):
        row: dict[str, Any] = {"number": number, "meaning": meaning, "expected": "unsat", "files": []}
        _file(folder, row, f"{number}.smt2", text)
        rows.append(row)
    _manifest(folder, {**said, "obligations": rows})


def _manifest(folder: Path, said: Mapping[str, Any]) -> None:
    """Write the manifest under another name, and call it by its own when it is complete."""
    whole = folder / f"{_MANIFEST}.part"
    whole.write_text(json.dumps({"schema": SCHEMA, **said}, indent=1) + "\n", encoding="utf-8")
    whole.replace(folder / _MANIFEST)


def _row(folder: Path, number: int, obligation: Obligation, circuits: Circuits, drat: Solver | None) -> dict[str, Any]:
    """Write one obligation; its entry in the manifest."""
    expected = "sat" if obligation.asks is Asks.SOME else "unsat"
    row: dict[str, Any] = {
        "number": number,
        "about": obligation.claim,
        "meaning": obligation.meaning,
        "asks": obligation.asks.value,
        "expected": expected,
        "files": [],
    }
    asked = question(obligation)
    if asked is None:
        row["note"] = "decided by diagrams only"
        return row
    world = obligation.world
    assert isinstance(world, World)
    _file(folder, row, f"{number}.smt2", smtlib(circuits, asked))
    if not is_plain(asked):
        row["note"] = "with a choice for each state, so there are no clauses"
        return row
    clauses = Clauses(circuits, world.algebra.variables, asked)
    _file(folder, row, f"{number}.cnf", dimacs(clauses.variables, clauses.clauses))
    steps = drat(clauses.clauses) if drat is not None and expected == "unsat" else None
    if steps is not None:
        _file(folder, row, f"{number}.drat", "".join(f"{step}\n" for step in steps))
    return row


def _file(folder: Path, row: dict[str, Any], name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    row["files"].append(name)


def _bits(space: Space) -> Iterator[tuple[str, str]]:
    """What each bit stands for; in clauses its number is one more."""
    for (agent, name), row in space.now.items():
        what = f"{agent}'s action" if name is None else f"{agent}.{name}"
        for place, bit in enumerate(reversed(row)):
            yield f"b{bit}", f"{what}, bit {place}"
    for slot, row in space.later.items():
        for place, bit in enumerate(reversed(row)):
            if bit not in space.now[slot]:
                yield f"b{bit}", f"{slot[0]}.{slot[1]} after the step, bit {place}"
