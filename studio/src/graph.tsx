// Graphs of states: laid out by elkjs in a worker, drawn as SVG.  Steps are full lines, look-alikes are dashed.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Edge, Node, Picture, State, System } from "./types";

interface Placed {
  width: number;
  height: number;
  nodes: Map<string, { x: number; y: number; width: number; height: number }>;
  edges: { edge: Edge & { full?: string }; points: { x: number; y: number }[]; label: { x: number; y: number } | null }[];
}

interface ElkEdge {
  id: string;
  sections?: { startPoint: Point; endPoint: Point; bendPoints?: Point[] }[];
  labels?: { x?: number; y?: number }[];
}
type Point = { x: number; y: number };

let elk: Promise<{ layout(graph: unknown): Promise<unknown> }> | null = null;

/** Start the worker before it is needed. */
export const warmUp = (): void => void layouter().then((one) => one.layout({ id: "root", children: [{ id: "a", width: 9, height: 9 }], edges: [] }));

function layouter() {
  elk ??= Promise.all([import("elkjs/lib/elk-api.js"), import("elkjs/lib/elk-worker.min.js?url")]).then(
    ([{ default: ELK }, { default: workerUrl }]) => new ELK({ workerUrl }),
  );
  return elk;
}

const CHARACTER = 6.7;
const LINE = 16;
/** Smaller than this a graph is not shown at first. */
const LEAST = 0.8;
const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export interface Shown {
  node: Node;
  lines: string[];
}

async function place(nodes: Shown[], edges: Edge[], direction: string): Promise<Placed> {
  const layout = await layouter();
  const size = ({ lines }: Shown) => ({
    width: Math.max(44, ...lines.map((line) => line.length * CHARACTER)) + 22,
    height: Math.max(1, lines.length) * LINE + 14,
  });
  const steps = edges.filter((edge) => edge.kind === "step");
  const found = (await layout.layout({
    id: "root",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": direction,
      "elk.layered.spacing.nodeNodeBetweenLayers": "44",
      "elk.spacing.nodeNode": "28",
      "elk.spacing.edgeLabel": "4",
      "elk.edgeRouting": "SPLINES",
      "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
      "elk.separateConnectedComponents": "true",
      "elk.spacing.componentComponent": "48",
    },
    children: nodes.map((one) => ({ id: one.node.id, ...size(one) })),
    edges: steps.map((edge, index) => ({
      id: `e${index}`,
      sources: [edge.from],
      targets: [edge.to],
      labels: edge.label ? [{ text: edge.label, width: Math.min(edge.label.length, 30) * 6, height: 14 }] : [],
    })),
  })) as { width: number; height: number; children: { id: string; x: number; y: number; width: number; height: number }[]; edges: ElkEdge[] };
  const boxes = new Map(found.children.map(({ id, ...box }) => [id, box]));
  const drawn: Placed["edges"] = found.edges.map((one, index) => {
    const section = one.sections?.[0];
    const points = section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [];
    const label = one.labels?.[0];
    return { edge: steps[index], points, label: label?.x === undefined ? null : { x: label.x, y: label.y ?? 0 } };
  });
  for (const edge of edges) {
    if (edge.kind !== "alike") continue;
    const [one, other] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (one && other) drawn.push({ edge, ...bow(one, other) });
  }
  return { width: found.width, height: found.height, nodes: boxes, edges: drawn };
}

type Box = { x: number; y: number; width: number; height: number };

