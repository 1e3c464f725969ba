// A sheet is a text with everything that belongs to it: messages, answers, the simulator's run, a strategy.

import { batch, computed, signal } from "@preact/signals";
import { ask, call, type Refused, type Event } from "./api";
import { type About, Asked, changedSince, inWords, type Options, sameModel, sameQuestion, USUAL, withParts } from "./asked";
import { download } from "./files";
import { complain, tell } from "./notice";
import { grown, type Part, partOf } from "./graph/exploring";
import type { Past } from "./past";
import type { Analysis, Facts, Film, Here, Knowledge, Kripke, Message, PaperData, Picture, PlayHere, Result, Run, Said, State, StrategyTold, System, Walk } from "./types";
import { Work } from "./work";

export type View = "check" | "simulate" | "strategy" | "states" | "compare";

/** The answers of a check, as far as they are there. */
export interface Answers {
  system: System | null;
  questions: { index: number; text: string; name: string }[];
  results: Result[];
  warnings: Message[];
  facts: Facts | null;
  report: string | null;
  /** For formulae of which more than one piece of evidence was asked for: how many. */
  pieces: Record<number, number>;
}

const NONE: Answers = { system: null, questions: [], results: [], warnings: [], facts: null, report: null, pieces: {} };

/** A question about a state of the run, and its answer; null while it is not there. */
export interface Truth {
  formula: string;
  answer: string | null;
}

/** A question of the simulator that is being worked on. */
export interface Asking {
  id: string;
  words: string;
  since: number;
}

/** What was found for a goal. */
export type Sought = StrategyTold & { goal: string };

/** Two versions of a text, of which a person has to choose. */
export interface Conflict {
  kind: "draft" | "file";
  there: string;
  version: string;
}

/** What is kept of a sheet beside its text, over a reload and a restart. */
interface Kept {
  given: Record<string, number>;
  options: Options;
  view: View;
  answers: Asked<Answers> | null;
  ending: Work["ending"]["value"];
  checking: { id: string; about: About } | null;
  selected: number | null;
  history: Past[];
  here: Asked<Here> | null;
  watched: string[];
  goal: string;
  found: Asked<Sought> | null;
  seeking: { id: string; about: About; goal: string } | null;
}

const asked = <T>(one: Asked<T> | null | undefined): Asked<T> | null => (one ? new Asked(one.about, one.value) : null);

export class Sheet {
  readonly id: string;
  readonly name = signal("");
  readonly file: string | null;
  readonly saved = signal<string | null>(null);
  readonly text = signal("");
  readonly encoding = signal("utf-8");
  readonly crlf: boolean;
  readonly restored = signal(false);
  /** The text of the example that this is, until it is changed. */
  readonly example: { name: string; text: string } | null;

  /** Versions that the server knows: of the draft that this text was made from, and of the file. */
  base: string;
  seen: string;
  /** How many changes of each page are in the text. */
  readonly edits: Record<string, number>;
  readonly conflict = signal<Conflict | null>(null);
  /** Why the text is not kept by the server; empty if it is. */
  readonly unkept = signal("");

  readonly analysis = signal<Analysis | null>(null);
  /** The text and the sizes that the analysis is about. */
  private readonly analysed = signal("");
  /** Which version of the files that the text includes there is, as far as is known. */
  readonly parts = signal("");
  readonly given = signal<Record<string, number>>({});
  readonly view = signal<View>("check");
  readonly options = signal<Options>(USUAL);
  /** Whether a field shows another size than the one that counts: it is just being written. */
  readonly sizing = signal(false);

  readonly check = new Work();
  readonly answers = signal<Asked<Answers> | null>(null);
  readonly selected = signal<number | null>(null);
  readonly history = signal<Past[]>([]);
  /** The moment that the film of the selected formula shows; null: its last. */
  readonly moment = signal<number | null>(null);
  /** Which piece of evidence for the selected formula is shown, as soon as it is there. */
  readonly piece = signal(0);
  /** Whether a link said what is shown; what was shown before does not come back then. */
  led = false;
  /** Which slide of a lecture is shown. */
  readonly slide = signal(0);

