"""A system is pickled as the model it is, without what was derived from it."""

from __future__ import annotations

import pickle
import random

from tests.generators import random_system

from epistrat.api import System


def test_pickling_takes_the_model_only() -> None:
    for seed in range(10):
        system = System.of(random_system(random.Random(seed)))
        before = pickle.dumps(system)
        assert system.views and system.position and system.agent
        assert pickle.dumps(system) == before
        copy = pickle.loads(before)
        assert copy == system
        assert copy.views == system.views


def test_a_thread_may_derive_something_meanwhile() -> None:
    """As it would happen there: something new is derived while the fields are being written."""
    system = System.of(random_system(random.Random(1)))

    class Deriving:
        def __reduce__(self) -> tuple[type[int], tuple[()]]:
            assert system.views and system.position and system.agent and system.variables
            return int, ()

    object.__setattr__(system, "groups", {"g": Deriving()})
    assert pickle.loads(pickle.dumps(system)).groups == {"g": 0}
