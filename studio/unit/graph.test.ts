import { describe, expect, it } from "vitest";
import { border, type Box, centre, nearest, route } from "../src/graph/geometry";
import { grown, partOf } from "../src/graph/exploring";
import { alikeTo, compact, differing, hueOf, joined, letters, meant, tellingApart, unfolded, viewOf } from "../src/graph/picture";
import { suited, treeOf } from "../src/graph/placing";
import type { Explored, Node, Picture, State, System } from "../src/types";

const system: System = {
  agents: [
    { name: "A", actions: ["go", "stay"], variables: ["A.x"], sees: ["A.x"] },
    { name: "B", actions: ["go"], variables: ["B.y", "B.lit"], sees: ["B.y", "B.lit"] },
  ],
  variables: [
    { key: "A.x", agent: "A", name: "x", label: "A.x", domain: "0..9" },
    { key: "B.y", agent: "B", name: "y", label: "B.y", domain: "0..9" },
    { key: "B.lit", agent: "B", name: "lit", label: "lit", domain: "boolean" },
  ],
  groups: {},
  propositions: [],
  interleaved: false,
};
const state = (x: number, y: number, lit = false): State => ({ "A.x": x, "B.y": y, "B.lit": lit });
const node = (id: string, of: State, ...marks: string[]): Node => ({ id, lines: [], marks, state: of });
const step = (from: string, to: string) => ({ from, to, label: "", kind: "step" as const, joint: null });

describe("a graph that is too dense for the layout", () => {
  it("keeps a tree that reaches every box once", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const boxes = ids.map((id) => ({ id, width: 1, height: 1 }));
    const lines = ids.flatMap((from) => ids.map((to) => ({ id: from + to, from, to, kind: "step" as const, room: 9 }))).filter((one) => one.from !== "e" && one.to !== "e");
    const tree = treeOf(boxes, lines);
    expect(tree.map((one) => one.id)).toEqual(["ab", "ac", "ad"]);
    expect(tree.every((one) => one.room === 0)).toBe(true);
  });
});

describe("labels of states", () => {
  const keys = system.variables.map((one) => one.key);
  it("name what differs, and as little as tells states apart", () => {
    const states = [state(0, 0), state(0, 1), state(1, 1, true)];
    expect(differing(keys, states)).toEqual(keys);
    const few = tellingApart(keys, states);
    expect(few.length).toBe(2);
    expect(new Set(states.map((one) => few.map((key) => one[key]).join())).size).toBe(3);
  });
  it("are short: only what is true is named", () => {
    expect(compact(system, keys, state(1, 2, true))).toEqual(["A.x=1, B.y=2, lit"]);
    expect(compact(system, keys, state(1, 2), 8)).toEqual(["A.x=1", "B.y=2"]);
    expect(compact(system, ["B.lit"], state(1, 2))).toEqual(["not lit"]);
    const bits: System = { ...system, variables: system.variables.map((one) => ({ ...one, domain: one.domain === "boolean" ? one.domain : "0..1" })) };
    expect(compact(bits, keys, state(1, 0))).toEqual(["A.x"]);
    expect(compact(bits, keys, state(0, 0))).toEqual(["none"]);
    expect(compact(system, keys, state(0, 0))).toEqual(["A.x=0, B.y=0"]);
  });
  it("are searched by what they say", () => {
    const found = (wanted: string) => [state(1, 2, true), state(1, 3), state(11, 2)].map((one) => meant(system, one, wanted));
    expect(found("lit")).toEqual([true, false, false]);
    expect(found("not lit")).toEqual([false, true, true]);
    expect(found("x = 1, B.y=2")).toEqual([true, false, false]);
    expect(found("X=11")).toEqual([false, false, true]);
    expect(found("it")).toEqual([false, false, false]);
  });
  it("name classes without end, each with its colour", () => {
    expect([0, 25, 26, 52].map(letters)).toEqual(["A", "Z", "AA", "BA"]);
    expect(new Set(Array.from({ length: 60 }, (_, index) => hueOf(index))).size).toBe(60);
  });
});

