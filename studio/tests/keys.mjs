// The whole story with the keyboard alone: node keys.mjs ADDRESS LONG_MODEL FOLDER.  No mouse moves in this script, and nothing is clicked.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { launch, newPage } from "./browser.mjs";

const [address, , folder] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
const { page, wrong } = await newPage(browser);
const part = (name) => page.locator(`[data-test="${name}"]`);
const told = Date.now();
const act = (name) => console.log(`${((Date.now() - told) / 1000).toFixed(1).padStart(6)} s  ${name}`);
const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

/** Tab until this has the focus, as somebody does who sees where the focus is. */
async function tabTo(where, most = 200) {
  const one = typeof where === "string" ? part(where).first() : where;
  await one.waitFor();
  for (let count = 0; count < most; count++) {
    if (await one.evaluate((element) => element === document.activeElement)) {
      assert.ok(await one.evaluate((element) => element.matches(":focus-visible") && (getComputedStyle(element).outlineStyle !== "none" || getComputedStyle(element).boxShadow !== "none" || element.closest(".cm-editor, g.state") !== null)), `${where}: the focus is to be seen`);
      return;
    }
    if (await page.evaluate(() => document.activeElement?.closest(".cm-content"))) await press("Escape");
    await press("Tab");
  }
  throw new Error(`${where} is not reached with the Tab key`);
}
const go = async (where, key = "Enter") => (await tabTo(where), press(key));

async function accessible(name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
  assert.deepEqual(found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target).slice(0, 3).join(" | ")}`), [], `axe finds problems in ${name}`);
}

// -- the gallery, the tour

await page.goto(address);
await part("tour-gallery").waitFor();
await page.waitForTimeout(400);
await accessible("the gallery");
await go("tour-gallery");
await part("tour-card").waitFor();
await accessible("the tour");
const titles = new Set();
for (let stop = 1; stop <= 8; stop++) {
  await part("tour-card").getByText(`${stop} of 8`).waitFor();
  titles.add(await part("tour-card").locator("h2").textContent());
  await page.locator(".pointed").waitFor();
  if (stop === 3) await part("summary").waitFor();
  await press("Enter");
}
await part("tour-card").waitFor({ state: "detached" });
assert.equal(titles.size, 8);
act("the gallery and the tour");

// -- a model of one's own: write, mend, check

await go("new");
await tabTo(page.locator(".editor .cm-content"));
await press("Control+End");
await page.keyboard.type("Formulae AG (lit -> Y !lit); end Formulae\n");
await press("Control+Enter");
await page.waitForTimeout(500);
await press("Control+z", "Control+z", "Control+z", "Control+z");
await page.locator(".editor .cm-content").focus();
await press("Control+a");
await page.keyboard.insertText(`Agent Lamp
    Vars: on : boolean; end Vars
    Actions = {press, wait};
    Protocol: Other : {press, wait}; end Protocol
    Evolution: on = true if on = false and Action = press; on = false if on = true and Action = press; end Evolution
end Agent
Evaluation lit if Lamp.onn = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Groups lamp = {Lamp}; end Groups
Formulae
    EF lit;
    AG !lit;
    <lamp>F lit;
    -- exercise: the lamp is lit now, or after one step it can be
    -- solution: lit or EX lit
    lit;
end Formulae
`);
await go("fix");
await page.waitForFunction(() => document.querySelector('[data-test="state-of-text"]')?.textContent === "no mistakes");
act("a mistake is mended");
await press("Control+Enter");
await part("summary").waitFor();
if ((await part("formula-2").getAttribute("aria-expanded")) !== "true") await go("formula-2");
await tabTo(page.locator('.answer .film [data-test="slider"]').first());
await press("Home");
await page.locator(".answer .film [data-test=moment]").first().getByText("moment 0").waitFor();
await press("End");
act("verdicts and a film");

// -- an exercise: wrong, with the evidence as hint, then right

await tabTo("answer");
await press("Control+a");
await page.keyboard.type("lit");
await go("try");
await part("tried").getByText("Not yet").waitFor();
await page.locator("[data-test=tried] .explanation").first().waitFor();
await accessible("an exercise");
await tabTo("answer");
await press("Control+a");
await page.keyboard.type("EX lit or lit");
await page.locator(".exercises [data-test=stale]").waitFor();
await press("Enter");
await part("tried").getByText("Right").waitFor();
act("an exercise");

// -- simulate, ask, find a strategy, play, draw

await tabTo(page.locator("#tab-check"));
await press("ArrowRight");
await go("start");
await go("step");
await page.getByRole("heading", { name: "State 1" }).waitFor();
await tabTo("truth-input");
await page.keyboard.type("lit or EF lit");
await press("Enter");
await page.locator(".truths .badge.holds").first().waitFor();
await go("worlds");
await page.locator(".kripke g.state").first().waitFor();
await tabTo(page.locator("#tab-simulate"));
await press("ArrowRight");
await go("seek");
await go("play");
await part("playing").waitFor();
await tabTo(page.locator("#tab-strategy"));
await press("ArrowRight");
await go("draw");
await page.locator("g.state").first().waitFor();
await page.waitForTimeout(300);
await tabTo(page.locator("g.state[tabindex='0']"));
await press("ArrowRight", "Enter");
await page.locator("g.state.focus").waitFor();
act("simulator, strategy, graph");

// -- the width of the text, the size of its letters

const width = () => page.locator("section.text").evaluate((one) => one.clientWidth);
const wide = await width();
await tabTo("divider");
await press("ArrowRight", "ArrowRight");
assert.ok((await width()) > wide + 60);
const size = () => page.locator(".cm-editor").evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
const small = await size();
await go("larger");
assert.equal(await size(), small + 1);
await tabTo("divider");
await press("ArrowLeft", "ArrowLeft");
act("the width of the text, the size of its letters");

// -- rename, lecture, save, close, undo

await tabTo(page.locator(".tab.chosen button").first());
await press("F2");
await page.keyboard.type("by-hand.ispl");
await press("Enter");
await page.locator(".tab.chosen", { hasText: "by-hand.ispl" }).waitFor();
await go("lecture-mode");
await part("slide").getByText("1 of 5").waitFor();
await page.waitForTimeout(200);
await press("ArrowRight", "ArrowRight");
await part("slide").getByText("3 of 5").waitFor();
await press("Escape");
const [saved] = await Promise.all([page.waitForEvent("download"), press("Control+s")]);
await saved.saveAs(`${folder}/by-hand.ispl`);
assert.match(readFileSync(`${folder}/by-hand.ispl`, "utf8"), /EX lit or lit/);
await go(page.locator(".tab.chosen .close"));
await go("notice-action");
await page.locator(".tab.chosen", { hasText: "by-hand.ispl" }).waitFor();
act("rename, lecture, save, close and undo");

assert.deepEqual(wrong, [], "the browser's console has errors");
await browser.close();
