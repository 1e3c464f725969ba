"""Hints for what textbooks and other tools write differently: one table, looked up where a message stands.

A row has a pattern of the text and what to write instead.  It is for a message if the pattern matches in the line of the message
and touches the words that the message marks, the word before them or the word behind them.  The first row that fits is the hint.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from epistrat.lang.lexer import LONGEST_TEXT
from epistrat.lang.vocabulary import AGENT_SECTIONS, MODEL_SECTIONS
from epistrat.records import replace
from epistrat.source import Diagnostic, Edit, Fix, Report, Span

FORMULAE = frozenset({"Formulae", "Fairness", "Goals"})
TYPES = frozenset({"Vars", "Obsvars"})
EVOLUTION = frozenset({"Evolution"})
PROTOCOL = frozenset({"Protocol"})
CONDITIONS = frozenset(AGENT_SECTIONS + MODEL_SECTIONS) - FORMULAE - TYPES
ANYWHERE = frozenset(AGENT_SECTIONS + MODEL_SECTIONS)

_SYNTAX = frozenset({"E001", "E002", "E006", "E007", "E036", "E060"})
_NAMES = frozenset({"E012", "E013", "E016", "E020", "E027"})
_ACTIONS = frozenset({"E032"})

_CASES = "takes one line for each case: `z = 1 if turn = 1; z = 2 if !(turn = 1);`"
_NEXT = "what stands before `=` is the value after the step: `z = z + 1 if Action = go;`"


class Hint(NamedTuple):
    """What is written in this way in these sections, if a message has one of these codes, and what to write instead.

    In the words ``{0}``, ``{1}`` stand for what the groups of the pattern match.  ``write`` is what to put in place of the match, where
    that is all there is to do: editors offer it.
    """

    pattern: re.Pattern[str]
    note: str
    sections: frozenset[str] = ANYWHERE
    codes: frozenset[str] = _SYNTAX
    write: str | None = None


def _rows(
    sections: frozenset[str], *rows: tuple[str, str] | tuple[str, str, str], codes: frozenset[str] = _SYNTAX
) -> list[Hint]:
    return [Hint(re.compile(row[0]), row[1], sections, codes, row[2] if len(row) > 2 else None) for row in rows]


HINTS: tuple[Hint, ...] = (
    *_rows(
        FORMULAE,
        (r"\b(?:C|CK|CG|GC)\s*\(", "common knowledge is written `GCK(group, f)`", "GCK("),
        (r"\bC_\{?(\w+)", "common knowledge is written `GCK({0}, f)`"),
        (r"\b(?:EK|KE)\s*\(", "that everybody knows is written `GK(group, f)`", "GK("),
        (r"\bE_\{?(\w+)", "that everybody knows is written `GK({0}, f)`"),
        (r"\bD\s*\(", "distributed knowledge is written `DK(group, f)`", "DK("),
        (r"\bD_\{?(\w+)", "distributed knowledge is written `DK({0}, f)`"),
        (r"\bK[wW]\w*\s*\(", "that an agent knows whether is written `KW(agent, f)`", "KW("),
        (r"\b(?:M|Possible|L)\s*\(", "what an agent holds possible is written `!K(agent, !f)`"),
        (r"\bM_\{?(\w+)", "what an agent holds possible is written `!K({0}, !f)`"),
        (r"\b[Kk]nows\s*\(|\bK\s*[\[{]", "knowledge is written `K(agent, f)`"),
        (r"\bK_\{?(\w+)|\bK\s+([A-Za-z]\w*)\b", "knowledge is written `K({0}, f)`"),
        (r"\[\s*(\w+)\s*\]\s*[XFG]\b", "that a group cannot avoid `F f` is written `!<{0}>G !f`"),
        (r"\[\s*\]", "`[] f` is written `G f` in a linear formula, and `AG f` in a branching one"),
        (r"<>", "`<> f` is written `F f` in a linear formula, and `EF f` or `AF f` in a branching one"),
        (r"(?<![\w\])])\[[^\[\]]*\]", "an announcement is written `[! f] g`"),
        (r"\bA\s*\[", "until is written `A(f U g)`"),
        (r"\bE\s*\[", "until is written `E(f U g)`"),
        (r"\b(?:always|globally)\b", "always is written `AG f`"),
        (r"\b(?:eventually|finally|sometime)\b", "eventually is written `AF f` for all runs, `EF f` for some run"),
        (r"\?|\bif\b", "`if c then f else g` is written `(c -> f) and (!c -> g)`"),
    ),
    *_rows(
        FORMULAE,
        (r"<<[^<>]*>>\s*[XFG(]", "a coalition is written `<group>`, with one bracket on each side; `<<x>>` names a strategy"),
        (r"\[\[\s*(\w+)[^\]]*\]\]\s*[XFG(]", "that a group cannot avoid `F f` is written `!<{0}>G !f`"),
        (r"<<|>>", "a coalition is written `<group>`, with one bracket on each side"),
        codes=_SYNTAX | {"E065"},
    ),
    *_rows(
        FORMULAE,
        (r"\bNash\s*\(", "that there is an equilibrium is `Nash`; that some, that all satisfy f is `ENash(f)`, `ANash(f)`"),
        (r"\bNE\s*[(\[]", "that some equilibrium satisfies f is `ENash(f)`, that all do `ANash(f)`"),
        (r"\b([EA]Nash)\b(?!\s*\()", "`{0}` needs what the equilibria are to satisfy: `{0}(f)`; that there is one is `Nash`"),
        codes=_SYNTAX | _NAMES,
    ),
    *_rows(
        FORMULAE,
        (r"~", "`~` is for variables; the negation of a formula is written `!`", "!"),
        (r"&|/\\", "`&` is for variables; formulae are joined by `and`", "and"),
        (r"\||\\/", "`|` is for variables; formulae are joined by `or`", "or"),
        codes=_NAMES,
    ),
    *_rows(
        ANYWHERE,
        (r"==", "equality is written `=`", "="),
        (r"&&|/\\|∧", "conjunction is written `and`", "and"),
        (r"\|\||\\/|∨", "disjunction is written `or`", "or"),
        (r"=>|→|⇒|\bimplies\b", "implication is written `->`", "->"),
        (r"↔|⇔|\biff\b", "equivalence is written `<->`", "<->"),
        (r"\bnot\b|¬", "negation is written `!`", "!"),
        (r"≠", "`≠` is written `<>`", "<>"),
        (r"≤", "`≤` is written `<=`", "<="),
        (r"≥", "`≥` is written `>=`", ">="),
        (r"[□◻]", "`□ f` is written `G f` in a linear formula, and `AG f` in a branching one"),
        (r"[◇◊♢]", "`◇ f` is written `F f` in a linear formula, and `EF f` or `AF f` in a branching one"),
        (r"∀", "for all indices is written `forall i in 1..n: ...`"),
        (r"∃", "for some index is written `exists i in 1..n: ...`"),
    ),
    *_rows(
        TYPES,
        (r":\s*(?:int|Int|nat|natural|number|uint)\b", "a number is of type `0..9`, or `integer` if it has no bounds"),
        (r":\s*(?:float|double)\b", "numbers with fractions are of type `real`"),
        (r":\s*(?:array|list|set)\b|\]\s*of\b", "variables with an index are written `a[i in 1..n] : 0..5;`"),
        (r":\s*(?:string|str|char|enum)\b", "values with names are listed: `colour : {{red, green}};`"),
    ),
    *_rows(
        PROTOCOL,
        (r"\b(?:else|otherwise|default|other)\b", "what an agent does elsewhere is written `Other : {{...}};`", "Other"),
        codes=_SYNTAX | _NAMES,
    ),
    *_rows(
        ANYWHERE,
        (
            r"\bcount\s*\(",
            "a count is compared with a number; a line for each number: `for k in 0..n: z = k if count(...) = k;`",
        ),
        (
            r"%|\bmod\b",
            "`mod` is for indices and constants; with a variable write the cases: `z = 0 if z = 5; z = z + 1 if z < 5;`",
        ),
        (
            r"\b(min|max)\s*\(",
            "`{0}` is for indices and constants; with a variable write the cases: `z = z + 1 if z < 5; z = 5 if z >= 5;`",
        ),
        (r"\babs\s*\(", "`abs` with a variable is written by cases: `z = y if y >= 0; z = 0 - y if y < 0;`"),
        (r"(?<![\w\])] )(?<![\w\])])-\s*(?=[A-Za-z(])", "`-x` is written `0 - x`"),
        (r"\bin\s*\{", "that a value is one of some is written `(x = 1 or x = 2)`"),
        (r"\bin\s*\d", "that a value lies in a range is written `(x >= 1 and x <= 2)`"),
        (
            r"\w\[[^\]]*?([A-Za-z]\w*)",
            "an index is known before the model runs; if `{0}` is a variable, write one line for each of its values: "
            "`for k in 1..n: a[k] = 1 if {0} = k;`",
        ),
    ),
    *_rows(
        EVOLUTION,
        (r":=|<-(?!>)", "an assignment is written `z = value if condition;`", "="),
        (r"(\w+)\s*([+-])=", "write `{0} = {0} {1} ... if condition;`"),
        (r"'\s*=|\bnext\s*\(", _NEXT),
        (r"(?<=[\n;])\s*(?:if\b|Action\s*=)", "the condition stands behind: `z = 1 if Action = go;`"),
        (r"\?|=\s*if\b|\bthen\b", f"a value that depends on a condition {_CASES}"),
        (r"\b(?:when|where)\b", "the condition stands behind `if`: `z = 1 if Action = go;`", "if"),
        (
            r"=\s*\{|\bor\s+\w+\s*=",
            "a choice takes one line for each value, any of which can happen: `z = 1 if c; z = 2 if c;`",
        ),
        (r",", "assignments of one step are joined by `and`: `z = 1 and y = 2 if c;`"),
        (r"=(?:(?!\bif\b)[^;=])*;", "a line of Evolution has a condition; `if true` stands for always"),
    ),
    *_rows(
        CONDITIONS - PROTOCOL,
        (
            r"\b(?:K|GK|GCK|DK|KW)\s*\(",
            "knowledge is for formulae; here are conditions on variables that the agent sees. "
            "Whether it acts only where it knows is asked by `AG(acts -> K(agent, f))`",
        ),
    ),
    *_rows(
        CONDITIONS,
        (r"\b[AE]?[XFG]\b\s*\(", "operators of time are for formulae; here are conditions on the state"),
    ),
    *_rows(
        ANYWHERE - EVOLUTION,
        (r"\bAction\b", "formulae are about states: keep the last action in a variable, `last = go if Action = go;`"),
        codes=_ACTIONS,
    ),
)  # fmt: skip

_LONGEST_LINE = 400
_LONGEST_SECTION = 200_000
"""So many characters around a message are looked at, whatever the text is."""
_WORD_BEFORE = re.compile(r"(\w+|[^\w\s]+)\s*$")
_WORD_BEHIND = re.compile(r"\s*(\w+|[^\w\s]+)")


def add_hints(report: Report, section: str = "") -> None:
    """Gives each error a hint where there is one.  ``section`` is what the text is a part of; a whole model says it itself."""
    if len(report.source.text) > LONGEST_TEXT:
        return
    given: set[tuple[str, str, int]] = set()
    for number, message in enumerate(report.diagnostics):
        source, span = message.source, message.span
        if source is None or span is None or not message.is_error or message.notes:
            continue
        found = _hint(source.text, message, section or _section_at(source.text, span.start))
        if found is None:
            continue
        row, match = found
        note = row.note.format(*(group for group in match.groups() if group))
        line = source.position(span.start).line
        if (note, source.name, line) not in given:
            given.add((note, source.name, line))
            edit = message.edit if row.write is None else _fix(source.text, match, row.write)
            report.diagnostics[number] = replace(message, notes=(note,), edit=edit)


def _fix(text: str, match: re.Match[str], write: str) -> Fix:
    """The match replaced, with blanks around a word where letters stand next to it."""
    start, end = match.span()
    before = " " if write[0].isalnum() and text[start - 1 : start].isalnum() else ""
    behind = " " if write[-1].isalnum() and text[end : end + 1].isalnum() else ""
    return Fix(f"write `{write}`", (Edit(Span(start, end), f"{before}{write}{behind}"),))


def _section_at(text: str, offset: int) -> str:
    """The last section whose name stands before a place."""
    found = [
        (text.rfind(name, max(0, offset - _LONGEST_SECTION), offset), name) for name in AGENT_SECTIONS + MODEL_SECTIONS
    ]
    place, name = max(found)
    return name if place >= 0 else ""


def _hint(text: str, message: Diagnostic, section: str) -> tuple[Hint, re.Match[str]] | None:
    assert message.span is not None
    start, end = message.span.start, message.span.end
    far, behind_all = max(0, start - _LONGEST_LINE), min(len(text), end + _LONGEST_LINE)
    first = max(text.rfind("\n", far, start), text.rfind(";", far, start), far - 1) + 1
    ends = [place + 1 for place in (text.find("\n", end, behind_all), text.find(";", end, behind_all)) if place >= 0]
    last = min(ends, default=behind_all)
    before = _WORD_BEFORE.search(text, first, start)
    behind = _WORD_BEHIND.match(text, end, last)
    low = before.start() if before else start
    high = behind.end() if behind and start == end else max(end, behind.end() if behind else end)
    for row in HINTS:
        if message.code not in row.codes or section not in row.sections:
            continue
        for match in row.pattern.finditer(text, first, last):
            if match.start() < high and match.end() > low:
                return row, match
    return None
