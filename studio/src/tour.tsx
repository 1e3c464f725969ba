// A tour of two minutes: a card that points at one part of the page after the other, and does what it speaks of.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { current, gallery } from "./desk";
import { openExample } from "./gallery";
import { lecture, textShown } from "./layout";
import type { Sheet } from "./sheet";
import { Words } from "./words";

interface Stop {
  /** What it points at. */
  at: string;
  title: string;
  words: string;
  /** What is done before it is told. */
  first?: (sheet: Sheet) => unknown;
}

const text = () => (textShown.value = true);
const work = (view: Sheet["view"]["value"]) => (sheet: Sheet) => ((textShown.value = false), (sheet.view.value = view));

const STOPS: Stop[] = [
  { at: ".editor", title: "A model is a text", words: "Three cryptographers have dined, and somebody has paid. The text says what each of them sees (`Obsvars` and its own variables), can do (`Protocol`), and what follows from it (`Evolution`).", first: text },
  { at: ".cm-content", title: "Mistakes are told while you type", words: "Each message has its place and, mostly, a fix that one click applies. Press F8 for the next message, F12 for where a name comes from.", first: text },
  { at: '[data-test="summary"], [data-test="check"]', title: "Formulae are checked", words: "`K(C1, paid2)` says that C1 knows that the second one has paid; `AG` that it is always so. Check all or Ctrl+Enter checks them. Each verdict is about the text that you see: if you change it, verdicts turn grey.", first: (sheet) => (work("check")(sheet), (sheet.selected.value = 3), sheet.runCheck()) },
  { at: ".answer .film", title: "Why it fails: a film", words: "Formula 3 fails. Two runs look the same to C1, and in only one of them has the second paid. What differs is underlaid. The slider, arrow keys and play go through time.", first: (sheet) => (work("check")(sheet), (sheet.selected.value = 3)) },
  { at: ".choices, #view", title: "Walk yourself", words: "In the simulator you choose what everybody does, ask who knows what, and see which worlds are possible.", first: (sheet) => (work("simulate")(sheet), sheet.here.value ? undefined : sheet.walk({}, null)) },
  { at: "#view", title: "Strategies", words: "Ask what a group can bring about whatever the others do, such as `<group>F goal`. The answer is a set of rules, and you can play against it.", first: work("strategy") },
  { at: "figure.graph, #view", title: "All states", words: "The graph of all states, as one agent sees it: what looks the same to it has one colour. Large models are explored step by step.", first: (sheet) => (work("states")(sheet), sheet.graph.value ? undefined : sheet.draw()) },
  { at: '[data-test="share"]', title: "For teaching", words: "Link carries the text, the formula and the moment; Lecture shows the story and one formula after the other in large type. Examples has models to go on with: begin with the muddy children.", first: (sheet) => work("check")(sheet) },
];

const stop = signal<number | null>(null);

/** Begin the tour. */
export async function tour(): Promise<void> {
  lecture.value = false;
  await openExample({ name: "dining_cryptographers.ispl" });
  gallery.value = false;
  if (current.value) go(0);
}

function go(to: number): void {
  const sheet = current.value;
  stop.value = sheet && to < STOPS.length ? to : null;
  if (sheet && stop.value !== null) void STOPS[to].first?.(sheet);
}

export function Tour() {
  const at = stop.value;
  const on = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (at === null) return;
    let marked: Element | null = null;
    const mark = () => {
      const found = STOPS[at].at.split(", ").map((one) => document.querySelector(one)).find(Boolean) ?? null;
      if (found === marked) return;
      marked?.classList.remove("pointed");
      marked = found;
      found?.classList.add("pointed");
      found?.scrollIntoView({ block: "nearest" });
    };
    mark();
    const look = setInterval(mark, 200); // what it points at may have to be made first
    on.current?.focus();
    return () => (clearInterval(look), marked?.classList.remove("pointed"));
  }, [at]);
  if (at === null) return null;
  return (
    <div class="tour" role="dialog" aria-labelledby="tour-title" data-test="tour-card" onKeyDown={(event) => event.key === "Escape" && (stop.value = null)}>
      <h2 id="tour-title">{STOPS[at].title}</h2>
      <p><Words text={STOPS[at].words} /></p>
      <p class="row">
        <span class="soft">{at + 1} of {STOPS.length}</span>
        <span class="grow" />
        <button class="quiet" onClick={() => (stop.value = null)}>Leave</button>
        {at > 0 && <button class="quiet" onClick={() => go(at - 1)}>Back</button>}
        <button class="primary" ref={on} data-test="tour-on" onClick={() => go(at + 1)}>{at + 1 < STOPS.length ? "On" : "Done"}</button>
      </p>
    </div>
  );
}
