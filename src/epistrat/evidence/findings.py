"""What re-checking a certificate found."""

from __future__ import annotations

from epistrat.model.state import State
from epistrat.records import dataclass, field

MOST_SURVEYED = 300
"""Where a system has no more states than this, all of them are visited to check what is said about all."""


@dataclass(frozen=True, slots=True)
class Starts:
    """How many initial states a verdict was re-checked in, and in how many not; None: too many to count.

    ``examples`` are a few of those in which it was not.  ``served``: whether the strategy that is shown first
    succeeds from all of them.
    """

    rechecked: int = 0
    missing: int | None = 0
    examples: tuple[State, ...] = ()
    served: bool = False


@dataclass(frozen=True, slots=True)
class Replay:
    """What was found: how many claims were re-checked, which were not, and which are wrong.

    ``trusted`` lists, in words, what was not re-checked independently; ``problems`` what does not hold up.  ``surveyed`` counts the
    claims among those checked for which all states were visited, ``proved`` those that a prover confirmed.  ``too_many``: something was
    not re-checked because the states are more than may be visited.  ``again``: the verdict as a whole was proved on an encoding of its own;
    ``unproved`` says why not, where that was tried.
    """

    checked: int
    trusted: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    surveyed: int = 0
    proved: int = 0
    starts: Starts = Starts()
    too_many: bool = False
    again: bool = False
    unproved: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    @property
    def complete(self) -> bool:
        """Whether the verdict was re-checked as a whole: nothing is wrong, and nothing was left out."""
        return self.ok and (self.again or not self.trusted)


@dataclass
class Findings:
    """Findings while they are collected."""

    checked: int = 0
    surveyed: int = 0
    proved: int = 0
    trusted: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    starts: Starts = field(default_factory=Starts)
    too_many: bool = False

    def trust(self, words: str) -> None:
        """Note something that was not re-checked, once."""
        if words not in self.trusted:
            self.trusted.append(words)

    def add(self, other: Replay) -> None:
        """Add what was found about a part."""
        self.checked += other.checked
        self.surveyed += other.surveyed
        self.proved += other.proved
        self.trusted.extend(words for words in other.trusted if words not in self.trusted)
        self.problems.extend(other.problems)
        self.starts = other.starts
        self.too_many = self.too_many or other.too_many

    def replay(self) -> Replay:
        """The findings as a value."""
        trusted, problems = tuple(self.trusted), tuple(self.problems)
        too_many = bool(trusted) and self.too_many
        return Replay(self.checked, trusted, problems, self.surveyed, self.proved, self.starts, too_many)
