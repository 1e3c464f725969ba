import { describe, expect, it } from "vitest";
import { exercisesOf, sameEverywhere } from "../src/exercise";

describe("an exercise", () => {
  const text = `Protocol:
    -- exercise 2: when may the lamp be pressed?
    on = false and (tired < 3 or tired = 5): {wait};
    Other : {wait};
end Protocol
Formulae
    AG lit;
    -- exercise: the lamp
    -- is lit
    -- solution: K(Lamp, lit);

    goal: AG (lit -> lit);
    -- exercise: the last
    lit;
end Formulae`;
  it("has a task, perhaps a solution, and a hole behind a name or a condition", () => {
    const found = exercisesOf(text);
    expect(found.map(({ task, solution, answer }) => [task, solution, answer])).toEqual([
      ["when may the lamp be pressed?", null, "{wait}"],
      ["the lamp is lit", "K(Lamp, lit)", "AG (lit -> lit)"],
      ["the last", null, "lit"],
    ]);
    for (const one of found) expect(text.slice(one.from, one.to)).toBe(one.answer);
  });
  it("with a solution asks whether both are true in the same states", () => {
    expect(sameEverywhere(exercisesOf(text)[1])).toBe("AG ((AG (lit -> lit)) <-> (K(Lamp, lit)))");
  });
  it("without a statement after it is none", () => expect(exercisesOf("-- exercise: nothing\n-- more")).toEqual([]));
});
