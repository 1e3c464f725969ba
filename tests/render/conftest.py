"""The command, as in the tests of the command line."""

from tests.cli.conftest import models, run, shell

__all__ = ["models", "run", "shell"]
