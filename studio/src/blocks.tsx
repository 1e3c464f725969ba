// The parts of an explanation: paragraphs, films, rules.

import type { Signal } from "@preact/signals";
import { Film } from "./film/film";
import { runOf, trackOf, type Track } from "./film/track";
import type { Block, Policy, Run, System } from "./types";
import { Words } from "./words";

export interface Props {
  system: System;
  onWalk: (run: Run) => void;
  /** The moment that the first film shows; without it films keep their own. */
  moment?: Signal<number | null>;
  /** Before an audience: nothing leads away. */
  lecture?: boolean;
}

export function Blocks({ blocks, ...props }: Props & { blocks: Block[] }) {
  const walkOn = (track: Track, at: number) => !props.lecture && <button class="quiet" data-test="walk" onClick={() => props.onWalk(runOf(track, at))}>Walk on</button>;
  const first = blocks.findIndex((block) => block.kind === "scene" || block.kind === "compare");
  const { moment, ...inner } = props;
  return (
    <>
      {blocks.map((block, index) => {
        const at = index === first && moment ? { at: moment.value ?? undefined, onAt: (to: number) => (moment.value = to) } : {};
        switch (block.kind) {
          case "say":
            return <p key={index}><Words text={block.text} /></p>;
          case "scene":
            return <Film key={index} system={props.system} tracks={[trackOf(block)]} buttons={walkOn} {...at} />;
          case "compare":
            return <Film key={index} system={props.system} tracks={[trackOf(block.left), trackOf(block.right, true)]} agents={block.agents} shared={block.shared} buttons={walkOn} {...at} />;
          case "rules":
            return <RulesView key={index} policies={block.policies} />;
          case "detail":
            return (
              <details key={index}>
                <summary><Words text={block.title} /></summary>
                <Blocks blocks={block.blocks} {...inner} />
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
