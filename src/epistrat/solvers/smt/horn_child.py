"""The child process of `horn`: one safety problem to Spacer, and its answer back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, TypeAlias

import z3

from epistrat.children.channel import channel

Answer: TypeAlias = tuple[bool | None, str | None, str | None]
"""As the fields of `epistrat.solvers.smt.horn.Safety`."""


def main() -> None:
    """Answer one question."""
    spoken = channel()
    script, pairs, settings, seconds, memory = spoken.receive()
    with contextlib.suppress(ImportError):  # on Windows only Z3's own limit counts
        import resource

        allowed = resource.getrlimit(resource.RLIMIT_AS)[1]
        space = memory * 2 if allowed == resource.RLIM_INFINITY else min(memory * 2, allowed)
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    z3.set_param("memory_max_size", memory >> 20)
    try:
        answer = _answer(script, pairs, {**settings, "timeout": int(seconds * 1000)})
    except (z3.Z3Exception, MemoryError) as error:
        answer = None, None, str(error) or "out of memory"
    spoken.send(answer)


def _answer(script: str, names: Iterable[tuple[str, str]], settings: dict[str, Any]) -> Answer:
    initial, step, bad = z3.parse_smt2_string(script)
    constants = _constants([initial, step, bad])
    pairs = [(constants[now], constants[then]) for now, then in names if now in constants and then in constants]
    now, then = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    horn = z3.Fixedpoint()
    horn.set(engine="spacer", **settings)
    reached = z3.Function("reached", *(constant.sort() for constant in now), z3.BoolSort())
    failed = z3.Bool("failed")
    horn.register_relation(reached, failed.decl())
    horn.declare_var(*constants.values())
    horn.rule(reached(*now), initial)
    horn.rule(reached(*then), [reached(*now), step])
    horn.rule(failed, [reached(*now), bad])
    result = horn.query(failed)
    if result == z3.sat:
        return False, None, None
    if result != z3.unsat:
        return None, None, horn.reason_unknown()
    claim = z3.substitute_vars(horn.get_cover_delta(-1, reached), *now)
    check = z3.Solver()
    check.add(claim)
    return True, check.to_smt2(), None


def _constants(terms: list[Any]) -> dict[str, Any]:
    """The free variables of the terms by name."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found[term.decl().name()] = term
        stack.extend(term.children())
    return found
