// Formulae with their verdicts, progress, and why.

import { ExplanationView, Words } from "./explain";
import { editor, reveal } from "./editor";
import type { Sheet, Work } from "./sheet";
import { download, settings, tell } from "./sheet";
import type { Result } from "./types";

export function Progress({ work }: { work: Work }) {
  const [number, of] = work.at.value;
  return (
    <div class="progress" role="status" aria-live="polite" data-test="progress">
      <span class={`bar ${of ? "" : "endless"}`}><i style={of ? { width: `${Math.round((100 * Math.max(0, number - 0.5)) / of)}%` } : undefined} /></span>
      <span>{work.progress.value}</span>
    </div>
  );
}

/** How strategies are read: as usual, unless something is chosen. */
export function Reading({ sheet }: { sheet: Sheet }) {
  const options = sheet.options.value;
  const { words, values } = settings.value.strategies;
  return (
    <label title={words}>strategies <select value={options.strategies} onChange={(event) => (sheet.options.value = { ...options, strategies: event.currentTarget.value })}>
      <option value="">as usual</option>
      {values.map((name) => <option key={name}>{name}</option>)}
    </select></label>
  );
}

const ENDINGS: Record<string, string> = {
  interrupted: "Cancelled",
  rejected: "The model has mistakes; see the messages",
  crashed: "This did not work",
  misused: "This cannot be asked",
  time: "The time limit was reached",
  memory: "The memory limit was reached",
  limit: "A limit was reached",
  refused: "Not started",
};

export function EndingLine({ work }: { work: Work }) {
  const ending = work.ending.value;
  if (work.running.value || !ending || ending.how === "done") return null;
  const said = ENDINGS[ending.how] ?? ending.how;
  return <p class="bad" role="status">{said}{ending.reason && ending.reason !== "interrupted" ? `: ${ending.reason}` : ""}.</p>;
}

const number = (count: number | string): string => (typeof count === "number" ? count.toLocaleString("en") : count.length > 12 ? `${count[0]}.${count[1]}e${count.length - 1}` : count);

export function Badge({ verdict, running }: { verdict?: string; running?: boolean }) {
  const word = verdict ?? (running ? "…" : "–");
  return <span class={`badge ${verdict ?? (running ? "busy" : "none")}`}>{word}</span>;
}