describe("a picture as one agent sees it", () => {
  const picture: Picture = { nodes: [node("a", state(0, 0), "initial"), node("b", state(0, 1)), node("c", state(1, 1))], edges: [step("a", "b"), step("b", "c")] };
  it("joins what looks the same", () => {
    const seen = joined(system, "A", picture);
    expect(seen.nodes.map((one) => [one.id, one.many])).toEqual([["a", 2], ["c", 1]]);
    expect(seen.edges.map((one) => [one.from, one.to])).toEqual([["a", "a"], ["a", "c"]]);
  });
  it("has lines between what looks the same, and only there", () => {
    const lines = alikeTo(system, "A", picture.nodes);
    expect(lines.map((one) => [one.from, one.to])).toEqual([["a", "b"]]);
    for (const { from, to } of lines) {
      const [one, other] = [from, to].map((id) => picture.nodes.find((two) => two.id === id)!.state);
      expect(viewOf(system, "A", one)).toBe(viewOf(system, "A", other));
    }
  });
  it("is folded: what follows only a folded state is hidden", () => {
    expect([...unfolded(picture, new Set(["b"]))]).toEqual(["a", "b"]);
    expect([...unfolded(picture, new Set())]).toEqual(["a", "b", "c"]);
  });
  it("is laid out by what it is made of", () => {
    const line = (kind: "step" | "alike") => ({ id: "1", from: "a", to: "b", kind, room: 0 });
    expect(suited([line("alike")], 2)).toBe("spread");
    expect(suited([line("alike"), line("step")], 2)).toBe("layers");
  });
});

describe("a graph that is explored", () => {
  const found = (nodes: Node[], edges: Picture["edges"], open: string[]): Explored => ({ system, picture: { nodes, edges }, open, more_initial: false });
  it("keeps what is known, and knows what is open", () => {
    const first = partOf(found([node("x0", state(0, 0), "initial"), node("x1", state(1, 0))], [step("x0", "x1")], ["x1"]), "");
    expect(first.frontier.size).toBe(1);
    const into = first.picture.nodes[1].state;
    const second = grown(first, found([node("x0", into), node("x1", state(0, 0)), node("x2", state(2, 0))], [step("x0", "x1"), step("x0", "x2")], ["x1", "x2"]), [into]);
    expect(second.picture.nodes.length).toBe(3);
    expect(second.picture.edges.length).toBe(3);
    expect(second.picture.nodes[0].marks).toEqual(["initial"]);
    expect([...second.frontier].map((id) => second.picture.nodes.find((one) => one.id === id)!.state["A.x"])).toEqual([2]);
  });
});

describe("lines", () => {
  const box = (x: number, y: number): Box => ({ x, y, width: 60, height: 30 });
  it("leave a box at its border", () => {
    expect(border(box(0, 0), { x: 300, y: 15 })).toEqual({ x: 60, y: 15 });
    expect(border(box(0, 0), { x: 30, y: 300 })).toEqual({ x: 30, y: 30 });
  });
  it("go round a box in their way", () => {
    const [one, between, other] = [box(0, 0), box(150, 0), box(300, 0)];
    const numbers = (path: string) => path.match(/-?[\d.]+/g)!.map(Number);
    expect(numbers(route(one, other, [one, other]).path)[3]).toBeCloseTo(15);
    const bent = route(one, other, [one, between, other]);
    expect(Math.abs(numbers(bent.path)[3] - 15)).toBeGreaterThan(40);
    expect(bent.label.y < 0 || bent.label.y > 30).toBe(true);
  });
  it("are found by arrow keys", () => {
    const boxes = new Map([["a", box(0, 0)], ["b", box(100, 5)], ["c", box(10, 90)]]);
    expect(nearest("a", boxes, { x: 1, y: 0 })).toBe("b");
    expect(nearest("a", boxes, { x: 0, y: 1 })).toBe("c");
    expect(nearest("a", boxes, { x: -1, y: 0 })).toBe("a");
    expect(centre(boxes.get("a")!)).toEqual({ x: 30, y: 15 });
  });
});
