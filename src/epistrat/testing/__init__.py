"""Tests that follow a model with the program it describes; see docs/agents-that-run.md."""

from epistrat.testing.driving import Coverage as Coverage, Different as Different, Driver as Driver, Paths as Paths
from epistrat.testing.machine import state_machine as state_machine