  readonly asking = signal<Asking[]>([]);
  readonly here = signal<Asked<Here> | null>(null);
  readonly knowledge = signal<Knowledge | null>(null);
  readonly truths = signal<Truth[]>([]);

  readonly seeking = new Work();
  readonly goal = signal("");
  /** Whether somebody has written the goal, or cleared it: then none is proposed. */
  goalTyped = false;
  readonly found = signal<Asked<Sought> | null>(null);
  readonly plan = signal(0);
  readonly playing = signal<PlayHere | null>(null);

  readonly drawing = new Work();
  readonly graph = signal<Asked<{ system: System; picture: Picture }> | null>(null);
  readonly graphRemark = signal("");
  /** What is known of a graph that is too large to be drawn whole. */
  readonly part = signal<Asked<Part> | null>(null);

  readonly dirty = computed(() => this.saved.value !== this.text.value);
  /** Whether there is something of the person's own in it. */
  readonly own = computed(() => this.example === null || this.example.text !== this.text.value);

  /** What a question that is asked now is about. */
  readonly about = computed<About>(() => {
    const declared = this.analysis.value?.parameters;
    const given = Object.entries(this.given.value).filter(([name]) => !declared || declared.some((one) => one.name === name));
    return { text: this.text.value, parameters: Object.fromEntries(given), options: this.options.value, parts: this.parts.value };
  });
  /** Whether the analysis is about the text as it is now, so that its formulae have the numbers that answers have. */
  readonly fresh = computed(() => this.analysis.value !== null && this.analysis.value.parts === this.parts.value && this.analysed.value === this.read);
  /** All that takes time here. */
  readonly works: Work[] = [];
  readonly stale = computed(() => this.since(this.answers.value));

  constructor(data: PaperData, example: string | null = null) {
    this.works.push(this.check, this.seeking, this.drawing);
    this.id = data.id;
    this.name.value = data.name;
    this.file = data.file;
    this.crlf = data.text.includes("\r\n");
    this.saved.value = data.saved === null ? null : plain(data.saved);
    this.text.value = plain(data.text);
    this.encoding.value = data.encoding;
    this.base = data.version;
    this.edits = { ...data.edits };
    this.seen = data.draft ? data.base : data.saved_version;
    this.restored.value = data.saved !== null && data.saved !== data.text;
    this.example = example === null ? null : { name: example, text: plain(data.text) };
    if (data.draft && data.file && data.saved !== null && data.base !== data.saved_version && data.saved !== data.text)
      this.conflict.value = { kind: "file", there: plain(data.saved), version: data.saved_version };
  }

  /** The text as it is written into a file. */
  get written(): string {
    return this.asWritten(this.text.value);
  }

  asWritten(text: string): string {
    return this.crlf ? text.replaceAll("\n", "\r\n") : text;
  }

  /** In which way things have changed since this was answered; empty if they have not. */
  since(answer: Asked<unknown> | null): string {
    if (!answer) return "";
    return changedSince(answer.about, this.about.value) || (this.sizing.value ? SIZING : "");
  }

  /** The same for what depends on the model alone. */
  sinceModel(answer: Asked<unknown> | null): string {
    if (!answer) return "";
    if (sameModel(answer.about, this.about.value)) return this.sizing.value ? SIZING : "";
    return changedSince(answer.about, this.about.value);
  }

  /** What every question about a model says: the text, the values of its parameters, and which of the desk's texts it is. */
  model(about: About = this.about.value) {
    return { text: about.text, name: this.name.value, paper: this.id, parameters: about.parameters };
  }

  /** Give a parameter a value; without one, its default holds. */
  set(name: string, value: number | null): void {
    const { [name]: _, ...rest } = this.given.value;
    this.given.value = value === null ? rest : { ...rest, [name]: value };
    void this.analyse();
  }

  /** What the analysis reads. */
  private get read(): string {
    return JSON.stringify([this.text.value, this.given.value]);
  }

  /** The same for questions about a run or a state, which make no sense of another version of what the text includes. */
  private modelOf(about: About) {
    return { ...this.model(about), parts: about.parts ?? "" };
  }

