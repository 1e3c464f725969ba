"""Reduced state spaces: which one a formula may be checked on, and its exploration."""

from __future__ import annotations

from typing import Any

from epistrat.engines.contract import Strategies, Watcher
from epistrat.engines.explicit.conditions import VectorConditions
from epistrat.engines.explicit.initial import InitialStates
from epistrat.engines.explicit.interleaved import InterleavedSuccessors
from epistrat.engines.explicit.layout import Block
from epistrat.engines.explicit.reduction.applicability import is_linear, obstacle
from epistrat.engines.explicit.reduction.automata import Automata, NotReducible
from epistrat.engines.explicit.reduction.proviso import states_to_expand
from epistrat.engines.explicit.reduction.reduced import ReducedSuccessors
from epistrat.engines.explicit.reduction.rules import Rules
from epistrat.engines.explicit.reduction.visibility import Eyes, eyes, refusable_labels, visible_labels
from epistrat.engines.explicit.space import ExplicitSpace
from epistrat.logic.formula import Formula
from epistrat.solvers.budget import Budget

_TRIALS_PER_SUCCESS = 20  # one success in so many trials is too few


class ReducedSpace(ExplicitSpace):
    """The states that are left when steps are left out."""

    def __init__(
        self,
        successors: InterleavedSuccessors,
        rules: Rules,
        budget: Budget,
        watch: Watcher,
        strategies: Strategies = Strategies.ANY,
    ) -> None:
        self.refusable: tuple[str, ...] = ()
        self.reduced = ReducedSuccessors(successors, rules)
        self.rounds = 0
        self._settled = False
        super().__init__(successors.layout, self.reduced, budget, watch, strategies)

    def advance(self) -> Block | None:
        """As for all states; when no state is left to explore, cycles without a fully expanded state are opened."""
        if not self.explorer.done:
            return self.explorer.advance()
        if self._settled:
            return None
        chosen = states_to_expand(self.explorer, self.reduced, self.budget)
        if not len(chosen):
            self._settled = True
            return None
        self.reduced.expand_fully(chosen)
        self.explorer.explore_from(chosen)
        self.rounds += 1
        return self.explorer.advance()

    @property
    def complete(self) -> bool:
        """Whether all states were found and no cycle is left to open."""
        return self._settled

    def statistics(self) -> dict[str, Any]:
        """Sizes so far, and how the reduction came about."""
        rules = self.reduced.rules
        return super().statistics() | {
            "reduced": True,
            "rules": rules.names,
            "visible steps": len(rules.visible),
            "sticky steps": len(rules.sticky),
            "repair rounds": self.rounds,
            **({"visible because of a coalition": list(self.refusable)} if self.refusable else {}),
        }


class Reducer:
    """Makes the reduced spaces of one system; formulae that see the same share one."""

    def __init__(
        self,
        successors: InterleavedSuccessors,
        budget: Budget,
        watch: Watcher,
        strategies: Strategies = Strategies.ANY,
    ) -> None:
        self._successors, self._budget, self._watch = successors, budget, watch
        self._strategies = strategies
        self._automata: Automata | None = None
        self._spaces: dict[tuple[frozenset[int], bool], ReducedSpace] = {}

    def space(self, formula: Formula, mode: str = "auto") -> ReducedSpace:
        """The reduced space on which the formula has its true verdict; raises `NotReducible` with the reason if there is none."""
        system = self._successors.layout.system
        reason = obstacle(system, formula)
        if reason is not None:
            raise NotReducible(reason)
        linear = is_linear(system, formula, self._strategies is not Strategies.ANY)
        if mode == "linear" and not linear:
            raise NotReducible("the formula is not linear: a quantifier stands below another operator")
        seen = eyes(system, [formula])
        visible = visible_labels(self._successors, self.automata, seen)
        key = visible, linear and mode != "singleton"
        if key not in self._spaces:
            self._spaces[key] = self._make(Rules(self.automata, *key))
            if not self._worth_it(self._spaces[key]):
                self._spaces[key] = self._make(Rules(self.automata, *key, closures=False))
            self._spaces[key].refusable = self._refusable(seen)
        return self._spaces[key]

    def _refusable(self, seen: Eyes) -> tuple[str, ...]:
        """The events that are visible because a member of a coalition takes part."""
        labels = refusable_labels(self._successors, self.automata, seen)
        numbers = sorted({self.automata.labels[label].action for label in labels})
        return tuple(self._successors.actions[number].name for number in numbers)

    def _make(self, rules: Rules) -> ReducedSpace:
        return ReducedSpace(self._successors, rules, self._budget, self._watch, self._strategies)

    def _worth_it(self, space: ReducedSpace) -> bool:
        """Whether rules S+ and M, tried state by state, find enough: judged by the first states of the space."""
        while len(space.explorer) < self._budget.patience.probed_states:
            if space.advance() is None:
                return True
        return space.reduced.found * _TRIALS_PER_SUCCESS > space.reduced.tried

    @property
    def automata(self) -> Automata:
        """The agents' local automata."""
        if self._automata is None:
            layout = self._successors.layout
            initial = InitialStates(layout, VectorConditions(layout), self._budget)
            self._automata = Automata(self._successors, initial.blocks(), self._budget.patience)
        return self._automata

    def spaces(self) -> list[ReducedSpace]:
        """Those made so far."""
        return list(self._spaces.values())
