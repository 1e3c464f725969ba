"""What MCMAS 1.3.0 would refuse: every extension of the language, found in the syntax tree, is an error of its own.

`StrictProgram` looks at sections, names and conditions, `StrictFormulae` at formulae.  Nothing here changes what a text means.
"""

from __future__ import annotations

from epistrat.lang.lexer import WORD
from epistrat.lang.strict.formula import StrictFormulae
from epistrat.lang.syntax import AgentNode, Chain, Epistemic, Item, Leaf, Level, Node, Plain, Prefix, Program, children
from epistrat.lang.vocabulary import MODEL_SECTIONS
from epistrat.model.agent import ENVIRONMENT
from epistrat.source import Span

_AGENT_ORDER = ("Obsvars", "Lobsvars", "Vars", "RedStates", "Actions", "Protocol", "Evolution")
_NOT_EMPTY = {"Vars": "a variable", "Actions": "an action", "Protocol": "a line", "Evolution": "a line"}


class StrictProgram(StrictFormulae):
    """Looks for extensions in a program."""

    def check(self, program: Program) -> None:
        """Reports every extension that the program uses."""
        self._comments()
        self._numbers()
        self._outline(program)
        for agent in program.agents:
            self._agent(agent)
        for named in program.evaluation:
            if named.condition is not None:
                self.condition(named.condition)
        if program.initial is not None:
            self.initial(program.initial)
        for group in program.groups:
            if not group.members:
                self.refuse("MCMAS needs a member in every group", group.start, group.end)
        for marked in program.fairness + program.formulae:
            self.formula(marked)
        for marked in program.formulae:
            if marked.name is not None:
                self.refuse("MCMAS has no names for formulae", marked.name, marked.name + 2)

    # words

    def _comments(self) -> None:
        if all(comment.startswith("--") for comment in self.source.comments):
            return
        for match in WORD.finditer(self.source.source.text):
            if match.group().startswith(("//", "/*")):
                message = f"MCMAS has no `{match.group()[:2]}` comments: write `--`"
                self.source.report.error("E050", message, Span(match.start(), match.start() + 2))

    def _numbers(self) -> None:
        for word in self.source.distinct:
            if word[0].isdigit():
                at = self.words.index(word)
                if "." in word:
                    self.refuse("MCMAS has no decimal numbers", at, at + 1)
                elif len(word) > 10 or int(word) > 2**31 - 1:
                    self.refuse("MCMAS reads numbers into 32 bits", at, at + 1)

    # sections

    def _outline(self, program: Program) -> None:
        for setting, at in program.settings:
            if setting == "Composition":
                self.refuse("MCMAS knows no Composition: its systems are synchronous", at - 2, at + 1)
            elif setting == "Knowledge":
                self.refuse("MCMAS knows one reading of knowledge: by what agents see now", at - 2, at + 1)
            elif at != 2:
                self.refuse("for MCMAS Semantics must be the first line", at - 2, at + 1)
        for position, agent in enumerate(program.agents):
            if self.words[agent.name] == ENVIRONMENT and position > 0:
                self.refuse("for MCMAS the Environment must be the first agent", agent.start, agent.name + 1)
        last = program.agents[-1].start if program.agents else 0
        place = -1
        for name, at in program.sections:
            if at < last:
                self.refuse(f"for MCMAS {name} comes after all agents", at, at + 1)
            if MODEL_SECTIONS.index(name) < place:
                self.refuse(f"for MCMAS {name} comes before {MODEL_SECTIONS[place]}", at, at + 1)
            place = max(place, MODEL_SECTIONS.index(name))
            if self.words[at + 1] == ":":
                self.refuse(f"MCMAS writes no `:` after {name}", at, at + 2)
        if not program.evaluation:
            self.refuse("MCMAS needs a proposition in Evaluation", self.source.count, self.source.count)
        if not program.formulae:
            self.refuse("MCMAS needs a formula", self.source.count, self.source.count)
        if all(self.words[agent.name] == ENVIRONMENT for agent in program.agents):
            self.refuse("MCMAS needs an agent beside the Environment", 0, 1)

    def _agent(self, agent: AgentNode) -> None:
        name = self.words[agent.name]
        place = -1
        for section, at in agent.sections:
            if _AGENT_ORDER.index(section) < place:
                self.refuse(f"for MCMAS {section} comes before {_AGENT_ORDER[place]}", at, at + 1)
            place = max(place, _AGENT_ORDER.index(section))
        written = {section for section, _ in agent.sections}
        contents = {
            "Vars": agent.vars,
            "Actions": agent.actions,
            "Protocol": agent.protocol,
            "Evolution": agent.evolution,
        }
        for section, items in contents.items():
            if name != ENVIRONMENT and not items:
                self.refuse(f"MCMAS needs {_NOT_EMPTY[section]} in {section} of {name}", agent.start, agent.name + 1)
            elif section != "Vars" and section not in written:
                self.refuse(f"MCMAS needs the section {section} in {name}", agent.start, agent.name + 1)
        for declaration in agent.obsvars + agent.vars:
            if declaration.kind in ("integer", "real"):
                self.refuse(f"MCMAS has no type {declaration.kind}", declaration.start, declaration.end)
        self._behaviour(agent, name)

    def _behaviour(self, agent: AgentNode, own: str) -> None:
        if agent.red is not None:
            self.condition(agent.red, own)
        for rule in agent.protocol:
            for places in rule.sets:
                self.refuse("MCMAS has no choices of several actions", places[0] - 1, places[-1] + 2)
            if rule.condition is not None:
                self.condition(rule.condition, own)
        for move in agent.evolution:
            self.condition(move.guard, own)
            for assign in move.assigns:
                if assign.target.end - assign.target.start > 1:
                    self.refuse("MCMAS assigns variables without prefix", assign.target.start, assign.target.end)
                self.value(assign.value, own)
                self._observed_in_value(assign.value)

    def _observed_in_value(self, root: Node) -> None:
        """MCMAS tests Lobsvars but refuses them on the right of an assignment."""
        public = self.names.environment.public
        for node in _nodes(root):
            leaves = [node] if isinstance(node, Leaf) else []
            if isinstance(node, Plain):
                leaves = [Leaf(node.start, node.op), Leaf(node.op + 1, node.end)]
            for leaf in leaves:
                foreign = leaf.end - leaf.start == 3 and self.words[leaf.start] == ENVIRONMENT
                if foreign and self.words[leaf.end - 1] not in public:
                    self.refuse("MCMAS allows no Lobsvars in an assigned value", leaf.start, leaf.end)

    # conditions and values

    def condition(self, root: Node, own: str | None = None) -> None:
        """A condition: comparisons and action tests under ``and or !``."""
        self._walk(root, True, own)

    def value(self, root: Node, own: str | None = None) -> None:
        """A value: variables and literals under arithmetic or bit operators."""
        self._walk(root, False, own)

    def _walk(self, root: Node, wanted: bool, own: str | None) -> None:
        stack: list[tuple[Node, bool]] = [(root, wanted)]
        while stack:
            node, condition = stack.pop()
            if isinstance(node, Epistemic):
                self.refuse(
                    "MCMAS knows no guards about knowledge: `epistrat implement` writes them out", node.start, node.end
                )
                continue
            if isinstance(node, Leaf):
                self._leaf(node, own)
                if condition:
                    self.refuse("a Boolean is no condition for MCMAS: compare it with true", node.start, node.end)
                continue
            if isinstance(node, Plain):
                self._leaf(Leaf(node.start, node.op), own)
                self._leaf(Leaf(node.op + 1, node.end), own)
            is_condition = self._operator(node)
            if is_condition and not condition:
                self.refuse("a condition is no value for MCMAS", node.start, node.end)
            elif condition and not is_condition:
                self.refuse("a Boolean is no condition for MCMAS: compare it with true", node.start, node.end)
            if isinstance(node, Chain):
                below = is_condition and node.level != Level.COMPARE
                stack.extend((part, below) for part in node.parts)
            elif isinstance(node, Prefix):
                stack.append((node.arg, is_condition))

    def _operator(self, node: Node) -> bool:
        """Whether the node is a condition; complains about operators that MCMAS does not know."""
        if isinstance(node, Plain):
            self._sign(self.words[node.op], node)
            return True
        if isinstance(node, Chain):
            if node.level == Level.COMPARE:
                self._sign(node.ops[0], node)
            elif node.level == Level.COUNT:
                self.refuse("MCMAS has no `count`", node.start, node.end)
            elif node.level in (Level.IFF, Level.IMPLIES, Level.XOR):
                self.refuse(f"MCMAS has no `{node.ops[0]}` in conditions", node.start, node.end)
            return node.level <= Level.COMPARE
        return isinstance(node, Prefix) and node.op == "!"

    def _sign(self, op: str, node: Plain | Chain) -> None:
        if op == "!=":
            self.refuse("MCMAS writes `<>`, not `!=`", node.start, node.end)

    def _leaf(self, leaf: Leaf, own: str | None) -> None:
        if own is None or leaf.end - leaf.start != 3 or self.words[leaf.start] != own:
            return
        if self.words[leaf.end - 1] != "Action" or own == ENVIRONMENT:
            self.refuse(f"for MCMAS {own} writes its own names without prefix", leaf.start, leaf.end)

    def initial(self, root: Node) -> None:
        """InitStates: ``Agent.x = value`` and ``Agent.x = Agent.y`` under ``and or !``."""
        stack: list[Node] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, Plain):
                if self.words[node.op] != "=" or node.op - node.start != 3:
                    self._poor(node)
            elif isinstance(node, Chain) and node.level == Level.COMPARE:
                left, right = node.parts[0], node.parts[-1]
                plain = isinstance(left, Leaf) and isinstance(right, Leaf) and left.end - left.start == 3
                if not plain or node.ops != ["="]:
                    self._poor(node)
            elif isinstance(node, Chain) and node.level in (Level.AND, Level.OR):
                stack.extend(node.parts)
            elif isinstance(node, Prefix) and node.op == "!":
                stack.append(node.arg)
            else:
                self._poor(node)

    def _poor(self, node: Node) -> None:
        self.refuse("InitStates of MCMAS knows only `Agent.x = value`, and, or, !", node.start, node.end)


def _nodes(root: Node) -> list[Item]:
    """All nodes of an expression."""
    found: list[Item] = [root]
    for node in found:
        found.extend(children(node))
    return found
