// A sheet is a text with everything that belongs to it: messages, answers, the simulator's run, a strategy.

import { batch, computed, effect, signal } from "@preact/signals";
import { ask, begin, call, cancel, type Errand, type Event, Refused } from "./api";
import type {
  Settings,
  Analysis,
  Facts,
  Here,
  Knowledge,
  Message,
  PaperData,
  Picture,
  PlayHere,
  Result,
  Run,
  StrategyTold,
  System,
  Verdict,
  Walk,
} from "./types";

/** What the form says; an empty reading is the usual one. */
export interface Options {
  engine: string;
  strategies: string;
  time: number;
  deadlock: boolean;
}

export type View = "check" | "simulate" | "strategy" | "states" | "compare";

/** The verdicts of one check, for comparisons. */
export interface Past {
  label: string;
  verdicts: { text: string; verdict: Verdict }[];
}

export const notice = signal<string>("");

const nothing = { words: "", values: [] };
/** What the form offers; the server says it. */
export const settings = signal<Settings>({ engine: { words: "", values: ["auto"] }, strategies: nothing, choices: nothing, blocking: nothing, scheduling: nothing });

let fading = 0;
export function tell(words: string): void {
  notice.value = words;
  clearTimeout(fading);
  fading = window.setTimeout(() => (notice.value = ""), 6000);
}

/** Work that takes time: whether it is under way, what it does, how it ended. */
export class Work {
  id: string | null = null;
  readonly running = signal(false);
  readonly progress = signal("");
  readonly at = signal<[number, number]>([0, 0]);
  readonly ending = signal<{ how: string; reason: string; seconds: number } | null>(null);

  async begin(what: Errand, hear: (event: Event) => void, reset: () => void): Promise<void> {
    if (this.running.value) return;
    const clear = () =>
      batch(() => {
        reset();
        this.running.value = true;
        this.progress.value = "";
        this.at.value = [0, 0];
        this.ending.value = null;
      });
    clear();
    try {
      this.id = await begin(what, (event) => this.hear(event, hear), clear);
    } catch (refused) {
      this.running.value = false;
      this.ending.value = { how: "refused", reason: (refused as Error).message, seconds: 0 };
    }
  }

  private hear(event: Event, hear: (event: Event) => void): void {
    batch(() => {
      if (event.event === "waiting") this.progress.value = "waiting for its turn";
      if (event.event === "started") this.progress.value = "starting";
      if (event.event === "progress") {
        this.progress.value = event.text;
        this.at.value = [event.number, event.of];
      }
      if (event.event === "finished") this.ending.value = { how: event.how, reason: event.reason, seconds: event.seconds ?? 0 };
      if (event.event === "over") this.running.value = false;
      hear(event);
    });
  }

  async stop(): Promise<void> {
    if (!this.running.value || !this.id) return;
    this.progress.value = "stopping";
    await cancel(this.id).catch((refused: Refused) => tell(refused.message));
  }
}

export class Sheet {
  readonly id: string;
  readonly name = signal("");
  readonly file: string | null;
  readonly saved = signal<string | null>(null);
  readonly text = signal("");
  readonly crlf: boolean;
  readonly restored = signal(false);

  readonly analysis = signal<Analysis | null>(null);
  readonly given = signal<Record<string, number>>({});
  readonly view = signal<View>("check");

  readonly check = new Work();
  readonly system = signal<System | null>(null);
  readonly questions = signal<{ index: number; text: string; name: string }[]>([]);
  readonly results = signal<Result[]>([]);
  readonly warnings = signal<Message[]>([]);
  readonly facts = signal<Facts | null>(null);
  readonly checkedText = signal<string | null>(null);
  readonly reported = signal<string | null>(null);
  readonly selected = signal<number | null>(null);
  readonly options = signal<Options>({ engine: "auto", strategies: "", time: 120, deadlock: false });
  readonly history = signal<Past[]>([]);

