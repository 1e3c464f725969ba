"""Games of EVE: how they are read, and that they mean what their language says."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from tests.names.comparing import answer

from epistrat.cli.main import main
from epistrat.engines.contract import Options, Verdict
from epistrat.lang import load
from epistrat.lang.rml.parse import Command, Expression, Module, Reader
from epistrat.lang.rml.translate import translate
from epistrat.logic import formula as logic
from epistrat.logic.show import show
from epistrat.model.explore import ReachableGraph, explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.source import NotRead

PENNIES = """
-- who shows the same coin, and who shows another one
module ann controls a
  init :: true ~> a' := true; :: true ~> a' := false;
  update :: true ~> a' := true; :: true ~> a' := false;
  goal :: G F (a <-> b);
module bob controls b
  init :: true ~> b' := true; :: true ~> b' := false;
  update :: true ~> b' := true; :: true ~> b' := false;
  goal :: F G !(a <-> b);
property
  :: F a;
"""
LAMP = """
module ann controls up
  init :: true ~> up' := false;
  update :: !lit ~> up' := true; :: true ~> up' := false;
  goal :: G F lit;
module bob controls down
  init :: true ~> down' := false;
  update :: lit ~> down' := true; :: true ~> down' := false;
  goal :: F G !lit;
module environment controls lit
  init :: true ~> lit' := false;
  update
  :: up and !down ~> lit' := true;
  :: down ~> lit' := false;
property
:: G !lit;
"""


def system_of(text: str) -> System:
    found = translate(text)
    loaded = load(found.text)
    assert loaded.system is not None, (found.text, [str(one) for one in loaded.diagnostics])
    return loaded.system


def reached_of(system: System) -> ReachableGraph:
    return explore(Stepper(system), initial_states(system))


def said(text: str) -> list[Verdict]:
    system = system_of(text)
    found = [answer("symbolic", system, one, Options()).verdict for one in system.formulae]
    assert found == [answer("reference", system, one, Options()).verdict for one in system.formulae]
    return found


def test_pennies() -> None:
    """Each coin is chosen in a first step; whoever loses changes its mind."""
    system = system_of(PENNIES)
    assert [show(one) for one in system.formulae] == ["Nash", "ENash(X F a)", "ANash(X F a)"]
    assert [name for name, _ in system.goals] == ["ann", "bob"]
    assert said(PENNIES) == [Verdict.FAILS, Verdict.FAILS, Verdict.HOLDS]


def test_an_environment_reacts_at_once() -> None:
    """The lamp is dark when both act: bob, who acts where it is lit alone, cannot keep it from being lit."""
    system = system_of(LAMP)
    assert len(reached_of(system).states) == 2
    assert said(LAMP) == [Verdict.HOLDS, Verdict.FAILS, Verdict.FAILS]


@pytest.mark.parametrize(
    ("text", "marked", "word"),
    [
        ("module a controls x init :: true ~> x' := 3;", "3", "language"),
        ("module a controls x init :: true ~> y' := true;", "y", "does not control"),
        (PENNIES.replace("G F (a", "G F (c"), "c <->", "no module"),
        (PENNIES.replace("controls b", "controls a"), "a' := true;", "b"),
        (LAMP.replace("G F lit", "G F up"), "up", "environment"),
        (LAMP.replace(":: !lit ~>", ":: !up ~>"), ":: !up ~>", "environment"),
        ("property :: F a;", "", "player"),
        (PENNIES.replace("module bob", "module ann"), "ann controls b", "twice"),
        (PENNIES + "modul", "modul", "expected"),
    ],
)
def test_mistakes_are_located(text: str, marked: str, word: str) -> None:
    with pytest.raises(NotRead) as caught:
        translate(text)
    assert word in str(caught.value), caught.value
    assert text[caught.value.at :].startswith(marked) or word == "b", text[caught.value.at :][:30]


def test_operators_bind_as_in_eve() -> None:
    """One level for all connectives, to the left; U before them."""
    reader = Reader("property :: G a or b and c U !d -> a;")
    reader.read()
    assert reader.properties == [("->", ("and", ("or", ("G", "a"), "b"), ("U", "c", ("!", "d"))), "a")]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pennies.rml"
    file.write_text(PENNIES, encoding="utf-8")
    assert main(["import", str(file)]) == 0
    assert load(capsys.readouterr().out).system == system_of(PENNIES)
    assert main(["check", str(file)]) == 1
    file.write_text("module ann controls a", encoding="utf-8")
    assert main(["check", str(file)]) == 3
    assert "E043" in capsys.readouterr().err


def test_an_empty_bracket_is_false() -> None:
    found = translate(LAMP.replace(":: !lit ~>", ":: () ~>"))
    assert [words for words, _ in found.remarks] == ["an empty bracket is read as false"]


# what the language means, by going through the commands


def test_names_that_ispl_keeps_for_itself() -> None:
    """Modules and variables may be called alike, and as words of ISPL."""
    text = "module x controls x, end init :: true ~> x' := true; update :: end ~> x' := false; goal :: G F x;"
    assert len(reached_of(system_of(text)).states) == 1


@pytest.mark.parametrize("seed", range(12))
def test_random_games(seed: int) -> None:
    """States and verdicts: the translation's beside those of the commands themselves."""
    rng = random.Random(seed)
    for _ in range(4):
        text = random_game(rng)
        system = system_of(text)
        reader = Reader(text)
        reader.read()
        states, edges = _states(reader.modules)
        reached = reached_of(system)
        assert len(reached.states) == len(states), text
        assert sum(len({target for _, target in steps}) for steps in reached.steps) == edges, text
        said(text)


