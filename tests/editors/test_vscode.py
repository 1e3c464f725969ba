"""The VS Code extension: its files are valid, its grammar knows every word of the language, its commands exist."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from epistrat.lang.lexer import COMMENT, WORD
from epistrat.lang.vocabulary import (
    AGENT_SECTIONS,
    BETWEEN,
    EPISTEMIC,
    FAMILY_WORDS,
    FORMULA_INFIX,
    LETTERS,
    MODEL_SECTIONS,
    PATH_WORDS,
    SETTINGS,
    STRUCTURE,
)

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
MANIFEST: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
GRAMMAR: dict[str, Any] = json.loads((EXTENSION / "syntaxes" / "ispl.tmLanguage.json").read_text(encoding="utf-8"))
RULES = [(rule["name"], re.compile(rule["match"])) for rule in GRAMMAR["repository"]["words"]["patterns"]]
"""The patterns are written so that they mean the same in Oniguruma and here."""

MODELS = sorted([*ROOT.glob("examples/**/*.ispl"), *ROOT.glob("src/epistrat/scenarios/*.ispl")])
KEYWORDS = {
    *STRUCTURE, *LETTERS, *AGENT_SECTIONS, *MODEL_SECTIONS, *SETTINGS, *PATH_WORDS, *BETWEEN, *EPISTEMIC, *FORMULA_INFIX,
    *FAMILY_WORDS - {"["}, "in", "mod", "include", "integer", "real", "Synchronous", "Interleaved",
}  # fmt: skip


def scope(text: str, at: int = 0) -> str | None:
    """What the first pattern that matches at a place calls it."""
    return next((name for name, pattern in RULES if pattern.match(text, at)), None)


@pytest.mark.parametrize(
    "name", ["package-lock.json", "tsconfig.json", "language-configuration.json", "snippets/ispl.json"]
)
def test_files_are_valid_json(name: str) -> None:
    assert json.loads((EXTENSION / name).read_text(encoding="utf-8"))


def test_the_grammar_knows_every_keyword() -> None:
    for word in sorted(KEYWORDS):
        found = scope(word + ("(" if word in EPISTEMIC or word in ("sum", "count") else " "))
        assert found is not None, word
        assert found != "variable.other.ispl", f"{word} is coloured as a name"


def test_names_are_not_keywords() -> None:
    for word in ("Agents", "endless", "iffy", "x", "K1", "AGx", "boolean_", "true_"):
        assert scope(word + " ") == "variable.other.ispl", word


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("examples/**/*.ispl"), *ROOT.glob("src/epistrat/scenarios/*.ispl")]),
    ids=lambda path: path.stem,
)
def test_every_word_of_the_examples_has_a_scope(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for match in WORD.finditer(text):
        assert match.group().startswith(COMMENT) or scope(text, match.start()) is not None, match.group()


def test_files_that_the_manifest_names_exist() -> None:
    contributes = MANIFEST["contributes"]
    named = [one["path"] for kind in ("grammars", "snippets") for one in contributes[kind]]
    named += [one["configuration"] for one in contributes["languages"]]
    for name in named:
        assert (EXTENSION / name).is_file(), name
    assert (EXTENSION / "package-lock.json").is_file()


def test_commands_are_those_that_the_client_registers() -> None:
    source = (EXTENSION / "src" / "extension.ts").read_text(encoding="utf-8")
    contributed = {one["command"] for one in MANIFEST["contributes"]["commands"]}
    assert contributed == set(re.findall(r'^    "(epistrat\.\w+)": ', source, re.MULTILINE))
    from_server = {"epistrat.check", "epistrat.why", "epistrat.cancel"}
    assert not contributed & from_server, "the client library registers those of the server itself"
    settings = set(MANIFEST["contributes"]["configuration"]["properties"])
    assert settings == {
        f"epistrat.{name}" for name in re.findall(r'getConfiguration\("epistrat"\)\.get\("(\w+)"\)', source)
    }


def test_snippets_are_texts_with_fields() -> None:
    snippets = json.loads((EXTENSION / "snippets" / "ispl.json").read_text(encoding="utf-8"))
    for snippet in snippets.values():
        assert {"prefix", "description", "body"} == set(snippet)


def test_the_model_snippet_is_a_model() -> None:
    from epistrat.lang import load

    snippets = json.loads((EXTENSION / "snippets" / "ispl.json").read_text(encoding="utf-8"))
    text = "\n".join(snippets["A model"]["body"])
    fields = dict(re.findall(r"\$\{(\d+):(\w+)\}", text))
    text = re.sub(r"\$\{(\d+)(:\w+)?\}", lambda match: fields[match[1]], text).replace("$0", "")
    assert load(text).system is not None