  readonly here = signal<Here | null>(null);
  readonly walkedText = signal<string | null>(null);
  readonly knowledge = signal<Knowledge | null>(null);
  readonly truths = signal<{ formula: string; answer: string }[]>([]);

  readonly seeking = new Work();
  readonly goal = signal("");
  readonly found = signal<StrategyTold | null>(null);
  readonly plan = signal(0);
  readonly playing = signal<PlayHere | null>(null);

  readonly drawing = new Work();
  readonly graph = signal<{ system: System; picture: Picture } | null>(null);
  readonly graphRemark = signal("");

  readonly dirty = computed(() => this.saved.value !== this.text.value);
  readonly stale = computed(() => this.checkedText.value !== null && this.checkedText.value !== this.asked);

  constructor(data: PaperData) {
    this.id = data.id;
    this.name.value = data.name;
    this.file = data.file;
    this.crlf = data.text.includes("\r\n");
    this.saved.value = data.saved === null ? null : plain(data.saved);
    this.text.value = plain(data.text);
    this.restored.value = data.saved !== null && data.saved !== data.text;
  }

  /** The text as it is written into a file. */
  get written(): string {
    return this.crlf ? this.text.value.replaceAll("\n", "\r\n") : this.text.value;
  }

  /** What every question about the model says: the text, and the values of its parameters. */
  get model() {
    const declared = this.analysis.value?.parameters ?? [];
    const parameters = Object.fromEntries(declared.flatMap(({ name }) => (name in this.given.value ? [[name, this.given.value[name]]] : [])));
    return { text: this.text.value, name: this.name.value, parameters };
  }

  /** Give a parameter a value; without one, its default holds. */
  set(name: string, value: number | null): void {
    const { [name]: _, ...rest } = this.given.value;
    this.given.value = value === null ? rest : { ...rest, [name]: value };
    this.here.value = null;
    this.knowledge.value = null;
    this.found.value = null;
    this.playing.value = null;
    this.graph.value = null;
    void this.analyse();
  }

  /** The text with the values of its parameters, to compare with what was checked. */
  private get asked(): string {
    const { text, parameters } = this.model;
    return text + JSON.stringify(parameters);
  }

  /** The settings that the form says; what it leaves open is as usual, as in the command. */
  private get chosen(): { engine: string; time: number; strategies?: string } {
    const { engine, strategies, time } = this.options.value;
    return { engine, time, ...(strategies ? { strategies } : {}) };
  }

  // -- checks

  async runCheck(only?: number[]): Promise<void> {
    const { deadlock } = this.options.value;
    const text = this.asked;
    const before = only ? this.results.value.filter((one) => !only.includes(one.index)) : [];
    const what = { do: "check" as const, ...this.model, ...this.chosen, ...(deadlock ? { deadlock } : {}), ...(only ? { only } : {}) };
    await this.check.begin(
      what,
      (event) => this.heard(event),
      () => {
        this.results.value = before;
        this.warnings.value = [];
        this.questions.value = [];
        this.facts.value = null;
        this.reported.value = null;
        this.checkedText.value = text;
      },
    );
  }

  private heard(event: Event): void {
    if (event.event === "loaded") {
      this.system.value = event.system;
      this.questions.value = event.questions;
    } else if (event.event === "answered") {
      this.results.value = [...this.results.value, event.result].sort((one, other) => one.index - other.index);
      if (this.selected.value === null && event.result.verdict === "fails") this.selected.value = event.result.index;
    } else if (event.event === "warned") {
      this.warnings.value = [...this.warnings.value, event.diagnostic];
    } else if (event.event === "withdrawn") {
      this.warnings.value = event.left;
    } else if (event.event === "report") {
      this.reported.value = event.id;
    } else if (event.event === "finished") {
      this.facts.value = event.facts ?? null;
      this.remember();
    }
  }

