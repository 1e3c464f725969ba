// Explanations: sentences, runs as lanes per agent, two runs that look the same, rules.

import { useState } from "preact/hooks";
import type { Block, Explanation, Moment, Policy, Run, Scene, System } from "./types";
import { Graph } from "./graph/graph";
import { StateCard } from "./graph/state";

/** Text with what stands in backquotes set as code. */
export function Words({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part))}</>;
}

export const runOf = (scene: Scene, to = scene.moments.length - 1): Run => ({
  states: scene.moments.slice(0, to + 1).map((one) => one.state),
  actions: scene.moments.slice(1, to + 1).map((one) => one.joint ?? {}),
});

interface Props {
  system: System;
  onWalk: (run: Run) => void;
}

function Blocks({ blocks, ...props }: Props & { blocks: Block[] }) {
  return (
    <>
      {blocks.map((block, index) => {
        switch (block.kind) {
          case "say":
            return <p key={index}><Words text={block.text} /></p>;
          case "scene":
            return <SceneView key={index} scene={block} {...props} />;
          case "compare":
            return (
              <section key={index} class="compare" aria-label={`Two runs that look the same to ${block.agents.join(", ")}`}>
                <SceneView scene={block.left} {...props} />
                <p class="shared">
                  <b>{block.agents.join(" and ")}</b> {block.agents.length > 1 ? "see" : "sees"} the same at the end of both:{" "}
                  <Words text={block.shared.join("; ") || "nothing at all"} />
                </p>
                <SceneView scene={block.right} {...props} doubt />
              </section>
            );
          case "rules":
            return <RulesView key={index} policies={block.policies} />;
          case "detail":
            return (
              <details key={index}>
                <summary><Words text={block.title} /></summary>
                <Blocks blocks={block.blocks} {...props} />
              </details>
            );
        }
      })}
    </>
  );
}

export function RulesView({ policies }: { policies: Policy[] }) {
  return (
    <div class="rules">
      {policies.map((policy) => (
        <table key={policy.agent}>
          <caption>{policy.agent}{policy.uniform ? "" : " (acts on more than it sees)"}</caption>
          <thead class="hidden"><tr><th>when</th><th>do</th></tr></thead>
          <tbody>
            {policy.rules.map((rule, index) => (
              <tr key={index}>
                <td>{rule.when}</td>
                <td><b>{rule.do}</b></td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

/** A run: the moments of time from left to right, a lane for each agent; a button steps through it. */
function SceneView({ scene, system, onWalk, doubt }: Props & { scene: Scene; doubt?: boolean }) {
  const [at, setAt] = useState<number | null>(null);
  const [open, setOpen] = useState<Set<string>>(new Set());
  const [whole, setWhole] = useState(scene.moments.length <= 60);
  const last = scene.moments.length - 1;
  const columns = scene.moments.map((moment, index) => ({ moment, index })).filter(({ index }) => whole || index < 40 || index > last - 10);
  const lanes = system.agents
    .map((agent) => {
      const changing = agent.variables.filter((key) => scene.moments.some((one) => one.state[key] !== scene.moments[0].state[key]));
      const acting = !system.interleaved && agent.actions.length > 1;
      const shown = open.has(agent.name) ? agent.variables : changing.length ? changing : agent.variables.slice(0, 3);
      return { agent, shown, quiet: !changing.length && !acting };
    })
    .filter((lane) => lane.agent.variables.length || lane.agent.actions.length > 1);
  const toggle = (name: string) => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  const cell = (moment: Moment, index: number, keys: string[], name: string) => {
    const before = index ? scene.moments[index - 1].state : null;
    const told = keys.filter((key) => !before || before[key] !== moment.state[key] || open.has(name));
    const did = index ? (moment.joint?.[name] ?? "") : "";
    return (
      <td key={moment.index} class={`${at === index ? "at" : ""} ${scene.loop !== null && moment.index >= scene.loop ? "repeats" : ""}`} onClick={() => setAt(index)}>
        {did && <span class="did">{did}</span>}
        {told.map((key) => (
          <span key={key} class={`value ${before && before[key] !== moment.state[key] ? "changed" : ""}`}>
            {key.slice(key.indexOf(".") + 1)} <b>{String(moment.state[key])}</b>
          </span>
        ))}
      </td>
    );
  };
  return (
    <section class={`scene ${doubt ? "doubt" : ""}`} aria-label={scene.title}>
      <header class="row">
        <h4><Words text={scene.title} /></h4>
        <span class="grow" />
        <span role="group" aria-label="Step through the run" class="steps">
          <button class="quiet" aria-label="Previous moment" disabled={at === 0} onClick={() => setAt(at === null ? last : at - 1)}>‹</button>
          <button class="quiet" aria-label="Next moment" disabled={at === last} onClick={() => setAt(at === null ? 0 : at + 1)}>›</button>
        </span>
        <button class="quiet" data-test="walk" onClick={() => onWalk(runOf(scene, at ?? last))}>Walk on</button>
      </header>
      <div class="scroll" tabIndex={0} role="group" aria-label="Lanes">
        <table class="lanes">
          <thead>
            <tr>
              <th scope="col"><span class="hidden">agent</span></th>
              {columns.map(({ moment, index }) => (
                <th key={moment.index} scope="col" class={at === index ? "at" : ""}>{moment.index}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {system.interleaved && (
              <tr>
                <th scope="row">what happens</th>
                {columns.map(({ moment }) => <td key={moment.index}><span class="did">{moment.joint?.action ?? ""}</span></td>)}
              </tr>
            )}
            {lanes.map(({ agent, shown, quiet }) => (
              <tr key={agent.name} class={quiet && !open.has(agent.name) ? "still" : ""}>
                <th scope="row">
                  <button class="lane" aria-expanded={open.has(agent.name)} onClick={() => toggle(agent.name)}>{agent.name}</button>
                </th>
                {columns.map(({ moment, index }) => cell(moment, index, shown, agent.name))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!whole && <p class="soft">Moments 40 to {last - 10} are left out. <button class="link" onClick={() => setWhole(true)}>Show all</button></p>}
      {scene.loop !== null && <p class="soft">Moments {scene.loop} to {last} repeat for ever.</p>}
      {at !== null && (
        <div class="moment" aria-live="polite">
          <p><b>Moment {scene.moments[at].index}</b> <Words text={[...scene.moments[at].acts, scene.moments[at].noticed].filter(Boolean).join(". ")} /></p>
          <StateCard system={system} state={scene.moments[at].state} before={at ? scene.moments[at - 1].state : null} />
        </div>
      )}
    </section>
  );
}

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
        <Graph system={props.system} picture={explanation.picture} label="The states of the explanation" onWalk={(state) => props.onWalk({ states: [state], actions: [] })} />
      )}
    </div>
  );
}
