// A film as a file of its own: it steps through the runs without a server, and can stand in an <iframe>.

import type { About } from "../asked";
import { download } from "../files";
import type { Sheet } from "../sheet";
import type { Result, System } from "../types";
import { nameOfRun, pageOf, runsIn, savedOf } from "./saved";
import { storyOf } from "../story";

async function part(name: string): Promise<string> {
  const answer = await fetch(`/assets/${name}`, { cache: "no-store" });
  if (!answer.ok) throw new Error("The page was built without its player; build it anew (make studio).");
  return answer.text();
}

export async function saveFilm(sheet: Sheet, result: Result, system: System, about: About): Promise<void> {
  const watched = sheet.truths.value.map((one) => one.formula);
  const title = storyOf(about.text).title || sheet.name.value;
  const film = savedOf(title, result, system, watched);
  for (const run of runsIn(film.blocks)) film.films[nameOfRun(run)] ??= await sheet.film(about, run, watched);
  const [script, style] = await Promise.all([part("player.js"), part("player.css")]);
  download(`${sheet.name.value.replace(/\.ispl$/, "")}-formula-${result.index}.html`, pageOf(film, script, style), "text/html");
}
