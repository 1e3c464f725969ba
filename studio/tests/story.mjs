// A whole story in a real browser: node story.mjs ADDRESS LONG_MODEL FOLDER.  Each act prints a line; what goes wrong ends it.

import { strict as assert } from "node:assert";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { launch, newPage } from "./browser.mjs";

const [address, longModel, folder] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await launch();
const { page, wrong } = await newPage(browser);
const part = (name) => page.locator(`[data-test="${name}"]`);
const told = Date.now();
const act = (name) => console.log(`${((Date.now() - told) / 1000).toFixed(1).padStart(6)} s  ${name}`);

async function accessible(name) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  const said = found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => `${node.target} ${node.failureSummary}`).slice(0, 3).join(" | ")}`);
  assert.deepEqual(said, [], `axe finds problems in ${name}`);
}

const picture = (name) => page.screenshot({ path: `${folder}/${name}.png` });

async function replaceInText(old, now) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+f");
  await page.locator(".cm-search input[name=search]").fill(old);
  await page.locator(".cm-search input[name=replace]").fill(now);
  await page.locator(".cm-search button[name=next]").click();
  await page.locator(".cm-search button[name=replace]").click();
  await page.keyboard.press("Escape");
}

// -- the first sight

await page.goto(address);
await part("example-card_game.ispl").waitFor();
const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0);
act(`the page is there (first paint after ${Math.round(paint)} ms)`);

// -- open an example, break it, fix it

await part("example-card_game.ispl").click();
await page.waitForFunction(() => document.querySelector('[data-test="state-of-text"]')?.textContent === "no mistakes");
await replaceInText("wins if Environment.stage = played", "wins if Environment.stage = playd");
const message = part("messages").locator("li").first();
await message.waitFor();
assert.match(await message.textContent(), /line \d+:\d+.*played/s);
await page.locator(".cm-lintRange-error").first().waitFor();
act("a mistake is shown with its place");
await part("fix").first().click();
await page.waitForFunction(() => document.querySelector('[data-test="state-of-text"]')?.textContent === "no mistakes");
assert.ok((await page.locator(".cm-content").textContent()).includes("played"));
act("a quick fix mends it");

// -- the text survives a reload

await page.locator(".cm-content").click();
await page.keyboard.press("Control+End");
await page.keyboard.type("-- typed and not saved");
await page.waitForTimeout(50);
await page.reload();
await page.locator(".cm-content").click();
await page.keyboard.press("Control+End");
await page.getByText("-- typed and not saved").waitFor();
act("unsaved text is there after a reload");

// -- a family: set its size

await part("gallery").click();
await part("example-scenarios/dining-cryptographers.ispl").click();
await part("parameter-n").fill("5");
await part("parameter-n").press("Enter");
await page.getByText("instead of what the text says").waitFor();
await part("check").click();
await part("summary").waitFor();
assert.match(await part("summary").textContent(), /6 hold, 1 fails.*384 reachable states/);
act("n is set to 5 and the model is checked");

// -- check, read why

await part("gallery").click();
await part("example-dining_cryptographers.ispl").click();
await part("check").click();
await part("summary").waitFor();
assert.match(await part("summary").textContent(), /4 hold, 1 fails.*64 reachable states/);
await page.getByText("C1 cannot know").first().waitFor();
await page.getByText("What C1 cannot rule out").waitFor();
await page.getByText("Re-checked independently").first().waitFor();
act("a counterexample is explained in words");
await picture("studio-light");

// -- the film of the counterexample: two runs, one timeline

const film = page.locator(".answer .film").first();
assert.equal(await film.locator(".scene").count(), 2);
await film.locator('[data-test="differs"]').getByText(/coin23/).waitFor();
assert.ok((await film.locator("td .value.differs").count()) >= 2, "what differs between the runs is marked");
await film.locator('[data-test="moment"]').getByText("moment 1 of 1").waitFor();
await film.locator('[data-test="slider"]').focus();
await page.keyboard.press("ArrowLeft");
await film.locator('[data-test="moment"]').getByText("moment 0 of 1").waitFor();
await film.locator('[data-test="play-film"]').click();
await film.locator('[data-test="moment"]').getByText("moment 1 of 1").waitFor();
await film.getByRole("button", { name: "K(C1, paid2)" }).click();
const cells = film.locator("tr", { hasText: "K(C1, paid2)" });
await cells.first().locator(".cell").first().waitFor();
assert.deepEqual(await cells.first().locator(".cell").evaluateAll((all) => all.map((one) => one.textContent)), ["false", "false"]);
await film.locator('[data-test="watch"]').fill("K(C1, paid2 or paid3)");
await film.locator('[data-test="watch"]').press("Enter");
await film.locator("tr", { hasText: "paid2 or paid3" }).first().locator(".cell.true").waitFor();
assert.deepEqual(await film.locator("tr", { hasText: "paid2 or paid3" }).first().locator(".cell").evaluateAll((all) => all.map((one) => one.textContent)), ["false", "true"]);
act("the counterexample is a film of two runs, with what differs and what is watched");
await page.locator(".answer .film").first().scrollIntoViewIfNeeded();
await picture("studio-film");

// -- the next counterexample, as long as there is one

const seen = new Set([await film.textContent()]);
for (let piece = 2; piece <= 4; piece++) {
  await part("piece-next").click();
  await part("piece").getByText(`Counterexample ${piece} of`).waitFor();
  seen.add(await film.textContent());
}
assert.equal(seen.size, 4, "counterexamples differ");
await part("formula-3").click();
await part("formula-3").click();
act("there are more counterexamples, which differ");

// -- the film as a file: it needs no server, and can stand in another page

const [saved] = await Promise.all([page.waitForEvent("download"), part("save-film").click()]);
await saved.saveAs(`${folder}/film.html`);
writeFileSync(`${folder}/slides.html`, `<h1>A lecture</h1><iframe src="film.html#moment=0" width="900" height="700"></iframe><iframe sandbox="allow-scripts" src="film.html" width="900" height="700"></iframe>`);
const slides = await page.context().newPage();
const outside = [];
slides.on("request", (request) => !request.url().startsWith("file:") && outside.push(request.url()));
await slides.goto(`file://${folder}/slides.html`);
for (const [place, start] of [[0, 0], [1, 1]]) {
  const frame = slides.frameLocator("iframe").nth(place);
  await frame.locator('[data-test="moment"]').getByText(`moment ${start} of 1`).waitFor();
  await frame.getByRole("button", { name: start ? "Previous moment" : "Next moment" }).click();
  await frame.locator('[data-test="moment"]').getByText(`moment ${1 - start} of 1`).waitFor();
  await frame.locator("tr", { hasText: "K(C1, paid2)" }).first().locator(".cell.false").first().waitFor();
}
assert.deepEqual(outside, [], "a saved film asks for nothing");
await slides.close();
act("a film is a file that plays in a lecture page without a server");

