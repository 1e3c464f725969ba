// The page: tabs for texts, the editor at the left, answers at the right.

import { nextDiagnostic } from "@codemirror/lint";
import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, call, enter, fragment, lost } from "./api";
import { CheckPanel } from "./check";
import { ComparePanel } from "./compare";
import { ConflictView } from "./conflict";
import { browserFull, close, closed, current, gallery, lay, open, rename, reopen, sheets, unkept } from "./desk";
import { Editor, editor, layOut, replaceText, show } from "./editor";
import { Words } from "./words";
import { settings } from "./form";
import { examples, Gallery } from "./gallery";
import { warmUp } from "./graph/placing";
import { operators } from "./ispl";
import { lecture, letters, setLetters, setSplit, split, textShown } from "./layout";
import { Lecture } from "./lecture";
import { packed, unpacked } from "./link";
import { complain, notice, tell } from "./notice";
import type { Sheet, View } from "./sheet";
import { SimulatePanel } from "./simulate";
import { StatesPanel } from "./states";
import { StrategyPanel } from "./strategy";
import { Tour, tour } from "./tour";
import type { DeskData, OutlineEntry, Parameter } from "./types";
import "./style.css";

const VIEWS: [View, string][] = [
  ["check", "Check"],
  ["simulate", "Simulate"],
  ["strategy", "Strategy"],
  ["states", "States"],
  ["compare", "Compare"],
];

const NEW = `-- A new model: a lamp that somebody switches.

Agent Lamp
    Vars:
        on : boolean;
    end Vars
    Actions = {press, wait};
    Protocol:
        Other : {press, wait};
    end Protocol
    Evolution:
        on = true if on = false and Action = press;
        on = false if on = true and Action = press;
    end Evolution
end Agent

Evaluation
    lit if Lamp.on = true;
end Evaluation

InitStates
    Lamp.on = false;
end InitStates

Formulae
    EF lit;
    AG !lit;
end Formulae
`;

// -- light and dark

type Theme = "auto" | "light" | "dark";
const theme = signal<Theme>((localStorage.getItem("epistrat-theme") as Theme | null) ?? "auto");
const dark = matchMedia("(prefers-color-scheme: dark)");
const systemTheme = signal<Theme>(dark.matches ? "dark" : "light");
dark.addEventListener("change", () => (systemTheme.value = dark.matches ? "dark" : "light"));
effect(() => {
  document.documentElement.dataset.theme = theme.value === "auto" ? systemTheme.value : theme.value;
  localStorage.setItem("epistrat-theme", theme.value);
});

async function start(): Promise<void> {
  try {
    await enter();
    const desk = await call<DeskData>("GET", "/api/desk");
    examples.value = desk.examples;
    settings.value = desk.settings;
    closed.value = desk.closed;
    operators(desk.operators);
    lay(desk.papers, desk.papers.find((one) => one.file)?.id ?? null);
    await openLink();
  } catch (refused) {
    const word = fragment.get("model");
    if (word) localStorage.setItem(LINK, word);
    lay([]);
    complain(refused);
  }
}

/** Copy a link to what is shown. */
async function share(sheet: Sheet): Promise<void> {
  const { parameters } = sheet.about.value;
  const word = await packed({ name: sheet.name.value, text: sheet.text.value, parameters, formula: sheet.selected.value, moment: sheet.moment.value, lecture: lecture.value });
  const address = `${location.origin}${location.pathname}#model=${word}`;
  history.replaceState(null, "", address);
  linked.value = { sheet, text: sheet.text.value };
  try {
    await navigator.clipboard.writeText(address);
    tell("The link is copied. It carries the text itself: whoever opens it in a studio of their own sees what you see.");
  } catch {
    tell("The link stands in the address line; copy it from there."); // this browser lets no page write to the clipboard
  }
}

/** What the address carries while it is a link. */
const linked = signal<{ sheet: Sheet; text: string } | null>(null);

// once something else is shown, the address is no link any more: a reload shows what was shown
effect(() => {
  const one = linked.value;
  if (!one || (current.value === one.sheet && one.sheet.text.value === one.text)) return;
  history.replaceState(null, "", location.pathname);
  linked.value = null;
});

