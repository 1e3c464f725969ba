"""The one application under every face: requests in, events and reports out.

Faces (the command line, ``epistrat mcmas``, the Python API) turn what a person wants into a request, and show what comes back.
"""

from epistrat.service.models import InputError
from epistrat.service.requests import (
    CheckRequest,
    ExportRequest,
    File,
    Given,
    InfoRequest,
    ReplayRequest,
    SimulateRequest,
    StrategyRequest,
    Text,
)
from epistrat.service.run import ask, ask_worker, serve

__all__ = [
    "CheckRequest",
    "ExportRequest",
    "File",
    "Given",
    "InfoRequest",
    "InputError",
    "ReplayRequest",
    "SimulateRequest",
    "StrategyRequest",
    "Text",
    "ask",
    "ask_worker",
    "serve",
]
