// A state, agent by agent.

import type { State, System } from "../types";

/** What changed since another state is marked, what an agent does not see is dotted, what differs from another run is underlaid. */
export function StateCard({ system, state, before, agent, differs }: { system: System; state: State; before?: State | null; agent?: string; differs?: (key: string) => boolean }) {
  const sees = agent ? new Set(system.agents.find((one) => one.name === agent)?.sees ?? []) : null;
  return (
    <dl class="statecard">
      {system.agents
        .filter((one) => one.variables.length)
        .map((one) => (
          <div key={one.name}>
            <dt>{one.name}</dt>
            <dd>
              {one.variables.map((key) => {
                const changed = before ? before[key] !== state[key] : false;
                const hidden = sees !== null && !sees.has(key);
                return (
                  <span key={key} class={`value ${changed ? "changed" : ""} ${hidden ? "unseen" : ""} ${differs?.(key) ? "differs" : ""}`} title={changed ? `was ${before![key]}` : hidden ? `${agent} does not see this` : undefined}>
                    {key.slice(key.indexOf(".") + 1)} <b>{String(state[key])}</b>
                  </span>
                );
              })}
            </dd>
          </div>
        ))}
    </dl>
  );
}
