import { describe, expect, it } from "vitest";
import { cube, lineage, lines, possibleFor } from "../src/worlds/worlds";
import type { Kripke, State, System } from "../src/types";

const keys = ["m1", "m2", "m3", "said"];
const system: System = {
  agents: [1, 2, 3].map((child) => ({ name: `C${child}`, actions: [], variables: [], sees: keys.filter((key) => key !== `m${child}`) })),
  variables: keys.map((key) => ({ key, agent: "E", name: key, label: key, domain: "0..1" })),
  groups: {},
  propositions: [],
  interleaved: false,
};
const world = (bits: string, said = 0): State => ({ m1: Number(bits[0]), m2: Number(bits[1]), m3: Number(bits[2]), said });
const marksOf = (state: State): number[] => [1, 2, 3].map((child) => Number(keys.filter((key) => key !== `m${child}`).map((key) => state[key]).join("")));
const at = (state: State, origin: number | null, out = false) => ({ state, origin, marks: marksOf(state), out });
const all = ["110", "000", "001", "010", "011", "100", "101", "111"];
/** Two children are muddy; father says that somebody is; nobody steps forward. */
const kripke: Kripke = {
  system,
  observers: ["C1", "C2", "C3"],
  moments: [
    { worlds: all.map((bits) => at(world(bits), null)), more: false },
    { worlds: all.filter((bits) => bits !== "000").map((bits) => at(world(bits, 1), all.indexOf(bits))), more: false },
    { worlds: ["110", "011", "101", "111"].map((bits) => at(world(bits, 0), all.filter((one) => one !== "000").indexOf(bits))), more: false },
  ],
};

describe("worlds", () => {
  const moments = lineage(kripke);
  it("keep their names, and are ruled out one after the other", () => {
    expect(moments.map((worlds) => worlds.length)).toEqual([8, 8, 8]);
    expect(moments.map((worlds) => worlds.filter((one) => one.gone).length)).toEqual([0, 1, 4]);
    const bits = (one: { state: State }) => keys.slice(0, 3).map((key) => one.state[key]).join("");
    for (const worlds of moments) for (const one of worlds) expect(bits(one)).toBe(bits(moments[0].find((other) => other.id === one.id)!));
    expect(moments.map((worlds) => worlds.filter((one) => one.actual).map(bits))).toEqual([["110"], ["110"], ["110"]]);
  });
  it("are the corners of a cube, all apart", () => {
    const corners = cube(system, moments[0], { width: 60, height: 30 })!;
    expect(new Set([...corners.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(8);
    expect(cube(system, moments[0].slice(0, 4), { width: 60, height: 30 })).toBeNull();
  });
  it("are joined for an agent that cannot tell them apart: the twelve edges of the cube", () => {
    const corners = cube(system, moments[0], { width: 60, height: 30 });
    const edges = kripke.observers.flatMap((_, observer) => lines(observer, moments[0], corners));
    expect(edges.length).toBe(12);
    expect(lines(0, moments[1], corners).length).toBe(3);
  });
  it("are joined by as few lines as will do", () => {
    expect(lines(0, moments[0].map((one) => ({ ...one, marks: [0] })), null).length).toBe(7);
  });
  it("are possible for one agent", () => {
    expect(kripke.observers.map((_, observer) => possibleFor(observer, moments[1]).size)).toEqual([2, 2, 2]);
    expect(kripke.observers.map((_, observer) => possibleFor(observer, moments[2]).size)).toEqual([1, 1, 2]);
  });
  it("are crossed out by what is said, and stay so", () => {
    const said: Kripke = { ...kripke, moments: [{ worlds: all.map((bits) => at(world(bits), null, bits === "000")), more: false }, kripke.moments[1]] };
    expect(lineage(said).map((worlds) => worlds.filter((one) => one.gone).map((one) => one.id))).toEqual([["w1"], ["w1"]]);
    expect(lines(0, lineage(said)[0], null).flat()).not.toContain("w1");
    // C1 cannot tell 100 from 000, which has been ruled out
    const alone: Kripke = { ...kripke, moments: [{ worlds: [at(world("100"), null), at(world("000"), null, true)], more: false }] };
    expect([...possibleFor(0, lineage(alone)[0])]).toEqual(["w0"]);
  });
  it("that divide have names of their own", () => {
    const two: Kripke = { ...kripke, moments: [{ worlds: [at(world("000"), null)], more: false }, { worlds: [at(world("000"), 0), at(world("100"), 0), at(world("111"), null)], more: false }] };
    expect(lineage(two)[1].map((one) => one.id)).toEqual(["w0", "w0/2", "w1"]);
  });
});
