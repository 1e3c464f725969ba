"""The studio: a local web page to write, check, explain and walk through models.

It holds no logic of its own.  `app` is the server, which only passes on; the work is done by child processes (`worker`), which turn what
the page asks into requests to `epistrat.service` and questions to `epistrat.ide`, and what comes back into plain data.
"""

CALLS = {
    "editing": ("analyse", "complete", "hover", "define", "occurrences", "rename", "layout"),
    "parts": ("parts",),
    "walking": ("walk", "knows", "truth", "film", "play"),
    "exploring": ("explore", "worlds"),
    "asking": ("check", "strategy", "graph"),
}
"""What the page can ask: modules, and the functions in them that serve a call."""

SIMULATED = (*CALLS["walking"], *CALLS["exploring"])
"""Questions about runs and states, which simulators answer."""

EDITED = (*CALLS["editing"], *CALLS["parts"])
"""Questions about texts, which the editor's process answers."""
