"""From evidence to explanations: what the rest of the program asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from epistrat import evidence as e
from epistrat.answers import Result, Strategies, Verdict
from epistrat.answers.explanation import Compare, Explanation, Focus, Say, Scene
from epistrat.evidence import Tree
from epistrat.evidence.survey import Survey
from epistrat.explain.endings import runs_can_end
from epistrat.explain.narrator import Narrator
from epistrat.explain.relevance import plays, relevant, separating, surveyed
from epistrat.explain.sentences import itself
from epistrat.explain.story import Teller
from epistrat.explain.words import counted, facts, listed
from epistrat.logic.formula import is_state
from epistrat.model.state import State
from epistrat.model.system import System

R = TypeVar("R", bound=Result)
_FROM_THERE = " from there"
_MOST_FACTS = 6  # of an initial state that is named within a sentence


def explain(
    system: System,
    tree: Tree,
    focus: Focus | None = None,
    ends: Callable[[System], bool] = runs_can_end,
    survey: Survey | None = None,
    reading: Strategies = Strategies.OBJECTIVE,
) -> Explanation:
    """The explanation of a verdict's tree; ``ends`` tells whether some run may end, if a sentence depends on that."""
    wanted = Focus() if focus is None else focus
    known = survey or surveyed(system)
    positions = relevant(system, tree, known, reading)
    told = Narrator(system, Teller(system, wanted, positions), wanted, ends).root(tree)
    told = replace(told, summary=_from_where(system, told.summary, tree, positions, known))
    if plays(tree.claim) and reading is not Strategies.ANY:
        return told
    pictured = any(isinstance(block, (Scene, Compare)) for block in told.blocks)
    shown = range(len(tree.state)) if wanted.full else positions
    among = _among_starts(system, known, tree, frozenset(shown if pictured else ()))
    return told if among is None else replace(told, blocks=(*told.blocks, among))


def _from_where(system: System, summary: str, tree: Tree, positions: frozenset[int], survey: Survey) -> str:
    """The summary, which stands alone: where it speaks of an initial state, with what tells this one from others."""
    opening, there, rest = summary.partition(_FROM_THERE)
    if not there or opening not in ("no run", "No run", "no fair run"):
        return summary
    starts = survey.starts()
    known = facts(system, sorted(positions), tree.state) if starts is None or len(starts) > 1 else ()
    return f"{opening}{f' from the initial state with {listed(known, _MOST_FACTS)}' if known else ''}{rest}"


def _among_starts(system: System, survey: Survey, tree: Tree, shown: frozenset[int]) -> Say | None:
    """In how many of several initial states a formula that fails fails, where that is known and it does not fail in all.

    What is not shown of this one and tells it from those in which the formula is true is said.
    """
    starts = survey.starts() if not tree.holds else None
    if starts is None or len(starts) < 2 or not is_state(tree.claim):
        return None
    values = [survey.value(tree.claim, start) for start in starts]
    if None in values or all(value is False for value in values):
        return None
    others = [start for start, value in zip(starts, values, strict=True) if value]
    telling = separating(tree.state, others, shown)
    known = f", with {listed(facts(system, sorted(telling), tree.state), len(telling))}" if telling else ""
    text = f"It fails in {values.count(False)} of {counted(len(starts), 'initial state')}; this is one of them{known}."
    return Say(text, (itself(tree),))


def explained(system: System, result: R, focus: Focus | None = None, survey: Survey | None = None) -> R:
    """The result with its evidence told in words.

    Read objectively or subjectively, a strategy may be one for the state it starts in, which is named unless it was found to serve all.
    """
    known = survey or surveyed(system)
    told = tuple(explain(system, tree, focus, survey=known, reading=result.reading) for tree in result.trees)
    served = result.replay is not None and result.replay.starts.served
    if result and result.reading in (Strategies.OBJECTIVE, Strategies.SUBJECTIVE) and not served:
        told = tuple(
            replace(one, blocks=(_starting(system, tree.state), *one.blocks)) if _acting(tree) else one
            for one, tree in zip(told, result.trees, strict=True)
        )
    why = told[0].sentence if told and result.verdict is Verdict.FAILS else result.why
    return replace(result, explanations=told, why=why)


def _acting(tree: Tree) -> bool:
    """Whether the tree shows a strategy."""
    return any(isinstance(reason, e.Enforced) for part in e.walk(tree) for reason in part.because)


def _starting(system: System, state: State) -> Say:
    """From where."""
    return Say(f"From the initial state with {listed(facts(system, range(len(state)), state), len(state))}:")
