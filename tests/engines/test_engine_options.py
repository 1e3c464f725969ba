"""Options of single engines: flags, keywords and documentation come from the fields of one dataclass per engine."""

from __future__ import annotations

import pickle
import runpy
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest

import epistrat
from epistrat.api.options import CheckOptions, EngineOptions
from epistrat.cli.arguments import parser
from epistrat.engines import registry
from epistrat.engines.contract import Options
from epistrat.engines.explicit.tuning import ExplicitTuning
from epistrat.engines.symbolic.tuning import SymbolicTuning
from epistrat.engines.tuning import BadOption
from epistrat.service.settings import engine_options

DOCS = Path(__file__).parents[2] / "docs"
MODEL = """
Agent A
  Vars: x: boolean; end Vars
  Actions = {flip};
  Protocol: Other: {flip}; end Protocol
  Evolution: x = true if x = false; x = false if x = true; end Evolution
end Agent
Evaluation on if A.x = true; end Evaluation
InitStates A.x = false; end InitStates
Formulae AG (on or !on); end Formulae
"""


@pytest.mark.parametrize(("page", "made"), [("cli.md", "options"), ("engines.md", "engines")])
def test_the_manual_lists_engines_and_their_options(page: str, made: str) -> None:
    table = "\n".join(runpy.run_path(str(DOCS / "tables.py"))[made]())
    assert table in (DOCS / page).read_text(encoding="utf-8"), f"docs/{page} should contain\n{table}"


def test_every_option_is_a_flag() -> None:
    given = ["check", "m.ispl"]
    known = parser(given).parse_args(given)
    for name in registry.options():
        assert getattr(known, name) is None


def test_options_reach_the_engine_that_has_them() -> None:
    tuning = registry.read_options({"order": "2", "reduce": "off", "bdd": None})
    options = Options(tuning=tuning)
    assert options.tuned(SymbolicTuning) == SymbolicTuning(order="2")
    assert options.tuned(ExplicitTuning) == ExplicitTuning("off")
    assert Options().tuned(ExplicitTuning) == ExplicitTuning()
    assert pickle.loads(pickle.dumps(options)) == options


@pytest.mark.parametrize("engine", registry.NAMES)
def test_engines_ignore_the_options_of_others(engine: str) -> None:
    (result,) = epistrat.load(MODEL).check(engine=engine, order="declared", reduce="off")
    assert result


def test_mistakes_are_told_whichever_engine_is_taken() -> None:
    model = epistrat.load(MODEL)
    with pytest.raises(BadOption, match="there is no reduce 'sometimes'; there are off, auto"):
        model.check(engine="symbolic", reduce="sometimes")
    for names in ("con", "cone,con", "con,cone"):
        with pytest.raises(
            BadOption, match="there is no optimisation 'con'; there are ranks, invariants, static, cores"
        ):
            model.check(engine="lazy", without=names)
    with pytest.raises(TypeError, match="there is no option 'ordr'; did you mean 'order'"):
        model.check(ordr="1")  # type: ignore[call-arg]  # type checkers see it too


def test_every_default_is_a_value_that_exists() -> None:
    for tuning in (SymbolicTuning(), ExplicitTuning()):
        assert all(one.metadata["words"] for one in fields(tuning))


def test_the_keywords_that_type_checkers_know_are_those_there_are() -> None:
    assert set(EngineOptions.__annotations__) == set(engine_options())
    assert set(EngineOptions.__annotations__) < set(CheckOptions.__annotations__)
    for method in (epistrat.System.check, epistrat.System.report):
        assert signature(method).parameters["options"].annotation == "Unpack[CheckOptions]"
