"""``python -m epistrat`` is the command."""

from __future__ import annotations

from epistrat.cli.main import run

if __name__ == "__main__":
    run()
