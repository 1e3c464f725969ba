"""Reachable states, by several algorithms that differ in what they take the image of."""

from __future__ import annotations

from collections.abc import Callable

from epistrat.encoding.relation import Relation
from epistrat.solvers.bdd import Bdd

Seen = Callable[[Bdd, Bdd], None]
"""Called after each step with all states found and with the new ones; may raise to end the search."""


def reachable(relation: Relation, initial: Bdd, algorithm: str, seen: Seen) -> Bdd:
    """The states that steps lead to from the initial ones, these included."""
    match algorithm:
        case "full":
            return _by_images(relation, initial, seen, lambda found, _image, _new: found)
        case "image" | "mcmas":
            return _by_images(relation, initial, seen, lambda _found, image, _new: image)
        case "frontier":
            return _by_images(relation, initial, seen, lambda _found, _image, new: new)
        case "chaining":
            return _chaining(relation, initial, seen)
        case "auto" if relation.branches > 1:
            return _chaining(relation, initial, seen)
        case "auto" | "smaller":
            size = relation.algebra.size
            return _by_images(
                relation, initial, seen, lambda found, _image, new: new if size(new) <= size(found) else found
            )
    raise ValueError(algorithm)


def _by_images(relation: Relation, initial: Bdd, seen: Seen, source: Callable[[Bdd, Bdd, Bdd], Bdd]) -> Bdd:
    """Repeat images until nothing new appears; ``source`` picks what to take the next image of."""
    found = image = new = initial
    while new != relation.algebra.false:
        image = relation.image(source(found, image, new))
        new = image & ~found
        found = found | new
        seen(found, new)
    return found


def _chaining(relation: Relation, initial: Bdd, seen: Seen) -> Bdd:
    """Take each branch in turn, from all that was found so far, until a whole round finds nothing new."""
    found, false = initial, relation.algebra.false
    unchanged, index = 0, 0
    while unchanged < relation.branches:
        new = relation.branch_image(found, index) & ~found
        if new == false:
            unchanged += 1
            index = (index + 1) % relation.branches
        else:
            unchanged = 0
            found = found | new
            seen(found, new)
    return found
