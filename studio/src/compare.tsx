// Two checks side by side: verdicts, how many states there were, how long it took, and what differs in the texts.

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef, useState } from "preact/hooks";
import { Badge } from "./check";
import { compared, loadedPast, type Past } from "./past";
import { complain } from "./notice";
import type { Sheet } from "./sheet";

export function ComparePanel({ sheet }: { sheet: Sheet }) {
  const [loaded, setLoaded] = useState<Past[]>([]);
  const all = [...sheet.history.value, ...loaded];
  const [one, setOne] = useState<number | null>(null);
  const [other, setOther] = useState<number | null>(null);
  const read = async (file: File | undefined) => {
    if (!file) return;
    try {
      setLoaded([...loaded, loadedPast(file.name, await file.text())]);
    } catch (wrong) {
      complain(wrong);
    }
  };
  const choose = (value: number | null, fallback: number, set: (to: number) => void, label: string) => (
    <select aria-label={label} value={value ?? fallback} onChange={(event) => set(Number(event.currentTarget.value))}>
      {all.map((past, index) => <option key={index} value={index}>{past.label}</option>)}
    </select>
  );
  const [left, right] = [all[one ?? all.length - 2], all[other ?? all.length - 1]];
  return (
    <div class="panel">
      <div class="row bar-top">
        <span class="soft">The last twenty checks of this text are remembered.</span>
        <label class="button quiet">Load a JSON report<input type="file" accept=".json,application/json" class="hidden" data-test="load-report" onChange={(event) => void read(event.currentTarget.files?.[0])} /></label>
      </div>
      {!left || !right ? (
        <p class="soft">Check twice (with another engine, another reading of strategies, or after a change of the text), or load what <code>epistrat check --json</code> printed: here the two checks are compared.</p>
      ) : (
        <>
          <div class="row chosen-two">
            {choose(one, all.length - 2, setOne, "First check")}
            <span class="soft">and</span>
            {choose(other, all.length - 1, setOther, "Second check")}
          </div>
          <Table left={left} right={right} />
        </>
      )}
    </div>
  );
}

function Table({ left, right }: { left: Past; right: Past }) {
  const { lines, differences } = compared(left, right);
  const texts = left.text && right.text ? (left.text === right.text ? "The texts are the same." : "The texts differ.") : "";
  const number = (states: string) => (!states ? "not told" : /^\d{1,12}$/.test(states) ? Number(states).toLocaleString("en") : Number(states).toExponential(1).replace("+", ""));
  const seconds = (past: Past) => (past.text ? `${past.seconds.toFixed(1)} s` : "not told");
  return (
    <>
      <p class="sentence" data-test="compared">{differences ? `${differences} of ${lines.length} verdicts differ.` : "All verdicts are the same."} {texts}</p>
      <div class="scroll" tabIndex={0} role="group" aria-label="Comparison">
        <table class="verdicts">
          <thead><tr><th scope="col">formula</th><th scope="col">first</th><th scope="col">second</th></tr></thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.text} class={line.differs ? "differs" : ""}>
                <td><code>{line.text}</code></td>
                <td><Badge verdict={line.left} /></td>
                <td><Badge verdict={line.right} /></td>
              </tr>
            ))}
            <tr class={left.states !== right.states ? "differs" : ""} data-test="compared-states"><th scope="row">reachable states</th><td>{number(left.states)}</td><td>{number(right.states)}</td></tr>
            <tr data-test="compared-time"><th scope="row">time</th><td>{seconds(left)}</td><td>{seconds(right)}</td></tr>
          </tbody>
        </table>
      </div>
      {texts && left.text !== right.text && (
        <details class="section">
          <summary>What differs in the texts</summary>
          <Difference left={left.text} right={right.text} />
        </details>
      )}
    </>
  );
}

/** The second text, with what the first one had instead. */
function Difference({ left, right }: { left: string; right: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const extensions = [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": "What differs in the texts" })];
    const view = new EditorView({ doc: right, extensions: [...extensions, unifiedMergeView({ original: left, mergeControls: false, collapseUnchanged: { margin: 2, minSize: 6 } })], parent: place.current! });
    return () => view.destroy();
  }, [left, right]);
  return <div class="versions" ref={place} tabIndex={0} role="group" aria-label="What differs in the texts" data-test="difference" />;
}
