"""Write-once cache coherence: caches of one bit each, a memory, and a bus that everybody hears.

A cache line is invalid, valid, reserved (written once, memory is up to date) or dirty (memory is not).  A cache first asks for
a read or a write (``ask_i_*``), then serves itself or goes to the bus.  On the bus: ``read_i_v`` (all others supply or give up what they
own), ``own_i_v`` (read for writing: all others are invalidated), ``write_i_v`` (write through, once).  By itself: ``hit_i``, and
``dirty_i_v``; ``claim_i_v``, the second write, is told to the memory alone, which knows the bit and who owns it.
"""

from __future__ import annotations

from epistrat.logic.formula import And, ForAll, Formula, Globally, Implies, Knows, Or, Prop
from epistrat.model.builder import AgentBuilder, Builder
from epistrat.model.system import System


def write_once_caches(n: int, star: bool = False) -> System:
    """The system, with the formulae (3), with knowledge, and (6), without.  ``star`` reads them as LTL."""
    model = Builder(interleaved=True)
    caches = [_cache(model, i, n) for i in range(1, n + 1)]
    memory = _memory(model, n)
    for i, cache in enumerate(caches, 1):
        model.initial(cache["line"] == "invalid", ~cache["bit"], cache["wish"] == "none")
        for line in ("invalid", "dirty", "reserved"):
            model.proposition(f"{line}{i}", cache["line"] == line)
    model.initial(~memory["bit"], memory["owner"] == 0)
    model.formula(*formulae(n, star))
    return model.build()


def formulae(n: int, star: bool = False) -> tuple[Formula, Formula]:
    """Formulae (3) and (6): cache 1, dirty or reserved, (knows that it) is the only one that is not invalid."""
    others: list[Formula] = [Prop(f"invalid{i}") for i in range(2, n + 1)]
    alone = others[0] if len(others) == 1 else And(tuple(others))
    mine = Or((Prop("dirty1"), Prop("reserved1")))
    return (
        ForAll(Globally(Implies(mine, Knows("Cache1", alone))), star=star),
        ForAll(Globally(Implies(mine, alone)), star=star),
    )


def _bus(kind: str, i: int) -> list[str]:
    return [f"{kind}_{i}_{v}" for v in (0, 1)]


def _cache(model: Builder, i: int, n: int) -> AgentBuilder:
    cache = model.agent(f"Cache{i}")
    line = cache.enum("line", "invalid", "valid", "reserved", "dirty")
    bit = cache.boolean("bit")
    wish = cache.enum("wish", "none", "read", "write0", "write1")
    others = [j for j in range(1, n + 1) if j != i]
    asks = {"read": f"ask_{i}_read", "write0": f"ask_{i}_write0", "write1": f"ask_{i}_write1"}
    cache.actions(*asks.values(), f"hit_{i}", *_bus("dirty", i), *_bus("claim", i))
    for j in range(1, n + 1):
        cache.actions(*_bus("read", j), *_bus("own", j), *_bus("write", j))
    for value, ask in asks.items():
        cache.may(ask, when=wish == "none")
        cache.evolve(cache.action == ask, wish=value)
    cache.may(f"hit_{i}", when=(wish == "read") & (line != "invalid"))
    cache.evolve(cache.action == f"hit_{i}", wish="none")
    cache.may(*_bus("read", i), when=(wish == "read") & (line == "invalid"))
    for v in (0, 1):
        wanted = wish == f"write{v}"
        cache.evolve(cache.action == f"read_{i}_{v}", line="valid", bit=bool(v), wish="none")
        for kind, before, after in _WRITES:
            cache.may(f"{kind}_{i}_{v}", when=wanted & (line == before))
            cache.evolve(cache.action == f"{kind}_{i}_{v}", line=after, bit=bool(v), wish="none")
        for j in others:
            cache.may(f"read_{j}_{v}", when=(line == "invalid") | (bit if v else ~bit))
            cache.may(f"own_{j}_{v}", f"write_{j}_{v}")
            cache.evolve((cache.action == f"read_{j}_{v}") & (line != "invalid"), line="valid")
            cache.evolve(cache.action == f"own_{j}_{v}", line="invalid", bit=False)
            cache.evolve(cache.action == f"write_{j}_{v}", line="invalid", bit=False)
    return cache


_WRITES = (
    ("own", "invalid", "dirty"),
    ("write", "valid", "reserved"),
    ("claim", "reserved", "dirty"),
    ("dirty", "dirty", "dirty"),
)


def _memory(model: Builder, n: int) -> AgentBuilder:
    """Owner 0 is the memory itself; whoever owns the line knows the bit, so the memory answers reads only while it owns it."""
    memory = model.agent("Memory")
    bit, owner = memory.boolean("bit"), memory.range("owner", 0, n)
    for j in range(1, n + 1):
        memory.actions(*_bus("read", j), *_bus("own", j), *_bus("write", j), *_bus("claim", j))
        for v in (0, 1):
            same = bit if v else ~bit
            memory.may(f"read_{j}_{v}", when=((owner == 0) & same) | ((owner != 0) & (owner != j)))
            memory.may(f"own_{j}_{v}")
            memory.may(f"write_{j}_{v}", f"claim_{j}_{v}", when=owner == 0)
            memory.evolve(memory.action == f"read_{j}_{v}", bit=bool(v), owner=0)
            memory.evolve(memory.action == f"own_{j}_{v}", owner=j)
            memory.evolve(memory.action == f"write_{j}_{v}", bit=bool(v))
            memory.evolve(memory.action == f"claim_{j}_{v}", owner=j)
    return memory
