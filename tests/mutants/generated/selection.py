"""A plugin for pytest: of the files given, only the tests that a list names are run, in the order of the list."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.mutants.generated.statements import TREE

settings.register_profile("repeatable", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.load_profile("repeatable")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chosen", help="a file with the names of tests, as JSON")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    names: list[str] = json.loads(Path(config.getoption("--chosen")).read_text(encoding="utf-8"))
    places = {name: place for place, name in enumerate(names)}
    shown = {id(item): item.nodeid.replace(str(Path.cwd()), TREE) for item in items}
    items[:] = sorted((item for item in items if shown[id(item)] in places), key=lambda item: places[shown[id(item)]])
