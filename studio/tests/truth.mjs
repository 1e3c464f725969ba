// Nothing false: two pages with the same texts are clicked and edited at random while checks are under way, and each verdict that is
// shown as current is compared with `epistrat check` on the text, the sizes and the reading of strategies that are shown beside it.
//
//     node truth.mjs ADDRESS EPISTRAT FOLDER [SECONDS [SEED]]

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { launch, newPage } from "./browser.mjs";
import { random } from "./chance.mjs";

const [address, epistrat, folder, seconds = "60", seed = "1"] = process.argv.slice(2);
const { below, pick, chance } = random(Number(seed));
const told = Date.now();
const say = (words) => console.log(`${((Date.now() - told) / 1000).toFixed(1).padStart(6)} s  ${words}`);

// -- two texts, with places that can be written differently; verdicts depend on every one of them

const LAMP = `Agent Lamp
    Vars: on : boolean; tired : 0..3; end Vars
    Actions = {press, wait};
    Protocol: Other : {press, wait}; end Protocol
    Evolution:
        on = true if on = false and Action = press;
        on = false and tired = tired + 1 if on = true and Action = press and tired < 3;
    end Evolution
end Agent
Agent Blind
    Vars: hand : 0..1; end Vars
    Actions = {feel};
    Protocol: Other : {feel}; end Protocol
    Evolution: hand = 1 if Lamp.Action = press; end Evolution
end Agent
Evaluation lit if Lamp.on = true; worn if Lamp.tired = 3; touched if Blind.hand = 1; end Evaluation
InitStates Lamp.on = false and Lamp.tired = 0 and Blind.hand = 0; end InitStates
Groups lamp = {Lamp}; blind = {Blind}; end Groups
Formulae
    EF lit;
    AG !lit;
    AG (lit -> K(Blind, lit));
    EF worn;
    <lamp>F lit;
    <blind>F lit;
    AG (worn -> K(Blind, touched));
end Formulae
`;
const COUNTERS = `Parameters n = 3 in 1..5; end Parameters
Agent Counter[i in 1..n]
    Vars: x : 0..3; end Vars
    Actions = {up, stay};
    Protocol: x < 3 : {up, stay}; Other : {stay}; end Protocol
    Evolution: x = x + 1 if Action = up; end Evolution
end Agent
Evaluation
    full if forall i in 1..n: Counter[i].x = 3;
    one if Counter[1].x = 1;
end Evaluation
InitStates forall i in 1..n: Counter[i].x = 0; end InitStates
Groups everybody = {Counter[i in 1..n]}; first = {Counter[1]}; end Groups
Formulae
    EF full;
    AF full;
    AG (one -> K(Counter[1], one));
    <everybody>F full;
    <first>F full;
    AG !one;
end Formulae
`;
/** What can be written for each other. */
const SWAPS = {
  lamp: [
    ["on = true if on = false and Action = press", "on = false if on = false and Action = press"],
    ["Blind.hand = 0;", "Blind.hand = 1;"],
    ["lit if Lamp.on = true;", "lit if Lamp.on = false;"],
    ["AG !lit;", "AG lit;"],
    ["tired = tired + 1 if on = true", "tired = tired + 0 if on = true"],
    ["    EF lit;\n", "    EF worn;\n    EF lit;\n"],
  ],
  counters: [
    ["x < 3 : {up, stay}", "x < 3 : {up}"],
    ["one if Counter[1].x = 1", "one if Counter[1].x = 2"],
    ["    AG !one;\n", ""],
    ["    EF full;\n", "    EF !full;\n"],
    ["Counter[i].x = 3;", "Counter[i].x > 1;"],
  ],
};
const kindOf = (text) => (/Agent Lamp/.test(text) ? "lamp" : "counters");

// -- what a page shows, looked at up to thirty times a second

