"""What MkDocs is told beside `mkdocs.yml`: pages that lie outside docs/, notebooks, and links to files that are no pages.

The pages about messages are package data (``epistrat explain`` prints them), and the notes for contributors stand at the root of the
repository; the book shows the same files.  A notebook is a page with its cells and what they printed.  A link to a file that is in no page
becomes the file's name.
"""

from __future__ import annotations

import base64
import json
import posixpath
import re
import runpy
import textwrap
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
NOTES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
MESSAGES = "src/epistrat/lang/pages"
PICTURES = "benchmarks/results"
LOOKED_UP = ("errors/", "decisions/", "results/", "notes/", "python-reference")
"""Pages that are no answer to a question while another page is: the search field shows them last."""
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages from outside."""
    for name in NOTES:
        files.append(File.generated(config, f"notes/{name}", content=(ROOT / name).read_text(encoding="utf-8")))
    for path in sorted((ROOT / MESSAGES).glob("*.md")):
        files.append(File.generated(config, f"errors/{path.name}", content=path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / PICTURES).glob("*")):
        if path.suffix in (".md", ".svg"):
            files.append(File.generated(config, f"results/{path.name}", content=path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=notebook_page(path)))
    return files


def notebook_page(path: Path) -> str:
    """A notebook as Markdown."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"``` python\n{source}\n```")
        parts += [_shown(output) for output in cell["outputs"]]
    parts.append(f"This page is [a notebook]({path.name}) for Jupyter.")
    return "\n\n".join(parts)


def _shown(output: dict[str, Any]) -> str:
    """What a cell left below itself."""
    if output["output_type"] == "stream":
        return textwrap.indent("".join(output["text"]).rstrip(), "    ")
    kind, lines = next(iter(output["data"].items()))
    text = "".join(lines)
    if kind == "image/svg+xml":
        return f"![Drawn by the cell above](data:{kind};base64,{base64.b64encode(text.encode()).decode()})"
    return text if kind == "text/html" else textwrap.indent(text, "    ")


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turn links as they are in the repository into links between pages."""
    source = _source(page.file.src_uri)
    markdown = runpy.run_path(str(ROOT / "docs/tables.py"))["refreshed"](markdown)
    if page.file.src_uri.startswith(LOOKED_UP):
        page.meta["search"] = {"boost": 0.2}

    def turned(match: re.Match[str]) -> str:
        mark, words, target, anchor = match[1], match[2], match[3], match[4] or ""
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        wanted = _page(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        if files.get_file_from_path(wanted) is None:
            return f"`{target}`" if words in ("", target) else words
        relative = posixpath.relpath(wanted, posixpath.dirname(page.file.src_uri) or ".")
        return f"{mark}[{words}]({relative}{anchor})"

    return _LINK.sub(turned, markdown)


def _source(page: str) -> str:
    """Where a page of the book lies in the repository."""
    folder, name = posixpath.split(page)
    if folder == "notes":
        return name
    if folder == "results":
        return f"{PICTURES}/{name}"
    if folder == "errors" and name != "README.md":
        return f"{MESSAGES}/{name}"
    return f"docs/{page}"


def _page(path: str) -> str:
    """Where a file of the repository is in the book; a folder stands for its first page."""
    if path in NOTES:
        return f"notes/{path}"
    if path.startswith(MESSAGES + "/"):
        return "errors/" + posixpath.basename(path)
    if path.startswith(PICTURES + "/"):
        return "results/" + posixpath.basename(path)
    if path.startswith("docs/"):
        inside = path.removeprefix("docs/")
        return inside if posixpath.splitext(inside)[1] else posixpath.join(inside, "README.md")
    return path
