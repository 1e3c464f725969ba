"""Answers for every value of a parameter, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from textwrap import wrap

from epistrat.answers import Verdict
from epistrat.render.json.report import Json, result_json
from epistrat.render.text import show_verdict
from epistrat.render.tree import show_evidence
from epistrat.render.wording import Style
from epistrat.service.every import Answer, EverySize, ForEvery, Proof
from epistrat.service.placing import Placed

SCHEMA = 1
EVIDENCE = "epistrat-every/1"


def show_every(model: str, found: EverySize, style: Style) -> Iterator[str]:
    """Which values were meant, and the answers."""
    yield f"{model}: every {_meant(found)}"
    yield ""
    width = len(str(max((one.index for one in found.answers), default=1)))
    for one in found.answers:
        yield from _answer(one, found.parameter, width, style)
    yield ""
    yield summary(found)


def summary(found: EverySize) -> str:
    """How many formulae hold for every value, fail for one, and are not decided."""
    verdicts = [one.verdict for one in found.answers]
    words = {
        Verdict.HOLDS: ("holds", "hold"),
        Verdict.FAILS: ("fails", "fail"),
        Verdict.UNKNOWN: ("unknown", "unknown"),
    }
    counted = [
        f"{verdicts.count(verdict)} {one if verdicts.count(verdict) == 1 else many}"
        for verdict, (one, many) in words.items()
        if verdict in verdicts
    ]
    return f"{', '.join(counted)}, for every {_meant(found)}."


def _meant(found: EverySize) -> str:
    name = found.parameter
    given = "".join(f", {name} = {value}" for name, value in found.given)
    return f"{name} >= {found.first}{given}" if found.last is None else f"{name} = {found.first} to {found.last}{given}"


def _answer(one: ForEvery, parameter: str, width: int, style: Style) -> Iterator[str]:
    before = f"  {one.index:>{width}}  "
    indent = " " * (len(before) + 7)
    room = max(style.width - len(indent), 30)
    name = f"{one.name}: " if one.name else ""
    lines = wrap(f"{name}{one.text}  ({_brief(one, parameter)})", room, break_long_words=False, break_on_hyphens=False)
    yield f"{before}{show_verdict(one.verdict, style)}  {lines[0]}"
    yield from (indent + line for line in lines[1:])
    yield from (f"{indent}{line}".rstrip() for line in _below(one, parameter, room, style))


def _brief(one: ForEvery, parameter: str) -> str:
    match one.answer:
        case Answer.PROVED:
            return f"proved: {'all sizes checked' if one.method == 'sizes' else one.method}"
        case Answer.REFUTED if one.holds_from is not None:
            return f"smallest {parameter} = {one.smallest}; every {parameter} >= {one.holds_from}: proved"
        case Answer.REFUTED:
            return f"smallest {parameter} = {one.smallest}"
        case _:
            return "not proved"


def _below(one: ForEvery, parameter: str, room: int, style: Style) -> Iterator[str]:
    if one.reason is not None:
        yield from wrap(f"{one.reason[0].upper()}{one.reason[1:]}.", room)
    if one.vacuous:
        yield from wrap(f"Nothing is asked for {parameter} = {', '.join(map(str, one.vacuous))}.", room)
    if one.answer is not Answer.REFUTED:
        return
    shown = one.instances[0]
    if shown.result.explanations:
        yield f"{parameter} = {shown.size}:"
        yield from show_evidence(shown.system, shown.result, replace(style, width=room))
    elif shown.result.why:
        yield from wrap(f"{parameter} = {shown.size}: {shown.result.why}", room)


def every_json(model: str, found: EverySize) -> dict[str, Json]:
    """What ``check --every --json`` prints about one model."""
    return {
        "schema": SCHEMA,
        "model": model,
        "every": {
            "parameter": found.parameter,
            "from": found.first,
            "to": found.last,
            "set": dict(found.given),
        },
        "results": [_json(one) for one in found.answers],
    }


def _json(one: ForEvery) -> dict[str, Json]:
    said: dict[str, Json] = {
        "index": one.index,
        "name": one.name or None,
        "formula": one.text,
        "verdict": one.verdict.value,
        "every": {
            "answer": one.answer.value,
            "method": one.method,
            "smallest": one.smallest,
            "holds_from": one.holds_from,
            "checked": {str(size): verdict.value for size, verdict in one.checked},
            "vacuous": list(one.vacuous),
            "reason": one.reason,
        },
    }
    if one.instances or one.proof is not None:
        said["evidence"] = _evidence(one)
    return said


def _evidence(one: ForEvery) -> dict[str, Json]:
    """What the answer rests on, size by size."""
    proof: dict[str, Json] = {} if one.proof is None else {"proof": _proof(one.proof)}
    if one.answer is Answer.REFUTED:
        (shown,) = one.instances
        return {"schema": EVIDENCE, "size": shown.size, "instance": result_json(shown.system, shown.result), **proof}
    below = [size for size, _ in one.checked if one.proof is None or size < one.proof.start]
    sizes: dict[str, list[Json]] = {str(size): [] for size in below}
    for shown in one.instances:
        sizes[str(shown.size)].append(result_json(shown.system, shown.result))
    return {"schema": EVIDENCE, "method": one.method, "sizes": sizes, **proof}


def _proof(proof: Proof) -> Json:
    """What holds in the counted system, or the certificate that was shown."""
    if isinstance(proof, Placed):
        return {"method": proof.method, "start": proof.start, "model": proof.digest, "certificate": dict(proof.data)}
    parts: list[Json] = [result_json(proof.system, one) for one in proof.results]
    return {"method": proof.method, "start": proof.start, "model": proof.digest, "parts": parts}