/** An address that is pasted into a page that is open changes what stands behind `#`, and loads nothing. */
function pasted(): void {
  const behind = new URLSearchParams(location.hash.slice(1));
  const word = behind.get("model");
  if (behind.has("token")) location.reload();
  else if (word) void openLink(word);
}

/** Where a link waits for a page that is not locked. */
const LINK = "epistrat-link";

/** Open what the address carries, or carried when the page was locked. */
async function openLink(word = fragment.get("model") ?? localStorage.getItem(LINK)): Promise<void> {
  localStorage.removeItem(LINK);
  if (!word) return;
  history.replaceState(null, "", location.pathname);
  fragment.delete("model");
  try {
    const carried = await unpacked(word);
    const known = sheets.value.find((one) => one.text.value === carried.text);
    const sheet = known ?? open(carried.name, carried.text, carried.name); // kept once it is changed
    sheet.led = true;
    current.value = sheet;
    gallery.value = false;
    sheet.given.value = carried.parameters;
    sheet.view.value = "check";
    sheet.selected.value = carried.formula;
    sheet.moment.value = carried.moment;
    sheet.slide.value = carried.formula ?? 0;
    lecture.value = carried.lecture;
    await sheet.analyse();
    if (sheet.analysis.value?.ok !== false && (!sheet.answers.value || sheet.stale.value)) await sheet.runCheck();
  } catch (wrong) {
    complain(wrong);
  }
}

/** A tab: its name can be changed while the text is in no file. */
function Tab({ sheet }: { sheet: Sheet }) {
  const [naming, setNaming] = useState(false);
  const chosen = sheet === current.value && !gallery.value;
  const go = () => ((current.value = sheet), (gallery.value = false));
  const twins = sheets.value.filter((one) => one.name.value === sheet.name.value).length > 1;
  const folder = sheet.file?.split(/[/\\]/).at(-2);
  const end = (name: string) => {
    rename(sheet, name);
    setNaming(false);
  };
  return (
    <span class={`tab ${chosen ? "chosen" : ""}`}>
      {naming ? (
        <input
          class="name"
          aria-label="Name of the text"
          data-test="name"
          value={sheet.name.value}
          ref={(field) => field?.select()}
          onBlur={(event) => end(event.currentTarget.value)}
          onKeyDown={(event) => (event.key === "Enter" ? end(event.currentTarget.value) : event.key === "Escape" ? setNaming(false) : undefined)}
        />
      ) : (
        <button
          aria-current={chosen ? "page" : undefined}
          onClick={go}
          onDblClick={() => !sheet.file && setNaming(true)}
          onKeyDown={(event) => event.key === "F2" && !sheet.file && setNaming(true)}
          title={sheet.file ?? (sheet.example && !sheet.own.value ? "an example; it is kept once you change it" : "not in a file yet; double click or F2 renames it")}
        >
          {twins && folder ? <span class="soft">{folder}/</span> : null}
          {sheet.name.value}
          {sheet.file && sheet.dirty.value ? <span class="dot"> ●<span class="hidden"> changed</span></span> : ""}
        </button>
      )}
      <button class="close" aria-label={`Close ${sheet.name.value}`} onClick={() => void close(sheet)}>×</button>
    </span>
  );
}

