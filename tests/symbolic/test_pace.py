"""Orders are compared by searching a little in them."""

from __future__ import annotations

import gc
import weakref

import pytest
from benchmarks.zoo import text

import epistrat
from epistrat import scenarios
from epistrat.encoding.encode import Encoding
from epistrat.engines.contract import Options, silent
from epistrat.engines.symbolic import candidates
from epistrat.engines.symbolic.candidates import Candidates
from epistrat.engines.symbolic.pace import Pace, pace
from epistrat.engines.symbolic.space import SymbolicSpace
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.symbolic.work import Work
from epistrat.lang import load
from epistrat.model.system import System
from epistrat.solvers.bdd import OutOfNodes
from epistrat.solvers.budget import Budget

COMPARED = """
Agent A
    Vars: a : 0..63; b : 0..63; end Vars
    Actions = {up, swap};
    Protocol: a < b : {up}; Other : {swap}; end Protocol
    Evolution: a = a + 1 if Action = up and a < 63; a = b and b = a if Action = swap; end Evolution
end Agent
Evaluation equal if A.a = A.b; end Evaluation
InitStates A.a = 0; end InitStates
Formulae EF equal; end Formulae
"""

SLOW, QUICK, SLOWER = Pace(False, 20, 200_000), Pace(True, 100, 60_000), Pace(False, 20, 400_000)


@pytest.fixture(scope="module")
def ring() -> System:
    return epistrat.load(scenarios.file("token-ring"), n=4)


def _candidates(system: System) -> Candidates:
    return Candidates(system, Options().tuned(SymbolicTuning), 1 << 20, Work(Budget(), silent))


def test_a_search_that_ends_beats_one_that_does_not_and_more_states_beat_fewer() -> None:
    assert QUICK.beats(SLOW) and not SLOW.beats(QUICK)
    assert Pace(False, 31, 200_000).beats(SLOW) and not Pace(False, 29, 200_000).beats(SLOW)
    assert SLOW.beats(SLOWER) and not SLOWER.beats(SLOW)


def test_little_less_work_for_the_same_states_does_not_tell() -> None:
    assert not SLOW.beats(Pace(False, 20, 250_000))
    assert not Pace(True, 9, 1_000).beats(Pace(True, 9, 9_000))


def test_a_search_ends_when_it_has_had_its_work(ring: System) -> None:
    work = Work(Budget(), silent)
    encoding = _candidates(ring).first().encoding
    full = pace(encoding, "auto", work, 1_000_000)
    assert full.complete
    some = pace(encoding, "auto", work, 100)
    assert not some.complete and 1 <= some.states < full.states


def test_what_was_found_while_comparing_is_not_searched_again(ring: System) -> None:
    candidate = _candidates(ring).first()
    space = SymbolicSpace(candidate.encoding, Work(Budget(), silent), found=candidate.found)
    assert candidate.found is not None and space.reachable == candidate.found
    assert space.work.counts["steps of the search"] == 1


@pytest.mark.parametrize(
    ("usual", "top", "breadth", "order"),
    [
        (SLOW, QUICK, None, "index, actions on top"),
        (QUICK, None, None, "index"),
        (SLOWER, SLOW, SLOWER, "index, actions on top"),
        (SLOW, SLOW, SLOW, "index"),
        (SLOW, SLOWER, QUICK, "breadth"),
    ],
)
def test_the_search_decides_between_orders_and_if_it_does_not_the_size(
    usual: Pace, top: Pace | None, breadth: Pace | None, order: str, ring: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The relation of the ring is smallest in the usual order; others are tried where the search in it does not end."""
    paces = [one for one in (usual, top, breadth) if one is not None]

    def scripted(_encoding: Encoding, _search: str, _work: Work, _most: int) -> Pace:
        return paces.pop(0)

    monkeypatch.setattr(candidates, "pace", scripted)
    assert _candidates(ring).first().order == order
    assert not paces


@pytest.mark.parametrize(
    ("usual", "interleaved", "order"),
    [(SLOW, SLOW, "index, interleaved"), (QUICK, SLOW, "index"), (SLOW, QUICK, "index, interleaved")],
)
def test_compared_variables_interleave_if_that_is_smaller_and_the_search_does_not_speak_against_it(
    usual: Pace, interleaved: Pace, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scripted(encoding: Encoding, _search: str, _work: Work, _most: int) -> Pace:
        fields = encoding.layout.variables
        return interleaved if fields["A", "a"].bits[-1] > fields["A", "b"].bits[0] > fields["A", "a"].bits[0] else usual

    monkeypatch.setattr(candidates, "pace", scripted)
    assert _candidates(epistrat.load(COMPARED)).first().order == order


def test_a_search_ends_before_another_thread_decides_how_many_nodes_there_are(
    ring: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work(Budget(), silent)
    encoding = _candidates(ring).first().encoding
    monkeypatch.setattr(type(encoding.algebra), "crowded", lambda _: True)
    begun = work.budget.meter.work
    assert not pace(encoding, "auto", work, 1_000_000).complete
    assert work.budget.meter.work == begun


def test_a_search_does_not_keep_its_encoding(ring: System) -> None:
    """Two large tables at a time are one too many: the first is released before the chosen order is built."""
    encoding = _candidates(ring).first().encoding
    pace(encoding, "auto", Work(Budget(), silent), 1_000)
    relation = weakref.ref(encoding.relation)
    gc.disable()
    try:
        del encoding
        assert relation() is None
    finally:
        gc.enable()


def test_to_find_the_initial_states_is_no_part_of_the_search() -> None:
    """Where the initial condition is long, its diagram takes more work than all of the search; that says nothing about an order."""
    system = load(text("quorum", 12)).system
    assert system is not None
    work = Work(Budget(), silent)
    encoding = _candidates(system).first().encoding
    work.budget.meter.work = 1_000_000  # whatever was done before
    assert pace(encoding, "frontier", work, 100_000).complete


def test_an_order_in_which_the_initial_states_do_not_fit_is_slow(monkeypatch: pytest.MonkeyPatch, ring: System) -> None:
    def full(*_: object) -> None:
        raise OutOfNodes

    encoding = _candidates(ring).first().encoding
    monkeypatch.setattr("epistrat.encoding.encode.encode_initial", full)
    vars(encoding).pop("initial", None)
    assert not pace(encoding, "frontier", Work(Budget(), silent), 100_000).complete
