"""How a state is packed into machine words.

Every variable gets a field of as many bits as its domain needs.  The fields of one agent stand side by side, within one
64-bit word if they fit, so that an agent's own variables change by one exclusive-or.  A packed state is a Python ``int`` (word
0 in its lowest 64 bits); many packed states are a *block*, a NumPy array of shape (number of states, words).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from epistrat.model.state import State
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.solvers.patience import PATIENT, Patience
from epistrat.terms import Domain, FiniteDomain, Integer, Real, Value

Block: TypeAlias = NDArray[np.uint64]
Words: TypeAlias = NDArray[np.uint64]
Codes: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.int32]
Mask: TypeAlias = NDArray[np.bool_]

WORD_BITS = 64  # of a machine word
_WORD = (1 << WORD_BITS) - 1


class TooWide(Exception):
    """A variable's domain does not fit into one machine word, or has no end."""


@dataclass(frozen=True, slots=True)
class Field:
    """Where a variable stands in a packed state, and which values it can take."""

    word: int
    shift: int
    bits: int
    domain: FiniteDomain

    @property
    def place(self) -> int:
        """How far the field is shifted within the whole packed state."""
        return self.word * WORD_BITS + self.shift


class Layout:
    """The fields of a system's variables; ``patience`` is for those who make tables and arrays of them."""

    def __init__(self, system: System, patience: Patience = PATIENT) -> None:
        self.system = system
        self.patience = patience
        self.fields = tuple(_place(system))
        self.words = 1 + max((field.word for field in self.fields), default=0)
        self.bits = sum(field.bits for field in self.fields)

    def pack(self, state: State) -> int:
        """The packed form of a state."""
        packed = 0
        for field, value in zip(self.fields, state, strict=True):
            packed |= field.domain.code(value) << field.place
        return packed

    def unpack(self, packed: int) -> State:
        """The state with this packed form."""
        return tuple([field.domain.at(packed >> field.place & (1 << field.bits) - 1) for field in self.fields])

    def unpack_some(self, packed: int, positions: Sequence[int]) -> State:
        """The state with this packed form, right at these positions only."""
        state: list[Value] = [False] * len(self.fields)
        for position in positions:
            field = self.fields[position]
            state[position] = field.domain.at(packed >> field.place & (1 << field.bits) - 1)
        return tuple(state)

    def pack_some(self, positions: Sequence[int], values: Sequence[Value]) -> int:
        """The packed form of a few variables, all others zero."""
        packed = 0
        for position, value in zip(positions, values, strict=True):
            field = self.fields[position]
            packed |= field.domain.code(value) << field.place
        return packed

    def mask(self, positions: Iterable[int]) -> int:
        """Ones in the fields of these variables."""
        mask = 0
        for position in positions:
            field = self.fields[position]
            mask |= (1 << field.bits) - 1 << field.place
        return mask

    def split(self, packed: int) -> list[int]:
        """The words of one packed state."""
        return [packed >> WORD_BITS * word & _WORD for word in range(self.words)]

    def block(self, packed: Sequence[int]) -> Block:
        """Packed states as a block."""
        if self.words == 1:
            return np.array(packed, dtype=np.uint64).reshape(-1, 1)
        return np.array([self.split(state) for state in packed], dtype=np.uint64).reshape(-1, self.words)

    def integers(self, block: Block) -> list[int]:
        """A block as packed states, one ``int`` each."""
        if self.words == 1:
            return [int(word) for word in block[:, 0].tolist()]
        rows: list[list[int]] = block.tolist()
        return [sum(word << WORD_BITS * index for index, word in enumerate(row)) for row in rows]

    def column(self, block: Block, position: int) -> Codes:
        """The codes of one variable, state by state."""
        field = self.fields[position]
        if field.bits == 0:
            return np.zeros(len(block), dtype=np.int64)
        word = block[:, field.word] >> np.uint64(field.shift)
        return (word & np.uint64((1 << field.bits) - 1)).astype(np.int64)

    def empty(self) -> Block:
        """A block without states."""
        return np.empty((0, self.words), dtype=np.uint64)


def _place(system: System) -> Iterable[Field]:
    """Fields in the order of the system's variables, agent by agent, none across a word's end."""
    word, used = 0, 0
    for agent in system.agents:
        domains = [_finite(variable.domain) for variable in agent.variables]
        if used and used + sum(domain.last.bit_length() for domain in domains) > WORD_BITS:
            word, used = word + 1, 0
        for variable, domain in zip(agent.variables, domains, strict=True):
            bits = domain.last.bit_length()
            if bits > WORD_BITS - 1:
                raise TooWide(f"{variable} has more values than a machine word")
            if used + bits > WORD_BITS:
                word, used = word + 1, 0
            yield Field(word, used, bits, domain)
            used += bits


def _finite(domain: Domain) -> FiniteDomain:
    if isinstance(domain, (Integer, Real)):
        raise TooWide(f"the domain {domain} has no end")
    return domain
