(() => document.querySelectorAll('.zoom').forEach(box => {
  const svg = box.querySelector('svg.states'), whole = svg.viewBox.baseVal;
  const [left, top, width, height] = [whole.x, whole.y, whole.width, whole.height];
  const READABLE = 1.6, LARGEST = .2;  // units of the picture for one pixel
  let view = null, last = null, moved = 0, due = 0;
  svg.style.maxWidth = 'none';
  const show = () => due ||= requestAnimationFrame(() => { due = 0; svg.setAttribute('viewBox', view.join(' ')); });
  const scale = () => view[2] / svg.clientWidth;
  const smallest = () => Math.max(width / svg.clientWidth, height / svg.clientHeight, 1);
  const look = (x, y, by) => {
    const [w, h] = [svg.clientWidth * by, svg.clientHeight * by];
    view = [x - w / 2, y - h / 2, w, h];
    show();
  };
  const fit = () => look(left + width / 2, top + height / 2, smallest());
  const inside = (at, from, size, seen) => size < seen ? from + size / 2 : Math.min(Math.max(at, from + seen / 2), from + size - seen / 2);
  const start = () => {
    if (!svg.clientWidth) return;  // folded
    const first = svg.querySelector('g.initial rect')?.getBBox();
    if (smallest() <= READABLE || !first) fit();
    else look(inside(first.x + first.width / 2, left, width, svg.clientWidth), inside(first.y, top, height, svg.clientHeight), 1);
  };
  const at = event => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [place.x, place.y];
  };
  const zoom = (by, [x, y] = [view[0] + view[2] / 2, view[1] + view[3] / 2]) => {
    const to = Math.min(Math.max(scale() * by, LARGEST), smallest() * 2) / scale();
    view = [x + (view[0] - x) * to, y + (view[1] - y) * to, view[2] * to, view[3] * to];
    show();
  };
  const move = (x, y) => { view[0] += x * scale(); view[1] += y * scale(); show(); };
  const tools = document.createElement('div');
  tools.className = 'tools';
  for (const [text, name, act] of [['+', 'Larger', () => zoom(.8)], ['−', 'Smaller', () => zoom(1.25)], ['fit', 'Whole picture', fit]]) {
    const button = document.createElement('button');
    button.textContent = text; button.title = name; button.setAttribute('aria-label', name); button.onclick = act;
    tools.append(button);
  }
  box.append(tools);
  box.tabIndex = 0;
  start();
  if (!view) box.closest('details')?.addEventListener('toggle', start, {once: true});
  svg.addEventListener('wheel', event => {
    if (!event.ctrlKey && box.closest('details')) return;
    event.preventDefault();
    const turned = event.deltaY * (event.deltaMode ? 30 : 1);
    zoom(Math.exp(Math.max(-200, Math.min(200, turned)) / 600), at(event));
  }, {passive: false});
  svg.addEventListener('pointerdown', event => {
    if (!event.isPrimary) return;
    last = [event.clientX, event.clientY]; moved = 0; box.classList.add('moving');
  });
  window.addEventListener('pointermove', event => {
    if (!last || !event.isPrimary) return;
    const [x, y] = [last[0] - event.clientX, last[1] - event.clientY];
    moved += Math.abs(x) + Math.abs(y);
    move(x, y);
    last = [event.clientX, event.clientY];
  });
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, () => { last = null; box.classList.remove('moving'); });
  svg.addEventListener('click', event => { if (moved < 5) event.target.closest('g.state')?.classList.toggle('marked'); });
  box.addEventListener('keydown', event => {
    const act = {'+': () => zoom(.8), '-': () => zoom(1.25), '0': fit, ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0),
                 ArrowUp: () => move(0, -60), ArrowDown: () => move(0, 60)}[event.key];
    if (act) { event.preventDefault(); act(); }
  });
}))();
