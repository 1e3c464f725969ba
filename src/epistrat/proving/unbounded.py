"""Reachability with unbounded variables: a portfolio, in the order of what it costs.

1. Invariants found before: do they exclude the question?
2. Unrolling: is there a short trace?
3. Induction relative to the invariants, with as few of the question's facts as possible.
4. Spacer with two settings, in a child process; meanwhile, longer traces.

Every invariant that comes from outside is proved again by a solver of its own; every trace comes from unrolling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from epistrat.encoding.cone import Cones
from epistrat.encoding.transitions import Transitions
from epistrat.model.agent import Variable
from epistrat.proving.acceleration import Macro
from epistrat.proving.contract import Trace, Undecided, Valuation
from epistrat.proving.finite import equality, free_variables
from epistrat.proving.induction import Inductor, candidates
from epistrat.proving.leaping import Leaping
from epistrat.proving.pairs import Pairs
from epistrat.proving.projection import excluding, region
from epistrat.proving.shorten import shortened
from epistrat.proving.templates import Templates
from epistrat.proving.unrolling import Unrolling, in_whole_system
from epistrat.records import dataclass, field, replace
from epistrat.solvers.budget import Budget
from epistrat.solvers.smt.horn import FIRST_SLICE, GROWTH, Spacer, slices
from epistrat.terms import FALSE, TRUE, Expr, Key, variables
from epistrat.terms.substitute import substitute

_FIRST_DEPTH = 14  # steps unrolled before anything else is tried
_FIRST_WORK = 2_000_000  # for the first unrolling
_LEAST_STEP, _STEP = 250_000, 10_000_000  # work for one depth of an unrolling
_MOST_GUESSED = 24  # variables of a cone for which invariants are guessed, if smaller cones have some
_MOST_DROPPED = 40  # rounds in which differing variables are given up
_MOST_OPTIONS = 64  # values of free variables that are written out


@dataclass
class _Cone:
    """What is kept for one cone of influence: an unrolling and how deep a question was searched for in it."""

    system: Transitions
    unrolling: Unrolling
    inductor: Inductor
    seeds: set[Expr] = field(default_factory=set)
    leaping: Leaping | None = None


class UnboundedReachability:
    """See the module's description."""

    def __init__(self, system: Transitions, budget: Budget, cone: bool = True) -> None:
        self._budget = budget
        self._use_cone = cone
        self.system = self._without_idle_blocks(system)
        self._cones = Cones(self.system)
        self._keys = {one.key for one in self.system.variables}
        self._searches: dict[tuple[Variable, ...], _Cone] = {}
        self._known: list[Expr] = []
        self._has_start: bool | None = None
        self._pairs: Pairs | None = None
        self._sure: dict[tuple[tuple[Key, ...], Expr, int], Expr | None] = {}
        self._root: Unrolling | None = None
        self._whole = self._cone(self.system)
        self._done = {"questions": 0, "unrolled": 0, "by induction": 0, "by Spacer": 0}

    def _without_idle_blocks(self, system: Transitions) -> Transitions:
        if all(part.blocks == FALSE for part in system.parts):
            return system
        step = Inductor(Transitions(system.variables, system.inputs, (), (), system.terms), self._budget)
        parts = tuple(
            replace(part, blocks=FALSE) if part.blocks != FALSE and step.excluded([part.blocks]) else part
            for part in system.parts
        )
        return Transitions(system.variables, system.inputs, system.initial, parts, system.terms)

    # Questions

    def _search(self, question: Sequence[Expr], observed: Iterable[Key] = ()) -> _Cone:
        """What is kept for the variables that a question mentions, and further ones."""
        keys = (variables(*question) | set(observed)) & self._keys
        system = self._cones.around(keys) if keys and self._use_cone else self.system
        found = self._cone(self._known_cone(system))
        if not found.seeds and (len(system.variables) <= self._budget.patience.most(_MOST_GUESSED) or not self._known):
            templates = Templates(system, found.unrolling)
            found.inductor.houdini(templates.guesses())
            found.inductor.houdini(templates.implications())
        fresh = [one for one in question if one not in found.seeds]
        if fresh or not found.seeds:
            found.seeds.update(fresh or question or [TRUE])
            found.inductor.houdini(candidates(system, fresh))
            self._share(found)
        return found

    def _known_cone(self, system: Transitions) -> Transitions:
        """A cone that was searched before and contains another one, with only a few Booleans and names more; else the other one itself."""
        wanted = set(system.variables)
        fitting = [
            known.system
            for known in self._searches.values()
            if known.seeds and wanted <= set(known.system.variables) and len(known.system.variables) <= _MOST_GUESSED
            if all(one in wanted or one.domain.finite for one in known.system.variables)
        ]
        return min(fitting, key=lambda one: len(one.variables), default=system)

    def _cone(self, system: Transitions) -> _Cone:
        found = self._searches.get(system.variables)
        if found is None:
            unrolling = Unrolling(system, self._budget, beside=self._root)
            self._root = self._root or unrolling
            found = _Cone(system, unrolling, Inductor(system, self._budget, self._root))
            self._searches[system.variables] = found
        own = {one.key for one in system.variables}
        for condition in self._known:
            if variables(condition) <= own:
                found.inductor.accept(condition)
        return found

    def _share(self, search: _Cone) -> None:
        self._known = list(dict.fromkeys([*self._known, *search.inductor.pool]))

    def reaches(self, question: Sequence[Expr], work: int | None = None) -> Trace | None:
        """A trace to a state that satisfies all conditions, or None if there is none.

        ``work`` is how much to do when all that is quick has failed.
        """
        self._done["questions"] += 1
        if not self._starts():
            return None
        search = self._search(question)
        if search.inductor.excluded(question):
            return None
        free = free_variables(question, self._keys)
        patience = self._budget.patience
        until = self._budget.work + patience.work(_FIRST_WORK)
        found = self._unrolled(search, question, free, 0, patience.most(_FIRST_DEPTH), until)
        if isinstance(found, Trace):
            return in_whole_system(self.system, found, self._budget, self._whole.unrolling)
        if not free and (
            search.inductor.exclude(question[:-1], question[-1])
            or search.inductor.exclude_by_few(question[:-1], question[-1])
        ):
            self._done["by induction"] += 1
            self._share(search)
            return None
        some = self._some(question, free) if free else None
        if some is not None and self._k_inductive(search, some, found):
            self._done["by induction"] += 1
            return None
        leap = self._leaping(search).trace(question, free)
        if leap is not None:
            return in_whole_system(self.system, leap, self._budget, self._whole.unrolling)
        return self._long_search(search, question, free, found, work)

    def within(self, question: Sequence[Expr], steps: int, work: int = _FIRST_WORK) -> Trace | None:
        """A trace of at most so many steps to a state that satisfies all conditions, by unrolling the whole system."""
        until = self._budget.work + self._budget.patience.work(work)
        found = self._unrolled(self._whole, question, [], 0, steps, until)
        return found if isinstance(found, Trace) else None

    def macros(self) -> list[Macro]:
        """The loops of the whole system that can be accelerated."""
        return self._leaping(self._whole).macros

    def _leaping(self, search: _Cone) -> Leaping:
        if search.leaping is None:
            search.leaping = Leaping(search.system, search.inductor.pool, self._budget, search.unrolling)
        return search.leaping

    def _starts(self) -> bool:
        """Whether there is an initial state at all: a cone may have one where the system has none."""
        if self._has_start is None:
            self._has_start = self._whole.unrolling.solve([], steps=0)
        return self._has_start

    def _k_inductive(self, search: _Cone, bad: Expr, looked_at: int) -> bool:
        """Whether bad states are excluded by induction over a few steps, where shorter runs were looked at already."""
        return any(search.inductor.inductive_after(bad, steps) for steps in (1, 2, 4) if steps <= looked_at)

    def _some(self, question: Sequence[Expr], free: Sequence[Variable]) -> Expr | None:
        """The question without its free variables: some values of theirs satisfy it; None where that becomes too large to write."""
        terms = self.system.terms
        options: list[Expr] = [terms.conjunction(question)]
        for one in free:
            options = [
                substitute(terms, option, {one.reference: terms.boolean(value)})
                for option in options
                for value in (False, True)
            ]
            if len(options) > _MOST_OPTIONS:
                return None
        return terms.disjunction(dict.fromkeys(options))

    def _unrolled(
        self, search: _Cone, question: Sequence[Expr], free: list[Variable], start: int, end: int, until: int
    ) -> Trace | int:
        """A trace of ``start`` to ``end`` steps; otherwise the number of the first length that was not looked at.

        None is begun when so much work was done.
        """
        unrolling, budget = search.unrolling, self._budget
        for depth in range(start, end + 1):
            if depth > start and budget.work > until:
                return depth
            unrolling.extend(depth)
            self._done["unrolled"] = max(self._done["unrolled"], depth)
            most = min(max(_LEAST_STEP, until - budget.work), _STEP)
            try:
                if unrolling.solve([unrolling.at(one, depth) for one in question], most, steps=depth):
                    return unrolling.trace(depth, free)
            except Undecided:
                return depth
        return end + 1

    def _long_search(
        self, search: _Cone, question: Sequence[Expr], free: list[Variable], depth: int, work: int | None
    ) -> Trace | None:
        """Spacer, slice by slice, and meanwhile longer traces, for a part of the work, so that neither takes it all."""
        budget = self._budget
        spacer = Spacer(search.inductor.safety_problem(question), budget)
        try:
            for size in slices(None if work is None else budget.patience.work(work)):
                spacer.begin(size)
                beside = size // GROWTH if size > FIRST_SLICE or spacer.over else 0
                found = self._longer(search, question, free, depth, beside)
                if isinstance(found, Trace):
                    return in_whole_system(self.system, found, budget, self._whole.unrolling)
                told = spacer.answer()
                if told.safe and told.invariant and self._believed(search, told.invariant, question):
                    self._done["by Spacer"] += 1
                    return None
                if spacer.over and found == depth and beside >= _STEP:
                    break
                depth = found
            raise Undecided("neither a run nor an invariant was found")
        finally:
            spacer.stop()

    def _longer(
        self, search: _Cone, question: Sequence[Expr], free: list[Variable], depth: int, work: int
    ) -> Trace | int:
        """A trace of so many steps or more, found with so much work; otherwise the first length that was not looked at."""
        until = self._budget.work + self._budget.patience.work(work)
        while work and self._budget.work < until:
            found = self._unrolled(search, question, free, depth, depth, until)
            if found == depth or isinstance(found, Trace):
                return found
            depth = found
        return depth

    def _believed(self, search: _Cone, script: str, question: Sequence[Expr]) -> bool:
        """Prove an invariant again; whether it is one and excludes the question."""
        if search.inductor.believed(script) is None:
            return False
        self._share(search)
        return search.inductor.excluded(question)

    # Generalisation

    def refuted_by(self, facts: Sequence[Expr], condition: Expr) -> list[Expr] | None:
        """Few of the facts that, by the invariants found so far, exclude the condition."""
        return self._search([*facts, condition]).inductor.core(facts, condition)

    def also_refuted(self, cases: Sequence[Sequence[Expr]], condition: Expr) -> list[Sequence[Expr]]:
        """Those of some lists of facts that exclude the condition, by induction over all of them together."""
        if not cases:
            return []
        terms, search = self.system.terms, self._search([one for case in cases for one in case] + [condition])
        search.inductor.houdini(terms.negate(terms.conjunction((*case, condition))) for case in cases)
        self._share(search)
        return [case for case in cases if search.inductor.excluded([*case, condition])]

    def surely(self, keys: Sequence[Key], denied: Expr) -> Expr | None:
        """Where, by the invariants, the values of some variables exclude a condition; None if that cannot be written down."""
        search = self._search([denied], keys)
        version = (tuple(keys), denied, len(search.inductor.pool))
        if version not in self._sure:
            found = excluding(search.unrolling, search.inductor.pool, keys, denied, self._budget)
            short = None if found is None else self._short(found, search)
            self._sure[version] = short
        return self._sure[version]

    def _short(self, condition: Expr, search: _Cone) -> Expr:
        return shortened(self.system.terms, condition, search.inductor.excluded, self._budget.patience)

    def valid(self, condition: Expr) -> bool:
        """Whether the condition is true in every state that satisfies the invariants, or in every step from one."""
        if variables(condition) <= self._keys:
            return self._states().excluded([self.system.terms.negate(condition)])
        return self._whole.inductor.valid(condition)

    def _states(self) -> Inductor:
        """What is known of single states."""
        return self._whole.inductor

    def always_initially(self, condition: Expr) -> bool:
        """Whether the condition is true in every initial state."""
        return self._whole.inductor.valid_initially(condition)

    def closest(self, trace: Trace, question: Sequence[Expr], state: Valuation, keys: Iterable[Key]) -> Trace | None:
        """A trace of the same length to a state that satisfies the question and differs from the given one in few variables."""
        end = len(trace.inputs)
        wanted = [equality(self.system, key, state[key]) for key in keys]
        return self._whole.unrolling.closest(end, question, wanted, self._budget.patience.most(_MOST_DROPPED))

    def alike(
        self, keys: Sequence[Key], bad: Expr, denied: Expr, begun: tuple[Trace, Trace, int] | None = None
    ) -> tuple[Trace, Trace] | None:
        """Two runs side by side, by unrolling both."""
        if self._pairs is None:
            self._pairs = Pairs(self.system, self._budget)
        if begun is None:
            return self._pairs.starting_together(keys, bad, denied)
        return self._pairs.going_on(*begun, keys, bad, denied)

    def project(self, trace: Trace, question: Sequence[Expr], keys: Iterable[Key]) -> Expr | None:
        """Model-based projection of all runs as long as the trace to the variables' values at its end."""
        wanted = list(keys)
        search = self._search(question, wanted)
        exact = [equality(self.system, key, trace.last[key]) for key in wanted]
        found = self._leaping(search).region(question, exact, wanted)
        if found is not None:
            return self._short(found, search)
        return region(search.unrolling, len(trace.inputs), question, exact, wanted)

    def invariant(self) -> tuple[Expr, ...]:
        """Conditions that were found to hold in all reachable states."""
        return tuple(self._known)

    def statistics(self) -> Mapping[str, int]:
        """What was done so far."""
        return self._done | {"invariants": len(self._known)}
