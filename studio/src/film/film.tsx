// A film of one run, or of two that look the same to somebody: one timeline with play, pause, a slider and arrow keys; lanes of agents,
// and rows of green and red cells for what is watched.

import type { ComponentChildren } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { StateCard } from "../graph/state";
import type { Film as Told, System } from "../types";
import { Words } from "../words";
import { after, delay, differences, differsAt, eventful, lastOf, runOf, shownAt, telling, type Track, window as around } from "./track";
import { Watch } from "./watch";

const PACE = 900;

interface Props {
  system: System;
  tracks: Track[];
  /** Who cannot tell the two runs apart, and what they see at the end of both. */
  agents?: string[];
  shared?: string[];
  at?: number;
  onAt?: (at: number) => void;
  /** Whether the state of the moment stands below. */
  cards?: boolean;
  buttons?: (track: Track, at: number) => ComponentChildren;
}

export function Film({ system, tracks, agents = [], shared = [], cards = true, buttons, ...props }: Props) {
  const last = lastOf(tracks);
  const [own, setOwn] = useState(last);
  const at = Math.min(props.at ?? own, last);
  const [playing, setPlaying] = useState(false);
  const go = (to: number) => {
    const now = Math.max(0, Math.min(last, to));
    setOwn(now);
    props.onAt?.(now);
  };
  const latest = useRef({ at, go, tracks });
  latest.current = { at, go, tracks };
  useEffect(() => {
    if (!playing) return;
    const clock = setInterval(() => {
      const { at, go, tracks } = latest.current;
      const next = after(tracks, at);
      if (next === null) setPlaying(false);
      else go(next);
    }, PACE);
    return () => clearInterval(clock);
  }, [playing]);
  const play = () => {
    if (!playing && after(tracks, at) === null) go(0);
    setPlaying(!playing && last > 0);
  };
  const KEYS: Record<string, () => void> = {
    ArrowRight: () => go(at + 1),
    ArrowLeft: () => go(at - 1),
    Home: () => go(0),
    End: () => go(last),
  };
  const keys = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type !== "range";
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    const act = KEYS[event.key] ?? (event.key === " " && !(event.target instanceof HTMLButtonElement) ? play : undefined);
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  };
  const watched = useWatched(tracks);
  const two = tracks.length > 1;
  return (
    <div role="group" class={`film ${two ? "two" : ""} ${tracks.some((one) => one.moments.length > 3) ? "long" : ""}`} aria-label={two ? `Two runs that look the same to ${agents.join(", ")}` : tracks[0].title} onKeyDown={keys} data-test="film">
      {last > 0 && <div class="row control">
        <span role="group" aria-label="Play" class="zoom">
          <button class="quiet" aria-label="Previous moment" disabled={at === 0} onClick={() => go(at - 1)}>‹</button>
          <button class="quiet" data-test="play-film" aria-label={playing ? "Pause" : "Play"} disabled={!last} onClick={play}>{playing ? "❚❚" : "▶"}</button>
          <button class="quiet" aria-label="Next moment" disabled={at === last} onClick={() => go(at + 1)}>›</button>
        </span>
        <input type="range" class="slider" aria-label="Moment" min="0" max={last} value={at} data-test="slider" onInput={(event) => go(Number(event.currentTarget.value))} />
        <span class="soft moment-of" data-test="moment">moment {at} of {last}</span>
      </div>}
      <div class="tracks">
        {tracks.map((track, place) => (
          <Lanes key={place} {...{ system, track, tracks, at, go, watched: watched.told[place] ?? null, rows: watched.rows, cards }} buttons={buttons?.(track, shownAt(tracks, track, at))} />
        ))}
      </div>
      {two && <Compared {...{ system, tracks, at, last, agents, shared }} />}
      {watched.adding}
    </div>
  );
}

const NOTHING: Told[] = [];