/** A curve between two boxes that leaves them at the sides that face each other. */
function bow(one: Box, other: Box): { points: Point[]; label: Point } {
  const centre = (box: Box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const [a, b] = [centre(one), centre(other)];
  const vertical = Math.abs(b.y - a.y) >= Math.abs(b.x - a.x) * 0.6;
  const start = vertical ? { x: a.x, y: b.y > a.y ? one.y + one.height : one.y } : { x: b.x > a.x ? one.x + one.width : one.x, y: a.y };
  const end = vertical ? { x: b.x, y: b.y > a.y ? other.y : other.y + other.height } : { x: b.x > a.x ? other.x : other.x + other.width, y: b.y };
  const bend = vertical ? { x: 26, y: 0 } : { x: 0, y: 26 };
  const third = (t: number) => ({ x: start.x + (end.x - start.x) * t + bend.x, y: start.y + (end.y - start.y) * t + bend.y });
  return { points: [start, third(0.33), third(0.67), end], label: { x: third(0.5).x + 4, y: third(0.5).y - 6 } };
}

function path(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let drawn = `M${first.x} ${first.y}`;
  for (let at = 0; at < rest.length; at += 3) {
    const [one, two, three] = [rest[at], rest[at + 1], rest[at + 2]];
    drawn += three ? `C${one.x} ${one.y} ${two.x} ${two.y} ${three.x} ${three.y}` : two ? `Q${one.x} ${one.y} ${two.x} ${two.y}` : `L${one.x} ${one.y}`;
  }
  return drawn;
}

// -- what is shown of a picture

const say = (system: System, key: string, state: State): string => {
  const variable = system.variables.find((one) => one.key === key);
  const name = variable?.label ?? key;
  const value = state[key];
  return value === true ? name : value === false ? `not ${name}` : `${name} = ${value}`;
};

export const viewOf = (system: System, agent: string, state: State): string =>
  JSON.stringify((system.agents.find((one) => one.name === agent)?.sees ?? []).map((key) => state[key]));

/** What an agent sees of a state, as far as it is not the same in all states of the picture. */
function seen(system: System, agent: string, state: State, all: State[]): string[] {
  const sees = system.agents.find((one) => one.name === agent)?.sees ?? [];
  const telling = sees.filter((key) => all.some((other) => other[key] !== all[0][key]));
  return (telling.length ? telling : sees).slice(0, 8).map((key) => say(system, key, state));
}

/** The nodes that can be reached without passing through a folded one. */
function unfolded(picture: Picture, folded: Set<string>): Set<string> {
  const targets = new Set(picture.edges.filter((edge) => edge.kind === "step" && edge.from !== edge.to).map((edge) => edge.to));
  const roots = picture.nodes.filter((node) => node.marks.includes("initial") || !targets.has(node.id)).map((node) => node.id);
  const found = new Set(roots.length ? roots : picture.nodes.slice(0, 1).map((node) => node.id));
  for (const id of found) {
    if (folded.has(id)) continue;
    for (const edge of picture.edges) if (edge.from === id && edge.kind === "step") found.add(edge.to);
  }
  return found;
}

/** One box for all states that look the same to the agent; steps between them become steps between boxes. */
function joined(system: System, agent: string, picture: Picture): Picture {
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
    many.set(id, (many.get(id) ?? 0) + 1);
  }
  const edges = new Map<string, Edge>();
  for (const edge of picture.edges) {
    if (edge.kind !== "step") continue;
    const own = edge.joint ? (edge.joint[agent] ?? edge.joint.action ?? "") : edge.label;
    const [from, to] = [home.get(edge.from)!, home.get(edge.to)!];
    const key = `${from} ${to}`;
    const old = edges.get(key);
    const labels = new Set([...(old?.label.split(", ") ?? []), own].filter(Boolean));
    edges.set(key, { from, to, kind: "step", label: [...labels].join(", "), joint: null });
  }
  return { nodes: [...box.values()].map((node) => ({ ...node, many: many.get(node.id) })), edges: [...edges.values()] };
}

/** A step in a few words: what those do who do not do the same in all steps of the picture. */
function brief(system: System, edges: Edge[]): (edge: Edge) => string {
  const joints = edges.flatMap((edge) => (edge.joint ? [edge.joint] : []));
  const telling = system.agents.map((one) => one.name).filter((name) => joints.some((joint) => joint[name] !== joints[0][name]));
  return (edge) => {
    if (!edge.joint || !telling.length || edge.kind === "alike") return edge.label;
    return telling.map((name) => edge.joint![name]).filter(Boolean).join(", ");
  };
}

/** Dashed lines between neighbours of each class of states that look the same to the agent. */
export function alikeTo(system: System, agent: string, nodes: Node[]): Edge[] {
  const classes = new Map<string, Node[]>();
  for (const node of nodes) {
    const view = viewOf(system, agent, node.state);
    classes.set(view, [...(classes.get(view) ?? []), node]);
  }
  return [...classes.values()].flatMap((same) =>
    same.slice(1).map((node, index): Edge => ({ from: same[index].id, to: node.id, label: agent, kind: "alike", joint: null })),
  );
}

interface GraphProps {
  system: System;
  picture: Picture;
  /** Draw look-alikes of the chosen agent; states have short labels unless there are few. */
  whole?: boolean;
  mark?: State | null;
  onWalk?: (state: State, id: string) => void;
  label: string;
}

const same = (one: State, other: State): boolean => Object.keys(one).every((key) => one[key] === other[key]);

