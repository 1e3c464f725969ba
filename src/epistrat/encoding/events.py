"""Choices in interleaved systems, as bits: what each agent can choose, and which events a group's choices leave.

An agent that has several choices somewhere gets a few bits of its own, below all others in the order; the value of these bits is the number
of a choice.  Where agents follow strategies, what they choose is given with the encoding, in bits that exist already.  An agent that never
has two choices restricts nothing.  With the bits of a group kept, event e leads into a set from the states where it can, together with the
values of these bits that let e happen; where no event is left, the state repeats itself.
"""

from __future__ import annotations

from epistrat.encoding.encode import Encoding
from epistrat.encoding.part import Part, cube, mask_of, variables_of
from epistrat.encoding.protocol import Choices
from epistrat.model.agent import ActionSet, Agent
from epistrat.model.alternatives import offers
from epistrat.model.state import Act, actions_of
from epistrat.solvers.bdd import Algebra, Bdd
from epistrat.terms import Terms


class Events:
    """The choices of all agents of an encoded interleaved system whose ``reachable`` states are known."""

    def __init__(self, encoding: Encoding, reachable: Bdd) -> None:
        self._encoding = encoding
        self._algebra = encoding.algebra
        self._relation = encoding.relation
        self._reachable = reachable
        self._lets: dict[str, dict[str, Bdd]] = {}
        self._waiting: dict[int, Bdd] = {}
        self.choices: dict[str, Choices] = {agent.name: self._agent(agent) for agent in encoding.system.agents}
        self._possible = [self._relation.branch_preimage(reachable, index) for index in self._numbers()]

    def _numbers(self) -> range:
        return range(self._relation.branches)

    def _agent(self, agent: Agent) -> Choices:
        algebra, true = self._algebra, Part(self._algebra.true, 0)
        given = self._encoding.choices.get(agent.name)
        if given is not None:
            if given.choice:
                self._lets[agent.name] = letting(algebra, agent, given)
            return given
        offered = self._offered(agent)
        once = twice = algebra.false
        for where in offered.values():
            twice = twice | (once & where)
            once = once | where
        if twice & self._reachable == algebra.false:
            return Choices({}, true, true, 0)
        offered[()] = ~once
        bits = algebra.grow((len(offered) - 1).bit_length())
        mask = mask_of(list(bits))
        does: dict[Act, Part] = {}
        permits = algebra.false
        for number, (some, where) in enumerate(offered.items()):
            code = cube(algebra, [(bit, bool(number >> place & 1)) for place, bit in enumerate(bits)])
            permits = permits | (code & where)
            if some:
                does[some[0] if len(some) == 1 else some] = Part(code, mask)
        found = Choices(does, Part(permits, mask), true, mask)
        self._lets[agent.name] = letting(algebra, agent, found)
        return found

    def _offered(self, agent: Agent) -> dict[ActionSet, Bdd]:
        """For each choice, where the agent has it."""
        found: dict[ActionSet, Bdd] = {}
        for line in offers(Terms(), agent):
            where = self._encoding.conditions.part(line.condition).function
            for some in line.choices or [(action,) for action in line.actions]:
                found[some] = found.get(some, self._algebra.false) | where
        return found

    def _let(self, index: int, kept: int) -> Bdd:
        """The values of the kept bits that let an event happen."""
        name, result = self._relation.given[index].name, self._algebra.true
        assert name is not None
        for agent, lets in self._lets.items():
            if name in lets and self.choices[agent].choice & kept:
                result = result & lets[name]
        return result

    def waiting(self, kept: int) -> Bdd:
        """The states, with values of the kept bits, in which no event is left."""
        found = self._waiting.get(kept)
        if found is None:
            found = self._reachable
            for index, possible in enumerate(self._possible):
                found = found & ~(possible & self._let(index, kept))
            self._waiting[kept] = found
        return found

    def moves_into(self, target: Bdd, kept: int) -> Bdd:
        """The states, with values of the kept bits, from which some step leads into the target."""
        result = target & self.waiting(kept)
        for index in self._numbers():
            result = result | (self._relation.branch_preimage(target, index) & self._let(index, kept))
        return result

    def moves_from(self, choices: Bdd, kept: int) -> Bdd:
        """The states that steps lead to from states with values of the kept bits."""
        cube = self._algebra.cube(variables_of(kept))
        result = self._algebra.exists(choices & self.waiting(kept), cube)
        for index in self._numbers():
            source = self._algebra.exists(choices & self._let(index, kept), cube)
            result = result | self._relation.branch_image(source, index)
        return result


def letting(algebra: Algebra, agent: Agent, choices: Choices) -> dict[str, Bdd]:
    """For each action of the agent, the values of its bits that let it happen."""
    lets = dict.fromkeys(agent.actions, algebra.false)
    for act, code in choices.does.items():
        for action in actions_of(act):
            lets[action] = lets[action] | code.function
    return lets
