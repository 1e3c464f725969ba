"""What a witness tree offers to whoever tells it: its parts, its reasons, and what a path shows at its end."""

from __future__ import annotations

from epistrat import evidence as e
from epistrat.evidence import Tree
from epistrat.evidence.points import FAIR_START
from epistrat.explain.sentences import asked, named
from epistrat.logic.formula import Common, Exists, Finally, ForAll, Globally, Reading, knows_whether
from epistrat.logic.histories import about_histories
from epistrat.model.state import State


def claims_at_the_end(tree: Tree, path: e.Path, claims: tuple[tuple[int, Tree], ...]) -> list[Tree]:
    """The claims about the last state of a path; where evidence makes none, what the path must show there to decide the tree's claim."""
    found = [claim for at, claim in claims if at == len(path.actions) and claim.claim != FAIR_START]
    if found:
        return found
    match tree.claim, tree.holds:
        case (ForAll(Globally(f)), False) | (Exists(Finally(f)), True):
            return [Tree(path.last, f, tree.holds)]
    return []


def doubts(tree: Tree) -> tuple[str, ...]:
    """Who cannot rule out that who cannot rule out ...: the links of a chain of look-alikes that refutes common knowledge."""
    found: list[str] = []
    current = tree
    while isinstance(asked(current.claim), Common) and not current.holds:
        links = [reason for reason in current.because if isinstance(reason, e.LookAlike)]
        if not links:
            break
        found.append(named(links[0].agents))
        current = links[0].tree
    return tuple(found)


def same_history(reason: e.LookAlike, state: State, run: e.Path) -> bool:
    """Whether the look-alike is what is the case: in the same state, and, where the past matters, after the same history."""
    if reason.tree.state != state:
        return False
    past = reason.reading is not Reading.OBSERVATION or about_histories(reason.tree.claim)
    return not past or reason.run.states == run.states


def unlike(tree: Tree) -> e.LookAlike | None:
    """Of evidence that an agent does not know whether: the state that looks the same and differs in what it is about."""
    if tree.holds or knows_whether(tree.claim) is None:
        return None
    below = [reason for part in parts_of(tree) for reason in part.because]
    found = [one for one in below if isinstance(one, e.LookAlike) and one.tree.state != tree.state]
    return found[0] if found else None


def parts_of(tree: Tree) -> list[Tree]:
    """The operands that are reasons for a claim; that a fair run starts here is no news."""
    parts = [reason.tree for reason in tree.because if isinstance(reason, e.Part)]
    return [part for part in parts if part.claim != FAIR_START]


def reasons_of(tree: Tree) -> list[e.Reason]:
    """The reasons that are not parts; of all uniform strategies that were tried, the first."""
    reasons: list[e.Reason] = [reason for reason in tree.because if not isinstance(reason, e.Part)]
    return reasons[:1] if reasons and isinstance(reasons[0], e.Restricted) else reasons


def concrete(reason: e.Reason) -> e.Reason:
    """The reason itself; of a run found in an abstraction, the concrete run."""
    return reason.run if isinstance(reason, e.Abstract) else reason


def goes_on(tree: Tree) -> bool:
    """Whether what shows that a claim is true or false is first of all a run, from where the claim is made."""
    return any(isinstance(concrete(reason), e.Along) for reason in reasons_of(tree)[:1])
