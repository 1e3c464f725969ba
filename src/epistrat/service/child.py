"""The process that serves one request: the request as a frame on its input, events as frames on its output.

Servers and sweeps have threads, and forking a process with threads is not safe; so each of their requests gets a fresh process, which
forks a worker as the command does.
"""

from __future__ import annotations

import os

from epistrat.children.channel import channel
from epistrat.children.system import orphaned
from epistrat.service import ask_worker


def main() -> None:
    """Serve the request on standard input."""
    spoken = channel()
    ask_worker(spoken.receive(), spoken.send, orphaned(os.getppid()))
