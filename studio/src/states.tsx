// All reachable states of a small model, and who can tell them apart; comparison of two lists of verdicts.

import { useState } from "preact/hooks";
import { Badge, EndingLine, Progress, Stale } from "./check";
import { Graph } from "./graph";
import { tell } from "./notice";
import type { Past, Sheet } from "./sheet";
import type { Verdict } from "./types";

export function StatesPanel({ sheet, onWalk }: { sheet: Sheet; onWalk: () => void }) {
  const asked = sheet.graph.value;
  const graph = asked?.value;
  return (
    <div class="panel">
      <div class="row bar-top">
        <button class="primary" data-test="draw" disabled={sheet.drawing.running.value} onClick={() => void sheet.draw()}>Draw all states</button>
        <span class="soft">For models of up to 200 states. “See it as” an agent joins what looks the same to it.</span>
      </div>
      {sheet.drawing.running.value && <Progress work={sheet.drawing} />}
      {sheet.graphRemark.value ? <p class="warning">{sheet.graphRemark.value}</p> : <EndingLine work={sheet.drawing} />}
      <Stale why={sheet.sinceModel(asked)} again={() => void sheet.draw()} label="Draw it again" />
      {graph && (
        <Graph
          system={graph.system}
          picture={graph.picture}
          whole
          label="All reachable states"
          mark={sheet.here.value?.value.run.states.at(-1)}
          onWalk={(state) => (void sheet.walk({}, { states: [state], actions: [] }, asked?.about), onWalk())}
        />
      )}
    </div>
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