function Header() {
  const file = useRef<HTMLInputElement>(null);
  const sheet = current.value;
  useEffect(() => document.querySelector(".tab.chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [sheet]);
  const next: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
  const read = async (list: FileList | null) => {
    for (const one of list ?? []) {
      const bytes = await one.arrayBuffer();
      try {
        open(one.name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      } catch {
        open(one.name, new TextDecoder("latin1").decode(bytes)); // kept here as a text of its own; the file stays as it is
      }
    }
  };
  return (
    <header class="top">
      <h1><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><circle cx="10" cy="16" r="7" class="solid" /><circle cx="22" cy="16" r="7" class="dashed" /></svg><span>epistrat</span></h1>
      <nav class="texts" aria-label="Open texts">{sheets.value.map((one) => <Tab key={one.id} sheet={one} />)}</nav>
      {(sheets.value.length > 5 || closed.value.length > 0) && (
        <select class="alltexts" aria-label="All texts" value="" data-test="all-texts" onChange={(event) => {
          const [kind, id] = event.currentTarget.value.split(":");
          event.currentTarget.value = "";
          if (kind === "open") { current.value = sheets.value.find((one) => one.id === id) ?? current.value; gallery.value = false; }
          if (kind === "closed") void reopen(id);
        }}>
          <option value="">{sheets.value.length} texts</option>
          <optgroup label="Open">{sheets.value.map((one) => <option key={one.id} value={`open:${one.id}`}>{one.name.value}</option>)}</optgroup>
          {closed.value.length > 0 && <optgroup label="Closed: open again">{closed.value.map((one) => <option key={one.id} value={`closed:${one.id}`}>{one.name}</option>)}</optgroup>}
        </select>
      )}
      <span class="grow" />
      <button class="quiet" onClick={() => (gallery.value = !gallery.value || !sheets.value.length)} aria-pressed={gallery.value} data-test="gallery">Examples</button>
      <button class="quiet" onClick={() => void tour()} data-test="tour">Tour</button>
      <button class="quiet" onClick={() => open("new.ispl", NEW)} data-test="new">New</button>
      <button class="quiet" onClick={() => file.current?.click()}>Open</button>
      <input ref={file} type="file" class="hidden" accept=".ispl,text/plain" multiple aria-label="Open files" tabIndex={-1} onChange={(event) => void read(event.currentTarget.files)} />
      {sheet && <button class="quiet" onClick={() => void sheet.save()} title="Ctrl+S" data-test="save">{sheet.file ? "Save" : "Download"}</button>}
      {sheet && <button class="quiet" data-test="share" title="A link that carries the text, its sizes, the formula and the moment" onClick={() => void share(sheet)}>Link</button>}
      {sheet && <button class="quiet" data-test="lecture-mode" title="Hide the text: the story, then one formula after the other in large type" onClick={() => ((gallery.value = false), (sheet.slide.value = 0), (lecture.value = true))}>Lecture</button>}
      <button class="quiet" aria-label={`Colours: ${theme.value}`} title={`Colours: ${theme.value}`} data-test="theme" onClick={() => (theme.value = next[theme.value])}>
        {theme.value === "auto" ? "◐" : theme.value === "light" ? "☀" : "☾"}
      </button>
    </header>
  );
}

function Outline({ sheet }: { sheet: Sheet }) {
  const entries = sheet.analysis.value?.outline ?? [];
  const flat = (list: OutlineEntry[], depth: number): [OutlineEntry, number][] => list.flatMap((one): [OutlineEntry, number][] => [[one, depth], ...flat(one.children, depth + 1)]);
  const lines = flat(entries, 0);
  return (
    <select
      class="outline"
      aria-label="Outline: go to"
      value=""
      data-test="outline"
      onChange={(event) => {
        const [entry] = lines[Number(event.currentTarget.value)] ?? [];
        event.currentTarget.value = "";
        if (entry) show(sheet, entry);
      }}
    >
      <option value="">Outline</option>
      {lines.map(([one, depth], index) => <option key={index} value={index}>{"\u2003".repeat(depth)}{one.name}{one.detail && one.kind !== "formula" ? ` – ${one.detail}` : ""}</option>)}
    </select>
  );
}

/** A parameter as a field; what is being typed is kept while the page is drawn again, and counts when it is complete. */
function ParameterField({ sheet, parameter }: { sheet: Sheet; parameter: Parameter }) {
  const { name, value, least, most } = parameter;
  const [typed, setTyped] = useState<string | null>(null);
  const commit = (text: string) => {
    const given = Math.round(Number(text));
    setTyped(null);
    sheet.sizing.value = false;
    sheet.set(name, text === "" || given === value || given < 0 ? null : given);
  };
  return (
    <label>
      {name}{" "}
      <input
        type="number"
        data-test={`parameter-${name}`}
        value={typed ?? sheet.given.value[name] ?? value}
        min={least ?? undefined}
        max={most ?? undefined}
        title={`${name} in ${least ?? ""}..${most ?? ""}, ${value} by default`}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          sheet.sizing.value = event.currentTarget.value !== String(sheet.given.value[name] ?? value);
        }}
        onChange={(event) => commit(event.currentTarget.value)}
      />
    </label>
  );
}

function Parameters({ sheet }: { sheet: Sheet }) {
  const declared = sheet.analysis.value?.parameters ?? [];
  if (!declared.length) return null;
  return (
    <div class="row parameters" role="group" aria-label="Parameters">
      {declared.map((one) => <ParameterField key={one.name} sheet={sheet} parameter={one} />)}
      <span class="soft">{declared.some(({ name }) => name in sheet.given.value) ? "instead of what the text says" : ""}</span>
    </div>
  );
}

function TextColumn({ sheet }: { sheet: Sheet }) {
  const found = sheet.analysis.value?.diagnostics ?? [];
  const errors = found.filter((one) => one.severity === "error").length;
  const warnings = found.length - errors;
  return (
    <section class="text" aria-label="The text">
      {sheet.restored.value && (
        <p class="restored" role="status">
          Text that was not saved has been restored. <button class="link" onClick={() => (replaceText(sheet, sheet.saved.value ?? ""), (sheet.restored.value = false))}>Back to the file</button>{" "}
          <button class="link" onClick={() => (sheet.restored.value = false)}>Keep it</button>
        </p>
      )}
      {sheet.conflict.value && <ConflictView sheet={sheet} conflict={sheet.conflict.value} />}
      <Parameters sheet={sheet} />
      <Editor key={sheet.id} sheet={sheet} />
      <footer class="row">
        <Outline sheet={sheet} />
        <button class="link" onClick={() => editor.view && void layOut(editor.view, sheet)}>Lay out</button>
        <span class="zoom wide-only" role="group" aria-label="Size of the letters">
          <button class="quiet" onClick={() => setLetters(letters.value - 1)}>A−<span class="hidden"> smaller letters</span></button>
          <button class="quiet" data-test="larger" onClick={() => setLetters(letters.value + 1)}>A+<span class="hidden"> larger letters</span></button>
        </span>
        <span class="soft wide-only" title="In the editor Tab indents">Escape, then Tab leaves the editor</span>
        <span class="grow" />
        {found.length > 0 && <button class="link" onClick={() => editor.view && (editor.view.focus(), nextDiagnostic(editor.view))}>Next message</button>}
        {sheet.encoding.value === "latin-1" && <span class="soft" title="The file is not UTF-8. It is saved as it was read, byte for byte; a character that its encoding lacks is refused.">Latin-1</span>}
        <span class={errors ? "bad" : "soft"} role="status" data-test="state-of-text">
          {sheet.analysis.value === null ? "reading…" : errors ? `${errors} error${errors > 1 ? "s" : ""}` : warnings ? `${warnings} warning${warnings > 1 ? "s" : ""}` : "no mistakes"}
        </span>
      </footer>
    </section>
  );
}

function Work({ sheet }: { sheet: Sheet }) {
  const view = sheet.view.value;
  const go = (to: View) => {
    sheet.view.value = to;
    textShown.value = false;
  };
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const place = (VIEWS.findIndex(([name]) => name === view) + step + VIEWS.length) % VIEWS.length;
    go(VIEWS[place][0]);
    document.getElementById(`tab-${VIEWS[place][0]}`)?.focus();
  };
  const simulate = () => go("simulate");
  return (
    <section class="work" aria-label="Answers">
      <h2 class="hidden">Answers</h2>
      <div role="tablist" aria-label="Views" class="views" onKeyDown={move}>
        {VIEWS.map(([name, title]) => (
          <button key={name} id={`tab-${name}`} role="tab" aria-selected={view === name} aria-controls="view" tabIndex={view === name ? 0 : -1} onClick={() => go(name)} data-test={`view-${name}`}>{title}</button>
        ))}
      </div>
      <div id="view" role="tabpanel" aria-labelledby={`tab-${view}`} class="view" key={`${sheet.id}-${view}`}>
        {view === "check" && <CheckPanel sheet={sheet} onWalk={simulate} />}
        {view === "simulate" && <SimulatePanel sheet={sheet} />}
        {view === "strategy" && <StrategyPanel sheet={sheet} onWalk={simulate} />}
        {view === "states" && <StatesPanel sheet={sheet} onWalk={simulate} />}
        {view === "compare" && <ComparePanel sheet={sheet} />}
      </div>
    </section>
  );
}

