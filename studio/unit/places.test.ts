import { ChangeSet, Text } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { mapped } from "../src/places";

const length = 20;
const changes = (...list: { from: number; to?: number; insert?: string }[]) => ChangeSet.of(list, length);

describe("a range after changes", () => {
  it("moves with text before it", () => {
    expect(mapped(changes({ from: 0, insert: "abc" }), { from: 5, to: 8 })).toEqual({ from: 8, to: 11 });
    expect(mapped(changes({ from: 0, to: 2 }), { from: 5, to: 8 })).toEqual({ from: 3, to: 6 });
  });
  it("does not take in text beside it", () => {
    expect(mapped(changes({ from: 5, insert: "x" }), { from: 5, to: 8 })).toEqual({ from: 6, to: 9 });
    expect(mapped(changes({ from: 8, insert: "x" }), { from: 5, to: 8 })).toEqual({ from: 5, to: 8 });
  });
  it("is gone where it was written into or deleted, also by as many characters", () => {
    expect(mapped(changes({ from: 6, insert: "x" }), { from: 5, to: 8 })).toBeNull();
    expect(mapped(changes({ from: 6, to: 7, insert: "y" }), { from: 5, to: 8 })).toBeNull();
    expect(mapped(changes({ from: 0, to: 12 }), { from: 5, to: 8 })).toBeNull();
    expect(mapped(changes(), { from: 15, to: 25 })).toBeNull();
  });
  it("is the same text, whatever is typed elsewhere", () => {
    let seed = 1;
    const random = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
    for (let turn = 0; turn < 2000; turn++) {
      const doc = Text.of(["abcdefghijklmnopqrst"]);
      let all = ChangeSet.empty(length);
      for (let step = 0; step < 3; step++) {
        const from = random(all.newLength + 1);
        const to = Math.min(all.newLength, from + random(3));
        all = all.compose(ChangeSet.of({ from, to, insert: "#".repeat(random(3)) }, all.newLength));
      }
      const from = random(length);
      const to = from + 1 + random(length - from);
      const place = mapped(all, { from, to });
      if (place) expect(all.apply(doc).sliceString(place.from, place.to)).toBe(doc.sliceString(from, to));
    }
  });
});
