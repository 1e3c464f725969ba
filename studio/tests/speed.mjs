// How fast the page is: from the start of the server to the first paint, and how many frames a second a graph of 64 states is dragged at.
//
//     node speed.mjs EPISTRAT FOLDER

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { launch, newPage } from "./browser.mjs";

const [epistrat, folder] = process.argv.slice(2);
const lamps = [1, 2, 3, 4, 5, 6];
writeFileSync(
  `${folder}/lamps.ispl`,
  `Agent Lamps
    Vars: ${lamps.map((one) => `l${one} : boolean;`).join(" ")} end Vars
    Actions = {${lamps.map((one) => `p${one}`).join(", ")}};
    Protocol: Other : {${lamps.map((one) => `p${one}`).join(", ")}}; end Protocol
    Evolution: ${lamps.map((one) => `l${one} = true if l${one} = false and Action = p${one}; l${one} = false if l${one} = true and Action = p${one};`).join("\n        ")} end Evolution
end Agent
Evaluation all if ${lamps.map((one) => `Lamps.l${one} = true`).join(" and ")}; end Evaluation
InitStates ${lamps.map((one) => `Lamps.l${one} = false`).join(" and ")}; end InitStates
Formulae EF all; end Formulae
`,
);
const browser = await launch();
const begun = Date.now();
const server = spawn(epistrat, ["studio", "--no-browser", "--port", "0", "--drafts", `${folder}/speed`, `${folder}/lamps.ispl`], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((done) => server.stdout.once("data", (said) => done(/http:\S+/.exec(String(said))[0])));
const served = Date.now() - begun;
const { page } = await newPage(browser);
const paints = [];
for (let turn = 0; turn < 3; turn++) {
  await page.goto("about:blank");
  await page.goto(address);
  await page.locator(".cm-content").waitFor();
  paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
}
await page.locator('[data-test="view-states"]').click();
await page.locator('[data-test="draw"]').click();
await page.locator("g.state").nth(63).waitFor();
await page.locator('[data-test="fit"]').click();
await page.waitForTimeout(500);

/** Frames a second while the mouse moves, with a button held, from the middle of something. */
async function frames(where) {
  const box = await where.boundingBox();
  await page.mouse.move(box.x + 6, box.y + 6);
  await page.mouse.down();
  await page.evaluate(() => {
    globalThis.frames = [];
    const note = (time) => (globalThis.frames.push(time), (globalThis.noting = requestAnimationFrame(note)));
    globalThis.noting = requestAnimationFrame(note);
  });
  for (let step = 0; step < 90; step++) {
    await page.mouse.move(box.x + 6 + 60 * Math.sin(step / 8), box.y + 6 + 60 * Math.cos(step / 8));
    await page.waitForTimeout(10);
  }
  await page.mouse.up();
  const times = await page.evaluate(() => (cancelAnimationFrame(globalThis.noting), globalThis.frames));
  return (1000 * (times.length - 1)) / (times.at(-1) - times[0]);
}

const edges = await page.locator("g.edge").count();
const dragged = await frames(page.locator("g.state").nth(20));
const moved = await frames(page.locator("svg.canvas"));
const load = loadavg()[0].toFixed(1);
console.log(`load of the machine: ${load}`);
console.log(`from the start of the server to its address: ${served} ms; from the address to the first paint: ${paints.map((one) => `${Math.round(one)} ms`).join(", ")}`);
console.log(`64 states, ${edges} lines: a state is dragged at ${dragged.toFixed(0)} frames a second, the ground at ${moved.toFixed(0)}`);
await browser.close();
server.kill();
