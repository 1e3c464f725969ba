"""The child's side: reads one call after the other, serves it, and tells what there is to tell.

The signal of Ctrl-C is ignored, except while a request is served: there it ends the work in good order (see `epistrat.jobs.worker`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

from epistrat.children.channel import channel
from epistrat.render.json.cursor import Datum, Unreadable
from epistrat.studio import CALLS

_MODULES = {name: module for module, names in CALLS.items() for name in names}


def main() -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    spoken = channel()
    with contextlib.suppress(EOFError):
        while True:
            serve(spoken.receive(), lambda kind, value: spoken.send((kind, value)))


def serve(asked: object, tell: Callable[[str, Any], None]) -> None:
    """Serve one call; what is wrong with it is told in words."""
    try:
        call = Datum(asked)
        name = call["do"].text()
        if name not in _MODULES:
            raise call["do"].wrong(f"nothing is called {name!r} here")
        served = getattr(import_module(f"epistrat.studio.{_MODULES[name]}"), name)
        tell("answer", served(call, lambda event: tell("event", event)))
    except Unreadable as wrong:
        tell("error", f"the request cannot be read: {wrong}")
    except LookupError as wrong:
        tell("error", str(wrong.args[0] if wrong.args else wrong))
    except RecursionError:
        tell("error", "this is nested too deeply")
    except MemoryError:
        tell("error", "memory ran out")
    except Exception as error:
        if os.environ.get("EPISTRAT_TRACEBACK"):
            traceback.print_exc()
        tell("error", f"internal error: {type(error).__name__}: {error}")
