// Exercises: holes are filled in here or in the text; the answer is checked, and where it is wrong the evidence is the hint.

import { signal } from "@preact/signals";
import { type About, Asked, withParts } from "./asked";
import { EndingLine, Progress, Stale } from "./check";
import { editor } from "./editor";
import { type Exercise, exercisesOf, sameEverywhere } from "./exercise";
import { ExplanationView } from "./explain";
import { Watch } from "./film/watch";
import { watchingOf } from "./film/watched";
import { complain } from "./notice";
import type { Sheet } from "./sheet";
import type { Result, Run, System } from "./types";
import { Words } from "./words";
import { Work } from "./work";

/** What came of an answer. */
interface Tried {
  /** Which of the text's exercises. */
  place: number;
  system: System | null;
  /** Of the formula that decides, or of the first one that is not as expected; null while it is not known. */
  result: Result | null;
  right: boolean | null;
  mistake: string;
}

class Trial {
  readonly work = new Work();
  readonly tried = signal<Asked<Tried> | null>(null);

  constructor(readonly sheet: Sheet) {
    sheet.works.push(this.work);
  }

  async check(one: Exercise, place: number): Promise<void> {
    const { sheet, tried } = this;
    const about: About = sheet.about.value;
    const { engine, strategies, time } = about.options;
    const chosen = { engine, ...(strategies ? { strategies } : {}), ...(time ? { time } : {}) };
    const put = (more: Partial<Tried>) => tried.value && (tried.value = tried.value.with(more));
    const results: Result[] = [];
    await this.work.begin(
      { do: "check", ...sheet.model(about), ...chosen, ...(one.solution === null ? { expect: true } : { formulae: [sameEverywhere(one)] }) },
      (event) => {
        if (event.event === "loaded") {
          tried.value = tried.value && new Asked(withParts(tried.value.about, event.parts), { ...tried.value.value, system: event.system });
          sheet.heardOfParts(event.parts);
        }
        else if (event.event === "answered") results.push(event.result);
        else if (event.event === "warned" && event.diagnostic.severity === "error") put({ mistake: event.diagnostic.message });
        else if (event.event === "finished" && event.how === "done") {
          if (one.solution !== null) return void put({ result: results[0] ?? null, right: results[0]?.verdict === "unknown" ? null : results[0]?.verdict === "holds" });
          const differing = event.differing ?? [];
          const first = differing.map((one) => results.find((result) => result.index === one.index)).find(Boolean) ?? null;
          put({ result: first, right: differing.length === 0, mistake: differing[0]?.words ?? "" });
        }
      },
      () => (tried.value = new Asked(about, { place, system: null, result: null, right: null, mistake: "" })),
    );
  }
}

const trials = new WeakMap<Sheet, Trial>();

function trialOf(sheet: Sheet): Trial {
  const known = trials.get(sheet) ?? new Trial(sheet);
  trials.set(sheet, known);
  return known;
}

/** Write an answer into the hole of the exercise that stands there. */
function fill(sheet: Sheet, place: number, answer: string): void {
  const clean = answer.replaceAll(";", "").replaceAll("\n", " ");
  const there = exercisesOf(sheet.text.value).at(place);
  if (there && editor.view && clean !== there.answer) editor.view.dispatch({ changes: { from: there.from, to: there.to, insert: clean }, userEvent: "input.type" });
}

export function Exercises({ sheet, onWalk }: { sheet: Sheet; onWalk: (run: Run) => void }) {
  const all = exercisesOf(sheet.text.value);
  if (!all.length) return null;
  return (
    <section class="exercises" aria-label="Exercises" data-test="exercises">
      <h3>{all.length > 1 ? "Exercises" : "Exercise"}</h3>
      <ol>{all.map((one, place) => <li key={place}><One sheet={sheet} exercise={one} place={place} onWalk={onWalk} /></li>)}</ol>
    </section>
  );
}

function One({ sheet, exercise, place, onWalk }: { sheet: Sheet; exercise: Exercise; place: number; onWalk: (run: Run) => void }) {
  const trial = trialOf(sheet);
  const tried = trial.tried.value?.value.place === place ? trial.tried.value : null;
  const stale = sheet.since(tried);
  const { result, right, mistake, system } = tried?.value ?? { result: null, right: null, mistake: "", system: null };
  return (
    <>
      <p><Words text={exercise.task} /></p>
      <form class="row" onSubmit={(event) => (event.preventDefault(), trial.check(exercise, place).catch(complain))}>
        <input class="wide mono" aria-label={`Your answer: ${exercise.task}`} data-test="answer" value={exercise.answer} onInput={(event) => fill(sheet, place, event.currentTarget.value)} />
        {trial.work.running.value ? <button class="primary stop" type="button" onClick={() => trial.work.stop().catch(complain)}>Cancel</button> : <button class="primary" type="submit" data-test="try">Check the answer</button>}
      </form>
      {tried && trial.work.running.value && <Progress work={trial.work} />}
      {tried && <EndingLine work={trial.work} />}
      <Stale why={stale} again={() => void trial.check(exercise, place)} label="Check it again" />
      {tried && !stale && !trial.work.running.value && (
        <div aria-live="polite" data-test="tried">
          {mistake && right === null && <p class="bad"><Words text={mistake} /></p>}
          {right && <p class="good">Right{exercise.solution === null ? ": all verdicts are as expected" : ": it is true in the same states as the solution"}.</p>}
          {right === null && result?.verdict === "unknown" && <p class="bad">Not decided: {result.reason}.</p>}
          {right === false && <p class="bad">Not yet. {exercise.solution === null ? <Words text={`This is not as expected: ${mistake}.`} /> : "Here it is true where the solution is false, or the other way round:"}</p>}
          {right === false && result && system && (
            <Watch.Provider value={watchingOf(sheet, trial.tried.value?.about, exercise.solution === null ? result.text : exercise.answer)}>
              {result.explanations.map((one, place) => <ExplanationView key={place} explanation={one} system={system} onWalk={onWalk} />)}
            </Watch.Provider>
          )}
        </div>
      )}
      {exercise.solution !== null && <details><summary>The solution</summary><p><code>{exercise.solution}</code></p></details>}
    </>
  );
}
