"""``epistrat completion``: a script that makes a shell complete commands, options and files."""

from __future__ import annotations

import argparse

from epistrat.cli import console
from epistrat.cli.arguments import commands
from epistrat.cli.exit_codes import Exit

_BASH = """_epistrat() {{
  local word=${{COMP_WORDS[COMP_CWORD]}}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "{verbs}" -- "$word")); return; fi
  local options=""
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}}
complete -o filenames -F _epistrat epistrat
"""


def run(arguments: argparse.Namespace) -> Exit:
    """Print the script for one shell."""
    flags = options()
    console.write([{"bash": bash, "zsh": zsh, "fish": fish}[arguments.shell](flags).rstrip("\n")])
    return Exit.HOLDS


def options() -> dict[str, dict[str, str]]:
    """The options of each command, with what they do."""
    return {
        name: {
            flag: (action.help or "").replace("'", "").replace("%%", "%")
            for action in parser._actions
            for flag in action.option_strings
            if flag.startswith("--")
        }
        for name, parser in commands().items()
    }


def bash(flags: dict[str, dict[str, str]]) -> str:
    """For bash; zsh understands it too."""
    cases = "\n".join(f'    {verb}) options="{" ".join(known)}" ;;' for verb, known in flags.items())
    return _BASH.format(verbs=" ".join(flags), cases=cases)


def zsh(flags: dict[str, dict[str, str]]) -> str:
    """For zsh, by way of bash's."""
    return "autoload -U +X bashcompinit && bashcompinit\n" + bash(flags)


def fish(flags: dict[str, dict[str, str]]) -> str:
    """For fish."""
    lines = [f"complete -c epistrat -n __fish_use_subcommand -a {verb}" for verb in flags]
    for verb, known in flags.items():
        for flag, words in known.items():
            seen = f"-n '__fish_seen_subcommand_from {verb}'"
            lines.append(f"complete -c epistrat {seen} -l {flag.removeprefix('--')} -d '{words}'")
    return "\n".join(lines) + "\n"
