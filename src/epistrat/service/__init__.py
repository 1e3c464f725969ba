"""The one application under every face: requests in, events and reports out.

Faces (the command line, ``epistrat mcmas``, the Python API) turn what a person wants into a request, and show what comes back.
"""

from epistrat.service.models import InputError as InputError
from epistrat.service.requests import (
    CheckRequest as CheckRequest,
    EquilibriumRequest as EquilibriumRequest,
    EveryRequest as EveryRequest,
    ExchangeRequest as ExchangeRequest,
    ExportRequest as ExportRequest,
    File as File,
    Given as Given,
    InfoRequest as InfoRequest,
    LabelRequest as LabelRequest,
    ReplayRequest as ReplayRequest,
    SimulateRequest as SimulateRequest,
    StrategyRequest as StrategyRequest,
    Text as Text,
)
from epistrat.service.run import ask as ask, ask_child as ask_child, ask_worker as ask_worker, serve as serve
