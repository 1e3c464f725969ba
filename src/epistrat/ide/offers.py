"""What the language itself offers at a place, whatever a model declares: sections, types, operators, each with fields to fill in."""

from __future__ import annotations

import re
from typing import NamedTuple

from epistrat.ide.operators import BETWEEN, FORMULA, WORDS
from epistrat.lang.vocabulary import AGENT_SECTIONS, MODEL_SECTIONS, SETTINGS


class Offer(NamedTuple):
    """Something that could stand at a place; ``insert``, if not empty, is a text with fields to fill in (see `Completion`)."""

    label: str
    kind: str
    detail: str = ""
    insert: str = ""


_AGENT = """Agent ${1:Name}
    Vars:
        ${2:x} : ${3:boolean};
    end Vars
    Actions = {${4:act}};
    Protocol:
        Other : {${5:act}};
    end Protocol
    Evolution:
        ${6:x = true} if ${7:Action = act};
    end Evolution
end Agent
"""
_BODIES = {
    "Obsvars": "Obsvars:\n    ${1:x} : ${2:boolean};\nend Obsvars",
    "Lobsvars": "Lobsvars = {${1:x}};",
    "Vars": "Vars:\n    ${1:x} : ${2:boolean};\nend Vars",
    "RedStates": "RedStates:\n    ${1:condition};\nend RedStates",
    "Actions": "Actions = {${1:act}};",
    "Protocol": "Protocol:\n    ${1:condition} : {${2:action}};\n    Other : {${3:action}};\nend Protocol",
    "Evolution": "Evolution:\n    ${1:x = true} if ${2:condition};\nend Evolution",
    "Evaluation": "Evaluation\n    ${1:name} if ${2:condition};\nend Evaluation",
    "InitStates": "InitStates\n    ${1:condition};\nend InitStates",
    "Groups": "Groups\n    ${1:name} = {${2:agent}};\nend Groups",
    "Goals": "Goals\n    ${1:agent} : ${2:F win};\nend Goals",
    "Fairness": "Fairness\n    ${1:formula};\nend Fairness",
    "Formulae": "Formulae\n    ${1:formula};\nend Formulae",
}
_BODIES |= {
    "Parameters": "Parameters\n    ${1:n} = ${2:3} in ${3:2}..;\nend Parameters",
    "Constants": "Constants\n    ${1:last} = ${2:n - 1};\nend Constants",
    "Definitions": "Definitions:\n    ${1:name} if ${2:condition};\nend Definitions",
}
_TYPES = {
    "boolean": "",
    "integer": "",
    "real": "",
    "0..9": "${1:0}..${2:9};",
    "{a, b}": "{${1:a}, ${2:b}};",
}


_FIELD = re.compile(r"\$\{\d+:([^}]*)\}")


def without_fields(snippet: str) -> str:
    """A text with fields to fill in, as plain text."""
    return _FIELD.sub(r"\1", snippet)


def section(name: str) -> Offer:
    """A section with its end and a first line."""
    return Offer(name, "section", WORDS[name], _BODIES[name])


def outside(written: set[str]) -> list[Offer]:
    """What can stand outside agents, where some sections are written already."""
    settings = [Offer(name, "keyword", WORDS[name]) for name in SETTINGS]
    missing = [section(name) for name in (*MODEL_SECTIONS, "Parameters", "Constants") if name not in written]
    return [Offer("Agent", "section", "an agent with its sections", _AGENT), *missing, *settings]


def sections(written: set[str], environment: bool) -> list[Offer]:
    """What can stand in an agent between its sections."""
    apart = "Lobsvars" if environment else "Obsvars"
    missing = [section(name) for name in (*AGENT_SECTIONS, "Definitions") if name not in written and name != apart]
    return [*missing, Offer("end Agent", "keyword")]


def end_of(name: str, whole: bool = False) -> list[Offer]:
    """The end of a section: all of it, or what follows ``end``."""
    return [Offer(f"end {name}" if whole else name, "keyword")] if name else []


def types() -> list[Offer]:
    """The types of variables."""
    return [Offer(name, "type", insert=insert) for name, insert in _TYPES.items()]


def operators() -> list[Offer]:
    """What can begin a formula."""
    return [Offer(name, "operator", one.meaning, one.snippet) for name, one in FORMULA.items()]


def infix(section_name: str) -> list[Offer]:
    """What can stand behind an operand."""
    linear = section_name in ("Goals", "Fairness", "Formulae")
    found = [
        Offer(name, "operator", text) for name, text in BETWEEN.items() if linear or name not in ("U", "W", "R", "S")
    ]
    if section_name in ("Evolution", "Evaluation"):
        found.insert(0, Offer("if", "keyword"))
    return found
