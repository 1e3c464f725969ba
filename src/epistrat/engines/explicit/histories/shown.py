"""Evidence for formulae about histories: trees over the nodes of a graph, and then the runs that lead to them.

`Nodes` builds a tree as for any other formula, on nodes; it leaves open what depends on the history that leads to a node.  `Filled` walks
down such a tree with a history in hand and puts in what was left open: a second history beside the first, what was announced.
"""

from __future__ import annotations

from collections.abc import Iterator

from epistrat import evidence as e
from epistrat.engines.explicit.histories.settling import Settling
from epistrat.engines.explicit.histories.twins import Alike, Histories, Past
from epistrat.engines.explicit.histories.worlds import WorldSpace, looks_back_simply, of_the_past_alone
from epistrat.engines.explicit.label import MaskLabels
from epistrat.engines.explicit.layout import Mask
from epistrat.engines.readings import announced_in_front
from epistrat.engines.witness.knowledge import LONGEST
from epistrat.engines.witness.linear import RunProduct
from epistrat.engines.witness.start import Starts
from epistrat.engines.witness.tree import DEEPEST, MOST_TREES, TreeBuilder, depth
from epistrat.evidence import Tree
from epistrat.evidence.points import looks_back, point_claim
from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, Group, Reading, is_state, subformulae
from epistrat.logic.histories import about_histories
from epistrat.model.state import State
from epistrat.model.step import Stepper
from epistrat.records import dataclass

_WORDS = {logic.Knows: "K", logic.Everybody: "GK", logic.Distributed: "DK", logic.Common: "GCK"}


def shown(labels: MaskLabels, formula: Formula, holds: bool) -> Tree | None:
    """A tree for the verdict on a formula about histories; None where it cannot be shown."""
    asked = formula if is_state(formula) else logic.ForAll(formula, star=True)
    rewritten = announced_in_front(asked)
    if depth(rewritten) > DEEPEST or any(_of_runs(part) for part in subformulae(rewritten)):
        return None
    settling = Settling(labels, rewritten)
    settling.formula(rewritten, settling.phases[0])
    space = WorldSpace(settling, Stepper(labels.structure.system))
    nodes = Nodes(space)
    tree = nodes.root(rewritten, holds)
    if tree is None:
        return None
    found = Filled(nodes).tree(tree, Past.of((space.node(tree.state),)))
    return found if rewritten == asked else Tree(found.state, asked, holds, (e.Part(found),))


def _of_runs(part: Formula) -> bool:
    """Knowledge by observation of what all runs do, which is asked of moments in the middle of runs."""
    return isinstance(part, logic.KNOWING) and not is_state(part.arg)


class Nodes(TreeBuilder[Mask]):
    """Trees over nodes; what depends on the history is left open (`Stated`)."""

    def __init__(self, space: WorldSpace) -> None:
        super().__init__(space)
        self.worlds = space
        self._starts = _Starts(space, self.product)

    def product(self, formula: Formula) -> RunProduct[Mask]:
        """The product with a path formula, in terms of the graph."""
        return super().product(self.worlds.settled(formula))

    def true(self, state: State, formula: Formula) -> bool:
        """Whether a formula is true at a node."""
        return self.space.has(self.space.satisfying(formula), state)

    def tree(self, state: State, formula: Formula, holds: bool, first: bool = False) -> Tree:
        """The tree for a claim that is true of the node."""
        key = (state, formula, holds)
        if key not in self._trees:
            if self.conditions.decides(formula) or of_the_past_alone(formula):
                reasons: tuple[e.Reason, ...] = ()
            elif len(self._trees) >= MOST_TREES:
                reasons = (self.word(formula, holds),)
            else:
                reasons = tuple(self._reasons(state, formula, holds, first))
            self._trees[key] = Tree(state, formula, holds, reasons)
        return self._trees[key]

    def _reasons(self, state: State, formula: Formula, holds: bool, first: bool) -> Iterator[e.Reason]:
        told = bool(self.worlds.ground.phase[self.worlds.node(state)])
        if isinstance(formula, logic.REMEMBERING) or (told and isinstance(formula, logic.KNOWLEDGE)):
            yield e.Stated()
        elif (
            (_about_runs(formula) and (told or not looks_back_simply(formula)))
            or (told and isinstance(formula, logic.Correct))
            or isinstance(formula, logic.Coalition)
        ):
            yield self.word(formula, holds)
        else:
            yield from super()._reasons(state, formula, holds, first)


