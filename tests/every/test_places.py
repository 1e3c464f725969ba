"""Families whose members stand in places: their steps beside those of each size, proofs for every size, and certificates that lie."""

from __future__ import annotations

import copy
import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import z3
from tests.every.random_rings import random_ring

import epistrat.scenarios
from epistrat.answers import Verdict
from epistrat.cli.main import main
from epistrat.every.places.family import Family, Moment, Outside
from epistrat.every.places.first_order import Ground
from epistrat.every.places.prove import Places, wrong
from epistrat.every.places.reading import Reader
from epistrat.every.places.steps import Steps
from epistrat.lang.load import load
from epistrat.lang.templates import Template, template
from epistrat.model.explore import TooManyStates, explore
from epistrat.model.initial import initial_states
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.render.every import every_json
from epistrat.service import ask
from epistrat.service.requests import CheckRequest, EveryRequest, File, Text
from epistrat.service.values import sizes
from epistrat.solvers.budget import Budget, OutOfBudget

FAMILIES = Path(__file__).parent / "families"
SCENARIOS = Path(epistrat.scenarios.__file__).parent
READ = [
    "a01-lock",
    "a11-ring",
    "a12-line",
    "a13-coins",
    "a14-leave",
    "token-ring",
    "leader-election",
    "hats",
    "drinking-logicians",
]
READ += ["lift", "roll-call", "tian-ji", "dining-cryptographers"]
MOST = 14  # states of a size that are looked at


def text_of(name: str) -> str:
    folder = FAMILIES if (FAMILIES / f"{name}.ispl").exists() else SCENARIOS
    return (folder / f"{name}.ispl").read_text()


def given(name: str) -> dict[str, int]:
    return {"shift": 0, "step": 1} if name == "leader-election" else {}


class AtSize:
    """The steps of a family at one size, asked of a solver that looks at all places."""

    def __init__(self, tree: Template, system: System, size: int) -> None:
        context = z3.Context()
        self.family = Family(tree, context)
        self.system = system
        self.now, self.later = Moment(self.family, "s"), Moment(self.family, "s'")
        steps, ground = Steps(Reader(self.family)), Ground(context, lambda _: [])
        places = [self.family.whole(one) for one in range(size + 2)]
        self.solver = z3.Solver(ctx=context)
        self.solver.add(self.family.size == size)
        self.initial = ground.told([steps.initial(self.now)], places, 1)
        self.step = ground.told([steps.step(self.now, self.later)], places, 1)

    def is_initial(self, state: State) -> bool:
        return bool(self.solver.check(*self._wrapped(self.initial + self._of(self.now, state))) == z3.sat)

    def leads(self, state: State, target: State) -> bool:
        terms = self.step + self._of(self.now, state) + self._of(self.later, target)
        return bool(self.solver.check(*self._wrapped(terms)) == z3.sat)

    def _wrapped(self, terms: list[Any]) -> list[Any]:
        literal = z3.FreshBool("all", self.family.context)
        self.solver.add(z3.Implies(literal, z3.And(terms)))
        return [literal]

    def _of(self, moment: Moment, state: State) -> list[Any]:
        found = []
        for variable, value in zip(self.system.variables, state, strict=True):
            (agent, of_agent), (name, own) = split(variable.owner), split(variable.name)
            held = moment.value(self.family.cells[agent, name], [self.family.whole(one) for one in of_agent + own])
            word, places = split(value) if isinstance(value, str) else ("", [])
            first = self.family.code(word) if word else self.family.whole(int(value))
            rest = [self.family.whole(one) for one in (*places, *[0] * len(held))][: len(held) - 1]
            found += [a == b for a, b in zip(held, [first, *rest], strict=True)]
        return found


def split(name: str) -> tuple[str, list[int]]:
    match = re.match(r"([^\[]*)(?:\[(.*)\])?$", name)
    assert match is not None
    return match[1], [int(one) for one in match[2].split(",")] if match[2] else []


