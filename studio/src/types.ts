// Made by `python -m epistrat.studio.typescript` from src/epistrat/studio/shapes; change that, then run it again.

export type Value = boolean | number | string;

export type State = Record<string, Value>;

export type Joint = Record<string, string>;

export type Verdict = "holds" | "fails" | "unknown";

/** States, and the joint actions between them. */
export interface Run {
  states: State[];
  actions: Joint[];
}

/** What was announced on a run, and at which of its moments. */
export interface Said {
  moment: number;
  formula: string;
}

/** An agent: what it can do, has and sees. */
export interface Agent {
  name: string;
  actions: string[];
  variables: string[];
  sees: string[];
}

/** A variable; its label is short where that is clear. */
export interface Variable {
  key: string;
  agent: string;
  name: string;
  label: string;
  domain: string;
}

/** Names: who there is, what each sees and can do. */
export interface System {
  agents: Agent[];
  variables: Variable[];
  groups: Record<string, string[]>;
  propositions: string[];
  interleaved: boolean;
}

/** A range of the text, in UTF-16 units. */
export interface Place {
  from: number;
  to: number;
}

/** What to write in place of a range. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** A way to mend the text. */
export interface Fix {
  title: string;
  edits: Edit[];
}

/** A message about the model. */
export interface Message {
  code: string;
  severity: "error" | "warning";
  message: string;
  label: string | null;
  notes: string[];
  line: number | null;
  column: number | null;
}

/** A message with its range in the text and ways to mend it. */
export interface Diagnostic {
  code: string;
  severity: "error" | "warning";
  message: string;
  label: string | null;
  notes: string[];
  line: number | null;
  column: number | null;
  from: number;
  to: number;
  fixes: Fix[];
}

/** A formula to check. */
export interface Formula {
  from: number;
  to: number;
  index: number;
  text: string;
  name: string;
}

/** A line of the outline; the range is that of its name. */
export interface OutlineEntry {
  from: number;
  to: number;
  name: string;
  kind: string;
  detail: string;
  children: OutlineEntry[];
}

/** A parameter: its usual value and its range; null where that has no end. */
export interface Parameter {
  name: string;
  value: number;
  least: number | null;
  most: number | null;
}

/** A word whose kind the page cannot tell by itself. */
export interface Token {
  from: number;
  to: number;
  kind: string;
}

/** Everything that is shown while a person types. */
export interface Analysis {
  diagnostics: Diagnostic[];
  formulae: Formula[];
  outline: OutlineEntry[];
  parameters: Parameter[];
  tokens: Token[];
  ok: boolean;
  parts: string;
}

/** Which version of the files that a text includes there is; empty where it includes none. */
export interface Parts {
  parts: string;
}

/** What could stand at a place: what is shown, and what is written in place of the range, perhaps with fields to fill in. */
export interface Offer {
  from: number;
  to: number;
  label: string;
  kind: string;
  detail: string;
  insert: string;
  snippet: boolean;
}

/** What is known of a word, in Markdown. */
export interface Hover {
  from: number;
  to: number;
  text: string;
}

/** The text in its canonical layout. */
export interface LaidOut {
  text: string;
}

/** A state that is drawn, or, put together by the page, so many alike. */
export interface Node {
  id: string;
  lines: string[];
  marks: string[];
  state: State;
  many?: number;
}

export interface Edge {
  from: string;
  to: string;
  label: string;
  kind: "step" | "alike";
  joint: Joint | null;
}

/** States as nodes, steps and look-alikes as edges. */
export interface Picture {
  nodes: Node[];
  edges: Edge[];
}

/** A state of a run, what was done to get to it, and what is worth saying of it. */
export interface Moment {
  index: number;
  state: State;
  joint: Joint | null;
  acts: string[];
  facts: string[];
  changed: boolean;
  noticed: string;
}

/** Moments of a run; from the last it goes on at ``loop``. */
export interface Scene {
  title: string;
  moments: Moment[];
  loop: number | null;
  omitted: number;
}

