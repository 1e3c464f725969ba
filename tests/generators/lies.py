"""An engine that lies: ways to make a certificate false while it keeps its looks.

A lie takes a certificate and gives another one, or None where it does not apply.  Whether the result is false is for the caller to find
out: a lie that happens to be true is none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from epistrat.answers import Certificate, Strategies, Verdict
from epistrat.evidence import (
    Along,
    Answered,
    Around,
    Elsewhere,
    Enforced,
    Fixpoint,
    LookAlike,
    Part,
    Path,
    Reason,
    Restricted,
    StateStrategy,
    Tree,
    UniformStrategy,
    walk,
)
from epistrat.evidence.points import FAIR_START
from epistrat.logic.formula import Coalition, Formula, Group, Not
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.model.system import System


@dataclass(frozen=True)
class Scene:
    """What a liar knows: the system, another question about it with its certificate, and reachable states."""

    system: System
    other: Certificate
    states: list[State]


Lie: TypeAlias = Callable[[random.Random, Scene, Certificate], Certificate | None]
LIES: dict[str, Lie] = {}


def tell(lie: Lie) -> Lie:
    """Enter a lie in the list, by its name in words."""
    LIES[lie.__name__.replace("_", " ")] = lie
    return lie


# About the answer as a whole

OPPOSITE = {Verdict.HOLDS: Verdict.FAILS, Verdict.FAILS: Verdict.HOLDS}


@tell
def flips_the_verdict(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return replace(true, verdict=OPPOSITE[true.verdict])


@tell
def flips_the_verdict_and_the_roots(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    trees = tuple(replace(tree, holds=not tree.holds) for tree in true.trees)
    return replace(true, verdict=OPPOSITE[true.verdict], trees=trees)


@tell
def flips_everything(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    trees = tuple(everywhere(tree, lambda one: replace(one, holds=not one.holds)) for tree in true.trees)
    return replace(true, verdict=OPPOSITE[true.verdict], trees=trees)


@tell
def says_the_opposite_because_of_a_set(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    kind = "bounded" if true.verdict is Verdict.FAILS else "excluded"
    trees = tuple(
        replace(tree, holds=not tree.holds, because=(Fixpoint(kind, rng.randrange(9)), *fair(tree)))
        for tree in true.trees
    )
    return replace(true, verdict=OPPOSITE[true.verdict], trees=trees)


@tell
def answers_another_formula(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return None if scene.other.question == true.question else replace(true, question=scene.other.question)


@tell
def puts_another_formula_at_the_root(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    if scene.other.question == true.question:
        return None
    trees = tuple(replace(tree, claim=scene.other.question) for tree in true.trees)
    return replace(true, question=scene.other.question, trees=trees)


@tell
def swaps_trees(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return replace(true, trees=scene.other.trees) if scene.other.trees else None


@tell
def swaps_reasons(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    if not scene.other.trees:
        return None
    return replace(true, trees=(replace(true.trees[0], because=scene.other.trees[0].because),))


@tell
def denies_the_question(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    trees = tuple(replace(tree, claim=Not(tree.claim)) for tree in true.trees)
    return replace(true, question=Not(true.question), trees=trees)


@tell
def leaves_an_initial_state_out(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    """The formula fails in the state of the tree; the liar shows the others only, and says that it holds."""
    stepper = Stepper(scene.system)
    roots = {tree.state for tree in true.trees}
    starts = [s for s in scene.states if s not in roots and stepper.evaluator.holds(scene.system.initial, s)]
    if true.verdict is not Verdict.FAILS or not starts:
        return None
    trees = tuple(Tree(state, true.trees[0].claim, True, (Fixpoint("bounded", len(starts)),)) for state in starts)
    return replace(true, verdict=Verdict.HOLDS, trees=trees)


@tell
def speaks_of_a_state_that_is_not_initial(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    later = [s for s in scene.states if not Stepper(scene.system).evaluator.holds(scene.system.initial, s)]
    if not later:
        return None
    return replace(true, trees=(replace(true.trees[0], state=rng.choice(later)),))


@tell
def changes_the_reading(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return replace(true, reading=rng.choice([one for one in Strategies if one is not true.reading]), group=None)


@tell
def names_other_followers(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    if true.reading is not Strategies.UNIFORM:
        return None
    names = [agent.name for agent in scene.system.agents]
    fewer = tuple(rng.sample(names, rng.randrange(len(names))))
    return replace(true, group=fewer if true.group is None else None)


# About one place of a tree


@tell
def drops_a_reason(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return at_random(rng, true, lambda tree: bool(tree.because), lambda tree: without(tree, rng.choice(tree.because)))


@tell
def drops_a_fair_start(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return at_random(rng, true, lambda tree: bool(fair(tree)), lambda tree: without(tree, *fair(tree)))


@tell
def negates_a_claim_inside(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    roots = true.trees
    return at_random(rng, true, lambda tree: tree not in roots, lambda tree: replace(tree, holds=not tree.holds))


@tell
def replaces_a_claim_inside(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    roots = true.trees
    return at_random(rng, true, lambda tree: tree not in roots, lambda tree: replace(tree, claim=scene.other.question))


@tell
def moves_a_claim_to_another_state(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    roots = true.trees
    return at_random(
        rng, true, lambda tree: tree not in roots, lambda tree: replace(tree, state=rng.choice(scene.states))
    )


@tell
def puts_a_set_in_place_of_reasons(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(tree: Tree) -> Tree:
        kind = "excluded" if tree.holds else "bounded"
        return replace(tree, holds=not tree.holds, because=(Fixpoint(kind, 1),))

    return at_random(rng, true, lambda tree: tree not in true.trees, change)


# About runs


@tell
def swaps_two_states_of_a_path(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(path: Path) -> Path | None:
        if len(path.states) < 2:
            return None
        one, other = rng.sample(range(len(path.states)), 2)
        states = list(path.states)
        states[one], states[other] = states[other], states[one]
        return replace(path, states=tuple(states))

    return on_runs(rng, true, change)


@tell
def changes_an_action(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(path: Path) -> Path | None:
        if not path.actions:
            return None
        place = rng.randrange(len(path.actions))
        joint = list(path.actions[place])
        member = rng.randrange(len(joint))
        joint[member] = rng.choice([None, *scene.system.agents[member].actions])
        return replace(path, actions=(*path.actions[:place], tuple(joint), *path.actions[place + 1 :]))

    return on_runs(rng, true, change)


@tell
def leaves_out_a_step(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(path: Path) -> Path | None:
        if len(path.states) < 3 or len(path.actions) < 2:
            return None
        place = rng.randrange(1, len(path.states) - 1)
        return Path(path.states[:place] + path.states[place + 1 :], path.actions[: place - 1] + path.actions[place:])

    return on_runs(rng, true, change)


@tell
def changes_a_state_of_a_run(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(path: Path) -> Path | None:
        place = rng.randrange(len(path.states))
        states = (*path.states[:place], rng.choice(scene.states), *path.states[place + 1 :])
        return replace(path, states=states)

    return on_runs(rng, true, change)


@tell
def returns_to_another_state(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Around):
            return None
        return replace(reason, lasso=replace(reason.lasso, loop=rng.randrange(len(reason.lasso.states) + 1)))

    return on_reasons(rng, true, change)


@tell
def enters_a_lasso_elsewhere(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        return replace(reason, at=rng.randrange(len(reason.lasso.states))) if isinstance(reason, Around) else None

    return on_reasons(rng, true, change)


@tell
def ends_a_path_early(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Along) or len(reason.path.states) < 2:
            return None
        shorter = Path(reason.path.states[:-1], reason.path.actions[:-1])
        return Along(shorter, tuple((at, tree) for at, tree in reason.claims if at < len(shorter.states)))

    return on_reasons(rng, true, change)


@tell
def moves_claims_along_a_run(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, (Along, Around)) or not reason.claims:
            return None
        return replace(reason, claims=tuple((at + rng.choice((-1, 1)), tree) for at, tree in reason.claims))

    return on_reasons(rng, true, change)


# About knowledge


@tell
def blames_other_agents(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    names = [agent.name for agent in scene.system.agents]

    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, LookAlike):
            return None
        return replace(reason, agents=tuple(rng.sample(names, rng.randint(0, len(names)))))

    return on_reasons(rng, true, change)


@tell
def shows_a_look_alike_that_cannot_be_reached(
    rng: random.Random, scene: Scene, true: Certificate
) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, (LookAlike, Elsewhere)) or not reason.run.actions:
            return None
        return replace(reason, run=Path(reason.run.states[1:], reason.run.actions[1:]))

    return on_reasons(rng, true, change)


@tell
def adds_a_look_alike_that_cannot_be_reached(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(tree: Tree) -> Tree:
        (known, *_) = [reason for reason in tree.because if isinstance(reason, LookAlike)]
        false = replace(known, run=Path(known.run.states[-1:], ()))
        return replace(tree, because=(*tree.because, false))

    return at_random(
        rng, true, lambda tree: any(isinstance(r, LookAlike) and r.run.actions for r in tree.because), change
    )


# About strategies


@tell
def changes_a_row_of_a_strategy(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(strategy: StateStrategy | UniformStrategy) -> StateStrategy | UniformStrategy | None:
        if isinstance(strategy, StateStrategy):
            if not strategy.moves or not strategy.group.members:
                return None
            place, member = rng.randrange(len(strategy.moves)), rng.randrange(len(strategy.group.members))
            state, choice = strategy.moves[place]
            agent = scene.system.agent.get(strategy.group.members[member])
            done = (*choice[:member], rng.choice(agent.actions if agent else ("a",)), *choice[member + 1 :])
            return replace(strategy, moves=(*strategy.moves[:place], (state, done), *strategy.moves[place + 1 :]))
        if not strategy.moves:
            return None
        which = rng.randrange(len(strategy.moves))
        name, rows = strategy.moves[which]
        place = rng.randrange(len(rows))
        row = (rows[place][0], rng.choice(scene.system.agent[name].actions))
        table = (name, (*rows[:place], row, *rows[place + 1 :]))
        return replace(strategy, moves=(*strategy.moves[:which], table, *strategy.moves[which + 1 :]))

    return on_strategies(rng, true, change)


@tell
def drops_rows_of_a_strategy(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(strategy: StateStrategy | UniformStrategy) -> StateStrategy | UniformStrategy | None:
        if not strategy.moves:
            return None
        if isinstance(strategy, StateStrategy):
            return replace(strategy, moves=strategy.moves[:-1])
        return replace(strategy, moves=tuple((name, rows[:-1]) for name, rows in strategy.moves))

    return on_strategies(rng, true, change)


@tell
def lets_others_play_too(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Enforced) or not isinstance(reason.strategy, StateStrategy):
            return None
        members = reason.strategy.group.members
        others = [agent for agent in scene.system.agents if agent.name not in members and agent.actions]
        if not others:
            return None
        stepper = Stepper(scene.system)
        moves = tuple(
            (state, (*choice, (stepper.allowed(others[0], state) or others[0].actions)[0]))
            for state, choice in reason.strategy.moves
        )
        return replace(reason, strategy=StateStrategy(Group((*members, others[0].name)), moves))

    return on_reasons(rng, true, change)


@tell
def plays_for_another_coalition(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    """The same moves, said to be those of a coalition with fewer members."""

    def fewer(tree: Tree) -> Tree:
        assert isinstance(tree.claim, Coalition)
        return replace(tree, claim=replace(tree.claim, group=Group(tree.claim.group.members[1:])))

    root = true.trees[0]
    if not isinstance(root.claim, Coalition) or not root.claim.group.members:
        return None
    smaller = fewer(root)
    return replace(true, question=smaller.claim, trees=tuple(fewer(tree) for tree in true.trees))


@tell
def drops_an_answer(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Answered) or not reason.answers.moves:
            return None
        place = rng.randrange(len(reason.answers.moves))
        moves = reason.answers.moves[:place] + reason.answers.moves[place + 1 :]
        return replace(reason, answers=replace(reason.answers, moves=moves))

    return on_reasons(rng, true, change)


@tell
def lets_an_answer_lead_elsewhere(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Answered) or not reason.answers.moves:
            return None
        place = rng.randrange(len(reason.answers.moves))
        answer = replace(reason.answers.moves[place], target=rng.choice(scene.states))
        moves = (*reason.answers.moves[:place], answer, *reason.answers.moves[place + 1 :])
        return replace(reason, answers=replace(reason.answers, moves=moves))

    return on_reasons(rng, true, change)


@tell
def answers_a_smaller_coalition(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if not isinstance(reason, Answered) or not reason.answers.group.members:
            return None
        moves = tuple(replace(answer, choice=answer.choice[1:]) for answer in reason.answers.moves)
        return replace(
            reason, answers=replace(reason.answers, group=Group(reason.answers.group.members[1:]), moves=moves)
        )

    return on_reasons(rng, true, change)


@tell
def shows_a_part_of_a_table_only(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    def change(reason: Reason) -> Reason | None:
        if isinstance(reason, Answered) and reason.answers.moves:
            return replace(reason, answers=replace(reason.answers, moves=(), complete=False))
        if isinstance(reason, Enforced) and isinstance(reason.strategy, StateStrategy) and reason.strategy.moves:
            return replace(reason, strategy=replace(reason.strategy, moves=(), complete=False))
        return None

    return on_reasons(rng, true, change)


@tell
def takes_the_strategy_away(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    """The tree of the restricted system, as one of the system itself."""
    inner = [reason.tree for tree in true.trees for reason in tree.because if isinstance(reason, Restricted)]
    return replace(true, trees=tuple(inner), reading=rng.choice((true.reading, Strategies.ANY))) if inner else None


# About sets


@tell
def makes_a_set_too_large(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return on_reasons(rng, true, lambda r: replace(r, size=r.size + 1) if isinstance(r, Fixpoint) else None)


@tell
def makes_a_set_too_small(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return on_reasons(rng, true, lambda r: replace(r, size=r.size - 1) if isinstance(r, Fixpoint) and r.size else None)


@tell
def counts_rounds_wrong(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    return on_reasons(
        rng, true, lambda r: replace(r, rounds=r.rounds + 1) if isinstance(r, Fixpoint) and r.rounds else None
    )


@tell
def names_another_kind_of_set(rng: random.Random, scene: Scene, true: Certificate) -> Certificate | None:
    kinds = ("reachable", "look-alikes", "safe", "bounded", "excluded")
    return on_reasons(
        rng, true, lambda r: replace(r, kind=rng.choice(kinds), rounds=0) if isinstance(r, Fixpoint) else None
    )


# How trees are changed


def fair(tree: Tree) -> tuple[Part, ...]:
    """The parts that say that a fair run starts in the state."""
    return tuple(reason for reason in tree.because if isinstance(reason, Part) and reason.tree.claim == FAIR_START)


def without(tree: Tree, *reasons: Reason) -> Tree:
    """The tree without these reasons."""
    return replace(tree, because=tuple(reason for reason in tree.because if reason not in reasons))


def everywhere(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """The tree with every tree in it changed, the innermost first."""
    return change(
        replace(tree, because=tuple(_inside(reason, lambda t: everywhere(t, change)) for reason in tree.because))
    )


def _inside(reason: Reason, change: Callable[[Tree], Tree]) -> Reason:
    match reason:
        case Part() | LookAlike() | Elsewhere() | Restricted():
            return replace(reason, tree=change(reason.tree))
        case Along() | Around():
            return replace(reason, claims=tuple((at, change(tree)) for at, tree in reason.claims))
        case Enforced() | Answered():
            return replace(reason, claims=tuple(change(tree) for tree in reason.claims))
        case _:
            return reason


def at_random(
    rng: random.Random, true: Certificate, fits: Callable[[Tree], bool], change: Callable[[Tree], Tree]
) -> Certificate | None:
    """The certificate with one tree that fits changed; None if there is none."""
    fitting = [tree for root in true.trees for tree in walk(root) if fits(tree)]
    if not fitting:
        return None
    chosen = rng.choice(fitting)
    changed = change(chosen)
    return replace(
        true, trees=tuple(everywhere(tree, lambda one: changed if one == chosen else one) for tree in true.trees)
    )


def on_reasons(rng: random.Random, true: Certificate, change: Callable[[Reason], Reason | None]) -> Certificate | None:
    """The certificate with one reason changed."""
    found = [
        (tree, place, changed)
        for root in true.trees
        for tree in walk(root)
        for place, reason in enumerate(tree.because)
        if (changed := change(reason)) is not None
    ]
    if not found:
        return None
    tree, place, changed = rng.choice(found)
    other = replace(tree, because=(*tree.because[:place], changed, *tree.because[place + 1 :]))
    return replace(
        true, trees=tuple(everywhere(root, lambda one: other if one == tree else one) for root in true.trees)
    )


def on_runs(rng: random.Random, true: Certificate, change: Callable[[Path], Path | None]) -> Certificate | None:
    """The certificate with the path or the lasso of one reason changed."""

    def changed(reason: Reason) -> Reason | None:
        match reason:
            case Along(path):
                found = change(path)
                return None if found is None else replace(reason, path=found)
            case LookAlike(_, run) | Elsewhere(run):
                found = change(run)
                return None if found is None else replace(reason, run=found)
            case Around(lasso):
                found = change(Path(lasso.states, lasso.actions))
                if found is None:
                    return None
                return replace(reason, lasso=replace(lasso, states=found.states, actions=found.actions))
            case _:
                return None

    return on_reasons(rng, true, changed)


def on_strategies(
    rng: random.Random,
    true: Certificate,
    change: Callable[[StateStrategy | UniformStrategy], StateStrategy | UniformStrategy | None],
) -> Certificate | None:
    """The certificate with one strategy changed."""

    def changed(reason: Reason) -> Reason | None:
        if not isinstance(reason, (Enforced, Restricted)):
            return None
        strategy = reason.strategy
        found = change(strategy) if isinstance(strategy, (StateStrategy, UniformStrategy)) else None
        if found is None:
            return None
        if isinstance(reason, Restricted):
            return replace(reason, strategy=found) if isinstance(found, UniformStrategy) else None
        return replace(reason, strategy=found)

    return on_reasons(rng, true, changed)


def claims(certificate: Certificate) -> Iterator[tuple[State, Formula, bool]]:
    """All claims of the trees, without those below a strategy that restricts the system."""
    pending = list(certificate.trees)
    while pending:
        tree = pending.pop()
        yield tree.state, tree.claim, tree.holds
        if not any(isinstance(reason, Restricted) for reason in tree.because):
            pending.extend(tree.below())
