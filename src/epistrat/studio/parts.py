"""Which version of the files that a text includes an answer is about: they change without a word to the page."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from epistrat.render.json.cursor import Datum
from epistrat.service import Text
from epistrat.service.models import Folder
from epistrat.studio import shapes
from epistrat.studio.data import Tell, model_of

_INCLUDE = re.compile(r'\binclude\s*"([^"\n]*)"')
_MOST_FILES = 1_000


def version_of_parts(model: Text) -> str:
    """The name of what all files hold that a text includes, directly or not; empty where there are none.

    Words in comments count, too: a file too many changes the name too often, one too few would leave an answer standing that is false.
    """
    content = model.content if isinstance(model.content, str) else model.content.decode(errors="replace")
    if model.folder is None or not _INCLUDE.search(content):
        return ""
    find, read, pending = Folder(Path(model.folder)), dict[str, str](), [(content, model.name)]
    while pending and len(read) < _MOST_FILES:
        text, parent = pending.pop()
        for named in _INCLUDE.findall(text):
            try:
                place, inner = find(named, parent)
            except ValueError as reason:
                read[f"{named} in {parent}"] = str(reason)
                continue
            if place not in read:
                read[place] = inner
                pending.append((inner, place))
    return hashlib.sha256(json.dumps(sorted(read.items())).encode(errors="surrogatepass")).hexdigest()[:16]


def parts(call: Datum, _: Tell) -> shapes.Parts:
    """Which version of its parts a text has now."""
    return {"parts": version_of_parts(model_of(call))}


def same_parts(call: Datum) -> str:
    """The version of what the text of a call includes; LookupError where the call is about another one, which is gone."""
    found = version_of_parts(model_of(call))
    if "parts" in call and call["parts"].text() != found:
        raise LookupError("A file that this text includes has changed since; start again with it as it is now.")
    return found