/** When an agent does what. */
export interface Rule {
  when: string;
  do: string;
}

/** The rules of one agent, in words. */
export interface Policy {
  agent: string;
  uniform: boolean;
  rules: Rule[];
}

/** A paragraph. */
export interface SayBlock {
  kind: "say";
  text: string;
}

/** A run. */
export interface SceneBlock {
  title: string;
  moments: Moment[];
  loop: number | null;
  omitted: number;
  kind: "scene";
}

/** Two runs that look the same to some agents. */
export interface CompareBlock {
  kind: "compare";
  left: Scene;
  right: Scene;
  agents: string[];
  shared: string[];
}

/** A strategy. */
export interface RulesBlock {
  kind: "rules";
  policies: Policy[];
}

/** What is shown on demand. */
export interface DetailBlock {
  kind: "detail";
  title: string;
  blocks: Block[];
}

export type Block = SayBlock | SceneBlock | CompareBlock | RulesBlock | DetailBlock;

/** Why a formula holds or fails: a sentence, details, and the states it speaks of. */
export interface Explanation {
  sentence: string;
  blocks: Block[];
  picture: Picture;
}

/** An answer with its explanations. */
export interface Result {
  index: number;
  text: string;
  name: string;
  verdict: Verdict;
  engine: string | null;
  seconds: number;
  why: string;
  reason: string | null;
  advice: string;
  notes: string[];
  trivial: string | null;
  property: string | null;
  rechecked: string[];
  complete: boolean;
  explanations: Explanation[];
  path: Run | null;
}

/** What is known of the states; a number too large for the page is a text. */
export interface Facts {
  states: number | string | null;
  dead_ends: string | null;
  reason: string | null;
}

/** A strategy: its rules, what can happen under it, where it starts, and how it was checked. */
export interface Plan {
  strategy: unknown;
  complete: boolean;
  policies: Policy[];
  picture: Picture;
  starts: State[];
  everywhere: boolean;
  verified: Verdict | null;
  entangled: string | null;
}

/** A step that is possible here. */
export interface Step {
  joint: Joint;
  acts: string[];
  target: State;
  changes: string[];
}

/** The lines of an agent that the last step executed. */
export interface Fired {
  agent: string;
  lines: string[];
}

/** Where a run has led to, what is possible and what is true there, and which lines the last step executed.

``initially``: it begins in an initial state; ``said``: what was announced on it; ``parts``: which version of what the text
includes it is about. */
export interface Here {
  system: System;
  initial: State[];
  more_initial: boolean;
  run: Run;
  said: Said[];
  initially: boolean;
  acts: string[][];
  steps: Step[];
  more_steps: boolean;
  true: string[];
  why: Fired[];
  remark: string;
  parts: string;
}

/** Where a run under a strategy has led to, and what the strategy does there. */
export interface PlayHere {
  system: System;
  initial: State[];
  more_initial: boolean;
  run: Run;
  said: Said[];
  initially: boolean;
  acts: string[][];
  steps: Step[];
  more_steps: boolean;
  true: string[];
  why: Fired[];
  remark: string;
  parts: string;
  choice: Joint | null;
  members: string[];
}

/** What an agent sees and knows, and the states that look like this one to it; ``reading`` says what it compares.

``undecided``: what was not found out in time. */
export interface Knowledge {
  agent: string;
  reading: string;
  sees: State;
  count: number | null;
  knows: string[];
  knows_not: string[];
  unsure: string[];
  undecided: string[];
  states: State[];
}

/** Whether a formula is true here; null where no engine could tell. */
export interface Truth {
  true: boolean | null;
  diagnostics: Message[];
}

/** A part of the graph of states; those in ``open`` may have more steps, and there may be more initial states. */
export interface Explored {
  system: System;
  picture: Picture;
  open: string[];
  more_initial: boolean;
}

