"""What is written on an edge of a picture: as little as tells its steps from the others.

Several joint actions may lead from one state to the same other state; they share an edge.  Left out are agents that do the same in all
steps of the picture or in all steps from this state, and agents whose choice does not matter for where the step leads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from epistrat.explain.words import IDLE, acts, listed
from epistrat.model.agent import ENVIRONMENT
from epistrat.model.state import Joint
from epistrat.model.system import System

MOST_LISTED = 12
MOST_CHARACTERS = 34
FEWEST_CHARACTERS = 6
MOST_LINES = 3
ANY = "any action"


def changing_agents(joints: Iterable[Joint]) -> frozenset[int]:
    """The places of the agents that do not do the same in all these steps."""
    seen = list(joints)
    return frozenset(place for place, done in enumerate(zip(*seen, strict=True)) if len(set(done)) > 1)


def in_full(system: System, joints: Sequence[Joint]) -> str:
    """Every joint action of an edge, or as many as can be read."""
    texts = list(dict.fromkeys("; ".join(acts(system, joint)) for joint in joints))
    return " | ".join(texts[:MOST_LISTED]) + (f" | {len(texts) - MOST_LISTED} more" if len(texts) > MOST_LISTED else "")


def in_brief(
    system: System, joints: Sequence[Joint], leaving: Sequence[Joint], changing: frozenset[int]
) -> tuple[str, ...]:
    """The lines for an edge with these joint actions; ``leaving`` are all that leave its source, ``changing`` see `changing_agents`."""
    if system.interleaved:
        names = dict.fromkeys(next((act for act in joint if act is not None), "nothing") for joint in joints)
        return _cut([listed(list(names), 3).replace(" and ", " or ")])
    free = frozenset(place for place, agent in enumerate(system.agents) if len(agent.actions) > 1)
    choosing = changing_agents(leaving) or changing or free or range(len(system.agents))
    places, rest = _deciding(joints, leaving, sorted(choosing))
    if not places:
        return (ANY,)
    chosen = [frozenset(one[at] for one in rest) for at in range(len(places))]
    size = 1
    for actions in chosen:
        size *= len(actions)
    if size == len(rest):
        return _cut(_together(system, dict(zip(places, chosen, strict=True))))
    only = frozenset(system.agents[place].name for place in places)
    texts = list(dict.fromkeys("; ".join(acts(system, joint, only)) for joint in joints))
    shown = texts if len(texts) <= MOST_LINES else [*texts[: MOST_LINES - 1], f"or {len(texts) - MOST_LINES + 1} more"]
    return _cut(shown)


def _deciding(
    joints: Sequence[Joint], leaving: Sequence[Joint], places: list[int]
) -> tuple[list[int], set[tuple[str | None, ...]]]:
    """The agents on whose choice it depends that a step takes this edge, and what these do."""
    rest = {tuple(joint[place] for place in places) for joint in joints}
    for place in list(places):
        at = places.index(place)
        here, anywhere = {one[at] for one in rest}, {joint[place] for joint in leaving}
        without = {one[:at] + one[at + 1 :] for one in rest}
        if len(here) > 1 and here == anywhere and len(rest) == len(without) * len(here):
            places.remove(place)
            rest = without
    return places, rest


def _together(system: System, chosen: dict[int, frozenset[str | None]]) -> list[str]:
    """``A and B: x or y`` for agents with the same actions; those that do nothing are not mentioned unless nobody does anything."""
    by_choice: dict[str, list[str]] = {}
    for place, actions in chosen.items():
        words = sorted(act or "nothing" for act in actions)
        if len(words) > 1 or words[0].lower() not in IDLE:
            by_choice.setdefault(listed(words, 2).replace(" and ", " or "), []).append(system.agents[place].name)
    acting = [agent.name for agent in system.agents if len(agent.actions) > 1 and agent.name != ENVIRONMENT]
    return [_said(names, acting, words) for words, names in by_choice.items()] or ["nobody does anything"]


def _said(names: list[str], acting: list[str], words: str) -> str:
    """Who does what, on a line; where it is too long for that, the names are cut, not the actions."""
    who = "all" if len(names) > 2 and names == acting else listed(names, 2)
    left = MOST_CHARACTERS - len(words) - len(": ")
    if len(who) > left:
        who = "both" if len(names) == 2 and names == acting else f"{who[: max(left, FEWEST_CHARACTERS) - 1]}…"
    return f"{who}: {words}"


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    shown = lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], f"and {len(lines) - MOST_LINES + 1} more"]
    return tuple(line if len(line) <= MOST_CHARACTERS else line[: MOST_CHARACTERS - 1] + "…" for line in shown)
