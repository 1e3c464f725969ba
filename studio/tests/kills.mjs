// Nothing lost: while somebody types, the server, the page or the whole browser is killed at a random moment, again and again.  After
// each kill all is started anew, and every character that was typed more than a second before is looked for.
//
//     node kills.mjs EPISTRAT FOLDER [COUNT [SEED]]

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";
import { executable, SWITCHES } from "./browser.mjs";
import { random } from "./chance.mjs";

const [epistrat, folder, count = "100", seed = "1"] = process.argv.slice(2);
const { below, pick } = random(Number(seed));
const port = 18_000 + (process.pid % 10_000);
const profile = `${folder}/browser`;
const MAY_BE_LOST = 1000; // milliseconds
const pause = (time) => new Promise((done) => setTimeout(done, time));

// -- the two that are killed

let server;
let address;
async function serve() {
  for (let attempt = 0; attempt < 50; attempt++) {
    server = spawn(epistrat, ["studio", "--no-browser", "--port", String(port), "--drafts", `${folder}/drafts`, `${folder}/file.ispl`], { stdio: ["ignore", "pipe", "ignore"] });
    const line = await new Promise((done) => {
      server.stdout.once("data", (said) => done(String(said)));
      server.once("exit", () => done(""));
    });
    address = /http:\S+/.exec(line)?.[0];
    if (address) return;
    await pause(200); // the port is not free again yet
  }
  throw new Error("the server does not start");
}
const killServer = () => new Promise((done) => (server.once("exit", done), server.kill("SIGKILL")));

let context;
let page;
async function browse() {
  context = await chromium.launchPersistentContext(profile, { executablePath: executable(), args: SWITCHES, viewport: { width: 1100, height: 700 } });
  context.setDefaultTimeout(30_000);
  page = context.pages()[0] ?? (await context.newPage());
}

/** The processes of the browser that this script has started: they name its profile. */
function killBrowser() {
  for (const one of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (readFileSync(`/proc/${one}/cmdline`, "utf8").includes(profile)) process.kill(Number(one), "SIGKILL");
    } catch {
      // it has ended by itself
    }
  }
}
async function killPage() {
  const session = await context.newCDPSession(page);
  const gone = new Promise((done) => page.once("crash", done));
  session.send("Page.crash").catch(() => undefined);
  await gone;
}

const HOW = {
  server: killServer,
  page: killPage,
  browser: async () => killBrowser(),
  "server and browser": async () => (killBrowser(), await killServer()),
  "server and page": async () => (await killServer(), await killPage()),
};

// -- somebody who types

const content = () => page.locator(".editor .cm-content").evaluate((one) => (one.cmTile?.view ?? one.cmView.view).state.doc.toString());
/** A text that is in no file, and one that is; each turn is about one of them. */
const NAMES = ["diary.ispl", "file.ispl"];
writeFileSync(`${folder}/file.ispl`, "-- ");

async function look(name, anew = true) {
  if (anew) {
    await page.goto("about:blank");
    await page.goto(address);
  }
  const tab = page.locator(".tab", { hasText: name });
  await tab.first().waitFor();
  if (!/chosen/.test(await tab.first().getAttribute("class"))) await tab.first().locator("button").first().click();
  await page.locator(".editor .cm-content").waitFor();
}

await serve();
await browse();
await page.goto(address);
await page.locator('[data-test="new"]').click();
await page.locator(".tab.chosen button").first().dblclick();
await page.locator('[data-test="name"]').fill(NAMES[0]);
await page.keyboard.press("Enter");
await page.locator(".editor .cm-content").click();
await page.keyboard.press("Control+a");
await page.keyboard.insertText("-- ");
await pause(1500);
const told = Date.now();
const kills = {};
let lost = 0;
let conflicts = 0;
let typed = 0;
let longest = 0;
const known = {};
for (const name of NAMES) {
  await look(name, false);
  known[name] = await content();
}
for (let turn = 0; turn < Number(count); turn++) {
  const how = pick(Object.keys(HOW));
  const name = pick(NAMES);
  await look(name, false);
  await page.locator(".editor .cm-content").click();
  await page.keyboard.press("Control+End");
  const until = Date.now() + 200 + below(4000);
  const times = [];
  let text = known[name];
  let killed = 0;
  const letters = "abcdefghijklmnopqrstuvwxyz 0123456789";
  const typing = (async () => {
    while (!killed) {
      const letter = letters[below(letters.length)];
      text += letter;
      await page.keyboard.type(letter);
      times.push(Date.now());
      await pause(below(60));
    }
  })().catch(() => undefined);
  await pause(until - Date.now());
  killed = Date.now();
  await HOW[how]();
  await Promise.race([typing, pause(2000)]);
  const sure = known[name].length + times.filter((time) => time < killed - MAY_BE_LOST).length;
  kills[how] = (kills[how] ?? 0) + 1;
  typed += times.length;
  if (how.includes("server")) await serve();
  if (how.includes("browser")) await browse();
  else if (how.includes("page")) page = await context.newPage();
  await look(name);
  const versions = [await content()];
  const conflict = page.locator('[data-test="conflict"]');
  if (await conflict.count()) {
    conflicts++;
    await page.locator('[data-test="theirs"]').click();
    versions.push(await content());
  }
  const whole = versions.find((one) => text.startsWith(one) && one.length >= sure);
  if (whole === undefined) {
    lost++;
    console.log(`${name}, after the kill of ${how}: ${sure - Math.max(...versions.map((one) => one.length))} characters that were typed more than a second before are lost; ${versions.map((one) => JSON.stringify(one.slice(-30)))} instead of ${JSON.stringify(text.slice(-40))}`);
  } else longest = Math.max(longest, known[name].length + times.length - whole.length);
  known[name] = await content();
}
console.log(`${Object.values(kills).reduce((sum, one) => sum + one, 0)} kills (${Object.entries(kills).map(([one, many]) => `${one} ${many}`).join(", ")}) in ${((Date.now() - told) / 1000).toFixed(0)} s while ${typed} characters were typed`);
console.log(`${lost} times characters were lost that were typed more than a second before; at most ${longest} of the last second were; ${conflicts} conflicts`);
await context.close();
await killServer();
process.exit(lost || conflicts ? 1 : 0);
