"""A system is pickled as the model it is, without what was derived from it."""

from __future__ import annotations

import io
import pickle
import random

from tests.generators import random_system

from epistrat.api import System
from epistrat.terms import And, Not, Or, Sort, Var
from epistrat.terms.node import TreePickler


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


def test_trees_that_share_nodes_share_them_afterwards() -> None:
    shared = And((Var("a", "x", Sort.BOOLEAN), Not(Var("a", "y", Sort.BOOLEAN))))
    trees = [shared, Not(shared), Or((shared, Not(shared))), {"again": shared}]
    file = io.BytesIO()
    TreePickler(file).dump(trees)
    first, second, third, fourth = pickle.loads(file.getvalue())
    assert [first, second, third, fourth] == trees
    assert second.arg is first and third.args[0] is first and fourth["again"] is first


def test_a_system_sent_to_another_process_is_the_same() -> None:
    for seed in range(10):
        system = random_system(random.Random(seed))
        file = io.BytesIO()
        TreePickler(file).dump((system, system.initial))
        assert pickle.loads(file.getvalue()) == (system, system.initial)
