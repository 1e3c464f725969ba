// A minute of random clicks: node clicks.mjs ADDRESS [SECONDS].  Prints the page's memory, after collecting garbage, as it goes.

import { launch, newPage } from "./browser.mjs";

const [address, seconds = "60"] = process.argv.slice(2);
const browser = await launch();
const { page, wrong } = await newPage(browser);
const session = await page.context().newCDPSession(page);
page.on("dialog", (dialog) => void dialog.dismiss());
page.on("popup", (popup) => void popup.close());

async function memory() {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  return { megabytes: usedSize / 1e6, nodes };
}

let seed = 7;
const random = (below) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor(seed / 512) % below; // the low bits repeat soon
};

await page.goto(address);
await page.locator('[data-test="example-dining_cryptographers.ispl"]').click();
await page.locator('[data-test="check"]').click();
await page.locator('[data-test="summary"]').waitFor();
const told = [];
const end = Date.now() + 1000 * Number(seconds);
let clicks = 0;
let next = 0;
while (Date.now() < end) {
  if (Date.now() >= next) {
    told.push(await memory());
    next = Date.now() + 10_000;
  }
  const all = page.locator(".work button:enabled, .work select, g.state, .views button, .top [data-test=theme]");
  const one = all.nth(random(Math.max(1, await all.count())));
  await one.click({ timeout: 500, force: true }).catch(() => undefined);
  if (!(await page.locator("main.desk").count())) await page.locator(".tab button").first().click();
  clicks++;
}
told.push(await memory());
console.log(`${clicks} clicks`);
for (const { megabytes, nodes } of told) console.log(`${megabytes.toFixed(1)} MB of objects, ${nodes} nodes`);
if (wrong.length) console.log(`errors: ${wrong.join("; ")}`);
await browser.close();
