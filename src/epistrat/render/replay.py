"""What re-checking evidence found, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.evidence.findings import MOST_SURVEYED, Replay
from epistrat.explain.words import counted
from epistrat.logic.formula import Coalition, subformulae
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.render.json.report import replay_json
from epistrat.render.wording import Style

SCHEMA = "epistrat-replay/1"
MOST_SAID = 3


class Standing(Enum):
    """What re-checking says about an answer; an unknown verdict claims nothing."""

    PROVED = "proved again"
    VISITED = "checked by visiting all states"
    RECHECKED = "re-checked"
    PARTLY = "not re-checked"
    FALSE = "does not hold up"
    NOTHING = "nothing to re-check"

    @classmethod
    def of(cls, verdict: Verdict, replay: Replay) -> Standing:
        """The standing of an answer."""
        if verdict is Verdict.UNKNOWN:
            return cls.NOTHING
        if not replay.ok:
            return cls.FALSE
        if replay.again or (replay.complete and replay.proved):
            return cls.PROVED
        if replay.complete:
            return cls.VISITED if replay.surveyed else cls.RECHECKED
        return cls.PARTLY

    @property
    def holds_up(self) -> bool:
        """Whether nothing is wrong, and nothing was left out."""
        return self not in (Standing.PARTLY, Standing.FALSE)


def show_replay(replay: Replay, system: System) -> Iterator[str]:
    """What re-checking found, in a line or a few."""
    if replay.problems:
        yield f"Re-checking found a mistake: {replay.problems[0]}."
    elif replay.again and replay.trusted:
        yield "Re-checked independently: proved again on an encoding of its own."
    elif replay.complete and replay.proved:
        yield "Re-checked independently: a solver proved it again."
    elif replay.complete and replay.surveyed == replay.checked:
        yield "Re-checked independently by visiting all states."
    elif replay.complete:
        yield "Re-checked independently: every step is possible and shows what it should."
    else:
        said = [f"`{claim}`" for claim in replay.trusted[:MOST_SAID]]
        more = [f"{len(replay.trusted) - MOST_SAID} more"] if len(replay.trusted) > MOST_SAID else []
        yield f"Not re-checked independently: {'; '.join(said + more)}.{_visits(replay, system)}"


def _visits(replay: Replay, system: System) -> str:
    """Up to which size a model is visited as a whole, where that is why something was left; unbounded ones cannot be visited."""
    if not (system.finite and replay.too_many):
        return ""
    return f" Models of up to {MOST_SURVEYED} states are visited as a whole; `epistrat replay --states N` visits larger ones."


def rechecked_json(
    system: System, model: str, answers: Sequence[tuple[int, Certificate]], found: Sequence[Replay]
) -> dict[str, Any]:
    """What ``epistrat replay --json`` prints."""
    return {
        "schema": SCHEMA,
        "model": model,
        "results": [
            {
                "index": index,
                "formula": show(one.question),
                "verdict": one.verdict.value,
                "strategies": one.reading.value,
                "group": None if one.group is None else list(one.group),
                "standing": Standing.of(one.verdict, replay).value,
                "replay": replay_json(system, replay),
            }
            for (index, one), replay in zip(answers, found, strict=True)
        ],
    }


def _played(one: Certificate) -> str:
    """How strategies are read in an answer that is about some, and how they are played where that is not the usual way."""
    strategic = any(isinstance(part, Coalition) for part in subformulae(one.question))
    if not strategic and one.reading is not Strategies.UNIFORM:
        return ""
    said = {"strategies": one.reading.value, **one.rules.words()}
    return f"  ({', '.join(f'{name}: {word}' for name, word in said.items())})"


def _plural(standing: Standing, number: int) -> str:
    return "do not hold up" if standing is Standing.FALSE and number > 1 else standing.value


_GOOD = "32"
_COLOURS = {
    Standing.PROVED: _GOOD,
    Standing.VISITED: _GOOD,
    Standing.RECHECKED: _GOOD,
    Standing.PARTLY: "33",
    Standing.FALSE: "31;1",
    Standing.NOTHING: "2",
}


def show_rechecked(answers: Sequence[tuple[int, Certificate]], found: Sequence[Replay], style: Style) -> Iterator[str]:
    """What ``epistrat replay`` prints."""
    standings = [Standing.of(one.verdict, replay) for (_, one), replay in zip(answers, found, strict=True)]
    width = max((len(standing.value) for standing in standings), default=0)
    for (index, one), replay, standing in zip(answers, found, standings, strict=True):
        word = style.paint(f"{standing.value:<{width}}", _COLOURS[standing])
        yield f"  {index:>3}  {word}  {show(one.question)} {one.verdict.value}{_played(one)}"
        indent = " " * (width + 9)
        for problem in replay.problems:
            yield f"{indent}false: {problem}"
        if standing is Standing.PARTLY:
            yield from (f"{indent}not re-checked independently: {claim}" for claim in replay.trusted)
            if replay.unproved is not None:
                yield f"{indent}no proof: {replay.unproved}"
    counts = [(standings.count(standing), standing) for standing in Standing]
    said = ", ".join(f"{number} {_plural(standing, number)}" for number, standing in counts if number)
    yield f"{counted(len(standings), 'answer')}: {said}." if standings else "There are no answers to re-check."
