import { describe, expect, it } from "vitest";
import { type About, Asked, changedSince, inWords, sameModel, sameQuestion, USUAL, withoutPlan, withParts, asksForStrategy } from "../src/asked";

const about = (more: Partial<About> = {}): About => ({ text: "t", parameters: {}, options: USUAL, ...more });

describe("what an answer is about", () => {
  it("is the text, the sizes and the reading", () => {
    expect(sameQuestion(about(), about())).toBe(true);
    expect(sameQuestion(about(), about({ text: "u" }))).toBe(false);
    expect(sameQuestion(about({ parameters: { n: 3 } }), about({ parameters: { n: 4 } }))).toBe(false);
    expect(sameQuestion(about(), about({ options: { ...USUAL, strategies: "uniform" } }))).toBe(false);
    expect(sameQuestion(about(), about({ options: { ...USUAL, deadlock: true } }))).toBe(false);
  });
  it("is not the order of sizes, the engine or a limit", () => {
    expect(sameModel(about({ parameters: { a: 1, b: 2 } }), about({ parameters: { b: 2, a: 1 } }))).toBe(true);
    expect(sameQuestion(about(), about({ options: { ...USUAL, engine: "explicit", time: 1 } }))).toBe(true);
  });
  it("is said in words where it has changed", () => {
    expect(changedSince(about(), about())).toBe("");
    expect(changedSince(about(), about({ text: "u" }))).toMatch(/text/);
    expect(changedSince(about(), about({ parameters: { n: 4 } }))).toMatch(/sizes/);
    expect(changedSince(about(), about({ options: { ...USUAL, strategies: "any" } }))).toMatch(/options/);
    expect(inWords(about({ parameters: { n: 4 }, options: { ...USUAL, time: 2 } }))).toBe("n = 4, engine auto, 2 s");
  });
  it("is also which version of what the text includes was read", () => {
    expect(sameModel(about(), about({ parts: "" }))).toBe(true);
    expect(sameModel(about({ parts: "a" }), about({ parts: "a" }))).toBe(true);
    expect(sameModel(about({ parts: "a" }), about({ parts: "b" }))).toBe(false);
    expect(changedSince(about({ parts: "a" }), about({ parts: "b" }))).toMatch(/includes/);
    const one = about({ parts: "a" });
    expect(withParts(one, "a")).toBe(one);
    expect(withParts(one, "b")).toEqual(about({ parts: "b" }));
    // what changed while it was read is about nothing that is known, not even the same again
    expect(sameModel(withParts(one, null), withParts(one, null))).toBe(false);
    expect(withParts(about(), "")).toEqual(about());
  });
  it("stays with the answer", () => {
    const one = new Asked(about(), { a: 1, b: 2 });
    expect(one.with({ b: 3 })).toEqual(new Asked(about(), { a: 1, b: 3 }));
  });
});

describe("a strategy that was not found", () => {
  it("is only denied where that was proved", () => {
    expect(withoutPlan("fails", true)).toMatch(/no such strategy/);
    expect(withoutPlan("unknown", true)).toBe("Not decided.");
    expect(withoutPlan("holds", false)).toMatch(/cannot be shown/);
    expect(withoutPlan("holds", true)).toBe("Yes.");
  });
});

describe("a formula that asks for a strategy", () => {
  it("begins with one", () => {
    for (const text of ["<g>F p", " <<x>> [[y]] (A, x) (B, y) F p", "#PR <<x>> (A, x) F p"]) expect(asksForStrategy(text), text).toBe(true);
  });
  it("is no announcement, equivalence or comparison", () => {
    for (const text of ["<! p> K(A, p)", "AG (p <-> q)", "AG x < 3", "[[x]] (A, x) F p", "Nash"]) expect(asksForStrategy(text), text).toBe(false);
  });
});
