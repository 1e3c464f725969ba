"""The child process of `horn`: one safety problem to Spacer, slice by slice, and its answers back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any, TypeAlias

import z3

from epistrat.children.channel import channel

Answer: TypeAlias = tuple[bool | None, str | None, str | None]
"""As the fields of `epistrat.solvers.smt.horn.Safety`."""


def main() -> None:
    """Answer for each slice of work, with what Z3 counted, until nobody asks any more."""
    spoken = channel()
    script, pairs, portfolio, memory = spoken.receive()
    with contextlib.suppress(ImportError):  # on Windows only Z3's own limit counts
        import resource

        allowed = resource.getrlimit(resource.RLIMIT_AS)[1]
        space = memory * 2 if allowed == resource.RLIM_INFINITY else min(memory * 2, allowed)
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    z3.set_param("memory_max_size", memory >> 20)
    with contextlib.suppress(EOFError):
        while True:
            resources = spoken.receive()
            answer: Answer = None, None, None
            used = 0
            for settings in portfolio:
                answer, more = _slice(script, pairs, {**settings, "rlimit": resources})
                used += more
                if answer[0] is not None:
                    break
            spoken.send((*answer, used))


def _slice(script: str, pairs: Iterable[tuple[str, str]], settings: dict[str, Any]) -> tuple[Answer, int]:
    """An answer, and what Z3 counted.  Each slice has a context of its own: so it does the same whatever went before."""
    context = z3.Context()
    try:
        answer = _answer(script, pairs, settings, context)
    except (z3.Z3Exception, MemoryError) as error:
        answer = None, None, str(error) or "out of memory"
    return answer, _counted(context)


def _counted(context: Any) -> int:
    told = z3.Solver(ctx=context).statistics()
    return int(told.get_key_value("rlimit count")) if "rlimit count" in told else 0


def _answer(script: str, names: Iterable[tuple[str, str]], settings: dict[str, Any], context: Any) -> Answer:
    initial, step, bad = z3.parse_smt2_string(script, ctx=context)
    constants = _constants([initial, step, bad])
    pairs = [(constants[now], constants[then]) for now, then in names if now in constants and then in constants]
    now, then = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    horn = z3.Fixedpoint(ctx=context)
    horn.set(engine="spacer", **settings)
    reached = z3.Function("reached", *(constant.sort() for constant in now), z3.BoolSort(context))
    failed = z3.Bool("failed", context)
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
    check = z3.Solver(ctx=context)
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
