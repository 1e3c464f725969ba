"""How options are added to a command; an option is written as in the help: ``-f --formula FORMULA``, with what its value stands for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from epistrat.service.settings import Row

MODEL = "an ISPL model; - reads standard input"


def switch(where: argparse._ActionsContainer, flags: str, words: str, **more: Any) -> None:
    """An option without value."""
    where.add_argument(*flags.split(), action="store_true", help=words, **more)


def option(
    where: argparse._ActionsContainer, flags: str, words: str, kind: str | Callable[[str], Any] = str, **more: Any
) -> None:
    """An option with a value, which is read by ``kind``: a function, or the name of one in `epistrat.service.values`."""
    *flag, value = flags.split()
    where.add_argument(*flag, type=typed(kind), metavar=value, help=words, **more)


def typed(kind: str | Callable[[Any], Any]) -> Callable[[str], Any]:
    """The same reader, for argparse: what it says of a wrong value is shown."""
    if isinstance(kind, str):
        from epistrat.service import values

        read: Callable[[Any], Any] = getattr(values, kind)
    else:
        read = kind

    def reader(text: str) -> Any:
        try:
            return read(text)
        except ValueError as wrong:
            raise argparse.ArgumentTypeError(str(wrong)) from None

    return reader


def rows(where: argparse._ActionsContainer, *rows: Row, **more: Any) -> None:
    """The settings of these rows.  What is not given is None, or off."""
    for row in rows:
        if not row.value and not row.choices:
            action = "store_false" if row.default else "store_true"
            where.add_argument(*row.flags, dest=row.name, action=action, help=row.words, **more)
            continue
        kind = str if row.choices or row.listed else typed(row.read)
        if row.listed:
            more = {**more, "action": "append"}
        where.add_argument(
            *row.flags,
            dest=row.name,
            type=kind,
            metavar=row.value or None,
            choices=row.choices or None,
            help=row.words,
            **more,
        )
        more.pop("action", None)


def engine(where: argparse._ActionsContainer, *others: str) -> None:
    """Which engine is asked: one of the registry, or what else stands for some."""
    from epistrat.service.settings import ENGINES

    *names, last = ("auto", *ENGINES, *others)
    option(where, "--engine E", f"{', '.join(names)} or {last}", default="auto")


def tuning(verb: argparse.ArgumentParser, *, but: str | None = None) -> None:
    """A flag for each option of a single engine, except those called ``but``."""
    from epistrat.service.settings import engine_options

    tuning = verb.add_argument_group("tuning one engine")
    for name, (engines, one) in engine_options().items():
        words, choices = f"{engines}: {one.metadata['words']}", one.metadata["choices"]
        flag = f"--{name.replace('_', '-')}"
        if name == but:
            continue
        if isinstance(one.default, bool):
            switch(tuning, flag, words, default=None)
        else:
            kind = str if one.default is None else type(one.default)
            words += f" ({', '.join(choices)})" if choices else ""
            option(tuning, f"{flag} {one.metadata['metavar'] or 'M'}", words, kind)


def time_and_memory(where: argparse._ActionsContainer) -> None:
    """The two limits that every request can have."""
    from epistrat.service import settings

    rows(where, settings.TIME, settings.MEMORY)


def limits(verb: argparse.ArgumentParser) -> None:
    """What serving a request may use."""
    from epistrat.service import settings

    rows(verb.add_argument_group("limits, for each file"), *settings.LIMITS)


def output(verb: argparse.ArgumentParser, formats: Sequence[str] = ()) -> None:
    """How a report is printed."""
    output = verb.add_argument_group("output")
    if formats:
        words = "text (the default), json (one object per file), junit, sarif, or github (annotations)"
        option(output, "--format F", words, choices=formats, default="text")
        output.add_argument("--json", dest="format", action="store_const", const="json", help="--format json")
    else:
        switch(output, "--json", "print the report as JSON, one object per file")
    switch(output, "--stats", "show what the engines did, and how long it took")
    if formats:
        switch(output, "--quiet -q", "print only what fails or is unknown")
        switch(output, "--verbose", "also tell what failed beside a verdict and was left out")
        switch(output, "--all-warnings", "show every warning, not one of each kind")
        option(output, "--no-warn W006,..", "without these warnings", "names", default=())
        switch(output, "--werror", "warnings make the exit status 1")


def reading(verb: argparse._ActionsContainer, *, strict: bool = True) -> None:
    """How a model is read."""
    if strict:
        from epistrat.service import settings

        rows(verb, settings.STRICT)
    option(verb, "--set n=10", "values of the model's parameters (n=10,m=2)", "parameters", action="extend")
    switch(verb, "--include-outside", "allow `include` of files outside the model's folder")
