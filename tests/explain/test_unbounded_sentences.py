"""Sentences about unbounded models: whole conditions, as short as the prover allows, and true by the prover as they are printed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import epistrat
from epistrat.answers.explanation import Detail, Say
from epistrat.evidence import Around, Invariant, Region, Tree, walk
from epistrat.evidence.proofs import Proofs
from epistrat.evidence.shorten import Shortener, fewer
from epistrat.explain.narrate import explained
from epistrat.explain.relevance import relevant
from epistrat.explain.sentences import short
from epistrat.model.conditions import as_condition
from epistrat.model.transform.rules import equals
from epistrat.proving.fresh import FreshProver
from epistrat.records import replace
from epistrat.terms import TRUE, And, Expr, Or, Terms

EXAMPLES = Path(__file__).parents[2] / "examples" / "unbounded"

RING = """
Agent Environment
  Obsvars: rounds : integer; end Obsvars
  Vars: id0 : integer; id1 : integer; best0 : integer; best1 : integer; end Vars
  Actions = {tick};
  Protocol: Other : {tick}; end Protocol
  Evolution:
    best0 = best1 if B.Action = send and best0 < best1;
    best1 = best0 if A.Action = send and best1 < best0;
    rounds = rounds + 1 if Action = tick;
  end Evolution
end Agent
Agent A Lobsvars = {id0, best0}; Actions = {send, rest}; Protocol: Other : {send, rest}; end Protocol end Agent
Agent B Lobsvars = {id1, best1}; Actions = {send, rest}; Protocol: Other : {send, rest}; end Protocol end Agent
Evaluation
  leader0 if Environment.best0 = Environment.id0 and Environment.best1 = Environment.id0;
  leader1 if Environment.best0 = Environment.id1 and Environment.best1 = Environment.id1;
  max0 if Environment.id1 <= Environment.id0;
end Evaluation
InitStates
  Environment.rounds = 0 and Environment.best0 = Environment.id0 and Environment.best1 = Environment.id1
  and Environment.id0 >= 0 and Environment.id1 >= 0 and Environment.id0 <> Environment.id1;
end InitStates
Formulae end Formulae
"""
DOOR = """
Agent Environment
  Obsvars: epoch : integer; end Obsvars
  Vars: token : integer; open : boolean; end Vars
  Actions = {idle, revoke};
  Protocol: Other : {idle, revoke}; end Protocol
  Evolution:
    epoch = epoch + 1 and open = false if Action = revoke;
    token = epoch if Client.Action = ask and Action = idle;
    open = true if Client.Action = present and token = epoch and Action = idle;
  end Evolution
end Agent
Agent Client Lobsvars = {token}; Actions = {ask, present, wait}; Protocol: Other : {ask, present, wait}; end Protocol end Agent
Evaluation open if Environment.open = true; ahead if Environment.token > Environment.epoch; end Evaluation
InitStates Environment.epoch = 0 and Environment.token = -1 and Environment.open = false; end InitStates
Formulae end Formulae
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "EF leader0",
            "`Environment.id0 + 1 <= Environment.id1 and Environment.id1 <= Environment.best1` is true at the start, every step "
            "leaves it so, and `leader0` is false then.",
        ),
        ("AF leader0", "A run can avoid `leader0` for ever: wherever `leader0` is false, some step leaves it so."),
        (
            "AG !(leader0 and leader1)",
            "`Environment.id0 <> Environment.id1` is true at the start, no step makes it false, and it implies "
            "`!(leader0 and leader1)`.",
        ),
        (
            "AG Environment.best0 >= Environment.id0",
            "`Environment.id0 <= Environment.best0` is true at the start, and no step makes it false.",
        ),
        (
            "AG (leader0 -> AG leader0)",
            "where `Environment.best1 - Environment.id0 = 0` `AG leader0` is true; so `AG (leader0 -> AG leader0)` is true.",
        ),
    ],
)
def test_what_is_said(text: str, said: str) -> None:
    (result,) = epistrat.load(RING).check(text, evidence=True, engine="abstraction")
    shown = result.explain().replace("\n", " ")
    assert said in shown
    assert "..." not in shown and "this is one" not in shown
    if text == "EF leader0":
        assert "Where it starts 0  id0 = 0; id1 = 1; " in shown, "the initial state from which it fails is named"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("LTL G F open", "`open` is never true."),
        ("LTL G !open", "At moment 2 `open` is true."),
        ("LTL G (open -> F !open)", "At moment 2 `open` is true, and `!open` is never true from then on."),
        ("LTL F open", "`open` never becomes true."),
    ],
)
def test_a_run_shows_where_a_linear_formula_goes_wrong(text: str, said: str) -> None:
    (result,) = epistrat.load(DOOR).check(text, evidence=True)
    assert result.evidence is not None and isinstance(result.evidence.because[0], Around)
    assert result.replay is not None and result.replay.ok and not result.replay.trusted
    assert said in result.explain().splitlines()