/** Runs in the page: notes each thing that is shown as current, with the text, the sizes and the reading that it is shown beside. */
function watch() {
  const seen = new Set();
  let before = new Set();
  globalThis.truths = [];
  const content = () => {
    const one = document.querySelector(".editor .cm-content");
    return one && (one.cmTile?.view ?? one.cmView.view).state.doc.toString();
  };
  const look = () => {
    const text = content();
    if (text === null || text === undefined) return;
    const sizes = Object.fromEntries([...document.querySelectorAll("[data-test^=parameter-]")].map((one) => [one.dataset.test.slice(10), one.value]));
    if (/^Parameters/m.test(text) && !Object.keys(sizes).length) return; // the fields are not there yet: nothing says which sizes are meant
    const strategies = [...document.querySelectorAll("label")].find((one) => one.textContent.startsWith("strategies"))?.querySelector("select")?.value;
    const shown = [];
    for (const one of document.querySelectorAll(".formulae li")) {
      const verdict = one.querySelector(".badge[data-current]")?.dataset.current;
      if (verdict) shown.push({ what: "verdict", index: Number(one.querySelector(".index").textContent), formula: one.querySelector("code").textContent, verdict });
    }
    const summary = document.querySelector('[data-test="summary"]')?.textContent ?? "";
    const states = /([\d,]+) reachable state/.exec(summary);
    if (states && !document.querySelector('[data-test="stale"]')) shown.push({ what: "states", states: Number(states[1].replaceAll(",", "")) });
    const lines = [...document.querySelectorAll(".editor .cm-line")].map((one) => [one.getBoundingClientRect().top, one.textContent]);
    const beside = (one) => lines.find(([top]) => Math.abs(top - one.parentElement.getBoundingClientRect().top) < 4)?.[1];
    const marks = [...document.querySelectorAll(".cm-gutter.verdicts button.verdict")].filter((one) => one.offsetParent).map((one) => ({ what: "mark", index: Number(/ormula (\d+)/.exec(one.title)[1]), formula: beside(one), verdict: one.classList[1] }));
    // the editor moves its gutter a moment after its lines: what stands there twice is shown
    const now = new Set(marks.map((one) => JSON.stringify([text, one])));
    shown.push(...marks.filter((one) => one.verdict !== "none" && one.formula !== undefined && before.has(JSON.stringify([text, one]))));
    before = now;
    const goal = document.querySelector('[data-test="goal"]')?.value;
    if (goal && !document.querySelector('[data-test="stale"]')) {
      const panel = document.querySelector("#view").textContent;
      if (/There is no such strategy/.test(panel)) shown.push({ what: "strategy", goal, verdict: "fails" });
      else if (document.querySelector('[data-test="play"], [data-test="playing"]')) shown.push({ what: "strategy", goal, verdict: "holds" });
    }
    for (const one of shown) {
      const word = JSON.stringify([text, sizes, strategies, one]);
      if (seen.has(word)) continue;
      seen.add(word);
      globalThis.truths.push({ text, sizes, strategies, ...one });
    }
  };
  // what is looked at is what is painted: the editor brings its gutter up to date before a frame, and a page that is not painted shows nothing
  const turn = () => (look(), setTimeout(() => requestAnimationFrame(turn), 25));
  requestAnimationFrame(turn);
}

// -- the judge: the command, on exactly what was shown; answers are kept, comments that this script writes left out

const answers = new Map();
const waiting = [];
let working = 0;
let files = 0;
mkdirSync(`${folder}/judged`, { recursive: true });

function judge(text, sizes, strategies, goal) {
  const plain = text.replace(/^-- noise.*\n/gm, "");
  const key = JSON.stringify([plain, sizes, strategies, goal]);
  if (!answers.has(key)) answers.set(key, new Promise((done) => waiting.push(() => run(plain, sizes, strategies, goal).then(done))));
  next();
  return answers.get(key);
}

function next() {
  while (working < 1 && waiting.length) {
    working++;
    void waiting.shift()().finally(() => (working--, next()));
  }
}

function run(text, sizes, strategies, goal) {
  const file = `${folder}/judged/${files++}.ispl`;
  writeFileSync(file, text);
  const given = Object.entries(sizes).map(([name, value]) => `${name}=${value}`).join(",");
  const more = [...(given ? ["--set", given] : []), ...(strategies ? ["--strategies", strategies] : []), ...(goal ? ["-f", goal] : [])];
  return new Promise((done) =>
    execFile(epistrat, ["check", file, "--json", ...more], { maxBuffer: 1e8 }, (error, said, wrong) => {
      try {
        done(JSON.parse(said));
      } catch {
        done({ refused: wrong || String(error) });
      }
    }),
  );
}

const bare = (formula) => formula.replace(/\s+|[();]/g, "");
const false_ = [];
const compared = { verdict: 0, mark: 0, states: 0, strategy: 0 };
const judging = [];

