"""What the builder accepts is accepted as ISPL too, and means the same."""

from __future__ import annotations

import random

import pytest

import epistrat

NAMES = (
    "x",
    "n",
    "end",
    "if",
    "and",
    "Agent",
    "A",
    "U",
    "boolean",
    "Action",
    "true",
    "Other",
    "K",
    "xor",
    "lit",
    "CTL",
)


def build(names: tuple[str, ...], value: int) -> epistrat.System:
    agent, variable, counter, action, proposition, group = names
    model = epistrat.Builder()
    a = model.agent(agent)
    x, y = a.boolean(variable), a.range(counter, 0, 3)
    a.actions(action, "skip")
    a.otherwise(action, "skip")
    a.evolve(a.action == action, **{variable: ~x})
    model.initial(x == False, y == value)  # noqa: E712
    model.proposition(proposition, x == True)  # noqa: E712
    model.group(group, a)
    model.formula(f"AG !{proposition}", f"<{group}>F {proposition}")
    return model.build()


@pytest.mark.parametrize("seed", range(120))
def test_every_model_that_is_built_is_read_again(seed: int) -> None:
    rng = random.Random(seed)
    try:
        model = build(tuple(rng.sample(NAMES, 6)), rng.randrange(-1, 5))
    except (epistrat.ModelError, epistrat.InputError):
        return
    assert epistrat.load(model.to_ispl()) == model


def test_some_models_are_built() -> None:
    assert [r.verdict.value for r in build(("L", "x", "n", "up", "lit", "g"), 2).check()] == ["fails", "holds"]


@pytest.mark.parametrize("place", range(6))
def test_reserved_words_are_no_names(place: int) -> None:
    names = ["L", "x", "n", "up", "lit", "g"]
    names[place] = "end"
    with pytest.raises((epistrat.ModelError, epistrat.InputError), match="end"):
        build(tuple(names), 2)


def test_a_value_out_of_range_and_an_empty_model() -> None:
    with pytest.raises(epistrat.ModelError, match="9"):
        build(("L", "x", "n", "up", "lit", "g"), 9)
    with pytest.raises(epistrat.ModelError, match="at least one agent"):
        epistrat.Builder().build()