// -- the graph, as one agent sees it

await part("as-graph").click();
await page.locator("g.state").first().waitFor();
assert.equal(await page.locator("g.state").count(), 4);
assert.ok((await page.locator("g.edge.alike").count()) >= 1 && (await page.locator("g.edge.step").count()) === 2);
await part("projection").selectOption("C1");
await page.waitForFunction(() => document.querySelectorAll("rect.class").length === 4);
await page.locator("g.state").first().click();
await page.locator(".looked .unseen").first().waitFor();
await part("fold").click();
await page.waitForFunction(() => document.querySelectorAll("g.state").length === 3);
await part("fold").click();
await page.waitForFunction(() => document.querySelectorAll("g.state").length === 4);
const places = () => page.locator("g.state").evaluateAll((all) => all.map((one) => one.style.transform));
const before = await places();
const grip = await page.locator("g.state").first().boundingBox();
await page.mouse.move(grip.x + 20, grip.y + 10);
await page.mouse.down();
await page.mouse.move(grip.x + 60, grip.y + 50, { steps: 5 });
await page.mouse.up();
assert.notEqual((await places())[0], before[0], "a state is dragged");
await page.locator("circle.pin").waitFor();
await part("unpin").click();
await page.waitForTimeout(400);
assert.deepEqual(await places(), before, "a pinned state is released");
const scale = () => page.locator("svg.canvas > g").first().evaluate((one) => Number(/scale\(([\d.]+)/.exec(one.getAttribute("transform"))?.[1]));
await page.locator("g.state").first().click();
const small = await scale();
await page.mouse.wheel(0, -400);
await page.waitForTimeout(200);
assert.ok((await scale()) > small * 1.2, "the wheel enlarges the graph that is used");
await part("fit").click();
await page.keyboard.press("Tab");
const [picture2] = await Promise.all([page.waitForEvent("download"), part("svg").click()]);
await picture2.saveAs(`${folder}/graph.svg`);
assert.match(readFileSync(`${folder}/graph.svg`, "utf8"), /^<svg[^>]*viewBox/);
const [pixels] = await Promise.all([page.waitForEvent("download"), part("png").click()]);
await pixels.saveAs(`${folder}/graph.png`);
assert.ok(readFileSync(`${folder}/graph.png`).length > 3000);
await part("whole").click();
await page.waitForFunction(() => document.querySelector("figure.graph.whole")?.clientHeight > 700);
await part("whole").click();
await page.waitForFunction(() => !document.querySelector("figure.graph.whole"));
act("the graph is projected to one agent, folded, dragged, enlarged, saved and shown on the whole screen");
await accessible("answers and a graph");

// -- on to the simulator

await page.locator(".switch button").first().click();
await part("walk").first().click();
await part("know-C1").click();
await page.getByText("cannot tell paid2").waitFor();
await page.locator(".know g.state").first().waitFor();
assert.equal(await page.locator(".know g.state").count(), 2);
await part("truth-input").fill("K(C1, paid2 or paid3)");
await part("truth-input").press("Enter");
await page.locator(".truths .badge.holds").waitFor();
await part("truth-input").fill("K(C1, paid2)");
await part("truth-input").press("Enter");
await page.locator(".truths .badge.fails").waitFor();
await part("back").click();
await page.getByText("State 0 (the first)").waitFor();
await part("random").click();
await page.getByRole("heading", { name: "State 1" }).waitFor();
act("the simulator goes on from the counterexample and says who knows what");
await accessible("the simulator");

// -- possible worlds: the muddy children as a cube, and what each step rules out

await part("gallery").click();
await part("example-muddy_children.ispl").click();
await part("view-simulate").click();
await part("start").click();
const muddy = await part("initial").locator("option", { hasText: "mud1 = 1, mud2 = 1, mud3 = 0" }).getAttribute("value");
await part("initial").selectOption(muddy);
await part("worlds").click();
await page.waitForFunction(() => document.querySelectorAll(".kripke g.state").length === 8);
assert.equal(await page.locator(".kripke g.edge").count(), 12, "the edges of a cube");
const corners = () => page.locator(".kripke g.state").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.id, one.style.transform])));
const standing = await corners();
for (const ruledOut of [1, 4]) {
  await part("random").click();
  await page.waitForFunction((many) => document.querySelectorAll(".kripke g.state.gone").length === many, ruledOut);
  assert.deepEqual(await corners(), standing, "worlds keep their places");
}
await part("mind-Child1").click();
await part("possible").getByText("Child1 considers 1 of 4").waitFor();
await part("mind-Child3").click();
await part("possible").getByText("Child3 considers 2 of 4").waitFor();
await page.locator('.film [data-test="slider"]').focus();
await page.keyboard.press("Home");
await page.waitForFunction(() => document.querySelectorAll(".kripke g.state.gone").length === 0);
act("possible worlds are a cube, and steps cross them out");
await page.waitForTimeout(700);
await accessible("possible worlds");

