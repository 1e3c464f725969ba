"""The import contracts of pyproject.toml hold, and are broken by each import that they are there to forbid."""

from __future__ import annotations

import re

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

ROOT = "epistrat"
KINDS: dict[str, type[Contract]] = {"layers": LayersContract, "forbidden": ForbiddenContract}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(ROOT, cache_dir=None)


@pytest.fixture(scope="module")
def contracts(request: pytest.FixtureRequest) -> list[Contract]:
    read = read_configuration(str(request.config.rootpath / "pyproject.toml"))
    options, session = read["contracts_options"], read["session_options"]
    return [KINDS[one["type"]](one["name"], session, one) for one in options]


def broken(graph: grimp.ImportGraph, contracts: list[Contract]) -> list[str]:
    return [one.name.partition(":")[0] for one in contracts if not one.check(graph, verbose=False).kept]


def test_the_contracts_hold(graph: grimp.ImportGraph, contracts: list[Contract]) -> None:
    assert broken(graph, contracts) == []


@pytest.mark.parametrize(
    ("importer", "imported", "contract"),
    [
        (
            "engines.explicit.label",
            "engines.symbolic.reach",
            "No engine imports another; what they share lies below them",
        ),
        (
            "engines.lazy.session",
            "engines.reference.judge",
            "No engine imports another; what they share lies below them",
        ),
        (
            "engines.fixpoints.label",
            "engines.symbolic.space",
            "No engine imports another; what they share lies below them",
        ),
        ("cli.check", "engines.registry", "Faces import no engine"),
        ("studio.app", "engines.symbolic.session", "Faces import no engine"),
        ("lsp.server", "engines.contract", "Faces import no engine"),
        ("experiments.task", "engines.choose", "Faces import no engine"),
        ("api.system", "engines.explicit.engine", "Faces import no engine"),
        ("service.checking", "render.text", "Layers"),
        ("answers.result", "render.json.report", "Layers"),
        ("explain.narrate", "render.tree", "Layers"),
        ("ide.hover", "lsp.convert", "Layers"),
        ("lang.load", "engines.needs", "Layers"),
    ],
)
def test_an_import_that_is_not_allowed_is_found(
    graph: grimp.ImportGraph, contracts: list[Contract], importer: str, imported: str, contract: str
) -> None:
    importer, imported = f"{ROOT}.{importer}", f"{ROOT}.{imported}"
    assert {importer, imported} <= graph.modules
    graph.add_import(importer=importer, imported=imported)
    try:
        assert contract in broken(graph, contracts)
    finally:
        graph.remove_import(importer=importer, imported=imported)


def test_the_architecture_names_every_package(request: pytest.FixtureRequest) -> None:
    root = request.config.rootpath
    text, picture = (root / "ARCHITECTURE.md").read_text(), (root / "docs" / "architecture.svg").read_text()
    packages = [file.parent.relative_to(root / "src" / ROOT) for file in (root / "src" / ROOT).glob("*/**/__init__.py")]
    assert [str(one) for one in packages if not re.search(rf"`[a-z./]*\b{one.name}\b[a-z./_]*`", text)] == []
    assert [str(one) for one in packages if len(one.parts) == 1 and not re.search(rf"\b{one}\b", picture)] == []
