"""The evidence page in a real browser: it draws lanes and dashed lines, folds, and shows states under the pointer."""

from __future__ import annotations

import html
import json
import math
import re
import shutil
import struct
import subprocess
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import epistrat
from epistrat.answers import Report
from epistrat.explain.narrate import explained
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.render.export_graph import graph_page
from epistrat.render.graph import reachable_picture
from epistrat.render.layout import laid_out
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


GRID = """
Agent A Vars: x : 0..9; end Vars Actions = {right, stay}; Protocol: x < 9 : {right, stay}; Other : {stay}; end Protocol
  Evolution: x = x + 1 if Action = right; end Evolution end Agent
Agent B Vars: y : 0..9; end Vars Actions = {up, stay}; Protocol: y < 9 : {up, stay}; Other : {stay}; end Protocol
  Evolution: y = y + 1 if Action = up; end Evolution end Agent
Evaluation done if A.x = 9 and B.y = 9; end Evaluation InitStates A.x = 0 and B.y = 0; end InitStates
Formulae EF done; end Formulae
"""
AT_ONCE = "<script>window.requestAnimationFrame = draw => { draw(); return 0; };</script>"
PROBE = """
<script>
  const svg = document.querySelector('svg.states'), box = svg.closest('.zoom'), shown = [];
  const place = () => svg.getAttribute('viewBox').split(' ').map(Number);
  const mouse = (kind, x, y) => svg.dispatchEvent(
    new PointerEvent(kind, {clientX: x, clientY: y, isPrimary: true, bubbles: true}));
  const acts = [
    () => svg.dispatchEvent(new WheelEvent('wheel', {deltaY: -100, clientX: 300, clientY: 300, bubbles: true, cancelable: true})),
    () => { mouse('pointerdown', 300, 300); mouse('pointermove', 250, 280); mouse('pointerup', 250, 280); },
    () => box.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'})),
    () => box.querySelector('[aria-label="Whole picture"]').click(),
  ];
  shown.push(place());
  for (const act of acts) { act(); shown.push(place()); }
  document.body.dataset.views = JSON.stringify({shown, pixels: [svg.clientWidth, svg.clientHeight]});
</script>
"""


@needs_browser
def test_a_large_graph_opens_readable_and_can_be_moved_and_enlarged(tmp_path: Path) -> None:
    system = epistrat.load(GRID)
    picture = reachable_picture(system, explore(Stepper(system), initial_states(system)))
    file = tmp_path / "graph.html"
    text = graph_page("grid", picture).replace("<head>", f"<head>{AT_ONCE}").replace("</body>", f"{PROBE}</body>")
    file.write_text(text)
    body = run_browser(tmp_path, "--dump-dom", "--window-size=1000,700", file.as_uri())
    found = re.search('data-views="(.*?)"', body)
    assert found is not None
    data = json.loads(html.unescape(found[1]))
    first, larger, moved, right, whole = data["shown"]
    width, height = data["pixels"]
    assert first[2:] == pytest.approx([width, height])  # one unit for one pixel
    by = larger[2] / first[2]
    assert by == pytest.approx(math.exp(-1 / 6), abs=0.01)
    assert moved[0] - larger[0] == pytest.approx(50 * by, abs=0.1) and moved[1] - larger[1] == pytest.approx(
        20 * by, abs=0.1
    )
    assert right[0] - moved[0] == pytest.approx(60 * by, abs=0.1) and right[1:] == pytest.approx(moved[1:])
    boxes = list(laid_out(picture).boxes.values())
    assert whole[0] <= min(box.x for box in boxes) and whole[0] + whole[2] >= max(box.x + box.width for box in boxes)
    assert whole[1] <= min(box.y for box in boxes) and whole[1] + whole[3] >= max(box.y + box.height for box in boxes)


@needs_browser
def test_on_a_narrow_screen_values_do_not_break_and_nothing_hangs_over(tmp_path: Path, written: Path) -> None:
    """In 390 pixels: lanes scroll within the page, the dashed lines that need room at the side are not drawn."""
    text = written.read_text()
    probe = tmp_path / "probe.html"
    script = """<script>addEventListener("load", () => setTimeout(() => {
      const shown = [...document.querySelectorAll("svg.links")].filter(one => getComputedStyle(one).display != "none").length;
      const tall = [...document.querySelectorAll(".lanes .value")].filter(one => one.getClientRects()[0].height > 30).length;
      document.body.dataset.narrow = `${shown} ${tall} ${document.documentElement.scrollWidth <= innerWidth}`;
    }, 300))</script>"""
    probe.write_text(text.replace("</body>", f"{script}</body>"))
    for width, links in ((390, 0), (1280, None)):
        out = run_browser(
            tmp_path, f"--window-size={width},900", "--virtual-time-budget=3000", "--dump-dom", probe.as_uri()
        )
        found = re.search(r'data-narrow="(\d+) (\d+) (\w+)"', out)
        assert found is not None
        assert found[2] == "0" and found[3] == "true"
        assert links is None or int(found[1]) == links


def test_notes_are_set_as_the_sentences_are(tmp_path: Path) -> None:
    system = epistrat.load(EXAMPLES / "muddy_children.ispl")
    (result,) = system.check("AG (asked -> (asked or answered))", evidence=True)
    shown = page([Report("muddy children", system, results=(replace(result, notes=("`answered` does not matter",)),))])
    assert '<p class="remark"><code>answered</code> does not matter</p>' in shown