// -- all states

await page.locator(".tab", { hasText: "dining_" }).locator("button").first().click();
await part("view-states").click();
await part("draw").click();
await page.waitForFunction(() => document.querySelectorAll("g.state").length === 64);
const labels = await page.locator("g.state").evaluateAll((all) => all.map((one) => one.textContent));
assert.equal(new Set(labels).size, 64, "labels tell states apart");
await part("find").fill("C1.paid, coin12 = head");
await page.waitForFunction(() => /^\d+ of 64$/.test(document.querySelector('[data-test="hits"]')?.textContent));
assert.ok((await page.locator("g.state.hit").count()) < 20);
await part("find").fill("");
await part("projection").selectOption("C1");
await page.locator("rect.class").first().waitFor();
const marks = await page.locator("g.state").evaluateAll((all) => all.filter((one) => one.querySelector(".tag")).map((one) => `${one.querySelector(".tag").textContent} ${one.style.getPropertyValue("--hue")}`));
assert.equal(new Set(marks).size, new Set(marks.map((one) => one.split(" ")[1])).size, "every class has its own colour");
await page.locator("g.state").first().click();
const started = await page.locator("g.state.focus").getAttribute("data-id");
await page.keyboard.press("ArrowRight");
await page.waitForFunction((before) => document.activeElement?.matches("g.state.focus") && document.activeElement.dataset.id !== before, started);
act("all states are drawn, told apart, searched, and seen as one agent");

