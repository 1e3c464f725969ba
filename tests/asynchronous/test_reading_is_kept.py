"""A session reads strategies in one way throughout, also after it has counted the states for something else."""

from __future__ import annotations

import epistrat
from epistrat.engines.contract import Options, Strategies, Verdict
from epistrat.engines.registry import load
from epistrat.solvers.budget import Budget

COIN = """
Composition = Interleaved;
Agent Coin
  Vars: side : {none, heads, tails}; won : boolean; end Vars
  Actions = {toss_heads, toss_tails, say_heads, say_tails};
  Protocol: side = none : {toss_heads, toss_tails}; side <> none : {say_heads, say_tails}; end Protocol
  Evolution:
    side = heads if Action = toss_heads;
    side = tails if Action = toss_tails;
    won = true if (side = heads and Action = say_heads) or (side = tails and Action = say_tails);
  end Evolution
end Agent
Agent Blind
  Vars: end Vars
  Actions = {say_heads, say_tails};
  Protocol: Other : {say_heads, say_tails}; end Protocol
  Evolution: end Evolution
end Agent
Evaluation won if Coin.won; end Evaluation
InitStates Coin.side = none and !Coin.won; end InitStates
Groups blind = {Blind}; end Groups
Formulae EF won; <blind>F (won and EX won); end Formulae
"""


def test_states_counted_between_two_questions_do_not_change_the_reading() -> None:
    system = epistrat.load(COIN)
    possible, winning = system.formulae
    for reading, expected in ((Strategies.ANY, Verdict.HOLDS), (Strategies.OBJECTIVE, Verdict.FAILS)):
        session = load("explicit").open(system, Options(reading), Budget())
        assert session.check(possible).verdict is Verdict.HOLDS
        assert session.facts().states == 5
        assert session.check(winning).verdict is expected
        assert load("reference").open(system, Options(reading), Budget()).check(winning).verdict is expected
        session.close()
