import { describe, expect, it } from "vitest";
import { type Carried, packed, unpacked } from "../src/link";
import { storyOf } from "../src/story";
import { nameOfRun, pageOf, runsIn } from "../src/film/saved";
import type { Block, System } from "../src/types";

describe("a link", () => {
  const carried: Carried = { name: "Lampe – ä.ispl", text: "Agent A\n-- 😀 ∀\nend Agent\n".repeat(200), parameters: { n: 4 }, formula: 3, moment: 0, lecture: true };
  it("carries what it was given, and is short and plain", async () => {
    const word = await packed(carried);
    expect(word).toMatch(/^[\w-]+$/);
    expect(word.length).toBeLessThan(carried.text.length / 10);
    expect(await unpacked(word)).toEqual(carried);
  });
  it("that is broken, or is none, is refused in words", async () => {
    const word = await packed(carried);
    for (const wrong of ["", "x", "!!!", word.slice(0, 40), await packed({ ...carried, text: 3 as unknown as string })])
      await expect(unpacked(wrong)).rejects.toThrow(/This link cannot be read/);
  });
  it("that unpacks to more than the server takes is refused", async () => {
    const bomb = await packed({ ...carried, text: "-".repeat(8_000_001) });
    expect(bomb.length).toBeLessThan(20_000);
    await expect(unpacked(bomb)).rejects.toThrow(/the text in it is too long/);
  });
  it("carries nothing but numbers as sizes and places", async () => {
    const odd = { ...carried, name: 7, parameters: { n: "4", m: 2 }, formula: "1", moment: 1.5, lecture: "yes" } as unknown as Carried;
    expect(await unpacked(await packed(odd))).toEqual({ ...carried, name: "shared.ispl", parameters: { m: 2 }, formula: null, moment: null, lecture: false });
  });
});

describe("a story", () => {
  it("has a title, prose and drawings", () => {
    const text = "-- Lamp: who switched it?\n--\n-- Two people\n-- share a lamp.\n--\n--        (o)\n--     A --- B\n--\n-- expect: 1 holds\n\n-- not the story\nAgent A\n";
    expect(storyOf(text)).toEqual({
      title: "Lamp: who switched it?",
      parts: [
        { kind: "words", text: "Two people share a lamp." },
        { kind: "drawing", text: "   (o)\nA --- B" },
      ],
    });
  });
  it("may be missing", () => {
    expect(storyOf("Agent A\n-- late\n")).toEqual({ title: "", parts: [] });
    expect(storyOf("")).toEqual({ title: "", parts: [] });
  });
});

describe("a saved film", () => {
  const scene = (x: number) => ({ title: "t", loop: null, omitted: 0, moments: [{ index: 0, state: { x }, joint: null, acts: [], facts: [], changed: false, noticed: "" }] });
  const blocks: Block[] = [
    { kind: "say", text: "</script><script>alert(1)</script>" },
    { kind: "compare", left: scene(1), right: scene(2), agents: ["A"], shared: [] },
    { kind: "detail", title: "d", blocks: [{ kind: "scene", ...scene(3) }] },
  ];
  it("knows all the runs that it shows", () => {
    expect(runsIn(blocks).map((run) => run.states[0].x)).toEqual([1, 2, 3]);
    expect(new Set(runsIn(blocks).map(nameOfRun)).size).toBe(3);
  });
  it("cannot be left by what stands in a model", () => {
    const film = { title: "<b>&", formula: "", verdict: "holds", sentence: "", blocks, system: {} as System, watched: [], films: {} };
    const page = pageOf(film, "run()", "b{}");
    expect(page.match(/<\/script>/g)?.length).toBe(2);
    expect(page).toContain("<title>&lt;b>&amp;</title>");
    const data = /id="data">(.*?)<\/script>/s.exec(page)![1];
    expect(JSON.parse(data)).toEqual(film);
  });
});
