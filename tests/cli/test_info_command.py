"""``epistrat info``, and the small commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cli.lamp_models import LAMP, Run


def test_what_a_model_consists_of(run: Run) -> None:
    done = run("info", "lamp.ispl")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "lamp.ispl: 1 agent, synchronous, MultiAssignment"
    assert "  Lamp  on: boolean" in lines
    assert "        actions press, wait" in lines
    assert "reachable: 2" in lines
    assert "  dead ends: 0" in lines
    assert "    3  ATL, symbolic: <g>F lit" in lines


def test_info_as_json(run: Run) -> None:
    info = run("info", "counter.ispl", "--json", "--stats").json
    assert info["states"] == 4
    assert info["state_space"] == 4
    assert info["dead_ends"] == 1
    assert info["overflows"] == 1
    assert info["agents"][0]["variables"] == [{"name": "n", "domain": "0..3", "public": False}]
    assert [d["code"] for d in info["diagnostics"] if d["code"] in ("W008", "W009")] == ["W008", "W009"]


def test_info_without_states(run: Run) -> None:
    done = run("info", "lamp.ispl", "--no-states")
    assert done.status == 0
    assert "reachable" not in done.out.replace("if all were reachable", "")


def test_info_on_unbounded_models(run: Run, models: Path) -> None:
    text = LAMP.replace("on : boolean;", "on : boolean; n : integer;").replace(
        "Lamp.on = false;", "Lamp.on = false and Lamp.n = 0;"
    )
    (models / "open.ispl").write_text(text)
    done = run("info", "open.ispl")
    assert done.status == 0
    assert "states: infinitely many if all were reachable" in done.out
    assert "reachable: 2" in done.out


def test_info_shows_statistics(run: Run) -> None:
    assert "symbolic:" in run("info", "lamp.ispl", "--stats").out


def test_info_rejects_what_check_rejects(run: Run) -> None:
    assert run("info", "missing.ispl").status == 3
    assert run("info", "missing.ispl", "--json").status == 3
    assert run("info", "lamp.ispl", "--engine", "magic").status == 2
    assert run("info", "lamp.ispl", "missing.ispl").status == 3


def test_what_reduction_saves(run: Run) -> None:
    gates = str(Path(__file__).parents[2] / "examples" / "train_gate_controller.ispl")
    done = run("info", gates, "--reduce", "--self-check")
    assert done.status == 0
    assert "with partial order reduction:" in done.out
    assert "self-check passed" in done.out
    reductions = run("info", gates, "--reduce", "auto", "--json", "--no-states").json["reductions"]
    assert any(one["reduced_states"] is not None and one["reduced_states"] <= one["full_states"] for one in reductions)
    assert "none: the model is synchronous" in run("info", "lamp.ispl", "--reduce").out
    assert run("info", "lamp.ispl", "--self-check").status == 2


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from epistrat.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "ours = sorted(name for name in sys.modules if name.startswith('epistrat'))\n"
        "heavy = {'numpy', 'scipy', 'oxidd', 'dd', 'json', 'dataclasses'} & set(sys.modules)\n"
        "print(ours, heavy, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    allowed = [
        "epistrat",
        "epistrat.cli",
        "epistrat.cli.arguments",
        "epistrat.cli.console",
        "epistrat.cli.exit_codes",
        "epistrat.cli.flags",
        "epistrat.cli.main",
        "epistrat.cli.verbs",
        "epistrat.cli.verbs_running",
    ]
    assert done.stderr == f"{allowed} set()\n"
    assert "check" in done.stdout


def test_version(run: Run) -> None:
    from epistrat import __version__

    assert run("--version").out == f"epistrat {__version__}\n"


def test_no_command_is_a_misuse(run: Run) -> None:
    assert run().status == 2
    assert run("chekc").status == 2
