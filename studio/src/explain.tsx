// Explanations: sentences, runs as films, two runs that look the same, rules; or the same as a graph.

import { useState } from "preact/hooks";
import { Blocks, type Props } from "./blocks";
import { Graph } from "./graph/graph";
import type { Sheet } from "./sheet";
import type { Explanation, Result } from "./types";

/** The piece of evidence that is shown, with its place among all; undefined without evidence. */
export function pieceOf(sheet: Sheet, result: Result): { at: number; piece: Explanation } | undefined {
  const at = Math.min(sheet.piece.value, result.explanations.length - 1);
  return at < 0 ? undefined : { at, piece: result.explanations[at] };
}

/** The evidence for an answer, one piece at a time; more of it is asked for as long as there is some. */
export function Explanations({ sheet, result, ...props }: Props & { sheet: Sheet; result: Result }) {
  const many = result.explanations.length;
  const shown = pieceOf(sheet, result);
  if (!shown) return null;
  const { at, piece } = shown;
  const asked = sheet.answers.value?.value.pieces?.[result.index] ?? 1;
  const all = at === many - 1 && asked > many;
  const next = () => {
    sheet.piece.value = at + 1; // which is shown as soon as it is there
    if (at === many - 1) void sheet.runCheck([result.index], many + MORE);
  };
  const words = result.verdict === "fails" ? "counterexample" : "example";
  return (
    <>
      {(many > 1 || all) && (
        <p class="row soft" role="status" data-test="piece">
          {many > 1 ? `${words[0].toUpperCase()}${words.slice(1)} ${at + 1} of ${many}` : ""} {all ? `No other ${words} was found.` : ""}
        </p>
      )}
      <ExplanationView key={at} explanation={piece} {...props} moment={at ? undefined : props.moment} />
      {!sheet.stale.value && piece.picture.nodes.length > 0 && (
        <p class="row">
          {at > 0 && <button class="quiet" data-test="piece-back" onClick={() => (sheet.piece.value = at - 1)}>Previous {words}</button>}
          {!all && <button class="quiet" data-test="piece-next" disabled={sheet.check.running.value} onClick={next}>Next {words}</button>}
        </p>
      )}
    </>
  );
}

/** So many more pieces are asked for at once. */
const MORE = 4;

export function ExplanationView({ explanation, ...props }: Props & { explanation: Explanation }) {
  const [tab, setTab] = useState<"words" | "graph">("words");
  const drawn = explanation.picture.nodes.length > 1;
  return (
    <div class="explanation">
      {drawn && (
        <div class="switch" role="group" aria-label="How to show it">
          <button aria-pressed={tab === "words"} onClick={() => setTab("words")}>Runs</button>
          <button aria-pressed={tab === "graph"} onClick={() => setTab("graph")} data-test="as-graph">Graph</button>
        </div>
      )}
      {tab === "words" || !drawn ? (
        <Blocks blocks={explanation.blocks.filter((block) => block.kind !== "say" || block.text.toLowerCase() !== explanation.sentence.toLowerCase())} {...props} />
      ) : (
        <Graph system={props.system} picture={explanation.picture} label="The states of the explanation" onWalk={props.lecture ? undefined : (state) => props.onWalk({ states: [state], actions: [] })} />
      )}
    </div>
  );
}
