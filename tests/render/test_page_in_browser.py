"""The evidence page in a real browser: it draws lanes and dashed lines, folds, and shows states under the pointer."""

from __future__ import annotations

import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

import epistrat
from epistrat.answers import Report
from epistrat.explain.narrate import explained
from epistrat.render.page import page

EXAMPLES = Path(__file__).parents[2] / "examples"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
DOUBT = (0xB0, 0x54, 0x0A)


def run_browser(tmp_path: Path, *switches: str) -> str:
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={tmp_path / 'profile'}",
        *switches,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout


@pytest.fixture
def written(tmp_path: Path) -> Path:
    system = epistrat.load(EXAMPLES / "dining_cryptographers.ispl")
    (result,) = system.check("AG((odd and paid2) -> K(C1, paid2))")
    assert result.evidence is not None
    file = tmp_path / "page.html"
    file.write_text(page([Report("dining cryptographers", system, results=(explained(system, result),))]))
    return file


def pixels(png: bytes) -> list[list[tuple[int, int, int]]]:
    """The pixels of an 8-bit RGB or RGBA image."""
    width, height = struct.unpack(">II", png[16:24])
    channels = {2: 3, 6: 4}[png[25]]
    data, place = b"", 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        if png[place + 4 : place + 8] == b"IDAT":
            data += png[place + 8 : place + 8 + length]
        place += 12 + length
    raw = zlib.decompress(data)
    rows: list[list[tuple[int, int, int]]] = []
    before = bytearray(width * channels)
    for line in range(height):
        start = line * (width * channels + 1)
        current = bytearray(raw[start + 1 : start + 1 + width * channels])
        _unfilter(raw[start], current, before, channels)
        rows.append([(current[i], current[i + 1], current[i + 2]) for i in range(0, len(current), channels)])
        before = current
    return rows


def _unfilter(kind: int, line: bytearray, above: bytearray, step: int) -> None:
    for index in range(len(line)):
        left = line[index - step] if index >= step else 0
        up = above[index]
        corner = above[index - step] if index >= step else 0
        line[index] = (line[index] + (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]) & 255


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    distances = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return (left, up, corner)[distances.index(min(distances))]


@needs_browser
def test_screenshot_shows_the_doubt(tmp_path: Path, written: Path) -> None:
    shot = tmp_path / "page.png"
    run_browser(tmp_path, "--window-size=900,700", f"--screenshot={shot}", written.as_uri())
    rows = pixels(shot.read_bytes())
    assert len(rows) == 700
    colours = {pixel for row in rows for pixel in row}
    assert DOUBT in colours, "the dashed line between the two runs is missing"
    assert len(colours) > 50


@needs_browser
def test_the_script_draws_links_folds_lanes_and_shows_states(tmp_path: Path, written: Path) -> None:
    probe = """
    <script>
      document.querySelector('.lanes tbody th').click();
      document.querySelector('td[data-state]').dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
      document.body.dataset.links = document.querySelectorAll('svg.links path').length;
      document.body.dataset.folded = document.querySelectorAll('tr.folded').length;
      document.body.dataset.panel = document.getElementById('state').textContent.includes('C2: paid = true');
    </script>
    """
    written.write_text(written.read_text().replace("</body>", f"{probe}</body>"))
    body = run_browser(tmp_path, "--dump-dom", written.as_uri())
    assert 'data-links="1"' in body
    assert 'data-folded="1"' in body
    assert 'data-panel="true"' in body
