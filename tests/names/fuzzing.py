"""Random questions about strategies, engines beside the judge: ``python -m tests.names.fuzzing --verdicts 20000 --seed 1``.

Every kind of question is asked in turn.  Verdicts of engines are counted where the judge has one; a question that the judge
refuses has to be refused by the engine too.  The first difference ends the run with the model and the formula.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence

from tests.generators.arenas import (
    random_aim,
    random_arena,
    random_goal,
    random_names,
    random_path,
    random_sentence,
    with_goals,
)
from tests.generators.systems import random_system
from tests.names.comparing import compare as compare_within

from epistrat.engines.contract import Options, Strategies
from epistrat.engines.readings import refused
from epistrat.lang import load
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Tag
from epistrat.model.system import Composition, System

WITHOUT_MEMORY = (
    Options(Strategies.ANY, remembering=False, asked=Strategies.ANY),
    Options(Strategies.OBJECTIVE, asked=Strategies.OBJECTIVE),
    Options(Strategies.SUBJECTIVE, asked=Strategies.SUBJECTIVE),
)
ANY = Options(Strategies.ANY, asked=Strategies.ANY)
STATES_ONLY = Options(states_only=True)
BOTH, DIAGRAMS, TABLES = ("symbolic", "explicit"), ("symbolic",), ("explicit",)

SECONDS = 1  # for each answer: a question that takes long is not counted


def compare(
    system: System, formula: Formula, options: Options, engines: tuple[str, ...], all_of_it: bool = True
) -> int:
    """As `compare_within`, for a second each."""
    return compare_within(system, formula, options, engines, all_of_it, SECONDS)


def arena(rng: random.Random, most: int = 4, players: int = 3) -> System:
    """A game, perhaps with chance, perhaps with fairness."""
    return random_arena(
        rng,
        rng.randint(1, players),
        rng.randint(2, most),
        rng.choice((0, 0, 0.3)),
        rng.choice((0.3, 0.7)),
        rng.random() < 0.2,
        rng.random() < 0.5,
    )


def unfair(rng: random.Random, most: int = 4, players: int = 3, chance: float = 0.3) -> System:
    """A game without fairness constraints, which names and equilibria do not admit."""
    often = rng.choice((0.0, chance))
    return random_arena(rng, rng.randint(1, players), rng.randint(2, most), often, own=rng.random() < 0.4)


def coalitions_remembering(rng: random.Random) -> int:
    system = arena(rng)
    return compare(system, random_aim(rng, system), Options(), BOTH)


def coalitions_remembering_anywhere(rng: random.Random) -> int:
    system = random_system(
        rng, agents=2
    )  # interleaved too, with dead ends, with fairness constraints that are formulae
    return compare(system, random_aim(rng, system), ANY, BOTH)


def coalitions_without_memory(rng: random.Random) -> int:
    system = arena(rng, 3, 2)
    return compare(system, random_aim(rng, system), rng.choice(WITHOUT_MEMORY), TABLES, all_of_it=False)


def coalitions_without_memory_anywhere(rng: random.Random) -> int:
    system = random_system(rng, agents=2)
    return compare(system, random_aim(rng, system), rng.choice(WITHOUT_MEMORY), TABLES, all_of_it=False)


def names_remembering(rng: random.Random) -> int:
    system = unfair(rng)
    return compare(system, random_sentence(rng, system, Tag.PERFECT), Options(), DIAGRAMS)


def names_remembering_anywhere(rng: random.Random) -> int:
    system = random_system(rng, agents=2, fairness=False, composition=Composition.SYNCHRONOUS)
    return compare(system, random_sentence(rng, system, Tag.PERFECT, shared=0), Options(), DIAGRAMS, all_of_it=False)


def tagged(rng: random.Random, formula: Formula) -> Formula:
    tag = rng.choice((None, Tag.STATES, Tag.VIEWS))
    return formula if tag is None else logic.Tagged(tag, formula)


def names(rng: random.Random) -> int:
    system = unfair(rng, 3, 2)
    return compare(system, tagged(rng, random_names(rng, system)), Options(), BOTH, all_of_it=False)


def names_without_choice(rng: random.Random) -> int:
    """Where protocols leave one action everywhere diagrams answer, too."""
    system = random_arena(rng, rng.randint(1, 2), rng.randint(2, 4), rng.choice((0.0, 0.5)), 1.0)
    return compare(system, tagged(rng, random_names(rng, system)), Options(), BOTH, all_of_it=False)


def names_anywhere(rng: random.Random) -> int:
    system = random_system(rng, agents=2, fairness=False)  # interleaved too, with dead ends
    return compare(system, tagged(rng, random_names(rng, system)), Options(), BOTH, all_of_it=False)


def equilibrium(rng: random.Random, system: System) -> Formula:
    formula: Formula = rng.choice((logic.SomeEquilibrium, logic.EveryEquilibrium))(random_path(rng, system, 2))
    return logic.Knows(system.agents[0].name, formula) if rng.random() < 0.2 else formula


def equilibria_remembering(rng: random.Random) -> int:
    system = unfair(rng, chance=0.1)
    system = with_goals(rng, system, rng.choice((1, 2)))
    return compare(system, equilibrium(rng, system), Options(), DIAGRAMS)


def equilibria_watching_states(rng: random.Random) -> int:
    system = with_goals(rng, unfair(rng, 3, chance=0.1), rng.choice((1, 1, 2)))
    return compare(system, equilibrium(rng, system), STATES_ONLY, TABLES)


def equilibria_without_memory(rng: random.Random) -> int:
    system = with_goals(rng, unfair(rng, 3, 2, 0.1), 1)
    formula = logic.Tagged(rng.choice((Tag.STATES, Tag.VIEWS)), equilibrium(rng, system))
    return compare(system, formula, Options(), TABLES)


def families(rng: random.Random) -> int:
    """A family of players, whose strategies are quantified and bound by one line each."""
    count = 2
    first, second = rng.sample(("<<x>>", "[[y[i in 1..n]]]" if rng.random() < 0.5 else "<<y[i in 1..n]>>"), 2)
    goal = rng.choice(("F p", "G p", "G F p", "F q[1]", "(F p) and G F q[n]", "F G p"))
    tag = rng.choice(("", "#Ir ", "#PR "))
    loaded = load(
        f"""
        Parameters n = {count} in 1..; end Parameters
        Agent Environment
          Obsvars: at : 0..2; end Obsvars
          Actions = {{a, b}};
          Protocol: at = {rng.randrange(3)} : {{{rng.choice("ab")}}}; Other : {{a, b}}; end Protocol
          Evolution:
            at = {rng.randrange(3)} if Action = {rng.choice("ab")} and P[1].Action = r;
            at = {rng.randrange(3)} if Action = {rng.choice("ab")} and P[n].Action = l and P[1].Action = l;
          end Evolution
        end Agent
        Agent P[i in 1..n]
          Vars: end Vars
          Actions = {{l, r}};
          Protocol: Environment.at = {rng.randrange(3)} : {{l}}; Other : {{l, r}}; end Protocol
          Evolution: end Evolution
        end Agent
        Evaluation
          p if Environment.at = {rng.randrange(3)}; q[i in 1..n] if Environment.at = i - 1;
        end Evaluation
        InitStates Environment.at = 0; end InitStates
        Formulae {tag}{first} {second} (Environment, x) (P[i in 1..n], y[i]) ({goal}); end Formulae
        """
    )
    assert loaded.system is not None, [str(one) for one in loaded.diagnostics]
    return compare(loaded.system, loaded.system.formulae[0], Options(), BOTH, all_of_it=False)


def past_is_refused(rng: random.Random) -> int:
    system = unfair(rng)
    goal = logic.And((random_goal(rng, system, 1), logic.Once(logic.Prop("p"))))
    formula = logic.SomeStrategy("x", logic.Bound("Ann", "x", goal))
    reason = refused(system, formula, Options())
    assert reason is not None and "past" in reason
    return 0


KINDS: dict[str, Callable[[random.Random], int]] = {
    one.__name__: one
    for one in (
        coalitions_remembering,
        coalitions_remembering_anywhere,
        coalitions_without_memory,
        coalitions_without_memory_anywhere,
        names_remembering,
        names_remembering_anywhere,
        names,
        names_without_choice,
        names_anywhere,
        equilibria_remembering,
        equilibria_watching_states,
        equilibria_without_memory,
        families,
        past_is_refused,
    )
}


def fuzz(verdicts: int, seed: int, seconds: float, only: Sequence[str] = ()) -> Counter[str]:
    """So many verdicts compared, or as many as there was time for."""
    kinds = {name: kind for name, kind in KINDS.items() if not only or name in only}
    counts: Counter[str] = Counter()
    end = time.monotonic() + seconds
    number = 0
    while counts.total() < verdicts and time.monotonic() < end:
        for name, kind in kinds.items():
            try:
                counts[name] += kind(random.Random(f"{seed} {number} {name}"))
            except Exception:
                print(f"seed {seed}, number {number}, {name}")
                raise
        number += 1
    return counts


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.names.fuzzing")
    parser.add_argument("--verdicts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--only", action="append", default=[], choices=list(KINDS))
    options = parser.parse_args()
    counts = fuzz(options.verdicts, options.seed, options.seconds, options.only)
    for name, count in counts.items():
        print(f"{count:8,}  {name}")
    print(f"{counts.total():8,}  verdicts compared, none wrong")


if __name__ == "__main__":
    main()
