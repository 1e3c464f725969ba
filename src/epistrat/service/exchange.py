"""Models in the formats of other tools."""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.encoding.transitions import NotEncodable as NotEncodable
from epistrat.service import models
from epistrat.service.requests import Request


def exchanged(request: Request, form: str, only: Sequence[int | str] | None = None) -> str:
    """The model as VMT-LIB (``vmt``), as an SMV program (``smv``) or, with one of its formulae, as an AIGER circuit (``aiger``).

    ``only`` picks formulae by number or name.  Raises `NotEncodable` and `InputError`.
    """
    system, _ = models.load(request)
    if form == "smv":
        from epistrat.encoding.smv import smv

        return smv(system, [one.formula for one in models.questions(system, only=only)])
    if form == "vmt":
        from epistrat.encoding.vmt import vmt

        return vmt(system, system.formulae)
    from epistrat.encoding.aiger import aiger

    return aiger(system, models.questions(system, only=only or [1])[0].formula)
