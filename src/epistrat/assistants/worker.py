"""The process that serves one call of a tool: it can be ended without harm to the server."""

from __future__ import annotations

from epistrat.children.channel import channel


def main() -> None:
    """Hear one call, answer it."""
    speak = channel()
    name, given, root, memory = speak.receive()
    from epistrat.assistants.errands import Mistake, run

    try:
        speak.send(("answer", run(name, given, root, memory)))
    except Mistake as mistake:
        speak.send(("mistake", str(mistake)))
    except Exception as error:
        speak.send(("mistake", f"internal error of epistrat: {type(error).__name__}"))
