"""Models in the formats of other tools."""

from __future__ import annotations

from epistrat.encoding.transitions import NotEncodable as NotEncodable
from epistrat.service import models
from epistrat.service.requests import Request


def exchanged(request: Request, form: str, formula: int = 1) -> str:
    """The model as VMT-LIB (``vmt``) or, with one of its formulae, as an AIGER circuit (``aiger``).

    Raises `NotEncodable` and `InputError`.
    """
    system, _ = models.load(request)
    if form == "vmt":
        from epistrat.encoding.vmt import vmt

        return vmt(system, system.formulae)
    from epistrat.encoding.aiger import aiger

    if not 1 <= formula <= len(system.formulae):
        raise NotEncodable(f"there is no formula {formula}: the model has {len(system.formulae)}")
    return aiger(system, system.formulae[formula - 1])