export function Graph({ system, picture: all, whole, mark, onWalk, label }: GraphProps) {
  const [agent, setAgent] = useState("");
  const [join, setJoin] = useState(false);
  const picture = useMemo(() => (agent && join ? joined(system, agent, all) : all), [all, agent, join]);
  const [folded, setFolded] = useState<Set<string>>(new Set());
  const [focus, setFocus] = useState<string | null>(null);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const [problem, setProblem] = useState("");
  const [zoom, setZoom] = useState(1);
  const scroll = useRef<HTMLDivElement>(null);

  const shown = useMemo(() => {
    const open = unfolded(picture, folded);
    const nodes = picture.nodes.filter((node) => open.has(node.id));
    const all = nodes.map((node) => node.state);
    const crowded = whole && nodes.length > 40;
    const lines = (node: Node): string[] => {
      const many = node.many && node.many > 1 ? [`${node.many} states`] : [];
      if (agent) return [...(crowded && !join ? [node.id] : seen(system, agent, node.state, all)), ...many];
      return crowded ? [node.id] : node.lines.slice(0, 8);
    };
    const few = brief(system, picture.edges);
    const acts = (edge: Edge): Edge & { full?: string } => {
      if (!agent || edge.kind === "alike") return { ...edge, label: few(edge), full: edge.label };
      const own = edge.joint?.[agent] ?? edge.joint?.action;
      return { ...edge, label: own ?? (edge.joint ? "" : edge.label), full: edge.label };
    };
    let edges: (Edge & { full?: string })[] = picture.edges.filter((edge) => open.has(edge.from) && open.has(edge.to)).map(acts);
    if (agent && !join) edges = [...edges.filter((edge) => edge.kind === "step"), ...alikeTo(system, agent, nodes)];
    if (whole && nodes.length > 12) edges = edges.map((edge) => ({ ...edge, label: "", full: edge.full ?? edge.label }));
    return { nodes: nodes.map((node): Shown => ({ node, lines: lines(node) })), edges };
  }, [picture, system, agent, join, folded, whole]);

  useEffect(() => {
    let live = true;
    const room = (scroll.current?.clientWidth ?? 600) / LEAST;
    const right = whole && shown.nodes.length > 6 ? null : place(shown.nodes, shown.edges, "RIGHT");
    Promise.resolve(right)
      .then((found) => (found && found.width <= room ? found : place(shown.nodes, shown.edges, "DOWN")))
      .then((found) => live && (setPlaced(found), setProblem("")))
      .catch((error: Error) => live && setProblem(error.message));
    return () => void (live = false);
  }, [shown]);

  useEffect(() => {
    const room = scroll.current?.clientWidth ?? 0;
    if (placed && room) setZoom(Math.max(whole ? 0.5 : LEAST, Math.min(1, (room - 24) / (placed.width + 24))));
  }, [placed]);

  const classes = useMemo(() => {
    if (!agent || join) return new Map<string, number>();
    const numbers = new Map<string, number>();
    const views = shown.nodes.map(({ node }) => viewOf(system, agent, node.state));
    for (const view of views) if (views.filter((one) => one === view).length > 1 && !numbers.has(view)) numbers.set(view, numbers.size);
    return numbers;
  }, [shown, agent]);

  const fold = (id: string) => {
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  const looked = shown.nodes.find(({ node }) => node.id === focus)?.node ?? null;
  const hidden = picture.nodes.length - shown.nodes.length;

  return (
    <figure class="graph" aria-label={label}>
      <figcaption class="tools">
        <label>
          See it as{" "}
          <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)} data-test="projection">
            <option value="">everybody together</option>
            {system.agents.filter((one) => one.sees.length).map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        {agent && (
          <label>
            <input type="checkbox" checked={join} onChange={(event) => setJoin(event.currentTarget.checked)} data-test="join" /> one box for what looks the same
          </label>
        )}
        <span class="key">
          <svg width="26" height="8" aria-hidden="true"><path class="step" d="M0 4H26" /></svg> step
          <svg width="26" height="8" aria-hidden="true"><path class="alike" d="M0 4H26" /></svg> looks the same
        </span>
        <span class="grow" />
        {hidden > 0 && <button class="quiet" onClick={() => setFolded(new Set())}>unfold {hidden}</button>}
        <span class="zoom" role="group" aria-label="Size">
          <button class="quiet" aria-label="Smaller" onClick={() => setZoom(Math.max(0.2, zoom / 1.25))}>−</button>
          <button class="quiet" aria-label="Larger" onClick={() => setZoom(Math.min(2.5, zoom * 1.25))}>+</button>
        </span>
      </figcaption>
      <div class="canvas" ref={scroll} tabIndex={0} role="group" aria-label={`${label}: ${shown.nodes.length} states`}>
        {problem && <p class="bad">The graph could not be laid out: {problem}</p>}
        {!placed && !problem && <p class="soft">Laying out the graph…</p>}
        {placed && (
          <svg
            width={(placed.width + 24) * zoom}
            height={(placed.height + 40) * zoom}
            viewBox={`-12 -20 ${placed.width + 24} ${placed.height + 40}`}
            role="presentation"
          >
            <defs>
              <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
                <path d="M0 0L8 4L0 8z" class="tip" />
              </marker>
            </defs>
            {placed.edges.map(({ edge, points }, index) => (
              <g key={index} class={`edge ${edge.kind} ${focus && (edge.from === focus || edge.to === focus) ? "near" : ""}`}>
                <path class={edge.kind} d={path(points)} marker-end={edge.kind === "step" ? "url(#tip)" : undefined} />
              </g>
            ))}
            {shown.nodes.map(({ node, lines }) => {
              const box = placed.nodes.get(node.id);
              if (!box) return null;
              const kind = agent ? classes.get(viewOf(system, agent, node.state)) : undefined;
              const here = mark ? same(mark, node.state) : false;
              return (
                <g
                  key={node.id}
                  class={`state ${node.marks.join(" ").replace("dead end", "dead")} ${folded.has(node.id) ? "folded" : ""} ${here ? "here" : ""} ${focus === node.id ? "focus" : ""}`}
                  transform={`translate(${box.x} ${box.y})`}
                  tabIndex={0}
                  role="button"
                  aria-description={node.marks.join(", ") || undefined}
                  onMouseEnter={() => setFocus(node.id)}
                  onFocus={() => setFocus(node.id)}
                  onClick={() => fold(node.id)}
                  onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), fold(node.id))}
                >
                  <rect width={box.width} height={box.height} rx="9" class={kind === undefined ? "" : `class class-${kind % 6}`} />
                  {lines.map((line, index) => (
                    <text key={index} x={11} y={20 + index * LINE}>{short(line, 40)}</text>
                  ))}
                  {folded.has(node.id) && <text class="more" x={box.width - 6} y={box.height - 5}>…</text>}
                </g>
              );
            })}
            {placed.edges.map(({ edge, label: place, points }, index) => {
              const near = focus === edge.from || focus === edge.to;
              const text = edge.label || (near ? (edge.full ?? "") : "");
              const at = (edge.label && place) || points[Math.floor(points.length / 2)];
              return at && text ? (
                <g key={index} class={`label ${edge.kind}`}>
                  <text x={at.x} y={at.y + 11}>
                    {short(text, 30)}
                    <title>{edge.full ?? edge.label}</title>
                  </text>
                </g>
              ) : null;
            })}
          </svg>
        )}
      </div>
      <div class="looked" aria-live="polite">
        {looked ? (
          <>
            <StateCard system={system} state={looked.state} agent={agent} />
            <p class="row">
              {looked.marks.length > 0 && <span class="soft">{looked.marks.join(", ")}</span>}
              {onWalk && <button class="quiet" onClick={() => onWalk(looked.state, looked.id)}>Walk on from here</button>}
            </p>
          </>
        ) : (
          <p class="soft">Point at a state to see all of it; click it to fold what follows.</p>
        )}
      </div>
    </figure>
  );
}

/** A state, agent by agent; what changed since another state is marked, what an agent does not see is faint. */
export function StateCard({ system, state, before, agent }: { system: System; state: State; before?: State | null; agent?: string }) {
  const sees = agent ? new Set(system.agents.find((one) => one.name === agent)?.sees ?? []) : null;
  return (
    <dl class="statecard">
      {system.agents
        .filter((one) => one.variables.length)
        .map((one) => (
          <div key={one.name}>
            <dt>{one.name}</dt>
            <dd>
              {one.variables.map((key) => {
                const changed = before ? before[key] !== state[key] : false;
                return (
                  <span key={key} class={`value ${changed ? "changed" : ""} ${sees && !sees.has(key) ? "unseen" : ""}`} title={changed ? `was ${before![key]}` : sees && !sees.has(key) ? `${agent} does not see this` : undefined}>
                    {key.slice(key.indexOf(".") + 1)} <b>{String(state[key])}</b>
                  </span>
                );
              })}
            </dd>
          </div>
        ))}
    </dl>
  );
}
