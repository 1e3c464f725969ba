"""Reachability in finite systems by IC3: one search per cone of influence, kept for all questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from epistrat.encoding.cone import Cones
from epistrat.encoding.gates import NO, Literal
from epistrat.encoding.transitions import Transitions
from epistrat.model.agent import Variable
from epistrat.proving.bits import Bits
from epistrat.proving.contract import Reachability, Trace, Valuation
from epistrat.proving.ic3.search import BitTrace, Search
from epistrat.proving.unrolled import Unrolled
from epistrat.records import dataclass, replace
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import FALSE, Boolean, Expr, Key, Value, Var, subterms, variables

_MOST_DROPPED = 60  # literals given up one by one in the search for a close state


@dataclass(frozen=True)
class FiniteSettings:
    """``cone``: leave out what a question does not depend on.  ``keep_frames``: questions share what was found out.

    ``cross_check``: two solvers answer every query.  ``patience``: how long cubes and states are improved.
    """

    cone: bool = True
    keep_frames: bool = True
    cross_check: bool = False
    patience: Patience = PATIENT


class FiniteReachability(Reachability):
    """See the module's description.

    Where all variables are finite, cores say enough, IC3 finds long runs soon, and nothing is better than values themselves:
    no regions and no pairs of runs are looked for.
    """

    def __init__(self, system: Transitions, tick: Callable[[], None], settings: FiniteSettings | None = None) -> None:
        self._tick = tick
        self._settings = settings or FiniteSettings()
        self._whole = Bits(system, tick, self._settings.cross_check)
        self.system = self._whole.system = self._without_idle_blocks(system)
        self._cones = Cones(self.system)
        self._keys = {one.key for one in self.system.variables}
        self._searches: dict[tuple[Variable, ...], Search] = {}
        self._unrolled: Unrolled | None = None
        self._frozen: dict[Key, bool] = {}
        self._unwritten = {key for part in self.system.parts if part.writes == () for key in part.defines}
        self._starts: bool | None = None
        self._done = {"questions": 0, "cones": 0}

    def _without_idle_blocks(self, system: Transitions) -> Transitions:
        """Parts that can never block say so."""
        if all(part.blocks == FALSE for part in system.parts):
            return system
        bits = self._whole
        parts = tuple(
            replace(part, blocks=FALSE)
            if part.blocks != FALSE and not bits.solve([bits.literal(part.blocks)])
            else part
            for part in system.parts
        )
        bits.forbid(parts)
        return Transitions(system.variables, system.inputs, system.initial, parts, system.terms)

    # Questions

    def reaches(self, question: Sequence[Expr]) -> Trace | None:
        """A trace to a state that satisfies all conditions, or None if there is none."""
        self._done["questions"] += 1
        if self._starts is None:
            self._starts = self._whole.solve([self._whole.initial])
        if not self._starts:  # a cone may have an initial state where the system has none
            return None
        search = self._search(question)
        bits = search.bits
        free = self._free(question)
        for one in free:
            bits.declare(one)
        bad = [bits.literal(condition) for condition in question]
        if NO in bad:
            return None
        found = search.reaches(bad, [bit for one in free for bit in bits.bits(one.key)])
        return None if found is None else self._completed(bits, found, bad, free)

    def within(self, question: Sequence[Expr], steps: int) -> Trace | None:
        """A trace of at most so many steps to a state that satisfies all conditions, by unrolling the whole system.

        The conditions speak of the system's variables alone.
        """
        unrolled = Unrolled(self._whole, self._tick)
        for end in range(steps + 1):
            unrolled.extend(end)
            if unrolled.solve(
                [unrolled.initial, *[unrolled.literal(condition, end) for condition in question]], steps=end
            ):
                states = tuple(unrolled.values(frame, self.system.variables) for frame in range(end + 1))
                inputs = tuple(unrolled.values(frame, self.system.inputs) for frame in range(end))
                return Trace(states, inputs, {})
        return None

    def _search(self, question: Sequence[Expr]) -> Search:
        keys = variables(*question) & self._keys
        cone = self._cones.around(keys) if self._settings.cone else self.system
        found = self._searches.get(cone.variables)
        if found is None or not self._settings.keep_frames:
            self._done["cones"] += 1
            same = len(cone.variables) == len(self.system.variables) and self._settings.keep_frames
            bits = self._whole if same else Bits(cone, self._tick, self._settings.cross_check)
            found = self._searches[cone.variables] = Search(bits, self._settings.patience)
            for condition in cone.initial:
                if all(map(self.frozen, variables(condition))):
                    found.frames.always(found.bits.literal(condition))
        return found

    def frozen(self, key: Key) -> bool:
        """Whether no step changes the variable: then what initial states say of it alone is true for ever."""
        if key not in self._frozen:
            whole = self._whole
            bits = whole.bits(key)
            self._frozen[key] = key in self._unwritten or not any(
                whole.solve([whole.step, sign * bit, -sign * whole.primed(bit)]) for bit in bits for sign in (1, -1)
            )
        return self._frozen[key]

    def _free(self, question: Sequence[Expr]) -> list[Variable]:
        return free_variables(question, self._keys)

    def _completed(self, bits: Bits, found: BitTrace, bad: list[Literal], free: list[Variable]) -> Trace:
        """A trace of the cone as one of the whole system: what was left out never prevents a step."""
        if not bits.solve([*found.states[-1], *bad]):
            raise AssertionError("the trace does not end in a bad state")
        values = bits.values(bits.cube([bit for one in free for bit in bits.bits(one.key)]), free)
        whole = self._whole
        kept, chosen = bits.system.variables, bits.system.inputs
        partial = [whole.cube_of(bits.values(state, kept)) for state in found.states]
        inputs = [whole.cube_of(bits.values(one, chosen)) for one in found.inputs]
        if not whole.solve([whole.initial, *partial[0]]):
            raise AssertionError("the trace of a cone has no initial state")
        state = whole.cube(whole.latches)
        states = [whole.values(state, self.system.variables)]
        steps: list[Valuation] = []
        for here, there in zip(inputs, partial[1:], strict=True):
            if not whole.solve([whole.step, *state, *here, *[whole.primed(literal) for literal in there]]):
                raise AssertionError("the trace of a cone has an impossible step")
            steps.append(whole.values(whole.cube(whole.inputs), self.system.inputs))
            state = whole.next_cube()
            states.append(whole.values(state, self.system.variables))
        return Trace(tuple(states), tuple(steps), values)

    def refuted_by(self, facts: Sequence[Expr], condition: Expr) -> list[Expr] | None:
        """Some of the facts that, by the invariants found so far, exclude the condition; few, by dropping one after the other."""
        search = self._search([*facts, condition])
        bits, always = search.bits, search.frames.assumptions(None)
        literals = {bits.literal(fact): fact for fact in facts}
        goal = bits.literal(condition)
        if bits.solve([*always, goal, *literals]):
            return None
        core = [literal for literal in literals if literal in bits.core()]
        for literal in list(core):
            fewer = [other for other in core if other != literal]
            if len(core) > 1 and not bits.solve([*always, goal, *fewer]):
                kept = bits.core()
                core = [other for other in fewer if other in kept]
            if literal not in core:
                continue
        return [literals[literal] for literal in core]

    def also_refuted(self, cases: Sequence[Sequence[Expr]], condition: Expr) -> list[Sequence[Expr]]:
        """Those of some lists of facts that the invariants found so far exclude together with the condition."""
        return [case for case in cases if self.refuted_by(case, condition) is not None]

    def valid(self, condition: Expr) -> bool:
        """Whether the condition is true in every state, or, if it mentions next values or inputs, in every step."""
        whole = self._whole
        about_steps = not variables(condition) <= self._keys
        return not whole.solve([*([whole.step] if about_steps else []), -whole.literal(condition)])

    def always_initially(self, condition: Expr) -> bool:
        """Whether the condition is true in every initial state."""
        whole = self._whole
        return not whole.solve([whole.initial, -whole.literal(condition)])

    def closest(self, trace: Trace, question: Sequence[Expr], state: Valuation, keys: Iterable[Key]) -> Trace | None:
        """A trace of the same length to a state that satisfies the question and differs from the given one in few variables."""
        whole = self._whole
        if self._unrolled is None:
            self._unrolled = Unrolled(whole, self._tick)
        unrolled, end = self._unrolled, len(trace.inputs)
        unrolled.extend(end)
        fixed = [unrolled.initial, *[unrolled.literal(condition, end) for condition in question]]
        soft = [unrolled.literal(equality(self.system, key, state[key]), end) for key in keys]
        for _ in range(self._settings.patience.most(_MOST_DROPPED)):
            if unrolled.solve([*fixed, *soft], steps=end):
                states = tuple(unrolled.values(frame, self.system.variables) for frame in range(end + 1))
                inputs = tuple(unrolled.values(frame, self.system.inputs) for frame in range(end))
                return Trace(states, inputs, {})
            core = unrolled.core()
            soft_core = [literal for literal in soft if literal in core]
            if not soft_core:
                return None
            soft.remove(soft_core[0])
        return None

    def invariant(self) -> tuple[Expr, ...]:
        """The clauses that hold for ever, of all cones."""
        found = {one: None for one in self.system.initial if all(map(self.frozen, variables(one)))}
        for search in self._searches.values():
            for cube in search.frames.forever:
                found[search.bits.clause(cube)] = None
        return tuple(found)

    def statistics(self) -> Mapping[str, int]:
        """What was done so far."""
        depth = max((search.frames.top for search in self._searches.values()), default=0)
        return self._done | {"frames": depth}


def free_variables(question: Sequence[Expr], known: set[Key]) -> list[Variable]:
    """The Boolean variables of a question that are no state variables."""
    found = {term.key: term for term in subterms(*question) if isinstance(term, Var) and term.key not in known}
    return [Variable(*key, Boolean()) for key in sorted(found)]


def equality(system: Transitions, key: Key, value: Value) -> Expr:
    """The condition that a variable has a value."""
    constant = system.terms.constant(value)
    return system.terms.compare("=", system.terms.variable(*key, constant.sort), constant)
