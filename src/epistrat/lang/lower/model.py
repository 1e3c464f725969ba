"""From a program's syntax tree to a checked `System`, with an origin table beside it."""

from __future__ import annotations

from collections.abc import Mapping

from epistrat.lang.declare import Declarer
from epistrat.lang.lexer import Words
from epistrat.lang.lower.expr import Lowering
from epistrat.lang.lower.formula import FormulaLowering
from epistrat.lang.lower.guards import GuardLowering
from epistrat.lang.names import AgentNames, closest, listing
from epistrat.lang.origins import Origins
from epistrat.lang.scope import AgentScope, Scope
from epistrat.lang.syntax import AgentNode, Assign, Leaf, Move, Program, ProtocolRule
from epistrat.lang.types import assignment
from epistrat.lang.vocabulary import KNOWLEDGE
from epistrat.logic.formula import Formula, Reading
from epistrat.model.agent import (
    Agent,
    Assignment,
    ChoiceList,
    EvolutionLine,
    ProtocolLine,
    Variable,
    choices_among,
)
from epistrat.model.system import Composition, Semantics, System
from epistrat.source import Related, Report
from epistrat.terms import TRUE, Expr, Terms, Var

_SEMANTICS = {
    "MultiAssignment": Semantics.MULTI,
    "MA": Semantics.MULTI,
    "SingleAssignment": Semantics.SINGLE,
    "SA": Semantics.SINGLE,
}
_VALUES = {"Semantics": _SEMANTICS, "Composition": [kind.value for kind in Composition], "Knowledge": KNOWLEDGE}