/** What is watched: the rows, what was found out of each track, and a field for more. */
function useWatched(tracks: Track[]) {
  const watching = useContext(Watch);
  const formulae = watching?.formulae ?? [];
  const [found, setFound] = useState<{ run: string; about: unknown; told: Told[] } | null>(null);
  const [waiting, setWaiting] = useState(false);
  const run = JSON.stringify([tracks.map((track) => track.moments.map((one) => one.state)), watching?.said]);
  const about = watching?.about;
  const told = found?.run === run && found.about === about ? found.told : NOTHING; // never what is true along another run, or in another text
  useEffect(() => {
    if (!watching) return;
    let live = true;
    setWaiting(true);
    Promise.all(tracks.map((track) => watching.film(runOf(track), formulae).catch((refused: Error): Told => ({ rows: formulae.map((formula) => ({ formula, cells: [], problem: refused.message })), true: [] })))).then((all) => {
      if (live) [setFound({ run, about, told: all }), setWaiting(false)];
    });
    return () => void (live = false);
  }, [run, about, JSON.stringify(formulae)]);
  const rows = useMemo(() => eventful(told.map((one) => one.true)), [told]);
  const adding = watching?.watch && <Adding proposed={watching.proposed.filter((one) => !formulae.includes(one))} waiting={waiting && formulae.length > 0} onAdd={watching.watch} />;
  return { told, rows, adding };
}

function Adding({ proposed, waiting, onAdd }: { proposed: string[]; waiting: boolean; onAdd: (formula: string) => void }) {
  const [typed, setTyped] = useState("");
  const add = (formula: string) => {
    if (formula.trim()) onAdd(formula.trim());
    setTyped("");
  };
  return (
    <form class="row watching" onSubmit={(event) => (event.preventDefault(), add(typed))}>
      <input class="wide mono" aria-label="Watch a formula" placeholder={proposed[0] ?? "watch a formula along the run"} value={typed} data-test="watch" onInput={(event) => setTyped(event.currentTarget.value)} />
      <button class="quiet" type="submit">Watch</button>
      {proposed.slice(0, 4).map((one) => <button key={one} class="chip mono" type="button" onClick={() => add(one)}>{one}</button>)}
      {waiting && <span class="soft" role="status">asking…</span>}
    </form>
  );
}

/** The same agents see the same, and here is what differs all the same. */
function Compared({ system, tracks, at, last, agents, shared }: { system: System; tracks: Track[]; at: number; last: number; agents: string[]; shared: string[] }) {
  const found = differences(system, tracks, at);
  return (
    <div class="compared">
      <p class="shared"><b>{agents.join(" and ")}</b> {agents.length > 1 ? "see" : "sees"} the same at the end of both: <Words text={shared.join("; ") || "nothing at all"} /></p>
      <p class="differ" data-test="differs">
        {found.length ? `${at === last ? "At the end" : "Here"} they differ in ` : "Here they do not differ."}
        {found.slice(0, 10).map((one, place) => <span key={one.label}>{place ? ", " : ""}<code>{one.label}</code> (<b>{String(one.values[0])}</b> or <b>{String(one.values[1])}</b>)</span>)}
        {found.length > 10 && ` and ${found.length - 10} more`}
        {found.length ? "." : ""}
      </p>
    </div>
  );
}

interface LanesProps {
  system: System;
  track: Track;
  tracks: Track[];
  at: number;
  go: (to: number) => void;
  watched: Told | null;
  rows: string[];
  cards: boolean;
  buttons?: ComponentChildren;
}