export function CheckPanel({ sheet, onWalk }: { sheet: Sheet; onWalk: () => void }) {
  const { check } = sheet;
  const analysis = sheet.analysis.value;
  const broken = analysis !== null && !analysis.ok;
  const listed = sheet.results.value.length || sheet.check.running.value ? merged(sheet) : (analysis?.formulae ?? []).map((one) => ({ ...one, result: undefined }));
  const options = sheet.options.value;
  const set = (more: Partial<typeof options>) => (sheet.options.value = { ...options, ...more });
  const system = sheet.system.value;
  const facts = sheet.facts.value;
  const done = check.ending.value;
  const decided = sheet.results.value;
  const count = (verdict: string) => decided.filter((one) => one.verdict === verdict).length;
  const summary = [
    ["holds", "hold"],
    ["fails", "fail"],
    ["unknown", "unknown"],
  ].map(([verdict, word]) => [count(verdict), word] as const).filter(([many]) => many).map(([many, word]) => `${many} ${many === 1 && word !== "unknown" ? `${word}s` : word}`).join(", ");
  return (
    <div class="panel">
      <div class="row bar-top">
        {check.running.value ? (
          <button class="primary stop" data-test="cancel" onClick={() => void check.stop()}>Cancel</button>
        ) : (
          <button class="primary" data-test="check" disabled={broken} onClick={() => void sheet.runCheck()} title="Ctrl+Enter">Check all</button>
        )}
        <label>engine <select value={options.engine} onChange={(event) => set({ engine: event.currentTarget.value })}>
          {settings.value.engine.values.map((name) => <option key={name}>{name}</option>)}
        </select></label>
        <Reading sheet={sheet} />
        <label>time limit <input type="number" min="1" max="3600" value={options.time} onInput={(event) => Number(event.currentTarget.value) > 0 && set({ time: Number(event.currentTarget.value) })} /> s</label>
      </div>
      {check.running.value && <Progress work={check} />}
      <EndingLine work={check} />
      {!check.running.value && done && (
        <div class="row summary">
        <p class="soft" data-test="summary">
          {summary}
          {facts?.states !== null && facts?.states !== undefined ? ` · ${number(facts.states)} reachable states` : ""}
          {done.seconds ? ` · ${done.seconds.toFixed(1)} s` : ""}
          {sheet.stale.value && <b class="stale"> · the text has changed since</b>}
        </p>
        <span class="grow" />
        {sheet.reported.value && !check.running.value && (
          <>
            <a class="button quiet" href={`/api/errands/${sheet.reported.value}/report`} target="_blank" rel="noopener" data-test="report">Open report</a>
            <button class="quiet" onClick={() => void saveReport(sheet)} data-test="save-report">Save report</button>
          </>
        )}
        </div>
      )}
      {broken && <Messages sheet={sheet} />}
      {sheet.warnings.value.filter((one) => one.severity === "warning").map((one, index) => (
        <p key={index} class="warning"><b>{one.code}</b> <Words text={one.message} />{one.line ? <span class="soft"> (line {one.line})</span> : null}</p>
      ))}
      {!listed.length && !broken && <p class="soft">The model asks no formulae yet. Write some into its section <code>Formulae</code>.</p>}
      <ol class="formulae">
        {listed.map((one) => (
          <li key={one.index} class={sheet.selected.value === one.index ? "open" : ""}>
            <button
              class="formula"
              aria-expanded={sheet.selected.value === one.index}
              data-test={`formula-${one.index}`}
              onClick={() => (sheet.selected.value = sheet.selected.value === one.index ? null : one.index)}
            >
              <Badge verdict={one.result?.verdict} running={check.running.value} />
              <span class="asked">{one.name && <b>{one.name}</b>} <code>{one.text}</code></span>
              <span class="index">{one.index}</span>
            </button>
            {sheet.selected.value === one.index && <Answer sheet={sheet} index={one.index} result={one.result} onWalk={onWalk} system={system} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

function merged(sheet: Sheet): { index: number; text: string; name: string; result?: Result }[] {
  const results = new Map(sheet.results.value.map((one) => [one.index, one]));
  const known = new Map([...(sheet.analysis.value?.formulae ?? []), ...sheet.questions.value, ...results.values()].map((one) => [one.index, one]));
  return [...known.values()].sort((one, other) => one.index - other.index).map(({ index, text, name }) => ({ index, text, name, result: results.get(index) }));
}

async function saveReport(sheet: Sheet): Promise<void> {
  const answer = await fetch(`/api/errands/${sheet.reported.value}/report`).catch(() => null);
  if (!answer?.ok) return tell("The report is no longer there; check again.");
  download(`${sheet.name.value.replace(/\.ispl$/, "")}-report.html`, await answer.text(), "text/html");
}

export function Messages({ sheet }: { sheet: Sheet }) {
  const found = sheet.analysis.value?.diagnostics ?? [];
  return (
    <ul class="messages" data-test="messages">
      {found.map((one, index) => (
        <li key={index} class={one.severity}>
          <button class="link" onClick={() => editor.view && reveal(editor.view, one.from, one.to)}>
            {one.line ? `line ${one.line}:${one.column}` : "model"}
          </button>{" "}
          <Words text={one.message} /> <span class="soft">{one.code}</span>
          {one.fixes.map((fix, place) => (
            <button
              key={place}
              class="quiet fix"
              data-test="fix"
              onClick={() => editor.view?.dispatch({ changes: fix.edits.map(({ from, to, insert }) => ({ from, to, insert })) })}
            >
              <Words text={fix.title} />
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Answer({ sheet, index, result, system, onWalk }: { sheet: Sheet; index: number; result?: Result; system: Sheet["system"]["value"]; onWalk: () => void }) {
  const place = sheet.analysis.value?.formulae.find((one) => one.index === index);
  const again = () => void sheet.runCheck([index]);
  const walk = (run: { states: object[]; actions: object[] }) => {
    void sheet.walk({}, run as never);
    onWalk();
  };
  return (
    <div class="answer">
      {result && (
        <>
          {result.trivial && <p class="warning">It holds, but only because {result.trivial}.</p>}
          {(result.explanations[0]?.sentence || result.why) && <p class="sentence"><Words text={result.explanations[0]?.sentence || result.why} /></p>}
          {result.reason && <p class="bad">Unknown: {result.reason}.{result.advice ? ` Try ${result.advice}.` : ""}</p>}
          {result.notes.map((note) => <p key={note} class="warning"><Words text={note} /></p>)}
          {system && result.explanations.map((one, place) => <ExplanationView key={place} explanation={one} system={system} onWalk={walk} />)}
          {system && result.path && <button class="quiet" onClick={() => walk(result.path!)}>Walk to it</button>}
          {result.rechecked.map((line) => <p key={line} class={result.complete ? "good" : "soft"}><Words text={line} /></p>)}
        </>
      )}
      <p class="row soft">
        {result ? `${result.engine ?? "no engine"} · ${result.seconds.toFixed(2)} s` : "Not checked yet."}
        <span class="grow" />
        {!sheet.check.running.value && <button class="quiet" onClick={again}>Check only this</button>}
        {place && <button class="quiet" onClick={() => editor.view && reveal(editor.view, place.from, place.to)}>Show in the text</button>}
        {place && place.text.includes("<") && (
          <button class="quiet" data-test="to-strategy" onClick={() => ((sheet.goal.value = place.text.replace(/;$/, "")), (sheet.view.value = "strategy"), void sheet.seek())}>Find a strategy</button>
        )}
      </p>
    </div>
  );
}
