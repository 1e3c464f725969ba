// A drawing of boxes and lines: moved, enlarged by wheel and pinch, boxes dragged to where they stay, whole screen, saved as a picture.

import { select } from "d3-selection";
import { zoom, type ZoomBehavior, zoomIdentity, zoomTransform } from "d3-zoom";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { complain } from "../notice";
import { download } from "../files";
import { pngOf, svgOf } from "./export";
import { around, type Box, centre, nearest, type Point, route, type Route, through } from "./geometry";
import { type How, type Placed, place, suited } from "./placing";

/** A box: its lines, and how it looks. */
export interface Card {
  id: string;
  lines: string[];
  /** What its looks mean, for those who do not see it. */
  words: string;
  looks: string;
  hue?: number;
  /** A few characters at the upper right: the name of its class, how many states it stands for. */
  badge?: string;
  /** A mark at the lower right: folded, or not explored yet. */
  more?: string;
}

/** A line between two boxes. */
export interface Link {
  id: string;
  from: string;
  to: string;
  kind: "step" | "alike";
  label: string;
  full: string;
  looks?: string;
  /** Its colour and dashes, instead of those of its kind. */
  hue?: number;
  dash?: string;
}

interface Props {
  cards: Card[];
  links: Link[];
  label: string;
  how?: How | "";
  chosen: string | null;
  onChoose: (id: string | null) => void;
  onOpen?: (id: string) => void;
  hits?: ReadonlySet<string>;
  /** Places that are given, instead of a layout. */
  given?: ReadonlyMap<string, Box> | null;
  tools?: ComponentChildren;
  children?: ComponentChildren;
  name?: string;
}

const CHARACTER = 7.1;
const LINE = 16;
/** Smaller than this a drawing does not begin: it could not be read. */
const LEAST = 0.8;

const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** How large a box with these lines is. */
export const sizeOf = (lines: string[]): { width: number; height: number } => ({
  width: Math.max(44, ...lines.map((line) => Math.min(line.length, 40) * CHARACTER)) + 22,
  height: Math.max(1, lines.length) * LINE + 14,
});

/** Places for the boxes, asked for again when what is drawn changes; dragged boxes stay. */
function usePlaces({ cards, links, how, given }: Props): { placed: Placed | null; problem: string } {
  const [placed, setPlaced] = useState<Placed | null>(null);
  const [problem, setProblem] = useState("");
  const names = JSON.stringify([how, cards.map((one) => [one.id, sizeOf(one.lines)]), links.map((one) => [one.id, one.kind, one.label.length])]);
  useEffect(() => {
    if (given) return setPlaced({ boxes: new Map(given), courses: new Map() });
    let live = true;
    const boxes = cards.map((one) => ({ id: one.id, ...sizeOf(one.lines) }));
    const lines = links.map((one) => ({ id: one.id, from: one.from, to: one.to, kind: one.kind, room: one.label ? Math.min(one.label.length, 30) * 6 + 6 : 0 }));
    const layered = async () => {
      const right = cards.length > 24 ? null : await place(boxes, lines, "layers");
      const wide = right ? around(right.boxes.values()).width : Infinity;
      return right && wide < 900 ? right : place(boxes, lines, "down");
    };
    const chosen = how || suited(lines, boxes.length);
    (chosen === "layers" ? layered() : place(boxes, lines, chosen)).then(
      (found) => live && (setPlaced(found), setProblem("")),
      (error: Error) => live && setProblem(error.message),
    );
    return () => void (live = false);
  }, [names, given]);
  return { placed, problem };
}

/** The course of each line; lines between the same two boxes are kept apart. */
function routes(links: Link[], boxes: ReadonlyMap<string, Box>, placed: Placed, moved: ReadonlyMap<string, Point>): Map<string, Route> {
  const all = [...boxes.values()];
  const between = new Map<string, Link[]>();
  for (const one of links) {
    const pair = [one.from, one.to].sort().join(" ");
    between.set(pair, [...(between.get(pair) ?? []), one]);
  }
  const found = new Map<string, Route>();
  for (const one of links) {
    const [from, to] = [boxes.get(one.from), boxes.get(one.to)];
    if (!from || !to) continue;
    const course = moved.has(one.from) || moved.has(one.to) ? undefined : placed.courses.get(one.id);
    if (course?.points.length) {
      found.set(one.id, { path: through(course.points), label: course.label ?? course.points[Math.floor(course.points.length / 2)] });
      continue;
    }
    const same = between.get([one.from, one.to].sort().join(" "))!.filter((other) => !placed.courses.get(other.id));
    const side = (same.indexOf(one) - (same.length - 1) / 2) * 16 * (one.from < one.to ? 1 : -1);
    found.set(one.id, route(from, to, all, side));
  }
  return found;
}

