"""The generator of bugs: what each operator makes of a line, which tests are chosen, and that the list of equivalents is current."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.mutants.catalogue import ROOT, SOURCE
from tests.mutants.generated.candidates import Candidate, compiles, of_file
from tests.mutants.generated.equivalents import equivalents
from tests.mutants.generated.recording import Ran, Recording
from tests.mutants.generated.sample import chosen_tests, drawn
from tests.mutants.generated.signatures import Signatures
from tests.mutants.generated.statements import is_text, noting, statements

TEXT = '''"""A module."""


def f(a: int | None, items: list[int], *, deep: bool = False) -> bool:
    """Words: a and b."""
    key = (a, deep)
    if a is not None and deep:
        return True
    for number in range(len(items)):
        if items[number] <= 3:
            continue
        items.append(number | 1)
    return all(f(one, [], deep=True) for one in items if one < 2)
'''

EXPECTED = {
    "drop a conjunct": {"True and deep", "a is not None and True", "append(number)", "append(1)", "items if True)"},
    "swap names": {"deep=False", "any(f(one", "return False"},
    "swap & and |": {"number & 1"},
    "swap and and or": {"is not None or deep"},
    "swap < and <=": {"items[number] < 3", "one <= 2"},
    "off by one": {"len(items) + 1", "len(items) - 1", "<= 3 + 1", "one < 2 + 1"},
    "memo key": {"(None, deep)", "(a, None)"},
    "lost option": {"f(one, [])"},
    "early return": {"            break", "if True:"},
    "negated condition": {"if (not (a is not None and deep))", "(not (one < 2))"},
    "dropped step": {"        pass"},
}


@pytest.fixture
def bugs(tmp_path: Path) -> tuple[Path, list[Candidate]]:
    file = tmp_path / "one.py"
    file.write_text(TEXT, encoding="utf-8")
    return tmp_path, list(of_file(file, "one.py", Signatures(tmp_path)))


def test_every_operator_plants_what_it_says(bugs: tuple[Path, list[Candidate]]) -> None:
    source, found = bugs
    for operator, expected in EXPECTED.items():
        planted = [bug.planted(TEXT) for bug in found if bug.operator == operator]
        missing = [text for text in expected if not any(text in one and text not in TEXT for one in planted)]
        assert not missing, operator
    assert all(bug.planted(TEXT) != TEXT and compiles(bug, source) for bug in found)
    assert len({bug.name for bug in found}) == len(found)


def test_types_and_words_are_left_alone(bugs: tuple[Path, list[Candidate]]) -> None:
    head = TEXT.partition("key =")[0]
    assert all(bug.planted(TEXT).startswith(head) for bug in bugs[1])


def test_a_sample_depends_on_seed_and_source_only(bugs: tuple[Path, list[Candidate]]) -> None:
    source, found = bugs
    first, again, other = (drawn(found, 8, seed, source) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) == 8


def test_tests_of_a_statement_are_chosen_cheapest_first(bugs: tuple[Path, list[Candidate]]) -> None:
    bug = next(bug for bug in bugs[1] if bug.operator == "swap & and |")
    ran = frozenset({0})
    tests = {"slow": Ran(2.0, True, ran), "quick": Ran(0.1, True, ran), "fails": Ran(0.1, False, ran)}
    recorded = Recording(tests | {"elsewhere": Ran(0.1, True, frozenset({1}))}, {bug.statement: 0, "other": 1}, {})
    assert [test for test, _ in chosen_tests(bug, recorded)] == ["quick", "slow"]
    assert chosen_tests(bug, Recording(tests, {"other": 0}, {})) == []


def test_noted_copies_note_every_statement_once() -> None:
    numbers: dict[str, int] = {}
    text = noting(TEXT, numbers, "one.py").replace("from epistrat._ran import RAN as _ran", "_ran = bytearray(99)")
    space: dict[str, object] = {}
    exec(compile(text, "one.py", "exec"), space)
    function = space["f"]
    assert callable(function)
    function(None, [3])
    ran = space["_ran"]
    assert isinstance(ran, bytearray)
    found = [one for one in statements(ast.parse(TEXT), "one.py") if not is_text(one.node)]
    assert {one.key.split("|")[2] for one in found if not ran[numbers[one.key]]} == {
        "return True",
        "items.append(number ",
    }


def test_equivalents_are_current() -> None:
    """Each entry is about a bug that is still generated, and says why it cannot be seen."""
    signatures = Signatures(ROOT / SOURCE)
    listed = equivalents()
    found = {file: list(of_file(ROOT / SOURCE / file, file, signatures)) for file in {one.file for one in listed}}
    for one in listed:
        assert one.reason
        assert any(one.is_about(bug) for bug in found[one.file]), one
