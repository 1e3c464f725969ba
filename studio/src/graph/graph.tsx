// A graph of states: seen as an agent, joined by what looks the same to it, folded, searched, explored further.

import { useMemo, useState } from "preact/hooks";
import type { Node, Picture, State, System } from "../types";
import { Canvas, type Card, type Link } from "./canvas";
import { alikeTo, brief, classesOf, compact, differing, hueOf, joined, letters, meant, sameState, say, seen, tellingApart, type Told, unfolded, viewOf } from "./picture";
import type { How } from "./placing";
import { StateCard } from "./state";

interface GraphProps {
  system: System;
  picture: Picture;
  /** All states, or many: short labels where they are crowded, labels of steps only where there are few. */
  whole?: boolean;
  mark?: State | null;
  onWalk?: (state: State, id: string) => void;
  label: string;
  /** States whose steps are not known yet, and what to do to know them. */
  frontier?: ReadonlySet<string>;
  onExplore?: (state: State) => void;
  /** Who looks at it at first. */
  agent?: string;
  join?: boolean;
  onAgent?: (agent: string, join: boolean) => void;
}

const FEW = 14;
const CROWDED = 24;

export function Graph({ system, picture: all, whole, mark, onWalk, label, frontier, onExplore, onAgent, ...props }: GraphProps) {
  const [agent, setAgent] = useState(props.agent ?? "");
  const [join, setJoin] = useState(props.join ?? false);
  const [how, setHow] = useState<How | "">("");
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setWanted] = useState("");
  const picture = useMemo(() => (agent && join ? joined(system, agent, all) : all), [all, agent, join]);

  const { cards, links, nodes } = useMemo(() => {
    const open = unfolded(picture, folded);
    const order = new Map(agent && !join ? [...classesOf(system, agent, picture.nodes).keys()].map((view, place) => [view, place]) : []);
    const nodes = picture.nodes.filter((node) => open.has(node.id));
    if (order.size) nodes.sort((one, other) => order.get(viewOf(system, agent, one.state))! - order.get(viewOf(system, agent, other.state))!); // what looks the same is laid out side by side
    const states = nodes.map((node) => node.state);
    const crowded = Boolean(whole) && nodes.length > CROWDED;
    const keys = differing(agent && join ? (system.agents.find((one) => one.name === agent)?.sees ?? []) : system.variables.map((one) => one.key), states);
    const telling = differing(system.variables.map((one) => one.key), states);
    const many = Boolean(whole) && !agent && telling.length > 8; // too many lines for a box
    const yesOrNo = telling.length > 4 && telling.every((key) => states.every((state) => typeof state[key] === "boolean"));
    const apart = crowded || many ? tellingApart(keys, states) : keys;
    const lines = (node: Node): string[] => {
      if (many && !crowded) return apart.slice(0, 8).map((key) => say(system, key, node.state));
      if (crowded) return compact(system, apart, node.state);
      if (yesOrNo && whole && !agent) return compact(system, telling, node.state, 24, 6);
      return agent ? seen(system, agent, node.state, states) : node.lines.length ? node.lines.slice(0, 8) : (telling.length ? telling : keys).slice(0, 8).map((key) => say(system, key, node.state));
    };
    const few = brief(system, picture.edges);
    const acts = (edge: Told): Told => {
      if (!agent || edge.kind === "alike") return { ...edge, label: few(edge), full: edge.label };
      const own = edge.joint?.[agent] ?? edge.joint?.action;
      return { ...edge, label: own ?? (edge.joint ? "" : edge.label), full: edge.label };
    };
    let edges: Told[] = picture.edges.filter((edge) => open.has(edge.from) && open.has(edge.to)).map(acts);
    if (agent && !join) edges = [...edges.filter((edge) => edge.kind === "step"), ...alikeTo(system, agent, nodes)];
    if (whole && nodes.length > FEW) edges = edges.map((edge) => ({ ...edge, label: "", full: edge.full ?? edge.label }));
    const classes = new Map<string, number>();
    if (agent && !join) for (const [view, same] of classesOf(system, agent, nodes)) if (same.length > 1) classes.set(view, classes.size);
    const cards = nodes.map((node): Card => {
      const kind = classes.get(agent ? viewOf(system, agent, node.state) : "");
      const said = lines(node);
      const marks = node.marks.join(" ").replace("dead end", "dead");
      return {
        id: node.id,
        lines: said,
        words: [...node.marks, ...(frontier?.has(node.id) ? ["not looked into"] : []), ...(kind === undefined ? [] : [`class ${letters(kind)}`])].join(", "),
        looks: `${marks} ${folded.has(node.id) ? "folded" : ""} ${mark && sameState(mark, node.state) ? "here" : ""} ${frontier?.has(node.id) ? "frontier" : ""}`,
        ...(kind === undefined ? {} : { hue: hueOf(kind) }),
        badge: kind !== undefined && whole ? letters(kind) : node.many && node.many > 1 ? `×${node.many}` : undefined,
        more: folded.has(node.id) || frontier?.has(node.id) ? "…" : undefined,
      };
    });
    const links = edges.map((edge, index): Link => ({ id: `${edge.from}>${edge.to}:${edge.kind}${index}`, from: edge.from, to: edge.to, kind: edge.kind, label: edge.label, full: edge.full ?? edge.label }));
    return { cards, links, nodes };
  }, [picture, system, agent, join, folded, whole, frontier, mark]);

  const hits = useMemo(() => {
    if (!wanted.trim()) return undefined;
    return new Set(nodes.filter((node) => meant(system, node.state, wanted)).map((node) => node.id));
  }, [wanted, nodes]);

  const fold = (id: string) => {
    if (frontier?.has(id)) return onExplore?.(nodes.find((node) => node.id === id)!.state);
    const next = new Set(folded);
    if (!next.delete(id)) next.add(id);
    setFolded(next);
  };
  const observe = (name: string, together: boolean) => {
    setAgent(name);
    setJoin(together);
    onAgent?.(name, together);
  };
  const looked = nodes.find((node) => node.id === chosen) ?? null;
  const hidden = picture.nodes.length - nodes.length;
  const leads = looked !== null && picture.edges.some((edge) => edge.kind === "step" && edge.from === looked.id && edge.to !== looked.id);
  const alike = links.some((one) => one.kind === "alike");

  return (
    <Canvas
      {...{ cards, links, label, chosen, hits, how }}
      onChoose={setChosen}
      onOpen={fold}
      tools={
        <>
          <label>
            See it as{" "}
            <select value={agent} onChange={(event) => observe(event.currentTarget.value, join)} data-test="projection">
              <option value="">everybody together</option>
              {system.agents.filter((one) => one.sees.length).map((one) => <option key={one.name} value={one.name}>{one.name}</option>)}
            </select>
          </label>
          {agent && (
            <label>
              <input type="checkbox" checked={join} onChange={(event) => observe(agent, event.currentTarget.checked)} data-test="join" /> one box for what looks the same
            </label>
          )}
          {nodes.length > 2 && (
            <label>
              laid out{" "}
              <select value={how} onChange={(event) => setHow(event.currentTarget.value as How | "")} data-test="layout">
                <option value="">as suits</option>
                <option value="layers">from left to right</option>
                <option value="down">from top to bottom</option>
                <option value="spread">spread out</option>
              </select>
            </label>
          )}
          {nodes.length > 6 && (
            <input type="search" class="find" aria-label="Search the states" placeholder="find states: x = 3, lit" value={wanted} data-test="find" onInput={(event) => setWanted(event.currentTarget.value)} />
          )}
          {hits && <span class="soft" role="status" data-test="hits">{hits.size} of {nodes.length}</span>}
          <span class="key">
            <svg width="26" height="8" aria-hidden="true"><path class="step" d="M0 4H26" /></svg> step
            {alike && <><svg width="26" height="8" aria-hidden="true"><path class="alike" d="M0 4H26" /></svg> looks the same</>}
          </span>
          {hidden > 0 && <button class="quiet" onClick={() => setFolded(new Set())}>unfold {hidden}</button>}
        </>
      }
    >
      <div class="looked" aria-live="polite">
        {looked ? (
          <>
            <StateCard system={system} state={looked.state} agent={agent} />
            <p class="row">
              {looked.marks.length > 0 && <span class="soft">{looked.marks.join(", ")}</span>}
              {looked.many && looked.many > 1 && <span class="soft">one of {looked.many} that look the same to {agent}</span>}
              {frontier?.has(looked.id) && <button class="quiet" data-test="explore" onClick={() => onExplore?.(looked.state)}>Show what can follow</button>}
              {leads && <button class="quiet" data-test="fold" onClick={() => fold(looked.id)}>{folded.has(looked.id) ? "Unfold what follows" : "Fold what follows"}</button>}
              {onWalk && <button class="quiet" onClick={() => onWalk(looked.state, looked.id)}>Walk on from here</button>}
            </p>
          </>
        ) : (
          <p class="soft">Click a state to see all of it. Drag it to where it should stay, drag the ground to move about, and turn the wheel (after a click into the drawing) or pinch to enlarge.</p>
        )}
      </div>
    </Canvas>
  );
}
