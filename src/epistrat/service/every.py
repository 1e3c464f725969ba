"""Serves an `EveryRequest`: does the model satisfy its formulae for every value of a parameter?

Each admissible value is a model of its own.  They are checked one after the other, from the smallest on, so the first that fails a formula
is the smallest that does.  A range that has an end and was checked as a whole is a proof; without an end, checking values proves nothing:
then a proof for all values from some value on is looked for (`epistrat.service.counting`), and the values below must have been checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import count
from typing import TypeAlias

from epistrat.answers import Misuse, Question, Report, Result, Setting, Verdict
from epistrat.lang.families import Parameter, parameters
from epistrat.lang.load import Loaded
from epistrat.model.system import System
from epistrat.records import dataclass, field, fields, replace
from epistrat.service import models
from epistrat.service.checking import validate
from epistrat.service.counting import Proved, Prover, Unproved
from epistrat.service.events import Finished, Produced, Progress, Send
from epistrat.service.placing import Placed, Placing
from epistrat.service.requests import CheckRequest, EveryRequest, File, Given, Text
from epistrat.service.run import ask
from epistrat.solvers.budget import Budget

Written: TypeAlias = int
"""Where a formula begins in the text, or which of the formulae given it is: what all members of a family of formulae share."""


Proof: TypeAlias = Proved | Placed
"""A proof for all values from some value on."""


class Answer(Enum):
    """What is known of all values: the formula holds for each, fails for one, or was checked for some."""

    PROVED = "proved"
    REFUTED = "refuted"
    CHECKED = "checked"


_VERDICTS = {Answer.PROVED: Verdict.HOLDS, Answer.REFUTED: Verdict.FAILS, Answer.CHECKED: Verdict.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Instance:
    """The answer to a formula for one value, with the system that it is about."""

    size: int
    system: System
    result: Result


@dataclass(frozen=True, slots=True)
class ForEvery:
    """What was found about one formula as it is written.

    ``checked`` are the values that were asked, with their verdicts, ``vacuous`` those without an initial state or without a member of the
    family of formulae.  ``smallest`` is the smallest value for which the formula fails.
    ``method`` says how it was proved, ``reason`` why it was not.  ``instances`` are the answers that this rests on: those of all values
    where all were checked, those below the first that ``proof`` is about, that of the smallest value that fails.  A formula that fails may
    be proved for every value from ``holds_from`` on.
    """

    index: int
    name: str
    text: str
    answer: Answer
    checked: tuple[tuple[int, Verdict], ...]
    method: str | None = None
    smallest: int | None = None
    vacuous: tuple[int, ...] = ()
    reason: str | None = None
    instances: tuple[Instance, ...] = field(default=(), repr=False)
    proof: Proof | None = None
    holds_from: int | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether it holds for every value."""
        return _VERDICTS[self.answer]


@dataclass(frozen=True, slots=True)
class EverySize:
    """What came of an `EveryRequest`: the values that were meant (``last`` None: without end), and an answer for each formula."""

    parameter: str
    first: int
    last: int | None
    given: tuple[tuple[str, int], ...]
    answers: tuple[ForEvery, ...]


class _Found:
    """What is known of one formula so far."""

    def __init__(self, name: str, text: str) -> None:
        self.name, self.text = name, text
        self.checked: dict[int, Verdict] = {}
        self.vacuous: list[int] = []
        self.instances: list[Instance] = []
        self.fails = False
        self.reason: str | None = None
        self.proof: Proof | None = None
        self.why: str | None = None

    @property
    def open(self) -> bool:
        """Whether larger values are worth a look."""
        return not self.fails and self.reason is None

    def missing(self, size: int) -> None:
        """The family of formulae has no member for this value."""
        self.checked[size] = Verdict.HOLDS
        self.vacuous.append(size)

    def add(self, size: int, system: System, results: list[Result], empty: bool) -> None:
        """The answers for one value: that of the family is the worst of its members'."""
        failing = [one for one in results if one.verdict is Verdict.FAILS]
        unknown = [one for one in results if one.verdict is Verdict.UNKNOWN]
        if failing:
            self.checked[size] = Verdict.FAILS
            self.fails, self.instances = True, [Instance(size, system, failing[0])]
        elif unknown:
            self.checked[size] = Verdict.UNKNOWN
            self.reason = unknown[0].reason or "it was not decided"
        else:
            self.checked[size] = Verdict.HOLDS
            self.instances += [Instance(size, system, one) for one in results]
        if empty:
            self.vacuous.append(size)


