"""From what a request names to a checked system: files, texts and formulae are read here, and nowhere else."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from epistrat.answers import Misuse, Question
from epistrat.logic.formula import Formula, Truth
from epistrat.logic.histories import read_as
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.model.transform.choices import USUAL, TooManySets
from epistrat.records import replace
from epistrat.service.requests import (
    CheckRequest,
    EngineRequest,
    File,
    Given,
    ImplementRequest,
    Model,
    ReplayRequest,
    Request,
    Text,
)
from epistrat.source import Diagnostic, NotRead, Report as SourceReport, SourceText, Span

if TYPE_CHECKING:
    from epistrat.lang.load import Loaded
    from epistrat.lang.origins import Origins

STV_SUFFIX = ".stv"
"""Files whose name ends so are STV2's models."""
VMT_SUFFIX = ".vmt"
"""Files whose name ends so are transition systems in VMT-LIB."""
RML_SUFFIX = ".rml"
"""Files whose name ends so are EVE's games."""
AS_ISPL = " (as ISPL)"
"""Added to the name of a model of another tool where places in its translation are meant; `epistrat import` shows that text."""
_COMMENT = re.compile(r"(?:--|//)[^\n]*|/\*.*?\*/", re.DOTALL)
_FORMULAE = re.compile(r"\bFormulae\b(.*?)\bend\s+Formulae\b", re.DOTALL)


class InputError(ValueError):
    """A model or formula that cannot be used.  ``diagnostics`` say what is wrong and where."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(_in_a_line(one) for one in self.diagnostics if one.is_error))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]:
        return InputError, (self.diagnostics,)


def _in_a_line(diagnostic: Diagnostic) -> str:
    """A message with its place and what may be meant."""
    meant = () if diagnostic.suggestion is None else (f"did you mean `{diagnostic.suggestion}`?",)
    return "; ".join([str(diagnostic), *diagnostic.notes, *meant])


def load(request: Request) -> tuple[System, Loaded]:
    """The system that a request is about, and what is known of its text; raises `InputError` if it is none.

    A program that asks for knowledge is the system that implements it.
    """
    system, loaded = load_as_written(request)
    if system.is_program:
        from epistrat.service.implementing import implemented

        system = implemented(request, system, loaded, request.limits.budget()).system
    return system, loaded


def load_as_written(request: Request) -> tuple[System, Loaded]:
    """The same; a program as it is written."""
    system, loaded = _given(request)
    if isinstance(request, (CheckRequest, ImplementRequest, ReplayRequest)) and request.knowledge is not None:
        system = replace(system, knowledge=request.knowledge)
    if isinstance(request, EngineRequest) and request.play != USUAL:
        try:
            system = request.play.of(system)
        except TooManySets as reason:
            raise Misuse(str(reason)) from None
    return system, loaded


def _given(request: Request) -> tuple[System, Loaded]:
    from epistrat.lang.load import without_text

    model = request.model
    if isinstance(model, Given):
        return model.system, model.loaded or without_text(model.system)
    loaded = read(model, strict=request.strict, equal_enumerations=request.equal_enumerations)
    if loaded.system is None:
        raise InputError(loaded.diagnostics)
    return loaded.system, loaded


def read(model: Model, *, strict: bool = False, equal_enumerations: bool = False) -> Loaded:
    """What comes of a file or a text.  Whatever is wrong with it is in the diagnostics."""
    from epistrat.lang.load import load as load_text, without_text

    try:
        text = _text(model)
    except ValueError as unreadable:
        report = SourceReport(SourceText("", model.name))
        report.error("E011", f"{model.name} cannot be read: {unreadable}")
        return without_text(None, report)
    name, before = model.name, []
    if name.endswith((STV_SUFFIX, VMT_SUFFIX, RML_SUFFIX)):
        translated, report = _translated(SourceText(text, name))
        if translated is None:
            return without_text(None, report)
        text, before = translated, report.diagnostics
        name += AS_ISPL
    parameters = {} if isinstance(model, Given) else model.parameters
    include = None
    if isinstance(model, File):
        include = Folder(FilePath(model.name).parent, outside=model.outside)
    elif isinstance(model, Text) and model.folder is not None:
        include = Folder(FilePath(model.folder))
    loaded = load_text(
        text,
        name,
        strict=strict,
        equal_enumerations=equal_enumerations,
        parameters=parameters,
        include=include,
    )
    loaded.report.diagnostics[:0] = before
    if "\N{REPLACEMENT CHARACTER}" in text:
        loaded.report.warning("W021", "some characters in comments are not UTF-8 text")
    return loaded


def imported(name: str) -> tuple[str | None, SourceReport]:
    """Another tool's model in a file as ISPL text (None if that cannot be), and what is to be said about it."""
    try:
        text = _text(File(name))
    except ValueError as unreadable:
        report = SourceReport(SourceText("", name))
        report.error("E011", f"{name} cannot be read: {unreadable}")
        return None, report
    return _translated(SourceText(text, name))


