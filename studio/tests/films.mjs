// Saves the films that the book shows: node films.mjs ADDRESS FOLDER.

import { launch, newPage } from "./browser.mjs";

const [address, folder] = process.argv.slice(2);
const FILMS = [
  { model: "dining_cryptographers.ispl", formula: 3, watched: ["K(C1, paid2 or paid3)", "K(C1, paid2)"], file: "cryptographers.html" },
  { model: "scenarios/prisoners.ispl", formula: 5, watched: ["K(Prisoner[1], everyone)"], file: "prisoners.html" },
];
const browser = await launch();
const { page } = await newPage(browser);
const part = (name) => page.locator(`[data-test="${name}"]`);
await page.goto(address);
for (const { model, formula, watched, file } of FILMS) {
  if (!(await page.locator("main.gallery").count())) await part("gallery").click();
  await part(`example-${model}`).click();
  await part("check").click();
  await part("summary").waitFor();
  if ((await part(`formula-${formula}`).getAttribute("aria-expanded")) !== "true") await part(`formula-${formula}`).click();
  for (const one of watched) {
    await page.locator('.answer [data-test="watch"]').first().fill(one);
    await page.locator('.answer [data-test="watch"]').first().press("Enter");
  }
  const [saved] = await Promise.all([page.waitForEvent("download"), part("save-film").click()]);
  await saved.saveAs(`${folder}/${file}`);
}
await browser.close();
