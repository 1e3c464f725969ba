// The states of a model, and who can tell them apart: all of them, or what was explored of them; comparison of two lists of verdicts.

import { useState } from "preact/hooks";
import { Badge, EndingLine, Progress, Stale } from "./check";
import { Graph } from "./graph/graph";
import { tell } from "./notice";
import type { Part } from "./graph/exploring";
import type { Past, Sheet } from "./sheet";
import { Waiting } from "./simulate";
import type { State, Verdict } from "./types";

export function StatesPanel({ sheet, onWalk }: { sheet: Sheet; onWalk: () => void }) {
  const asked = sheet.graph.value;
  const part = sheet.part.value;
  const shown = asked ?? part;
  const graph = asked?.value;
  const mark = sheet.here.value?.value.run.states.at(-1);
  const walk = (state: State) => (void sheet.walk({}, { states: [state], actions: [] }, shown?.about), onWalk());
  const anew = () => {
    sheet.graph.value = null;
    sheet.part.value = null;
    void sheet.explore();
  };
  return (
    <div class="panel">
      <div class="row bar-top">
        <button class="primary" data-test="draw" disabled={sheet.drawing.running.value} onClick={() => void sheet.draw()}>Draw all states</button>
        <button class="quiet" data-test="step-by-step" disabled={sheet.drawing.running.value} onClick={anew}>Explore step by step</button>
        <span class="soft">Up to 200 states are drawn whole; of more, or infinitely many, what you look into.</span>
      </div>
      {sheet.drawing.running.value && <Progress work={sheet.drawing} />}
      <Waiting sheet={sheet} />
      {sheet.graphRemark.value ? <p class="warning">{sheet.graphRemark.value}</p> : part ? null : <EndingLine work={sheet.drawing} />}
      <Stale why={sheet.sinceModel(shown)} again={() => (graph ? void sheet.draw() : anew())} label="Draw it again" />
      {graph && <Graph system={graph.system} picture={graph.picture} whole label="All reachable states" mark={mark} onWalk={walk} />}
      {!graph && part && <PartOfGraph sheet={sheet} part={part.value} mark={mark} onWalk={walk} />}
    </div>
  );
}

/** A graph that is explored step by step; seen as an agent whose look-alikes are joined, a few boxes stand for thousands of states. */
function PartOfGraph({ sheet, part, mark, onWalk }: { sheet: Sheet; part: Part; mark?: State; onWalk: (state: State) => void }) {
  const open = part.frontier.size;
  const initial = part.picture.nodes.filter((node) => node.marks.includes("initial")).length;
  const many = part.picture.nodes.reduce((sum, node) => sum + (node.many ?? 1), 0);
  return (
    <>
      <p class="soft" data-test="part">
        {part.agent
          ? `${many.toLocaleString("en")} states, as ${part.agent} sees them: ${part.picture.nodes.length} boxes.`
          : `${part.picture.nodes.length} states.`}{" "}
        {open ? (part.agent ? `What follows ${open} of the boxes is not all known.` : `${open} of them, drawn with dashes, have not been looked into: double click one, or press f.`) : part.moreInitial ? "That is all that can be reached from these." : "That is all that can be reached."}{" "}
        {part.moreInitial && <button class="link" data-test="more-initial" onClick={() => void sheet.explore({ begin: initial })}>More initial states</button>}
        {!part.agent && " See it as an agent and join what looks the same: a few boxes then stand for thousands of states."}
      </p>
      <Graph
        key={part.agent}
        system={part.system}
        picture={part.picture}
        whole
        label={part.agent ? `States as ${part.agent} sees them` : "The states explored so far"}
        mark={mark}
        frontier={part.frontier}
        {...(part.agent ? { agent: part.agent, join: true } : { onExplore: (state: State) => void sheet.explore({ state }) })}
        onWalk={onWalk}
        onAgent={(agent, join) => {
          const wanted = join ? agent : "";
          if (wanted !== part.agent) void sheet.explore({ agent: wanted });
        }}
      />
    </>
  );
}

export function ComparePanel({ sheet }: { sheet: Sheet }) {
  const [loaded, setLoaded] = useState<Past[]>([]);
  const all = [...sheet.history.value, ...loaded];
  const [one, setOne] = useState<number | null>(null);
  const [other, setOther] = useState<number | null>(null);
  const left = all[one ?? all.length - 2];
  const right = all[other ?? all.length - 1];
  const read = async (file: File | undefined) => {
    if (!file) return;
    try {
      const data = JSON.parse(await file.text()) as { model: string; results: { formula: string; verdict: Verdict }[] };
      setLoaded([...loaded, { label: file.name, text: "", states: "", seconds: 0, verdicts: data.results.map(({ formula, verdict }) => ({ text: formula, verdict })) }]);
    } catch {
      tell("This file does not hold what `epistrat check --json` prints.");
    }
  };
  const texts = [...new Set([...(left?.verdicts ?? []), ...(right?.verdicts ?? [])].map((line) => line.text))];
  const verdict = (past: Past | undefined, text: string) => past?.verdicts.find((line) => line.text === text)?.verdict;
  const differences = texts.filter((text) => verdict(left, text) !== verdict(right, text)).length;
  const choose = (value: number | null, fallback: number, set: (to: number) => void, label: string) => (
    <select aria-label={label} value={value ?? fallback} onChange={(event) => set(Number(event.currentTarget.value))}>
      {all.map((past, index) => <option key={index} value={index}>{past.label}</option>)}
    </select>
  );
  return (
    <div class="panel">
      <div class="row bar-top">
        <span class="soft">Each check is remembered while the page is open.</span>
        <label class="button quiet">Load a JSON report<input type="file" accept=".json,application/json" class="hidden" onChange={(event) => void read(event.currentTarget.files?.[0])} /></label>
      </div>
      {all.length < 2 ? (
        <p class="soft">Check twice (with another engine, another reading of strategies, or after a change of the text), or load what <code>epistrat check --json</code> printed: here the two lists of verdicts are compared.</p>
      ) : (
        <>
          <p class="sentence">{differences ? `${differences} of ${texts.length} differ.` : "All verdicts are the same."}</p>
          <div class="scroll" tabIndex={0} role="group" aria-label="Comparison">
            <table class="verdicts">
              <thead><tr><th scope="col">formula</th><th scope="col">{choose(one, all.length - 2, setOne, "First list")}</th><th scope="col">{choose(other, all.length - 1, setOther, "Second list")}</th></tr></thead>
              <tbody>
                {texts.map((text) => (
                  <tr key={text} class={verdict(left, text) !== verdict(right, text) ? "differs" : ""}>
                    <td><code>{text}</code></td>
                    <td><Badge verdict={verdict(left, text)} /></td>
                    <td><Badge verdict={verdict(right, text)} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  );
}
