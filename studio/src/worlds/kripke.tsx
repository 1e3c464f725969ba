// The Kripke view: worlds as cards, a colour and a line style for each agent, the actual world marked, what was ruled out crossed out.

import { useEffect, useMemo, useState } from "preact/hooks";
import { Canvas, type Card, type Link, sizeOf } from "../graph/canvas";
import type { Box } from "../graph/geometry";
import { compact, hueOf, tellingApart } from "../graph/picture";
import { place } from "../graph/placing";
import { StateCard } from "../graph/state";
import type { Kripke, System } from "../types";
import { cube, lineage, lines, possibleFor, type Shown } from "./worlds";

/** More worlds than these are shown only as far as one agent considers them possible. */
const CROWD = 24;
const DASHES = ["none", "8 4", "2 4", "12 4 2 4", "5 5"];

export function KripkeView({ kripke, at, onWalk }: { kripke: Kripke; at: number; onWalk?: (state: Shown) => void }) {
  const { system, observers } = kripke;
  const [off, setOff] = useState<ReadonlySet<string>>(new Set());
  const crowd = kripke.moments[0].worlds.length > CROWD;
  const [mind, setMind] = useState(crowd ? (observers[0] ?? "") : "");
  const [chosen, setChosen] = useState<string | null>(null);
  const moments = useMemo(() => lineage(kripke), [kripke]);
  const places = usePlaces(kripke, moments);
  const now = Math.min(at, moments.length - 1);
  const worlds = moments[now];
  const possible = mind ? possibleFor(observers.indexOf(mind), worlds) : null;
  const keys = useMemo(() => namesOf(system, moments), [moments]);

  const seen = crowd && possible ? worlds.filter((one) => possible.has(one.id)) : worlds;
  const cards = seen.map((one): Card => ({
    id: one.id,
    lines: compact(system, keys, one.state, 30, 6),
    words: [one.actual ? "the actual world" : "", one.gone ? "ruled out" : ""].filter(Boolean).join(", "),
    looks: `world ${one.actual ? "actual" : ""} ${one.gone ? "gone" : ""} ${possible && !possible.has(one.id) ? "faded" : ""}`,
    badge: one.actual ? "actual" : undefined,
  }));
  const shown = observers.filter((name) => !off.has(name));
  const links = shown.flatMap((agent) =>
    lines(observers.indexOf(agent), seen, places).map(([from, to]): Link => ({
      id: `${agent} ${from} ${to}`,
      from,
      to,
      kind: "alike",
      label: seen.length < 5 ? agent : "",
      full: agent,
      looks: possible && (agent !== mind || !possible.has(from)) ? "faded" : "",
      hue: hueOf(observers.indexOf(agent)),
      dash: DASHES[observers.indexOf(agent) % DASHES.length],
    })),
  );
  const toggle = (name: string) => {
    const next = new Set(off);
    if (!next.delete(name)) next.add(name);
    setOff(next);
  };
  const looked = worlds.find((one) => one.id === chosen);
  const there = worlds.filter((one) => !one.gone).length;
  return (
    <div class="kripke" data-test="kripke">
      <div class="row" role="group" aria-label="Whose lines are shown">
        <span class="soft">lines of</span>
        {observers.map((name, place) => (
          <button key={name} class="chip agent" aria-pressed={!off.has(name)} style={{ "--hue": hueOf(place) }} onClick={() => toggle(name)}>
            <svg width="26" height="8" aria-hidden="true"><path d="M0 4H26" class="alike" style={{ strokeDasharray: DASHES[place % DASHES.length] }} /></svg> {name}
          </button>
        ))}
      </div>
      <div class="row" role="group" aria-label="Who looks">
        <span class="soft">in the mind of</span>
        {observers.map((name) => <button key={name} class="chip" aria-pressed={mind === name} data-test={`mind-${name}`} onClick={() => setMind(mind === name ? "" : name)}>{name}</button>)}
      </div>
      <p class="soft" role="status" data-test="possible">
        {mind ? `${mind} considers ${possible!.size} of ${there} ${there === 1 ? "world" : "worlds"} possible.` : `${there} ${there === 1 ? "world is" : "worlds are"} possible for somebody, or for somebody in the eyes of somebody else.`}
        {worlds.length > there && ` ${worlds.length - there} ${worlds.length - there === 1 ? "is" : "are"} ruled out.`}
        {kripke.moments[now].more && " There are more than can be shown."}
      </p>
      {places ? (
        <Canvas {...{ cards, links, label: `What is possible at moment ${now}`, chosen, given: seen === worlds ? places : null, name: "worlds" }} onChoose={setChosen}>
          <div class="looked">
            {looked ? (
              <>
                <StateCard system={system} state={looked.state} agent={mind || undefined} />
                {onWalk && !looked.gone && <p class="row"><button class="quiet" onClick={() => onWalk(looked)}>Walk on from this world</button></p>}
              </>
            ) : (
              <p class="soft">Worlds joined by a line look the same to its agent; lines join what stands nearest. Click a world to see all of it.</p>
            )}
          </div>
        </Canvas>
      ) : (
        <p class="soft">Laying out the worlds…</p>
      )}
    </div>
  );
}

/** The variables that tell the worlds of each moment apart, those too that are just being ruled out. */
function namesOf(system: System, moments: Shown[][]): string[] {
  const all = system.variables.map((one) => one.key);
  const found = new Set(moments.flatMap((worlds) => tellingApart(all, worlds.filter((one) => !one.gone || one.out).map((one) => one.state))));
  return all.filter((key) => found.has(key));
}

/** Places that stay: those of a cube where the worlds are its corners, else a layout of the worlds of all moments together. */
function usePlaces(kripke: Kripke, moments: Shown[][]): ReadonlyMap<string, Box> | null {
  const [places, setPlaces] = useState<ReadonlyMap<string, Box> | null>(null);
  useEffect(() => {
    const { system, observers } = kripke;
    const keys = namesOf(system, moments);
    const sizes = new Map<string, { width: number; height: number }>();
    for (const one of moments.flat()) {
      const size = sizeOf(compact(system, keys, one.state, 30, 6));
      const old = sizes.get(one.id);
      sizes.set(one.id, { width: Math.max(size.width, old?.width ?? 0), height: Math.max(size.height, old?.height ?? 0) });
    }
    const known = places ?? new Map<string, Box>();
    if ([...sizes.keys()].every((id) => known.has(id))) return;
    const [first] = moments;
    const corners = cube(system, first, [...sizes.values()].reduce((one, other) => ({ width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) })));
    if (corners && [...sizes.keys()].every((id) => corners.has(id))) return setPlaces(corners);
    let live = true;
    const boxes = [...sizes].map(([id, size]) => ({ id, ...size }));
    const links = moments.flatMap((worlds, moment) =>
      observers.flatMap((agent, number) => lines(number, worlds, null).map(([from, to], place) => ({ id: `${moment} ${agent} ${place}`, from, to, kind: "alike" as const, room: 0 }))),
    );
    place(boxes, links, "spread").then(
      (found) => live && setPlaces(found.boxes),
      () => live && setPlaces(new Map(boxes.map((box, place) => [box.id, { ...box, x: (place % 6) * 220, y: Math.floor(place / 6) * 110 }]))), // in rows, if there is no layout
    );
    return () => void (live = false);
  }, [moments]);
  return places;
}