// -- more states than can be drawn: explored, and as one agent sees them

await part("gallery").click();
await part("example-unbounded/bakery.ispl").click();
await part("view-states").click();
await part("draw").click();
await part("part").waitFor();
await page.locator("g.state.frontier").first().waitFor();
const known = await page.locator("g.state").count();
await part("fit").click();
await page.waitForTimeout(300);
await page.locator("g.state.frontier").first().dblclick();
await page.waitForFunction((many) => document.querySelectorAll("g.state").length > many, known);
await part("gallery").click();
await part("example-scenarios/dining-cryptographers.ispl").click();
await part("parameter-n").fill("6");
await part("parameter-n").press("Enter");
await part("view-states").click();
await part("draw").click();
await part("more-initial").click();
await page.waitForFunction(() => document.querySelectorAll("g.state").length === 48);
await part("projection").selectOption({ index: 2 });
await part("join").check();
await part("part").getByText(/boxes/).waitFor();
await page.waitForFunction(() => /^×/.test(document.querySelector("g.state .tag")?.textContent));
assert.ok((await page.locator("g.state").count()) <= 200);
act("a graph of more than 200 states is explored, and joined by what an agent sees");
await accessible("a graph that is explored");

// -- a strategy, played against

await part("gallery").click();
await part("example-contract.ispl").click();
await part("view-strategy").click();
await page.waitForFunction(() => document.querySelector('[data-test="goal"]').value.startsWith("<partners>"));
await part("seek").click();
await part("play").click();
await part("playing").waitFor();
const won = page.locator(".play > p", { hasText: /True here:.*served/ });
for (let moves = 0; moves < 12 && !(await won.count()); moves++) {
  const before = await page.locator(".play th[data-moment]").count();
  await page.locator('[data-test="step"]').first().click();
  await page.waitForFunction((many) => document.querySelectorAll(".play th[data-moment]").length > many, before);
}
await won.waitFor();
act("the strategy wins against the person");
await part("theme").click();
await part("theme").click();
assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
await accessible("a strategy in the dark");
await picture("studio-dark");

// -- cancel a long check

await page.locator('input[aria-label="Open files"]').setInputFiles(longModel);
await page.getByLabel("engine").selectOption("explicit");
await part("check").click();
await part("progress").getByText(/states/).waitFor();
await part("cancel").click();
await page.getByText("Cancelled").waitFor();
await page.locator(".badge.unknown").first().waitFor();
act("a long check is cancelled");

// -- two lists of verdicts, the report

await page.locator(".tab", { hasText: "card_game" }).locator("button").first().click();
await part("view-check").click();
await part("check").click();
await part("summary").waitFor();
await page.getByLabel("strategies").selectOption("subjective");
await part("check").click();
await page.waitForFunction(() => document.querySelector('[data-test="summary"]')?.textContent.includes("fail"));
await part("view-compare").click();
await page.locator("tr.differs").first().waitFor();
act("two lists of verdicts are compared");
await part("view-check").click();
const [download] = await Promise.all([page.waitForEvent("download"), part("save-report").click()]);
await download.saveAs(`${folder}/report.html`);
const report = await page.context().newPage();
await report.goto(`file://${folder}/report.html`);
await report.getByText("fails").first().waitFor();
assert.ok((await report.locator("section").count()) >= 5);
const [opened] = await Promise.all([page.waitForEvent("popup"), part("report").click()]);
await opened.getByText("fails").first().waitFor();
act("the report is saved, opened, and needs nothing else");
await report.close();
await opened.close();

