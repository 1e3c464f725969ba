// The gallery: models to learn from, by how much they ask of who reads them, each with a small picture of its states.

import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { call } from "./api";
import { current, gallery, open, sheets } from "./desk";
import { textShown } from "./layout";
import { type Miniature as Dots, miniatures } from "./miniatures";
import { complain } from "./notice";
import { tour } from "./tour";
import type { Example } from "./types";
import { Words } from "./words";

export const examples = signal<Example[]>([]);

export async function openExample(one: { name: string }): Promise<void> {
  try {
    const { text } = await call<{ text: string }>("GET", `/api/examples/${one.name}`);
    const name = one.name.split("/").pop()!;
    const known = sheets.value.find((sheet) => sheet.example?.name === one.name && sheet.text.value === text);
    if (known) current.value = known;
    else open(name, text, one.name);
    gallery.value = false;
    textShown.value = true;
  } catch (refused) {
    complain(refused);
  }
}

const grid = (across: number, down: number): Dots => {
  const dots: Dots["dots"] = [];
  const lines: Dots["lines"] = [];
  for (let x = 0; x < across; x++)
    for (let y = 0; y < down; y++) {
      dots.push([x * 30, (down - 1 - y) * 20, x + y === 0 ? 1 : 0]);
      if (x) lines.push([dots.length - 1 - down, dots.length - 1]);
      if (y) lines.push([dots.length - 2, dots.length - 1]);
    }
  return { width: (across - 1) * 30, height: (down - 1) * 20, dots, lines };
};

/** Those one should start with are drawn as everybody draws them: who sits at the table, the cube of worlds, the six deals, numbers that grow. */
const OWN: Record<string, Dots> = {
  "dining_cryptographers.ispl": { width: 120, height: 76, dots: [[60, 0, 1], [8, 76, 1], [112, 76, 1], [34, 38, 0], [86, 38, 0], [60, 76, 0]], lines: [[0, 3], [3, 1], [1, 5], [5, 2], [2, 4], [4, 0]] },
  "muddy_children.ispl": {
    width: 120,
    height: 76,
    dots: [[0, 76, 0], [70, 76, 0], [0, 24, 0], [70, 24, 0], [48, 54, 0], [118, 54, 0], [48, 2, 0], [118, 2, 1]],
    lines: [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]],
  },
  "card_game.ispl": { width: 100, height: 76, dots: [[25, 0, 1], [75, 0, 0], [100, 38, 0], [75, 76, 0], [25, 76, 0], [0, 38, 0]], lines: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 0]] },
  "unbounded/bakery.ispl": grid(8, 5),
};

/** The states of a model as dots, its steps as lines. */
function Miniature({ name }: { name: string }) {
  const drawn = OWN[name] ?? miniatures[name];
  if (!drawn) return null;
  const { width, height, dots, lines } = drawn;
  return (
    <svg class="miniature" viewBox={`-6 -6 ${width + 12} ${height + 12}`} aria-hidden="true">
      {lines.map(([from, to], index) => <line key={index} x1={dots[from][0]} y1={dots[from][1]} x2={dots[to][0]} y2={dots[to][1]} />)}
      {dots.map(([x, y, initial], index) => <circle key={index} cx={x} cy={y} r={dots.length > 40 ? 2.6 : 4} class={initial ? "initial" : ""} />)}
    </svg>
  );
}

/** The example of one size that tells the same story. */
const twinOf = (one: Example) => examples.value.find((other) => other.twin === one.name)?.name;

function Card({ example, fixed }: { example: Example; fixed?: Example }) {
  const [, head, rest] = /^([^(:]+): (.*)$/.exec(example.title) ?? ["", example.title, ""];
  const { story, start } = example;
  const most = start ? 130 : 200;
  return (
    <li>
      <button data-test={`example-${example.name}`} onClick={() => void openExample(example)}>
        <Miniature name={[example.name, fixed?.name, twinOf(example)].find((one) => one && (OWN[one] ?? miniatures[one])) ?? ""} />
        <b>{head}</b>
        {rest && <em>{rest}</em>}
        <span><Words text={story.length > most ? `${story.slice(0, most).replace(/\s\S*$/, "")} …` : story} /></span>
        {example.name.startsWith("scenarios/") && <span class="size">of any size</span>}
      </button>
      {fixed && <button class="quiet fixed" data-test={`example-${fixed.name}`} onClick={() => void openExample(fixed)}><span class="hidden">{head} </span>in one size, without parameters</button>}
    </li>
  );
}

const LEVELS = ["Easy", "A little more", "For the patient"];

export function Gallery() {
  const [wanted, setWanted] = useState("");
  const fits = (one: Example) => `${one.name} ${one.title} ${one.story}`.toLowerCase().includes(wanted.toLowerCase());
  const shown = examples.value.filter(fits);
  const start = shown.filter((one) => one.start).sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
  const told = new Set(shown.map((one) => one.name));
  const cards = shown.filter((one) => !one.start && !(one.twin && told.has(one.twin)));
  const fixed = (one: Example) => shown.find((other) => other.twin === one.name && !other.start);
  return (
    <main class="gallery">
      <div class="row">
        <h2>Models to learn from</h2>
        <input type="search" aria-label="Search the examples" placeholder="Search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      </div>
      {start.length > 0 && (
        <section class="start">
          <h3>Start here</h3>
          <p class="row"><button class="primary" data-test="tour-gallery" onClick={() => void tour()}>A tour of two minutes</button> <span class="soft">or one of these: what somebody knows, which worlds are possible, what somebody can bring about, and models without bounds</span></p>
          <ul>{start.map((one) => <Card key={one.name} example={one} />)}</ul>
        </section>
      )}
      {LEVELS.map((heading, index) => {
        const here = cards.filter((one) => one.level === index + 1);
        return here.length > 0 && (
          <section key={heading}>
            <h3>{heading}</h3>
            <ul>{here.map((one) => <Card key={one.name} example={one} fixed={fixed(one)} />)}</ul>
          </section>
        );
      })}
      {!shown.length && <p class="soft">{examples.value.length ? "No example matches." : "There are no examples here."}</p>}
    </main>
  );
}

/** As they build on each other. */
const ORDER = ["dining_cryptographers.ispl", "muddy_children.ispl", "card_game.ispl", "unbounded/bakery.ispl"];
