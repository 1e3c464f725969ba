// What is shown of a picture of states: labels, views, folding, joining.  Values only; nothing here draws.

import type { Edge, Node, Picture, State, System } from "../types";

/** An edge with what it says in full, where its label is short. */
export type Told = Edge & { full?: string };

export const say = (system: System, key: string, state: State): string => {
  const name = system.variables.find((one) => one.key === key)?.label ?? key;
  const value = state[key];
  return value === true ? name : value === false ? `not ${name}` : `${name} = ${value}`;
};

/** The name of a state: equal for equal states. */
export const keyOf = (state: State): string => JSON.stringify(Object.keys(state).sort().map((key) => state[key]));

export const sameState = (one: State, other: State): boolean => Object.keys(one).every((key) => one[key] === other[key]);

const seenBy = (system: System, agent: string): string[] => system.agents.find((one) => one.name === agent)?.sees ?? [];

/** What an agent sees of a state; equal for states that look the same to it. */
export const viewOf = (system: System, agent: string, state: State): string => JSON.stringify(seenBy(system, agent).map((key) => state[key]));

/** The variables that are not the same in all states. */
export const differing = (keys: string[], states: State[]): string[] => keys.filter((key) => states.some((other) => other[key] !== states[0][key]));

/** Few variables that tell all these states apart, as far as all together do. */
export function tellingApart(keys: string[], states: State[]): string[] {
  const chosen = new Set<string>();
  let names = states.map(() => "");
  const kinds = (all: string[]) => new Set(all).size;
  for (;;) {
    let [best, most, found] = ["", kinds(names), names];
    for (const key of keys) {
      if (chosen.has(key)) continue;
      const finer = names.map((name, place) => `${name}|${states[place][key]}`);
      if (kinds(finer) > most) [best, most, found] = [key, kinds(finer), finer];
    }
    if (!best) return keys.filter((key) => chosen.has(key));
    chosen.add(best);
    names = found;
  }
}

/** What an agent sees of a state, as far as it is not the same in all states of the picture. */
export function seen(system: System, agent: string, state: State, all: State[]): string[] {
  const sees = seenBy(system, agent);
  const telling = differing(sees, all);
  return (telling.length ? telling : sees).slice(0, 8).map((key) => say(system, key, state));
}

/** A state in few lines: of what is true or false (or 1 or 0) only what is true is named, and what fits shares a line. */
export function compact(system: System, keys: string[], state: State, width = 24, most = 4): string[] {
  const bits = new Set(system.variables.filter((one) => one.domain === "0..1").map((one) => one.key));
  const told = keys
    .filter((key) => state[key] !== false && !(bits.has(key) && state[key] === 0))
    .map((key) => (bits.has(key) ? say(system, key, state).replace(" = 1", "") : say(system, key, state).replace(" = ", "=")));
  if (!told.length) return [keys.length === 1 ? say(system, keys[0], state) : keys.length ? "none" : ""];
  const lines: string[] = [];
  for (const one of told) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + one.length + 2 <= width) lines[lines.length - 1] = `${last}, ${one}`;
    else lines.push(one);
  }
  return lines.length > most ? [...lines.slice(0, most - 1), `and ${told.length - lines.slice(0, most - 1).join(", ").split(", ").length} more`] : lines;
}

/** The nodes that can be reached without passing through a folded one. */
export function unfolded(picture: Picture, folded: ReadonlySet<string>): Set<string> {
  const targets = new Set(picture.edges.filter((edge) => edge.kind === "step" && edge.from !== edge.to).map((edge) => edge.to));
  const roots = picture.nodes.filter((node) => node.marks.includes("initial") || !targets.has(node.id)).map((node) => node.id);
  const found = new Set(roots.length ? roots : picture.nodes.slice(0, 1).map((node) => node.id));
  const after = new Map<string, string[]>();
  for (const edge of picture.edges) if (edge.kind === "step") after.set(edge.from, [...(after.get(edge.from) ?? []), edge.to]);
  for (const id of found) if (!folded.has(id)) for (const next of after.get(id) ?? []) found.add(next);
  return found;
}

