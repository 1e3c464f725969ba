"""``epistrat replay``: re-check answers that ``check --json --evidence`` saved, without any engine."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from epistrat.answers import Certificate, Verdict
from epistrat.cli import console
from epistrat.cli.ask import answered, model
from epistrat.cli.exit_codes import Exit, Refused, status_of
from epistrat.evidence.findings import MOST_SURVEYED
from epistrat.jobs.limits import Limits
from epistrat.lang.load import Loaded
from epistrat.logic.formula import Formula
from epistrat.model.system import System
from epistrat.render.json.cursor import Datum
from epistrat.render.json.reading import Unreadable, read_certificate
from epistrat.render.json.reading_memory import read_guards, read_recall
from epistrat.render.json.report import SCHEMA
from epistrat.render.replay import Standing, rechecked_json, show_rechecked
from epistrat.render.text import show_rejection
from epistrat.service import InputError, ReplayRequest
from epistrat.service.models import load, load_as_written, questions, read_formula
from epistrat.service.requests import Given

_PARAMETERS = re.compile(r"\bParameters\b(.*?)\bend\s+Parameters\b", re.DOTALL)

Answers = list[tuple[int, Certificate]]


def run(arguments: argparse.Namespace) -> Exit:
    """Read the model and the answers; re-check them; 0 if all of them hold up."""
    about = model(arguments.model, arguments)
    try:
        read = load_as_written(ReplayRequest(model=about, strict=arguments.strict))
        saved = _report(arguments)
        if read[0].is_program:
            read = load(ReplayRequest(model=about, strict=arguments.strict, knowledge=read_guards(saved)))
        if "every" in saved:
            from epistrat.cli.replay_every import for_every_size

            return for_every_size(arguments, saved, about)
        return recheck(arguments, saved, *read)
    except InputError as rejected:
        raise Refused(Exit.INPUT, *show_rejection(rejected.diagnostics, console.style())) from None
    except Unreadable as wrong:
        raise Refused(Exit.INPUT, f"epistrat replay: {arguments.result}: {wrong}") from None


def recheck(arguments: argparse.Namespace, saved: Datum, system: System, loaded: Loaded) -> Exit:
    """Re-check a report about one model; raises `InputError` and `Unreadable`."""
    _same_parameters(saved, system, loaded.source.text)
    system = read_recall(system, saved)
    own = {one.text: one.formula for one in questions(system, origins=loaded.origins)}
    answers = list(_answers(saved, system, arguments.strict, own))
    request = ReplayRequest(
        model=Given(system),
        certificates=tuple(certificate for _, certificate in answers),
        prove=not arguments.no_proof,
        survey=MOST_SURVEYED if arguments.states is None else arguments.states,
        limits=Limits(arguments.time, arguments.memory),
    )
    report, found = answered("replay", request, quiet=arguments.json)
    if found is None:
        console.complain(f"not re-checked: {report.ending.reason}")
        return status_of(report)
    if arguments.json:
        console.write([json.dumps(rechecked_json(system, arguments.model, answers, found))])
    else:
        console.write(show_rechecked(answers, found, console.style()))
        console.write(_left_out(saved, answers))
    standings = {Standing.of(one.verdict, replay) for (_, one), replay in zip(answers, found, strict=True)}
    larger = any(replay.too_many for replay in found)
    if larger and Standing.PARTLY in standings and system.finite and arguments.states is None and not arguments.json:
        console.write(
            [f"Models of up to {MOST_SURVEYED} states are visited as a whole; --states N visits larger ones."]
        )
    return Exit.HOLDS if all(standing.holds_up for standing in standings) else Exit.FAILS


def _answers(
    report: Datum, system: System, strict: bool, own: Mapping[str, Formula]
) -> Iterator[tuple[int, Certificate]]:
    """The answers in the saved report, with their numbers; those about dead ends and overflows are not formulae.

    A formula that the model has in the same words is meant so (``own``): words of a family may depend on where they stand.
    """

    def reader(text: str) -> Formula:
        found = own.get(text)
        return read_formula(text, system=system, strict=strict) if found is None else found

    for result in report["results"]:
        if "property" not in result and not _meaningless(result, reader):
            yield result["index"].count(), read_certificate(system, result, reader)


def _meaningless(result: Datum, reader: Callable[[str], Formula]) -> bool:
    """Whether nothing is said about a formula that has no meaning in this model, however it was read when it was asked."""
    if result["verdict"].value != Verdict.UNKNOWN.value:
        return False
    try:
        reader(result["formula"].text())
    except InputError:
        return True
    return False


def _left_out(report: Datum, answers: Answers) -> Iterator[str]:
    """Which answers were not looked at: those about dead ends and overflows, and unknown ones to formulae that have no meaning."""
    left = [result["property"].value for result in report["results"] if "property" in result]
    if left:
        yield f"Not re-checked, because they are no formulae: {', '.join(map(str, dict.fromkeys(left)))}."
    numbers = {number for number, _ in answers}
    unread = [one for one in report["results"] if "property" not in one and one["index"].value not in numbers]
    for one in unread:
        yield f"Not read, and unknown anyway: {one['formula'].text()}."


def _same_parameters(report: Datum, system: System, text: str) -> None:
    """Raise `Unreadable` where the answers are about the model with other values of its parameters."""
    if "parameters" not in report:
        return
    declared = set(re.findall(r"(\w+)\s*=", " ".join(_PARAMETERS.findall(text)))) or set(system.constants)
    asked = {name: one.value for name, one in report["parameters"].items() if name in declared}
    other = {name: value for name, value in asked.items() if system.constants.get(name) != value}
    if other:
        said = ", ".join(f"{name} = {value}" for name, value in other.items())
        here = ", ".join(f"{name} = {system.constants.get(name, 'nothing')}" for name in other)
        given = ",".join(f"{name}={value}" for name, value in other.items())
        raise Unreadable("", f"the answers are about the model with {said}; here {here}. Give --set {given}")


def _report(arguments: argparse.Namespace) -> Datum:
    """The report about the model: the only one in the file, or, of several, the one that names the model."""
    try:
        text = Path(arguments.result).read_text(encoding="utf-8")
    except OSError as error:
        raise Unreadable("", f"cannot be read: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise Unreadable("", "this is not UTF-8 text") from None
    reports = [Datum(one) for one in _reports(text)]
    named = [one for one in reports if "model" in one and one["model"].value == arguments.model]
    if len(reports) == 1 or len(named) == 1:
        return _known((named or reports)[0])
    what = (
        "there is no report in it" if not reports else f"it holds {len(reports)} reports, and not one about this file"
    )
    raise Unreadable("", what)


def _known(report: Datum) -> Datum:
    """The report, if its keys mean what they mean here."""
    schema = report["schema"]
    if schema.count() != SCHEMA:
        raise schema.wrong(f"these are answers in another format; this is {SCHEMA}")
    return report


def _object(fields: list[tuple[str, object]]) -> dict[str, object]:
    """A JSON object.  One that says two things under one name is refused: others would read the first of them."""
    found = dict(fields)
    if len(found) < len(fields):
        twice = next(name for place, (name, _) in enumerate(fields) if name in dict(fields[:place]))
        raise Unreadable("", f"{twice!r} is written twice in one object")
    return found


def _reports(text: str) -> Iterator[object]:
    """One JSON value after the other."""
    decoder, place = json.JSONDecoder(object_pairs_hook=_object), 0
    while place < len(text) and text[place:].strip():
        start = place + len(text[place:]) - len(text[place:].lstrip())
        try:
            value, place = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise Unreadable(f"line {error.lineno}, column {error.colno}", f"not JSON: {error.msg.lower()}") from None
        except RecursionError:
            raise Unreadable("", "this is nested too deep") from None
        yield value
