"""The report of a check for people: the answer first, then why, then what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import wrap

from epistrat.render.as_json import DiagnosticRecord, Json, ReportRecord, ResultRecord

_VERDICTS = {"holds": ("holds", "32"), "fails": ("FAILS", "31;1"), "unknown": ("unknown", "33")}
_FORMULA_WIDTH = 300
_EXACT_DIGITS = 40
_MOST_AGENTS = 20


@dataclass(frozen=True)
class Style:
    """How to show text: with colour or without, and how wide."""

    colour: bool = False
    width: int = 100

    def paint(self, text: str, code: str) -> str:
        """The text in a colour, where there is colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text


def show_report(report: ReportRecord, style: Style, *, hint: str | None = None) -> Iterator[str]:
    """The lines of a report.  ``hint`` says how to see more, where something can be seen."""
    yield header(report)
    yield from show_diagnostics(report["diagnostics"], style)
    results = report["results"]
    if results:
        yield ""
    number = max((len(str(result["index"])) for result in results), default=1)
    word = max((len(_VERDICTS[result["verdict"]][0]) for result in results), default=5)
    for result in results:
        yield from _result(result, style, number, word)
    if results:
        yield ""
        yield _summary(report) + (f" {hint}" if hint else "")


def header(report: ReportRecord) -> str:
    """The line above everything: how large the model is."""
    sizes: list[str] = []
    if report["agents"] is not None:
        sizes.append(_plural(report["agents"], "agent"))
    if report["states"] is not None:
        sizes.append(f"{number(report['states'])} reachable state{'' if report['states'] == 1 else 's'}")
    return f"{report['model']}: {', '.join(sizes)}" if sizes else report["model"]


def show_diagnostics(diagnostics: Iterable[DiagnosticRecord], style: Style) -> Iterator[str]:
    """Errors and warnings, each with the place it is about."""
    for diagnostic in diagnostics:
        yield ""
        yield from diagnostic.get("shown", _diagnostic(diagnostic, style)).rstrip("\n").split("\n")


def _diagnostic(diagnostic: DiagnosticRecord, style: Style) -> str:
    code = f"[{diagnostic['code']}]" if diagnostic["code"] else ""
    title = style.paint(diagnostic["severity"] + code, "31;1" if diagnostic["severity"] == "error" else "33")
    return f"{title}: {diagnostic['message']}"


def _result(result: ResultRecord, style: Style, number_width: int, word_width: int) -> Iterator[str]:
    word, colour = _VERDICTS[result["verdict"]]
    before = f"  {result['index']:>{number_width}}  "
    indent = " " * (len(before) + word_width + 2)
    formula = _shorten(" ".join(result["formula"].split()))
    lines = wrap(formula, max(style.width - len(indent), 30), break_long_words=False, break_on_hyphens=False) or [""]
    yield before + style.paint(f"{word:<{word_width}}", colour) + "  " + lines[0]
    for line in lines[1:]:
        yield indent + line
    for remark in _remarks(result):
        for line in wrap(remark, max(style.width - len(indent), 30)) or [""]:
            yield indent + line
    for line in result.get("explanation", []):
        yield indent + line if line else ""
    if "statistics" in result:
        for line in show_statistics(result["statistics"]):
            yield indent + line


def _remarks(result: ResultRecord) -> Iterator[str]:
    if result["reason"]:
        yield f"{result['reason']}."
    if result["advice"]:
        yield f"Try: {result['advice'].removeprefix('Try: ').removeprefix('try ')}"
    yield from result["notes"]


def _summary(report: ReportRecord) -> str:
    verdicts = [result["verdict"] for result in report["results"]]
    holds, fails, unknown = (verdicts.count(verdict) for verdict in ("holds", "fails", "unknown"))
    parts = [f"{holds} hold{'s' if holds == 1 else ''}"] if holds else []
    parts += [f"{fails} fail{'s' if fails == 1 else ''}"] if fails else []
    parts += [f"{unknown} unknown"] if unknown else []
    return f"{', '.join(parts)} ({seconds(report['seconds'])})."