  /** Hear which version of its parts the text has now; null: they are just changing. */
  heardOfParts(parts: string | null): void {
    if (parts === this.parts.value) return;
    if (parts !== null) this.parts.value = parts;
    void this.analyse();
  }

  private chosen(about: About) {
    const { engine, strategies, time } = about.options;
    return { engine, ...(strategies ? { strategies } : {}), ...(time ? { time } : {}) };
  }

  // -- checks

  /** Check all formulae, or only some; where more pieces of evidence are asked for, what was found before stays meanwhile. */
  async runCheck(only?: number[], examples?: number): Promise<void> {
    if (this.check.running.value) return tell("A check is under way.");
    const about = this.about.value;
    if (!examples) this.piece.value = 0;
    const { deadlock } = about.options;
    const before = this.answers.value;
    const same = only && before && sameQuestion(before.about, about) ? before.value : NONE;
    const kept = same.results.filter((one) => examples || !only?.includes(one.index));
    const pieces = { ...same.pieces, ...Object.fromEntries((only ?? []).map((index) => [index, examples ?? 1])) };
    const what = { do: "check" as const, ...this.model(about), ...this.chosen(about), ...(deadlock ? { deadlock } : {}), ...(only ? { only } : {}), ...(examples ? { examples } : {}) };
    await this.check.begin(what, (event) => this.heard(event), () => (this.answers.value = new Asked(about, { ...NONE, system: examples ? same.system : null, results: kept, pieces })));
  }

  /** Check one formula again: the one that reads so now, whichever number it has. */
  async checkAgain(index: number, text?: string): Promise<void> {
    if (!(await this.upToDate())) return tell("The text has just changed; try it again.");
    const same = (this.analysis.value?.formulae ?? []).filter((one) => text === undefined || bare(one.text) === bare(text));
    const found = same.find((one) => one.index === index) ?? same[0];
    if (!found && !this.stale.value) return this.runCheck([index]); // as it is checked, which no line of the text says
    if (!found) return tell("This formula does not stand in the text any more.");
    this.selected.value = found.index;
    await this.runCheck([found.index]);
  }

  private heard(event: Event): void {
    const answers = this.answers.value;
    if (!answers) return;
    const { results, warnings } = answers.value;
    const put = (more: Partial<Answers>) => (this.answers.value = answers.with(more));
    if (event.event === "loaded") {
      const about = withParts(answers.about, event.parts);
      const mixed = about === answers.about ? {} : { results: [], pieces: {} }; // what was kept is about another version of what is included
      this.answers.value = new Asked(about, { ...answers.value, ...mixed, system: event.system, questions: event.questions });
      this.heardOfParts(event.parts);
    }
    else if (event.event === "answered") {
      const { result } = event;
      put({ results: [...results.filter((one) => one.index !== result.index), result].sort((one, other) => one.index - other.index) });
      if (this.selected.value === null && result.verdict === "fails") this.selected.value = result.index;
    } else if (event.event === "warned") put({ warnings: [...warnings, event.diagnostic] });
    else if (event.event === "withdrawn") put({ warnings: event.left });
    else if (event.event === "report") put({ report: event.address ?? null });
    else if (event.event === "finished") {
      put({ facts: event.facts ?? null });
      this.remember(event.seconds ?? 0);
    }
  }

  private remember(seconds: number): void {
    const answers = this.answers.value;
    if (!answers?.value.results.length) return;
    const label = `${new Date().toLocaleTimeString()} · ${inWords(answers.about)}`;
    const verdicts = answers.value.results.map(({ text, verdict }) => ({ text, verdict }));
    const states = answers.value.facts?.states;
    const one: Past = { label, text: answers.about.text, states: states === null || states === undefined ? "" : String(states), seconds, verdicts };
    this.history.value = [...this.history.value, one].slice(-20);
  }

  // -- the simulator

