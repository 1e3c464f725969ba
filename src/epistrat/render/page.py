"""Evidence as a web page that needs nothing from outside: lanes per agent over time, look-alikes joined by dashed lines.

The page is plain HTML that can be read without scripts.  A small script adds: the whole state of the moment under the pointer, lanes that
fold when their name is clicked, and the dashed lines between what looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import assert_never

from epistrat.answers import Explanation, Focus, Report, Result, Strategies
from epistrat.answers.backing import Standing
from epistrat.answers.explanation import Block, Compare, Detail, Moment, Rule, Rules, Say, Scene
from epistrat.evidence import Tree
from epistrat.explain.relevance import relevant
from epistrat.explain.words import IDLE, counted, facts
from epistrat.model.state import State, show_act
from epistrat.model.system import System
from epistrat.render.graph import full_state, tree_picture
from epistrat.render.page_style import SCRIPT, STYLE, ZOOM_SCRIPT, ZOOM_STYLE, scoped
from epistrat.render.svg import svg
from epistrat.render.text import show_diagnostics, summary
from epistrat.render.tree import conditions
from epistrat.render.wording import Style

MOST_NODES = 60


def page(reports: Sequence[Report], version: str = "") -> str:
    """A whole page about models that could be read: summaries, warnings, answers.  ``version`` is epistrat's."""
    names = [Path(report.model).name for report in reports]
    title = names[0] if len(names) == 1 else f"{len(names)} models"
    body = "\n".join(
        part
        for number, (name, report) in enumerate(zip(names, reports, strict=True))
        for part in _model(name, report, f"m{number + 1}" if len(reports) > 1 else "")
    )
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}{ZOOM_STYLE}</style></head>\n<body><main>{body}\n"
        f"<footer>epistrat {version}</footer></main>"
        f'<aside id="state" hidden></aside><script>{SCRIPT}{ZOOM_SCRIPT}</script></body></html>\n'
    )


def _model(name: str, report: Report, place: str) -> Iterator[str]:
    """What was found in all, what there is to warn about, and the answers; ``place`` tells the answers of several models apart."""
    yield f"<h1>{escape(name)}</h1>"
    yield f"<p>{escape(summary(report))}</p>"
    if report.diagnostics:
        count = len(report.diagnostics)
        shown = "\n".join(show_diagnostics(report.diagnostics, Style(), report.system)).strip("\n")
        yield f"<details><summary>{count} warning{'' if count == 1 else 's'}</summary><pre>{escape(shown)}</pre></details>"
    assert report.system is not None, "the model could be read"
    yield from (section(report.system, result, place) for result in report.results)


def fragment(system: System, result: Result) -> str:
    """One answer for a notebook: the same, with its style but without the script."""
    return f'<div class="epistrat"><style>{scoped()}</style>{section(system, result)}</div>'


def section(system: System, result: Result, place: str = "") -> str:
    """One answer."""
    word = result.verdict.value
    explanations = result.explanations
    head = f'<h2><span class="verdict {word}">{word}</span> {_title(result)}<code>{escape(result.text)}</code></h2>'
    said = [f'<p class="summary">{_code(explanations[0].sentence)}</p>'] if explanations else []
    trivial = [f"{word}, {result.read_as}."] if result.read_as else []
    trivial += [f"holds, only because {result.only_because}."] if result.only_because else []
    said += [f'<p class="remark">{_code(remark)}</p>' for remark in [*trivial, *result.notes, *_backing(result)]]
    parts = [_answer_body(system, e, t, result.reading) for e, t in zip(explanations, result.trees, strict=False)]
    return f'<section id="{place}f{result.index}">{head}{"".join(said)}{"".join(parts)}</section>'


def _backing(result: Result) -> Iterator[str]:
    """What stands behind the verdict, where that is more than an engine."""
    backing = result.backing
    if backing is not None and backing.standing is Standing.PROVED and backing.obligations:
        yield f"Proved on an encoding of its own: {counted(backing.obligations, 'obligation')}."
    elif backing is not None and backing.standing is not Standing.ALONE:
        yield f"{backing.standing.value.capitalize()} independently of the engine."


def _repeats(scene: Scene, loop: int) -> str:
    """Which moments come again and again; the last is the one to which the run returns, shown once more."""
    last = len(scene.moments) - 1
    if last > loop and scene.moments[last].state == scene.moments[loop].state:
        last -= 1
    return f"Moments {loop} to {last} repeat for ever." if last > loop else f"Moment {loop} repeats for ever."


def _title(result: Result) -> str:
    return f"{result.index} " + (f"<b>{escape(result.name)}</b> " if result.name else "")


def _answer_body(system: System, explanation: Explanation, tree: Tree, reading: Strategies) -> str:
    writer = _Writer(system, explanation.focus, relevant(system, tree, reading=reading))
    graph = tree_picture(system, tree, reading=reading)
    drawn = ""
    if 1 < len(graph.nodes) <= MOST_NODES:
        drawn = f'<details class="graph"><summary>The same as a graph of states</summary><div class="zoom">{svg(graph)}</div></details>'
    above = explanation.sentence
    blocks = [block for block in explanation.blocks if not (isinstance(block, Say) and block.text == above)]
    return "".join(writer.blocks(blocks)) + drawn


