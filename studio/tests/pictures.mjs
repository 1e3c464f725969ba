// Pictures of ten models for people to look at, and all of them small on one sheet: node pictures.mjs ADDRESS FOLDER [light|dark,WIDTH]...

import { existsSync, readFileSync } from "node:fs";

import { launch, newPage } from "./browser.mjs";

const [address, folder, ...wanted] = process.argv.slice(2);
/** The name of the picture, the model, its sizes, the view, and as whom the states are seen. */
const ONLY = process.env.ONLY?.split(",");
const PICTURES = [
  ["muddy-3", "scenarios/muddy-children.ispl", { n: 3 }, "worlds"],
  ["muddy-4", "scenarios/muddy-children.ispl", { n: 4 }, "worlds"],
  ["cryptographers", "dining_cryptographers.ispl", {}, "film", 3],
  ["prisoners", "scenarios/prisoners.ispl", {}, "film", 5],
  ["russian-cards", "scenarios/russian-cards.ispl", {}, "worlds"],
  ["gossip", "gossip.ispl", {}, "states", ""],
  ["tian-ji", "tian_ji.ispl", {}, "states", ""],
  ["bakery", "unbounded/bakery.ispl", {}, "states", ""],
  ["two-generals", "scenarios/two-generals.ispl", {}, "states", "South"],
  ["tunnels", "unbounded/tunnels.ispl", {}, "states", ""],
].filter(([name]) => !ONLY || ONLY.includes(name));
const SIZES = { 1280: 800, 1920: 1080, 390: 844 };
const kinds = wanted.length ? wanted.map((one) => one.split(/\s*,\s*/)) : [["light", "1280"], ["dark", "1920"], ["light", "390"]];
const browser = await launch();
for (const [theme, width] of kinds) {
  const { page } = await newPage(browser, { colorScheme: theme, viewport: { width: Number(width), height: SIZES[width] } });
  const part = (name) => page.locator(`[data-test="${name}"]`);
  await page.goto(address);
  await page.locator(".views, main.gallery").first().waitFor();
  for (const [name, model, sizes, view, more] of PICTURES) {
    try {
      if (!(await page.locator("main.gallery").count())) await part("gallery").click();
      await part(`example-${model}`).click();
      await page.waitForFunction(() => !/reading/.test(document.querySelector('[data-test="state-of-text"]')?.textContent ?? "reading"));
      for (const [key, value] of Object.entries(sizes)) {
        await part(`parameter-${key}`).fill(String(value));
        await part(`parameter-${key}`).press("Enter");
      }
      if (width === "390") await part("show-work").click();
      if (view === "film") {
        await part("view-check").click();
        await part("check").click();
        await part("summary").waitFor();
        if ((await part(`formula-${more}`).getAttribute("aria-expanded")) !== "true") await part(`formula-${more}`).click();
        await page.locator(".answer .film").first().scrollIntoViewIfNeeded();
      } else if (view === "worlds") {
        await part("view-simulate").click();
        if (await part("start").count()) await part("start").click();
        else await page.getByRole("button", { name: /Start again/ }).click();
        await part("initial").locator("option").first().waitFor({ state: "attached" });
        const offered = await part("initial").locator("option").evaluateAll((all) => all.map((one) => [one.textContent.match(/= 1/g)?.length ?? 0, one.value]));
        const [, muddiest] = offered.sort((one, other) => other[0] - one[0])[0];
        if (name.startsWith("muddy")) await part("initial").selectOption(muddiest);
        await page.waitForTimeout(400);
        await part("random").click();
        await page.getByRole("heading", { name: /State 1/ }).waitFor();
        if (!(await page.locator(".kripke").count())) await part("worlds").click();
        await page.locator(".kripke g.state").first().waitFor();
        await page.waitForTimeout(900);
        await page.locator(".kripke").first().scrollIntoViewIfNeeded();
      } else {
        await part("view-states").click();
        await part("draw").click();
        await page.locator("g.state").first().waitFor();
        if (more) await part("projection").selectOption(more);
      }
      await page.waitForTimeout(900);
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
      await page.locator({ film: ".answer .film", worlds: ".kripke svg.canvas", states: "figure.graph svg.canvas" }[view]).first().screenshot({ path: `${folder}/${name}-${theme}-${width}-drawing.png` });
    } catch (wrong) {
      console.log(`${name} ${theme} ${width}: ${wrong.message.split("\n").slice(0, 4).join(" ")}`);
      await page.screenshot({ path: `${folder}/${name}-${theme}-${width}.png` });
    }
  }
  await page.context().close();
  await sheet(`${theme}-${width}`, Number(width));
}

/** All pictures of one kind, small, five in a row: the whole page, and what is drawn in it. */
async function sheet(kind, width) {
  await onOneSheet(`ten-models-${kind}`, `${kind}`, width < 600 ? 190 : 300);
  await onOneSheet(`ten-drawings-${kind}`, `${kind}-drawing`, width < 600 ? 190 : 300);
}

async function onOneSheet(called, kind, small) {
  const { page } = await newPage(browser, { viewport: { width: 5 * (small + 10) + 10, height: 400 } });
  const file = (name) => `${folder}/${name}-${kind}.png`;
  const picture = (name) => (existsSync(file(name)) ? `data:image/png;base64,${readFileSync(file(name), "base64")}` : "");
  const looks = (view) => `border:1px solid #999${kind.endsWith("drawing") ? `;height:210px;object-position:top;object-fit:${view === "film" ? "cover" : "contain"}` : ""}`;
  const drawn = PICTURES.map(([name, , , view]) => `<figure style="margin:0"><img src="${picture(name)}" alt="" width="${small}" style="${looks(view)}"><figcaption>${name}</figcaption></figure>`);
  await page.setContent(`<body style="margin:10px;font:13px sans-serif;display:grid;grid-template-columns:repeat(5,${small}px);gap:10px">${drawn.join("")}`);
  await page.screenshot({ path: `${folder}/${called}.png`, fullPage: true });
  await page.context().close();
}
await browser.close();
