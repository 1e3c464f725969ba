"""Rules and cycle checks that look right, were printed, and are not: mutants that the self-check must catch."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.engines.contract import silent
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.layout import Layout
from epistrat.engines.explicit.reduction.reduced import ReducedSuccessors
from epistrat.engines.explicit.reduction.rules import Rules, labels
from epistrat.engines.explicit.reduction.self_check import SelfCheck, compare
from epistrat.engines.explicit.reduction.space import ReducedSpace, Reducer
from epistrat.engines.explicit.reduction.stuttering import Labelled
from epistrat.engines.explicit.reduction.visibility import eyes, visible_labels
from epistrat.engines.explicit.space import ExplicitSpace
from epistrat.engines.explicit.verdict import quantified
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.solvers.budget import Budget


class EnabledOnly(Rules):
    """Line 11: {a} is enough if a is invisible and shares no agent with another *enabled* action."""

    def choose(self, locals_: Sequence[int], enabled: int) -> int | None:
        for label in labels(enabled) if enabled.bit_count() > 1 else ():
            alone = all(o == label or not {*self.agents[o]} & {*self.agents[label]} for o in labels(enabled))
            if label not in self.visible and alone:
                return 1 << label
        return None


class VisibleAlone(Rules):
    """Condition C3': a visible action may be chosen alone, too, if it commutes."""

    def choose(self, locals_: Sequence[int], enabled: int) -> int | None:
        for label in sorted(labels(enabled), key=lambda one: one not in self.visible):
            commutes = [bool(self.tables.commutes(agent, label)[locals_[agent]]) for agent in self.agents[label]]
            if enabled.bit_count() > 1 and all(commutes):
                return 1 << label
        return None


class Slow(ReducedSuccessors):
    """Asks ``choose`` in every state, so that a mutant of it is what is really used."""

    def __init__(self, successors: InterleavedSuccessors, rules: Rules) -> None:
        super().__init__(successors, rules)
        self._free = []
        self._hidden = list(range(len(self._labels)))


class MutantSpace(ReducedSpace):
    """A reduced space by other rules, with the cycle condition or without."""

    def __init__(self, successors: InterleavedSuccessors, rules: Rules, cycles: bool = True) -> None:
        super().__init__(successors, rules, Budget(), silent)
        self.reduced = Slow(successors, rules)
        ExplicitSpace.__init__(self, successors.layout, self.reduced, Budget(), silent)
        self._settled = not cycles


def rules_for(kind: type[Rules], system: System, formula: Formula, linear: bool = False) -> Rules:
    """Rules of some kind, for what the formula sees."""
    successors = InterleavedSuccessors(Layout(system))
    automata = Reducer(successors, Budget(), silent).automata
    return kind(automata, visible_labels(successors, automata, eyes(system, [formula])), linear)


def try_mutant(
    kind: type[Rules], system: System, formula: Formula, linear: bool = False, cycles: bool = True
) -> SelfCheck:
    """The self-check of a reduction by mutant rules, with nothing but the formula itself asked."""
    rules = rules_for(kind, system, formula, linear)
    successors = rules.automata.successors
    full = ExplicitSpace(successors.layout, successors, Budget(), silent).explored()
    space = MutantSpace(successors, rules, cycles)
    return compare(full, space.explored(), eyes(system, [formula]), [quantified(formula)], branching=not linear)


class TwoStacks:
    """The printed depth-first search: a cycle counts as good if a state was expanded fully since the search met its start.

    One stack holds the search path, the other the depths at which states were expanded fully.  Right for single actions;
    with larger sets a state's later branches close cycles that the second stack no longer knows about.
    """

    def __init__(self, rules: Rules, initial: Sequence[int]) -> None:
        self._rules = rules
        self._slow = Slow(rules.automata.successors, rules)
        self.edges: dict[int, list[int]] = {}
        self.full: set[int] = set()
        for state in initial:
            self._path: list[int] = []
            self._depths: list[int] = []
            self._places: dict[int, list[int]] = {}
            self._visit(state)

    def _visit(self, state: int) -> None:
        self._path.append(state)
        again = False
        if self._places.get(state):
            again = self._places[state][-1] > (self._depths[-1] if self._depths else 0)
            if not again:
                self._path.pop()
                return
        if not again and state in self.edges:
            self._path.pop()
            return
        self._places.setdefault(state, []).append(len(self._path))
        targets = self._targets(state, again)
        self.edges.setdefault(state, [])
        if state in self.full:
            self._depths.append(len(self._path))
        for target in targets:
            if target not in self.edges[state]:
                self.edges[state].append(target)
            self._visit(target)
        if self._depths and self._depths[-1] == len(self._path):
            self._depths.pop()
        self._places[state].pop()
        self._path.pop()

    def _targets(self, state: int, fully: bool) -> list[int]:
        locals_ = [agent.number(state) for agent in self._slow.full.agents]
        enabled = self._rules.enabled(locals_)
        chosen = None if fully else self._rules.choose(locals_, enabled)
        if chosen is None:
            self.full.add(state)
            chosen = enabled
        return [self._slow._target(label, state, locals_) for label in labels(chosen)]

    def lazy_cycle(self) -> bool:
        """Whether some cycle has no state that was expanded fully: condition C2 is broken."""
        left = {state: {t for t in targets if t not in self.full} for state, targets in self.edges.items()}
        left = {state: targets for state, targets in left.items() if state not in self.full}
        while True:
            done = {state for state, targets in left.items() if not targets & left.keys()}
            if not done:
                return bool(left)
            left = {state: targets for state, targets in left.items() if state not in done}

    def labelled(self, label: dict[int, object], initial: Sequence[int]) -> Labelled:
        """The graph of the search."""
        number = {state: index for index, state in enumerate(self.edges)}
        successors = [[number[t] for t in targets] or [number[state]] for state, targets in self.edges.items()]
        return Labelled([label[state] for state in self.edges], successors, [number[state] for state in initial])
