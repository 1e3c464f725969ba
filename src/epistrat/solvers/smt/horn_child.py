"""The child process of `horn`: one safety problem from standard input to Spacer, its answer to standard output, both JSON."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

import z3


def main() -> None:
    """Answer one question."""
    question = json.load(sys.stdin)
    memory = int(question["memory"])
    with contextlib.suppress(ImportError):  # on Windows only Z3's own limit counts
        import resource

        allowed = resource.getrlimit(resource.RLIMIT_AS)[1]
        space = memory * 2 if allowed == resource.RLIM_INFINITY else min(memory * 2, allowed)
        resource.setrlimit(resource.RLIMIT_AS, (space, space))
    z3.set_param("memory_max_size", memory >> 20)
    try:
        answer = _answer(question)
    except (z3.Z3Exception, MemoryError) as error:
        answer = {"safe": None, "reason": str(error) or "out of memory"}
    json.dump(answer, sys.stdout)


def _answer(question: dict[str, Any]) -> dict[str, Any]:
    initial, step, bad = z3.parse_smt2_string(question["script"])
    constants = _constants([initial, step, bad])
    pairs = [
        (constants[now], constants[then]) for now, then in question["pairs"] if now in constants and then in constants
    ]
    now, then = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    horn = z3.Fixedpoint()
    horn.set(engine="spacer", timeout=int(question["seconds"] * 1000), **question["settings"])
    reached = z3.Function("reached", *(constant.sort() for constant in now), z3.BoolSort())
    failed = z3.Bool("failed")
    horn.register_relation(reached, failed.decl())
    horn.declare_var(*constants.values())
    horn.rule(reached(*now), initial)
    horn.rule(reached(*then), [reached(*now), step])
    horn.rule(failed, [reached(*now), bad])
    result = horn.query(failed)
    if result == z3.sat:
        return {"safe": False}
    if result != z3.unsat:
        return {"safe": None, "reason": horn.reason_unknown()}
    claim = z3.substitute_vars(horn.get_cover_delta(-1, reached), *now)
    check = z3.Solver()
    check.add(claim)
    return {"safe": True, "invariant": check.to_smt2()}


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


if __name__ == "__main__":
    main()
