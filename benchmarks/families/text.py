"""Models as text in pieces: what a family's generator returns, and how the pieces become ISPL.

Declarations, protocol lines and evolution lines stay separate strings, so that a model can be shuffled (see `scramble`) without
being parsed.  A `Spec` is a named set of questions about a model, with the verdicts that can be derived by thinking (None where they
depend on chance), and the fairness constraints the questions need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Question:
    """A formula and, where it is known, whether it holds."""

    formula: str
    holds: bool | None = None


@dataclass(frozen=True)
class Spec:
    """Questions that are asked together, and the fairness constraints under which they are meant."""

    questions: tuple[Question, ...]
    fairness: tuple[str, ...] = ()


@dataclass(frozen=True)
class AgentText:
    """One agent; every entry of a sequence is one declaration or line, without indentation."""

    name: str
    variables: Sequence[str] = ()
    actions: Sequence[str] = ("none",)
    protocol: Sequence[str] = ("Other : {none};",)
    evolution: Sequence[str] = ()
    public: Sequence[str] = ()
    sees: Sequence[str] = ()


@dataclass(frozen=True)
class ModelText:
    """A model and the questions that may be asked about it; ``initial`` holds conjuncts."""

    agents: Sequence[AgentText]
    propositions: Mapping[str, str]
    initial: Sequence[str]
    specs: Mapping[str, Spec]
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    single: bool = False
    states: int | None = None


def conj(parts: Iterable[str]) -> str:
    """The conjunction of conditions."""
    return " and ".join(parts)


def disj(parts: Iterable[str]) -> str:
    """The disjunction of conditions."""
    return " or ".join(parts)


def holds(formula: str) -> Question:
    """A question whose answer is known to be yes."""
    return Question(formula, True)


def fails(formula: str) -> Question:
    """A question whose answer is known to be no."""
    return Question(formula, False)


def spec(*questions: Question, fairness: Iterable[str] = ()) -> Spec:
    """A spec of these questions."""
    return Spec(questions, tuple(fairness))


def _section(title: str, lines: Iterable[str], end: str, indent: str = "    ") -> list[str]:
    return [title, *(indent + line for line in lines), end]


def _agent(agent: AgentText) -> list[str]:
    body: list[str] = []
    if agent.public:
        body += _section("Obsvars:", agent.public, "end Obsvars")
    if agent.sees:
        body.append(f"Lobsvars = {{{', '.join(agent.sees)}}};")
    if agent.variables:
        body += _section("Vars:", agent.variables, "end Vars")
    body.append(f"Actions = {{{', '.join(agent.actions)}}};")
    body += _section("Protocol:", agent.protocol, "end Protocol")
    body += _section("Evolution:", agent.evolution, "end Evolution")
    return _section(f"Agent {agent.name}", body, "end Agent")


def render(model: ModelText, spec_name: str) -> str:
    """The model with the questions of one spec, as ISPL."""
    wanted = model.specs[spec_name]
    lines = ["Semantics = SingleAssignment;"] if model.single else []
    for agent in model.agents:
        lines += _agent(agent)
    lines += _section(
        "Evaluation", (f"{name} if {cond};" for name, cond in model.propositions.items()), "end Evaluation"
    )
    lines += _section("InitStates", [conj(model.initial) + ";"], "end InitStates")
    if model.groups:
        groups = (f"{name} = {{{', '.join(members)}}};" for name, members in model.groups.items())
        lines += _section("Groups", groups, "end Groups")
    if wanted.fairness:
        lines += _section("Fairness", (f"{line};" for line in wanted.fairness), "end Fairness")
    lines += _section("Formulae", (f"{question.formula};" for question in wanted.questions), "end Formulae")
    return "\n".join(lines) + "\n"