/** A formula, whether it is true at each moment (null where that was not found out), or why it cannot be asked. */
export interface FilmRow {
  formula: string;
  cells: (boolean | null)[];
  problem: string;
}

/** What is true at each moment of a run: formulae that are watched, and the names of propositions. */
export interface Film {
  rows: FilmRow[];
  true: string[][];
}

/** A state that agents consider possible, and from which world of the moment before it came, if from any.

``marks``: for each observer a number that worlds share which look the same to it; ``out``: what was said at this moment rules it out. */
export interface World {
  state: State;
  origin: number | null;
  marks: number[];
  out: boolean;
}

/** The worlds of a moment, the actual one first; there may be ``more``. */
export interface WorldsOfMoment {
  worlds: World[];
  more: boolean;
}

/** What agents consider possible at each moment of a run. */
export interface Kripke {
  system: System;
  observers: string[];
  moments: WorldsOfMoment[];
}

/** The text that a call is about, and which of the desk's texts it is: what it includes lies beside the file of that.

``parts``: which version of what it includes is meant; where there is another one now, questions about runs are refused. */
export interface Call {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
}

/** A place in the text. */
export interface AtOffset {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  offset: number;
}

/** A place in the text, and another name for what it names. */
export interface Renaming {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  offset: number;
  to: string;
}

/** A run so far, and what was announced on it; ``asked`` names the question, so that it can be given up. */
export interface OnRun {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  run?: Run | null;
  said?: Said[];
}

/** How to go on. */
export interface Walk {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  run?: Run | null;
  said?: Said[];
  start?: number;
  take?: number;
  back?: number;
  random?: number;
  seek?: string;
  say?: string;
}

/** Whose knowledge is asked for. */
export interface Know {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  run?: Run | null;
  said?: Said[];
  agent: string;
}

/** Which formula is asked about. */
export interface Whether {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  run?: Run | null;
  said?: Said[];
  formula: string;
}

/** Which formulae are watched along a run. */
export interface Watched {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  run?: Run | null;
  said?: Said[];
  formulae: string[];
}

/** A strategy, and the others' choice. */
export interface Play {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  run?: Run | null;
  said?: Said[];
  strategy: unknown;
  take?: number;
}

/** Which states to look into, or from which initial state on, and who looks; ``asked`` names the question. */
export interface Explore {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  asked?: string;
  states?: State[];
  begin?: number;
  agent?: string;
}

/** The graph of all states, within so many seconds. */
export interface Graph {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  time?: number;
}

/** Settings of a request; one that is not given is as usual. */
export interface Asked {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  time?: number;
  engine?: string;
  strategies?: string;
  choices?: string;
  blocking?: string;
  scheduling?: string;
}

/** Which formulae to check: all, those with these numbers, or others; up to how many pieces of evidence are wanted for each.

``expect``: the verdicts are compared with those that the text expects. */
export interface Check {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  time?: number;
  engine?: string;
  strategies?: string;
  choices?: string;
  blocking?: string;
  scheduling?: string;
  only?: number[];
  formulae?: string[];
  expect?: boolean;
  examples?: number;
  deadlock?: boolean;
}

/** The formula that a strategy is sought for. */
export interface Seek {
  text: string;
  name: string;
  paper?: string;
  parts?: string;
  parameters?: Record<string, number>;
  time?: number;
  engine?: string;
  strategies?: string;
  choices?: string;
  blocking?: string;
  scheduling?: string;
  formula: string;
}

/** What is answered at once: what each question carries. */
export interface Questions {
  analyse: Call;
  complete: AtOffset;
  hover: AtOffset;
  define: AtOffset;
  occurrences: AtOffset;
  rename: Renaming;
  layout: Call;
  parts: Call;
  walk: Walk;
  knows: Know;
  truth: Whether;
  film: Watched;
  play: Play;
  explore: Explore;
  worlds: OnRun;
}

