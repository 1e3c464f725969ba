import { describe, expect, it } from "vitest";
import { compared, loadedPast, type Past } from "../src/past";

const past = (verdicts: Past["verdicts"]): Past => ({ label: "", text: "t", states: "2", seconds: 1, verdicts });

describe("two checks", () => {
  it("are compared formula by formula, also where one of them lacks some", () => {
    const { lines, differences } = compared(past([{ text: "p", verdict: "holds" }, { text: "q", verdict: "fails" }]), past([{ text: "q", verdict: "unknown" }, { text: "p", verdict: "holds" }, { text: "r", verdict: "holds" }]));
    expect(lines.map((one) => [one.text, one.left, one.right, one.differs])).toEqual([
      ["p", "holds", "holds", false],
      ["q", "fails", "unknown", true],
      ["r", undefined, "holds", true],
    ]);
    expect(differences).toBe(2);
  });
});

describe("a report of the command", () => {
  it("has verdicts and perhaps a number of states, however large", () => {
    expect(loadedPast("a.json", JSON.stringify({ states: "123456789012345678901234567890", results: [{ formula: "EF p", verdict: "holds" }] })).states).toMatch(/^123456789012/);
    expect(loadedPast("a.json", JSON.stringify({ states: null, results: [] }))).toEqual({ label: "a.json", text: "", states: "", seconds: 0, verdicts: [] });
  });
  it("is refused in words where it is something else", () => {
    for (const content of ["", "{}", "[]", "null", '{"results": 3}', '{"results": [{"formula": 3, "verdict": "holds"}]}', '{"results": [{"formula": "p", "verdict": "<img>"}]}']) {
      expect(() => loadedPast("a.json", content), content).toThrow("does not hold what");
    }
  });
});