class _Writer:
    """Writes blocks as HTML."""

    def __init__(self, system: System, focus: Focus, positions: frozenset[int]) -> None:
        self._system = system
        self._focus = focus
        self._relevant = positions

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Each block."""
        for block in blocks:
            match block:
                case Say(text):
                    yield f"<p>{_code(text)}</p>"
                case Scene():
                    yield self._scene(block)
                case Compare():
                    yield self._compare(block)
                case Rules(policies):
                    yield "".join(self._policy(policy.agent, policy.rules) for policy in policies)
                case Detail(title, inner):
                    yield f"<details><summary>{_code(title)}</summary>{''.join(self.blocks(inner))}</details>"
                case _:
                    assert_never(block)

    def _compare(self, compare: Compare) -> str:
        names = " ".join(escape(name, quote=True) for name in compare.agents)
        shared = "; ".join(compare.shared) or "nothing at all"
        who = ", ".join(compare.agents)
        note = f'<p class="shared">{escape(who)} sees the same in both: {_code(shared)}</p>'
        left = self._scene(compare.left, compare.agents)
        right = self._scene(compare.right, compare.agents)
        return f'<div class="compare" data-agents="{names}">{left}{right}{note}</div>'

    def _scene(self, scene: Scene, always: Sequence[str] = ()) -> str:
        head = "".join(self._time(scene, moment) for moment in scene.moments)
        rows = "".join(self._lane(scene, name, places) for name, places in self._lanes(scene, always))
        loop = f'<p class="loop">{_repeats(scene, scene.loop)}</p>' if scene.loop is not None else ""
        return (
            f'<details class="scene" open><summary>{escape(scene.title)}</summary><div class="scroll"><table class="lanes">'
            f"<thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table></div>{loop}</details>"
        )

    def _time(self, scene: Scene, moment: Moment) -> str:
        repeats = scene.loop is not None and moment.index >= scene.loop
        state = escape(full_state(self._system, moment.state), quote=True)
        kind = ' class="repeats"' if repeats else ""
        return f'<th{kind} data-state="{state}">{moment.index}</th>'

    def _lanes(self, scene: Scene, always: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
        """The agents of which something is to be seen, with the positions of the variables shown."""
        start = 0
        for agent in self._system.agents:
            own = range(start, start + len(agent.variables))
            start += len(agent.variables)
            if self._focus.agents is not None and agent.name not in self._focus.agents:
                continue
            changing = [p for p in own if len({moment.state[p] for moment in scene.moments}) > 1]
            shown = [
                p for p in own if self._focus.full or p in self._relevant or (p in changing and len(changing) <= 3)
            ]
            if shown or agent.name in always or self._acts(scene, agent.name):
                yield agent.name, shown

    def _acts(self, scene: Scene, name: str) -> bool:
        return len(self._system.agents) <= 12 and any(self._action(moment, name) for moment in scene.moments)

    def _action(self, moment: Moment, name: str) -> str:
        if moment.joint is None:
            return ""
        place = next(index for index, agent in enumerate(self._system.agents) if agent.name == name)
        action = moment.joint[place]
        quiet = action is None or action.lower() in IDLE or len(self._system.agents[place].actions) < 2
        return "" if quiet and not self._system.interleaved else action or ""

    def _lane(self, scene: Scene, name: str, places: list[int]) -> str:
        cells: list[str] = []
        before: State | None = None
        for moment in scene.moments:
            cells.append(self._cell(scene, moment, name, places, before))
            before = moment.state
        return f'<tr data-agent="{escape(name, quote=True)}"><th title="click to fold">{escape(name)}</th>{"".join(cells)}</tr>'

    def _cell(self, scene: Scene, moment: Moment, name: str, places: list[int], before: State | None) -> str:
        changed = [place for place in places if before is None or before[place] != moment.state[place]]
        action = self._action(moment, name)
        did = f'<span class="did">{escape(action)}</span>' if action else ""
        said = [
            text.removeprefix(f"{name}.").replace(f"not {name}.", "not ") for text in self._facts(changed, moment.state)
        ]
        values = "".join(f'<span class="value">{escape(text)}</span>' for text in said)
        kind = "start" if before is None else "changed" if changed else "same"
        repeats = " repeats" if scene.loop is not None and moment.index >= scene.loop else ""
        state = escape(full_state(self._system, moment.state), quote=True)
        return f'<td class="{kind}{repeats}" data-state="{state}">{did}{values}</td>'

    def _facts(self, places: list[int], state: State) -> list[str]:
        return [text for place in places for text in facts(self._system, [place], state)]

    def _policy(self, agent: str, rules: Sequence[Rule]) -> str:
        rows = ""
        for rule in rules:
            when = conditions(self._system, agent, rule) if len(rules) > 1 else "always"
            rows += f"<tr><td>{escape(when)}</td><td><b>{escape(show_act(rule.action))}</b></td></tr>"
        return f'<table class="rules"><caption>{escape(agent)}</caption>{rows}</table>'


def _code(text: str) -> str:
    """Text with what stands in backquotes set as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))