def find(request: EveryRequest, send: Send, budget: Budget) -> None:
    """Check value by value; raises `InputError` and `Misuse`."""
    validate(request)
    _plausible(request)
    usual = models.load(request)  # what is wrong with the text is told first
    declared = _declared(request)
    sizes = request.sizes
    first = sizes.first if sizes.first is not None else declared.least
    if first is None:
        raise Misuse(
            f"{declared.name} has no smallest value: give one, as in {{}}", Setting("every", f"{declared.name}=1..")
        )
    last = sizes.last if sizes.last is not None else declared.most
    search = _Search(request, declared.name, send, budget, usual)
    given = tuple(sorted((name, value) for name, value in _given(request).items() if name != declared.name))
    for size in count(first):
        more = search.check(size) and size < (last if last is not None else request.upto)
        # also before the end: a limit that ends this process leaves what is known by then
        send(Produced(EverySize(declared.name, first, last, given, tuple(search.answers(first, last)))))
        if not more:
            break
    if last is None and request.formulae is None and not search.stopped and _as_usual(request):
        search.prove(first)
        send(Produced(EverySize(declared.name, first, last, given, tuple(search.answers(first, last)))))
    send(Finished())


def _plausible(request: EveryRequest) -> None:
    """Raise `Misuse` where something is asked that is about one model."""
    for name in ("deadlock", "overflow", "expect"):
        if getattr(request, name):
            raise Misuse("{} is about one model; it does not go together with {}", Setting(name), Setting("every"))
    if request.proof is not None:
        raise Misuse("{} keeps the proofs of one model; there are many sizes", Setting("proof"))


def _as_usual(request: EveryRequest) -> bool:
    """Whether knowledge and strategies are read as proofs for all sizes read them."""
    usual = EveryRequest(model=request.model, sizes=request.sizes)
    return all(getattr(request, name) == getattr(usual, name) for name in _READINGS)


_READINGS = ("strategies", "play", "group", "recall", "strategy_memory", "watching", "knowledge")
"""What changes the meaning of formulae."""


def _given(request: EveryRequest) -> Mapping[str, int]:
    model = request.model
    return dict(model.system.constants) if isinstance(model, Given) else model.parameters


def _declared(request: EveryRequest) -> Parameter:
    """The parameter that is asked about, as the text declares it."""
    name, model = request.sizes.parameter, request.model
    found = {one.name: one for one in parameters(models.text_of(model))}
    if name not in found:
        there = f"there {'is' if len(found) == 1 else 'are'} {', '.join(found)}" if found else "it has none"
        raise Misuse(f"the model has no parameter {name}; {there}")
    if not isinstance(model, Given) and name in model.parameters:
        raise Misuse(f"{{}} asks about all values of {name}: do not give it one", Setting("every", name))
    least = found[name].least
    if request.sizes.first is not None and least is not None and request.sizes.first < least:
        raise Misuse(f"{name} is {least} or more", Setting("every"))
    return found[name]


