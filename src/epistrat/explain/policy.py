"""Strategies as short decision rules: ``when light = on and not switched: switch``.

The rules of an agent are tried from top to bottom.  They are found by greedy covering: the action done in most situations becomes the last
rule, ``otherwise``; for the others, conditions on as few variables as possible that single out situations of that action alone.  The rules
say exactly what the table says, wherever the table says something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from math import comb
from typing import TypeAlias, TypeVar

from epistrat.answers.explanation import Policy, Rule, Test
from epistrat.evidence import RuleStrategy, StateStrategy, Strategy
from epistrat.evidence.strategy import Rules
from epistrat.model.state import Act, actions_of
from epistrat.model.system import System
from epistrat.terms import TRUE, Value, variables

T = TypeVar("T")
Situation: TypeAlias = tuple[Value, ...]
MOST_TESTS = 3
MOST_TRIALS = 300_000


def policies(system: System, strategy: Strategy) -> tuple[Policy, ...]:
    """The rules of every member that ever has something to do."""
    if isinstance(strategy, StateStrategy):
        return tuple(
            _from_states(system, strategy, member, name)
            for member, name in enumerate(strategy.group.members)
            if any(choice[member] is not None for _, choice in strategy.moves)
        )
    if isinstance(strategy, RuleStrategy):
        return tuple(_from_rules(system, name, rules) for name, rules in strategy.rules)
    found = []
    for name, moves in strategy.moves:
        positions = system.views[name]
        rows = [(dict(zip(positions, seen, strict=True)), action) for seen, action in moves]
        if rows:
            found.append(Policy(name, decision_rules(rows, positions)))
    return tuple(found)


def _from_rules(system: System, name: str, rules: Rules) -> Policy:
    kept = simplified([Rule((), action, None if condition == TRUE else condition) for condition, action in rules])
    read = variables(*(rule.condition for rule in kept if rule.condition is not None))
    seen = {system.variables[index].key for index in system.views[name]}
    return Policy(name, kept, uniform=read <= seen)


def simplified(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules without those that change nothing: behind one that always applies, or with the action of the one that does, before it."""
    kept: list[Rule] = []
    for rule in rules:
        kept.append(rule)
        if not rule.tests and rule.condition is None:
            break
    else:
        return tuple(kept)
    while len(kept) > 1 and kept[-2].action == kept[-1].action:
        del kept[-2]
    return tuple(kept)


def _from_states(system: System, strategy: StateStrategy, member: int, name: str) -> Policy:
    """Rules over what the agent sees where that suffices, else over as little more as possible."""
    rows = [
        (dict(enumerate(state)), action) for state, choice in strategy.moves if (action := choice[member]) is not None
    ]
    own = system.views[name]
    if decides(rows, own):
        return Policy(name, decision_rules(rows, own))
    everything = [*own, *(index for index in range(len(system.variables)) if index not in own)]
    positions = needed(rows, everything, set(own))
    return Policy(name, decision_rules(rows, positions), uniform=False)


def decides(rows: Sequence[tuple[dict[int, Value], Act]], positions: Iterable[int]) -> bool:
    """Whether the values at the positions determine the action."""
    chosen: dict[Situation, Act] = {}
    places = tuple(positions)
    return all(chosen.setdefault(tuple(row[p] for p in places), action) == action for row, action in rows)


def needed(rows: Sequence[tuple[dict[int, Value], Act]], positions: list[int], kept: set[int]) -> tuple[int, ...]:
    """The positions without those, last first, that can be left out with the action still determined."""
    found = list(positions)
    for position in reversed(positions):
        fewer = [place for place in found if place != position]
        if position not in kept and decides(rows, fewer):
            found = fewer
    return tuple(found)


def decision_rules(rows: Sequence[tuple[dict[int, Value], Act]], positions: Sequence[int]) -> tuple[Rule, ...]:
    """Rules over the positions that say what the rows say."""
    table: dict[Situation, Act] = {}
    for row, action in rows:
        table[tuple(row[position] for position in positions)] = action
    counts = Counter(table.values())
    last = max(counts, key=lambda action: (counts[action], actions_of(action)))
    rules: list[Rule] = []
    for action in sorted(counts, key=lambda name: (counts[name], actions_of(name))):
        if action == last:
            continue
        rules += _cover(table, action, positions)
    return (*rules, Rule((), last))


def _cover(table: dict[Situation, Act], action: Act, positions: Sequence[int]) -> list[Rule]:
    """Rules that apply to all situations of the action and to none of another."""
    wanted = {situation for situation, done in table.items() if done == action}
    unwanted = [situation for situation, done in table.items() if done != action]
    rules: list[Rule] = []
    while wanted:
        places, situation = _widest(wanted, unwanted, len(positions))
        covered = {other for other in wanted if all(other[p] == situation[p] for p in places)}
        wanted -= covered
        rules.append(Rule(tuple(Test(positions[p], (situation[p],)) for p in places), action))
    return merged(rules, _joined)


def _widest(wanted: set[Situation], unwanted: list[Situation], width: int) -> tuple[tuple[int, ...], Situation]:
    """Few places, and a situation, such that agreeing with it there singles out as many wanted situations as possible."""
    best: tuple[int, tuple[int, ...], Situation] | None = None
    for size in range(min(width, MOST_TESTS) + 1):
        if comb(width, size) * (len(wanted) + len(unwanted)) > MOST_TRIALS:
            break
        for places in combinations(range(width), size):
            taken = {tuple(other[p] for p in places) for other in unwanted}
            groups = Counter(key for other in wanted if (key := tuple(other[p] for p in places)) not in taken)
            if groups:
                key, count = max(groups.items(), key=lambda item: (item[1], repr(item[0])))
                if best is None or count > best[0]:
                    example = min((o for o in wanted if tuple(o[p] for p in places) == key), key=repr)
                    best = (count, places, example)
        if best is not None:
            return best[1], best[2]
    example = min(wanted, key=repr)
    return _shrunk(example, unwanted, width), example


def _shrunk(example: Situation, unwanted: list[Situation], width: int) -> tuple[int, ...]:
    """All places, without those that are not needed to tell the example from what is not wanted."""
    places = list(range(width))
    for place in range(width):
        fewer = [other for other in places if other != place]
        if not any(all(bad[p] == example[p] for p in fewer) for bad in unwanted):
            places = fewer
    return tuple(places)


def merged(parts: Iterable[T], join: Callable[[T, T], T | None]) -> list[T]:
    """The parts, each joined with the first one before it with which that is possible."""
    found: list[T] = []
    for part in parts:
        for place, other in enumerate(found):
            joined = join(other, part)
            if joined is not None:
                found[place] = joined
                break
        else:
            found.append(part)
    return found


def _joined(one: Rule, other: Rule) -> Rule | None:
    """Rules that differ in one test only become one with several values there."""
    if [test.position for test in one.tests] != [test.position for test in other.tests]:
        return None
    differing = [index for index, (a, b) in enumerate(zip(one.tests, other.tests, strict=True)) if a != b]
    if len(differing) != 1:
        return None
    (index,) = differing
    values = dict.fromkeys(one.tests[index].values + other.tests[index].values)
    tests = list(one.tests)
    tests[index] = Test(tests[index].position, tuple(values))
    return Rule(tuple(tests), one.action)
