// The page: tabs for texts, the editor at the left, answers at the right.

import { effect, signal } from "@preact/signals";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, lost } from "./api";
import { CheckPanel } from "./check";
import { Editor, editor, layOut, replaceText, reveal } from "./editor";
import { nextDiagnostic } from "@codemirror/lint";
import { Words } from "./explain";
import { operators } from "./ispl";
import { warmUp } from "./graph";
import { close, current, lay, notice, open, settings, sheets, tell, type Sheet, type View } from "./sheet";
import { SimulatePanel } from "./simulate";
import { ComparePanel, StatesPanel } from "./states";
import { StrategyPanel } from "./strategy";
import type { DeskData, Example, OutlineEntry, Parameter } from "./types";
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

const examples = signal<Example[]>([]);
const gallery = signal(false);
const textShown = signal(true);

async function start(): Promise<void> {
  try {
    const desk = await call<DeskData>("GET", "/api/desk");
    examples.value = desk.examples;
    settings.value = desk.settings;
    operators(desk.operators);
    lay(desk.papers);
    gallery.value = !sheets.value.length;
  } catch (refused) {
    lay([]);
    tell((refused as Error).message);
  }
}

async function openExample(one: Example): Promise<void> {
  try {
    const { text } = await call<{ text: string }>("GET", `/api/examples/${one.name}`);
    const name = one.name.split("/").pop()!;
    const known = sheets.value.find((sheet) => sheet.name.value === name && sheet.text.value === text);
    if (known) current.value = known;
    else open(name, text);
    gallery.value = false;
    textShown.value = true;
  } catch (refused) {
    tell((refused as Error).message);
  }
}

function Header() {
  const file = useRef<HTMLInputElement>(null);
  const sheet = current.value;
  useEffect(() => document.querySelector(".tab.chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [sheet]);
  const next: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
  const read = async (list: FileList | null) => {
    for (const one of list ?? []) open(one.name, await one.text());
    gallery.value = false;
  };
  return (
    <header class="top">
      <h1><svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true"><circle cx="10" cy="16" r="7" class="solid" /><circle cx="22" cy="16" r="7" class="dashed" /></svg><span>epistrat</span></h1>
      <nav class="texts" aria-label="Open texts">
        {sheets.value.map((one) => (
          <span key={one.id} class={`tab ${one === sheet && !gallery.value ? "chosen" : ""}`}>
            <button aria-current={one === sheet && !gallery.value ? "page" : undefined} onClick={() => ((current.value = one), (gallery.value = false))} title={one.file ?? "not in a file yet"}>
              {one.name.value}
              {one.file && one.dirty.value ? <span class="dot" aria-label="changed"> ●</span> : ""}
            </button>
            <button class="close" aria-label={`Close ${one.name.value}`} onClick={() => void close(one).then(() => sheets.value.length || (gallery.value = true))}>×</button>
          </span>
        ))}
      </nav>
      <span class="grow" />
      <button class="quiet" onClick={() => ((gallery.value = !gallery.value))} aria-pressed={gallery.value} data-test="gallery">Examples</button>
      <button class="quiet" onClick={() => (open("new.ispl", NEW), (gallery.value = false))}>New</button>
      <button class="quiet" onClick={() => file.current?.click()}>Open</button>
      <input ref={file} type="file" class="hidden" accept=".ispl,text/plain" multiple aria-label="Open files" tabIndex={-1} onChange={(event) => void read(event.currentTarget.files)} />
      {sheet && <button class="quiet" onClick={() => void sheet.save()} title="Ctrl+S" data-test="save">{sheet.file ? "Save" : "Download"}</button>}
      <button class="quiet" aria-label={`Colours: ${theme.value}`} title={`Colours: ${theme.value}`} data-test="theme" onClick={() => (theme.value = next[theme.value])}>
        {theme.value === "auto" ? "◐" : theme.value === "light" ? "☀" : "☾"}
      </button>
    </header>
  );
}

function Card({ example }: { example: Example }) {
  const [, head, rest] = /^([^(:]+): (.*)$/.exec(example.title) ?? ["", example.title, ""];
  const { story } = example;
  return (
    <li>
      <button data-test={`example-${example.name}`} onClick={() => void openExample(example)}>
        <b>{head}</b>
        {rest && <em>{rest}</em>}
        <span><Words text={story.length > 220 ? `${story.slice(0, 219)}…` : story} /></span>
      </button>
    </li>
  );
}

function Gallery() {
  const [wanted, setWanted] = useState("");
  const shown = examples.value.filter((one) => `${one.name} ${one.title} ${one.story}`.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <main class="gallery">
      <div class="row">
        <h2>Models to learn from</h2>
        <input type="search" aria-label="Search the examples" placeholder="Search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      </div>
      {["Scenarios, of any size", "Examples"].map((heading, index) => {
        const cards = shown.filter((one) => one.name.startsWith("scenarios/") === (index === 0));
        return (
          cards.length > 0 && (
            <section key={heading}>
              <h3>{heading}</h3>
              <ul>{cards.map((one) => <Card key={one.name} example={one} />)}</ul>
            </section>
          )
        );
      })}
      {!shown.length && <p class="soft">{examples.value.length ? "No example matches." : "There are no examples here."}</p>}
    </main>
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
        if (entry && editor.view) reveal(editor.view, entry.from, entry.to);
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
        onInput={(event) => setTyped(event.currentTarget.value)}
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
      <Parameters sheet={sheet} />
      <Editor key={sheet.id} sheet={sheet} />
      <footer class="row">
        <Outline sheet={sheet} />
        <button class="link" onClick={() => editor.view && void layOut(editor.view, sheet)}>Lay out</button>
        <span class="grow" />
        {found.length > 0 && <button class="link" onClick={() => editor.view && (editor.view.focus(), nextDiagnostic(editor.view))}>Next message</button>}
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

function App() {
  useEffect(() => {
    void start();
    const watch = setInterval(() => {
      if (lost.value) call("GET", "/api/desk").catch(() => undefined);
    }, 3000);
    setTimeout(warmUp, 1500);
    return () => clearInterval(watch);
  }, []);
  const sheet = current.value;
  return (
    <>
      <Header />
      {lost.value && <p class="lost" role="alert"><Words text={lost.value} /></p>}
      {gallery.value || !sheet ? (
        <Gallery />
      ) : (
        <main class={`desk ${textShown.value ? "text-shown" : "work-shown"}`}>
          <div class="flip" role="group" aria-label="Show">
            <button aria-pressed={textShown.value} onClick={() => (textShown.value = true)} data-test="show-text">Text</button>
            <button aria-pressed={!textShown.value} onClick={() => (textShown.value = false)} data-test="show-work">Answers</button>
          </div>
          <TextColumn sheet={sheet} />
          <Work sheet={sheet} />
        </main>
      )}
      <div class="notice" role="status" aria-live="polite">{notice.value && <p>{notice.value}</p>}</div>
    </>
  );
}

render(<App />, document.getElementById("app")!);
