"""``epistrat replay`` of answers for every value of a parameter: each value is a model of its own, re-checked as any other.

Which values a claim speaks of is found again from the text; none may be missing, and each must have an answer for each member of a
family of formulae.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace

from epistrat.answers import Verdict
from epistrat.cli import console
from epistrat.cli.exit_codes import Exit, worst
from epistrat.cli.replay import recheck
from epistrat.cli.replay_proof import for_all_at_once
from epistrat.lang.load import Loaded
from epistrat.model.system import System
from epistrat.render.every import EVIDENCE
from epistrat.render.json.cursor import Datum
from epistrat.render.json.report import SCHEMA
from epistrat.service.models import load, questions, text_of
from epistrat.service.requests import Given, Model, ReplayRequest

_MEMBER = re.compile(r" \(for [^()]*\)$")


def for_every_size(arguments: argparse.Namespace, saved: Datum, about: Model) -> Exit:
    """Re-check what each claim rests on, value by value."""
    sizes = _Sizes(about, arguments.strict, saved["every"])
    by_size: dict[int, list[object]] = {}
    for result in saved["results"]:
        for size, found in sizes.of(result):
            by_size.setdefault(size, []).extend(one.value for one in found)
    codes = []
    for size, results in sorted(by_size.items()):
        if not arguments.json:
            console.write([f"{sizes.name} = {size}:"])
        report = Datum({"schema": SCHEMA, "model": arguments.model, "results": results})
        codes.append(recheck(arguments, report, *sizes.read(size)))
    proved = [one for one in saved["results"] if "evidence" in one and "proof" in one["evidence"]]
    codes += [for_all_at_once(arguments, one, sizes) for one in proved]
    unclaimed = [one["index"].count() for one in saved["results"] if one["verdict"].text() == Verdict.UNKNOWN.value]
    if unclaimed and not arguments.json:
        console.write([f"Nothing is claimed for every {sizes.name} of: {', '.join(map(str, unclaimed))}."])
    return worst(codes)


class _Sizes:
    """The models that a report is about, and which answers a claim needs there."""

    def __init__(self, about: Model, strict: bool, asked: Datum) -> None:
        self._about, self._strict, self._asked = about, strict, asked
        self.name = asked["parameter"].text()
        self._values = {key: one.count() for key, one in asked["set"].items()}
        self._read: dict[int, tuple[System, Loaded]] = {}

    @property
    def first(self) -> int:
        """The smallest size that is asked about."""
        return self._asked["from"].count()

    @property
    def text(self) -> str:
        """The text of the model."""
        return text_of(self._about)

    @property
    def given(self) -> dict[str, int]:
        """The values of the other parameters."""
        assert not isinstance(self._about, Given)
        return {**self._values, **self._about.parameters}

    def place(self, result: Datum, size: int) -> int:
        """Where the formula is written, found in the model of a size; raises `Unreadable` where there is none."""
        system, loaded = self.read(size)
        members = self._members(result, size)
        for one in questions(system, origins=loaded.origins):
            span = loaded.origins.span("formula", one.index - 1)
            if one.text in members and span is not None:
                return span.start
        raise result["formula"].wrong("the model has no such formula")

    def read(self, size: int) -> tuple[System, Loaded]:
        """The model of one size."""
        if size not in self._read:
            about = self._about
            assert not isinstance(about, Given)
            values = {**self._values, **about.parameters, self.name: size}
            self._read[size] = load(ReplayRequest(model=replace(about, parameters=values), strict=self._strict))
        return self._read[size]

    def of(self, result: Datum) -> Iterator[tuple[int, list[Datum]]]:
        """The answers that a claim rests on; raises `Unreadable` where they are others than it needs."""
        verdict = result["verdict"].text()
        if verdict == Verdict.UNKNOWN.value:
            return
        evidence = result["evidence"]
        if evidence["schema"].value != EVIDENCE:
            raise evidence["schema"].wrong(f"this is evidence in another format; this is {EVIDENCE}")
        if verdict == Verdict.FAILS.value:
            yield self._failing(result, evidence)
            return
        first, last = self._asked["from"].count(), self._asked["to"]
        if "proof" in evidence:
            end = evidence["proof"]["start"].count()
        elif last.value is None:
            raise last.wrong("sizes without end cannot all be checked")
        else:
            end = last.count() + 1
        found = {size: self._holding(result, evidence, size) for size in range(first, end)}
        if not found:
            return
        if not any(self._members(result, size) for size in found) and not all(map(len, found.values())):
            raise result["formula"].wrong("the model has no such formula")
        yield from found.items()

    def _failing(self, result: Datum, evidence: Datum) -> tuple[int, list[Datum]]:
        instance, size = evidence["instance"], evidence["size"].count()
        if instance["verdict"].value != Verdict.FAILS.value:
            raise instance["verdict"].wrong("it is said to fail for this size")
        members = self._members(result, size) or [result["formula"].text()]
        if instance["formula"].text() not in members:
            raise instance["formula"].wrong("this is another formula")
        return size, [instance]

    def _holding(self, result: Datum, evidence: Datum, size: int) -> list[Datum]:
        """The answers for one size: one for each member of a family of formulae, and all of them hold."""
        answers = list(evidence["sizes"][str(size)])
        for one in answers:
            if one["verdict"].value != Verdict.HOLDS.value:
                raise one["verdict"].wrong(f"it is said to hold for {self.name} = {size}")
        members = self._members(result, size)
        texts = [one["formula"].text() for one in answers]
        if sorted(texts) != sorted(members) and (members or texts not in ([], [result["formula"].text()])):
            raise evidence["sizes"][str(size)].wrong("these are not the answers that the claim needs")
        return answers

    def _members(self, result: Datum, size: int) -> list[str]:
        """The words of the model's formulae of this size that are written as the one that is claimed."""
        system, loaded = self.read(size)
        asked = questions(system, origins=loaded.origins)
        name, formula = result["name"].value or "", result["formula"].text()
        members = [one.text for one in asked if one.name.partition("[")[0] == name]
        return [text for text in members if _MEMBER.sub("", text) == formula]
