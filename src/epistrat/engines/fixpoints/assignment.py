"""What the truth of a formula depends on besides the state: what its free names stand for.

A closed formula of today's language has no free names, and nothing is given.  Strategies bound to names, announcements made and moments
recorded have their place here: see docs/decisions/019.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

Assignment: TypeAlias = tuple[tuple[str, Hashable], ...]
"""Names with what they stand for, in the order in which they were given."""

NOTHING: Assignment = ()