def _looks_back_in_rounds(reason: e.Around) -> bool:
    """Whether a claim about the repeated part depends on the past otherwise than by knowledge: the states alone do not show that."""
    late = (inner.claim for at, inner in reason.claims if at >= reason.lasso.loop)
    return any(looks_back(claim) and not about_histories(claim) for claim in late)


def _about_runs(formula: Formula) -> bool:
    """A formula about runs as wholes, which may look back; their products are made before announcements only."""
    return isinstance(formula, (logic.ForAll, logic.Exists)) and formula.star


class _Starts(Starts[Mask]):
    """Chooses initial nodes; what was true before is known at every node."""

    def where(self, formula: Formula) -> Mask:
        """The initial nodes, and perhaps others, where the formula is true."""
        if isinstance(formula, logic.CONNECTIVES) or _about_runs(formula):
            return super().where(formula)
        return self._space.satisfying(formula)


@dataclass
class Filled:
    """Puts histories into trees over nodes."""

    nodes: Nodes

    def __post_init__(self) -> None:
        self._space = self.nodes.worlds
        self._histories = Histories(self._space)

    def tree(self, tree: Tree, past: Past) -> Tree:
        """The tree about the history, which ends at the tree's node."""
        assert self._space.node(tree.state) == past.last
        claim, found = tree.claim, tuple[e.Reason, ...]()
        for reason in tree.because:
            match reason:
                case e.Stated() if isinstance(claim, logic.Announced):
                    found += (self._told(claim, tree.holds, past),)
                case e.Stated() if isinstance(claim, (logic.Remembers, *logic.KNOWLEDGE)):
                    found += (self._known(claim, past) if tree.holds else self._unknown(claim, past),)
                case e.Around() if _looks_back_in_rounds(reason):
                    found += (self.nodes.word(claim, tree.holds),)
                case _:
                    found += (self._reason(reason, past),)
        return Tree(self._space.state(past.last), claim, tree.holds, found)

    def _at(self, past: Past, claim: Formula, holds: bool) -> Tree:
        return self.tree(self.nodes.tree(self._space.point(past.last), claim, holds), past)

    def _reason(self, reason: e.Reason, past: Past) -> e.Reason:
        node = self._space.node
        match reason:
            case e.Part(inner):
                return e.Part(self.tree(inner, past))
            case e.Along(path, claims):
                nodes = tuple(map(node, path.states))
                new = [(at, self.tree(inner, past.onwards(nodes[1 : at + 1]))) for at, inner in claims]
                return e.Along(e.Path(self._states(nodes), path.actions), tuple(new))
            case e.Around(lasso, claims, at):
                nodes = tuple(map(node, lasso.states))
                start = past if at == 0 else Past.of(nodes[:1])
                new = [(one, self.tree(inner, start.onwards(nodes[1 : one + 1]))) for one, inner in claims]
                return e.Around(e.Lasso(self._states(nodes), lasso.actions, lasso.loop), tuple(new), at)
            case e.LookAlike(agents, run, inner):
                nodes = tuple(map(node, run.states))
                return e.LookAlike(agents, e.Path(self._states(nodes), run.actions), self.tree(inner, Past.of(nodes)))
            case e.Elsewhere(run, inner):
                nodes = tuple(map(node, run.states))
                return e.Elsewhere(e.Path(self._states(nodes), run.actions), self.tree(inner, Past.of(nodes)))
            case _:
                return reason

    def _states(self, nodes: tuple[int, ...]) -> tuple[State, ...]:
        return tuple(map(self._space.state, nodes))

    # Announcements

    def _told(self, claim: logic.Announced, holds: bool, past: Past) -> e.Told:
        point = self._space.point(past.last)
        if not self.nodes.true(point, claim.said):
            return e.Told(self._at(past, claim.said, False))
        phase = self._space.settling.into(int(self._space.ground.phase[past.last]), claim)
        after = past.hears(phase, int(self._histories.jump(phase)[past.last]))
        return e.Told(self._at(past, claim.said, True), self._at(after, claim.arg, holds))

    def _heard(self, past: Past) -> tuple[Tree, ...]:
        """That what was announced was true on a history, at its moment."""
        found = []
        for number, (time, phase) in enumerate(past.told):
            said = self._space.settling.phases[phase].said
            assert said is not None
            earlier, last = past.told[:number], past.nodes[time]
            for one, before in earlier:
                last = int(self._histories.jump(before)[last]) if one == time else last
            found.append(self._at(Past(past.nodes[: time + 1], earlier, last), said.said, True))
        return tuple(found)

    # Knowledge

    def _known(self, claim: Formula, past: Past) -> e.Reason:
        word, reading, group = _asked(claim)
        if word == "GCK":
            return self.nodes.word(claim, holds=True)
        found = self._space.those([past.last])
        for agents in _observers(word, group):
            found |= self._histories.alike(past, agents, reading).ends
        return e.Fixpoint("look-alikes", self._space.size(found), 1)

    def _unknown(self, claim: Formula, past: Past) -> e.Reason:
        """A history that looks the same, at whose end the fact is false; for common knowledge a chain of them."""
        word, reading, group = _asked(claim)
        inner = point_claim(claim.arg)  # type: ignore[union-attr]  # it is about knowledge
        bad = self._space.worlds & ~self._space.satisfying(inner)
        if word == "GCK":
            return self._chain(claim, inner, past, bad)
        for agents in _observers(word, group):
            alike = self._histories.alike(past, agents, reading)
            if (alike.ends & bad).any():
                return self._second(agents, reading, inner, past, alike, bad)
        return self.nodes.word(claim, holds=False)  # which re-checking will not find so

    def _second(
        self, agents: tuple[str, ...], reading: Reading, inner: Formula, past: Past, alike: Alike, bad: Mask
    ) -> e.LookAlike:
        found = alike.ends & bad
        other = past if found[past.last] else alike.to(self._space.node(self._space.pick(found)))
        return self._link(agents, reading, other, self._at(other, inner, False))

    def _link(self, agents: tuple[str, ...], reading: Reading, other: Past, tree: Tree) -> e.LookAlike:
        fair = self.nodes.ways.fair_part(self._space.point(other.last))
        parts = tuple([self._reason(part, other) for part in fair])
        tree = Tree(tree.state, tree.claim, tree.holds, tree.because + parts)
        return e.LookAlike(agents, self._histories.as_path(other), tree, reading, self._heard(other))

    def _chain(self, claim: Formula, inner: Formula, past: Past, bad: Mask) -> e.Reason:
        """A shortest chain of histories, each of which looks like the one before to some member."""
        if bad[past.last]:
            return e.Part(self._at(past, inner, False))
        _, reading, group = _asked(claim)
        links: dict[int, tuple[Past, int | None, str]] = {past.last: (past, None, "")}
        for node in (queue := [past.last]):
            for member in group.members:
                alike = self._histories.alike(links[node][0], (member,), reading)
                for other in self._numbers(alike.ends):
                    if other not in links:
                        links[other] = alike.to(other), node, member
                        queue.append(other)
                        if bad[other]:
                            return self._linked(claim, inner, links, other)
        raise AssertionError("no chain of histories leads to where common knowledge fails")

    def _linked(
        self, claim: Formula, inner: Formula, links: dict[int, tuple[Past, int | None, str]], end: int
    ) -> e.Reason:
        _, reading, _ = _asked(claim)
        tree, place, count = self._at(links[end][0], inner, False), end, 0
        while True:
            other, before, member = links[place]
            assert before is not None
            link, count = self._link((member,), reading, other, tree), count + 1
            if links[before][1] is None:
                return link if count <= LONGEST else self.nodes.word(claim, holds=False)
            tree, place = Tree(self._space.state(before), claim, False, (link,)), before

    def _numbers(self, nodes: Mask) -> list[int]:
        found: list[int] = nodes.nonzero()[0].tolist()
        return found


def _asked(claim: Formula) -> tuple[str, Reading, Group]:
    """The word, the reading and the group of a claim about knowledge."""
    match claim:
        case logic.Remembers(word, reading, group):
            return word, reading, group
        case logic.Knows(agent):
            return "K", Reading.OBSERVATION, Group((agent,))
        case logic.Everybody(group) | logic.Distributed(group) | logic.Common(group):
            return _WORDS[type(claim)], Reading.OBSERVATION, group
    raise AssertionError(f"not about knowledge: {claim}")


def _observers(word: str, group: Group) -> list[tuple[str, ...]]:
    """The groups, each of whose views together must leave the fact certain."""
    return [group.members] if word == "DK" else [(member,) for member in group.members]
