"""Obligations as closed questions for solvers of any make: circuits over bits, joined by and, or, not and quantifiers.

Bits are the numbers of the space's; a state that is compared with another has bits of its own beyond them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from epistrat.evidence.proof.obligations import Asks, Obligation
from epistrat.evidence.proof.sets import Kind, Through
from epistrat.evidence.proof.world import World
from epistrat.records import dataclass
from epistrat.solvers.bdd import Bdd


@dataclass(frozen=True, slots=True)
class Leaf:
    """A set of states, with other bits in place of some of its own."""

    states: Bdd
    renamed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class No:
    """Not."""

    of: Question


@dataclass(frozen=True, slots=True)
class All:
    """And."""

    of: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """Or."""

    of: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Exists:
    """For some values of these bits."""

    bits: tuple[int, ...]
    of: Question


Question: TypeAlias = Leaf | No | All | Some | Exists


def question(obligation: Obligation) -> Question | None:
    """What has a solution exactly if the obligation fails (`Asks.SOME`: if it holds); None where it is asked of diagrams only."""
    world, sets = obligation.world, obligation.sets
    assert isinstance(world, World)
    match obligation.asks:
        case Asks.SOME:
            return Leaf(sets[0])
        case Asks.INSIDE:
            return All((Leaf(sets[0]), No(Leaf(sets[1]))))
        case Asks.CLOSED:
            return All((Leaf(sets[0]), _step(world, sets[0], leaving=True)))
        case Asks.LEADS:
            return All((Leaf(sets[0]), _step(world, sets[1], leaving=True)))
    assert obligation.through is not None
    comes = _comes(world, obligation.through, sets[1])
    if comes is None:
        return None
    return All((Leaf(sets[0]), comes if obligation.asks is Asks.NONE else No(comes)))


def _comes(world: World, through: Through, states: Bdd) -> Question | None:
    """From here one comes into the states."""
    into = states & world.found
    match through.kind:
        case Kind.STEP:
            return _step(world, into)
        case Kind.ALIKE:
            return _alike(world, through.agents, into, 0)
        case Kind.LINKED:
            return Some(tuple(_alike(world, (one,), into, place) for place, one in enumerate(through.agents)))
        case Kind.GUESSED:
            return Exists(tuple(sorted(world.guessed)), Leaf(into))
        case Kind.ENFORCED:
            return _choice(world, through.agents, world.found & ~states)
        case Kind.ANSWERED:
            able = _choice(world, through.agents, world.algebra.false)
            free = _choice(world, through.agents, into)
            return None if able is None or free is None else All((able, No(free)))


def _step(world: World, into: Bdd, leaving: bool = False, kept: frozenset[int] = frozenset()) -> Question:
    """Some step leads into the states (``leaving``: out of them); the values of the bits that are kept are given."""
    private = world.relation.private
    ways: list[Question] = []
    for way in world.relation.ways:
        target: Question = Leaf(into, way.pairs)
        parts = (*(Leaf(part.function) for part in way.parts), No(target) if leaving else target)
        bits = tuple(sorted({later for _, later in way.pairs} | private - kept))
        ways.append(Exists(bits, All(parts)))
    return Some(tuple(ways))


def _alike(world: World, agents: tuple[str, ...], states: Bdd, copy: int) -> Question:
    """A state that looks the same is among the states; what is not seen of it has bits of its own."""
    hidden = sorted(world.encoded.hidden(agents) | world.remembered)
    first = (copy + 1) * world.algebra.variables
    renamed = tuple((bit, first + bit) for bit in hidden)
    return Exists(tuple(other for _, other in renamed), Leaf(states, renamed))


def _choice(world: World, group: tuple[str, ...], avoided: Bdd) -> Question | None:
    """Synchronous: some choice of the group leads into ``avoided`` for no answer of the others."""
    if world.system.interleaved:
        return None
    moves = world.encoded.moves
    kept = moves.free_bits(group)
    able = [Leaf(world.found), *map(Leaf, moves.able.values())]
    chosen = [Leaf(world.permitted(name)) for name in group if name in moves.permits]
    good = All((*chosen, No(_step(world, avoided, kept=kept))))
    return All((*able, Exists(tuple(sorted(kept)), good)))


class Circuits:
    """Diagrams as nodes: (number, bit, number if the bit is set, number if not), each after those below it; 1 is true, -n is not n."""

    def __init__(self, true: Any, false: Any) -> None:
        self._number: dict[Any, int] = {true: 1, false: -1}
        self._nodes: dict[int, tuple[int, int, int]] = {}

    def number(self, diagram: Any) -> int:
        """The number of a diagram."""
        stack = [diagram]
        while stack:
            one = stack[-1]
            if one in self._number:
                stack.pop()
                continue
            below = one.cofactors()
            missing = [other for other in below if other not in self._number]
            if missing:
                stack.extend(missing)
                continue
            fresh = len(self._nodes) + 2
            self._nodes[fresh] = (one.node_var(), self._number[below[0]], self._number[below[1]])
            self._number[one], self._number[~one] = fresh, -fresh
            stack.pop()
        return self._number[diagram]

    def below(self, *numbers: int) -> list[tuple[int, int, int, int]]:
        """The nodes that these need, in order."""
        wanted: set[int] = set()
        stack = [abs(number) for number in numbers]
        while stack:
            number = stack.pop()
            if number > 1 and number not in wanted:
                wanted.add(number)
                stack += map(abs, self._nodes[number][1:])
        return [(number, *self._nodes[number]) for number in sorted(wanted)]


class Clauses:
    """A question without a choice for each state as clauses; bits keep their numbers plus one, all ``bits`` of the space among them."""

    def __init__(self, circuits: Circuits, bits: int, asked: Question) -> None:
        self._circuits = circuits
        self._last = max(bits, 1 + max(_bits(asked, circuits), default=0))
        self._made: dict[tuple[int, tuple[tuple[int, int], ...]], int] = {}
        self.clauses: list[list[int]] = []
        self.clauses.append([self._literal(asked)])

    @property
    def variables(self) -> int:
        """How many there are."""
        return self._last

    def _fresh(self) -> int:
        self._last += 1
        return self._last

    def _literal(self, asked: Question) -> int:
        match asked:
            case Leaf(states, renamed):
                return self._diagram(self._circuits.number(states), renamed)
            case No(of):
                return -self._literal(of)
            case Exists(_, of):
                return self._literal(of)
            case All(of):
                return self._joined([self._literal(one) for one in of])
            case Some(of):
                return -self._joined([-self._literal(one) for one in of])

    def _joined(self, literals: list[int]) -> int:
        result = self._fresh()
        self.clauses += [[-result, one] for one in literals]
        self.clauses.append([result, *(-one for one in literals)])
        return result

    def _diagram(self, number: int, renamed: tuple[tuple[int, int], ...]) -> int:
        other = dict(renamed)
        true = self._made.get((1, ()))
        if true is None:
            true = self._made[1, ()] = self._fresh()
            self.clauses.append([true])

        def at(one: int) -> int:
            literal = true if abs(one) == 1 else self._made[abs(one), renamed]
            return literal if one > 0 else -literal

        for node, bit, then, otherwise in self._circuits.below(number):
            if (node, renamed) in self._made:
                continue
            made = self._made[node, renamed] = self._fresh()
            test, high, low = other.get(bit, bit) + 1, at(then), at(otherwise)
            self.clauses += [[-made, -test, high], [made, -test, -high], [-made, test, low], [made, test, -low]]
        return at(number)


def _bits(asked: Question, circuits: Circuits) -> Iterator[int]:
    """The bits of a question, those of further states included."""
    match asked:
        case Leaf(states, renamed):
            other = dict(renamed)
            yield from (other.get(bit, bit) for _, bit, _, _ in circuits.below(circuits.number(states)))
        case No(of):
            yield from _bits(of, circuits)
        case Exists(bits, of):
            yield from bits
            yield from _bits(of, circuits)
        case All(of) | Some(of):
            for one in of:
                yield from _bits(one, circuits)


def dimacs(variables: int, clauses: Iterable[list[int]]) -> str:
    """Clauses in DIMACS' format."""
    lines = [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join([f"p cnf {variables} {len(lines)}", *lines, ""])


def smtlib(circuits: Circuits, asked: Question) -> str:
    """The question in SMT-LIB, every bit a Boolean."""
    writer = _Smt(circuits)
    body = writer.text(asked)
    free = [f"(declare-const b{bit} Bool)" for bit in sorted(writer.free)]
    logic = "UF" if writer.quantified else "QF_UF"
    return "\n".join([f"(set-logic {logic})", *free, f"(assert {body})", "(check-sat)", ""])


class _Smt:
    def __init__(self, circuits: Circuits) -> None:
        self._circuits = circuits
        self._bound: list[int] = []
        self.free: set[int] = set()
        self.quantified = False

    def text(self, asked: Question) -> str:
        match asked:
            case Leaf(states, renamed):
                return self._diagram(self._circuits.number(states), dict(renamed))
            case No(of):
                return f"(not {self.text(of)})"
            case All(of):
                return f"(and true {' '.join(map(self.text, of))})"
            case Some(of):
                return f"(or false {' '.join(map(self.text, of))})"
            case Exists((), of):
                return self.text(of)
            case Exists(bits, of):
                self.quantified = True
                self._bound += bits
                body = self.text(of)
                del self._bound[len(self._bound) - len(bits) :]
                return f"(exists ({' '.join(f'(b{bit} Bool)' for bit in bits)}) {body})"

    def _diagram(self, number: int, renamed: Mapping[int, int]) -> str:
        nodes = self._circuits.below(number)

        def at(one: int) -> str:
            name = "true" if abs(one) == 1 else f"n{abs(one)}"
            return name if one > 0 else f"(not {name})"

        def lets() -> Iterator[str]:
            for node, bit, then, otherwise in nodes:
                test = renamed.get(bit, bit)
                if test not in self._bound:
                    self.free.add(test)
                yield f"(let ((n{node} (ite b{test} {at(then)} {at(otherwise)}))) "

        return "".join(lets()) + at(number) + ")" * len(nodes)


def is_plain(asked: Question, denied: bool = False) -> bool:
    """Whether clauses can say it: no quantifier under a negation."""
    match asked:
        case Leaf():
            return True
        case No(of):
            return is_plain(of, not denied)
        case All(of) | Some(of):
            return all(is_plain(one, denied) for one in of)
        case Exists(bits, of):
            return (not denied or not bits) and is_plain(of, denied)
