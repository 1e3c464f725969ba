"""The child's side: reads a call from each line of its input, serves it, and writes what there is to tell, line by line.

The signal of Ctrl-C is ignored, except while a request is served: there it ends the work in good order (see `epistrat.jobs.worker`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

from epistrat.jobs.worker import die_with_parent
from epistrat.render.json.cursor import Datum, Unreadable
from epistrat.studio import CALLS

_MODULES = {name: module for module, names in CALLS.items() for name in names}


def main() -> None:
    """Serve until the input ends."""
    sys.set_int_max_str_digits(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing that a library prints gets between the lines

    def tell(kind: str, value: object) -> None:
        print(json.dumps({kind: value}), file=told, flush=True)

    for line in sys.stdin:
        serve(line, tell)


def serve(line: str, tell: Callable[[str, Any], None]) -> None:
    """Serve one call; what is wrong with it is told in words."""
    try:
        call = Datum(json.loads(line))
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


if __name__ == "__main__":
    main()
