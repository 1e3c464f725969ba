import { describe, expect, it } from "vitest";
import { after, differences, differsAt, eventful, knowledgeIn, lastOf, runOf, shownAt, telling, type Track, trackOfRun, window } from "../src/film/track";
import type { State, System } from "../src/types";

const run = (...states: State[]): Track => trackOfRun({ states, actions: states.slice(1).map(() => ({ A: "go" })) }, [], "run");
const heads = run({ coin: "head", said: 0, same: 1 }, { coin: "head", said: 1, same: 1 });
const tails = run({ coin: "tail", said: 0, same: 1 }, { coin: "tail", said: 1, same: 1 }, { coin: "tail", said: 2, same: 1 });

describe("a film", () => {
  it("ends, repeats where the run does, and shows the ends of two runs together", () => {
    expect(after([heads], 0)).toBe(1);
    expect(after([heads], 1)).toBeNull();
    expect(after([{ ...heads, loop: 0 }], 1)).toBe(0);
    expect(lastOf([heads, tails])).toBe(2);
    expect(after([heads, tails], 1)).toBe(2);
    expect([0, 1, 2].map((at) => shownAt([heads, tails], heads, at))).toEqual([0, 0, 1]); // the ends look the same, so they are shown together
    expect([0, 1, 2].map((at) => shownAt([heads, tails], tails, at))).toEqual([0, 1, 2]);
  });
  it("has a lane for what changes and for what differs between two runs, also where it never changes", () => {
    const keys = ["coin", "said", "same"];
    expect(telling(keys, [heads])).toEqual(["said"]);
    expect(telling(keys, [heads, tails])).toEqual(["coin", "said"]);
    expect(differsAt([heads, tails], 0, "coin")).toBe(true);
    expect(differsAt([heads, tails], 0, "said")).toBe(false);
    expect(differsAt([heads], 0, "coin")).toBe(false);
  });
  it("says what differs at a moment", () => {
    const variables = ["coin", "said", "same"].map((key) => ({ key, agent: "", name: key, label: key, domain: "" }));
    const system = { variables } as unknown as System;
    expect(differences(system, [heads, tails], 0)).toEqual([{ label: "coin", values: ["head", "tail"] }]);
    expect(differences(system, [heads, tails], 2).map((one) => one.label)).toEqual(["coin", "said"]);
    expect(differences(system, [heads], 0)).toEqual([]);
  });
  it("is a run again", () => {
    expect(runOf(tails, 1)).toEqual({ states: tails.moments.slice(0, 2).map((one) => one.state), actions: [{ A: "go" }] });
    expect(runOf(tails).states.length).toBe(3);
  });
  it("shows the moments around the one that is looked at", () => {
    expect(window(10, 3)).toEqual([0, 10]);
    for (let at = 0; at < 200; at++) {
      const [from, to] = window(200, at);
      expect(to - from).toBe(40);
      expect(from <= at && at < to).toBe(true);
    }
  });
});

describe("what is watched", () => {
  it("are propositions that are not true all the time", () => {
    expect(eventful([[["p", "q"], ["p"]]])).toEqual(["q"]);
    expect(eventful([[["p"]], [[]]])).toEqual(["p"]);
    expect(eventful([])).toEqual([]);
  });
  it("is proposed from the knowledge in a formula", () => {
    expect(knowledgeIn("AG((odd and paid2) -> K(C1, paid2 or (a and b)))")).toEqual(["K(C1, paid2 or (a and b))"]);
    expect(knowledgeIn("GCK(all, K(A, p)) and K(A, p)")).toEqual(["GCK(all, K(A, p))", "K(A, p)"]);
    expect(knowledgeIn("E (p U q) and K(A, p")).toEqual([]);
  });
});
