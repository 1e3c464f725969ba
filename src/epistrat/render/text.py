"""The report of a check for people: the answer first, then why, then what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from epistrat.answers import Report, Result, Setting, Strategies, Verdict
from epistrat.answers.backing import Standing
from epistrat.explain.words import listed, number
from epistrat.logic.formula import Coalition, subformulae
from epistrat.model.system import System
from epistrat.records import replace
from epistrat.render.wording import Style
from epistrat.source import Diagnostic

if TYPE_CHECKING:
    from epistrat.render.json.report import Json

_VERDICTS = {Verdict.HOLDS: ("holds", "32"), Verdict.FAILS: ("FAILS", "31;1"), Verdict.UNKNOWN: ("unknown", "33")}
_WORD_WIDTH = 5
_FORMULA_WIDTH = 300
_WHY_WIDTH = 80
_MOST_AGENTS = 20


def show_report(report: Report, style: Style, *, statistics: bool = False) -> Iterator[str]:
    """All lines of a report, as they are shown one after the other when it is made."""
    yield header(report.model, report.system, report.program)
    if report.results:
        yield ""
    for result in report.results:
        yield from show_result(report.system, result, style, len(report.planned), statistics=statistics)
    yield from show_end(report, style, statistics=statistics)


def show_end(report: Report, style: Style, *, statistics: bool = False, hint: str | None = None) -> Iterator[str]:
    """What comes below the answers: warnings, and a summary.  ``hint`` says how to see more, where something can be seen."""
    yield from show_diagnostics(report.diagnostics, style, report.system)
    if report.results:
        yield ""
        yield from _other_reading(report, style)
        yield summary(report) + (f" {hint}" if hint else "")
    if report.differences is not None:
        yield from [one.words for one in report.differences] or ["All as expected."]
    if statistics:
        yield ""
        yield from show_statistics(report.statistics)


def _other_reading(report: Report, style: Style) -> Iterator[str]:
    """What to ask where `uniform` was taken for what the literature calls uniform strategies of a group."""
    strategic = [
        result
        for result in report.results
        if result.reading is Strategies.UNIFORM
        and any(isinstance(part, Coalition) for part in subformulae(result.formula))
    ]
    if strategic:
        objective = style.wording.setting(Setting("strategies", "objective"))
        yield f"What a group can enforce against the others, on what its members see, is asked by {objective}."


def header(model: str, system: System | None, program: System | None = None) -> str:
    """The line above everything."""
    if program is not None:
        return f"{model}: {_plural(len(program.agents), 'agent')}, whose guards are read by `{program.knowledge.value}`"
    return model if system is None else f"{model}: {_plural(len(system.agents), 'agent')}"


def show_diagnostics(diagnostics: Iterable[Diagnostic], style: Style, system: System | None = None) -> Iterator[str]:
    """Errors and warnings, each with the place it is about; of several warnings with one cause the first, and where the others are."""
    groups: dict[object, list[Diagnostic]] = {}
    for place, diagnostic in enumerate(diagnostics):
        alone = diagnostic.is_error or style.all_warnings
        groups.setdefault(place if alone else diagnostic.code, []).append(diagnostic)
    for first, *others in groups.values():
        from epistrat.render.snippet import snippet

        yield ""
        yield from snippet(first, colour=style.colour, system=system).split("\n")
        if others:
            every = style.wording.setting(Setting("all_warnings"))
            places = [str(one.position.line) for one in others if one.position is not None]
            where = f": line{'' if len(places) == 1 else 's'} {listed(places, 8)}" if places else ""
            yield f"  {len(others)} more with the same cause{where} ({every} shows them)."


def show_rejection(diagnostics: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    """What is wrong with a model that was not accepted, with a last line that counts the errors."""
    yield from list(show_diagnostics(diagnostics, style))[1:]
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
    if errors:
        yield ""
        yield f"{_plural(len(errors), 'error')}. `epistrat explain {errors[0].code}` says more."


def show_verdict(verdict: Verdict, style: Style) -> str:
    """A verdict in its colour, as wide as the others."""
    word, colour = _VERDICTS[verdict]
    return style.paint(f"{word:<{_WORD_WIDTH}}", colour)


def show_result(
    system: System | None, result: Result, style: Style, of: int = 1, *, statistics: bool = False
) -> Iterator[str]:
    """The lines of one answer out of so many."""
    before = f"  {result.index:>{len(str(of))}}  "
    indent = " " * (len(before) + _WORD_WIDTH + 2)
    room = max(style.width - len(indent), 30)
    formula = _shorten(" ".join(result.title.split()))
    if result.read_as:
        formula += f", {result.read_as}"
    if result.only_because:
        formula += f", only because {result.only_because}"
    if result.play:
        formula += f"  ({result.play})"
    if result.backing is not None and result.backing.standing in (Standing.PROVED, Standing.CHECKED):
        formula += f"  ({result.backing.standing.value})"
    lines = wrap(formula, room, break_long_words=False, break_on_hyphens=False) or [""]
    yield f"{before}{show_verdict(result.verdict, style)}  {lines[0]}"
    below = [*lines[1:]]
    below += [line for remark in _remarks(result, style) for line in wrap(remark, room) or [""]]
    below += [] if result.explanations else wrap(result.why, _WHY_WIDTH)
    if system is not None and (result.explanations or (result.replay is not None and not result.trees)):
        from epistrat.render.tree import show_evidence

        below += show_evidence(system, result, replace(style, width=max(style.width - 12, 60)))
    if style.verbose:
        below += [line for one in result.left_out for line in wrap(f"Left out, because it failed: {one}", room)]
    if statistics:
        below += show_statistics(result.statistics)
    yield from (indent + line if line else "" for line in below)


def show_unknown(result: Result, style: Style) -> str:
    """Why there is no verdict, and what to try."""
    return " ".join(_remarks(result, style))


def _remarks(result: Result, style: Style) -> Iterator[str]:
    if result.reason:
        yield f"{result.reason}."
    if result.advice:
        yield f"Try: {style.wording.advice(result.advice)}."
    yield from result.notes


def summary(report: Report) -> str:
    """How many hold, fail and are unknown, and how many states there are."""
    verdicts = [result.verdict for result in report.results]
    holds, fails, unknown = (verdicts.count(verdict) for verdict in Verdict)
    trivial = sum(result.only_because is not None for result in report.results)
    parts = [f"{holds} hold{'s' if holds == 1 else ''}"] if holds else []
    if trivial:
        parts[0] += f" ({'all' if trivial == holds else trivial} for a trivial reason)"
    parts += [f"{fails} fail{'s' if fails == 1 else ''}"] if fails else []
    parts += [f"{unknown} unknown"] if unknown else []
    states = report.facts.states
    count = "infinitely many" if states == "infinite" else "" if states is None else number(states)
    size = f"; {count} reachable state{'' if states == 1 else 's'}" if count else ""
    nothing = f"Nothing was checked: {'no initial state' if states == 0 else 'no fair run'}. " if report.vacuous else ""
    return f"{nothing}{', '.join(parts)}{size} ({seconds(report.seconds)})."


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
        name = f"{formula['name']}: " if formula["name"] else ""
        yield f"  {formula['index']:>3}  {formula['fragment']}{engine}: {_shorten(name + formula['formula'], 100)}"
    if len(info["formulae"]) > _MOST_AGENTS:
        yield f"  ... and {len(info['formulae']) - _MOST_AGENTS} more formulae"
    if info.get("coverage"):
        yield from _coverage(info["coverage"])
    if info.get("reductions"):
        yield "with partial order reduction:"
        for reduction in info["reductions"]:
            yield f"  {reduction['index']:>3}  {_reduction(reduction)}"


def _coverage(found: Mapping[str, Json]) -> Iterator[str]:
    """What never happens in the reachable states."""
    yield "never in a reachable state:" if found["complete"] else "not seen in the states that were visited (not all):"
    for key in ("protocol_lines", "evolution_lines", "actions", "values"):
        for one in found[key][:_MOST_AGENTS]:
            yield f"  {key.replace('_', ' ').removesuffix('s')}: {one}"
        if len(found[key]) > _MOST_AGENTS:
            yield f"  ... and {len(found[key]) - _MOST_AGENTS} more {key.replace('_', ' ')}"
    if not any(found[key] for key in ("protocol_lines", "evolution_lines", "actions", "values")):
        yield "  nothing: every line, action and value occurs"


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
        states = info["states"]
        yield f"reachable: {'infinitely many' if states == 'infinite' else number(states)}"
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
    from epistrat.render.json.report import plain

    for name, value in plain(dict(statistics)).items():
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
