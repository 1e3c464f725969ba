// What agents consider possible, moment by moment: worlds that keep their place while time goes on.  Values only.

import { type Box, centre } from "../graph/geometry";
import { tellingApart } from "../graph/picture";
import type { Kripke, State, System } from "../types";

/** A world at a moment: its name stays while time goes on, its state changes; `gone`: it has been ruled out. */
export interface Shown {
  id: string;
  state: State;
  /** For each observer a number that worlds share which look the same to it. */
  marks: number[];
  actual: boolean;
  gone: boolean;
  /** Whether what was said at this very moment ruled it out. */
  out: boolean;
}

/** The worlds of each moment, with those that were ruled out before. */
export function lineage(kripke: Kripke): Shown[][] {
  const moments: Shown[][] = [];
  let before: string[] = [];
  let born = 0;
  for (const { worlds } of kripke.moments) {
    const taken = new Set<string>();
    const ids = worlds.map(({ origin }) => {
      const from = origin === null ? undefined : before[origin];
      let id = from ?? `w${born++}`;
      for (let number = 2; taken.has(id); number++) id = `${from}/${number}`;
      taken.add(id);
      return id;
    });
    const now = worlds.map(({ state, marks, out }, place): Shown => ({ id: ids[place], state, marks, actual: place === 0, gone: out, out }));
    const gone = (moments.at(-1) ?? []).filter((one) => !taken.has(one.id)).map((one) => ({ ...one, actual: false, gone: true, out: false }));
    moments.push([...now, ...gone]);
    before = ids;
  }
  return moments;
}

/** Lines between worlds that look the same to an observer, by its place: as few as join them all, between those that stand nearest. */
export function lines(observer: number, worlds: Shown[], places: ReadonlyMap<string, Box> | null): [string, string][] {
  const classes = new Map<number, Shown[]>();
  for (const one of worlds) {
    if (one.gone) continue;
    const view = one.marks[observer];
    classes.set(view, [...(classes.get(view) ?? []), one]);
  }
  return [...classes.values()].flatMap((same) => joinedUp(same.map((one) => one.id), places));
}

/** A shortest tree that joins all of them (Prim's); in their order where nothing is known of their places. */
function joinedUp(ids: string[], places: ReadonlyMap<string, Box> | null): [string, string][] {
  const far = (one: string, other: string): number => {
    const [a, b] = [places?.get(one), places?.get(other)];
    return a && b ? Math.hypot(centre(a).x - centre(b).x, centre(a).y - centre(b).y) : Math.abs(ids.indexOf(one) - ids.indexOf(other));
  };
  const [first, ...rest] = ids;
  const found: [string, string][] = [];
  const reached = first === undefined ? [] : [first];
  const left = new Set(rest);
  while (left.size) {
    let [best, least]: [[string, string] | null, number] = [null, Infinity];
    for (const one of reached) for (const other of left) if (far(one, other) < least) [best, least] = [[one, other], far(one, other)];
    if (!best) break;
    found.push(best);
    reached.push(best[1]);
    left.delete(best[1]);
  }
  return found;
}

/** Where the corner with these coordinates of a cube of up to four dimensions is drawn. */
const AXES: [number, number][] = [
  [230, 0],
  [0, -150],
  [96, -78],
  [520, 62], // two cubes side by side: their boxes do not meet, and lines pass between the rows
];

/** Places as the corners of a cube, where the worlds differ in few variables of two values and no two have the same; null otherwise. */
export function cube(system: System, worlds: Shown[], size: { width: number; height: number }): Map<string, Box> | null {
  const states = worlds.map((one) => one.state);
  const keys = tellingApart(system.variables.map((one) => one.key), states);
  if (worlds.length < 3 || keys.length < 2 || keys.length > AXES.length || worlds.length * 2 <= 2 ** keys.length) return null;
  const values = keys.map((key) => [...new Set(states.map((state) => state[key]))].sort());
  if (values.some((some) => some.length !== 2)) return null;
  const corners = new Set(states.map((state) => keys.map((key) => String(state[key])).join()));
  if (corners.size !== worlds.length) return null;
  return new Map(
    worlds.map((one) => {
      const place = { x: 0, y: 0, ...size };
      keys.forEach((key, axis) => {
        const far = values[axis].indexOf(one.state[key]);
        place.x += far * AXES[axis][0];
        place.y += far * AXES[axis][1];
      });
      return [one.id, place];
    }),
  );
}

/** What an observer, by its place, considers possible in the actual world. */
export function possibleFor(observer: number, worlds: Shown[]): Set<string> {
  const actual = worlds.find((one) => one.actual);
  return new Set(worlds.filter((one) => !one.gone && one.marks[observer] === actual?.marks[observer]).map((one) => one.id));
}