def _translated(source: SourceText) -> tuple[str | None, SourceReport]:
    report = SourceReport(source)
    code = "E041"
    try:
        if source.name.endswith(VMT_SUFFIX):
            code = "E042"
            from epistrat.lang.vmt.translate import translate

            return translate(source.text), report
        if source.name.endswith(RML_SUFFIX):
            code = "E043"
            from epistrat.lang.rml.translate import translate as from_rml

            game = from_rml(source.text)
            text, remarks = game.text, game.remarks
        else:
            from epistrat.lang.stv.translate import translate as from_stv

            found = from_stv(source.text)
            text, remarks = found.text, found.remarks
    except NotRead as reason:
        report.error(code, str(reason), Span(reason.at, reason.at + 1))
        return None, report
    for words, at in remarks:
        report.warning("W011", words, Span(at, at + 1))
    return text, report


class Folder:
    """Finds the files that a model includes, beside the file that names them; those outside the folder only if that is allowed."""

    def __init__(self, folder: FilePath, *, outside: bool = False) -> None:
        self._root = folder.resolve()
        self._outside = outside

    def __call__(self, name: str, parent: str) -> tuple[str, str]:
        """The file that another one names, and its text; raises ValueError, in words, if it cannot be had."""
        path = FilePath(parent).parent / name
        if not self._outside and not path.resolve().is_relative_to(self._root):
            raise ValueError("it lies outside the folder of the model")
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ValueError("this is a device or a pipe, not a file")
        found = os.path.normpath(path)
        return found, _text(File(found))


def text_of(model: Model) -> str:
    """The text of a model; empty where it was built and has none.  Raises `InputError` where it cannot be read."""
    try:
        return _text(model)
    except ValueError as unreadable:
        report = SourceReport(SourceText("", model.name))
        report.error("E011", f"{model.name} cannot be read: {unreadable}")
        raise InputError(report.diagnostics) from None


def _text(model: Model) -> str:
    """The text of a model; raises ValueError, in words, where there is none.  In comments, bytes that are not UTF-8 are let pass."""
    if isinstance(model, Given):
        return model.loaded.source.text if model.loaded is not None else ""
    try:
        content = FilePath(model.name).read_bytes() if isinstance(model, File) else model.content
    except OSError as error:
        raise ValueError(_why_not(error)) from None
    if isinstance(content, str):
        return content
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = content.decode("utf-8-sig", errors="replace")
        if "\N{REPLACEMENT CHARACTER}" not in _COMMENT.sub("", text):
            return text
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(f"byte {error.start} in line {line} is not UTF-8 text") from None
    if "\0" in text:
        raise ValueError("this is not text: it holds a null character")
    return text


def _why_not(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a directory, not a file"
    return (error.strerror or str(error)).lower()


def read_formula(text: str, system: System, *, strict: bool = False) -> Formula:
    """The formula that a text denotes; raises `InputError` if it denotes none."""
    from epistrat.lang.load import parse_formula

    formula, diagnostics = parse_formula(text, system, strict=strict)
    if formula is None:
        raise InputError(diagnostics)
    return formula


def questions(
    system: System,
    formulae: Sequence[Formula] | None = None,
    only: Iterable[int | str] | None = None,
    origins: Origins | None = None,
) -> list[Question]:
    """The system's own formulae, or the given ones, numbered from 1; ``only`` picks some by number or name."""
    own = formulae is None
    asked = [
        Question(
            index,
            (read := read_as(formula, system.knowledge)),
            _words(index, read, origins if own and read == formula else None),
            place=origins.position("formula", index - 1) if own and origins is not None else None,
            name=system.formula_names[index - 1] if own and system.formula_names else "",
        )
        for index, formula in enumerate(system.formulae if formulae is None else formulae, start=1)
    ]
    if only is None:
        return asked
    wanted = dict.fromkeys(only)
    for one in wanted:
        if not any(map(question_is(one), asked)):
            names = ", ".join(question.name for question in asked if question.name)
            raise Misuse(f"there is no formula {one}: the model has {len(asked)}{f' ({names})' if names else ''}")
    return [question for question in asked if any(question_is(one)(question) for one in wanted)]


def question_is(wanted: int | str) -> Callable[[Question], bool]:
    """Whether a question has this number or name; the name of a family means all its members."""
    if isinstance(wanted, int):
        return lambda question: question.index == wanted
    return lambda question: question.name == wanted or question.name.startswith(f"{wanted}[")


def _words(index: int, formula: Formula, origins: Origins | None) -> str:
    """The formula as it was written, on one line; as we would write it where that is not known."""
    written = origins.text("formula", index - 1) if origins is not None else None
    if written is None or any(mark in written for mark in ("--", "//", "/*")):
        return show(formula)
    text = " ".join(written.split()).removesuffix(";").rstrip()
    note = origins.note("formula", index - 1) if origins is not None else ""
    return f"{text} ({note})" if note else text


def unread_questions(request: CheckRequest) -> list[Question]:
    """The questions of a request whose model was not read to its end, by their words alone."""
    if request.formulae is not None:
        texts = [one if isinstance(one, str) else show(one) for one in request.formulae]
    else:
        try:
            section = _FORMULAE.search(_COMMENT.sub(" ", _text(request.model)))
        except ValueError:
            return []
        texts = [" ".join(part.split()) for part in section[1].split(";")] if section else []
    asked = [Question(index, Truth(True), text) for index, text in enumerate(filter(None, texts), start=1)]
    return [one for one in asked if request.only is None or one.index in request.only]
