// Where boxes stand: elkjs in a worker, in layers along the steps, or spread so that what is connected is near.

import type { Box, Point } from "./geometry";

export type How = "layers" | "down" | "spread";

export interface ToPlace {
  id: string;
  width: number;
  height: number;
}
export interface ToJoin {
  id: string;
  from: string;
  to: string;
  kind: "step" | "alike";
  /** The width of its label; 0 without one. */
  room: number;
}
export interface Placed {
  boxes: Map<string, Box>;
  /** What the layout says of steps: their course, and where the label stands. */
  courses: Map<string, { points: Point[]; label: Point | null }>;
}

interface ElkEdge {
  id: string;
  sections?: { startPoint: Point; endPoint: Point; bendPoints?: Point[] }[];
  labels?: { x?: number; y?: number }[];
}
interface ElkGraph {
  children: ({ id: string } & Box)[];
  edges?: ElkEdge[];
}

interface Layouter {
  layout(graph: unknown): Promise<unknown>;
  terminateWorker(): void;
}
let elk: Promise<Layouter> | null = null;
/** Milliseconds after which a layout is given up: dense graphs may take minutes, and others wait behind them. */
const PATIENCE = 6_000;

function layouter() {
  elk ??= Promise.all([import("elkjs/lib/elk-api.js"), import("elkjs/lib/elk-worker.min.js?url")]).then(
    ([{ default: ELK }, { default: workerUrl }]) => new ELK({ workerUrl }) as Layouter,
  );
  return elk;
}

/** Start the worker before it is needed. */
export const warmUp = (): void => void layouter().then((one) => one.layout({ id: "root", children: [{ id: "a", width: 9, height: 9 }], edges: [] }));

const LAYERED = {
  "elk.algorithm": "layered",
  "elk.layered.spacing.nodeNodeBetweenLayers": "48",
  "elk.spacing.nodeNode": "30",
  "elk.spacing.edgeLabel": "4",
  "elk.edgeRouting": "SPLINES",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.separateConnectedComponents": "true",
  "elk.layered.considerModelOrder.components": "MODEL_ORDER",
  "elk.spacing.componentComponent": "48",
};

/** Where boxes stand; where the layout takes too long, only the lines of a tree count for it, and the others are drawn afterwards. */
export async function place(boxes: ToPlace[], lines: ToJoin[], how: How): Promise<Placed> {
  let clock: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((done) => (clock = setTimeout(() => done(null), PATIENCE)));
  const placed = await Promise.race([laidOut(boxes, lines, how), late]);
  clearTimeout(clock);
  if (placed) return placed;
  const busy = elk;
  elk = null;
  void busy?.then((one) => one.terminateWorker());
  return laidOut(boxes, treeOf(boxes, lines), how === "spread" ? "layers" : how);
}

/** Lines that reach each box once, nearest first, without labels. */
export function treeOf(boxes: ToPlace[], lines: ToJoin[]): ToJoin[] {
  const from = new Map<string, ToJoin[]>();
  for (const one of lines) from.set(one.from, [...(from.get(one.from) ?? []), one]);
  const reached = new Set<string>();
  const tree: ToJoin[] = [];
  for (const { id } of boxes) {
    if (reached.has(id)) continue;
    reached.add(id);
    const queue = [id];
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      for (const one of from.get(next) ?? []) {
        if (reached.has(one.to)) continue;
        reached.add(one.to);
        queue.push(one.to);
        tree.push({ ...one, kind: "step", room: 0 });
      }
  }
  return tree;
}

async function laidOut(boxes: ToPlace[], lines: ToJoin[], how: How): Promise<Placed> {
  const layout = await layouter();
  const children = boxes.map(({ id, width, height }) => ({ id, width, height }));
  if (how === "spread") {
    const size = boxes.reduce((sum, one) => sum + Math.hypot(one.width, one.height), 0) / Math.max(1, boxes.length);
    const edges = distinct(lines).map((one) => ({ id: one.id, sources: [one.from], targets: [one.to] }));
    const options = { "elk.algorithm": "stress", "elk.stress.desiredEdgeLength": String(Math.round(size + 50)), "elk.stress.epsilon": "1e-4" };
    const spread = (await layout.layout({ id: "root", layoutOptions: options, children, edges })) as ElkGraph;
    const apart = { "elk.algorithm": "sporeOverlap", "elk.spacing.nodeNode": "26" };
    const found = (await layout.layout({ id: "root", layoutOptions: apart, children: spread.children, edges: [] })) as ElkGraph;
    return { boxes: named(found), courses: new Map() };
  }
  const steps = lines.filter((one) => one.kind === "step");
  const found = (await layout.layout({
    id: "root",
    layoutOptions: { ...LAYERED, "elk.direction": how === "layers" ? "RIGHT" : "DOWN" },
    children,
    edges: steps.map((one) => ({ id: one.id, sources: [one.from], targets: [one.to], labels: one.room ? [{ text: "-", width: one.room, height: 14 }] : [] })),
  })) as ElkGraph;
  const courses = (found.edges ?? []).map((one): [string, { points: Point[]; label: Point | null }] => {
    const section = one.sections?.[0];
    const label = one.labels?.[0];
    const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
    const room = steps.find((step) => step.id === one.id)?.room ?? 0;
    return [one.id, { points, label: label?.x === undefined ? null : { x: label.x + room / 2, y: (label.y ?? 0) + 7 } }];
  });
  return { boxes: named(found), courses: new Map(courses) };
}

const named = (graph: ElkGraph): Map<string, Box> => new Map(graph.children.map(({ id, x, y, width, height }) => [id, { x, y, width, height }]));

/** One line between each two boxes: more would only pull more. */
function distinct(lines: ToJoin[]): ToJoin[] {
  const found = new Map<string, ToJoin>();
  for (const one of lines) if (one.from !== one.to) found.set([one.from, one.to].sort().join(" "), one);
  return [...found.values()];
}

/** The layout that suits a picture: look-alikes alone, or mostly, are spread; runs go in layers. */
export function suited(lines: ToJoin[], boxes: number): "layers" | "spread" {
  const steps = lines.filter((one) => one.kind === "step").length;
  return steps === 0 && lines.length > 0 && boxes > 1 ? "spread" : "layers";
}