/** One box for all states that look the same to the agent; steps between them become steps between boxes. */
export function joined(system: System, agent: string, picture: Picture): Picture {
  const box = new Map<string, Node>();
  const home = new Map<string, string>();
  const many = new Map<string, number>();
  for (const node of picture.nodes) {
    const view = viewOf(system, agent, node.state);
    const known = box.get(view);
    if (!known) box.set(view, { ...node, marks: [...node.marks] });
    else known.marks = [...new Set([...known.marks, ...node.marks])];
    const id = box.get(view)!.id;
    home.set(node.id, id);
    many.set(id, (many.get(id) ?? 0) + (node.many ?? 1));
  }
  const edges = new Map<string, Edge>();
  for (const edge of picture.edges) {
    if (edge.kind !== "step") continue;
    const own = edge.joint ? (edge.joint[agent] ?? edge.joint.action ?? "") : edge.label;
    const [from, to] = [home.get(edge.from)!, home.get(edge.to)!];
    const key = `${from} ${to}`;
    const labels = new Set([...(edges.get(key)?.label.split(", ") ?? []), own].filter(Boolean));
    edges.set(key, { from, to, kind: "step", label: [...labels].join(", "), joint: null });
  }
  return { nodes: [...box.values()].map((node) => ({ ...node, many: many.get(node.id) })), edges: [...edges.values()] };
}

/** A step in a few words: what those do who do not do the same in all steps of the picture. */
export function brief(system: System, edges: Edge[]): (edge: Edge) => string {
  const joints = edges.flatMap((edge) => (edge.joint ? [edge.joint] : []));
  const telling = system.agents.map((one) => one.name).filter((name) => joints.some((joint) => joint[name] !== joints[0][name]));
  return (edge) => {
    if (!edge.joint || !telling.length || edge.kind === "alike") return edge.label;
    return telling.map((name) => edge.joint![name]).filter(Boolean).join(", ");
  };
}

/** Look-alike lines between neighbours of each class of states that look the same to the agent. */
export function alikeTo(system: System, agent: string, nodes: Node[]): Edge[] {
  return [...classesOf(system, agent, nodes).values()].flatMap((same) =>
    same.slice(1).map((node, index): Edge => ({ from: same[index].id, to: node.id, label: agent, kind: "alike", joint: null })),
  );
}

/** States that look the same to the agent, together. */
export function classesOf(system: System, agent: string, nodes: Node[]): Map<string, Node[]> {
  const classes = new Map<string, Node[]>();
  for (const node of nodes) {
    const view = viewOf(system, agent, node.state);
    const known = classes.get(view);
    if (known) known.push(node);
    else classes.set(view, [node]);
  }
  return classes;
}

/** A, B, ..., Z, AA, AB, ...: a name for each class, which tells apart what colours cannot. */
export function letters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest ? letters(rest - 1) : "") + String.fromCharCode(65 + (index % 26));
}

/** A hue for each class: neighbours in the list are far apart, and none comes back soon. */
export const hueOf = (index: number): number => Math.round((index * 137.508 + 28) % 360);

/** Whether a state is meant by a search such as `x = 3, lit`: each part is a fact about it or begins one, with or without the agent's name. */
export function meant(system: System, state: State, wanted: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(/\s*=\s*/g, "=").trim();
  const facts = system.variables.map(({ key, name, label }) => {
    const fact = plain(say(system, key, state));
    const short = plain(fact.replace(plain(label), plain(name)));
    return { said: [fact, short], equal: [fact, short, `${plain(key)}=${plain(String(state[key]))}`] };
  });
  return wanted.split(",").map(plain).filter(Boolean).every((part) => facts.some(({ said, equal }) => (part.includes("=") ? equal.includes(part) : said.some((fact) => fact.startsWith(part)))));
}
