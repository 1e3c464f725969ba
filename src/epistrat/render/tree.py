"""Explanations on a terminal: runs as numbered moments, comparisons in two columns, rules as a small table, details indented."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import assert_never

from epistrat.answers import Result, Setting
from epistrat.answers.explanation import (
    Block,
    Compare,
    Detail,
    Explanation,
    Focus,
    Moment,
    Policy,
    Rule,
    Rules,
    Say,
    Scene,
)
from epistrat.explain.words import counted, label, listed, show_value
from epistrat.model.state import show_act
from epistrat.model.system import System
from epistrat.render.replay import show_replay
from epistrat.render.wording import Style
from epistrat.terms import Boolean
from epistrat.terms.show import show_condition

CHANGE = "36"
TITLE = "1"
FAINT = "2"
MOST_MOMENTS = 14
WIDTH = 88


def show_explanation(system: System, explanation: Explanation, style: Style | None = None) -> list[str]:
    """The lines of an explanation, without the formula itself."""
    layout = _Layout(system, style or Style(width=WIDTH), explanation.focus)
    return list(layout.blocks(explanation.blocks, layout.style.width, 0))


def show_evidence(system: System, result: Result, style: Style) -> Iterator[str]:
    """The lines that explain a verdict by its evidence, and what replaying it found."""
    for place, explanation in enumerate(result.explanations):
        if place:
            yield ""
            yield f"Another one ({place + 1} of {len(result.explanations)}):"
        yield from show_explanation(system, explanation, style)
    if result.replay is not None:
        yield from (line for one in show_replay(result.replay, system) for line in wrap(one, style.width))


class _Layout:
    """Lays out blocks in a given width."""

    def __init__(self, system: System, style: Style, focus: Focus) -> None:
        self._system = system
        self.style = style
        self._focus = focus

    def blocks(self, blocks: Iterable[Block], width: int, depth: int) -> Iterator[str]:
        """The lines of some blocks."""
        first = True
        for block in blocks:
            lines = list(self._block(block, width, depth))
            if lines and not first and not isinstance(block, Say):
                yield ""
            yield from lines
            first = False

    def _block(self, block: Block, width: int, depth: int) -> Iterator[str]:
        match block:
            case Say(text, _, more):
                said = text if more is None else f"{text} ({self.style.wording.setting(more)} says it)"
                yield from wrap(said, width) or [""]
            case Scene():
                yield from self._scene(block, width)
            case Compare():
                yield from self._compare(block, width)
            case Rules(policies):
                yield from self._rules(policies, width)
            case Detail(title, inner):
                folded = f" ({self._setting('depth', str(depth + 2))} shows it)" if depth >= self._focus.depth else ""
                yield from wrap(f"{title}:{folded}", width)
                if depth < self._focus.depth:
                    yield from (f"  {line}" if line else "" for line in self.blocks(inner, width - 2, depth + 1))
            case _:
                assert_never(block)

    def _scene(self, scene: Scene, width: int) -> Iterator[str]:
        yield self.style.paint(scene.title, TITLE)
        yield from self._moments(scene, width)
        if scene.omitted:
            yield self._left_out(scene.omitted)

    def _left_out(self, changes: int) -> str:
        words = f"({counted(changes, 'other change')} left out; {self._setting('full')} shows all)"
        return self.style.paint(words, FAINT)

    def _setting(self, name: str, value: str | None = None) -> str:
        return self.style.wording.setting(Setting(name, value))

    def _moments(self, scene: Scene, width: int) -> Iterator[str]:
        shown = scene.moments
        skip = range(0)
        if len(shown) > MOST_MOMENTS and not self._focus.full:
            skip = range(MOST_MOMENTS // 2, len(shown) - MOST_MOMENTS // 2)
        margin = len(str(len(shown))) + 2
        for place, moment in enumerate(shown):
            if place in skip:
                if place == skip.start:
                    yield f"{'':{margin}}... {counted(len(skip), 'step')} left out ({self._setting('full')} shows them)"
                continue
            yield from self._moment(scene, moment, width, margin)

    def _moment(self, scene: Scene, moment: Moment, width: int, margin: int) -> Iterator[str]:
        """The lines of one moment; a bracket holds the steps that repeat: those after the moment to which the run returns."""
        loop = scene.loop
        number = str(moment.index)
        bar = "" if loop is None else "  " if moment.index <= loop else "┌ " if moment.index == loop + 1 else "│ "
        room = max(width - margin - len(bar), 20)
        for line in list(self._said(moment, room)) or ["(nothing that matters)"]:
            yield f"{number:<{margin}}{bar}{line}"
            number, bar = "", "│ " if bar == "┌ " else bar
        if loop is not None and moment.index == len(scene.moments) - 1:
            yield f"{'':<{margin}}└ and again from {loop}"

    def _said(self, moment: Moment, room: int) -> Iterator[str]:
        if moment.acts:
            yield from wrap("; ".join(moment.acts), room)
        if moment.facts:
            text = ", ".join(moment.facts) if moment.changed else "; ".join(moment.facts)
            for line in wrap(f"-> {text}" if moment.changed else text, room, subsequent_indent="   "):
                yield self.style.paint(line, CHANGE) if moment.changed else line
        if moment.noticed and moment.facts:
            yield self.style.paint(f"   ({moment.noticed})", FAINT)

    def _compare(self, compare: Compare, width: int) -> Iterator[str]:
        column = (width - 3) // 2
        plain = _Layout(self._system, Style(False, column, self.style.wording), self._focus)
        left = [compare.left.title, *plain._moments(compare.left, column)]
        right = [compare.right.title, *plain._moments(compare.right, column)]
        for index, (one, other) in enumerate(zip_longest(left, right, fillvalue="")):
            line = f"{one[:column]:<{column}}   {other[:column]}".rstrip()
            yield self.style.paint(line, TITLE) if index == 0 else line
        omitted = compare.left.omitted + compare.right.omitted
        if omitted:
            yield self._left_out(omitted)
        who = ", ".join(compare.agents[:6]) + (" ..." if len(compare.agents) > 6 else "")
        see = "sees" if len(compare.agents) == 1 else "see together"
        shared = "; ".join(compare.shared) or "nothing at all"
        yield ""
        yield from wrap(f"What {who} {see} in both: {shared}.", width)

    def _rules(self, policies: Sequence[Policy], width: int) -> Iterator[str]:
        """The rules of all agents; agents with the same rules are named together."""
        same: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for policy in policies:
            rules = [(conditions(self._system, policy.agent, rule), show_act(rule.action)) for rule in policy.rules]
            said = tuple(rules) if rules[0][0] != "otherwise" else (("always", rules[0][1]),)
            same.setdefault(said, []).append(policy.agent)
        names = {said: listed(agents, 3) for said, agents in same.items()}
        margin = min(max(map(len, names.values()), default=0), width // 3)
        for said in same:
            yield from self._policy(names[said], said, width, margin)

    def _policy(self, name: str, rules: Sequence[tuple[str, str]], width: int, margin: int) -> Iterator[str]:
        action_width = max(len(action) for _, action in rules)
        column = min(max(len(text) for text, _ in rules), max(width - margin - action_width - 6, 20))
        title = wrap(name, margin) or [""]
        lines: list[str] = []
        for text, action in rules:
            first, *rest = wrap(text, column) or [""]
            lines.append(f"{first:<{column}}  -> {action}")
            lines += [f"  {more}" for more in rest]
        for one, other in zip_longest(title, lines, fillvalue=""):
            yield f"{one:<{margin}}  {other}".rstrip()


def conditions(system: System, agent: str, rule: Rule) -> str:
    """The tests of a rule in words; the agent's own variables without its name."""
    said = [] if rule.condition is None else [show_condition(rule.condition, agent)]
    for test in rule.tests:
        variable = system.variables[test.position]
        name = variable.name if variable.owner == agent else label(system, variable)
        if isinstance(variable.domain, Boolean) and len(test.values) == 1:
            said.append(name if test.values[0] else f"not {name}")
        elif len(test.values) == 1:
            said.append(f"{name} = {show_value(test.values[0])}")
        else:
            said.append(f"{name} in {{{', '.join(map(show_value, test.values))}}}")
    return " and ".join(said) or "otherwise"