// -- a lecture: the story, then one formula after the other, by keys alone

await page.locator(".tab", { hasText: "dining_" }).locator("button").first().click();
await part("view-check").click();
await part("lecture-mode").click();
await page.getByRole("heading", { name: /Dining cryptographers/ }).waitFor();
assert.equal(await page.locator(".cm-content").count(), 0, "the text is hidden");
for (let slide = 0; slide < 3; slide++) await page.keyboard.press("ArrowRight");
await part("slide").getByText("4 of 6").waitFor();
await page.locator(".stage .film").first().waitFor();
assert.ok((await page.locator(".stage p.sentence").evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize))) > 20);
await page.locator(".stage .film [data-test=slider]").focus();
await page.keyboard.press("ArrowLeft");
await page.locator(".stage .film [data-test=moment]").getByText("moment 0 of 1").waitFor();
await page.keyboard.press("PageUp");
await part("slide").getByText("3 of 6").waitFor(); // a presenter's remote works wherever one is
await page.keyboard.press("PageDown");
await page.locator(".stage .film").first().waitFor();
await page.waitForTimeout(300);
await accessible("a lecture");
await picture("studio-lecture");
await page.keyboard.press("Escape");
await page.locator(".cm-content").waitFor();
act("a lecture goes by keys, and the text is hidden");

// -- a link carries the text, the formula and the moment

await page.locator('[data-test="formula-3"][aria-expanded="true"]').waitFor();
await page.locator('.answer .film [data-test="slider"]').first().focus();
await page.keyboard.press("Home");
await part("share").click();
await page.waitForFunction(() => location.hash.startsWith("#model="));
const link = page.url();
const requests = [];
page.on("request", (request) => requests.push(request.url()));
const { page: reader } = await newPage(browser);
await reader.goto(link);
await reader.getByText("The studio is locked").first().waitFor();
await reader.goto("about:blank");
await reader.goto(address); // unlocked, it shows what the link carried
await reader.locator('[data-test="formula-3"][aria-expanded="true"]').waitFor();

await reader.locator('.answer .film [data-test="moment"]').getByText("moment 0 of 1").waitFor();
assert.ok(!reader.url().includes("model="), "the link is gone from the address");
assert.ok(requests.every((one) => !one.includes("model=")), "nothing of the link is sent");
await reader.goto("about:blank");
await reader.goto(`${link.slice(0, link.indexOf("#"))}#model=broken`);
await reader.getByText("This link cannot be read").waitFor();
await reader.close();
act("a link carries the text, the formula and the moment, and is sent to nobody");

// -- on a telephone

await page.setViewportSize({ width: 390, height: 844 });
await part("theme").click();
await part("show-text").click();
await page.locator(".cm-content").waitFor();
await part("show-work").click();
await page.locator(".tab", { hasText: "dining_" }).locator("button").first().click();
await part("view-check").click();
await page.getByText("What C1 cannot rule out").waitFor();
const wide = await page.evaluate(() => document.documentElement.scrollWidth);
assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
await accessible("a narrow page");
await picture("studio-narrow");
act("everything fits into 390 pixels");

// -- by keyboard alone

await page.setViewportSize({ width: 1280, height: 860 });
await page.locator("#tab-check").focus();
await page.keyboard.press("ArrowRight");
assert.equal(await page.evaluate(() => document.activeElement.id), "tab-simulate");
await page.keyboard.press("ArrowLeft");
await page.locator(".cm-content").focus();
await page.keyboard.press("Control+Enter");
await part("summary").waitFor();
act("the keyboard reaches it");

assert.deepEqual(wrong, [], "the browser's console has errors");
await browser.close();
