// An answer with what it answers.  Nothing is shown as current that was said of another text, other sizes, or another reading.

import type { Verdict } from "./types";

/** How questions are asked; what is left open is as usual, as in the command. */
export interface Options {
  engine: string;
  strategies: string;
  time: number | null;
  deadlock: boolean;
}

export const USUAL: Options = { engine: "auto", strategies: "", time: null, deadlock: false };

/** What an answer is about. */
export interface About {
  text: string;
  parameters: Record<string, number>;
  options: Options;
  /** Which version of the files that the text includes; nothing or empty where it includes none. */
  parts?: string;
}

/** In place of a version: what is included changed while it was read, so that nobody can say what an answer is about. */
export const CHANGING = "changing";

/** The same question, about the version of what is included that an answer names. */
export function withParts(about: About, parts: string | null): About {
  const named = parts ?? CHANGING;
  return named === (about.parts ?? "") ? about : { ...about, parts: named };
}

const sameParts = (one: About, other: About): boolean => (one.parts ?? "") === (other.parts ?? "") && one.parts !== CHANGING;

/** Whether both are about the same model: the same text, what it includes, and the same sizes. */
export function sameModel(one: About, other: About): boolean {
  const sizes = (about: About) => JSON.stringify(Object.entries(about.parameters).sort(([a], [b]) => (a < b ? -1 : 1)));
  return one.text === other.text && sameParts(one, other) && sizes(one) === sizes(other);
}

/** Whether an answer to the one is an answer to the other.  Engines and limits decide whether there is a verdict, not which one. */
export const sameQuestion = (one: About, other: About): boolean =>
  sameModel(one, other) && one.options.strategies === other.options.strategies && one.options.deadlock === other.options.deadlock;

/** An answer and what it answers. */
export class Asked<T> {
  constructor(
    readonly about: About,
    readonly value: T,
  ) {}

  /** The same, with another value. */
  with(more: Partial<T>): Asked<T> {
    return new Asked(this.about, { ...this.value, ...more });
  }
}

/** In which way the question has changed since; empty if it has not. */
export function changedSince(then: About, now: About): string {
  if (then.text !== now.text) return "the text has changed since";
  if (!sameParts(then, now)) return "a file that the text includes has changed since";
  if (!sameModel(then, now)) return "this is about other sizes";
  if (!sameQuestion(then, now)) return "this was asked with other options";
  return "";
}

/** What a strategy panel may say where there is no plan to play against: unknown is never no; `shown`: rules or tables stand below. */
export function withoutPlan(verdict: Verdict, shown: boolean): string {
  if (verdict === "fails") return "There is no such strategy.";
  if (verdict === "holds") return shown ? "Yes." : "There is such a strategy, but it cannot be shown as rules.";
  return "Not decided.";
}

/** Whether a formula asks for a strategy: `<g>F p`, `#PR <<x>> ...`; not an announcement `<! p> q`, nor a comparison. */
export const asksForStrategy = (text: string): boolean => /^\s*(#\w+\s*)?<(?!\s*!)/.test(text);

/** Sizes and options of a question in words. */
export function inWords(about: About): string {
  const { engine, strategies, time } = about.options;
  const sizes = Object.entries(about.parameters).map(([name, value]) => `${name} = ${value}`);
  return [...sizes, `engine ${engine}`, ...(strategies ? [`strategies ${strategies}`] : []), ...(time ? [`${time} s`] : [])].join(", ");
}
