"""Leader election in a ring: identities travel from station to station, and only the largest comes home.

Station i starts with its own identity in its out-tray.  ``pass_i_k`` hands identity k from the out-tray of station i to the
empty in-tray of the next one.  ``digest_i`` is private: an identity larger than the station's own goes to its empty out-tray, a
smaller one is thrown away, and the station whose own identity comes home is the leader.
"""

from __future__ import annotations

from epistrat.logic.formula import And, Exists, Finally, ForAll, Formula, Globally, Implies, Knows, Not, Or, Prop
from epistrat.model.builder import AgentBuilder, Builder
from epistrat.model.system import System


def leader_election(n: int) -> System:
    """A ring of n stations; the largest identity wins, and the winner comes to know that nobody else has."""
    model = Builder(interleaved=True)
    for i in range(1, n + 1):
        station = _station(model, i, n)
        model.initial(station["out"] == i, station["in_"] == 0, ~station["leader"])
        model.proposition(f"leader{i}", station["leader"])
    model.formula(*formulae(n))
    return model.build()


def formulae(n: int) -> tuple[Formula, ...]:
    """At most one leader; the leader knows it; the largest wins on every run."""
    pairs: list[Formula] = [
        Not(And((Prop(f"leader{i}"), Prop(f"leader{j}")))) for i in range(1, n + 1) for j in range(1, i)
    ]
    others = [Not(Prop(f"leader{i}")) for i in range(1, n)]
    alone: Formula = others[0] if len(others) == 1 else And(tuple(others))
    return (
        ForAll(Globally(pairs[0] if len(pairs) == 1 else And(tuple(pairs)))),
        ForAll(Globally(Implies(Prop(f"leader{n}"), Knows(f"Station{n}", alone)))),
        ForAll(Finally(Prop(f"leader{n}"))),
        Exists(Finally(Or((Prop("leader1"), Knows("Station1", Prop(f"leader{n}")))))),
    )


def _station(model: Builder, i: int, n: int) -> AgentBuilder:
    """Trays hold an identity, or 0 when empty."""
    before = n if i == 1 else i - 1
    station = model.agent(f"Station{i}")
    out, in_ = station.range("out", 0, n), station.range("in_", 0, n)
    station.boolean("leader")
    sends = [f"pass_{i}_{k}" for k in range(1, n + 1)]
    takes = [f"pass_{before}_{k}" for k in range(1, n + 1)]
    digest = f"digest_{i}"
    station.actions(*sends, *takes, digest)
    for k, (send, take) in enumerate(zip(sends, takes, strict=True), 1):
        station.may(send, when=out == k)
        station.may(take, when=in_ == 0)
        station.evolve(station.action == send, out=0)
        station.evolve(station.action == take, in_=k)
    station.may(digest, when=(in_ != 0) & ((in_ <= i) | (out == 0)))
    station.evolve((station.action == digest) & (in_ > i), out=in_, in_=0)
    station.evolve((station.action == digest) & (in_ == i), leader=True, in_=0)
    station.evolve((station.action == digest) & (in_ < i), in_=0)
    return station