  /** A question about a run; while it is worked on it is shown, and can be given up. */
  private async question<T>(words: string, put: (id: string) => Promise<T>): Promise<T> {
    const id = identifier();
    this.asking.value = [...this.asking.value, { id, words, since: Date.now() }];
    try {
      return await put(id);
    } finally {
      this.asking.value = this.asking.value.filter((one) => one.id !== id);
    }
  }

  giveUp(one: Asking): void {
    call("DELETE", `/api/ask/${one.id}`).catch(complain);
  }

  /** Go on with a run, about the text that the run belongs to; without one, begin with the text as it is now.  Whether that could be done. */
  async walk(more: Partial<Walk> = {}, run: Run | null = this.here.value?.value.run ?? null, about?: About): Promise<boolean> {
    const said = run && run === this.here.value?.value.run ? this.said : [];
    const of = about ?? (run && this.here.value ? this.here.value.about : this.about.value);
    try {
      const here = await this.question("walking", (id) => ask("walk", { ...(run ? this.modelOf(of) : this.model(of)), asked: id, run, said, ...more }));
      const agent = this.knowledge.value?.agent;
      this.here.value = new Asked(withParts(of, here.parts), here);
      this.heardOfParts(here.parts);
      if (this.worldsShown.value) void this.worlds();
      this.knowledge.value = null;
      this.truths.value = this.truths.value.map(({ formula }) => ({ formula, answer: null }));
      if (here.remark) tell(here.remark);
      if (agent) void this.whatKnows(agent);
      for (const { formula } of this.truths.value) void this.whether(formula);
      return true;
    } catch (refused) {
      complain(refused);
      return false;
    }
  }

  /** What was announced on the run. */
  get said(): Said[] {
    return this.here.value?.value.said ?? [];
  }

  async whatKnows(agent: string): Promise<void> {
    const here = this.here.value;
    if (!here) return;
    const { run } = here.value;
    try {
      const known = await this.question(`what ${agent} knows`, (id) => ask("knows", { ...this.modelOf(here.about), asked: id, run, said: this.said, agent }));
      if (this.here.value === here) this.knowledge.value = known;
    } catch (refused) {
      complain(refused);
    }
  }

  /** What is true at each moment of a run. */
  film(about: About, run: Run, formulae: string[], said: Said[] = []): Promise<Film> {
    return this.question(formulae.length ? "what is watched" : "what is true along the run", (id) => ask("film", { ...this.modelOf(about), asked: id, run, said, formulae }));
  }

  /** Watch a formula along runs, and ask whether it is true where the simulator stands. */
  async whether(formula: string): Promise<void> {
    const here = this.here.value;
    if (!formula.trim()) return;
    if (!here) {
      if (!this.truths.value.some((one) => one.formula === formula)) this.truths.value = [...this.truths.value, { formula, answer: null }];
      return;
    }
    const put = (answer: string | null) => {
      if (this.here.value !== here) return;
      const rest = this.truths.value;
      const known = rest.some((one) => one.formula === formula);
      this.truths.value = known ? rest.map((one) => (one.formula === formula ? { formula, answer } : one)) : [...rest, { formula, answer }];
    };
    put(null);
    try {
      const { run } = here.value;
      const said = await this.question(formula, (id) => ask("truth", { ...this.modelOf(here.about), asked: id, run, said: this.said, formula }));
      put(said.diagnostics.length ? said.diagnostics[0].message : said.true === null ? "no engine could tell" : said.true ? "true" : "false");
    } catch (refused) {
      put((refused as Error).message);
    }
  }

  /** What agents consider possible along a run; asked for where it is shown. */
  readonly kripke = signal<{ of: Asked<Here>; kripke: Kripke } | null>(null);
  readonly worldsShown = signal(false);

  async worlds(): Promise<void> {
    const here = this.here.value;
    if (!here) return;
    try {
      const found = await this.question("what is possible", (id) => ask("worlds", { ...this.modelOf(here.about), asked: id, run: here.value.run, said: this.said }));
      if (this.here.value === here) this.kripke.value = { of: here, kripke: found };
    } catch (refused) {
      if (this.here.value === here) this.worldsShown.value = false;
      complain(refused);
    }
  }

  // -- strategies

  private sought: { about: About; goal: string } | undefined;

