"""``epistrat mcmas``: MCMAS's switches and output lines."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.lamp_models import Run

ROOT = Path(__file__).parents[3] / "shared" / "conformance"


def test_output_lines(run: Run) -> None:
    done = run("mcmas", "lamp.ispl")
    assert done.status == 1
    lines = done.out.splitlines()
    assert lines[0] == "Command line: mcmas lamp.ispl"
    assert "lamp.ispl has been parsed successfully." in lines
    start = lines.index("Verifying properties...")
    assert lines[start + 1 : start + 5] == [
        "  Formula number 1: (AG (EF lit)), is TRUE in the model",
        "  Formula number 2: (AF lit), is FALSE in the model",
        "  Formula number 3: (<g>F lit), is TRUE in the model",
        "done, 3 formulae successfully read and checked",
    ]
    assert re.fullmatch(r"execution time = \d+\.\d+", lines[start + 5])
    assert lines[start + 6] == "number of reachable states = 2"
    assert re.fullmatch(r"BDD memory in use = \d+", lines[start + 7])


def test_operators_that_mcmas_lacks_are_printed_as_ours(run: Run, tmp_path: Path) -> None:
    told = run("mcmas", str(Path(__file__).parents[2] / "examples" / "names" / "cake.ispl")).out
    assert "(<<x>> [[y]] (Cutter, x) (Chooser, y) F (eaten and half_for_cutter)), is TRUE" in told
    text = Path("lamp.ispl").read_text(encoding="utf-8")
    (tmp_path / "clock.ispl").write_text(f"Knowledge = Clock;\n{text.replace('AG EF lit', 'AG K(Lamp, lit or !lit)')}")
    assert "K[clock](Lamp, lit or !lit)" in run("mcmas", str(tmp_path / "clock.ispl")).out


def test_quiet_and_exit_status(run: Run) -> None:
    done = run("mcmas", "-q", "--exit-zero", "lamp.ispl")
    assert done.status == 0
    assert done.out.startswith("  Formula number 1:")
    assert run("mcmas", "--exit-zero", "missing.ispl").status == 255
    assert run("mcmas", "missing.ispl").status == 3


def test_counterexamples(run: Run) -> None:
    out = run("mcmas", "-c", "1", "lamp.ispl").out
    assert "  The following is a counterexample for the formula:\n   < 0 0 >\n  States description:" in out
    assert "------------- State: 0 -----------------\nAgent Lamp\n  on = false\n" in out


def after_the_states(out: str) -> list[str]:
    """The lines between those about the state space and those about formulae."""
    lines = out.splitlines()
    return lines[lines.index("Building reachable state space...") + 1 : lines.index("Checking formulae...")]


def test_dead_ends_and_overflows_are_told_before_the_formulae_in_the_words_of_mcmas(run: Run) -> None:
    assert after_the_states(run("mcmas", "lamp.ispl").out) == []
    assert after_the_states(run("mcmas", "-k", "-a", "lamp.ispl").out) == ["There is no deadlock state in the model!"]
    state = ["Agent Counter", "  n = 3", "----------------------------------------"]
    assert after_the_states(run("mcmas", "-k", "-a", "counter.ispl").out) == [
        "Attention: there are deadlock states in the model!",
        "The following state does not have any successors.",
        *state,
        "Evolution item 1 in Agent Counter can cause overflow in the following state: ",
        *state,
    ]
    quiet = run("mcmas", "-q", "-k", "-a", "counter.ispl").out
    assert "deadlock" not in quiet
    assert "overflow" not in quiet


def test_simulation(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\nq\n"))
    assert "state 1  Lamp.on=true" in run("mcmas", "-s", "lamp.ispl").out


def test_every_switch_is_accepted(run: Run) -> None:
    done = run(
        "mcmas", "-v", "1", "-u", "-e", "3", "-o", "1", "-g", "2", "-d", "1", "-nobddcache", "-c", "0", "-p", "dir", "-f", "1",
        "-l", "1", "-w", "-atlk", "1", "-uc", "5", "-n", "lamp.ispl",
    )  # fmt: skip
    assert done.status == 1
    assert run("mcmas", "-uniform", "-ufgroup", "g", "lamp.ispl").status == 0
    assert run("mcmas", "-h").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-o", "9", "lamp.ispl"],
        ["-o"],
        ["-zz", "lamp.ispl"],
        ["lamp.ispl", "-k"],
        ["-uniform", "-ufgroup", "h", "lamp.ispl"],
    ],
)
def test_misuse(run: Run, arguments: list[str]) -> None:
    done = run("mcmas", *arguments)
    assert done.status == 2
    assert done.err.startswith("epistrat mcmas: ")


def recorded() -> list[Any]:
    """Models whose formulae MCMAS printed, except where its CTL* grammar read something else."""
    found = []
    for folder, key in (("probes", "probes"), ("mcmas", "models")):
        if (ROOT / folder).is_dir():
            for name, entry in json.loads((ROOT / folder / "expected.json").read_text())[key].items():
                verdicts = entry["runs"][0]["verdicts"]
                if any(verdict.get("right", True) is None for verdict in verdicts):
                    continue  # it should not have been accepted
                printed = [verdict["formula"] for verdict in verdicts]
                file = ROOT / folder / entry.get("file", name)
                if None not in printed and printed and file.stem != "ctlstar_precedence_trap":
                    found.append(pytest.param(file, printed, id=file.stem))
    return found


@pytest.mark.skipif(not ROOT.is_dir(), reason="the conformance models are not here")
@pytest.mark.parametrize(("file", "printed"), recorded())
def test_formulae_are_printed_as_mcmas_does(file: Path, printed: list[str]) -> None:
    import epistrat
    from epistrat.render.mcmas_text import formula_text

    system = epistrat.load(file)
    assert system.loaded is not None
    texts = [system.loaded.origins.text("formula", index) or "" for index in range(len(system.formulae))]
    shown = [
        formula_text(formula, linear=text.startswith("LTL"))
        for formula, text in zip(system.formulae, texts, strict=True)
    ]
    assert shown[: len(printed)] == printed


def test_large_counts_have_six_digits() -> None:
    from epistrat.render.mcmas_text import six_digits

    assert six_digits(96) == "96"
    assert six_digits(212992) == "212992"
    assert six_digits(1234567) == "1.23457e+06"
    assert six_digits(3**1000).startswith("1.32207e+477")


def test_files_of_evidence_and_of_the_model(run: Run, tmp_path: Path) -> None:
    done = run("mcmas", "-c", "2", "-exportmodel", "-p", str(tmp_path), "lamp.ispl")
    assert "counterexample" not in done.out
    assert {file.name for file in tmp_path.iterdir()} >= {"formula2.dot", "formula2.info", "model.dot", "model.info"}
    assert (tmp_path / "model.dot").read_text().startswith("digraph")
    assert (tmp_path / "model.info").read_text().count("Agent Lamp") == 2
