"""What the commands print as JSON keeps to the schemas in docs/schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.cli.lamp_models import LAMP, Run

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "docs" / "schema"
EXAMPLES = sorted(str(file) for file in (ROOT / "examples").glob("*.ispl"))


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text())


def valid(record: Any, name: str) -> None:
    jsonschema.Draft202012Validator(schema(name)).validate(record)


@pytest.mark.parametrize("file", sorted(SCHEMAS.glob("*.json")), ids=lambda file: file.name)
def test_schemas_are_schemas(file: Path) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(file.read_text()))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: Path(file).stem)
def test_examples(run: Run, file: str) -> None:
    report = run("check", file, "--json", "--evidence", "--stats", "--deadlock", "--overflow").json
    valid(report, "check-1.json")
    for result in report["results"]:
        if "evidence" in result and "property" not in result:
            valid(result["evidence"], "evidence-1.json")
    valid(run("info", file, "--json", "--stats").json, "info-1.json")


@pytest.mark.parametrize(
    "arguments",
    [
        ["counter.ispl", "--deadlock", "--overflow", "--evidence"],
        ["lamp.ispl", "-f", "EX lid"],
        ["lamp.ispl", "--engine", "reference", "--evidence", "--all", "3"],
        ["missing.ispl"],
        ["bad.ispl"],
    ],
)
def test_odd_reports(run: Run, models: Path, arguments: list[str]) -> None:
    (models / "bad.ispl").write_text(LAMP.replace("press", "push", 1))
    valid(run("check", *arguments, "--json").json, "check-1.json")
    valid(run("info", arguments[0], "--json").json, "info-1.json")


def test_an_unknown_verdict_needs_a_reason() -> None:
    result = {
        "index": 1,
        "formula": "p",
        "verdict": "unknown",
        "engine": None,
        "seconds": 0,
        "reason": None,
        "advice": None,
        "notes": [],
    }
    report = {
        "schema": 1,
        "model": "m",
        "agents": 1,
        "states": None,
        "seconds": 0,
        "results": [result],
        "diagnostics": [],
    }
    with pytest.raises(jsonschema.ValidationError):
        valid(report, "check-1.json")
    result["reason"] = "time limit of 1 s reached"
    valid(report, "check-1.json")
