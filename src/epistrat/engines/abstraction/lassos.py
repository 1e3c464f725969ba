"""A run that violates a linear formula, from evidence about the formula of branching time that was answered in its place.

Such evidence leads along paths to a circle, or to a state from which any circle of explored states will do.  Whether the run that they
make together violates the linear formula is evaluated on the run itself.
"""

from __future__ import annotations

from epistrat.evidence import Abstract, Along, Around, Lasso, Part, Path, Tree
from epistrat.evidence.conditions import StateConditions
from epistrat.evidence.linear import LassoTruth
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System

_MOST_STEPS = 5_000  # that are looked at in search of a circle,
_LONGEST = 12  # of so many states at most


def violating_lasso(system: System, stepper: Stepper, claim: Formula, tree: Tree) -> Lasso | None:
    """A run on which the claim, ``A f`` over infinite runs, is false; None where the evidence leads to none."""
    if not (isinstance(claim, logic.ForAll) and claim.star):
        return None
    run, circle = along(tree)
    circle = circle or _any_circle(stepper, run.last)
    if circle is None:
        return None
    lasso = _joined(run, circle)
    conditions = StateConditions(system)
    truth = LassoTruth(
        len(lasso.states), lasso.loop, lambda place, formula: conditions.value(formula, lasso.states[place], {})
    )
    return lasso if truth.word(claim.arg).at(0) is False else None


def along(tree: Tree) -> tuple[Path, Lasso | None]:
    """The run along the paths of a tree, and the circle that it comes to, if there is one."""
    run, current = Path((tree.state,), ()), tree
    while True:
        below: Tree | None = None
        for reason in (one.run if isinstance(one, Abstract) else one for one in current.because):
            match reason:
                case Around(lasso):
                    return run, lasso
                case Along(path, claims):
                    run = run.then(path)
                    last = len(path.actions)
                    below = next((claim for at, claim in claims if at == last and claim.because), None)
                    break
                case Part(part) if part.because:
                    below = part
                    break
        if below is None:
            return run, None
        current = below


def _joined(run: Path, circle: Lasso) -> Lasso:
    before = len(run.actions)
    return Lasso(run.states[:-1] + circle.states, run.actions + circle.actions, before + circle.loop)


def _any_circle(stepper: Stepper, state: State) -> Lasso | None:
    """A run from this state that repeats, found depth first among few states."""
    states, actions = [state], list[Joint]()
    place = {state: 0}
    ways = [stepper.steps(state)]
    looked_at = 0
    while ways and looked_at < _MOST_STEPS:
        step = next(ways[-1], None)
        looked_at += 1
        if step is None or len(states) > _LONGEST:
            ways.pop()
            place.pop(states.pop(), None)
            del actions[-1:]
            continue
        actions.append(step.joint)
        if step.target in place:
            return Lasso(tuple(states), tuple(actions), place[step.target])
        place[step.target] = len(states)
        states.append(step.target)
        ways.append(stepper.steps(step.target))
    return None
