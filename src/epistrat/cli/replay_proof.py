"""``epistrat replay`` of a proof for all sizes at once: the counted system is made again from the text, and its formulae are proved again.

The counted system is also compared with the model of the two smallest sizes, where these are small: that guards against mistakes of
translation.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Protocol

from epistrat.cli import console
from epistrat.cli.exit_codes import Exit
from epistrat.cli.replay import recheck
from epistrat.every.places.prove import lacking
from epistrat.every.plan import template
from epistrat.lang.load import Loaded, without_text
from epistrat.model.system import System
from epistrat.render.json.cursor import Datum
from epistrat.render.json.report import SCHEMA
from epistrat.service.counting import Prover, Unproved, differs, digest_of
from epistrat.service.models import read_formula
from epistrat.service.placing import formula_at
from epistrat.solvers.budget import Budget

if TYPE_CHECKING:
    from epistrat.every.plan import Plan


class Sizes(Protocol):
    """The models that a report is about."""

    name: str

    @property
    def first(self) -> int:
        """The smallest size that is asked about."""

    @property
    def text(self) -> str:
        """The text of the model."""

    @property
    def given(self) -> dict[str, int]:
        """The values of the other parameters."""

    def read(self, size: int) -> tuple[System, Loaded]:
        """The model of one size."""

    def place(self, result: Datum, size: int) -> int:
        """Where the formula is written."""


def for_all_at_once(arguments: argparse.Namespace, result: Datum, sizes: Sizes) -> Exit:
    """Prove again what a claim says of all sizes from some size on; raises `Unreadable` where it is not what the claim needs."""
    proof = result["evidence"]["proof"]
    start = proof["start"].count()
    if proof["method"].value == "places":
        return _by_places(arguments, result, sizes, start)
    plan = _plan(result, proof, sizes, start)
    system = plan.counted.system
    parts = list(proof["parts"])
    wanted = [read_formula(text, system=system) for text in plan.texts]
    found = [read_formula(one["formula"].text(), system=system) for one in parts]
    if wanted != found:
        raise proof["parts"].wrong("these are not the formulae that the claim rests on")
    for one in parts:
        if one["verdict"].value != "holds":
            raise one["verdict"].wrong("it is said to hold for every size")
    if not arguments.json:
        console.write([f"every {sizes.name} >= {start}, {result['name'].value or result['formula'].text()}:"])
    for size in (start, start + 1):
        wrong = differs(plan, sizes.read(size)[0], size)
        if wrong is not None:
            console.write([f"{sizes.name} = {size}: the counted system is not that of the model: {wrong}."])
            return Exit.FAILS
    report = Datum({"schema": SCHEMA, "model": arguments.model, "results": [one.value for one in parts]})
    return recheck(arguments, report, system, without_text(system))


def _by_places(arguments: argparse.Namespace, result: Datum, sizes: Sizes, start: int) -> Exit:
    """Show the obligations of a certificate again."""
    proof = result["evidence"]["proof"]
    _of_this_text(proof, sizes)
    tree = template(sizes.text, sizes.name, sizes.given)
    formula = formula_at(tree, sizes.place(result, start))
    if formula is None:
        raise result["formula"].wrong("the model has no such formula")
    data = proof["certificate"].value
    if not isinstance(data, dict) or data.get("start") != start:
        raise proof["certificate"].wrong("it is a certificate for other sizes")
    least = sizes.first if result["verdict"].value == "holds" else start
    if start < least:
        raise proof["start"].wrong("these sizes are not asked about")
    wrong = lacking(tree, formula, data, lambda size: sizes.read(size)[0], Budget())
    if not arguments.json:
        console.write([f"every {sizes.name} >= {start}, {result['name'].value or result['formula'].text()}:"])
        console.write([f"  {wrong}" if wrong else "  proved again (places)"])
    return Exit.HOLDS if wrong is None else Exit.FAILS


def _of_this_text(proof: Datum, sizes: Sizes) -> None:
    """Raise `Unreadable` where the proof is about another text."""
    if proof["model"].text() != digest_of(sizes.text):
        raise proof["model"].wrong("this is a proof about another text")


def _plan(result: Datum, proof: Datum, sizes: Sizes, start: int) -> Plan:
    """What the claim rests on, found again from the text."""
    _of_this_text(proof, sizes)
    first = sizes.first if result["verdict"].value == "holds" else start
    prover = Prover(sizes.text, sizes.name, sizes.given, Budget())
    plan = prover.plan(sizes.place(result, start), first)
    if isinstance(plan, Unproved):
        raise proof.wrong(f"there is no such proof: {plan.why}")
    if plan.start != start:
        raise proof["start"].wrong(f"the counted system is that of the model from {sizes.name} = {plan.start} on")
    return plan