def test_a_run_that_never_repeats_is_not_shown_but_its_moment_is() -> None:
    (result,) = epistrat.load(RING).check("LTL G !leader0", evidence=True)
    assert "it goes wrong at moment 1 of some run" in result.notes


@pytest.mark.parametrize("text", ["<{Client}>F open", "AG (open -> EF !open)", "LTL G Environment.epoch >= 0"])
def test_what_no_evidence_shows_is_said_without_a_place(text: str) -> None:
    """There is no "there" where nothing was shown."""
    (result,) = epistrat.load(DOOR).check(text, evidence=True)
    assert not re.search(r"\bthere\b", result.explain().replace("that there", ""))


# Every sentence by the prover

ENTAILED = re.compile(r"`([^`]+)` is true at the start, no step makes it false, and it implies `([^`]+)`")
LASTING = re.compile(r"`([^`]+)` is true at the start, and no step makes it false")
KEPT = re.compile(
    r"`([^`]+)` is true (?:at the start|there), every step leaves it so, and `([^`]+)` is (true|false) then"
)
AVOIDED = re.compile(r"wherever `([^`]+)` is (true|false), some step leaves it so")


def _condition(model: epistrat.System, text: str) -> Expr:
    return as_condition(model, model.formula(text))


def _proved(model: epistrat.System, said: str) -> int:
    """How many statements of a sentence were proved, as they are printed; all that it makes must be."""
    prover, terms, count = FreshProver(), Terms(), 0
    for kept, implied in ENTAILED.findall(said):
        inside = _condition(model, kept)
        assert prover.entails(model, model.initial, inside) and prover.every_step(model, inside, inside), said
        if "..." not in implied:
            assert prover.entails(model, inside, _condition(model, implied)), said
        count += 1
    for (kept,) in (match.groups() for match in LASTING.finditer(said)):
        if "..." not in kept:
            inside = _condition(model, kept)
            assert prover.entails(model, model.initial, inside) and prover.every_step(model, inside, inside), said
            count += 1
    for kept, other, word in KEPT.findall(said):
        inside, implied = _condition(model, kept), _condition(model, other)
        assert prover.every_step(model, inside, inside), said
        assert prover.entails(model, inside, implied if word == "true" else terms.negate(implied)), said
        count += 1
    for avoided, word in AVOIDED.findall(said):
        inside = _condition(model, avoided) if word == "true" else terms.negate(_condition(model, avoided))
        assert prover.some_step(model, inside, inside), said
        count += 1
    return count


def _says(blocks: tuple[object, ...]) -> Iterator[Say]:
    for block in blocks:
        if isinstance(block, Say):
            yield block
        elif isinstance(block, Detail):
            yield from _says(block.blocks)


def _shown_is_enough(model: epistrat.System, tree: Tree) -> int:
    """Whatever the hidden variables are, a state with what is shown lies in the region that proves the claim."""
    prover, terms, count = FreshProver(), Terms(), 0
    shown = relevant(model, tree)
    for part in walk(tree):
        for reason in part.because:
            if isinstance(reason, Region):
                here = terms.conjunction(equals(terms, model, place, [part.state[place]]) for place in sorted(shown))
                assert prover.entails(model, here, reason.condition), (part.claim, reason)
                count += 1
    return count


MODELS = ("account", "queue", "resource", "lease", "thermostat", "open_auction")