  async seek(): Promise<void> {
    if (this.seeking.running.value) return tell("A strategy is being sought.");
    const [about, goal] = [this.about.value, this.goal.value.trim()];
    this.sought = { about, goal };
    await this.seeking.begin({ do: "strategy", ...this.model(about), formula: goal, ...this.chosen(about) }, this.hearing(about, goal), () => this.seekAnew());
  }

  /** In which way the question for a strategy has changed since it was answered; empty if it has not. */
  get sinceSought(): string {
    const found = this.found.value;
    return this.since(found) || (found && found.value.goal !== this.goal.value.trim() ? "another goal stands above now" : "");
  }

  private hearing(about: About, goal: string): (event: Event) => void {
    return (event) => {
      if (event.event === "strategy") {
        this.found.value = new Asked(withParts(about, event.parts), { ...event, goal });
        this.heardOfParts(event.parts);
      }
      if (event.event === "warned" && event.diagnostic.severity === "error") tell(event.diagnostic.message);
    };
  }

  private seekAnew(): void {
    this.found.value = null;
    this.plan.value = 0;
    this.playing.value = null;
  }

  /** Play against a strategy, in the model that it was found for. */
  async play(take?: number, run?: Run): Promise<void> {
    const found = this.found.value;
    const plan = found?.value.plans[this.plan.value];
    if (!found || !plan) return;
    try {
      const so = run ?? this.playing.value?.run ?? { states: plan.starts.slice(0, 1), actions: [] };
      const more = take === undefined ? {} : { take };
      const playing = await this.question("playing", (id) => ask("play", { ...this.modelOf(found.about), asked: id, strategy: plan.strategy, run: so, ...more }));
      if (this.found.value === found) this.playing.value = playing;
    } catch (refused) {
      complain(refused);
    }
  }

  // -- the graph of all states

  async draw(): Promise<void> {
    const about = this.about.value;
    await this.drawing.begin(
      { do: "graph", ...this.model(about), time: 60 },
      (event) => {
        if (event.event === "graph") {
          this.graph.value = new Asked(withParts(about, event.parts), event);
          this.heardOfParts(event.parts);
        }
        if (event.event === "remark") this.graphRemark.value = event.text;
        if (event.event === "finished" && !this.graph.value && !["rejected", "interrupted"].includes(event.how)) void this.explore();
        if (event.event === "warned" && event.diagnostic.severity === "error") this.graphRemark.value = event.diagnostic.message;
      },
      () => {
        this.graph.value = null;
        this.part.value = null;
        this.graphRemark.value = "";
      },
    );
  }

  /** Explore the graph step by step: look into a state, add initial states, or begin anew, perhaps as one agent sees it. */
  async explore({ state, begin, agent = "" }: { state?: State; begin?: number; agent?: string } = {}): Promise<void> {
    const known = state || begin ? this.part.value : null;
    const about = known?.about ?? this.part.value?.about ?? this.about.value;
    try {
      const found = await this.question("exploring", (id) => ask("explore", { ...this.modelOf(about), asked: id, ...(state ? { states: [state] } : {}), ...(begin ? { begin } : {}), ...(agent ? { agent } : {}) }));
      if (known && this.part.value && sameModel(this.part.value.about, about)) this.part.value = new Asked(about, grown(this.part.value.value, found, state ? [state] : []));
      else if (!known) this.part.value = new Asked(about, partOf(found, agent));
    } catch (refused) {
      complain(refused);
    }
  }

  // -- messages

  private analysing = 0;
  /** Called when an analysis is asked for, and when its answer is there: the editor maps places through what was typed meanwhile. */
  analysisSent: () => void = () => undefined;
  analysisCame: () => void = () => undefined;

  private latest: Promise<void> = Promise.resolve();

  analyse(): Promise<void> {
    this.latest = this.askAnalysis();
    return this.latest;
  }

  /** Wait for an analysis of the text as it is now; whether there is one, and the text is still the same. */
  async upToDate(): Promise<boolean> {
    const { read } = this;
    if (!this.fresh.value) void this.analyse();
    for (let waited: Promise<void> | null = null; waited !== this.latest; ) {
      waited = this.latest; // another one may be asked for meanwhile
      await waited;
    }
    return this.fresh.value && this.read === read;
  }

