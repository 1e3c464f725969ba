"""Where an extra is not installed, what needs it says so in words that name the extra."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import epistrat
from epistrat.cli.main import main
from epistrat.experiments.cluster import run as run_on_cluster
from epistrat.experiments.formats import write_parquet, write_png

ROOT = Path(__file__).parents[2]
LAMP = ROOT / "docs/operators/door.ispl"
ASKED: dict[str, tuple[tuple[str, ...], Callable[[], object]]] = {
    "cluster": (("distributed", "dask"), lambda: next(run_on_cluster([], "dask://localhost:1"))),
    "cross-check": (
        ("cvc5",),
        lambda: main(
            ["check", str(ROOT / "examples/unbounded/account.ispl"), "--engine", "lazy", "--only", "1", "--cross-check"]
        ),
    ),
    "cudd": (("dd",), lambda: main(["check", str(LAMP), "--bdd", "cudd"])),
    "graph": (("networkx",), lambda: epistrat.load(LAMP).graph()),
    "lsp": (("pygls",), lambda: main(["lsp"])),
    "mcp": (("mcp",), lambda: main(["mcp"])),
    "parquet": (("pandas",), lambda: write_parquet(Path("table.parquet"), [])),
    "plot": (("PIL",), lambda: write_png(Path("picture.png"), [])),
    "studio": (("starlette", "uvicorn"), lambda: main(["studio"])),
}


def test_every_extra_is_asked() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    together = declared.pop("all")
    assert set(declared) == {*ASKED, "agents"}, "what the extra agents adds is for generated files and their tests"
    assert together == [f"epistrat[{','.join(sorted(declared))}]"]


@pytest.mark.parametrize("extra", ASKED)
def test_the_extra_is_named(extra: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    packages, ask = ASKED[extra]
    monkeypatch.setenv("EPISTRAT_IN_PROCESS", "1")
    for name in list(sys.modules):
        if name.partition(".")[0] in packages or name.startswith(
            ("epistrat.lsp", "epistrat.studio", "epistrat.assistants")
        ):
            monkeypatch.delitem(sys.modules, name)
    for name in packages:
        monkeypatch.setitem(sys.modules, name, None)
    before = importlib.util.find_spec

    def find_spec(name: str, package: str | None = None) -> object:
        return None if name.partition(".")[0] in packages else before(name, package)

    monkeypatch.setattr("importlib.util.find_spec", find_spec)
    for module in ("epistrat.cli.studio", "epistrat.engines.lazy.session"):
        monkeypatch.setattr(f"{module}.find_spec", find_spec)
    try:
        ask()
        words = "".join(capsys.readouterr())
    except Exception as error:
        words = str(error)
    assert f"pip install 'epistrat[{extra}]'" in " ".join(words.split())
