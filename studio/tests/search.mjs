// Types questions into the search field of the book: node search.mjs ADDRESS QUESTION...  Prints the first hit of each as JSON, one a line:
// the question, the page, and the titles that are shown for it (the page's, then those of the sections that fit best).

import { launch, newPage } from "./browser.mjs";

const [address, ...questions] = process.argv.slice(2);
const browser = await launch();
const { page } = await newPage(browser);
for (const question of questions) {
  await page.goto(address);
  const field = page.locator("[data-md-component=search-query]");
  const item = page.locator(".md-search-result__item").first();
  for (let tries = 0; tries < 20 && !(await item.isVisible()); tries++) {
    await field.fill(""); // what is typed before the page listens is lost
    await field.fill(question);
    await item.waitFor({ timeout: 3000 }).catch(() => undefined);
  }
  await page.waitForFunction(() => /\d/.test(document.querySelector(".md-search-result__meta")?.textContent ?? ""));
  const titles = (await item.locator("h1, h2").allTextContents()).map((title) => title.trim());
  const found = await item.locator("a.md-search-result__link").first().evaluate((link) => new URL(link.href).pathname);
  console.log(JSON.stringify([question, found, titles]));
}
await browser.close();