/** Between the text and the answers: it is dragged, or moved by arrow keys. */
function Divider() {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 4 : event.key === "ArrowLeft" ? -4 : 0;
    if (!step) return;
    setSplit(split.value + step);
    event.preventDefault();
  };
  const drag = (event: PointerEvent) => {
    const bar = event.currentTarget as HTMLElement;
    const desk = bar.parentElement!.getBoundingClientRect();
    if (bar.hasPointerCapture(event.pointerId)) setSplit(Math.round((100 * (event.clientX - desk.left)) / desk.width));
  };
  return (
    <div
      class="divider"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the text"
      aria-valuenow={split.value}
      aria-valuemin={15}
      aria-valuemax={80}
      tabIndex={0}
      data-test="divider"
      onKeyDown={move}
      onPointerDown={(event) => (event.currentTarget.setPointerCapture(event.pointerId), event.preventDefault())}
      onPointerMove={drag}
      onDblClick={() => setSplit(46)}
    />
  );
}

/** Keys that work wherever one is. */
function keys(event: KeyboardEvent): void {
  const sheet = current.value;
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !sheet || gallery.value) return;
  if (event.key.toLowerCase() === "s") void sheet.save();
  else if (event.key === "Enter") {
    sheet.view.value = "check";
    if (sheet.analysis.value?.ok !== false) void sheet.runCheck();
  } else return;
  event.preventDefault();
}