function compare(one) {
  const { text, sizes, strategies, what } = one;
  // where no reading is to be seen (other views), it is not known which was asked for: such marks are left to the view that shows it
  if (strategies === undefined && what !== "states") return;
  judging.push(
    judge(text, sizes, strategies ?? "", what === "strategy" ? one.goal : undefined).then((judged) => {
      compared[what]++;
      if (judged.refused) return void false_.push({ ...one, judged: judged.refused });
      if (what === "states") return void (judged.states === one.states || false_.push({ ...one, judged: judged.states }));
      const found = what === "strategy" ? judged.results[0] : judged.results.find((result) => result.index === one.index);
      const fits = one.verdict === "unknown" || (found?.verdict === one.verdict && (what === "strategy" || bare(found.formula) === bare(one.formula)));
      if (!fits) false_.push({ ...one, judged: found ? `${found.formula}: ${found.verdict}` : "no such formula" });
    }),
  );
}

// -- random hands

const browser = await launch();
const { page: first, wrong } = await newPage(browser);
const second = await first.context().newPage();
second.on("pageerror", (error) => wrong.push(error.message));
await first.goto(address);
await first.locator('[data-test="new"]').waitFor();
await second.goto(address.split("#")[0]);
await second.locator('[data-test="new"]').waitFor();
const done = {};
const sum = (counts) => Object.values(counts).reduce((before, one) => before + one, 0);

const content = (page) => page.evaluate(() => {
  const one = document.querySelector(".editor .cm-content");
  return one ? (one.cmTile?.view ?? one.cmView.view).state.doc.toString() : "";
});

/** Change a text as a person does that selects a place and writes over it. */
const write = (page, from, to, insert) =>
  page.evaluate(([from, to, insert]) => {
    const one = document.querySelector(".editor .cm-content");
    const view = one && (one.cmTile?.view ?? one.cmView.view);
    view?.dispatch({ changes: { from, to, insert }, userEvent: "input.type" });
  }, [from, to, insert]);

const click = async (page, where) => {
  const all = page.locator(where);
  const many = await all.count();
  if (many) await all.nth(below(many)).click({ timeout: 700, force: true });
};

async function edit(page, slowly) {
  const text = await content(page);
  if (!text) return;
  const fitting = SWAPS[kindOf(text)].flatMap(([one, other]) => (other && text.includes(other) ? [[other, one]] : text.includes(one) ? [[one, other]] : []));
  if (!fitting.length) return;
  const [old, now] = pick(fitting);
  const from = text.indexOf(old);
  if (!slowly) return write(page, from, from + old.length, now);
  await write(page, from, from + old.length, "");
  for (let place = 0; place < now.length; place += 4) {
    await write(page, from + place, from + place, now.slice(place, place + 4));
    await page.waitForTimeout(15);
  }
}

const HANDS = [
  [14, "edit", (page) => edit(page, false)],
  [5, "type", (page) => edit(page, true)],
  [4, "comment", (page) => write(page, 0, 0, `-- noise ${below(1000)}\n`)],
  [4, "undo", async (page) => (await page.locator(".editor .cm-content").first().focus({ timeout: 700 }), page.keyboard.press(chance(0.7) ? "Control+z" : "Control+y"))],
  [14, "check", (page) => click(page, '[data-test="check"]')],
  [6, "key", (page) => page.keyboard.press("Control+Enter")],
  [7, "only", (page) => click(page, ".answer button:has-text('Check only this')")],
  [7, "gutter", (page) => click(page, ".cm-gutter.verdicts button.verdict")],
  [6, "open", (page) => click(page, "button.formula")],
  [3, "cancel", (page) => click(page, '[data-test="cancel"]')],
  [4, "strategies", async (page) => {
    const field = page.getByLabel("strategies").first();
    if (await field.count()) await field.selectOption(pick(["", "uniform", "any"]), { timeout: 700 });
  }],
  [3, "engine", async (page) => {
    const field = page.getByLabel("engine").first();
    if (await field.count()) await field.selectOption(pick(["auto", "explicit", "symbolic"]), { timeout: 700 });
  }],
  [4, "size", async (page) => {
    const field = page.locator('[data-test="parameter-n"]');
    if (await field.count()) {
      await field.fill(String(1 + below(4)), { timeout: 700 });
      await field.press("Enter");
    }
  }],
  [8, "text", (page) => click(page, ".tab button:not(.close)")],
  [6, "view", async (page) => (chance(0.6) ? click(page, '[data-test="view-check"]') : click(page, '[data-test="view-strategy"], [data-test="view-states"], [data-test="view-simulate"]'))],
  [4, "seek", async (page) => {
    if (!(await page.locator('[data-test="goal"]').count())) await click(page, '[data-test="view-strategy"]');
    if (!(await page.locator('[data-test="goal"]').count())) return;
    const text = await content(page);
    await page.locator('[data-test="goal"]').fill(pick(kindOf(text) === "lamp" ? ["<lamp>F lit", "<blind>F lit", "<lamp>F worn"] : ["<everybody>F full", "<first>F full", "<first>F one"]), { timeout: 700 });
    if (chance(0.8)) await click(page, '[data-test="seek"]');
  }],
  [2, "goal", async (page) => {
    if (await page.locator('[data-test="goal"]').count()) await page.locator('[data-test="goal"]').fill(pick(["<lamp>F lit", "<blind>F lit", "<everybody>F full", "<first>F full"]), { timeout: 700 });
  }],
  [3, "other buttons", (page) => click(page, '[data-test="draw"], [data-test="start"], [data-test="random"], [data-test="step"], [data-test="play"]')],
  [1, "reload", async (page) => {
    await note(page);
    await page.reload();
    await page.locator(".tab").first().waitFor();
    await page.evaluate(watch);
  }],
];
const settle = (page) => click(page, '[data-test="mine"], [data-test="theirs"]').catch(() => undefined); // it may be gone again
const total = HANDS.reduce((sum, [weight]) => sum + weight, 0);
const hand = () => {
  let at = below(total);
  return HANDS.find(([weight]) => (at -= weight) < 0);
};

