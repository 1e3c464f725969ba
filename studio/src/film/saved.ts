// What a film that is saved as a file carries.  Values only.

import type { Block, Film, Result, Run, System } from "../types";

export interface SavedFilm {
  title: string;
  formula: string;
  verdict: string;
  sentence: string;
  blocks: Block[];
  system: System;
  watched: string[];
  /** What is true along each of the runs, by the name of the run. */
  films: Record<string, Film>;
}

export const nameOfRun = (run: Run): string => JSON.stringify(run.states.map((state) => Object.values(state)));

/** The runs that the blocks of an explanation show. */
export function runsIn(blocks: Block[]): Run[] {
  const run = (scene: { moments: { state: Run["states"][number]; joint: Run["actions"][number] | null }[] }): Run => ({
    states: scene.moments.map((one) => one.state),
    actions: scene.moments.slice(1).map((one) => one.joint ?? {}),
  });
  return blocks.flatMap((block): Run[] => {
    switch (block.kind) {
      case "scene":
        return [run(block)];
      case "compare":
        return [run(block.left), run(block.right)];
      case "detail":
        return runsIn(block.blocks);
      default:
        return [];
    }
  });
}

/** A page of its own: data, script and styles in one file; nothing in the data can end the element that it stands in. */
export function pageOf(film: SavedFilm, script: string, style: string): string {
  const safe = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const data = JSON.stringify(film).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${safe(film.title)}</title>
<style>${style.replaceAll("</", "<\\/")}</style>
</head>
<body>
<div id="film"></div>
<script type="application/json" id="data">${data}</script>
<script>${script.replaceAll("</script", "<\\/script")}</script>
</body>
</html>
`;
}

/** What is saved of an answer, without what was found out along its runs. */
export const savedOf = (title: string, result: Result, system: System, watched: string[]): SavedFilm => ({
  title,
  formula: result.text.replace(/;$/, ""),
  verdict: result.verdict,
  sentence: result.explanations[0]?.sentence || result.why,
  blocks: result.explanations.flatMap((one) => one.blocks),
  system,
  watched,
  films: {},
});