@pytest.mark.parametrize("name", ["ring", "door", *MODELS])
def test_what_is_printed_is_proved(name: str) -> None:
    """Invariants, reachability and their opposites of all propositions: every sentence, as it is printed."""
    source = {"ring": RING, "door": DOOR}.get(name) or (EXAMPLES / f"{name}.ispl").read_text()
    model = epistrat.load(source)
    rng = random.Random(name)
    atoms = [*model.propositions, *(f"!{one}" for one in model.propositions)]
    texts = [f"{operator} {atom}" for atom in atoms for operator in ("AG", "EF", "EG", "AF")]
    asked = [*map(model.formula, rng.sample(texts, min(16, len(texts)))), *model.formulae[:6]]
    proved = 0
    for result in model.check(asked, evidence=True, time=30, engine="abstraction"):
        told = explained(model, result)
        for tree, one in zip(told.trees, told.explanations, strict=True):
            said = " ".join([one.sentence, *(part.text for part in _says(one.blocks))])
            assert all(quoted.count("(") == quoted.count(")") for quoted in re.findall("`([^`]+)`", said)), said
            proved += _proved(model, said) + _shown_is_enough(model, tree)
    assert proved >= (name in ("ring", "door"))


@pytest.mark.parametrize("text", ["EF leader0", "AG (leader0 -> max0)", "AG !(leader0 and leader1)"])
def test_no_part_that_is_printed_can_be_left_out(text: str) -> None:
    model = epistrat.load(RING)
    (result,) = model.check(text, evidence=True, engine="abstraction")
    (reason,) = [one for part in walk(result.trees[0]) for one in part.because if isinstance(one, (Invariant, Region))]
    proofs = Proofs(model, FreshProver())
    parts = list(reason.condition.args) if isinstance(reason.condition, And) else [reason.condition]
    assert proofs.shows(result.trees[0], reason) is True
    for part in parts:
        left = Terms().conjunction(one for one in parts if one is not part)
        assert proofs.shows(result.trees[0], replace(reason, condition=left)) is not True


def test_nothing_is_left_out_that_the_prover_needs() -> None:
    """A prover that can tell nothing leaves the condition as it was found."""

    class Silent(FreshProver):
        def entails(self, *_: object) -> bool | None:
            return None

        def every_step(self, *_: object) -> bool | None:
            return None

    model = epistrat.load(RING)
    x = model.formula("Environment.id0 <> Environment.id1 and Environment.rounds >= 0")
    tree = Tree(
        next(iter(epistrat.load(RING).check("EF leader0", evidence=True)[0].trees)).state,
        model.formula("AG !(leader0 and leader1)"),
        True,
        (Invariant(as_condition(model, x)),),
    )
    silent = Silent()
    (reason,) = Shortener(model, Proofs(model, silent), silent).tree(tree).because
    assert isinstance(reason, Invariant) and isinstance(reason.condition, And) and len(reason.condition.args) == 2
    real = FreshProver()
    (reason,) = Shortener(model, Proofs(model, real), real).tree(tree).because
    assert isinstance(reason, Invariant) and not isinstance(reason.condition, And)


def test_formulae_are_not_cut_in_the_middle() -> None:
    model = epistrat.load(RING)
    long = " and ".join(f"Environment.best0 > {n}" for n in range(9))
    for text, outline in (
        (f"AG (({long}) -> K(A, {long}))", "`AG (((0 < Environment.best0) and ...) -> K(A, ...))`"),
        (f"{long}", "`(0 < Environment.best0) and (1 < Environment.best0) and ...`"),
        (f"LTL G (leader0 -> X ({long} or leader1))", "`LTL G (leader0 -> (X (... or leader1)))`"),
        ("AG leader0", "`AG leader0`"),
    ):
        assert short(model.formula(text)) == outline


def test_fewer_drops_large_shares_first() -> None:
    terms = Terms()
    parts = [terms.variable("A", f"b{n}", TRUE.sort) for n in range(64)]
    asked: list[int] = []

    def good(left: list[Expr]) -> bool:
        asked.append(len(left))
        return parts[37] in left

    assert fewer(list(parts), good) == [parts[37]]
    assert len(asked) < 20


def test_cases_that_say_less_cover_others() -> None:
    """The bakery's invariant has nine cases, one for each pair of places; five that say less are enough."""
    model = epistrat.load((EXAMPLES / "bakery.ispl").read_text())
    (result,) = model.check("AG !both", evidence=True, engine="abstraction")
    (reason,) = [one for one in result.trees[0].because if isinstance(one, Invariant)]
    assert isinstance(reason.condition, Or) and len(reason.condition.args) <= 5
    assert result.replay is not None and result.replay.ok and not result.replay.trusted
