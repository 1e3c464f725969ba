// A graph that is explored step by step: what is found later is added to what is known.

import type { Edge, Explored, Node, Picture, State, System } from "../types";
import { keyOf } from "./picture";

/** The part of a graph that is known; the steps of states in `frontier` are not, or not all. */
export interface Part {
  system: System;
  picture: Picture;
  frontier: ReadonlySet<string>;
  moreInitial: boolean;
  /** Who looks, where states that look the same are one. */
  agent: string;
}

export const partOf = (found: Explored, agent: string): Part => grown(null, found, [], agent);

/** What is known together with what was found when states were looked into. */
export function grown(known: Part | null, found: Explored, into: State[], agent = known?.agent ?? ""): Part {
  const nodes = new Map<string, Node>((known?.picture.nodes ?? []).map((node) => [node.id, node]));
  const names = new Map<string, string>();
  for (const node of found.picture.nodes) {
    const id = keyOf(node.state);
    names.set(node.id, id);
    const old = nodes.get(id);
    nodes.set(id, { ...node, id, marks: [...new Set([...(old?.marks ?? []), ...node.marks])] });
  }
  const edges = new Map<string, Edge>((known?.picture.edges ?? []).map((edge) => [`${edge.from} ${edge.to}`, edge]));
  for (const edge of found.picture.edges) {
    const [from, to] = [names.get(edge.from)!, names.get(edge.to)!];
    edges.set(`${from} ${to}`, { ...edge, from, to });
  }
  const frontier = new Set(known?.frontier);
  const open = new Set(found.open.map((id) => names.get(id)!));
  const before = new Set((known?.picture.nodes ?? []).map((node) => node.id));
  for (const state of into) frontier.delete(keyOf(state));
  for (const id of open) if (!before.has(id)) frontier.add(id);
  return { system: found.system, picture: { nodes: [...nodes.values()], edges: [...edges.values()] }, frontier, moreInitial: into.length ? (known?.moreInitial ?? false) : found.more_initial, agent };
}