def show_info(model: str, info: Mapping[str, Json]) -> Iterator[str]:
    """What a model consists of, how large it is, and what it asks."""
    agents = info["agents"]
    yield f"{model}: {_plural(len(agents), 'agent')}, {info['composition'].lower()}, {info['semantics']}"
    name_width = min(max((len(agent["name"]) for agent in agents), default=0), 24)
    for agent in agents[:_MOST_AGENTS]:
        variables = ", ".join(f"{v['name']}: {v['domain']}" for v in agent["variables"]) or "no variables"
        actions = ", ".join(agent["actions"]) or "none"
        yield f"  {agent['name']:<{name_width}}  {_shorten(variables, 120)}"
        yield f"  {'':<{name_width}}  actions {_shorten(actions, 110)}"
    if len(agents) > _MOST_AGENTS:
        yield f"  ... and {len(agents) - _MOST_AGENTS} more agents"
    yield from _sizes(info)
    for formula in info["formulae"][:_MOST_AGENTS]:
        engine = f", {formula['engine']}" if formula["engine"] else ", no engine"
        yield f"  {formula['index']:>3}  {formula['fragment']}{engine}: {_shorten(formula['formula'], 100)}"
    if len(info["formulae"]) > _MOST_AGENTS:
        yield f"  ... and {len(info['formulae']) - _MOST_AGENTS} more formulae"
    if info.get("reductions"):
        yield "with partial order reduction:"
        for reduction in info["reductions"]:
            yield f"  {reduction['index']:>3}  {_reduction(reduction)}"


def _reduction(reduction: Mapping[str, Json]) -> str:
    """What reduction does for one formula, in one line."""
    full, reduced = reduction["full_states"], reduction["reduced_states"]
    if reduced is None:
        return f"none: {reduction['reason']}"
    words = f"{number(reduced)} of {'unknown' if full is None else number(full)} states"
    if reduction["taken"]:
        words += f"; taken first: {_shorten(', '.join(reduction['taken']), 60)}"
    if reduction["visible"]:
        words += f"; visible: {_shorten(', '.join(reduction['visible']), 60)}"
    checked = reduction.get("self_check")
    if checked is not None:
        words += (
            "; self-check "
            + {True: "passed", False: "FAILED", None: f"not made: {checked.get('reason')}"}[checked["passed"]]
        )
    return words


def _sizes(info: Mapping[str, Json]) -> Iterator[str]:
    space = info["state_space"]
    yield f"states: {'infinitely many' if space is None else number(space)} if all were reachable"
    if info.get("states") is not None:
        yield f"reachable: {number(info['states'])}"
        for key, words in (
            ("fair_states", "with a fair run"),
            ("dead_ends", "dead ends"),
            ("overflows", "with overflow"),
        ):
            if info.get(key) is not None:
                yield f"  {words}: {number(info[key])}"
    elif info.get("reason"):
        yield f"reachable: not known, {info['reason']}"
    if info["formulae"]:
        yield "formulae:"


def show_statistics(statistics: Mapping[str, Json], indent: str = "") -> Iterator[str]:
    """Figures about the work done, one per line, those of a phase below its name."""
    for name, value in statistics.items():
        label = name.replace("_", " ")
        if isinstance(value, dict):
            yield f"{indent}{label}:"
            yield from show_statistics(value, indent + "  ")
        elif isinstance(value, float):
            yield f"{indent}{label}: {value:.3g}"
        elif isinstance(value, int) and not isinstance(value, bool):
            yield f"{indent}{label}: {number(value)}"
        else:
            yield f"{indent}{label}: {value}"


def number(value: int) -> str:
    """A count, exactly; one too long to read is rounded, and says so."""
    digits = str(value)
    if len(digits) <= _EXACT_DIGITS:
        return digits
    return f"about {digits[0]}.{digits[1:4]}e{len(digits) - 1}"


def seconds(value: float) -> str:
    """A duration, in at most two digits below ten seconds."""
    if value < 10:
        return f"{value:.2g} s" if value >= 0.01 else "0.01 s"
    if value < 100:
        return f"{value:.0f} s"
    return f"{int(value) // 60}:{int(value) % 60:02d} min"


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _shorten(text: str, longest: int = _FORMULA_WIDTH) -> str:
    if len(text) <= longest:
        return text
    return f"{text[: longest - 25]} ... {text[-20:]}"
