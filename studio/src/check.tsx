// Formulae with their verdicts, progress, and why.

import { Exercises } from "./exercises";
import { Explanations, pieceOf } from "./explain";
import { Words } from "./words";
import { editor, mend, show } from "./editor";
import { type About, asksForStrategy } from "./asked";
import { saveFilm } from "./film/export";
import { Watch } from "./film/watch";
import { watchingOf } from "./film/watched";
import { settings } from "./form";
import { textShown } from "./layout";
import { complain } from "./notice";
import { download } from "./files";
import type { Sheet } from "./sheet";
import { storyOf } from "./story";
import { StoryView } from "./storyview";
import type { Work } from "./work";
import type { Result, Run, System } from "./types";

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

export function Badge({ verdict, running, old }: { verdict?: string; running?: boolean; old?: boolean }) {
  const word = verdict ?? (running ? "…" : "–");
  return <span class={`badge ${verdict ?? (running ? "busy" : "none")} ${old && verdict ? "old" : ""}`} data-current={verdict && !old ? verdict : undefined}>{old && verdict ? `was ${word}` : word}</span>;
}

/** How a question is asked: what every panel that asks one shows, so that nothing rules it unseen. */
export function Asking({ sheet }: { sheet: Sheet }) {
  const options = sheet.options.value;
  const set = (more: Partial<typeof options>) => (sheet.options.value = { ...options, ...more });
  return (
    <>
      <label>engine <select value={options.engine} onChange={(event) => set({ engine: event.currentTarget.value })}>
        {settings.value.engine.values.map((name) => <option key={name}>{name}</option>)}
      </select></label>
      <Reading sheet={sheet} />
      <label title="As in the command, there is no limit unless you set one (an hour at most)">time limit <input type="number" min="1" max="3600" placeholder="none" value={options.time ?? ""} onInput={(event) => set({ time: Number(event.currentTarget.value) > 0 ? Number(event.currentTarget.value) : null })} /> s</label>
    </>
  );
}

/** What an answer is not about any more, in words; nothing if it is current. */
export function Stale({ why, again, label }: { why: string; again?: () => void; label?: string }) {
  if (!why) return null;
  return (
    <p class="stale" role="status" data-test="stale">
      <b>Not current: {why}.</b> {again && <button class="link" onClick={again}>{label}</button>}
    </p>
  );
}

