// Strategies: find one, read its rules, see what can happen under it, play against it.

import { RulesView } from "./blocks";
import { ExplanationView } from "./explain";
import { Words } from "./words";
import { asksForStrategy, withoutPlan } from "./asked";
import { Asking, EndingLine, Progress, Stale } from "./check";
import { Graph } from "./graph/graph";
import { Film } from "./film/film";
import { trackOfRun } from "./film/track";
import { Watch } from "./film/watch";
import { watchingOf } from "./film/watched";
import { Choices } from "./simulate";
import { complain } from "./notice";
import type { Sheet } from "./sheet";
import type { Run } from "./types";

export function StrategyPanel({ sheet, onWalk }: { sheet: Sheet; onWalk: () => void }) {
  const asked = sheet.found.value;
  const found = asked?.value;
  const plan = found?.plans[sheet.plan.value];
  const proposals = (sheet.analysis.value?.formulae ?? []).map((one) => one.text.replace(/;$/, "")).filter(asksForStrategy);
  if (!sheet.goal.value && !sheet.goalTyped && proposals.length) sheet.goal.value = proposals[0];
  const walk = (run: Run) => {
    void sheet.walk({}, run, asked?.about);
    onWalk();
  };
  return (
    <div class="panel">
      <form class="row bar-top" onSubmit={(event) => (event.preventDefault(), void sheet.seek())}>
        <input class="wide mono" aria-label="What the strategy should enforce" placeholder="<group>F goal" list="goals" value={sheet.goal.value} onInput={(event) => ((sheet.goalTyped = true), (sheet.goal.value = event.currentTarget.value))} data-test="goal" />
        <datalist id="goals">{proposals.map((text) => <option key={text} value={text} />)}</datalist>
        <Asking sheet={sheet} />
        {sheet.seeking.running.value ? <button class="primary stop" type="button" onClick={() => sheet.seeking.stop().catch(complain)}>Cancel</button> : <button class="primary" type="submit" disabled={!sheet.goal.value.trim()} data-test="seek">Find a strategy</button>}
      </form>
      {sheet.seeking.running.value && <Progress work={sheet.seeking} />}
      <EndingLine work={sheet.seeking} />
      <Stale why={sheet.sinceSought} again={() => void sheet.seek()} label="Find it again" />
      {!found && !sheet.seeking.running.value && !sheet.seeking.ending.value && (
        <p class="soft">Ask what a group can bring about whatever the others do, such as <code>{proposals[0] ?? "<group>F goal"}</code>. The answer is a set of rules that you can play against.</p>
      )}
      {found && !plan && (
        <>
          <p class="sentence" data-test="no-plan">{withoutPlan(found.result.verdict, found.result.explanations.some((one) => one.blocks.some((block) => block.kind === "rules")))}</p>
          {found.result.reason && <p class="bad">{found.result.reason}</p>}
          {found.result.explanations.map((one, index) => (
            <Watch.Provider key={index} value={watchingOf(sheet, asked?.about, found.result.text)}><p><Words text={one.sentence} /></p><ExplanationView explanation={one} system={found.system} onWalk={walk} /></Watch.Provider>
          ))}
        </>
      )}
      {found && plan && (
        <>
          {found.plans.length > 1 && (
            <div class="row" role="group" aria-label="Strategies">
              {found.plans.map((_, index) => <button key={index} class="chip" aria-pressed={sheet.plan.value === index} onClick={() => ((sheet.plan.value = index), (sheet.playing.value = null))}>Strategy {index + 1}</button>)}
            </div>
          )}
          <p class="sentence">
            {plan.everywhere ? "Yes." : `Yes, from ${plan.starts.length} of the initial states.`} {plan.verified === "holds" && <span class="good">Checked: the model restricted to these rules satisfies the formula.</span>}
            {!plan.complete && <span class="warning"> Only the first states are covered.</span>}
          </p>
          <h3>What each member does</h3>
          <RulesView policies={plan.policies} />
          <Play sheet={sheet} />
          <details class="section">
            <summary>What can happen under it ({plan.picture.nodes.length} states)</summary>
            <Graph system={found.system} picture={plan.picture} whole label="What can happen under the strategy" mark={sheet.playing.value?.run.states.at(-1)} />
          </details>
        </>
      )}
    </div>
  );
}

function Play({ sheet }: { sheet: Sheet }) {
  const here = sheet.playing.value;
  const plan = sheet.found.value!.value.plans[sheet.plan.value];
  if (!here)
    return <p><button class="primary soft" data-test="play" onClick={() => void sheet.play(undefined, { states: plan.starts.slice(0, 1), actions: [] })}>Play against it</button></p>;
  const back = (to: number) => void sheet.play(undefined, { states: here.run.states.slice(0, to + 1), actions: here.run.actions.slice(0, to) });
  return (
    <section class="play" aria-label="Play against the strategy" data-test="playing">
      <h3>You play the others</h3>
      <Watch.Provider value={watchingOf(sheet, sheet.found.value?.about, sheet.found.value?.value.result.text)}>
        <Film key={here.run.states.length} system={here.system} tracks={[trackOfRun(here.run, here.acts, "The play so far")]} buttons={(_, at) => at < here.run.states.length - 1 && <button class="quiet" data-test="back-to" onClick={() => back(at)}>Go back to here</button>} />
      </Watch.Provider>
      {here.true.length > 0 && <p class="soft">True here: {here.true.join(", ")}</p>}
      {here.choice ? (
        <p>The strategy does {Object.entries(here.choice).map(([name, action]) => <span key={name} class="fact knows">{name}: {action}</span>)}</p>
      ) : (
        <p class={plan.complete ? "good" : "warning"}>
          {plan.complete ? "The strategy has nothing more to do here: what it enforces has happened." : "The table of the strategy covers only the first states; it does not reach this one."}
        </p>
      )}
      {here.choice && <Choices system={here.system} steps={here.steps} more={here.more_steps} onTake={(index) => void sheet.play(index)} title="What do the others do?" />}
    </section>
  );
}