class Lowerer:
    """Builds the system of one program."""

    def __init__(self, words: Words, *, equal_sets: bool = False) -> None:
        self.source = words
        self.words = words.list
        self.report: Report = words.report
        self.terms = Terms()
        self.origins = Origins(words)
        self.equal_sets = equal_sets
        self._declarer = Declarer(words)
        self.names = self._declarer.names
        self.semantics = Semantics.MULTI

    def system(self, program: Program) -> System:
        """The system; of no use if errors have been reported."""
        self.semantics = self._semantics(program)
        pairs = self._declarer.declare(program)
        everywhere = Scope(self.names, self.terms, self.source)
        conditions = Lowering(everywhere, equal_sets=self.equal_sets)
        propositions = self._propositions(program, conditions)
        agents = tuple([self._agent(node, names, propositions) for node, names in pairs])
        initial: Expr = TRUE
        if program.initial is not None:
            condition = conditions.condition(program.initial)
            initial = TRUE if condition is None else condition
            self.origins.put(program.initial.start, program.initial.end, "initial")
        for group in program.groups:
            self.origins.put(group.start, group.end, "group", self.words[group.name])
        fairness, formulae = self._formulae(program, everywhere, propositions)
        goals = self._goals(program, everywhere, propositions)
        titles = tuple("" if one.name is None else self.words[one.name] for one in program.formulae)
        return System(
            agents,
            initial,
            Composition.INTERLEAVED if self.names.interleaved else Composition.SYNCHRONOUS,
            self.semantics,
            propositions,
            dict(self.names.groups),
            fairness,
            formulae,
            titles if any(titles) else (),
            goals=goals,
            knowledge=self._knowledge(program),
        )

    def _propositions(self, program: Program, conditions: Lowering) -> dict[str, Expr]:
        propositions: dict[str, Expr] = {}
        for named in program.evaluation:
            name = self.words[named.name]
            condition = None if named.condition is None else conditions.condition(named.condition)
            propositions[name] = TRUE if condition is None else condition
            self.origins.put(named.start, named.end, "proposition", name)
        return propositions

    def _semantics(self, program: Program) -> Semantics:
        semantics = Semantics.MULTI
        for setting, at in program.settings:
            value = self.words[at]
            possible = list(_VALUES[setting])
            if value not in possible:
                message = f"expected {' or '.join(possible)}, found `{value}`"
                self.source.error("E002", message, at, suggestion=closest(value, possible))
            elif setting == "Semantics":
                semantics = _SEMANTICS[value]
        return semantics

    def _knowledge(self, program: Program) -> Reading:
        """How knowledge is read where neither a formula nor the user says it."""
        found = [KNOWLEDGE.get(self.words[at]) for setting, at in program.settings if setting == "Knowledge"]
        return next((reading for reading in reversed(found) if reading is not None), Reading.OBSERVATION)

    def _formulae(
        self, program: Program, scope: Scope, propositions: Mapping[str, Expr]
    ) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
        lowering = FormulaLowering(scope, propositions, equal_sets=self.equal_sets)
        fairness: list[Formula] = []
        formulae: list[Formula] = []
        for marked in program.fairness:
            formula = lowering.fairness(marked)
            if formula is not None:
                self.origins.put(marked.start, marked.end, "fairness", len(fairness))
                fairness.append(formula)
        for marked in program.formulae:
            formula = lowering.formula(marked)
            if formula is not None:
                self.origins.put(marked.start, marked.end, "formula", len(formulae))
                formulae.append(formula)
        return tuple(fairness), tuple(formulae)

    def _goals(
        self, program: Program, scope: Scope, propositions: Mapping[str, Expr]
    ) -> tuple[tuple[str, Formula], ...]:
        lowering = FormulaLowering(scope, propositions, equal_sets=self.equal_sets)
        found: dict[str, Formula] = {}
        for node in program.goals:
            at = node.who.start
            name = self.words[at]
            goal = lowering.goal(node.goal)
            if not self.names.is_agent(name):
                scope.no_agent(name, at)
            elif name in found:
                self.source.error("E009", f"the goal of {name} is written twice: join both by `and`", at)
            elif goal is not None:
                found[name] = goal
        return tuple(found.items())

    # agents

    def _agent(self, node: AgentNode, names: AgentNames, propositions: Mapping[str, Expr]) -> Agent:
        name, words = names.name, self.words
        self.origins.put(node.start, node.end, "agent", name)
        for declaration in reversed(node.obsvars + node.vars):
            self.origins.put(declaration.start, declaration.end, "variable", name, words[declaration.name])
        for at in node.actions:
            self.origins.put(at, at + 1, "action", name, words[at])
        tests = Lowering(AgentScope(self.names, self.terms, self.source, names), equal_sets=self.equal_sets)
        guards = GuardLowering(tests.scope, propositions, names, equal_sets=self.equal_sets)
        protocol, other, other_choices = self._protocol(node, names, guards)
        red = None if node.red is None else tests.condition(node.red)
        if node.red is not None:
            self.origins.put(node.red.start, node.red.end, "red", name)
        return Agent(
            name,
            tuple([Variable(name, one, domain, one in names.public) for one, domain in names.variables.items()]),
            tuple(names.observes),
            tuple(names.actions),
            protocol,
            other,
            self._evolution(node, names),
            red,
            other_choices,
            guards.knows(protocol),
        )

    def _protocol(
        self, node: AgentNode, names: AgentNames, tests: Lowering
    ) -> tuple[tuple[ProtocolLine, ...], tuple[str, ...] | None, ChoiceList]:
        lines: list[ProtocolLine] = []
        other: tuple[str, ...] | None = None
        other_choices: ChoiceList = ()
        for rule in node.protocol:
            actions = self._actions(rule.actions, names)
            choices = self._choices(rule, names)
            if other is not None:
                self.source.error("E002", "Other must be the last line of a protocol", rule.start, rule.end)
            elif rule.condition is None:
                other, other_choices = actions, choices
                self.origins.put(rule.start, rule.end, "other", names.name)
            else:
                condition = tests.condition(rule.condition)
                self.origins.put(rule.start, rule.end, "protocol", names.name, len(lines))
                lines.append(ProtocolLine(TRUE if condition is None else condition, actions, choices))
        return tuple(lines), other, other_choices

    def _choices(self, rule: ProtocolRule, names: AgentNames) -> ChoiceList:
        """The choices of a line; sets of actions are choices in interleaved systems only."""
        if not rule.sets:
            return ()
        if not self.names.interleaved:
            first, last = rule.sets[0][0], rule.sets[0][-1]
            message = "in a synchronous system a choice is one action: leave out the inner braces"
            self.source.error("E040", message, first - 1, last + 2)
        together = {at for places in rule.sets for at in places}
        sets = [[at] for at in rule.actions if at not in together] + rule.sets
        written = sorted(sets, key=lambda places: places[0])
        return choices_among(list(names.actions), [[self.words[at] for at in places] for places in written])

    def _actions(self, places: list[int], names: AgentNames) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for at in places:
            action = self.words[at]
            if action not in names.actions and not names.vague:
                label = f"its actions are {listing(names.actions)}" if names.actions else "it has no actions"
                message, meant = f"{names.name} has no action `{action}`", closest(action, names.actions)
                self.source.error("E014", message, at, label=label, suggestion=meant)
            found[action] = None
        return tuple(found)

    def _evolution(self, node: AgentNode, names: AgentNames) -> tuple[EvolutionLine, ...]:
        scope = AgentScope(self.names, self.terms, self.source, names, acts=True)
        guards = Lowering(scope, equal_sets=self.equal_sets)
        values = Lowering(AgentScope(self.names, self.terms, self.source, names), equal_sets=self.equal_sets)
        lines: list[EvolutionLine] = []
        for move in node.evolution:
            guard = guards.condition(move.guard)
            made = self._assignments(move, names, values)
            self.origins.put(move.start, move.end, "evolution", names.name, len(lines))
            lines.append(EvolutionLine(made, TRUE if guard is None else guard))
        return tuple(lines)

    def _assignments(self, move: Move, names: AgentNames, values: Lowering) -> tuple[Assignment, ...]:
        made: dict[str, Assignment] = {}
        places: dict[str, Leaf] = {}
        for assign in move.assigns:
            one = self._assignment(assign, names, values)
            if one is not None and one.target in made:
                first, again = [self.source.span(at.start, at.end) for at in (places[one.target], assign.target)]
                related = (Related(first, "first assigned here"),)
                self.report.error("E030", f"`{one.target}` is assigned twice in one line", again, related=related)
            elif one is not None:
                made[one.target], places[one.target] = one, assign.target
        if self.semantics is Semantics.SINGLE and len(move.assigns) > 1:
            second = move.assigns[1]
            self.source.error("E031", "with SingleAssignment a line has one assignment", second.start, second.end)
        return tuple(made.values())

    def _assignment(self, assign: Assign, names: AgentNames, values: Lowering) -> Assignment | None:
        target = self._target(assign.target, names)
        value = values.value(assign.value)
        if target is None or value is None:
            return None
        literal = isinstance(assign.value, Leaf)
        problem = assignment(target, value, values.scope.domain, literal=literal)
        if problem is not None:
            code, message, label, meant = problem
            about = [side for side in (target, value) if isinstance(side, Var)]
            values.scope.error(code, message, assign.value, label, meant, about)
            return None
        return Assignment(target.name, value)

    def _target(self, leaf: Leaf, names: AgentNames) -> Var | None:
        owner = self.words[leaf.start] if leaf.end - leaf.start == 3 else names.name
        name = self.words[leaf.end - 1]
        if owner != names.name:
            self.source.error("E033", f"{names.name} can only assign its own variables", leaf.start, leaf.end)
            return None
        if name in names.unclear:
            return None
        if name not in names.variables:
            label, meant = names.variables_in_words, closest(name, names.known)
            message = f"{names.name} has no variable `{name}`"
            self.source.error("E012", message, leaf.start, leaf.end, label=label, suggestion=meant)
            return None
        variable = self.terms.variable(names.name, name, names.variables[name].sort)
        assert isinstance(variable, Var)
        return variable