  private remember(): void {
    if (!this.results.value.length) return;
    const { engine, strategies } = this.options.value;
    const sizes = Object.entries(this.model.parameters).map(([name, value]) => `${name} = ${value}, `).join("");
    const label = `${new Date().toLocaleTimeString()} · ${sizes}engine ${engine}, strategies ${strategies || "as usual"}`;
    const verdicts = this.results.value.map(({ text, verdict }) => ({ text, verdict }));
    this.history.value = [...this.history.value, { label, verdicts }].slice(-20);
  }

  // -- the simulator

  async walk(more: Partial<Walk> = {}, run: Run | null = this.here.value?.run ?? null): Promise<void> {
    const text = this.text.value;
    const kept = this.walkedText.value === text || run !== this.here.value?.run ? run : null;
    try {
      const here = await ask("walk", { ...this.model, run: kept, ...more });
      const agent = this.knowledge.value?.agent;
      batch(() => {
        this.here.value = here;
        this.walkedText.value = text;
        this.knowledge.value = null;
        this.truths.value = this.truths.value.map(({ formula }) => ({ formula, answer: "…" }));
        if (here.remark) tell(here.remark);
      });
      if (agent) void this.whatKnows(agent);
      for (const { formula } of this.truths.value) void this.whether(formula);
    } catch (refused) {
      tell((refused as Error).message);
    }
  }

  async whatKnows(agent: string): Promise<void> {
    const run = this.here.value?.run;
    if (!run) return;
    try {
      const known = await ask("knows", { ...this.model, run, agent });
      if (this.here.value?.run === run) this.knowledge.value = known;
    } catch (refused) {
      tell((refused as Error).message);
    }
  }

  async whether(formula: string): Promise<void> {
    const run = this.here.value?.run;
    if (!run || !formula.trim()) return;
    const put = (answer: string) => {
      const rest = this.truths.value;
      const known = rest.some((one) => one.formula === formula);
      this.truths.value = known ? rest.map((one) => (one.formula === formula ? { formula, answer } : one)) : [...rest, { formula, answer }];
    };
    put("…");
    try {
      const said = await ask("truth", { ...this.model, run, formula });
      if (this.here.value?.run !== run) return;
      put(said.diagnostics.length ? said.diagnostics[0].message : said.true === null ? "no engine could tell" : said.true ? "true" : "false");
    } catch (refused) {
      put((refused as Error).message);
    }
  }

  // -- strategies

  async seek(): Promise<void> {
    await this.seeking.begin(
      { do: "strategy", ...this.model, formula: this.goal.value, ...this.chosen },
      (event) => {
        if (event.event === "strategy") this.found.value = event;
        if (event.event === "warned" && event.diagnostic.severity === "error") tell(event.diagnostic.message);
      },
      () => {
        this.found.value = null;
        this.plan.value = 0;
        this.playing.value = null;
      },
    );
  }

  async play(take?: number, run?: Run): Promise<void> {
    const plan = this.found.value?.plans[this.plan.value];
    if (!plan) return;
    try {
      this.playing.value = await ask("play", {
        ...this.model,
        strategy: plan.strategy,
        run: run ?? this.playing.value?.run ?? { states: plan.starts.slice(0, 1), actions: [] },
        ...(take === undefined ? {} : { take }),
      });
    } catch (refused) {
      tell((refused as Error).message);
    }
  }

  // -- the graph of all states

  async draw(): Promise<void> {
    await this.drawing.begin(
      { do: "graph", ...this.model, time: 60 },
      (event) => {
        if (event.event === "graph") this.graph.value = event;
        if (event.event === "remark") this.graphRemark.value = event.text;
        if (event.event === "warned" && event.diagnostic.severity === "error") this.graphRemark.value = event.diagnostic.message;
      },
      () => {
        this.graph.value = null;
        this.graphRemark.value = "";
      },
    );
  }

  // -- messages and drafts

  private analysing = 0;

