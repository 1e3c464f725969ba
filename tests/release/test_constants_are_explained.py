"""Every number that decides how engines work says what it is: in a comment, or in a docstring."""

from __future__ import annotations

import ast

import pytest

PACKAGES = ("encoding", "engines", "jobs", "proving", "service", "solvers")


def is_number(value: ast.expr) -> bool:
    """Whether the expression is a number, or a product, a power or a shift of numbers."""
    match value:
        case ast.Constant(found):
            return isinstance(found, int | float) and not isinstance(found, bool)
        case ast.BinOp(left, _, right):
            return is_number(left) and is_number(right)
        case ast.UnaryOp(_, operand):
            return is_number(operand)
    return False


def unexplained(text: str) -> list[str]:
    """The constants of a module without a comment, on the line or above it, and without a docstring.

    A line that ends with a comma in its comment is explained together with the next one.
    """
    lines, body = text.splitlines(), ast.parse(text).body
    found = []
    for statement, following in zip(body, [*body[1:], None], strict=True):
        match statement:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
                above, line = lines[statement.lineno - 2], lines[statement.lineno - 1]
                told = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
                if is_number(value) and not told and "  # " not in line and not above.startswith("# "):
                    found.append(name)
    return found


@pytest.mark.parametrize("package", PACKAGES)
def test_every_number_is_explained(package: str, request: pytest.FixtureRequest) -> None:
    root = request.config.rootpath / "src" / "epistrat" / package
    assert {str(file): names for file in root.rglob("*.py") if (names := unexplained(file.read_text()))} == {}


def test_a_number_without_a_word_is_found() -> None:
    assert unexplained('X = 3\nY = 4  # so many\n# so much\nZ = 2 ** 5\nW = 1\n"""That."""\nV: int = -1\n') == [
        "X",
        "V",
    ]
