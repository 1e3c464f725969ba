"""The process that serves one request of the language server: a pickled request on its input, pickled events on its output.

A server has threads, and forking a process with threads is not safe; so each request gets a fresh process, which forks a worker as
the command line does.
"""

from __future__ import annotations

import os
import pickle
import sys

from epistrat.jobs.worker import orphaned
from epistrat.service import ask_worker
from epistrat.service.events import Event

LENGTH = 8
"""Bytes in front of each event that say how long it is."""


def main() -> None:
    """Serve the request on standard input."""
    sys.set_int_max_str_digits(0)
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints gets between the events
    request = pickle.load(sys.stdin.buffer)

    def tell(event: Event) -> None:
        body = pickle.dumps(event, pickle.HIGHEST_PROTOCOL)
        told.write(len(body).to_bytes(LENGTH, "big") + body)
        told.flush()

    ask_worker(request, tell, orphaned(os.getppid()))


if __name__ == "__main__":
    main()