  async analyse(): Promise<void> {
    const turn = ++this.analysing;
    try {
      const found = await ask("analyse", this.model);
      if (turn === this.analysing) this.analysis.value = found;
    } catch (refused) {
      if ((refused as Refused).status) tell((refused as Error).message);
    }
  }

  async save(anyway = false): Promise<boolean> {
    if (this.file === null) {
      download(this.name.value.endsWith(".ispl") ? this.name.value : `${this.name.value}.ispl`, this.written, "text/plain");
      return true;
    }
    const text = this.text.value;
    try {
      await call("POST", `/api/papers/${this.id}/save`, { text: this.written, anyway });
      this.saved.value = text;
      this.restored.value = false;
      tell(`Saved to ${this.file}.`);
      return true;
    } catch (refused) {
      if ((refused as Refused).status === 409 && confirm(`${(refused as Error).message}. Overwrite it?`)) return this.save(true);
      tell((refused as Error).message);
      return false;
    }
  }
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n");

export function download(name: string, content: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// -- all sheets

export const sheets = signal<Sheet[]>([]);
export const current = signal<Sheet | null>(null);

const KEPT = "epistrat-texts";

interface Kept {
  id: string;
  name: string;
  text: string;
  touched: number;
}

const remembered = (): Kept[] => {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "[]") as Kept[];
  } catch {
    return [];
  }
};

/** Put the server's texts on the desk; what this browser kept later than the server wins. */
export function lay(papers: PaperData[]): void {
  const kept = new Map(remembered().map((one) => [one.id, one]));
  const laid = papers.map((paper) => {
    const mine = kept.get(paper.id);
    kept.delete(paper.id);
    return mine && mine.touched / 1000 > paper.touched ? { ...paper, text: mine.text } : paper;
  });
  for (const mine of kept.values()) laid.push({ ...mine, file: null, saved: null });
  sheets.value = laid.map((paper) => new Sheet(paper));
  const last = localStorage.getItem("epistrat-current");
  current.value = sheets.value.find((one) => one.id === last) ?? sheets.value[0] ?? null;
  if (papers.some((paper) => paper.file) && !current.value?.file) current.value = sheets.value[0];
}

function keepHere(): void {
  const kept = sheets.value
    .filter((one) => one.dirty.value)
    .map((one) => ({ id: one.id, name: one.name.value, text: one.written, touched: Date.now() }));
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
    localStorage.setItem("epistrat-current", current.value?.id ?? "");
  } catch {
    // the browser's memory is full; the server keeps drafts too
  }
}

const waiting = new Map<string, number>();

/** Called after each change of a text: keep it here at once, on the server soon, and ask what is to be said about it. */
export function changed(sheet: Sheet): void {
  keepHere();
  clearTimeout(waiting.get(sheet.id));
  waiting.set(
    sheet.id,
    window.setTimeout(() => {
      void sheet.analyse();
      if (sheet.dirty.value || sheet.file) {
        call("PUT", `/api/papers/${sheet.id}`, { name: sheet.name.value, text: sheet.written }).catch(() => undefined);
      }
    }, 250),
  );
}

export function open(name: string, text: string): Sheet {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const id = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const sheet = new Sheet({ id, name, text, file: null, saved: null, touched: 0 });
  sheets.value = [...sheets.value, sheet];
  current.value = sheet;
  changed(sheet);
  return sheet;
}

export async function close(sheet: Sheet): Promise<void> {
  if (sheet.file && sheet.dirty.value && !confirm(`${sheet.name.value} has changes that are not saved. Close it all the same?`)) return;
  await sheet.check.stop();
  const place = sheets.value.indexOf(sheet);
  sheets.value = sheets.value.filter((one) => one !== sheet);
  if (current.value === sheet) current.value = sheets.value[Math.min(place, sheets.value.length - 1)] ?? null;
  keepHere();
  await call("DELETE", `/api/papers/${sheet.id}`).catch(() => undefined);
}

effect(() => {
  if (current.value) localStorage.setItem("epistrat-current", current.value.id);
});
