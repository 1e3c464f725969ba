// Lecture mode: the story, then one formula after the other, in large type; arrow keys and a presenter's remote go on.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Badge, EndingLine, Progress, Stale } from "./check";
import { Explanations, pieceOf } from "./explain";
import { Watch } from "./film/watch";
import { watchingOf } from "./film/watched";
import { lecture } from "./layout";
import { complain } from "./notice";
import type { Sheet } from "./sheet";
import { storyOf } from "./story";
import { StoryView } from "./storyview";
import { Words } from "./words";

export function Lecture({ sheet }: { sheet: Sheet }) {
  const story = storyOf(sheet.text.value);
  const answers = sheet.answers.value;
  const formulae = sheet.analysis.value?.formulae ?? [];
  const slides = 1 + formulae.length;
  const at = Math.min(sheet.slide.value, slides - 1);
  const go = (to: number) => {
    sheet.slide.value = Math.max(0, Math.min(slides - 1, to));
    sheet.piece.value = 0;
  };
  const stage = useRef<HTMLElement>(null);
  const now = useRef(go);
  now.current = go;
  useEffect(() => {
    if (!answers || sheet.stale.value) void sheet.runCheck();
  }, [sheet]);
  // before the slide is painted: a key that is pressed as soon as it is seen is not lost
  useLayoutEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest?.("input:not([type=range]), select, textarea")) return;
      if (event.key === "ArrowRight" || event.key === "PageDown") now.current(sheet.slide.value + 1);
      else if (event.key === "ArrowLeft" || event.key === "PageUp") now.current(sheet.slide.value - 1);
      else if (event.key === "Escape" && !document.fullscreenElement) lecture.value = false;
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", keys);
    document.documentElement.classList.add("lecture");
    return () => {
      removeEventListener("keydown", keys);
      document.documentElement.classList.remove("lecture");
    };
  }, [sheet]);
  useEffect(() => {
    stage.current?.scrollTo({ top: 0 });
    stage.current?.focus();
  }, [at]);
  const asked = formulae[at - 1];
  const current = sheet.fresh.value && !sheet.stale.value; // otherwise a formula and an answer with the same number may be two things
  const result = asked && current ? answers?.value.results.find((one) => one.index === asked.index) : undefined;
  const system = answers?.value.system;
  return (
    <main class="stage" ref={stage} tabIndex={-1} data-test="lecture" aria-label="Lecture">
      <div class="slide">
        {at === 0 ? (
          <>
            <h2>{story.title || sheet.name.value}</h2>
            <StoryView story={story} />
          </>
        ) : (
          <>
            <p class="row"><Badge verdict={result?.verdict} running={sheet.check.running.value} /> {asked.name && <b>{asked.name}</b>}</p>
            <h2><code>{asked.text.replace(/;$/, "")}</code></h2>
            {sheet.check.running.value && <Progress work={sheet.check} />}
            <EndingLine work={sheet.check} />
            <Stale why={sheet.stale.value} again={() => void sheet.runCheck()} label="Check again" />
            {result && (pieceOf(sheet, result)?.piece.sentence || result.why) && <p class="sentence"><Words text={pieceOf(sheet, result)?.piece.sentence || result.why} /></p>}
            {result?.reason && <p class="bad">Unknown: {result.reason}.</p>}
            {result && system && (
              <Watch.Provider value={watchingOf(sheet, answers?.about, result.text)}>
                <Explanations key={at} sheet={sheet} result={result} system={system} moment={sheet.moment} onWalk={() => undefined} lecture />
              </Watch.Provider>
            )}
          </>
        )}
      </div>
      <footer class="row">
        <button class="quiet" data-test="slide-back" disabled={at === 0} onClick={() => go(at - 1)}>‹ Back</button>
        <button class="quiet" data-test="slide-on" disabled={at === slides - 1} onClick={() => go(at + 1)}>On ›</button>
        <span class="soft" role="status" data-test="slide">{at + 1} of {slides}</span>
        <span class="grow" />
        <button class="quiet" onClick={() => void document.documentElement.requestFullscreen?.().catch(complain)}>Full screen</button>
        <button class="quiet" data-test="leave-lecture" onClick={() => (lecture.value = false)}>Leave (Esc)</button>
      </footer>
    </main>
  );
}
