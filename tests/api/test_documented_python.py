"""The Python code in the documents runs."""

from __future__ import annotations

import doctest
import re
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def blocks(document: str) -> list[str]:
    """The indented blocks of a document, without their indentation."""
    text = (ROOT / document).read_text()
    found = re.findall(r"(?:^(?:    .*|)\n)+", text, re.MULTILINE)
    return [textwrap.dedent(block).strip("\n") for block in found]


@pytest.mark.parametrize("document", ["README.md", "docs/python-api.md"])
def test_dialogues(document: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    dialogues = [block for block in blocks(document) if block.startswith(">>>")]
    assert dialogues
    for dialogue in dialogues:
        test = doctest.DocTestParser().get_doctest(dialogue + "\n", {}, document, document, 0)
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_the_builder_of_the_documentation(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = [
        block for block in blocks("docs/python-api.md") if "epistrat.Builder()" in block and block.startswith("import")
    ]
    exec(compile(block, "docs/python-api.md", "exec"), {})
    assert "holds  AF full" in capsys.readouterr().out
