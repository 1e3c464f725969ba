"""Sentences about what was proved of infinitely many states: conditions that stay true, numbers that fall.

Conditions are printed whole: what they do not need was left out before (`epistrat.evidence.shorten`).
"""

from __future__ import annotations

from collections.abc import Sequence

from epistrat.answers.explanation import Say
from epistrat.evidence import Derivation, Descent, Enforced, Fact, Invariant, Region, Stated, Tree
from epistrat.evidence.shapes import positive
from epistrat.explain.denial import assurance, denial
from epistrat.explain.sentences import itself, short
from epistrat.explain.words import MOST_NAMES, counted, facts, listed
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula
from epistrat.model.conditions import as_condition, is_condition
from epistrat.model.system import System
from epistrat.terms import TRUE, Expr, Terms, variables
from epistrat.terms.show import show_condition, show_expr

Proof = Invariant | Region | Descent | Derivation | Stated
_MOST_FACTS = 8  # of a state that is described within a sentence
_LONGEST = 200  # characters of a condition within a summary


def whole(condition: Expr) -> str:
    """A condition, never cut."""
    return f"`{show_condition(condition)}`"


def proof_sentence(system: System, tree: Tree, reason: Proof, there: bool) -> Say:
    """What was proved; ``there``: a run was told that leads to the state, otherwise it is an initial one."""
    return Say(_told(system, tree, reason, there), (itself(tree),))


def proof_summary(system: System, tree: Tree, reason: Proof, there: bool) -> Say:
    """The same in one sentence that stands alone: with the initial state that it is about, and without a long condition."""
    text = _told(system, tree, reason, there)
    long = isinstance(reason, Invariant) and len(show_condition(reason.condition)) > _LONGEST
    if long or isinstance(reason, Derivation):
        said = assurance(system, tree.claim)[:-1]
        return Say(said if said.startswith("`") else said[0].lower() + said[1:], (itself(tree),))
    if not isinstance(reason, Region):
        return Say(text, (itself(tree),))
    text = text.split(": ", 1)[0]
    known = () if there else facts(system, shown_by(system, tree, reason), tree.state)
    if known:
        text = f"from the initial state with {listed(known, _MOST_FACTS)} {text}".replace(" from there", "")
    return Say(text, (itself(tree),))


def shown_by(system: System, tree: Tree, reason: Region | Descent) -> list[int]:
    """The variables whose values in the state make the claim true, by the proof: those that say that the state is inside."""
    conditions = [reason.condition] if isinstance(reason, Region) else [place.condition for place in reason.places]
    read = set(variables(*conditions))
    claim = positive(tree.claim, tree.holds)
    for part in logic.subformulae(claim or tree.claim):
        if is_condition(part):
            read |= variables(as_condition(system, part))
    return sorted(system.position[key] for key in read)


def _told(system: System, tree: Tree, reason: Proof, there: bool) -> str:
    truth = f"{short(tree.claim)} is {'true' if tree.holds else 'false'}"
    match reason:
        case Stated():
            if there:
                return f"{truth} there"
            said = assurance(system, tree.claim) if tree.holds else denial(system, tree.claim)
            return said[:-1] if said.startswith("`") else said[0].lower() + said[1:-1]
        case Descent():
            return f"{_falling(reason)}, so {truth}"
        case Invariant(condition):
            return _invariant(system, tree, condition, truth)
        case Derivation(invariant, known):
            return _derived(tree, invariant, known, truth)
        case Region(condition, None):
            return _kept(system, tree, condition, there)
        case Region(condition, measure):
            assert measure is not None
            return f"while {whole(condition)} is true, `{show_expr(measure)}` becomes smaller with {_steps(tree)}, so {truth}"


def _invariant(system: System, tree: Tree, condition: Expr, truth: str) -> str:
    match tree.claim:
        case logic.ForAll(logic.Globally(f)) if tree.holds and is_condition(f):
            if _same(system, f, condition):
                return f"{short(f)} is true at the start, and no step makes it false"
            return f"{whole(condition)} is true at the start, no step makes it false, and it implies {short(f)}"
        case _:
            return f"{whole(condition)} is true at the start and no step makes it false, so {truth}"