def random_game(rng: random.Random) -> str:
    """Two or three modules, sometimes an environment, with random commands."""
    players = ["a", "b", "c"][: rng.choice((2, 2, 3))]
    owned = {one: [f"{one}{number}" for number in range(rng.choice((1, 1, 2)))] for one in players}
    around = rng.random() < 0.4
    seen = ["e0", "e1"] if around else [name for names in owned.values() for name in names]
    parts = []
    for one in players:
        updates = [(rng.choice(["true", _condition(rng, seen)]), _assigned(rng, owned[one], seen)) for _ in range(2)]
        parts.append(_module(one, owned[one], updates, _goal(rng, seen)))
    if around:
        everything = [*seen, *(name for names in owned.values() for name in names)]
        updates = [(_condition(rng, everything), _assigned(rng, seen, seen)) for _ in range(3)]
        parts.append(_module("environment", seen, updates, ""))
    return "\n".join(parts)


def _module(name: str, owned: list[str], updates: list[tuple[str, str]], goal: str) -> str:
    first = ", ".join(f"{one}' := false" for one in owned)
    commands = " ".join(f":: {guard} ~> {assigned};" for guard, assigned in updates)
    ends = f"goal :: {goal};" if goal else ""
    return f"module {name} controls {', '.join(owned)} init :: true ~> {first}; update {commands} {ends}"


def _assigned(rng: random.Random, owned: list[str], seen: list[str]) -> str:
    some = rng.sample(owned, rng.randint(1, len(owned)))
    return ", ".join(f"{one}' := {rng.choice(('true', 'false', _condition(rng, seen)))}" for one in some)


def _condition(rng: random.Random, names: list[str]) -> str:
    one, two = rng.choice(names), rng.choice(names)
    return rng.choice((one, f"!{one}", f"({one} or !{two})", f"({one} and {two})", f"({one} <-> {two})"))


def _goal(rng: random.Random, names: list[str]) -> str:
    one, two = _condition(rng, names), _condition(rng, names)
    return rng.choice((f"G F {one}", f"F G {one}", f"F {one}", f"{one} U {two}", f"(G F {one}) -> G F {two}"))


def _states(modules: list[Module]) -> tuple[set[frozenset[str]], int]:
    """The reachable sets of true variables, and how many pairs of them are steps."""
    around = next((one for one in modules if one.name == "environment"), None)
    players = [one for one in modules if one is not around]
    found: dict[frozenset[str], set[frozenset[str]]] = {}
    work = [frozenset[str]()]
    while work:
        state = work.pop()
        if state in found:
            continue
        found[state] = set()
        for commands in product(*[_enabled(one, state) for one in players]):
            changes: dict[str, bool] = {}
            for command in commands:
                if command is not None:
                    changes |= {name: _true(value, state) for name, value in command.assigns}
            if around is not None:
                chosen = {name for name, value in changes.items() if value}
                first = next((one for one in around.update if _true(one.guard, state | chosen)), None)
                changes = {} if first is None else {name: _true(value, state) for name, value in first.assigns}
            after = frozenset(state - set(changes) | {name for name, value in changes.items() if value})
            found[state].add(after)
            work.append(after)
    return set(found), sum(map(len, found.values()))


def _enabled(module: Module, state: frozenset[str]) -> list[Command | None]:
    return [one for one in module.update if _true(one.guard, state)] or [None]


def _true(node: Expression, state: frozenset[str] | set[str]) -> bool:
    if isinstance(node, str):
        return node == "true" or node in state
    parts = [_true(part, state) for part in node[1:]]
    return {
        "!": lambda: not parts[0],
        "and": lambda: all(parts),
        "or": lambda: any(parts),
        "->": lambda: not parts[0] or parts[1],
        "<->": lambda: parts[0] == parts[1],
    }[node[0]]()


def test_formulae_of_games_are_about_equilibria() -> None:
    kinds = (logic.SomeEquilibrium, logic.EveryEquilibrium)
    assert all(isinstance(one, kinds) for one in system_of(LAMP).formulae)