/** Files that a text includes change without a word: every second they are looked at. */
async function lookAtParts(): Promise<void> {
  const sheet = current.value;
  if (!sheet?.file || document.hidden || lost.value || !/\binclude\s*"/.test(sheet.text.value)) return;
  const text = sheet.text.value;
  try {
    const { parts } = await ask("parts", sheet.model());
    if (sheet.text.value === text) sheet.heardOfParts(parts);
  } catch (refused) {
    console.debug(refused); // it is asked again
  }
}

function App() {
  useEffect(() => {
    void start();
    const watch = setInterval(() => {
      if (lost.value) call("GET", "/api/desk").catch((refused: Error) => console.debug(refused.message)); // which says whether it is there again
    }, 3000);
    setTimeout(warmUp, 1500);
    const parts = setInterval(() => void lookAtParts(), 1000);
    addEventListener("keydown", keys);
    addEventListener("hashchange", pasted);
    return () => (clearInterval(watch), clearInterval(parts), removeEventListener("keydown", keys), removeEventListener("hashchange", pasted));
  }, []);
  const sheet = current.value;
  return (
    <>
      <Header />
      {lost.value && <p class="lost" role="alert"><Words text={lost.value} /></p>}
      {!lost.value && unkept.value && <p class="lost" role="alert" data-test="unkept">{unkept.value}</p>}
      {browserFull.value && !unkept.value && <p class="lost" role="status">This browser keeps no texts: {browserFull.value}. The server keeps them.</p>}
      {lecture.value && sheet ? (
        <Lecture sheet={sheet} />
      ) : gallery.value || !sheet ? (
        <Gallery />
      ) : (
        <main class={`desk ${textShown.value ? "text-shown" : "work-shown"}`} style={{ "--split": `${split.value}fr`, "--rest": `${100 - split.value}fr`, "--letters": `${letters.value}px` }}>
          <div class="flip" role="group" aria-label="Show">
            <button aria-pressed={textShown.value} onClick={() => (textShown.value = true)} data-test="show-text">Text</button>
            <button aria-pressed={!textShown.value} onClick={() => (textShown.value = false)} data-test="show-work">Answers</button>
          </div>
          <TextColumn sheet={sheet} />
          <Divider />
          <Work sheet={sheet} />
        </main>
      )}
      <Tour />
      <div class="notice" role="status" aria-live="polite">{notice.value && <p>{notice.value.words} {notice.value.action && <button class="link" data-test="notice-action" onClick={() => (notice.value!.action!.run(), (notice.value = null))}>{notice.value.action.label}</button>}</p>}</div>
    </>
  );
}

render(<App />, document.getElementById("app")!);
