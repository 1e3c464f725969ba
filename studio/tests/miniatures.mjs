// Small pictures for the gallery, from the graphs that the page draws: node miniatures.mjs ADDRESS > ../src/miniatures.ts

import { readFileSync } from "node:fs";
import { launch, newPage } from "./browser.mjs";

const [address] = process.argv.slice(2);
/** The model, and the sizes that are drawn. */
const MODELS = [
  ["dining_cryptographers.ispl"], ["muddy_children.ispl"], ["card_game.ispl"], ["prisoners.ispl"], ["tian_ji.ispl"], ["gossip.ispl"], ["bit_transmission.ispl"], ["contract.ispl"],
  ["train_gate_controller.ispl"], ["authentication.ispl"], ["red_states.ispl"], ["scenarios/two-generals.ispl"], ["scenarios/russian-cards.ispl"], ["scenarios/hats.ispl"], ["scenarios/drinking-logicians.ispl"],
  ["scenarios/token-ring.ispl"], ["scenarios/consecutive-numbers.ispl"], ["scenarios/leader-election.ispl"], ["scenarios/lift.ispl"], ["scenarios/sum-and-product.ispl"], ["scenarios/contract-signing.ispl"],
  ["scenarios/faulty-trains.ispl"], ["scenarios/magic-box.ispl"], ["scenarios/cards.ispl"], ["scenarios/robots.ispl"], ["scenarios/cache-coherence.ispl"], ["scenarios/roll-call.ispl"], ["asynchronous/tunnel.ispl"], ["interleaved/mutual_exclusion.ispl"],
  ["agents/lights.ispl"], ["agents/lease.ispl"], ["agents/handoff_loop.ispl"], ["agents/approval.ispl"], ["scenarios/tunnels.ispl"],
];
const MOST = 130; // more dots are a cloud
const browser = await launch();
const { page } = await newPage(browser);
const part = (name) => page.locator(`[data-test="${name}"]`);
await page.goto(address);
await page.locator("main.gallery").waitFor();
const found = {};
for (const [name, sizes = ""] of MODELS) {
  try {
    if (!(await page.locator("main.gallery").count())) await part("gallery").click();
    await part(`example-${name}`).click();
    await page.waitForFunction(() => !/reading/.test(document.querySelector('[data-test="state-of-text"]')?.textContent ?? "reading"));
    for (const one of sizes.split(",").filter(Boolean)) {
      const [key, value] = one.split("=");
      await part(`parameter-${key}`).fill(value);
      await part(`parameter-${key}`).press("Enter");
    }
    await part("view-states").click();
    await part("draw").click();
    await page.locator("g.state").first().waitFor({ timeout: 20_000 });
    await page.waitForTimeout(600);
    const drawn = await page.evaluate(() => {
      const places = new Map([...document.querySelectorAll("svg.canvas g.state")].map((one) => {
        const [x, y] = one.style.transform.match(/-?[\d.]+/g).map(Number);
        const box = one.querySelector("rect");
        return [one.dataset.id, [x + Number(box.getAttribute("width")) / 2, y + Number(box.getAttribute("height")) / 2, one.classList.contains("initial") ? 1 : 0]];
      }));
      const edges = [...document.querySelectorAll("svg.canvas g.edge")].map((one) => [one.dataset.from, one.dataset.to]);
      return { places: [...places], edges };
    });
    if (drawn.places.length > MOST || drawn.places.length < 3) throw new Error(`${drawn.places.length} states`);
    const left = Math.min(...drawn.places.map(([, [x]]) => x));
    const top = Math.min(...drawn.places.map(([, [, y]]) => y));
    const wide = Math.max(1, Math.max(...drawn.places.map(([, [x]]) => x)) - left);
    const high = Math.max(1, Math.max(...drawn.places.map(([, [, y]]) => y)) - top);
    const [width, height] = [240, Math.round(Math.max(60, Math.min(80, (240 * high) / wide)))];
    const number = new Map(drawn.places.map(([id], index) => [id, index]));
    const dots = drawn.places.map(([, [x, y, initial]]) => [Math.round(((x - left) * width) / wide), Math.round(high > 1 ? ((y - top) * height) / high : height / 2), initial]);
    const lines = [...new Set(drawn.edges.filter(([from, to]) => from !== to && number.has(from) && number.has(to)).map(([from, to]) => [number.get(from), number.get(to)].sort((a, b) => a - b).join(",")))].map((one) => one.split(",").map(Number));
    found[name] = { width, height, dots, lines };
    console.error(`${name}: ${dots.length} states, ${lines.length} lines`);
  } catch (left) {
    console.error(`${name}: left out (${left.message.split("\n")[0]})`);
  }
}
await browser.close();
const head = readFileSync(new URL("../src/miniatures.ts", import.meta.url), "utf8").split("export const")[0];
console.log(`${head}export const miniatures: Record<string, Miniature> = {\n${Object.entries(found).map(([name, one]) => `  ${JSON.stringify(name)}: ${JSON.stringify(one)},`).join("\n")}\n};`);
