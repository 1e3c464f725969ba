"""When engines change their way of working: after how many trials, states or nodes, or how much work.

No verdict depends on any of these numbers.  Most systems that tests use are too small to reach them, so tests make them small instead:
`IMPATIENT` changes everything at once, and what would happen after the hundredth trial happens in the first.
"""

from __future__ import annotations

from math import inf

from epistrat.records import dataclass

_LEAST_WORK = 500  # a millisecond


@dataclass(frozen=True, slots=True)
class Patience:
    """Thresholds of the engines; `docs/benchmarks.md` says what they are worth."""

    trials: int = 100
    """Uniform strategies tried before the engine finds out which decisions of a failed one are really to blame."""

    side_work: float = 1.0
    """Finding out what failed searches imply may take this many times the processor time of the searches themselves."""

    joint_choices: int = 64
    """Choices of a group in one state that are looked at one by one."""

    refutations: int = 12
    """Plays that are learnt from per failed trial."""

    turn: int = 500_000
    """Work in the first turn of a session; later turns are a part of what was done for the question."""

    unbounded_turn: int = 100_000
    """The same where the model is unbounded: no engine has a core to itself there, and often the second one answers at once."""

    joining: float = 1.0
    """Engines and other settings of an engine join a question after this many times the work that they usually wait for."""

    order_nodes: int = 1 << 22
    """Nodes after which encoding in the usual order is given up, where there is another one."""

    order_work: int = 500_000
    """Work that a comparison of orders may take."""

    search_work: int = 100_000
    """Work of a search by which orders are compared."""

    cluster_nodes: int = 2500
    """Factors of a relation are joined as long as the result has at most so many nodes."""

    split_factors: int = 4
    """A relation is split by an action on which at least so many factors depend; at 0 it is split in any case."""

    rows: int = 1 << 20
    """States that are handled as one array."""

    one_by_one: int = 1 << 20
    """Levels of fewer states may be explored state by state."""

    key_bits: int = 20
    """Keys of at most so many bits are looked up in a table."""

    memories_at_once: int = 6
    """Past operators that are added to the states in one go."""

    probed_states: int = 3_000
    """States after which it is decided whether costly rules of reduction find enough."""

    local_states: int = 20_000
    """Local states of one agent up to which reduction is tried."""

    labels: int = 2_000
    """Different steps up to which reduction is tried: it compares them with each other."""

    remarked_states: int = 500
    """States up to which the reference engine is asked for remarks beside the engine that answered."""

    counted_states: int = 20_000
    """States that are explored only to count them, where formulae needed fewer."""

    effort: float = 1.0
    """Queries to solvers, and attempts at a proof, may take this many times the work that they usually may."""

    extent: float = 1.0
    """Searches that are given up end after this many times the usual number of steps, guesses, cases or parts."""

    played_states: int = 5_000
    """States up to which re-checking plays out a strategy, and initial states up to which it goes through them."""

    surveyed_states: int = 300
    """States up to which re-checking visits them all."""

    shown_states: int = 50_000
    """States up to which a reduced exploration is repeated in full to show a strategy."""

    shown_situations: int = 2_000
    """Situations up to which a uniform strategy is written down."""

    self_checks: bool = False
    """Short cuts are compared with the long way.  For tests: the long way may be very long."""

    def work(self, usual: int) -> int:
        """How much work to do where so much would be usual; never none at all, which solvers take for no limit."""
        return max(_LEAST_WORK, int(usual * self.effort))

    def most(self, usual: int) -> int:
        """How many steps, guesses, cases or parts to look at before a search is given up."""
        return int(usual * self.extent)

    def block(self, usual: int) -> int:
        """How many rows to handle at once where ``usual`` would be a good number."""
        return max(1, min(usual, self.rows))


PATIENT = Patience()
"""What a check has where nothing else is said."""

IMPATIENT = Patience(
    trials=0,
    side_work=inf,
    joint_choices=0,
    refutations=1,
    unbounded_turn=0,
    turn=0,
    joining=0.0,
    order_nodes=0,
    order_work=0,
    search_work=0,
    cluster_nodes=0,
    split_factors=0,
    rows=1,
    one_by_one=0,
    key_bits=0,
    memories_at_once=1,
    probed_states=0,
    counted_states=0,
    effort=0.0,
    extent=0.0,
    played_states=0,
    surveyed_states=0,
    shown_states=0,
    shown_situations=0,
    self_checks=True,
)
"""Nothing is waited for, and every short cut is compared with the long way."""
