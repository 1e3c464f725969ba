"""Other model checkers, used when their program is on the PATH: how each is called, and how its verdicts are read."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from epistrat.experiments.process import GRACE, execute
from epistrat.experiments.task import COMMAND, Measured, Said, Task

_WRITTEN_BY = {"ispl": ("expand",), "smv": ("export", "--smv")}
"""Our commands that write a model in a language of others."""


@dataclass(frozen=True)
class Peer:
    """A program that reads models in ``language``: plain ISPL, SMV (CTL only), or STV2's, which is not translated to.

    ``command`` is its command line, with ``{model}`` for the file.  ``verdict`` is searched in what it prints, from top to bottom; the
    group ``said`` of each match is one formula's verdict, by the words in ``words``.
    """

    name: str
    command: tuple[str, ...]
    verdict: str
    words: tuple[tuple[str, str], ...]
    language: str = "ispl"

    @property
    def found(self) -> bool:
        """Whether the program is there."""
        return shutil.which(self.command[0]) is not None

    def read(self, output: str) -> tuple[Said, ...]:
        """The verdicts in what the program printed."""
        words = dict(self.words)
        said = [match["said"] for match in re.finditer(self.verdict, output)]
        return tuple(Said("", str(place), words.get(one, "unknown")) for place, one in enumerate(said, start=1))


_PEERS = (
    Peer(
        "mcmas",
        ("mcmas", "{model}"),
        r"Formula number \d+:.*, is (?P<said>TRUE|FALSE) in the model",
        (("TRUE", "holds"), ("FALSE", "fails")),
    ),
    Peer(
        "NuSMV",
        ("NuSMV", "-dcx", "-df", "-dynamic", "{model}"),
        r"-- specification .* is (?P<said>true|false)",
        (("true", "holds"), ("false", "fails")),
        "smv",
    ),
    Peer(
        "stv",
        ("stv", "-m", "3", "-f", "{model}"),
        r"Verification result: (?P<said>TRUE|FALSE)",
        (("TRUE", "holds"), ("FALSE", "fails")),
        "stv",
    ),
)
PEERS = {peer.name: peer for peer in _PEERS}
"""The programs that can be measured beside epistrat."""


def written(peer: Peer, task: Task) -> str | None:
    """The task's model with the formulae asked, as the peer reads it; None if it cannot be written so."""
    if peer.language == "stv":
        return task.text if Path(task.model).suffix == ".stv" else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.ispl"
        path.write_text(task.text, encoding="utf-8")
        said = [part for name, value in task.parameters for part in ("--set", f"{name}={value}")]
        said += ["--only", task.only] if task.only else []
        run = execute([*COMMAND, *_WRITTEN_BY[peer.language], str(path), *said], 60.0)
        return run.output or None if run.status == 0 else None


def measure(peer: Peer, model: str, seconds: float) -> Measured:
    """What the program says about a model in its language, and what that takes; it is killed after the limit."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"model.{peer.language}"
        path.write_text(model, encoding="utf-8")
        command = [part.replace("{model}", str(path)) for part in peer.command]
        run = execute(command, seconds + GRACE)
    complaint = "" if run.finished else f"killed after {seconds:g} s"
    return Measured(
        peer.read(run.output), round(run.cpu, 3), round(run.wall, 3), round(run.peak_mb, 1), None, complaint
    )


def chosen(names: Sequence[str] | None) -> list[Peer]:
    """The peers of these names, or all that are on the PATH."""
    return [peer for peer in PEERS.values() if (peer.name in names if names is not None else peer.found)]
