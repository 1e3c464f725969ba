// Explanations: sentences, runs as films, two runs that look the same, rules; or the same as a graph.

import { useState } from "preact/hooks";
import { Blocks, type Props } from "./blocks";
import { Graph } from "./graph/graph";
import type { Explanation } from "./types";

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
