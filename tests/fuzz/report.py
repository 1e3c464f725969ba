"""A case as an ISPL file with its settings in the heading, from which it can be repeated by hand."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

from tests.fuzz.compare import Finding
from tests.generators.features import Case

from epistrat.model.show import to_ispl
from epistrat.solvers.patience import PATIENT, Patience


def write(folder: Path, case: Case, finding: Finding, words: str, seed: int) -> Path:
    """Write the case into the folder; the file it is in."""
    file = folder / f"{finding.kind}-{finding.engine}-{case.reading.value}-{seed}.ispl"
    patience = {
        one.name: getattr(case.patience, one.name)
        for one in fields(Patience)
        if getattr(case.patience, one.name) != getattr(PATIENT, one.name)
    }
    heading = [
        f"{finding.kind} at {finding.engine}: {words or finding.words}",
        f"seed {seed}; strategies {case.reading.value}; group {case.followers}; nodes {case.nodes}",
        f"blocking {case.system.blocking.value}; scheduling {case.system.scheduling.value}",
        f"switches {dict(case.switches)}; patience {patience}",
    ]
    try:
        text = to_ispl(replace(case.system, formulae=case.formulae))
    except Exception as error:
        text = f"{case!r}\n{error!r}"
    file.write_text("".join(f"-- {line}\n" for line in heading) + text)
    return file
