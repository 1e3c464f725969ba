"""The lock file names a version for everything that is asked for, and one that is allowed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def requirements(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    texts = [re.sub(r"(^|\s)#.*", "", line).strip() for line in lines]
    return [Requirement(text) for text in texts if text]


def test_what_is_asked_for_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [Requirement(text) for text in project["dependencies"]]
    asked += requirements("requirements-dev.txt") + requirements("requirements-docs.txt")
    here: dict[str, str] = {key: str(value) for key, value in default_environment().items()}
    locked = {
        canonicalize_name(one.name): next(iter(one.specifier)).version
        for one in requirements("requirements-lock.txt")
        if one.marker is None or one.marker.evaluate(here)
    }
    for one in asked:
        if one.marker is None or one.marker.evaluate(here):
            assert one.specifier.contains(locked[canonicalize_name(one.name)], prereleases=True), one
