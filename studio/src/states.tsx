// The states of a model, and who can tell them apart: all of them, or what was explored of them.

import { EndingLine, Progress, Stale } from "./check";
import { Graph } from "./graph/graph";
import type { Part } from "./graph/exploring";
import type { Sheet } from "./sheet";
import { Waiting } from "./simulate";
import type { State } from "./types";

export function StatesPanel({ sheet, onWalk }: { sheet: Sheet; onWalk: () => void }) {
  const asked = sheet.graph.value;
  const part = sheet.part.value;
  const shown = asked ?? part;
  const graph = asked?.value;
  const mark = sheet.here.value?.value.run.states.at(-1);
  const walk = (state: State) => (void sheet.walk({}, { states: [state], actions: [] }, shown?.about), onWalk());
  const anew = () => {
    sheet.graph.value = null;
    sheet.part.value = null;
    void sheet.explore();
  };
  return (
    <div class="panel">
      <div class="row bar-top">
        <button class="primary" data-test="draw" disabled={sheet.drawing.running.value} onClick={() => void sheet.draw()}>Draw all states</button>
        <button class="quiet" data-test="step-by-step" disabled={sheet.drawing.running.value} onClick={anew}>Explore step by step</button>
        <span class="soft">Up to 200 states are drawn whole; of more, or infinitely many, what you look into.</span>
      </div>
      {sheet.drawing.running.value && <Progress work={sheet.drawing} />}
      <Waiting sheet={sheet} />
      {sheet.graphRemark.value ? <p class="warning">{sheet.graphRemark.value}</p> : part ? null : <EndingLine work={sheet.drawing} />}
      <Stale why={sheet.sinceModel(shown)} again={() => (graph ? void sheet.draw() : anew())} label="Draw it again" />
      {graph && <Graph system={graph.system} picture={graph.picture} whole label="All reachable states" mark={mark} onWalk={walk} />}
      {!graph && part && <PartOfGraph sheet={sheet} part={part.value} mark={mark} onWalk={walk} />}
    </div>
  );
}

/** A graph that is explored step by step; seen as an agent whose look-alikes are joined, a few boxes stand for thousands of states. */
function PartOfGraph({ sheet, part, mark, onWalk }: { sheet: Sheet; part: Part; mark?: State; onWalk: (state: State) => void }) {
  const open = part.frontier.size;
  const initial = part.picture.nodes.filter((node) => node.marks.includes("initial")).length;
  const many = part.picture.nodes.reduce((sum, node) => sum + (node.many ?? 1), 0);
  return (
    <>
      <p class="soft" data-test="part">
        {part.agent
          ? `${many.toLocaleString("en")} states, as ${part.agent} sees them: ${part.picture.nodes.length} boxes.`
          : `${part.picture.nodes.length} states.`}{" "}
        {open ? (part.agent ? `What follows ${open} of the boxes is not all known.` : `${open} of them, drawn with dashes, have not been looked into: double click one, or press f.`) : part.moreInitial ? "That is all that can be reached from these." : "That is all that can be reached."}{" "}
        {part.moreInitial && <button class="link" data-test="more-initial" onClick={() => void sheet.explore({ begin: initial })}>More initial states</button>}
        {!part.agent && " See it as an agent and join what looks the same: a few boxes then stand for thousands of states."}
      </p>
      <Graph
        key={part.agent}
        system={part.system}
        picture={part.picture}
        whole
        label={part.agent ? `States as ${part.agent} sees them` : "The states explored so far"}
        mark={mark}
        frontier={part.frontier}
        {...(part.agent ? { agent: part.agent, join: true } : { onExplore: (state: State) => void sheet.explore({ state }) })}
        onWalk={onWalk}
        onAgent={(agent, join) => {
          const wanted = join ? agent : "";
          if (wanted !== part.agent) void sheet.explore({ agent: wanted });
        }}
      />
    </>
  );
}
