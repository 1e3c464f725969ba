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
