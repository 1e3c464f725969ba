"""What a command prints, for pages that show it."""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path
from unittest import mock

from epistrat.cli.main import main

ROOT = Path(__file__).parents[1]
_TIME = re.compile(r"\(\d[\d.]* s\)")


def printed(*words: str) -> str:
    """The output of ``epistrat words`` in the project's folder, indented; times are not what they were."""
    out = io.StringIO()
    here = Path.cwd()
    os.chdir(ROOT)
    try:
        with (
            contextlib.redirect_stdout(out),
            mock.patch.dict(os.environ, {"COLUMNS": "100", "EPISTRAT_IN_PROCESS": "1"}),
        ):
            main(words)
    finally:
        os.chdir(here)
    lines = _TIME.sub("(0.1 s)", out.getvalue()).rstrip().split("\n")
    return "\n".join(f"    {line}".rstrip() for line in lines)