def same_steps(tree: Template, text: str, size: int, parameters: dict[str, int]) -> None:
    """Initial states and steps are those of the model of that size."""
    system = load(text, parameters={"n": size, **parameters}).system
    if system is None:
        return
    stepper, asked = Stepper(system), AtSize(tree, system, size)
    initial = list(islice(initial_states(system), 2000))
    try:
        states = list(explore(stepper, initial, 400, Budget()).states)
    except TooManyStates as limit:
        states = list(limit.seen.states)
    some = states[:: max(1, len(states) // MOST)][:MOST]
    for state in some:
        assert asked.is_initial(state) is (state in initial), state
        targets = {step.target for step in stepper.steps(state)}
        for target in {*islice(targets, 3), *some}:
            assert asked.leads(state, target) is (target in targets), (state, target)


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("more", [0, 1])
def test_steps_are_those_of_each_size(name: str, more: int) -> None:
    text = text_of(name)
    tree = template(text, "n", given(name))
    least = tree.parameter.least or 1
    same_steps(tree, text, least + more, given(name))


@pytest.mark.parametrize("seed", range(12))
def test_steps_of_random_rings_are_those_of_each_size(seed: int) -> None:
    text = random_ring(seed)
    tree = template(text, "n", {})
    for size in (2, 3):
        same_steps(tree, text, size, {})


# proofs


def proofs(name: str, least: int, only: tuple[str, ...] = ()) -> dict[str, dict[str, Any] | None]:
    """What is found for each formula: a certificate, None, or nothing where there is no rule."""
    text = text_of(name)
    tree = template(text, "n", given(name))
    places = Places(tree, least, lambda size: model(text, size, given(name)), Budget())
    found = {}
    for formula in tree.formulae:
        word = "" if formula.name is None else formula.name.word
        if not only or word in only:
            try:
                found[word] = places.prove(formula, Budget())
            except Outside:
                continue
    return found


def model(text: str, size: int, parameters: dict[str, int]) -> System:
    system = load(text, parameters={"n": size, **parameters}).system
    assert system is not None
    return system


@pytest.mark.parametrize(
    ("name", "least", "proved"),
    [
        ("a11-ring", 2, "exclusion knows"),
        ("a12-line", 2, "order knows next"),
        ("a13-coins", 2, "sure"),
        ("a13-coins", 3, "secret sure"),
        ("token-ring", 2, "exclusion alone"),
        ("hats", 2, "right honest front"),
        ("drinking-logicians", 2, "truth unsure"),
        ("number-transmission", 1, "over nothing"),
        ("tian-ji", 2, "seen"),
        ("lift", 2, "seen sees"),
    ],
)
def test_what_is_proved_for_every_size(name: str, least: int, proved: str) -> None:
    found = {one for one, proof in proofs(name, least).items() if proof is not None}
    assert found == set(proved.split())


def test_the_cryptographers_of_every_number() -> None:
    found = proofs("dining-cryptographers", 3, ("payer", "learnt", "sure", "secret", "leak"))
    assert {one for one, proof in found.items() if proof is not None} == {"payer", "learnt", "sure", "secret"}


SECONDS = 20.0  # for a formula of a random ring
QUICK = (0, 3, 5)
"""Rings about which it is soon clear what can be proved."""


def claimed_wrongly(seed: int, most: int) -> tuple[int, list[str]]:
    """How many formulae of a random ring are proved, and which of these fail for some size."""
    text = random_ring(seed)
    if not load(text).ok:
        return 0, []
    tree = template(text, "n", {})
    places = Places(tree, 2, lambda size: model(text, size, {}), Budget())
    proved, false = 0, []
    for number, formula in enumerate(tree.formulae, start=1):
        try:
            proof = places.prove(formula, Budget(seconds=SECONDS))
        except (Outside, OutOfBudget):
            continue
        if proof is None:
            continue
        proved += 1
        for size in range(2, most + 1):
            asked = CheckRequest(model=Text(text, "ring", {"n": size}), only=(number,), facts=False, remarks=False)
            if ask(asked)[0].results[0].verdict is not Verdict.HOLDS:
                false.append(f"seed {seed}, formula {number}, n = {size}")
    return proved, false


def test_what_is_proved_of_random_rings_holds_for_each_size() -> None:
    found = [claimed_wrongly(seed, 4) for seed in QUICK]
    assert sum(proved for proved, _ in found) >= 8
    assert [one for _, false in found for one in false] == []


@pytest.mark.long
def test_what_is_proved_of_many_random_rings_holds_for_each_size() -> None:
    found = [claimed_wrongly(seed, 6) for seed in range(1000, 1200)]
    assert sum(proved for proved, _ in found) >= 200
    assert [one for _, false in found for one in false] == []


# certificates


@pytest.fixture(scope="module")
def secret() -> tuple[Template, dict[str, Any]]:
    """A certificate with an exchange, and one with clauses, of the coins."""
    tree = template(text_of("a13-coins"), "n", {})
    proof = proofs("a13-coins", 3, ("secret",))["secret"]
    assert proof is not None
    return tree, proof


def lie(tree: Template, formula: str, data: dict[str, Any]) -> str | None:
    one = next(one for one in tree.formulae if one.name is not None and one.name.word == formula)
    return wrong(tree, one, data, Budget())


def test_an_honest_certificate_is_shown_again(secret: tuple[Template, dict[str, Any]]) -> None:
    tree, proof = secret
    assert lie(tree, "secret", json.loads(json.dumps(proof))) is None


def forged(proof: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Lies about it, by name."""
    made: dict[str, dict[str, Any]] = {}

    def lying(name: str) -> dict[str, Any]:
        made[name] = copy.deepcopy(proof)
        return made[name]

    lying("smaller sizes")["start"] = 2
    lying("no clauses")["clauses"] = []
    lying("no exchange")["exchanges"] = []
    lying("nothing changes")["exchanges"][0]["changes"] = []
    lying("one change less")["exchanges"][0]["changes"].pop()
    lying("other place")["exchanges"][0]["changes"][0]["at"] = ["", 1]
    lying("never looked at")["exchanges"][0]["guard"] = [
        {"agent": "Environment", "variable": "over", "at": [], "op": "=", "word": "true", "places": []}
    ]
    lying("a premise that is none")["exchanges"][0]["premises"] = [7]
    lying("another variable")["exchanges"][0]["changes"][0]["variable"] = "nothing"
    lying("a false clause")["clauses"].append(
        {
            "places": "x",
            "not": [
                {"agent": "Environment", "variable": "coin", "at": [["x", 0]], "op": "=", "word": "true", "places": []}
            ],
        }
    )
    lying("a clause about nothing")["clauses"].append({"places": "x", "not": []})
    return made


NAMES = [
    "smaller sizes",
    "no clauses",
    "no exchange",
    "nothing changes",
    "one change less",
    "other place",
    "never looked at",
]
NAMES += ["a premise that is none", "another variable", "a false clause", "a clause about nothing"]


@pytest.mark.parametrize("name", NAMES)
def test_a_forged_certificate_is_refused(secret: tuple[Template, dict[str, Any]], name: str) -> None:
    tree, proof = secret
    assert lie(tree, "secret", forged(proof)[name]) is not None


def test_a_certificate_of_another_formula_is_refused(secret: tuple[Template, dict[str, Any]]) -> None:
    tree, proof = secret
    assert lie(tree, "leak", proof) is not None
    assert lie(tree, "somebody", proof) is not None


def saved(name: str, folder: Path, *only: str) -> tuple[Path, dict[str, Any]]:
    file = folder / f"{name}.ispl"
    file.write_text(text_of(name))
    request = EveryRequest(model=File(str(file)), sizes=sizes("n"), upto=4, evidence=True, only=only)
    return file, json.loads(json.dumps(every_json(str(file), ask(request)[1])))


def test_the_command_replays_a_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, report = saved("a12-line", tmp_path, "order", "knows")
    assert [one["every"]["method"] for one in report["results"]] == ["places", "places"]
    kept = tmp_path / "report.json"
    kept.write_text(json.dumps(report))
    assert main(["replay", str(file), str(kept)]) == 0
    assert "proved again (places)" in capsys.readouterr().out
    report["results"][0]["evidence"]["proof"]["certificate"]["clauses"] = []
    kept.write_text(json.dumps(report))
    assert main(["replay", str(file), str(kept)]) != 0


# what is outside

RING = """
Parameters n = 3 in 2..; end Parameters
Agent P[i in 1..n]
    Vars: on : boolean; c : 0..3; end Vars
    Actions = {go, stay};
    Protocol: Other : {go, stay}; end Protocol
    Evolution: on = true if P[(i - 2) mod n + 1].Action = go; end Evolution
end Agent
Evaluation on[i in 1..n] if P[i].on = true; end Evaluation
InitStates forall i in 1..n: P[i].on = false and P[i].c = 0; end InitStates
Formulae AG(on[1] -> on[1]); end Formulae
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Agent P[i", "Knowledge = Recall; Agent P[i", "counts or remembers"),
        ("c : 0..3;", "c : 0..3; with[j in 1..n] : boolean;", "pairs of members"),
        ("c : 0..3;", "c : 0..3; go : {on, off};", "is a variable and a value"),
        ("end InitStates", "end InitStates Fairness on[1]; end Fairness", "fairness"),
        ("if P[i].on = true;", "if P[i].c = i;", "its range does not"),
        ("AG(on[1] -> on[1])", "AG EF on[1]", "what a run can lead to"),
        ("AG(on[1] -> on[1])", "AG K(P[1], K(P[2], on[1]))", "operators inside"),
        ("AG(on[1] -> on[1])", "AG(sum(i in 1..n: P[i].c) < 5)", "a sum over members"),
    ],
)
def test_what_is_outside_is_said(old: str, new: str, why: str) -> None:
    text = RING.replace(old, new)
    if "P[i].c = i" in new:
        text = text.replace("AG(on[1] -> on[1])", "AG(on[1] -> !on[2])")
    tree = template(text, "n", {})
    with pytest.raises(Outside, match=re.escape(why)):
        places = Places(tree, 2, lambda size: model(text, size, {}), Budget())
        places.prove(tree.formulae[0], Budget())


def test_other_readings_are_not_proved(tmp_path: Path) -> None:
    """What is proved reads knowledge by what is seen now."""
    from epistrat.logic.choices import Reading

    file = tmp_path / "line.ispl"
    file.write_text(text_of("a12-line"))
    for said in ({"knowledge": Reading.RECALL}, {"recall": 1}):
        request = EveryRequest(model=File(str(file)), sizes=sizes("n"), upto=3, only=("knows",), **said)
        (one,) = ask(request)[1].answers
        assert one.verdict is Verdict.UNKNOWN