def _derived(tree: Tree, invariant: Expr, known: Sequence[Fact], truth: str) -> str:
    """What a derivation uses, in the order in which it is proved; the claim itself comes last."""
    inner = [fact for fact in known if (fact.claim, fact.holds) != (tree.claim, tree.holds)]
    own = next((fact for fact in known if fact not in inner), None)
    parts = [] if invariant == TRUE else [f"{whole(invariant)} is true at the start and no step makes it false"]
    parts += [_known(fact) for fact in inner]
    if own is not None and (own.where != TRUE or not parts):
        parts.append(_known(own))
    return f"{'; '.join(parts)}; so {truth}" if inner or len(parts) > 1 else f"{', '.join(parts)}, so {truth}"


def _known(fact: Fact) -> str:
    """One fact in words."""
    said = f"{short(fact.claim)} is {'true' if fact.holds else 'false'}"
    place = "everywhere" if fact.where == TRUE else f"where {whole(fact.where)}"
    match fact.reason:
        case Descent():
            return f"{place} {_falling(fact.reason)}, so {said}"
        case Region() if isinstance(fact.claim, logic.Coalition) and not fact.holds:
            kept = "prevent it" if fact.where == TRUE else "keep it so"
            whoever = listed(fact.claim.group.members, MOST_NAMES) or "nobody"
            return f"{place}, whatever {whoever} may do, the others can {kept}, and {said}"
        case _:
            return f"{place} {said}"


def _kept(system: System, tree: Tree, condition: Expr, there: bool) -> str:
    """That steps stay in a region: all of them, some, or those of a strategy."""
    claim = positive(tree.claim, tree.holds)
    arg = getattr(claim, "arg", None)
    if claim is None or not isinstance(arg, logic.Globally):
        return f"in every state with {whole(condition)} {short(tree.claim)} is {'true' if tree.holds else 'false'}"
    here = "there" if there else "at the start"
    inside = f"{whole(condition)} is true {here}"
    hold = arg.arg
    same = is_condition(hold) and _same(system, hold, condition)
    avoided = hold.arg if isinstance(hold, logic.Not) and not tree.holds else None
    what = f"{short(hold)} is true" if avoided is None else f"{short(avoided)} is false"
    match claim:
        case logic.Exists():
            goal = (
                f"a run can keep {short(hold)} true for ever"
                if avoided is None
                else f"a run can avoid {short(avoided)} for ever"
            )
            if same:
                return f"{goal}: wherever {what}, some step leaves it so"
            return f"{goal}: {inside}, where it is true some step leaves it so, and {what} then"
        case logic.Coalition():
            if same:
                return f"{what} {here}, and steps under the strategy leave it so"
            return f"{what} for ever: {inside}, steps under the strategy leave it so, and {what} then"
        case _:
            goal = f"{what} for ever" if avoided is None else f"no run from there ever comes to {short(avoided)}"
            if same:
                return f"{goal}: wherever {what}, every step leaves it so"
            return f"{goal}: {inside}, every step leaves it so, and {what} then"


def _steps(tree: Tree) -> str:
    if any(isinstance(reason, Enforced) for reason in tree.because):
        return "every step under the strategy"
    return "some step" if isinstance(positive(tree.claim, tree.holds), logic.Exists) else "every step"


def _same(system: System, formula: Formula, condition: Expr) -> bool:
    """Whether a condition is written like the formula."""
    asked = as_condition(system, formula)
    return show_condition(asked) == show_condition(condition) or asked == Terms().conjunction([condition])


def _falling(reason: Descent) -> str:
    """That the measures of a descent come to an end."""
    numbers: dict[str, None] = {}
    for place in reason.places:
        numbers.update(dict.fromkeys(f"`{show_expr(one)}`" for one in place.measures if variables(one)))
    count = len(reason.places)
    if not numbers:
        return f"at most {counted(count, 'step')} {'leads' if count == 1 else 'lead'} to the goal"
    if count == 1:
        return f"{next(iter(numbers))} becomes smaller with every step until the goal is met"
    named = " and ".join(numbers) if len(numbers) <= MOST_NAMES else f"{len(numbers)} numbers"
    verb = "falls" if len(numbers) == 1 else "fall"
    return f"the way to the goal has {count} stages, which come in order while {named} {verb}"
