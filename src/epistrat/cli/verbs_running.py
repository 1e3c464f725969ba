"""The options of commands that lead from a model to a program."""

from __future__ import annotations

import argparse

from epistrat.cli.flags import MODEL, limits, option, reading, switch


def monitor(verb: argparse.ArgumentParser) -> None:
    """Write a guard for a program: one file that follows its run and says what it may still do"""
    verb.epilog = (
        "exit status: 0 the file is written, 1 the group of a shield cannot keep its property, "
        "3 the model, a formula or a name is not accepted, 4 a limit was reached"
    )
    verb.add_argument("file", metavar="MODEL", help=MODEL)
    option(verb, "-o --output FILE", "write it there; only files that this command wrote are overwritten")
    _following(verb)
    words = "what the shield is told after each event: variables, such as Player.p,Table.card"
    option(verb, "--sees A.x,..", words, "indexed", default=())
    option(
        verb, "--for NAME,..", "add functions for openai-agents, langgraph, gymnasium, pettingzoo", "names", default=()
    )
    option(verb, "--most-states N", "states that the file may hold (default: 20,000)", "count", default=20_000)
    switch(verb, "--no-self-check", "do not compare the file with the model on random runs")
    reading(verb)
    limits(verb)


def conform(verb: argparse.ArgumentParser) -> None:
    """Are these logs runs of the model?"""
    verb.epilog = (
        "exit status: 0 all conform, 1 some log is refused or violated, 2 usage, 3 the model, a log or a mapping cannot be read, "
        "4 none is refused, but some is unknown or empty"
    )
    verb.add_argument("file", metavar="MODEL", help=MODEL)
    verb.add_argument("logs", nargs="+", metavar="LOG", help="JSON lines, one event each; - reads standard input")
    _following(verb)
    option(verb, "--map FILE", "how lines are read: a mapping in TOML, or code.py:function, which is run")
    option(verb, "--from WHERE", "where runs begin: initial (the default) or any state", choices=["initial", "any"])
    several = verb.add_argument_group("several logs of one run")
    switch(several, "--together", "all logs are parts of one run, in any order")
    option(several, "--order BY", "with --together: by time", choices=["time"])
    option(several, "--skew S", "with --order time: events closer than S seconds in either order", "positive")
    output = verb.add_argument_group("output")
    switch(output, "--json", "print the findings as JSON")
    switch(output, "--explain", "show the run up to the line, and what would make it fit")
    switch(output, "--as-log", "print the runs in what simulate --json or check --json --evidence printed as a log")
    option(verb, "--most-states N", "states of the model that are followed (default: 20,000)", "count", default=20_000)
    reading(verb)
    limits(verb)


def _following(verb: argparse.ArgumentParser) -> None:
    """What is followed."""
    words = "a property: a formula of the model by name, or AG f, A f, a linear formula, or <g>G f for a shield (repeatable)"
    option(verb, "-f --formula FORMULA", words, action="append", default=[])
    words = "tell when a state formula becomes true, such as leak='K(Eve, secret)' (repeatable)"
    option(verb, "--watch NAME=FORMULA", words, "watched", action="append", default=[])
    option(verb, "--hidden a,b", "actions that happen without being told (interleaved models)", "indexed", default=())


def tests(verb: argparse.ArgumentParser) -> None:
    """Tests for a program, made from the model: paths that make every step"""
    verb.epilog = (
        "exit status: 0 the files are written, 2 usage, or a file of somebody else is in the way, 3 the model or a name is not accepted, "
        "4 a limit was reached, or there is nothing to follow"
    )
    verb.add_argument("file", metavar="MODEL", help="an ISPL model")
    option(verb, "-o --output DIR", "where test_MODEL.py and paths_MODEL.jsonl are written", required=True)
    words = "what the paths make together: transitions (the default), actions, or a run for each of the formulae"
    verb.add_argument("--cover", choices=["transitions", "actions", "formulae"], default="transitions", help=words)
    option(verb, "--drives A,B", "the agents whose actions the driver performs (default: all)", "indexed", default=())
    option(verb, "--length N", "steps of a path (default: 30)", "count", default=30)
    option(verb, "--seed S", "where random choices start (default 0)", int, default=0)
    switch(verb, "--itf", "also write each path as an ITF trace, which other tools read")
    option(verb, "--most-states N", "states of the model that are explored (default: 20,000)", "count", default=20_000)
    reading(verb)
    limits(verb)


def mcp(verb: argparse.ArgumentParser) -> None:
    """Serve an assistant: tools that check and explain models, each with a budget"""
    option(verb, "--root DIR", "only files below this folder are read (default: this folder)", default=".")
    option(verb, "--most-seconds S", "seconds that a question may ask for (default: 60)", "positive", default=60.0)
    option(verb, "--most-memory SIZE", "memory for a question (default: 2GB)", "size", default=2_000_000_000)
