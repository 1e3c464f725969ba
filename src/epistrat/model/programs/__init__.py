"""Knowledge-based programs: systems whose protocols ask what agents know, and the ordinary systems that implement them.

What is known at a moment depends on the histories up to it, and these on what was known before.  So all histories of one length are made
from those that are shorter by one, guards being evaluated on the way: there is exactly one system in which all do what their guards, read
in that system by the clock or with recall, allow.  When a moment comes back, what agents do from then on is known for ever.
"""

from epistrat.model.programs.implementation import (
    Guard as Guard,
    Implementation as Implementation,
    NotImplementable as NotImplementable,
    implement as implement,
)
