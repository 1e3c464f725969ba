"""The grammar in the documentation is the grammar of the parser: a recogniser that reads the page agrees with it."""

from __future__ import annotations

import itertools
import random
import re
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.lang.samples import EVERYTHING, PLAIN, PROGRAM

from epistrat.lang import load
from epistrat.lang.lexer import Words
from epistrat.lang.vocabulary import STRUCTURE
from epistrat.source import Report, SourceText

PAGE = Path(__file__).parents[2] / "docs" / "grammar.md"
SYNTAX = {"E001", "E002", "E004", "E006", "E007", "E008", "E036"}

# A grammar expression: ("word", w), ("rule", name), ("seq", parts), ("or", parts), ("many", part), ("maybe", part).
Expr: TypeAlias = tuple[str, object]


def grammar() -> dict[str, Expr]:
    text = PAGE.read_text()
    block = text.split("```ebnf\n")[1].split("```")[0]
    tokens = re.findall(r'"[^"]+"|[A-Za-z]+|[=|;{}()\[\]]', block)
    rules: dict[str, Expr] = {}
    at = 0
    while at < len(tokens):
        name = tokens[at]
        assert tokens[at + 1] == "=", tokens[at : at + 5]
        expr, at = alternatives(tokens, at + 2)
        assert tokens[at] == ";", tokens[at - 3 : at + 3]
        assert name not in rules
        rules[name] = expr
        at += 1
    return rules


def alternatives(tokens: list[str], at: int) -> tuple[Expr, int]:
    parts = []
    while True:
        part, at = sequence(tokens, at)
        parts.append(part)
        if tokens[at] != "|":
            return ("or", parts), at
        at += 1


def sequence(tokens: list[str], at: int) -> tuple[Expr, int]:
    parts: list[Expr] = []
    closing = {"{": "}", "[": "]", "(": ")"}
    kinds = {"{": "many", "[": "maybe", "(": "or"}
    while tokens[at] not in ("|", ";", "}", "]", ")"):
        token = tokens[at]
        if token in closing:
            inner, at = alternatives(tokens, at + 1)
            assert tokens[at] == closing[token]
            parts.append(inner if token == "(" else (kinds[token], inner))
        elif token.startswith('"'):
            parts.append(("word", token[1:-1]))
        else:
            parts.append(("rule", token))
        at += 1
    return ("seq", parts), at


class Recogniser:
    """Finds all ends that a rule can reach from a place; notes which rules a whole reading uses."""

    def __init__(self, rules: dict[str, Expr], words: list[str]) -> None:
        self.rules = rules
        self.words = words
        self.ends = cache(self._ends_of_rule)
        self.used: set[str] = set()

    def accepts(self) -> bool:
        return len(self.words) in self.ends("program", 0)

    def terminal(self, name: str, at: int) -> bool:
        word = self.words[at] if at < len(self.words) else ""
        if name == "NAME":
            return word[:1].isalpha() and word not in STRUCTURE
        if name == "WHOLE":
            return word.isdigit()
        return word[:1].isdigit()

    def _ends_of_rule(self, name: str, at: int) -> frozenset[int]:
        if name in ("NAME", "NUMBER", "WHOLE"):
            return frozenset({at + 1}) if self.terminal(name, at) else frozenset()
        return self.reach(self.rules[name], at)

    def reach(self, expr: Expr, at: int) -> frozenset[int]:
        kind, body = expr
        if kind == "word":
            return frozenset({at + 1}) if at < len(self.words) and self.words[at] == body else frozenset()
        if kind == "rule":
            return self.ends(body, at)
        if kind == "or":
            return frozenset().union(*[self.reach(part, at) for part in body])  # type: ignore[attr-defined]
        if kind == "maybe":
            return self.reach(body, at) | {at}  # type: ignore[arg-type]
        if kind == "many":
            found, fresh = {at}, {at}
            while fresh:
                fresh = {end for place in fresh for end in self.reach(body, place)} - found  # type: ignore[arg-type]
                found |= fresh
            return frozenset(found)
        places = frozenset({at})
        for part in body:  # type: ignore[attr-defined]
            places = frozenset(end for place in places for end in self.reach(part, place))
        return places

    def mark(self, expr: Expr, at: int, end: int) -> None:
        """Follows one reading of the words from ``at`` to ``end`` and notes its rules."""
        kind, body = expr
        if kind == "rule":
            name = str(body)
            self.used.add(name)
            if name in self.rules:
                self.mark(self.rules[name], at, end)
        elif kind == "or":
            part = next(part for part in body if end in self.reach(part, at))  # type: ignore[attr-defined]
            self.mark(part, at, end)
        elif kind == "maybe" and at != end:
            self.mark(body, at, end)  # type: ignore[arg-type]
        elif kind == "many" and at != end:
            for middle in sorted(self.reach(body, at) - {at}):  # type: ignore[arg-type]
                if end in self.reach(expr, middle):
                    self.mark(body, at, middle)  # type: ignore[arg-type]
                    self.mark(expr, middle, end)
                    return
        elif kind == "seq" and body:
            first, rest = body[0], ("seq", body[1:])  # type: ignore[index]
            for middle in sorted(self.reach(first, at)):
                if end in self.reach(rest, middle):
                    self.mark(first, at, middle)
                    self.mark(rest, middle, end)
                    return


def words_of(text: str) -> list[str]:
    words = Words(SourceText(text), Report(SourceText(text)))
    return words.list[: words.count]


def reads(text: str) -> bool:
    """Whether the parser finds no mistake of syntax (InitStates may be missing: the grammar does not count sections)."""
    found = [one for one in load(text).diagnostics if "a coalition enforces" not in one.message]
    outside = ("do not chain", "a guard asks what the agent knows now")
    return not any(one.code in SYNTAX or any(words in one.message for words in outside) for one in found)


def test_every_rule_is_exercised() -> None:
    rules = grammar()
    used = {"program"}
    for text in (EVERYTHING, PROGRAM):
        words = words_of(text)
        recogniser = Recogniser(rules, words)
        assert recogniser.accepts()
        recogniser.mark(rules["program"], 0, len(words))
        used |= recogniser.used
    assert used == rules.keys() | {"NAME", "NUMBER", "WHOLE"}


def test_the_samples_are_right() -> None:
    for text in (EVERYTHING, PLAIN, PROGRAM):
        loaded = load(text)
        assert loaded.ok, [str(error) for error in loaded.report.errors]
        assert Recogniser(grammar(), words_of(text)).accepts()


@pytest.mark.parametrize("text", [EVERYTHING, PLAIN, PROGRAM], ids=["everything", "plain", "program"])
@pytest.mark.parametrize("seed", range(4))
def test_parser_and_grammar_agree_on_damaged_texts(text: str, seed: int) -> None:
    """One word is deleted, doubled or replaced by another of the text."""
    rules = grammar()
    rng = random.Random(seed)
    words = words_of(text)
    for _ in range(60):
        at = rng.randrange(len(words))
        change = rng.choice(([], [words[at]] * 2, [rng.choice(words)]))
        damaged = [*words[:at], *change, *words[at + 1 :]]
        if any(one == two == "-" for one, two in itertools.pairwise(damaged)):
            continue  # would be a comment
        expected = Recogniser(rules, damaged).accepts()
        assert reads(" ".join(damaged)) == expected, " ".join(damaged[max(0, at - 8) : at + 8])