  private async askAnalysis(): Promise<void> {
    const turn = ++this.analysing;
    const read = this.read;
    this.analysisSent();
    try {
      const found = await ask("analyse", this.model());
      if (turn !== this.analysing) return;
      this.analysisCame();
      batch(() => {
        this.analysis.value = found;
        this.analysed.value = read;
        this.parts.value = found.parts;
      });
    } catch (refused) {
      if ((refused as Refused).status) complain(refused);
    }
  }

  // -- files

  /** Save into the file, or download; who has seen another version of the file is asked. */
  async save(more: { anyway?: boolean; utf8?: boolean } = {}): Promise<boolean> {
    if (this.file === null) {
      download(this.name.value.endsWith(".ispl") ? this.name.value : `${this.name.value}.ispl`, this.written, "text/plain");
      return true;
    }
    const text = this.text.value;
    try {
      const paper = await call<PaperData>("POST", `/api/papers/${this.id}/save`, { text: this.asWritten(text), base: this.seen, ...more });
      this.saved.value = text;
      this.seen = paper.saved_version;
      this.base = paper.version;
      this.encoding.value = paper.encoding;
      this.restored.value = false;
      this.conflict.value = null;
      tell(`Saved to ${this.file}.`);
      return true;
    } catch (refused) {
      const { status, message, details } = refused as Refused;
      if (status === 409 && details.there !== undefined) this.conflict.value = { kind: "file", there: plain(details.there), version: details.version ?? "" };
      else if (details.encoding) tell(message, { label: "Save as UTF-8", run: () => void this.save({ ...more, utf8: true }) });
      else tell(message);
      return false;
    }
  }

  // -- what is kept beside the text

  get kept(): Kept {
    const under = <T extends { about: About }>(work: Work, what: T | undefined) => (work.running.value && work.id.value && what ? { id: work.id.value, ...what } : null);
    return {
      given: this.given.value,
      options: this.options.value,
      view: this.view.value,
      answers: this.answers.value,
      ending: this.check.ending.value,
      checking: under(this.check, this.answers.value ? { about: this.answers.value.about } : undefined),
      selected: this.selected.value,
      history: this.history.value,
      here: this.here.value,
      watched: this.truths.value.map((one) => one.formula),
      goal: this.goal.value,
      found: this.found.value,
      seeking: under(this.seeking, this.sought),
    };
  }

  restore(kept: Partial<Kept>): void {
    if (this.led) return;
    this.given.value = kept.given ?? {};
    this.options.value = { ...USUAL, ...kept.options };
    this.view.value = kept.view ?? "check";
    this.answers.value = asked(kept.answers);
    this.check.ending.value = kept.ending ?? null;
    this.selected.value = kept.selected ?? null;
    this.history.value = kept.history ?? [];
    this.here.value = asked(kept.here);
    this.truths.value = (kept.watched ?? []).map((formula) => ({ formula, answer: null }));
    this.goal.value = kept.goal ?? "";
    this.found.value = asked(kept.found);
    if (kept.checking) {
      const { id, about } = kept.checking;
      const { results, pieces } = this.answers.value?.value ?? NONE;
      this.check.adopt(id, (event) => this.heard(event), () => (this.answers.value = new Asked(about, { ...NONE, results, pieces })));
    }
    if (kept.seeking) {
      const { id, about, goal } = kept.seeking;
      this.sought = { about, goal };
      this.seeking.adopt(id, this.hearing(about, goal), () => this.seekAnew());
    }
    for (const { formula } of this.truths.value) void this.whether(formula);
  }
}

const SIZING = "another size is being written (Enter takes it)";

/** A formula without what it may be written with: two that read the same are the same. */
const bare = (formula: string): string => formula.replace(/\s+|[();]/g, "");

export const plain = (text: string): string => text.replaceAll("\r\n", "\n");

/** Sixteen hexadecimal digits that nobody else has. */
export const identifier = (): string => [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
