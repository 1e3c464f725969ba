// Debian's chromium, started so that it asks nothing of the network.

import { accessSync } from "node:fs";
import { chromium } from "playwright-core";

export const SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export function executable() {
  for (const path of ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]) {
    try {
      accessSync(path);
      return path;
    } catch {
      // the next one
    }
  }
  throw new Error("chromium is not installed");
}

export const launch = () => chromium.launch({ executablePath: executable(), args: SWITCHES });

/** A page that remembers what went wrong in it. */
export async function newPage(browser, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, acceptDownloads: true, ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  return { page, wrong };
}
