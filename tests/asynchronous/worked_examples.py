"""Small interleaved systems with strategic formulae whose verdicts were worked out by hand, in every way of reading them.

How agents are written: see `tests.generators.asynchronous`.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.generators.asynchronous import system_of

from epistrat.model.system import System


class Row(NamedTuple):
    """A formula with its verdicts: objective, any, subjective, uniform; then objective with blocking `adversary`, `ignore`, single choices,
    fair scheduling.
    """

    model: str
    formula: str
    verdicts: str


_TRAINS = {
    "Train1": "away: in1>tunnel; tunnel: out1>out; out: back1>away",
    "Train2": "away: in2>tunnel; tunnel: out2>out; out: back2>away",
}
_T1 = {"t1": "Train1.at = tunnel"}
_TRAIN_GROUPS = {"controller": "Controller", "train1": "Train1"}
_DONE = {"done": "Alice.at = l1"}
_NEVER = _DONE | {"never": "Alice.at = l1 and Alice.at = l0"}
_ALICE = {"alice": "Alice"}
_SENDER = "q0: send1>q1 send2>q2"
_GOT = {"got1": "Receiver.at = r1"}
_PAIR = {"sender": "Sender", "receiver": "Receiver"}
_GUESSED = "{gh>win gt>lose}; m2: {gh>lose gt>win}; win: ; lose: "

MODELS: dict[str, System] = {
    "private loop": system_of({"Alice": "l0: a>l1", "Bob": "m0: b>m0"}, _DONE, _ALICE),
    "blocking": system_of({"Alice": "l0: a>l1 s>l0", "Bob": "m0: ; m1: s>m1"}, _NEVER, _ALICE),
    "insisting": system_of(
        {"Alice": "l0: s>l1", "Bob": "m0: s>m1 t>m1", "Carol": "n0: ; n1: t>n1"}, _DONE, _ALICE | {"bob": "Bob"}
    ),
    "who sends": system_of({"Sender": _SENDER, "Receiver": "r0: send1>r1 send2>r2"}, _GOT, _PAIR),
    "listening": system_of({"Sender": _SENDER, "Receiver": "r0: {send1>r1 send2>r2}"}, _GOT, _PAIR),
    "guess": system_of(
        {"Bob": "m0: heads>m1 tails>m2; m1: " + _GUESSED, "Alice": "l0: gh>l1 gt>l1"},
        {"won": "Bob.at = win"},
        _ALICE | {"bob": "Bob", "both": "Alice, Bob"},
    ),
    "two starts": system_of(
        {"Bob": "m1: " + _GUESSED, "Alice": "l0: gh>l1 gt>l1"},
        {"won": "Bob.at = win"},
        _ALICE,
        initial="(Bob.at = m1 or Bob.at = m2) and Alice.at = l0",
    ),
    "order": system_of(
        {"Alice": "l0: a>l1", "Bob": "m0: b>m1"},
        {"first": "Alice.at = l1 and Bob.at = m0", "l1": "Alice.at = l1", "m1": "Bob.at = m1"},
        _ALICE | {"both": "Alice, Bob"},
    ),
    "holding back": system_of(
        {"Alice": "l0: a>l1; l1: n>l1", "Bob": "m0: b>m1 n>m0"},
        {"first": "Alice.at = l1 and Bob.at = m0"},
        _ALICE | {"bob": "Bob", "both": "Alice, Bob"},
    ),
    "trains": system_of(
        _TRAINS | {"Controller": "green: in1>red in2>red; red: out1>green out2>green"}, _T1, _TRAIN_GROUPS
    ),
    "any train": system_of(
        _TRAINS | {"Controller": "green: {in1>red in2>red}; red: {out1>green out2>green}"}, _T1, _TRAIN_GROUPS
    ),
    "chance": system_of(
        {"Alice": "l0: a>l1 a>l2", "Bob": "m0: ; m1: b>m1"}, {"l1": "Alice.at = l1", "l2": "Alice.at = l2"}, _ALICE
    ),
    "fair loop": system_of({"Alice": "l0: a>l1", "Bob": "m0: b>m0"}, _DONE, _ALICE, fairness="done"),
    "unfair wait": system_of({"Alice": "l0: a>l1 s>l0", "Bob": "m0: ; m1: s>m1"}, _NEVER, _ALICE, fairness="done"),
    "secret": system_of(
        {
            "Bob": "m0: heads>h tails>t; h: rh>told keep>h; t: rt>told keep>t; told: ",
            "Alice": "l0: {rh>kh rt>kt}",
        },
        {"heads": "Alice.at = kh or Bob.at = h"},
        _ALICE | {"bob": "Bob"},
    ),
    "unseen move": system_of(
        {
            "Bob": "n0: d1>n1 d2>n2; n1: r1>n1; n2: r2>n2",
            "Alice": "l0: x>lx y>ly; lx: r1>win; ly: r2>win; win: ",
        },
        {"won": "Alice.at = win"},
        _ALICE,
    ),
    "no memory": system_of(
        {
            "Bob": "m0: {s>m1 t>lose}; m1: {s>win t>lose}; win: ; lose: ",
            "Alice": "l0: s>l0 t>l0; l1: ",
        },
        {"won": "Bob.at = win", "lost": "Bob.at = lose", "mid": "Bob.at = m1"},
        _ALICE,
    ),
    "refusable": system_of({"Alice": "l0: s>l0 a>l1; l1: s>l1", "Bob": "m0: s>m1; m1: b>m1"}, _DONE, _ALICE),
    "joining": system_of(
        {
            "Alice": "l0: {s>l1 t>l1}",
            "Bob": "m0: s>m1 t>m1",
            "Carol": "n0: c1>n1 c2>n2; n1: s>n1; n2: t>n2",
        },
        _DONE,
        _ALICE | {"pair": "Alice, Bob"},
    ),
    # When Bob guesses, Ann has nothing to choose any more.
    "after the last choice": system_of(
        {
            "Ann": "p0: a>p1 b>p1",
            "Bob": "q0: {a>q1 b>q1}; q1: gh>q2 gt>q2; q2: ",
            "Carol": "c0: h>m1 t>m2; m1: " + _GUESSED,
        },
        {"won": "Carol.at = win", "lost": "Carol.at = lose"},
        {"pair": "Ann, Bob"},
    ),
}

TABLE = [
    Row("private loop", "<alice>F done", "FFFFFFFT"),
    Row("private loop", "<alice>G !done", "FFFFFFFF"),
    Row("blocking", "<alice>G !done", "TTTTTTTT"),
    Row("blocking", "<alice>F never", "FFFFFTFF"),
    Row("insisting", "<alice>F done", "TTTTFTTT"),
    Row("who sends", "<receiver>F got1", "TTTTFTTT"),
    Row("who sends", "<sender>F got1", "TTTTFTTT"),
    Row("listening", "<receiver>F got1", "FFFTFFTF"),
    Row("listening", "<sender>F got1", "TTTTTTTT"),
    Row("guess", "<alice>F won", "FTFTFFFF"),
    Row("guess", "<both>F won", "TTTTTTTT"),
    Row("guess", "<bob>F won", "FFFTFFTF"),
    Row("two starts", "<alice>F won", "TTFFTTTT"),
    Row("order", "<both>F first", "FFFFFFFF"),
    Row("order", "EF first", "TTTTTTTT"),
    Row("order", "<alice>X l1", "FFFFFFFF"),
    Row("order", "<alice>X (l1 or m1)", "TTTTTTTT"),
    Row("holding back", "<both>F first", "TTTTTTTT"),
    Row("holding back", "<bob>F first", "TTTTTTTT"),
    Row("holding back", "<alice>F first", "FFFTFFFF"),
    Row("trains", "<controller>F t1", "TTTTTTTT"),
    Row("trains", "<controller>G !t1", "TTTTTTTT"),
    Row("trains", "<train1>F t1", "FFFTFFFF"),
    Row("trains", "<train1>G !t1", "FFFTFFFF"),
    Row("any train", "<controller>F t1", "FFFFFFTF"),
    Row("any train", "<controller>G !t1", "FFFFFFTF"),
    Row("chance", "<alice>F l1", "FFFFFFFF"),
    Row("chance", "<alice>F (l1 or l2)", "TTTTTTTT"),
    Row("fair loop", "<alice>F done", "TTTTTTTT"),
    Row("unfair wait", "<alice>F never", "TTTTTTTT"),
    Row("secret", "<bob>G !K(Alice, heads)", "TTTTTTTT"),
    Row("secret", "<bob>F K(Alice, heads)", "TTTTTTTT"),
    Row("secret", "<alice>F K(Alice, heads)", "FFFTFFFF"),
    Row("secret", "<alice>G !K(Alice, heads)", "FFFTFFTF"),
    Row("no memory", "<alice>F won", "TTFTTTTT"),
    Row("no memory", "<alice>F (mid and <alice>F lost)", "TTFFTTTT"),
    Row("unseen move", "<alice>F won", "FFFTFFFF"),
    Row("unseen move", "AF (<alice>F won)", "FFFTFFFF"),
    Row("refusable", "<alice>F done", "TTFTTTTT"),
    Row("joining", "<alice>F done", "TTTTFTFT"),
    Row("joining", "<pair>F done", "FTFTFTFF"),
    Row("after the last choice", "<pair>F won", "FTFTFFFF"),
    Row("after the last choice", "<pair>G !lost", "FTFTFFTF"),
]
