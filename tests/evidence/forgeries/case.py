"""An answer about a system, honest or not."""

from __future__ import annotations

from dataclasses import dataclass

from epistrat.answers import Certificate, Strategies
from epistrat.evidence import Descent, Enforced, Invariant, Reason, Region, Tree
from epistrat.logic import formula as logic
from epistrat.model.system import System

Proof = Invariant | Region | Descent


@dataclass(frozen=True)
class Case:
    """A certificate and the system it is about.  ``kind`` names the kind of evidence, ``source`` where it comes from."""

    system: System
    certificate: Certificate
    source: str = ""

    @property
    def tree(self) -> Tree:
        """The tree of the first initial state."""
        return self.certificate.trees[0]

    @property
    def kind(self) -> str:
        """The kind of evidence at the root."""
        proof = self.proof
        reasons = {type(reason).__name__.lower() for reason in self.tree.because}
        if proof is None:
            return self._plain(reasons)
        claim = self.tree.claim
        quantifier = {logic.ForAll: "A", logic.Exists: "E", logic.Coalition: "group"}.get(type(claim), "knowledge")
        if isinstance(proof, Region):
            return f"{'region' if proof.measure is None else 'measure'} ({quantifier})"
        return f"{type(proof).__name__.lower()} ({quantifier})"

    def _plain(self, reasons: set[str]) -> str:
        fair = "fair " if self.system.fairness else ""
        for name in (
            "restricted",
            "answered",
            "enforced",
            "lookalike",
            "elsewhere",
            "abstract",
            "around",
            "along",
            "fixpoint",
        ):
            if name in reasons:
                uniform = self.certificate.reading not in (Strategies.ANY, Strategies.UNIFORM)
                return f"{fair}{name}" + (" (uniform)" if uniform and name == "enforced" else "")
        return "parts" if "part" in reasons else "state"

    @property
    def proof(self) -> Proof | None:
        """The invariant, region or descent at the root, if there is one alone."""
        found = [one for one in self.tree.because if isinstance(one, (Invariant, Region, Descent))]
        return found[0] if len(found) == 1 and len(self.certificate.trees) == 1 else None

    @property
    def rules(self) -> Enforced | None:
        """The strategy beside the proof."""
        return next((one for one in self.tree.because if isinstance(one, Enforced)), None)

    def with_reason(self, old: Reason, new: Reason | None) -> Case:
        """The case with one reason of the root replaced or, with None, left out."""
        because = tuple(new if one is old else one for one in self.tree.because if one is not old or new is not None)
        return self.with_tree(Tree(self.tree.state, self.tree.claim, self.tree.holds, because))  # type: ignore[arg-type]

    def with_tree(self, tree: Tree) -> Case:
        """The case with another first tree, as an answer to the same question."""
        from dataclasses import replace

        trees = (tree, *self.certificate.trees[1:])
        return replace(self, certificate=_replace(self.certificate, trees=trees))


def _replace(certificate: Certificate, **changes: object) -> Certificate:
    from epistrat.records import replace

    return replace(certificate, **changes)  # type: ignore[arg-type]
