// What the server sends; see src/epistrat/studio/data.py.

export type Value = boolean | number | string;
export type State = Record<string, Value>;
export type Joint = Record<string, string>;
export type Run = { states: State[]; actions: Joint[] };
export type Verdict = "holds" | "fails" | "unknown";

export interface Agent {
  name: string;
  actions: string[];
  variables: string[];
  sees: string[];
}

export interface Variable {
  key: string;
  agent: string;
  name: string;
  label: string;
  domain: string;
}

export interface System {
  agents: Agent[];
  variables: Variable[];
  groups: Record<string, string[]>;
  propositions: string[];
  interleaved: boolean;
}

export interface Edit {
  from: number;
  to: number;
  insert: string;
}

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
  fixes: { title: string; edits: Edit[] }[];
}

export interface Formula {
  index: number;
  text: string;
  name: string;
  from: number;
  to: number;
}

export interface OutlineEntry {
  name: string;
  kind: string;
  detail: string;
  from: number;
  to: number;
  children: OutlineEntry[];
}

export interface Analysis {
  diagnostics: Diagnostic[];
  formulae: Formula[];
  outline: OutlineEntry[];
  parameters: Parameter[];
  tokens: { from: number; to: number; kind: string }[];
  ok: boolean;
}

export interface Parameter {
  name: string;
  value: number;
  least: number | null;
  most: number | null;
}

export interface Node {
  id: string;
  lines: string[];
  marks: string[];
  state: State;
  /** How many states it stands for, if not for itself alone. */
  many?: number;
}

export interface Edge {
  from: string;
  to: string;
  label: string;
  kind: "step" | "alike";
  joint: Joint | null;
}

export interface Picture {
  nodes: Node[];
  edges: Edge[];
}

export interface Moment {
  index: number;
  state: State;
  joint: Joint | null;
  acts: string[];
  facts: string[];
  changed: boolean;
  noticed: string;
}

export interface Scene {
  title: string;
  moments: Moment[];
  loop: number | null;
  omitted: number;
}

export interface Policy {
  agent: string;
  uniform: boolean;
  rules: { when: string; do: string }[];
}

export type Block =
  | { kind: "say"; text: string }
  | ({ kind: "scene" } & Scene)
  | { kind: "compare"; left: Scene; right: Scene; agents: string[]; shared: string[] }
  | { kind: "rules"; policies: Policy[] }
  | { kind: "detail"; title: string; blocks: Block[] };

export interface Explanation {
  sentence: string;
  blocks: Block[];
  picture: Picture;
}

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

export interface Facts {
  states: number | string | null;
  dead_ends: string | null;
  reason: string | null;
}

export interface Step {
  joint: Joint;
  acts: string[];
  target: State;
  changes: string[];
}

export interface Here {
  system: System;
  initial: State[];
  more_initial: boolean;
  run: Run;
  acts: string[][];
  steps: Step[];
  more_steps: boolean;
  true: string[];
  why: { agent: string; lines: string[] }[];
  remark?: string;
}

export interface Knowledge {
  agent: string;
  sees: State;
  count: number | null;
  knows: string[];
  knows_not: string[];
  unsure: string[];
  states: State[];
}

export interface PlayHere extends Here {
  choice: Joint | null;
  members: string[];
}

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

export interface StrategyTold {
  system: System;
  result: Result;
  plans: Plan[];
}

export type Event = { id: string } & (
  | { event: "waiting" | "started" | "report" | "over" }
  | { event: "loaded"; system: System; questions: { index: number; text: string; name: string }[] }
  | { event: "progress"; text: string; number: number; of: number }
  | { event: "answered"; result: Result }
  | { event: "warned"; diagnostic: Diagnostic }
  | { event: "withdrawn"; left: Diagnostic[] }
  | { event: "remark"; text: string }
  | ({ event: "strategy" } & StrategyTold)
  | { event: "graph"; system: System; picture: Picture }
  | { event: "finished"; how: string; reason: string; facts?: Facts; seconds?: number }
);

export interface PaperData {
  id: string;
  name: string;
  text: string;
  file: string | null;
  saved: string | null;
  touched: number;
}

export interface Example {
  name: string;
  title: string;
  story: string;
}

/** What the form offers: for each setting its words and its values. */
export type Settings = Record<"engine" | "strategies" | "choices" | "blocking" | "scheduling", { words: string; values: string[] }>;

/** What the form says; an empty reading is the usual one. */
export interface Options {
  engine: string;
  strategies: string;
  time: number;
  deadlock: boolean;
}
