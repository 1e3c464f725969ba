"""Linear comparisons and linear values over bits.

A linear form is scaled by the common denominator, so that everything is whole.  A comparison with zero is decided bit by bit from the top
of the order: what matters of the bits seen so far is their partial sum alone, and a position is decided as soon as the rest cannot
change the outcome.  Equal remainders of different comparisons are shared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from epistrat.encoding.bits import Field
from epistrat.encoding.part import Part
from epistrat.solvers.bdd import Algebra, Bdd
from epistrat.terms import Bounded, Key
from epistrat.terms.linear import Linear


class Sums:
    """Linear arithmetic over the fields of a layout."""

    def __init__(self, algebra: Algebra, fields: Mapping[Key, Field]) -> None:
        self._algebra = algebra
        self._fields = fields
        self._suffix: dict[tuple[int, int, int], int] = {}
        self._tables: dict[tuple[bool, int], dict[int, Bdd]] = {}

    def negative(self, form: Linear) -> Part:
        """Where the form is less than zero."""
        return self._decide(form, 0, True)

    def not_positive(self, form: Linear) -> Part:
        """Where the form is zero or less: numerators are whole, so this is where one less is negative."""
        return self._decide(form, -1, True)

    def zero(self, form: Linear) -> Part:
        """Where the form is zero."""
        return self._decide(form, 0, False)

    def _bits(self, form: Linear) -> tuple[int, list[tuple[int, int]], int]:
        """The form over bits: constant, (bit, weight) from the top of the order downwards, support."""
        constant, whole, _ = form.whole()
        support = 0
        weights: dict[int, int] = {}
        for key, weight in whole.items():
            field = self._fields[key]
            assert isinstance(field.domain, Bounded)
            constant += weight * field.domain.low
            support |= field.support
            for position, bit in enumerate(reversed(field.bits)):
                weights[bit] = weight << position
        return constant, sorted(weights.items()), support

    def _decide(self, form: Linear, shift: int, less: bool) -> Part:
        """Sum < 0 (``less``) or sum = 0, for the sum of the form's bits plus ``shift``.

        First forwards: which partial sums leave the question open at each position.  Then backwards: a diagram for each of them.
        """
        constant, terms, support = self._bits(form)
        stages = self._stages(terms, less)
        start = constant + shift
        pending: list[list[int]] = []
        frontier = {start}
        for (_, weight), (below, above, table) in zip(terms, stages, strict=False):
            still = [partial for partial in frontier if below <= partial <= above and partial not in table]
            pending.append(still)
            frontier = {partial + weight for partial in still}
            frontier.update(still)
        early, late = (self._algebra.true if less else self._algebra.false), self._algebra.false
        ite = self._algebra.ite
        for index in range(len(terms) - 1, -1, -1):
            bit, weight = terms[index]
            variable, table = self._algebra.var[bit], stages[index][2]
            below, above, following = stages[index + 1]
            for partial in pending[index]:
                more = partial + weight
                high = early if more < below else late if more > above else following[more]
                low = early if partial < below else late if partial > above else following[partial]
                table[partial] = high if high == low else ite(variable, high, low)
        below, above, table = stages[0]
        return Part(early if start < below else late if start > above else table[start], support)

    def _stages(self, terms: Sequence[tuple[int, int]], less: bool) -> list[tuple[int, int, dict[int, Bdd]]]:
        """For each position: partial sums below ``below`` and above ``above`` decide; a table of diagrams for those between.

        Positions with the same remaining terms share their table.
        """
        key, lowest, highest = 0, 0, 0
        stages = [(0, -1 if less else 0, {0: self._algebra.true})]
        for bit, weight in reversed(terms):
            lowest, highest = lowest + min(weight, 0), highest + max(weight, 0)
            key = self._suffix.setdefault((bit, weight, key), len(self._suffix) + 1)
            table = self._tables.setdefault((less, key), {})
            stages.append((-highest, -lowest - 1 if less else -lowest, table))
        stages.reverse()
        return stages

    def code(self, form: Linear, target: Bounded, width: int) -> tuple[list[Bdd], Bdd, int]:
        """The form's value as a code of the target: bits (most significant first), whether it is a code, support.

        The sum is computed in two's complement, wide enough for every value it can take.  The denominator must be 1.
        """
        constant, weights, denominator = form.whole()
        assert denominator == 1
        constant, support = constant - target.low, 0
        lowest = highest = constant
        for key, weight in weights.items():
            domain = self._fields[key].domain
            assert isinstance(domain, Bounded)
            constant += weight * domain.low
            reach = weight * ((1 << len(self._fields[key].bits)) - 1)
            base = weight * domain.low
            lowest, highest = lowest + base + min(reach, 0), highest + base + max(reach, 0)
            support |= self._fields[key].support
        size = len(target)
        wide = max(abs(lowest), abs(highest), size).bit_length() + 2
        total = [self._algebra.true if constant >> position & 1 else self._algebra.false for position in range(wide)]
        for key, weight in weights.items():
            bits = [self._algebra.var[bit] for bit in reversed(self._fields[key].bits)]
            for position in range(abs(weight).bit_length()):
                if abs(weight) >> position & 1:
                    total = self._add(total, bits, position, weight < 0)
        inside = ~total[-1] & self._below(total[:-1], size)
        return list(reversed(total[:width])), inside, support

    def _add(self, total: Sequence[Bdd], bits: Sequence[Bdd], shift: int, subtract: bool) -> list[Bdd]:
        """``total + bits * 2^shift`` (or minus), modulo 2^len(total)."""
        algebra = self._algebra
        result = list(total[:shift])
        carry = algebra.true if subtract else algebra.false
        for position in range(shift, len(total)):
            one = total[position]
            two = bits[position - shift] if position - shift < len(bits) else algebra.false
            if subtract:
                two = ~two
            half = algebra.xor(one, two)
            result.append(algebra.xor(half, carry))
            carry = (one & two) | (half & carry)
        return result

    def _below(self, bits: Sequence[Bdd], limit: int) -> Bdd:
        """Whether the unsigned number (least significant bit first) is less than the limit."""
        if limit >= 1 << len(bits):
            return self._algebra.true
        below = self._algebra.false
        for position, bit in enumerate(bits):
            below = ~bit | below if limit >> position & 1 else ~bit & below
        return below
