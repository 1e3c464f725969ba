// The script of a saved film.  `#moment=2` in its address says where it begins.

import { signal } from "@preact/signals";
import { render } from "preact";
import { Blocks } from "../blocks";
import { Words } from "../words";
import { nameOfRun, type SavedFilm } from "./saved";
import { Watch } from "./watch";
import "../style.css";

const film = JSON.parse(document.getElementById("data")!.textContent ?? "") as SavedFilm;
const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
dark.addEventListener("change", colour);
colour();

const wanted = new URLSearchParams(location.hash.slice(1)).get("moment");
const moment = signal<number | null>(wanted === null ? null : Number(wanted) || 0);

function Player() {
  return (
    <main class="player">
      <h1>{film.title}</h1>
      <p class="row"><span class={`badge ${film.verdict}`}>{film.verdict}</span> <code>{film.formula}</code></p>
      {film.sentence && <p class="sentence"><Words text={film.sentence} /></p>}
      <Watch.Provider
        value={{
          formulae: film.watched,
          proposed: [],
          watch: null,
          forget: () => undefined,
          film: (run) => {
            const known = film.films[nameOfRun(run)];
            return known ? Promise.resolve(known) : Promise.reject(new Error("not found out when this was saved"));
          },
        }}
      >
        <Blocks blocks={film.blocks.filter((block) => block.kind !== "say" || block.text.toLowerCase() !== film.sentence.toLowerCase())} system={film.system} onWalk={() => undefined} moment={moment} lecture />
      </Watch.Provider>
    </main>
  );
}

render(<Player />, document.getElementById("film")!);