class _Search:
    """Values that were checked, and what they showed."""

    def __init__(
        self, request: EveryRequest, parameter: str, send: Send, budget: Budget, usual: tuple[System, Loaded]
    ) -> None:
        self._request, self._parameter, self._send, self._budget = request, parameter, send, budget
        self._found: dict[Written, _Found] = {}
        self._stopped: str | None = None
        self._sizes: list[int] = []
        self._note(self._written(*usual), usual[1])
        self._wanted = self._chosen()

    @property
    def stopped(self) -> bool:
        """Whether a value was met that is no model."""
        return self._stopped is not None

    def _chosen(self) -> set[Written]:
        """The formulae that are wanted, by number or name."""
        only = self._request.only
        if only is None:
            return set(self._found)
        found: set[Written] = set()
        for one in only:
            met = [key for number, (key, known) in enumerate(self._ordered(), 1) if one in (number, known.name)]
            if not met:
                names = ", ".join(known.name for _, known in self._ordered() if known.name)
                raise Misuse(f"there is no formula {one}: the model has {len(self._found)}{names and f' ({names})'}")
            found.update(met)
        return found

    def _ordered(self) -> list[tuple[Written, _Found]]:
        """The formulae in the order in which they are written."""
        return sorted(self._found.items(), key=lambda item: (item[0] < 0, abs(item[0])))

    def check(self, size: int) -> bool:
        """Look at one value; whether a larger one is worth it."""
        self._send(Progress(f"{self._parameter} = {size}"))
        try:
            system, loaded = models.load(replace(self._request, model=self._model(size)))
        except models.InputError as rejected:
            first = next(one for one in rejected.diagnostics if one.is_error)
            self._stopped = f"{self._parameter} = {size} is no model ({first.code}: {first.message})"
            return False
        asked = self._written(system, loaded)
        self._note(asked, loaded)
        wanted = {key: members for key, members in asked.items() if key in self._wanted and self._found[key].open}
        for key in self._wanted - set(asked):
            if self._found[key].open:
                self._found[key].missing(size)
        if wanted:
            report = self._report(system, loaded, tuple(one.index for members in wanted.values() for one in members))
            answers = {one.index: one for one in report.results}
            for key, members in wanted.items():
                results = [self._shown(answers[one.index], system, loaded) for one in members]
                self._found[key].add(size, system, results, report.facts.states == 0)
        self._sizes.append(size)
        return any(self._found[key].open for key in self._wanted)

    def prove(self, first: int) -> None:
        """Look for proofs of what was not refuted, and of what was refuted for larger values."""
        text, given = models.text_of(self._request.model), _given(self._request)
        prover = Prover(text, self._parameter, given, self._budget)
        placing = Placing(text, self._parameter, given, self._system, self._budget)
        for key, one in self._ordered():
            if key not in self._wanted or not self._sizes or one.reason is not None:
                continue
            self._send(Progress(f"a proof for every {self._parameter}: {one.name or one.text}"))
            if one.fails:
                smallest = one.instances[0].size
                one.proof = prover.later(key, smallest + 1) or placing.later(key, smallest + 1)
                continue
            found: Proof | Unproved = prover.prove(key, first)
            if isinstance(found, Unproved):
                one.why = counted = found.said(self._parameter)
                found = placing.prove(key, first)
                if isinstance(found, Unproved) and found.why not in counted:
                    one.why = f"{counted}; by places: {found.why}"
            if isinstance(found, Unproved):
                continue
            if found.start > max(one.checked) + 1:
                one.why = f"there is a proof from {self._parameter} = {found.start} on: check the values below"
            else:
                one.proof = found

    def _system(self, size: int) -> System:
        """The model for one value, as a system."""
        return models.load(replace(self._request, model=self._model(size)))[0]

    def _model(self, size: int) -> File | Text:
        """The model for one value."""
        model = self._request.model
        values = {**_given(self._request), self._parameter: size}
        if isinstance(model, Given):
            return Text(models.text_of(model), model.name, {name: values[name] for name in self._names(model)})
        return replace(model, parameters=values)

    @staticmethod
    def _names(model: Given) -> list[str]:
        return [one.name for one in parameters(models.text_of(model))]

    def _written(self, system: System, loaded: Loaded) -> dict[Written, list[Question]]:
        """The formulae of this value, by where they are written."""
        found: dict[Written, list[Question]] = {}
        if self._request.formulae is not None:
            read = [models.read_formula(one, system) if isinstance(one, str) else one for one in self._request.formulae]
            return {one.index: [one] for one in models.questions(system, read)}
        for one in models.questions(system, origins=loaded.origins):
            span = loaded.origins.span("formula", one.index - 1)
            found.setdefault(-one.index if span is None else span.start, []).append(one)
        return found

    def _note(self, asked: dict[Written, list[Question]], loaded: Loaded) -> None:
        """Formulae that are met for the first time: a family of formulae may have its first member late."""
        for key, (one, *_) in asked.items():
            if key not in self._found:
                note = loaded.origins.note("formula", one.index - 1) if self._request.formulae is None else ""
                new = self._found[key] = _Found(one.name.partition("[")[0], one.text.removesuffix(f" ({note})"))
                if self._sizes and self._request.only is None:
                    self._wanted.add(key)
                for smaller in self._sizes:
                    new.missing(smaller)

    def _check_request(self, system: System, loaded: Loaded, only: tuple[int, ...]) -> CheckRequest:
        said = {one.name: getattr(self._request, one.name) for one in fields(CheckRequest)}
        own = self._request.formulae is None
        formulae = None if own else self._request.formulae
        return CheckRequest(**{**said, "model": Given(system, loaded), "only": only, "formulae": formulae})

    def _report(self, system: System, loaded: Loaded, only: tuple[int, ...]) -> Report:
        """The answers without evidence, which is looked for where a formula fails."""
        request = replace(self._check_request(system, loaded, only), evidence=False, focus=None)
        return ask(request, self._budget)[0]

    def _shown(self, result: Result, system: System, loaded: Loaded) -> Result:
        """The result with evidence, if it fails and evidence is wanted."""
        if result.verdict is not Verdict.FAILS or not self._request.evidence:
            return result
        found = ask(self._check_request(system, loaded, (result.index,)), self._budget)[0].results[0]
        return found if found.verdict is result.verdict else result

    # what it comes to

    def answers(self, first: int, last: int | None) -> Iterator[ForEvery]:
        """An answer for each formula that is wanted, in the order in which they are written."""
        for index, (key, one) in enumerate(self._ordered(), start=1):
            if key in self._wanted:
                yield self._answer(index, one, first, last)

    def _answer(self, index: int, one: _Found, first: int, last: int | None) -> ForEvery:
        checked = tuple(sorted(one.checked.items()))
        vacuous = tuple(sorted(one.vacuous))
        made = ForEvery(index, one.name, one.text, Answer.CHECKED, checked, vacuous=vacuous)
        instances = tuple(one.instances)
        if one.fails:
            later = None if one.proof is None else one.proof.start
            found = replace(made, answer=Answer.REFUTED, smallest=instances[0].size, instances=instances)
            return replace(found, holds_from=later, proof=one.proof)
        if one.proof is not None:
            below = tuple([each for each in instances if each.size < one.proof.start])
            return replace(made, answer=Answer.PROVED, method=one.proof.method, instances=below, proof=one.proof)
        if one.reason is None and last is not None and len(checked) == last - first + 1:
            return replace(made, answer=Answer.PROVED, method="sizes", instances=instances)
        return replace(made, reason=self._reason(one))

    def _reason(self, one: _Found) -> str:
        name = self._parameter
        holds = [size for size, verdict in sorted(one.checked.items()) if verdict is Verdict.HOLDS]
        said = []
        if holds:
            span = f"{holds[0]}" if len(holds) == 1 else f"{holds[0]} to {holds[-1]}"
            said.append(f"holds for {name} = {span} by checking; that is no proof for every {name}")
        if one.reason is not None:
            said.append(f"{name} = {max(one.checked)}: {one.reason}")
        elif self._stopped is not None:
            said.append(self._stopped)
        elif one.why is not None:
            said.append(one.why)
        return "; ".join(said)
