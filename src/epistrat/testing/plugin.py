"""The pytest plug-in: fixtures for tests that follow a model; with ``--epistrat`` also models as tests, random runs, and a summary."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from epistrat.testing.driving import Coverage

_COVERAGE: pytest.StashKey[Any] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("epistrat", "tests that follow a model")
    group.addoption(
        "--epistrat",
        action="store_true",
        help="collect models (*.ispl) with expected verdicts, and sum up what was covered",
    )
    group.addoption(
        "--epistrat-runs", type=int, default=0, metavar="N", help="random runs beside the paths of generated tests"
    )
    group.addoption("--epistrat-report", metavar="FILE", help="write what was covered as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """The mark."""
    config.addinivalue_line("markers", "epistrat(model, **parameters): the fixture `monitor` follows this model")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """As many random runs as were asked for."""
    if "epistrat_run" in metafunc.fixturenames:
        metafunc.parametrize("epistrat_run", range(metafunc.config.getoption("--epistrat-runs")))


@pytest.fixture
def epistrat_driver() -> Any:
    """What drives the program: the project's own fixture of this name takes its place."""
    pytest.skip(
        "there is no fixture epistrat_driver: conftest.py defines one that returns a driver (docs/agents-that-run.md)"
    )


@pytest.fixture
def epistrat_coverage(pytestconfig: pytest.Config) -> Coverage:
    """Where the steps that tests make are counted."""
    from epistrat.testing.driving import Coverage

    found: Coverage = pytestconfig.stash.setdefault(_COVERAGE, Coverage())
    return found


@pytest.fixture
def monitor(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A monitor of the model that the mark ``epistrat`` names; a test whose run is refused or violates a property fails."""
    mark = request.node.get_closest_marker("epistrat")
    if mark is None or "model" not in mark.kwargs:
        pytest.fail("the fixture `monitor` needs @pytest.mark.epistrat(model=...)", pytrace=False)
    from epistrat.api import load
    from epistrat.running.build import build
    from epistrat.running.properties import Wish

    options = dict(mark.kwargs)
    file = Path(request.node.path).parent / options.pop("model")
    wish = Wish(tuple(options.pop("properties", ())), hidden=tuple(options.pop("hidden", ())))
    answers: list[Any] = []

    class Remembering(build(load(file, strict=False, **options), wish).monitor()):  # type: ignore[misc]
        """A monitor that remembers what was not well."""

        def _record(self, *arguments: Any) -> Any:
            answer = super()._record(*arguments)
            answers.append(answer)
            return answer

    yield Remembering()
    wrong = next((answer for answer in answers if answer.kind in ("refused", "violated")), None)
    if wrong is not None:
        pytest.fail(f"{file.name}: {wrong.text}", pytrace=False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Models with expected verdicts, where ``--epistrat`` asks for them."""
    if file_path.suffix != ".ispl" or not parent.config.getoption("--epistrat"):
        return None
    expects = "-- expect" in file_path.read_text(encoding="utf-8", errors="replace")
    return Model.from_parent(parent, path=file_path) if expects else None


class Model(pytest.File):
    """A model with verdicts that it expects."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test: all verdicts are as expected."""
        yield Expected.from_parent(self, name="expect")


class Unexpected(Exception):
    """A verdict is not as expected."""


class Expected(pytest.Item):
    """The verdicts of a model are those that it expects."""

    def runtest(self) -> None:
        """Check the model."""
        from epistrat.service import CheckRequest, File, ask

        report = ask(CheckRequest(model=File(str(self.path)), expect=True, remarks=False))[0]
        wrong = [one.words for one in report.differences or ()]
        if wrong:
            raise Unexpected("; ".join(wrong))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """What differs, and the command that repeats it."""
        if isinstance(excinfo.value, (Unexpected, ValueError)):
            return f"{excinfo.value}\nepistrat check {self.path} --expect"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where it is."""
        return self.path, 0, f"{self.path.name}: expect"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """A test that follows a model fails with the run, the step and both values, and with one command that repeats it."""
    outcome: Any = yield
    report = outcome.get_result()
    if report.failed and report.when == "call" and "epistrat_coverage" in getattr(item, "fixturenames", ()):
        report.sections.append(("epistrat", f"to repeat it: pytest --epistrat '{item.nodeid}'"))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """What was covered."""
    coverage = config.stash.get(_COVERAGE, None)
    if coverage is None:
        return
    report = coverage.report()
    file = config.getoption("--epistrat-report")
    if file:
        Path(file).write_text(json.dumps({"schema": "epistrat-tests/1", "models": report}), encoding="utf-8")
    if config.getoption("--epistrat"):
        for one in report:
            (made, steps), (done, actions) = one["transitions"], one["actions"]
            terminalreporter.write_line(
                f"epistrat: {one['model']}: {made:,} of {steps:,} transitions, {done:,} of {actions:,} actions covered"
            )
