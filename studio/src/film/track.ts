// Runs as films: moments, what is told of them, what differs between two runs that look the same.  Values only.

import type { Moment, Run, Scene, State, System } from "../types";

/** A run that is shown from moment to moment; from the last it goes on at `loop`. */
export interface Track {
  title: string;
  moments: Moment[];
  loop: number | null;
  doubt?: boolean;
}

export const trackOf = (scene: Scene, doubt = false): Track => ({ title: scene.title, moments: scene.moments, loop: scene.loop, doubt });

/** A run of the simulator, with what was done at each step. */
export const trackOfRun = (run: Run, acts: string[][], title: string): Track => ({
  title,
  loop: null,
  moments: run.states.map((state, index): Moment => ({ index, state, joint: index ? (run.actions[index - 1] ?? null) : null, acts: index ? (acts[index - 1] ?? []) : [], facts: [], changed: false, noticed: "" })),
});

export const runOf = (track: { moments: Moment[] }, to = track.moments.length - 1): Run => ({
  states: track.moments.slice(0, to + 1).map((one) => one.state),
  actions: track.moments.slice(1, to + 1).map((one) => one.joint ?? {}),
});

/** So many moments a track begins after the film: runs that look the same do so at their ends, so these are shown together. */
export const delay = (tracks: Track[], track: Track): number => lastOf(tracks) - (track.moments.length - 1);

/** The moment that a track shows when the film is at a moment; a shorter one waits at its beginning. */
export const shownAt = (tracks: Track[], track: Track, at: number): number => Math.max(0, at - delay(tracks, track));

/** The last moment of a film with these tracks. */
export const lastOf = (tracks: Track[]): number => Math.max(0, ...tracks.map((one) => one.moments.length - 1));

/** The moment after; at the end of a run that repeats, where it goes on; null at the end of others. */
export function after(tracks: Track[], at: number): number | null {
  if (at < lastOf(tracks)) return at + 1;
  const [only] = tracks;
  return tracks.length === 1 && only.loop !== null ? only.loop : null;
}

/** Whether a variable is not the same in both runs at a moment of the film. */
export function differsAt(tracks: Track[], at: number, key: string): boolean {
  if (tracks.length < 2) return false;
  const [one, other] = tracks.map((track) => track.moments[shownAt(tracks, track, at)].state);
  return one[key] !== other[key];
}

/** The variables of an agent that are worth a lane: those that change, and those that differ between two runs. */
export function telling(keys: string[], tracks: Track[]): string[] {
  const moments = Array.from({ length: lastOf(tracks) + 1 }, (_, at) => at);
  const changes = (track: Track, key: string) => track.moments.some((one) => one.state[key] !== track.moments[0].state[key]);
  return keys.filter((key) => tracks.some((track) => changes(track, key)) || moments.some((at) => differsAt(tracks, at, key)));
}

/** What differs between two runs at a moment, as the system names it. */
export function differences(system: System, tracks: Track[], at: number): { label: string; values: [State[string], State[string]] }[] {
  if (tracks.length < 2) return [];
  const [one, other] = tracks.map((track) => track.moments[shownAt(tracks, track, at)].state);
  return system.variables.filter(({ key }) => one[key] !== other[key]).map(({ key, label }) => ({ label, values: [one[key], other[key]] }));
}

/** Of a long run the moments around the one that is shown. */
export function window(many: number, at: number, most = 40): [number, number] {
  if (many <= most) return [0, many];
  const from = Math.max(0, Math.min(many - most, at - Math.floor(most / 2)));
  return [from, from + most];
}

/** Propositions that are true at some of the moments only, or in one of two runs only: the rows of a film that nobody asked for. */
export function eventful(true_: string[][][], most = 8): string[] {
  const all = [...new Set(true_.flat(2))];
  const cells = true_.flat();
  return all.filter((name) => cells.some((names) => !names.includes(name))).slice(0, most);
}

/** The statements of knowledge in a formula: what is worth watching when it is explained. */
export function knowledgeIn(formula: string): string[] {
  const found: string[] = [];
  for (const match of formula.matchAll(/\b(?:K|KW|E|GK|GCK|GDK|D|C|O)\(/g)) {
    let depth = 0;
    for (let at = match.index + match[0].length - 1; at < formula.length; at++) {
      if (formula[at] === "(") depth++;
      if (formula[at] === ")" && --depth === 0) {
        const text = formula.slice(match.index, at + 1);
        if (text.includes(",") && !found.includes(text)) found.push(text);
        break;
      }
    }
  }
  return found;
}