/** What is answered to each question. */
export interface Answers {
  analyse: Analysis;
  complete: Offer[];
  hover: Hover | null;
  define: Place | null;
  occurrences: Place[];
  rename: Edit[];
  layout: LaidOut;
  parts: Parts;
  walk: Here;
  knows: Knowledge;
  truth: Truth;
  film: Film;
  play: PlayHere;
  explore: Explored;
  worlds: Kripke;
}

/** What takes time: what each errand carries. */
export interface Errands {
  check: Check;
  strategy: Seek;
  graph: Graph;
}

/** Where the work stands; ``over`` is the last event of all. */
export interface Stage {
  event: "waiting" | "started" | "over";
}

/** There is a page with all answers; the server keeps it. */
export interface Paged {
  event: "report";
  html?: string;
  address?: string;
}

/** A formula that will be answered. */
export interface Question {
  index: number;
  text: string;
  name: string;
}

/** The text was read, with this version of what it includes; nothing is said of that where it changed meanwhile. */
export interface Loaded {
  event: "loaded";
  system: System;
  questions: Question[];
  parts: string | null;
}

/** What is being done: the how many-th of how many. */
export interface Progress {
  event: "progress";
  text: string;
  number: number;
  of: number;
}

/** A formula was answered. */
export interface Answered {
  event: "answered";
  result: Result;
}

/** There is something to say about the model. */
export interface Warned {
  event: "warned";
  diagnostic: Message;
}

/** Of what was said about the model only this is still so. */
export interface Withdrawn {
  event: "withdrawn";
  left: Message[];
}

/** Something to say about the work. */
export interface Remark {
  event: "remark";
  text: string;
}

/** What was found out about a goal, and strategies for it. */
export interface StrategyTold {
  event: "strategy";
  system: System;
  parts: string | null;
  result: Result;
  plans: Plan[];
}

/** The graph of all states. */
export interface Drawn {
  event: "graph";
  system: System;
  parts: string | null;
  picture: Picture;
}

/** A verdict that is not what the text expects; ``index`` is the number of the formula, where it is about one. */
export interface Differing {
  words: string;
  index: number | null;
}

/** How the work ended, and, where that was asked for, what is not as expected. */
export interface Finished {
  event: "finished";
  how: string;
  reason: string;
  facts?: Facts;
  seconds?: number;
  differing?: Differing[];
}

export type Event = Stage | Paged | Loaded | Progress | Answered | Warned | Withdrawn | Remark | StrategyTold | Drawn | Finished;

/** A text on the desk; ``saved`` is what its file held when it was read, ``draft``: it is kept, but not in its file.

Versions are names of texts: of this one, of the file's, and of the file's from which this one was made (``base``).  ``by`` is the page
that wrote it, ``edits`` says of each page how many of its changes are in it. */
export interface PaperData {
  id: string;
  name: string;
  text: string;
  file: string | null;
  saved: string | null;
  touched: number;
  encoding: string;
  version: string;
  saved_version: string;
  base: string;
  draft: boolean;
  by: string;
  edits: Record<string, number>;
}

/** A text that was closed and can be opened again. */
export interface Closed {
  id: string;
  name: string;
}

/** A model to begin with: how much it asks of its reader (1 to 3), whether one should start with it, and the scenario, if there is
one, that tells the same story in any size. */
export interface Example {
  name: string;
  title: string;
  story: string;
  level: number;
  start: boolean;
  twin: string;
}

/** What the form offers for a setting: its words and its values. */
export interface Choice {
  words: string;
  values: string[];
}

/** What the form offers; without a value a setting is as usual. */
export interface Settings {
  engine: Choice;
  strategies: Choice;
  choices: Choice;
  blocking: Choice;
  scheduling: Choice;
}

/** What lies on the desk, and what else there is. */
export interface DeskData {
  version: string;
  papers: PaperData[];
  examples: Example[];
  settings: Settings;
  operators: string[];
  closed: Closed[];
}
