"""`epistrat.explore`: a step function in Python is a model, with the same answers as the model it was taken from."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest
from tests.generators import random_formula, random_system

import epistrat
from epistrat.answers import Verdict
from epistrat.logic.formula import Formula
from epistrat.model.evaluate import Evaluator
from epistrat.model.initial import initial_states
from epistrat.model.state import view
from epistrat.model.step import Stepper
from epistrat.model.system import Composition
from epistrat.records import replace
from epistrat.service import CheckRequest, Given, ask


class Post(NamedTuple):
    """Alice writes, the post loses letters, Bob reads."""

    letter: str
    inbox: str


def deliver(now: Post) -> list[tuple[Any, Post]]:
    found: list[tuple[Any, Post]] = []
    if now.letter == "none":
        found += [({"Alice": f"write_{one}"}, now._replace(letter=one)) for one in ("yes", "no")]
    elif now.letter != "lost" and now.inbox == "empty":
        found += [("lose", now._replace(letter="lost")), ("arrive", now._replace(inbox=now.letter))]
    return found


def post() -> epistrat.ExploredModel:
    return epistrat.explore(
        deliver,
        [Post("none", "empty")],
        sees={"Alice": lambda s: s.letter if s.letter != "lost" else "sent", "Bob": lambda s: s.inbox},
        propositions={
            "agreed": lambda s: s.inbox == "yes",
            "wrote_no": lambda s: s.letter == "no",
            "read": lambda s: s.inbox != "empty",
        },
        groups={"alice": ["Alice"]},
    )


def test_questions_and_runs() -> None:
    model = post()
    assert len(model) == 6
    assert model.check("AG(agreed -> K(Bob, agreed))") and not model.check("AG(agreed -> K(Alice, agreed))")
    answer = model.check("AG !agreed")
    assert answer.verdict is Verdict.FAILS
    assert [label for label, _ in answer.run] == [None, {"Alice": "write_yes"}, "arrive"] and answer.run[-1][1] == Post(
        "yes", "yes"
    )
    assert model.check("EF wrote_no") and model.check("A(G(wrote_no -> G !agreed))")


def test_strategies() -> None:
    found = post().strategy("<alice>G !agreed")
    assert found and found.rules["Alice"]["none"] == "write_no"
    assert not post().strategy("<alice>F read")
    game = epistrat.explore(
        lambda s: [({"A": a, "B": b}, (a, b)) for a in ("l", "r") for b in ("l", "r")],
        [("l", "l")],
        sees={"A": lambda s: 0, "B": lambda s: s},
        propositions={"same": lambda s: s[0] == s[1]},
        groups={"a": ["A"], "both": ["A", "B"]},
    )
    assert game.strategy("<both>X !same") and not game.strategy("<a>X !same")
    assert game.check("<both>G same")


def test_monitors_and_shields() -> None:
    m = post().monitor("<alice>G !agreed", watches={"k": "K(Bob, agreed)"})()
    assert m.allowed("Alice") == ["write_no"]
    assert str(m.ask("Alice", "write_yes")).startswith("Alice must not write_yes")
    assert m.act("Alice", "write_no") and m.event(None, "arrive", {"Bob.sees": "no"}).ok
    assert m.property == "settled" and m.value("World.read") is True


def test_what_does_not_fit_together() -> None:
    with pytest.raises(ValueError, match="there is no initial state"):
        epistrat.explore(deliver, [], sees={})
    with pytest.raises(ValueError, match="`sees` does not say what it sees"):
        epistrat.explore(deliver, [Post("none", "empty")], sees={})
    with pytest.raises(ValueError, match="does not say what B does"):
        epistrat.explore(lambda s: [({"A": "x", "B": "y"}, s), ({"A": "x"}, s)], [0], sees={"A": id, "B": id})
    with pytest.raises(epistrat.OutOfBudget, match="limit of 50 states"):
        epistrat.explore(lambda s: [("up", s + 1)], [0], sees={}, most=50)
    calls = iter(range(1, 100))
    with pytest.raises(ValueError, match="something else when it is called again"):
        epistrat.explore(lambda s: [("up", next(calls))], [0], sees={}, check_deterministic=True)
    with pytest.raises(ValueError, match="can do different things"):
        epistrat.explore(
            lambda s: [({"A": "x" if s else "y"}, 1 - s)],
            [0],
            sees={"A": lambda s: 0},
            propositions={"p": bool},
            groups={"a": ["A"]},
        ).check("<a>F p")


def test_many_states() -> None:
    """20,000 states: what does not scale when it is written as lines is a matter of seconds here."""
    model = epistrat.explore(
        lambda s: [("up", (s + 1) % 20_000), ("half", s // 2)],
        [0],
        sees={"Eve": lambda s: s % 7},
        propositions={"zero": lambda s: s == 0},
    )
    assert model.check("AG EF zero") and model.check("AG(zero -> !K(Eve, zero))")


@pytest.mark.parametrize("seed", range(15))
def test_the_same_answers_as_the_model_it_was_taken_from(seed: int) -> None:
    rng = random.Random(seed)
    while True:
        system = random_system(
            rng, total=True, fairness=False, agents=2, environment=False, composition=Composition.SYNCHRONOUS
        )
        if all(agent.actions for agent in system.agents) and all(agent.red is None for agent in system.agents):
            break
    groups = {name: some for name, some in system.groups.items() if "Environment" not in some}
    system = replace(system, groups=groups or {"first": (system.agents[0].name,)})
    stepper, evaluator = Stepper(system), Evaluator(system)

    def step(state: Any) -> list[Any]:
        return [
            ({agent.name: one for agent, one in zip(system.agents, joint, strict=True)}, target)
            for joint, target in stepper.steps(state)
        ]

    model = epistrat.explore(
        step,
        initial_states(system, 500),
        sees={agent.name: lambda s, name=agent.name: view(system, name, s) for agent in system.agents},  # type: ignore[misc]
        propositions={name: lambda s, one=one: evaluator.holds(one, s) for name, one in system.propositions.items()},  # type: ignore[misc]
        groups=dict(system.groups),
    )
    for fragment in ("CTLK", "LTLK", "ATL", "CTL*K"):
        formula: Formula = random_formula(rng, system, fragment, depth=2)
        if "Environment" in str(formula) or "Test(" in repr(formula) or "Colour(" in repr(formula):
            continue
        expected = ask(CheckRequest(model=Given(system), formulae=(formula,), facts=False, remarks=False))[0].results[0]
        assert model.check(formula).verdict is expected.verdict, (fragment, formula)


def test_where_all_act_there_is_no_state_without_steps() -> None:
    """In such a state every formula about all runs would hold, for there are none."""

    def step(state: int) -> Any:
        if state < 2:
            yield {"A": "x", "B": "y"}, state + 1

    with pytest.raises(ValueError, match="nothing happens in 2, and all agents act in every step"):
        epistrat.explore(step, [0], sees={"A": lambda s: s, "B": lambda s: 0}, propositions={"goal": lambda s: False})


@pytest.mark.parametrize("label", ["", {}, {"A": ""}, {"A": 3}, 3, None])
def test_every_step_has_a_name(label: Any) -> None:
    """A step without a name could not be told to a monitor, which would then not know where it leads."""
    with pytest.raises(ValueError, match=r"has no name|an action is a text"):
        epistrat.explore(lambda s: [(label, 1)] if s == 0 else [("b", 2)], [0], sees={"A": lambda s: s})
