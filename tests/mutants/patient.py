"""A plugin for pytest: random tests do not complain about a busy machine, which would look like a bug that was seen."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("patient", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("patient")
