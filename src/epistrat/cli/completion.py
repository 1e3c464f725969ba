"""``epistrat completion``: a script that makes a shell complete commands, options, their values, names of scenarios, and files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from epistrat import scenarios
from epistrat.cli import console
from epistrat.cli.arguments import commands
from epistrat.cli.exit_codes import Exit
from epistrat.experiments import suite
from epistrat.records import dataclass
from epistrat.service.settings import ENGINES, engine_options
from epistrat.source import TITLES

_BASH = """_epistrat() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{verbs}" -- "$word")); return; fi
  case "${{COMP_WORDS[1]}} $before" in
{values}
  esac
  local options="" names=""
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  else COMPREPLY=($(compgen -W "$names" -- "$word") $(compgen -f -- "$word")); fi
}}
complete -o filenames -F _epistrat epistrat
"""

_NAMES: dict[tuple[str, str], Callable[[], Iterable[str]]] = {
    ("", "--engine"): lambda: ("auto", *ENGINES, "all"),
    ("scenario", "name"): lambda: scenarios.names(),
    ("sweep", "what"): lambda: scenarios.names(),
    ("explain", "code"): lambda: TITLES,
    ("bench", "--suite"): lambda: suite.available(),
}
"""What can stand where argparse does not know it: by command (empty: all) and option or argument."""


@dataclass(frozen=True)
class Known:
    """What a command takes: its options in words, the values of some of them, and names that can stand where files can."""

    options: dict[str, str]
    values: dict[str, tuple[str, ...]]
    names: tuple[str, ...] = ()


def run(arguments: argparse.Namespace) -> Exit:
    """Print the script for one shell."""
    console.write([{"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell](known()).rstrip("\n")])
    return Exit.HOLDS


def known() -> dict[str, Known]:
    """What each command takes."""
    return {name: _known(name, parser) for name, parser in commands().items()}


def _known(verb: str, parser: argparse.ArgumentParser) -> Known:
    options: dict[str, str] = {}
    values: dict[str, tuple[str, ...]] = {}
    names: tuple[str, ...] = ()
    for action in parser._actions:
        if not action.option_strings:
            names += _values(verb, action, action.dest)
        for flag in action.option_strings:
            if flag.startswith("--"):
                options[flag] = (action.help or "").replace("'", "").replace("%%", "%")
            found = _values(verb, action, flag)
            if found and action.nargs != 0:
                values[flag] = found
    return Known(options, values, names)


def _values(verb: str, action: argparse.Action, name: str) -> tuple[str, ...]:
    """The values that an option or argument can have, where they are known."""
    if action.choices is not None:
        return tuple(map(str, action.choices))
    listed = _NAMES.get((verb, name)) or _NAMES.get(("", name))
    if listed is not None:
        return tuple(listed())
    tuned = engine_options().get(action.dest)
    return tuple(tuned[1].metadata["choices"]) if tuned is not None and action.option_strings else ()


def bash(verbs: dict[str, Known]) -> str:
    """For bash; zsh understands it too."""
    cases = "\n".join(
        f'    {verb}) options="{" ".join(one.options)}" names="{" ".join(one.names)}" ;;' for verb, one in verbs.items()
    )
    values = "\n".join(
        f'    "{verb} {flag}") COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word")); return ;;'
        for verb, one in verbs.items()
        for flag, words in one.values.items()
    )
    return _BASH.format(verbs=" ".join(verbs), cases=cases, values=values)


def zsh(verbs: dict[str, Known]) -> str:
    """For zsh, by way of bash's."""
    return "autoload -U +X bashcompinit && bashcompinit\n" + bash(verbs)


def fish(verbs: dict[str, Known]) -> str:
    """For fish."""
    lines = [f"complete -c epistrat -n __fish_use_subcommand -a {verb}" for verb in verbs]
    for verb, one in verbs.items():
        seen = f"-n '__fish_seen_subcommand_from {verb}'"
        for flag, words in one.options.items():
            values = f" -x -a '{' '.join(one.values[flag])}'" if flag in one.values else ""
            lines.append(f"complete -c epistrat {seen} -l {flag.removeprefix('--')}{values} -d '{words}'")
        if one.names:
            lines.append(f"complete -c epistrat {seen} -a '{' '.join(one.names)}'")
    return "\n".join(lines) + "\n"
