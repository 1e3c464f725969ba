"""One shape for an answer: what an engine returns (`Outcome`), the same with its question (`Result`), and all of them (`Report`).

All values are frozen, compare by value and pickle.  Results hold no system: the report does, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from epistrat.answers.advice import Advice
from epistrat.answers.backing import Backing
from epistrat.answers.certificate import Certificate
from epistrat.answers.ending import DONE, Ending
from epistrat.answers.explanation import Explanation
from epistrat.answers.verdict import Named, Strategies, Verdict
from epistrat.evidence import Path, Tree
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.model.transform.choices import USUAL, PlayRules
from epistrat.model.transform.recall import Recalling
from epistrat.records import dataclass, field, fields
from epistrat.source import Diagnostic, Position

if TYPE_CHECKING:
    from epistrat.evidence.findings import Replay


@dataclass(frozen=True, slots=True)
class Question:
    """A formula to check, with the number and the words under which it is reported, and where it stands in the model's text.

    ``name`` is the formula's name, empty if it has none.
    ``property`` names a question about the states themselves (``deadlock``, ``overflow``); its formula is then ``true``.
    """

    index: int
    formula: Formula
    text: str
    property: str | None = None
    place: Position | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an engine answers.

    ``reason`` and ``advice`` belong to an unknown verdict.  ``evidence`` is there where it was asked for and exists, ``others`` if more
    than one piece was asked for.  ``left_out`` says what should have been added to the verdict but failed (`answers.decoration`).
    """

    verdict: Verdict
    reason: str | None = None
    advice: Advice = ()
    evidence: Tree | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    statistics: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    others: tuple[Tree, ...] = field(default=(), repr=False)
    left_out: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def __bool__(self) -> bool:
        """Whether the formula holds, for certain."""
        return self.verdict is Verdict.HOLDS

    @property
    def decided(self) -> bool:
        """Whether there is a verdict."""
        return self.verdict is not Verdict.UNKNOWN

    @property
    def trees(self) -> tuple[Tree, ...]:
        """All pieces of evidence."""
        return () if self.evidence is None else (self.evidence, *self.others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Outcome):
    """An outcome with its question, the engine that gave it (None: no engine would), the seconds it took, and what replaying found.

    ``backing`` says how the verdict was proved again, where that was tried.
    ``reading`` and ``group`` say how strategies were read, see `Certificate`; ``play`` says the same in words, for interleaved systems.

    ``only_because`` names a trivial reason without which the formula would fail: runs that end, or that there is no run.
    ``why`` is one sentence, ``explanations`` tell the evidence, piece by piece; both are empty where that was not asked.
    ``path`` shows a property of the states.
    """

    question: Question
    engine: str | None = None
    seconds: float = field(default=0.0, compare=False)
    cpu: float = field(default=0.0, compare=False)
    replay: Replay | None = field(default=None, repr=False)
    backing: Backing | None = None
    reading: Strategies = Strategies.ANY
    group: tuple[str, ...] | None = None
    play: str = ""
    rules: PlayRules = USUAL
    named: Named = Named()
    only_because: str | None = None
    why: str = ""
    explanations: tuple[Explanation, ...] = field(default=(), repr=False)
    path: Path | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        outcome: Outcome,
        question: Question,
        engine: str | None = None,
        seconds: float = 0.0,
        reading: Strategies = Strategies.ANY,
        group: tuple[str, ...] | None = None,
        play: str = "",
    ) -> Result:
        """The outcome as the answer to a question."""
        said = {one.name: getattr(outcome, one.name) for one in fields(Outcome)}
        return cls(**said, question=question, engine=engine, seconds=seconds, reading=reading, group=group, play=play)

    @property
    def certificate(self) -> Certificate:
        """What can be re-checked of the answer."""
        return Certificate(self.formula, self.verdict, self.reading, self.group, self.trees, self.rules, self.named)

    @property
    def index(self) -> int:
        """The number of the question."""
        return self.question.index

    @property
    def formula(self) -> Formula:
        """The formula asked."""
        return self.question.formula

    @property
    def text(self) -> str:
        """The formula as it was written."""
        return self.question.text

    @property
    def name(self) -> str:
        """The formula's name; empty if it has none."""
        return self.question.name

    @property
    def read_as(self) -> str:
        """What `Strategies.UNIFORM` means for the verdict, in words that follow the formula; empty in other readings."""
        if self.reading is not Strategies.UNIFORM or self.question.property is not None:
            return ""
        several = self.group is None or len(self.group) > 1
        who = "all agents" if self.group is None else " and ".join(self.group)
        if self.verdict is Verdict.FAILS:
            return f"whatever rules {who} {'fix' if several else 'fixes'} first"
        if not several:
            return f"if {who} fixes its rules first"
        return f"if {who} fix their rules first, and cooperate"

    @property
    def title(self) -> str:
        """The formula as it was written, behind its name if it has one."""
        return f"{self.name}: {self.text}" if self.name else self.text


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the state space.  None stands for "not known" (the budget ended first); states may also be "infinite".

    ``dead_ends`` and ``overflows`` count reachable states; the paths lead to one of each.  ``overflow_line`` names the agent and the
    number (from 1) of an evolution line that can leave its range; ``overflow_lines`` are all of them, where that is known.
    """

    states: int | Literal["infinite"] | None
    dead_ends: int | None = None
    dead_end: Path | None = None
    overflows: int | None = None
    overflow: Path | None = None
    overflow_line: tuple[str, int] | None = None
    overflow_lines: tuple[tuple[str, int], ...] | None = None
    fair_states: int | None = None
    reason: str | None = None
    advice: Advice = ()


NOTHING_KNOWN = Facts(None)


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as the file expects it, in words; ``formula`` is the number of the formula that it is about, if it is."""

    words: str
    formula: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All answers about one model, what is known of its states, and what there is to warn about.

    ``system`` is None where the text is no model.  ``planned`` are the questions, answered or not.  ``differences`` says where the answers
    differ from what the file expects; None where that was not asked.  ``recall`` says what agents of ``system`` remember that those of
    the text do not.  ``program`` is the text where its protocols ask what agents know, and ``system`` the system that it is.
    """

    model: str
    system: System | None = field(default=None, repr=False)
    planned: tuple[Question, ...] = field(default=(), repr=False)
    results: tuple[Result, ...] = ()
    facts: Facts = NOTHING_KNOWN
    diagnostics: tuple[Diagnostic, ...] = ()
    differences: tuple[Difference, ...] | None = None
    ending: Ending = DONE
    recall: Recalling | None = None
    program: System | None = field(default=None, repr=False)
    statistics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, compare=False, repr=False)
    seconds: float = field(default=0.0, compare=False)

    @property
    def decided(self) -> int:
        """How many questions have a verdict."""
        return sum(result.decided for result in self.results)

    @property
    def vacuous(self) -> bool:
        """Whether there is nothing that formulae range over: no initial state, or no fair run."""
        return self.facts.states == 0 or self.facts.fair_states == 0

    @property
    def trivial(self) -> bool:
        """Whether every formula holds, but each only for a trivial reason."""
        return bool(self.results) and all(one.verdict is Verdict.HOLDS and one.only_because for one in self.results)