/** The moments of a run from left to right, a lane for each agent, a row for what is watched. */
function Lanes({ system, track, tracks, at: film, go, watched, rows, cards, buttons }: LanesProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const watching = useContext(Watch);
  const scroll = useRef<HTMLDivElement>(null);
  const { moments } = track;
  const at = shownAt(tracks, track, film);
  const later = delay(tracks, track);
  const [from, to] = around(moments.length, at);
  const columns = moments.slice(from, to).map((moment, place) => ({ moment, index: from + place }));
  useEffect(() => {
    const [area, now] = [scroll.current, scroll.current?.querySelector<HTMLElement>("th.at")];
    if (area && now) area.scrollTo({ left: now.offsetLeft - area.clientWidth / 2, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }, [at, from]);
  const lanes = system.agents
    .filter((agent) => agent.variables.length || agent.actions.length > 1)
    .map((agent) => {
      const told = telling(agent.variables, tracks);
      const shown = open.has(agent.name) ? agent.variables : told.length ? told : agent.variables.slice(0, 3);
      return { agent, shown, quiet: !told.length && (system.interleaved || agent.actions.length < 2) };
    });
  const toggle = (name: string) => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  const cell = (index: number, keys: string[], name: string) => {
    const [moment, before] = [moments[index], index ? moments[index - 1].state : null];
    const told = keys.filter((key) => !before || before[key] !== moment.state[key] || open.has(name) || index === at);
    return (
      <td key={index} class={looks(index)} onClick={() => go(index + later)}>
        {index > 0 && moment.joint?.[name] && <span class="did">{moment.joint[name]}</span>}
        {told.map((key) => (
          <span key={key} class={`value ${before && before[key] !== moment.state[key] ? "changed" : ""} ${differsAt(tracks, index + later, key) ? "differs" : ""}`}>
            {key.slice(key.indexOf(".") + 1)} <b>{String(moment.state[key])}</b>
          </span>
        ))}
      </td>
    );
  };
  const looks = (index: number) => `${at === index ? "at" : ""} ${track.loop !== null && index >= track.loop ? "repeats" : ""}`;
  const truth = (name: string, cells: (boolean | null)[], more?: ComponentChildren) => (
    <tr key={`is ${name}`} class="truthrow">
      <th scope="row"><code>{name}</code>{more}</th>
      {columns.map(({ index }) => {
        const true_ = cells[index];
        const word = true_ === undefined || true_ === null ? "not known" : true_ ? "true" : "false";
        return <td key={index} class={looks(index)} onClick={() => go(index + later)}><span class={`cell ${word.replace(" ", "-")}`} title={`${name}: ${word}`}><span class="hidden">{word}</span></span></td>;
      })}
    </tr>
  );
  const moment = moments[at];
  const card = <StateCard system={system} state={moment.state} before={at ? moments[at - 1].state : null} differs={(key) => differsAt(tracks, film, key)} />;
  return (
    <div role="group" class={`scene ${track.doubt ? "doubt" : ""}`} aria-label={track.title}>
      <header class="row">
        <h4><Words text={track.title} /></h4>
        <span class="grow" />
        {buttons}
      </header>
      <div class="scroll" tabIndex={0} role="group" aria-label="Lanes" ref={scroll}>
        <table class="lanes">
          <thead>
            <tr>
              <th scope="col"><span class="hidden">agent</span></th>
              {columns.map(({ moment, index }) => (
                <th key={index} scope="col" class={at === index ? "at" : ""} aria-current={at === index ? "step" : undefined} data-moment={index} onClick={() => go(index + later)}>{moment.index}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {system.interleaved && (
              <tr>
                <th scope="row">what happens</th>
                {columns.map(({ moment, index }) => <td key={index} class={looks(index)} onClick={() => go(index + later)}><span class="did">{moment.joint?.action ?? ""}</span></td>)}
              </tr>
            )}
            {lanes.map(({ agent, shown, quiet }) => (
              <tr key={agent.name} class={quiet && !open.has(agent.name) ? "still" : ""}>
                <th scope="row"><button class="lane" aria-expanded={open.has(agent.name)} onClick={() => toggle(agent.name)}>{agent.name}</button></th>
                {columns.map(({ index }) => cell(index, shown, agent.name))}
              </tr>
            ))}
            {watched && rows.map((name) => truth(name, watched.true.map((names) => names.includes(name))))}
            {watched?.rows.map((row) =>
              truth(
                row.formula,
                row.cells,
                <>
                  {watching?.watch && <button class="link" aria-label={`Do not watch ${row.formula}`} onClick={() => watching.forget(row.formula)}>×</button>}
                  {row.problem && <span class="bad">{row.problem}</span>}
                </>,
              ),
            )}
          </tbody>
        </table>
      </div>
      {to - from < moments.length && <p class="soft">Moments {moments[from].index} to {moments[to - 1].index} of {moments.length - 1} are shown.</p>}
      {track.loop !== null && <p class="soft">Moments {track.loop} to {moments.length - 1} repeat for ever.</p>}
      {cards && (
        <div class="moment" aria-live="polite">
          <p><b>Moment {moment.index}</b> <Words text={[...moment.acts, moment.noticed].filter(Boolean).join(". ")} /></p>
          {tracks.length > 1 ? <details><summary>The whole state</summary>{card}</details> : card}
        </div>
      )}
    </div>
  );
}
