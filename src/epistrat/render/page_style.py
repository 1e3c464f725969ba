"""The look and the script of the evidence page."""

from __future__ import annotations

import re

STYLE = """
:root{color-scheme:light dark;--line:#c9ccd3;--soft:#f4f5f7;--mark:#0b62c4;--doubt:#b0540a}
@media(prefers-color-scheme:dark){:root{--line:#444a55;--soft:#23262c;--mark:#7db7ff;--doubt:#ffb066}}
body,.epistrat{font:15px/1.5 system-ui,sans-serif;margin:0}
main{max-width:76rem;margin:0 auto;padding:1rem 1.5rem 8rem}
h1{font-size:1.3rem}h2{font-size:1.05rem;margin-top:2.2rem}
code{font:13px ui-monospace,monospace}
.verdict{display:inline-block;padding:0 .6em;border-radius:1em;color:#fff;font-size:.85rem}
.verdict.holds{background:#1a7f37}.verdict.fails{background:#b42318}.verdict.unknown{background:#8a6d00}
.summary{font-weight:600}.remark{color:#8a6d00}
.scroll{overflow-x:auto}
.scene>summary,.graph>summary{cursor:pointer;font-weight:600;margin:.6rem 0}
.compare{position:relative;border-left:3px dashed var(--doubt);padding-left:1rem;margin:1rem 0}
.shared{color:var(--doubt)}
table.lanes{border-collapse:collapse;font-size:13px}
.lanes th{text-align:left;padding:.25rem .7rem .25rem 0;font-weight:600;white-space:nowrap;vertical-align:top}
.lanes thead th{padding-left:.7rem;color:#888}
.lanes tbody th{cursor:pointer}
.lanes tbody tr{border-top:1px solid var(--line)}
.lanes td{padding:.25rem .7rem;vertical-align:top;border-left:1px solid var(--line);min-width:4rem}
.lanes td.changed{background:var(--soft)}
.lanes .did{display:block;color:#888;font-style:italic}
.lanes .value{display:block}.lanes td.changed .value{color:var(--mark);font-weight:600}
.lanes .repeats{border-bottom:2px solid var(--doubt)}
tr.folded td>*{display:none}tr.folded td.changed::after{content:"•";color:var(--mark)}
table.rules{border-collapse:collapse;margin:.6rem 0;font-size:13px}
.rules caption{text-align:left;font-weight:600}
.rules td{border:1px solid var(--line);padding:.15rem .7rem}
svg.links{position:absolute;inset:0;width:100%;height:100%;pointer-events:none;overflow:visible}
svg.links path{fill:none;stroke:var(--doubt);stroke-width:1.6;stroke-dasharray:6 4}
footer{margin-top:3rem;color:#888}
#state{position:fixed;right:1rem;bottom:1rem;max-width:34rem;max-height:45vh;overflow:auto;white-space:pre-wrap;
font:12px ui-monospace,monospace;background:Canvas;color:CanvasText;border:1px solid var(--line);border-radius:6px;padding:.6rem .9rem;
box-shadow:0 4px 18px #0003}
"""


def scoped() -> str:
    """The same style for what is inside an element of class ``epistrat`` alone: a notebook keeps its own look."""

    def inside(found: re.Match[str]) -> str:
        selectors = found[1].strip()
        if selectors.startswith("@"):
            return f"{selectors}{{"
        parts = (one.strip() for one in selectors.replace("body,", "").split(","))
        return ",".join(".epistrat" if one in (":root", ".epistrat") else f".epistrat {one}" for one in parts) + "{"

    return re.sub(r"([^{}]+)\{", inside, STYLE)


SCRIPT = """
(() => {
  const panel = document.getElementById('state');
  document.addEventListener('mouseover', event => {
    const cell = event.target.closest('[data-state]');
    if (!cell || !cell.dataset.state) { panel.hidden = true; return; }
    panel.textContent = cell.dataset.state;
    panel.hidden = false;
  });
  const links = () => document.querySelectorAll('.compare').forEach(box => {
    box.querySelectorAll(':scope > svg.links').forEach(old => old.remove());
    const scenes = [...box.querySelectorAll(':scope > details.scene')];
    if (scenes.length !== 2 || scenes.some(scene => !scene.open)) return;
    const frame = box.getBoundingClientRect();
    const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    picture.classList.add('links');
    for (const agent of box.dataset.agents.split(' ')) {
      const ends = scenes.map(scene =>
        [...scene.querySelectorAll('tr')].find(row => row.dataset.agent === agent)?.lastElementChild);
      if (!ends[0] || !ends[1]) continue;
      const [one, other] = ends.map(cell => cell.getBoundingClientRect());
      const x1 = one.right - frame.left, y1 = (one.top + one.bottom) / 2 - frame.top;
      const x2 = other.right - frame.left, y2 = (other.top + other.bottom) / 2 - frame.top;
      const out = Math.max(x1, x2) + 40;
      const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
      path.setAttribute('d', `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2} ${y2}`);
      picture.append(path);
    }
    box.append(picture);
  });
  document.addEventListener('click', event => {
    const name = event.target.closest('.lanes tbody th');
    if (name) { name.parentElement.classList.toggle('folded'); links(); }
  });
  document.querySelectorAll('details').forEach(one => one.addEventListener('toggle', links));
  window.addEventListener('resize', links);
  links();
})();
"""