export function CheckPanel({ sheet, onWalk }: { sheet: Sheet; onWalk: () => void }) {
  const { check } = sheet;
  const analysis = sheet.analysis.value;
  const broken = analysis !== null && !analysis.ok;
  const answers = sheet.answers.value?.value;
  const about = sheet.answers.value?.about;
  const stale = sheet.stale.value;
  const listed = answers && (answers.results.length || check.running.value) ? merged(sheet) : (analysis?.formulae ?? []).map((one) => ({ ...one, result: undefined }));
  const options = sheet.options.value;
  const facts = answers?.facts;
  const done = check.ending.value;
  const decided = answers?.results ?? [];
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
          <button class="primary stop" data-test="cancel" onClick={() => check.stop().catch(complain)}>Cancel</button>
        ) : (
          <button class="primary" data-test="check" disabled={broken} onClick={() => void sheet.runCheck()} title="Ctrl+Enter">Check all</button>
        )}
        <Asking sheet={sheet} />
        <label title="Also check that no run ends"><input type="checkbox" checked={options.deadlock} onChange={(event) => (sheet.options.value = { ...options, deadlock: event.currentTarget.checked })} /> dead ends</label>
      </div>
      <Told sheet={sheet} />
      <Exercises sheet={sheet} onWalk={(run) => (void sheet.walk({}, run, sheet.about.value), onWalk())} />
      {check.running.value && <Progress work={check} />}
      <EndingLine work={check} />
      {!check.running.value && decided.length > 0 && <Stale why={stale} again={() => void sheet.runCheck()} label="Check again" />}
      {!check.running.value && done && (
        <div class="row summary">
        <p class="soft" data-test="summary">
          {summary}
          {facts?.states !== null && facts?.states !== undefined ? ` · ${number(facts.states)} reachable ${facts.states === 1 ? "state" : "states"}` : ""}
          {done.seconds ? ` · ${done.seconds.toFixed(1)} s` : ""}
        </p>
        <span class="grow" />
        {answers?.report && !check.running.value && (
          <>
            <a class="button quiet" href={answers.report} target="_blank" rel="noopener" data-test="report">Open report</a>
            <button class="quiet" onClick={() => void saveReport(sheet)} data-test="save-report">Save report</button>
          </>
        )}
        </div>
      )}
      {broken && <Messages sheet={sheet} />}
      {(answers?.warnings ?? []).filter((one) => !diagnosed(sheet, one)).filter((one) => one.severity === "warning").map((one, index) => (
        <p key={index} class="warning"><b>{one.code}</b> <Words text={one.message} />{one.line ? <span class="soft"> (line {one.line})</span> : null}</p>
      ))}
      {!listed.length && !broken && <p class="soft">The model asks no formulae yet. Write some into its section <code>Formulae</code>.</p>}
      <ol class={`formulae ${stale && decided.length ? "old" : ""}`}>
        {listed.map((one) => (
          <li key={one.index} class={sheet.selected.value === one.index ? "open" : ""}>
            <button
              class="formula"
              aria-expanded={sheet.selected.value === one.index}
              data-test={`formula-${one.index}`}
              onClick={() => ((sheet.moment.value = null), (sheet.piece.value = 0), (sheet.selected.value = sheet.selected.value === one.index ? null : one.index))}
            >
              <Badge verdict={one.result?.verdict} running={check.running.value} old={Boolean(stale)} />
              <span class="asked">{one.name && <b>{one.name}</b>} <code>{one.text}</code></span>
              <span class="index">{one.index}</span>
            </button>
            {sheet.selected.value === one.index && <Answer sheet={sheet} index={one.index} result={one.result} onWalk={onWalk} system={answers?.system ?? null} about={about} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The story that the comments at the top tell, as prose. */
function Told({ sheet }: { sheet: Sheet }) {
  const story = storyOf(sheet.text.value);
  if (!story.title || !story.parts.length) return null;
  return (
    <details class="story">
      <summary>{story.title}</summary>
      <StoryView story={story} />
    </details>
  );
}

/** Whether the editor says the same already. */
const diagnosed = (sheet: Sheet, one: { code: string; line: number | null }): boolean =>
  !sheet.stale.value && (sheet.analysis.value?.diagnostics ?? []).some((other) => other.code === one.code && other.line === one.line);

function merged(sheet: Sheet): { index: number; text: string; name: string; result?: Result }[] {
  const answers = sheet.answers.value!.value;
  const results = new Map(answers.results.map((one) => [one.index, one]));
  const asked = sheet.stale.value || !sheet.fresh.value ? [] : (sheet.analysis.value?.formulae ?? []); // those of another text have other numbers
  const known = new Map([...asked, ...answers.questions, ...results.values()].map((one) => [one.index, one]));
  return [...known.values()].sort((one, other) => one.index - other.index).map(({ index, text, name }) => ({ index, text, name, result: results.get(index) }));
}

async function saveReport(sheet: Sheet): Promise<void> {
  try {
    const answer = await fetch(sheet.answers.value?.value.report ?? "");
    if (!answer.ok) throw new Error("The report is no longer there; check again.");
    download(`${sheet.name.value.replace(/\.ispl$/, "")}-report.html`, await answer.text(), "text/html");
  } catch (refused) {
    complain(refused);
  }
}

export function Messages({ sheet }: { sheet: Sheet }) {
  const found = sheet.analysis.value?.diagnostics ?? [];
  return (
    <ul class="messages" data-test="messages">
      {found.map((one, index) => (
        <li key={index} class={one.severity}>
          <button class="link" onClick={() => show(sheet, one)}>
            {one.line ? `line ${one.line}:${one.column}` : "model"}
          </button>{" "}
          <Words text={one.message} /> <span class="soft">{one.code}</span>
          {one.fixes.map((fix, place) => (
            <button
              key={place}
              class="quiet fix"
              data-test="fix"
              onClick={() => editor.view && mend(sheet, editor.view, fix.edits)}
            >
              <Words text={fix.title} />
            </button>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Answer({ sheet, index, result, system, about, onWalk }: { sheet: Sheet; index: number; result?: Result; system: System | null; about?: About; onWalk: () => void }) {
  const place = !sheet.fresh.value || (sheet.stale.value && result) ? undefined : sheet.analysis.value?.formulae.find((one) => one.index === index);
  const again = () => void sheet.checkAgain(index, result?.text);
  const walk = (run: Run) => {
    void sheet.walk({}, run, about);
    onWalk();
  };
  return (
    <div class="answer">
      {result && (
        <>
          {result.trivial && <p class="warning">It holds, but only because {result.trivial}.</p>}
          {(pieceOf(sheet, result)?.piece.sentence || result.why) && <p class="sentence"><Words text={pieceOf(sheet, result)?.piece.sentence || result.why} /></p>}
          {result.reason && <p class="bad">Unknown: {result.reason}.{result.advice ? ` Try ${result.advice}.` : ""}</p>}
          {result.notes.map((note) => <p key={note} class="warning"><Words text={note} /></p>)}
          {system && (
            <Watch.Provider value={watchingOf(sheet, about, result.text)}>
              <Explanations sheet={sheet} result={result} system={system} moment={sheet.moment} onWalk={walk} />
            </Watch.Provider>
          )}
          {system && result.path && <button class="quiet" onClick={() => walk(result.path!)}>Walk to it</button>}
          {result.rechecked.map((line) => <p key={line} class={result.complete ? "good" : "soft"}><Words text={line} /></p>)}
        </>
      )}
      <p class="row soft">
        {result ? `${result.engine ?? "no engine"} · ${result.seconds.toFixed(2)} s` : "Not checked yet."}
        <span class="grow" />
        {!sheet.check.running.value && <button class="quiet" onClick={again}>Check only this</button>}
        {result && system && about && result.explanations.length > 0 && <button class="quiet" data-test="save-film" title="One file that shows this answer as a film, for lecture pages" onClick={() => void saveFilm(sheet, { ...result, explanations: [pieceOf(sheet, result)!.piece] }, system, about).catch(complain)}>Save film</button>}
        {place && <button class="quiet" onClick={() => ((textShown.value = true), show(sheet, place))}>Show in the text</button>}
        {place && asksForStrategy(place.text) && (
          <button class="quiet" data-test="to-strategy" onClick={() => ((sheet.goal.value = place.text.replace(/;$/, "")), (sheet.view.value = "strategy"), void sheet.seek())}>Find a strategy</button>
        )}
      </p>
    </div>
  );
}