export function Canvas(props: Props) {
  const { cards, links, label, chosen, onChoose, onOpen, hits } = props;
  const { placed, problem } = usePlaces(props);
  const [moved, setMoved] = useState<ReadonlyMap<string, Point>>(new Map());
  const [over, setOver] = useState<string | null>(null);
  const [active, setActive] = useState(false);
  const [whole, setWhole] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const inner = useRef<SVGGElement>(null);
  const behaviour = useRef<ZoomBehavior<SVGSVGElement, unknown> | undefined>(undefined);
  const awake = useRef(false);
  awake.current = active || whole;

  const boxes = useMemo(() => {
    const found = new Map<string, Box>();
    for (const one of cards) {
      const box = placed?.boxes.get(one.id);
      if (box) found.set(one.id, { ...box, ...sizeOf(one.lines), ...moved.get(one.id) });
    }
    return found;
  }, [placed, moved, cards]);
  const courses = useMemo(() => (placed ? routes(links, boxes, placed, moved) : new Map<string, Route>()), [links, boxes, placed]);
  const bounds = useMemo(() => around(placed?.boxes.values() ?? []), [placed]);

  // -- moving and enlarging

  useEffect(() => {
    if (!svg.current) return;
    const area = select(svg.current);
    behaviour.current = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.04, 6])
      .filter((event: MouseEvent | WheelEvent | TouchEvent) => {
        if (event.type === "wheel") return (event as WheelEvent).ctrlKey || awake.current;
        return !(event.target as Element).closest(".state") && !("button" in event && event.button);
      })
      .on("zoom", (event: { transform: { toString(): string } }) => inner.current?.setAttribute("transform", event.transform.toString()));
    area.call(behaviour.current).on("dblclick.zoom", null);
    return () => void area.on(".zoom", null);
  }, [placed !== null]);

  const look = (at: Point, scale: number) => {
    if (!svg.current || !behaviour.current) return;
    const { clientWidth: width, clientHeight: height } = svg.current;
    select(svg.current).call(behaviour.current.transform, zoomIdentity.translate(width / 2 - at.x * scale, height / 2 - at.y * scale).scale(scale));
  };
  const room = () => {
    const all = around(boxes.values());
    const { clientWidth: width = 600, clientHeight: height = 400 } = svg.current ?? {};
    return { all, scale: Math.min((width - 40) / (all.width + 90), (height - 30) / (all.height + 20)) };
  };
  const fit = () => {
    const { all, scale } = room();
    look(centre(all), Math.min(1.6, scale));
  };
  const grow = (by: number) => svg.current && behaviour.current && select(svg.current).call(behaviour.current.scaleBy, by);
  const first = useRef(true);
  useEffect(() => {
    if (!placed || !svg.current || !boxes.size) return;
    const { all, scale } = room();
    if (scale >= LEAST || !first.current) {
      if (first.current || scale < zoomTransform(svg.current).k) fit();
    } else {
      const start = boxes.get(cards.find((one) => one.looks.includes("initial"))?.id ?? "") ?? all;
      const { clientWidth: width, clientHeight: height } = svg.current;
      const [half, high] = [width / 2 / LEAST - 30, height / 2 / LEAST - 20];
      const keep = (value: number, low: number, span: number, half: number) => (span < 2 * half ? low + span / 2 : Math.max(low + half, Math.min(low + span - half, value)));
      look({ x: keep(centre(start).x, all.x, all.width, half), y: keep(centre(start).y, all.y, all.height, high) }, LEAST);
    }
    first.current = false;
  }, [placed, whole]);

  /** Have a box in sight. */
  const reveal = (id: string) => {
    const box = boxes.get(id);
    if (!box || !svg.current) return;
    const { x, y, k } = zoomTransform(svg.current);
    const middle = centre(box);
    const [left, top] = [middle.x * k + x, middle.y * k + y];
    const { clientWidth: width, clientHeight: height } = svg.current;
    if (left < 30 || top < 20 || left > width - 30 || top > height - 20) look(middle, Math.max(k, LEAST));
  };
  useEffect(() => {
    if (hits?.size) reveal([...hits][0]);
  }, [hits]);

  // -- dragging

  const drag = useRef<{ id: string; start: Point; box: Box; far: boolean } | null>(null);
  const grab = (event: PointerEvent, id: string) => {
    const box = boxes.get(id);
    if (!box || event.button) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    drag.current = { id, start: { x: event.clientX, y: event.clientY }, box, far: false };
  };
  const pull = (event: PointerEvent) => {
    const now = drag.current;
    if (!now || !svg.current) return;
    const [dx, dy] = [event.clientX - now.start.x, event.clientY - now.start.y];
    now.far ||= Math.hypot(dx, dy) > 4;
    const { k } = zoomTransform(svg.current);
    if (now.far) setMoved(new Map(moved).set(now.id, { x: now.box.x + dx / k, y: now.box.y + dy / k }));
  };
  const drop = (id: string) => {
    const now = drag.current;
    drag.current = null;
    if (now && !now.far) onChoose(id);
  };

  // -- the keyboard

  const current = chosen && boxes.has(chosen) ? chosen : (cards[0]?.id ?? "");
  const ARROWS: Record<string, Point> = { ArrowRight: { x: 1, y: 0 }, ArrowLeft: { x: -1, y: 0 }, ArrowDown: { x: 0, y: 1 }, ArrowUp: { x: 0, y: -1 } };
  const keys = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      const next = nearest(current, boxes, arrow);
      onChoose(next);
      reveal(next);
      svg.current?.querySelector<SVGGElement>(`[data-id="${CSS.escape(next)}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") onChoose(current);
    else if (event.key === "f" && onOpen) onOpen(current);
    else if (event.key === "+" || event.key === "=") grow(1.25);
    else if (event.key === "-") grow(0.8);
    else if (event.key === "0") fit();
    else if (event.key === "Escape" && whole && !document.fullscreenElement) setWhole(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  // -- the whole screen, pictures

  useEffect(() => {
    const left = () => !document.fullscreenElement && setWhole(false);
    document.addEventListener("fullscreenchange", left);
    return () => document.removeEventListener("fullscreenchange", left);
  }, []);
  const screen = async () => {
    if (whole) return document.fullscreenElement ? void document.exitFullscreen() : setWhole(false);
    setWhole(true);
    await frame.current?.requestFullscreen?.().catch((refused: Error) => console.debug(refused.message)); // then it fills the window
  };
  const save = async (kind: "svg" | "png") => {
    if (!svg.current) return;
    const drawing = svgOf(svg.current, boxes.values());
    const name = `${(props.name ?? label).replace(/[^\w]+/g, "-").toLowerCase()}.${kind}`;
    try {
      download(name, kind === "svg" ? drawing : await pngOf(drawing), kind === "svg" ? "image/svg+xml" : "image/png");
    } catch (failed) {
      complain(failed);
    }
  };

  const near = over ?? chosen;
  const height = Math.max(190, Math.min(bounds.height * Math.max(LEAST, Math.min(1, 620 / (bounds.width + 90))) + 60, 620));
  return (
    <figure class={`graph ${whole ? "whole" : ""}`} aria-label={label} ref={frame}>
      <figcaption class="tools">
        {props.tools}
        <span class="grow" />
        {moved.size > 0 && <button class="quiet" data-test="unpin" onClick={() => setMoved(new Map())}>Release {moved.size} pinned</button>}
        <span class="zoom" role="group" aria-label="Size">
          <button class="quiet" aria-label="Smaller" onClick={() => grow(0.8)}>−</button>
          <button class="quiet" aria-label="Larger" onClick={() => grow(1.25)}>+</button>
          <button class="quiet" data-test="fit" onClick={fit}>Fit</button>
          <button class="quiet" data-test="whole" aria-pressed={whole} onClick={() => void screen()}>{whole ? "Leave full screen" : "Full screen"}</button>
        </span>
        <span class="zoom" role="group" aria-label="Save the picture">
          <button class="quiet" data-test="svg" onClick={() => void save("svg")}>SVG</button>
          <button class="quiet" data-test="png" onClick={() => void save("png")}>PNG</button>
        </span>
      </figcaption>
      {problem && <p class="bad">The graph could not be laid out: {problem}</p>}
      {!placed && !problem && <p class="soft laying">Laying out the graph…</p>}
      {placed && (
        <svg
          ref={svg}
          class={`canvas ${active ? "active" : ""} ${drag.current ? "dragging" : ""}`}
          style={whole ? undefined : { height: `min(${Math.round(height)}px, 62vh)` }}
          role="group"
          aria-label={`${label}: ${cards.length} states`}
          onFocusIn={() => setActive(true)}
          onFocusOut={() => setActive(false)}
          onPointerDown={() => setActive(true)}
          onPointerLeave={() => setActive(svg.current?.contains(document.activeElement) ?? false)}
          onKeyDown={keys}
        >
          <defs>
            <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
              <path d="M0 0L8 4L0 8z" class="tip" />
            </marker>
          </defs>
          <g ref={inner} data-all="">
            {links.map((one) => {
              const course = courses.get(one.id);
              return course ? (
                <g key={one.id} data-from={one.from} data-to={one.to} class={`edge ${one.kind} ${one.looks ?? ""} ${near && (one.from === near || one.to === near) ? "near" : ""}`}>
                  <path class={`${one.kind} ${one.hue === undefined ? "" : "own"}`} style={one.hue === undefined ? undefined : { "--hue": one.hue, strokeDasharray: one.dash }} d={course.path} marker-end={one.kind === "step" ? "url(#tip)" : undefined} />
                </g>
              ) : null;
            })}
            {cards.map((one) => {
              const box = boxes.get(one.id);
              if (!box) return null;
              return (
                <g
                  key={one.id}
                  data-id={one.id}
                  class={`state ${one.looks} ${chosen === one.id ? "focus" : ""} ${moved.has(one.id) ? "pinned" : ""} ${hits?.has(one.id) ? "hit" : ""}`}
                  style={{ transform: `translate(${box.x}px, ${box.y}px)`, ...(one.hue === undefined ? {} : { "--hue": one.hue }) }}
                  tabindex={one.id === current ? 0 : -1}
                  role="button"
                  aria-pressed={chosen === one.id}
                  aria-description={one.words || undefined}
                  onMouseEnter={() => setOver(one.id)}
                  onMouseLeave={() => setOver(null)}
                  onPointerDown={(event) => grab(event, one.id)}
                  onPointerMove={pull}
                  onPointerUp={() => drop(one.id)}
                  onPointerCancel={() => (drag.current = null)}
                  onDblClick={() => onOpen?.(one.id)}
                >
                  <rect width={box.width} height={box.height} rx="9" class={one.hue === undefined ? "" : "class"} />
                  {one.looks.includes("gone") && <path class="cross" d={`M4 4L${box.width - 4} ${box.height - 4}M${box.width - 4} 4L4 ${box.height - 4}`} />}
                  {one.lines.map((line, index) => <text key={index} x={11} y={20 + index * LINE}>{`${short(line, 40)} `}</text>)}
                  {one.badge && <g class="tag" aria-hidden="true"><rect x={box.width - one.badge.length * 7 - 5} y={-8} width={one.badge.length * 7 + 9} height={16} rx="8" /><text x={box.width - (one.badge.length * 7) / 2} y={4}>{one.badge}</text></g>}
                  {one.more && <text class="more" x={box.width - 6} y={box.height - 5}>{one.more}</text>}
                  {moved.has(one.id) && <circle class="pin" cx={4} cy={4} r={3.5} />}
                </g>
              );
            })}
            {links.map((one) => {
              const course = courses.get(one.id);
              const text = one.label || (near && (one.from === near || one.to === near) ? one.full : "");
              return course && text ? (
                <g key={one.id} class={`label ${one.kind} ${one.looks ?? ""} ${one.hue === undefined ? "" : "own"}`} style={one.hue === undefined ? undefined : { "--hue": one.hue }}>
                  <text x={course.label.x} y={course.label.y + 4}>{short(text, 30)}<title>{one.full}</title></text>
                </g>
              ) : null;
            })}
          </g>
        </svg>
      )}
      {props.children}
    </figure>
  );
}
