// Where lines run and their labels stand.  Values only.

export interface Point {
  x: number;
  y: number;
}
export interface Box extends Point {
  width: number;
  height: number;
}
/** A line as it is drawn: the path, its ends and bends, and where its label stands. */
export interface Route {
  path: string;
  label: Point;
}

export const centre = (box: Box): Point => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/** Where the ray from the centre of a box to a point leaves the box. */
export function border(box: Box, towards: Point): Point {
  const from = centre(box);
  const [dx, dy] = [towards.x - from.x, towards.y - from.y];
  if (!dx && !dy) return { x: from.x, y: box.y };
  const reach = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity);
  return { x: from.x + dx * reach, y: from.y + dy * reach };
}

const inside = (point: Point, box: Box, room: number): boolean =>
  point.x > box.x - room && point.x < box.x + box.width + room && point.y > box.y - room && point.y < box.y + box.height + room;

const at = (start: Point, bend: Point, end: Point, t: number): Point => ({
  x: (1 - t) ** 2 * start.x + 2 * t * (1 - t) * bend.x + t * t * end.x,
  y: (1 - t) ** 2 * start.y + 2 * t * (1 - t) * bend.y + t * t * end.y,
});

const BENDS = [0, 26, -26, 60, -60, 110, -110, 180, -180, 280, -280];
const ALONG = [0.08, 0.16, 0.24, 0.32, 0.4, 0.48, 0.56, 0.64, 0.72, 0.8, 0.88, 0.94];

/** A line between two boxes that goes round the others as far as it can; `side` keeps two lines between the same boxes apart. */
export function route(one: Box, other: Box, others: readonly Box[], side = 0): Route {
  if (one === other) return loop(one);
  const [a, b] = [centre(one), centre(other)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const near = others.filter((box) => box !== one && box !== other && touches(box, a, b, 300));
  let best: { start: Point; bend: Point; end: Point } | null = null;
  let least = Infinity;
  for (const bow of side ? BENDS.map((one) => one + side) : BENDS) {
    const bend = { x: (a.x + b.x) / 2 + normal.x * 2 * bow, y: (a.y + b.y) / 2 + normal.y * 2 * bow };
    const [start, end] = [border(one, bend), border(other, bend)];
    const hits = near.filter((box) => ALONG.some((t) => inside(at(start, bend, end, t), box, 4))).length;
    const cost = hits * 10_000 + Math.abs(bow - side);
    if (cost < least) [best, least] = [{ start, bend, end }, cost];
    if (!hits) break;
  }
  const { start, bend, end } = best!;
  const boxes = [...near, one, other];
  const t = [0.5, 0.4, 0.6, 0.3, 0.7].find((t) => !boxes.some((box) => inside(at(start, bend, end, t), box, 8))) ?? 0.5;
  return { path: `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`, label: at(start, bend, end, t) };
}

/** Whether a box is anywhere near the line from one point to another. */
function touches(box: Box, a: Point, b: Point, room: number): boolean {
  return (
    box.x < Math.max(a.x, b.x) + room && box.x + box.width > Math.min(a.x, b.x) - room && box.y < Math.max(a.y, b.y) + room && box.y + box.height > Math.min(a.y, b.y) - room
  );
}

function loop(box: Box): Route {
  const [x, y] = [box.x + box.width, box.y + box.height / 2];
  return { path: `M${x} ${y - 8}C${x + 40} ${y - 26} ${x + 40} ${y + 26} ${x} ${y + 8}`, label: { x: x + 34, y } };
}

/** A path through the points that a layout gives: splines in threes, else straight. */
export function through(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let drawn = `M${first.x} ${first.y}`;
  for (let place = 0; place < rest.length; place += 3) {
    const [one, two, three] = [rest[place], rest[place + 1], rest[place + 2]];
    drawn += three ? `C${one.x} ${one.y} ${two.x} ${two.y} ${three.x} ${three.y}` : two ? `Q${one.x} ${one.y} ${two.x} ${two.y}` : `L${one.x} ${one.y}`;
  }
  return drawn;
}

/** The smallest box around all of them. */
export function around(boxes: Iterable<Box>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    [left, top] = [Math.min(left, box.x), Math.min(top, box.y)];
    [right, bottom] = [Math.max(right, box.x + box.width), Math.max(bottom, box.y + box.height)];
  }
  return left === Infinity ? { x: 0, y: 0, width: 0, height: 0 } : { x: left, y: top, width: right - left, height: bottom - top };
}

/** The box that is nearest in a direction; the one itself if there is none. */
export function nearest(from: string, boxes: ReadonlyMap<string, Box>, direction: Point): string {
  const start = boxes.get(from);
  if (!start) return boxes.keys().next().value ?? from;
  const origin = centre(start);
  let [found, least] = [from, Infinity];
  for (const [id, box] of boxes) {
    const { x, y } = centre(box);
    const [ahead, aside] = direction.x ? [(x - origin.x) * direction.x, Math.abs(y - origin.y)] : [(y - origin.y) * direction.y, Math.abs(x - origin.x)];
    const cost = ahead + 2 * aside;
    if (id !== from && ahead > 1 && cost < least) [found, least] = [id, cost];
  }
  return found;
}
