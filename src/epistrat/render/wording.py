"""How a face names the settings of a request: flags in a shell, keywords in Python, fields in a form."""

from __future__ import annotations

from enum import Enum

from epistrat.answers import Advice, Setting
from epistrat.records import dataclass

_FIELDS = {"time": "time limit", "memory": "memory limit"}


class Wording(Enum):
    """Whose words are used."""

    SHELL = "shell"
    PYTHON = "python"
    FORM = "form"

    def setting(self, setting: Setting) -> str:
        """A setting with its value, as the user would write it."""
        name, value = setting.name, setting.value
        if self is Wording.SHELL:
            flag = {"formula": "-f"}.get(name, f"--{name.replace('_', '-')}")
            return flag if value is None else f"{flag} {value}"
        if self is Wording.FORM:
            field = _FIELDS.get(name, name.replace("_", " "))
            return field if value is None else f"{field} = {value}"
        return name if value is None else f"{name}={value!r}"

    def advice(self, advice: Advice) -> str:
        """Things to try, in one phrase; empty where there is nothing."""
        said = [one if isinstance(one, str) else self._tried(one) for one in advice]
        return " or ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)

    def _tried(self, setting: Setting) -> str:
        return f"a larger {self.setting(setting)}" if setting.value is None else self.setting(setting)

    def text(self, text: str, settings: tuple[Setting, ...]) -> str:
        """A text in which ``{}`` stands for settings."""
        return text.format(*map(self.setting, settings)) if settings else text


@dataclass(frozen=True)
class Style:
    """How to show text: with colour or without, how wide, in whose words, with every warning or one of each kind.

    ``verbose`` also tells what failed beside a verdict and was left out.
    """

    colour: bool = False
    width: int = 100
    wording: Wording = Wording.SHELL
    all_warnings: bool = False
    verbose: bool = False

    def paint(self, text: str, code: str) -> str:
        """The text in a colour, where there is colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text
