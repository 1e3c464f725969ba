// What is remembered of a check, for comparisons.  Values only.

import type { Verdict } from "./types";

export interface Past {
  label: string;
  /** The text that was checked; empty where that is not known. */
  text: string;
  /** How many states were reachable; empty where that was not found out. */
  states: string;
  seconds: number;
  verdicts: { text: string; verdict: Verdict }[];
}

const VERDICTS: readonly string[] = ["holds", "fails", "unknown"] satisfies Verdict[];

/** What `epistrat check --json` printed; an error, in words, where this is something else. */
export function loadedPast(name: string, content: string): Past {
  try {
    const data = JSON.parse(content) as { states?: unknown; results: { formula: string; verdict: Verdict }[] };
    const verdicts = data.results.map(({ formula, verdict }) => {
      if (typeof formula !== "string" || !VERDICTS.includes(verdict)) throw new Error("no verdict");
      return { text: formula, verdict };
    });
    const known = typeof data.states === "number" || (typeof data.states === "string" && /^\d+$/.test(data.states));
    return { label: name, text: "", states: known ? String(data.states) : "", seconds: 0, verdicts };
  } catch (wrong) {
    throw new Error("This file does not hold what `epistrat check --json` prints.", { cause: wrong });
  }
}

export interface Line {
  text: string;
  left?: Verdict;
  right?: Verdict;
  differs: boolean;
}

/** The verdicts of two checks, formula by formula; a formula that one of them lacks differs. */
export function compared(left: Past, right: Past): { lines: Line[]; differences: number } {
  const texts = [...new Set([...left.verdicts, ...right.verdicts].map((one) => one.text))];
  const verdict = (past: Past, text: string) => past.verdicts.find((one) => one.text === text)?.verdict;
  const lines = texts.map((text): Line => {
    const [one, other] = [verdict(left, text), verdict(right, text)];
    return { text, left: one, right: other, differs: one !== other };
  });
  return { lines, differences: lines.filter((one) => one.differs).length };
}
