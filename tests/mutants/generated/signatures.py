"""Which arguments may be left out of a call: those that every function or record of that name has a default for."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

_OF_PYTHON = {"max": {"default"}, "min": {"default"}, "sum": {"start"}, "next": {"default"}}


class Signatures:
    """The optional parameters of all functions, methods and records of the program, by name alone."""

    def __init__(self, source: Path) -> None:
        self._optional: dict[str, list[set[str]]] = defaultdict(list)
        self._positions: dict[str, list[list[str]]] = defaultdict(list)
        for file in sorted(source.rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    self._function(node.name, node.args)
                elif isinstance(node, ast.ClassDef):
                    self._record(node)

    def optional(self, call: ast.Call) -> set[str]:
        """Names of keyword arguments that the call would go through without."""
        name = _called(call)
        if name == "replace":  # a record with other values: any of them may be forgotten
            return {keyword.arg for keyword in call.keywords if keyword.arg} if len(call.keywords) > 1 else set()
        found = self._optional.get(name)
        return set.intersection(*found) if found else set(_OF_PYTHON.get(name, ()))

    def may_miss_last(self, call: ast.Call) -> bool:
        """Whether the last positional argument may be left out."""
        name, count = _called(call), len(call.args)
        known = self._positions.get(name)
        if not known or not count:
            return False
        optional = self.optional(call)
        return all(len(names) >= count and names[count - 1] in optional for names in known)

    def _function(self, name: str, parameters: ast.arguments, method: bool | None = None) -> None:
        names = [one.arg for one in parameters.posonlyargs + parameters.args]
        with_default = names[len(names) - len(parameters.defaults) :] if parameters.defaults else []
        named = zip(parameters.kwonlyargs, parameters.kw_defaults, strict=True)
        self._optional[name].append({*with_default, *(one.arg for one, value in named if value is not None)})
        self._positions[name].append([one for one in names if one not in ("self", "cls")])

    def _record(self, node: ast.ClassDef) -> None:
        made = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        if made is not None:
            self._function(node.name, made.args)
            return
        fields = [one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
        if fields:
            self._optional[node.name].append({one.target.id for one in fields if one.value is not None})  # type: ignore[union-attr]
            self._positions[node.name].append([one.target.id for one in fields])  # type: ignore[union-attr]


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""