async function note(page) {
  for (const one of await page.evaluate(() => globalThis.truths.splice(0))) compare(one);
}

for (const [name, text] of [["lamp.ispl", LAMP], ["counters.ispl", COUNTERS]]) {
  writeFileSync(`${folder}/${name}`, text);
  await first.locator('input[aria-label="Open files"]').setInputFiles(`${folder}/${name}`);
  await first.locator(".tab", { hasText: name }).waitFor();
}
await first.waitForTimeout(800);
await second.reload();
await second.locator(".tab").nth(1).waitFor();
for (const page of [first, second]) {
  // messages come late now and then, as they do of large models: what they say of a text is not said of the next one
  await page.route("**/api/ask/analyse", async (route) => {
    if (chance(0.3)) await new Promise((done) => setTimeout(done, below(2500)));
    await route.continue().catch(() => undefined);
  });
  page.on("dialog", (dialog) => void dialog.dismiss());
  await page.evaluate(watch);
}
const end = Date.now() + 1000 * Number(seconds);
let next_ = Date.now() + 60_000;
while (Date.now() < end) {
  const page = chance(0.6) ? first : second;
  const [, name, move] = hand();
  done[name] = (done[name] ?? 0) + 1;
  await move(page).catch((error) => {
    if (!/Timeout|not visible|detached|intercepts|Execution context|outside of the viewport/.test(error.message)) throw error;
  });
  if (chance(0.5)) await page.waitForTimeout(below(chance(["check", "key", "only", "gutter", "seek"].includes(name) ? 0.7 : 0.1) ? 1500 : 200));
  await note(page);
  if (chance(0.5) && (await page.locator('[data-test="conflict"]').count())) await settle(page);
  while ((await page.locator(".tab").count()) > 2) await page.locator(".tab .close").last().click({ timeout: 700 }).catch(() => undefined);
  if (Date.now() > next_) {
    say(`${sum(compared)} compared, ${waiting.length} waiting, ${false_.length} false`);
    next_ += 60_000;
  }
}
for (const page of [first, second]) await note(page);
if (process.env.SHOT) await first.screenshot({ path: process.env.SHOT });
await browser.close();
await Promise.all(judging);
const listed = (counts) => Object.entries(counts).map(([name, many]) => `${name} ${many}`).join(", ");
say(`${sum(done)} moves (${listed(done)})`);
say(`${sum(compared)} things that were shown as current (${listed(compared)}) were compared with ${answers.size} runs of the command: ${false_.length} false`);
for (const one of false_.slice(0, 10)) say(JSON.stringify(one));
const errors = wrong.filter((one) => !/40[49]|Failed to load resource/.test(one));
if (errors.length) say(`errors: ${[...new Set(errors)].join("; ")}`);
process.exit(false_.length || errors.length || !compared.verdict ? 1 : 0);
