"""Checks a DRAT proof: that every clause it adds follows, and that the last one is empty.

A clause *follows by unit propagation* (RUP) if the falsehood of its literals leads to a conflict by clauses that have one literal left.
It may be added too (RAT, on its first literal) if all its resolvents on that literal follow; clauses may be dropped at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Clause = tuple[int, ...]


class Wrong(Exception):
    """A step of the proof does not follow; the message names it."""


class Checker:
    """The clauses so far, each watched by two of its literals."""

    def __init__(self, clauses: Iterable[Sequence[int]]) -> None:
        self._clauses: dict[int, Clause] = {}
        self._by_literals: dict[frozenset[int], list[int]] = {}
        self._watching: dict[int, list[int]] = {}
        self._true: dict[int, bool] = {}  # literals that follow from the clauses alone
        self._next = 0
        self.refuted = False
        for clause in clauses:
            self._add(tuple(dict.fromkeys(clause)))

    def _add(self, clause: Clause) -> None:
        number, self._next = self._next, self._next + 1
        self._clauses[number] = clause
        self._by_literals.setdefault(frozenset(clause), []).append(number)
        open_first = sorted(clause, key=lambda literal: -literal in self._true)
        self._clauses[number] = tuple(open_first)
        for literal in open_first[:2]:
            self._watching.setdefault(literal, []).append(number)
        left = [literal for literal in clause if -literal not in self._true]
        unit = len(left) == 1 and left[0] not in self._true
        if not left or (unit and self._conflict(left, self._true)):
            self.refuted = True

    def _conflict(self, literals: Iterable[int], true: dict[int, bool]) -> bool:
        """Make the literals true and propagate; whether that leads to a conflict."""
        queue = list(literals)
        for literal in queue:
            if -literal in true:
                return True
            true[literal] = True
        while queue:
            false = -queue.pop()
            watchers = self._watching.get(false, [])
            kept: list[int] = []
            for place, number in enumerate(watchers):
                clause = self._clauses.get(number)
                if clause is None:
                    continue  # dropped
                unit = self._moved(number, clause, false, true)
                if unit is None:
                    continue
                kept.append(number)
                if unit == 0 or unit in true:
                    continue
                if -unit in true:
                    self._watching[false] = kept + watchers[place + 1 :]
                    return True
                true[unit] = True
                queue.append(unit)
            self._watching[false] = kept
        return False

    def _moved(self, number: int, clause: Clause, false: int, true: dict[int, bool]) -> int | None:
        """The clause's other watched literal if it is the last, 0 if the clause is true; None if another literal is watched now."""
        if len(clause) == 1:
            return clause[0]
        other = clause[1] if clause[0] == false else clause[0]
        if other in true:
            return 0
        for place in range(2, len(clause)):
            literal = clause[place]
            if -literal not in true:
                rest = [one for one in clause if one not in (other, literal)]
                self._clauses[number] = (other, literal, *rest)
                self._watching.setdefault(literal, []).append(number)
                return None
        return other

    def _follows(self, clause: Clause) -> bool:
        """By unit propagation, from the falsehood of the clause."""
        return self._conflict([-literal for literal in clause if -literal not in self._true], dict(self._true)) or any(
            literal in self._true for literal in clause
        )

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause that follows; raises `Wrong` if it does not."""
        if self.refuted:
            return
        learnt = tuple(dict.fromkeys(clause))
        if not self._follows(learnt) and not (learnt and self._resolvents_follow(learnt)):
            raise Wrong(f"the clause {' '.join(map(str, learnt)) or '(empty)'} does not follow")
        self._add(learnt)

    def _resolvents_follow(self, clause: Clause) -> bool:
        pivot = clause[0]
        for other in list(self._clauses.values()):
            if -pivot in other:
                joined = tuple(dict.fromkeys((*clause, *(one for one in other if one != -pivot))))
                tautology = any(-one in joined for one in joined)
                if not tautology and not self._follows(joined):
                    return False
        return True

    def drop(self, clause: Sequence[int]) -> None:
        """Forget a clause, unless one of its literals follows: that may be because of it, and what follows is never forgotten.

        Otherwise RAT would allow the opposite of what has lost its reason.
        """
        known = self._by_literals.get(frozenset(clause))
        if known and not any(literal in self._true for literal in clause):
            self._clauses.pop(known.pop(), None)


def check(clauses: Iterable[Sequence[int]], proof: Iterable[str]) -> None:
    """Check a proof in DRAT's text format; raises `Wrong`."""
    checker = Checker(clauses)
    for line in proof:
        words = line.split()
        if not words or words[0] == "c":
            continue
        dropped = words[0] == "d"
        literals = [int(word) for word in words[dropped:] if word != "0"]
        (checker.drop if dropped else checker.add)(literals)
    if not checker.refuted:
        raise Wrong("the proof does not come to the empty clause")
