// The simulator: a run that grows, what can happen next, what an agent knows here, what is true here.

import { useEffect, useState } from "preact/hooks";
import { Graph } from "./graph/graph";
import { StateCard } from "./graph/state";
import { Stale } from "./check";
import { Film } from "./film/film";
import { trackOfRun } from "./film/track";
import { Watch } from "./film/watch";
import { watchingOf } from "./film/watched";
import type { Sheet } from "./sheet";
import { KripkeView } from "./worlds/kripke";
import type { Here, Joint, Knowledge, Node, Picture, State, Step, System } from "./types";

export function SimulatePanel({ sheet }: { sheet: Sheet }) {
  const here = sheet.here.value?.value;
  if (!here)
    return (
      <div class="panel empty">
        <p>Walk through the model step by step: choose what everybody does, go back, and ask who knows what.</p>
        <button class="primary" data-test="start" onClick={() => void sheet.walk()}>Start</button>
      </div>
    );
  const last = here.run.states.length - 1;
  return <Walking key={last} sheet={sheet} here={here} last={last} />;
}

function Walking({ sheet, here, last }: { sheet: Sheet; here: Here; last: number }) {
  const [at, setAt] = useState(last);
  const stale = sheet.sinceModel(sheet.here.value);
  return (
    <div class="panel">
      <div class="row bar-top">
        <label>start in <select
          value={startOf(here)}
          data-test="initial"
          class="narrow"
          onChange={(event) => event.currentTarget.value && void sheet.walk({ start: Number(event.currentTarget.value) }, null)}
        >
          {!startOf(here) && <option value="">{here.initially ? "another initial state" : "no initial state"}</option>}
          {here.initial.map((state, index) => <option key={index} value={index + 1}>{index + 1}: {telling(here.system, state, here.initial)}</option>)}
        </select></label>
        {here.initial.length > 1 && <button class="quiet" onClick={() => void sheet.walk({ start: 1 + Math.floor(Math.random() * here.initial.length) }, null)}>Random start</button>}
        <button class="quiet" disabled={!last} onClick={() => void sheet.walk({ back: last - 1 })} data-test="back">Back</button>
        <button class="quiet" onClick={() => void sheet.walk({ random: 1 })} data-test="random">Random step</button>
        <button class="quiet" onClick={() => void sheet.walk({ random: 10 })}>10 random</button>
        <Seek sheet={sheet} />
      </div>
      <Stale why={stale} again={() => void sheet.walk({}, null)} label="Start again with the text as it is now" />
      {stale && <p class="soft">What is asked here is still answered about the text that the run belongs to.</p>}
      <Waiting sheet={sheet} />
      <Watch.Provider value={watchingOf(sheet, sheet.here.value?.about, "", sheet.said)}>
        <Film
          key={last}
          system={here.system}
          tracks={[trackOfRun(here.run, here.acts, "The run so far")]}
          cards={false}
          at={at}
          onAt={setAt}
          buttons={() => at < last && <button class="quiet" data-test="back-to" onClick={() => void sheet.walk({ back: at })}>Go on from moment {at}</button>}
        />
      </Watch.Provider>
      {at < last && <p class="stale">You look at moment {at} of {last}. What is asked below is asked at the end of the run. <button class="link" onClick={() => setAt(last)}>Back to the end</button></p>}
      <Possible sheet={sheet} at={at} />
      <Announcements sheet={sheet} />
      <section aria-label="The current state" class="herecard">
        <h3>State {at}{here.initially ? (at ? "" : " (the first)") : at ? "" : " (the run begins in the middle; what was before is not known)"}</h3>
        <StateCard system={here.system} state={here.run.states[at]} before={at ? here.run.states[at - 1] : null} agent={sheet.knowledge.value?.agent} />
        {at === last && here.true.length > 0 && <p class="soft">True here: {here.true.join(", ")}</p>}
        {at === last && here.why.length > 0 && (
          <details>
            <summary>Why did this happen?</summary>
            {here.why.map((one) => <p key={one.agent}><b>{one.agent}</b> {one.lines.map((line) => <code key={line} class="block">{line}</code>)}</p>)}
          </details>
        )}
      </section>
      <Choices system={here.system} steps={here.steps} more={here.more_steps} onTake={(index) => void sheet.walk({ take: index })} />
      <Know sheet={sheet} here={here} />
      <Truth sheet={sheet} />
    </div>
  );
}

/** What agents consider possible, moment by moment; the film above says which moment. */
function Possible({ sheet, at }: { sheet: Sheet; at: number }) {
  const shown = sheet.worldsShown.value;
  const kripke = sheet.kripke.value;
  const current = kripke?.of === sheet.here.value;
  const toggle = () => {
    sheet.worldsShown.value = !shown;
    if (!shown) void sheet.worlds();
  };
  return (
    <section class="possible" aria-label="Possible worlds">
      <button class="quiet" aria-pressed={shown} data-test="worlds" onClick={toggle}>{shown ? "Hide the worlds" : "Which worlds are possible?"}</button>
      {shown && kripke && !current && <p class="stale" role="status" data-test="old-worlds">These are the worlds of the run as it was before; what is possible now is being found out.</p>}
      {shown && kripke && (
        <div class={current ? "" : "old"}>
          <KripkeView kripke={kripke.kripke} at={at} onWalk={(world) => void sheet.walk({}, { states: [world.state], actions: [] }, kripke.of.about)} />
        </div>
      )}
    </section>
  );
}

/** What everybody was told on the run, and a field to say more: it crosses worlds out. */
function Announcements({ sheet }: { sheet: Sheet }) {
  const [formula, setFormula] = useState("");
  const { said } = sheet;
  const say = async () => {
    if (formula.trim() && (await sheet.walk({ say: formula.trim() }))) setFormula("");
  };
  return (
    <section class="truth" aria-label="Announcements">
      <form class="row" onSubmit={(event) => (event.preventDefault(), void say())}>
        <input class="wide mono" aria-label="Tell everybody" placeholder="tell everybody that…" value={formula} data-test="say-input" onInput={(event) => setFormula(event.currentTarget.value)} />
        <button class="quiet" type="submit" data-test="say" title="Only what is true here can be announced; what agents know afterwards is asked with it">Announce</button>
      </form>
      {said.length > 0 && (
        <ul class="truths" data-test="said">
          {said.map((one, place) => (
            <li key={place}>
              <span class="soft">Everybody was told at moment {one.moment}:</span> <code>{one.formula}</code>
              {place === said.length - 1 && <button class="link" data-test="unsay" onClick={() => void sheet.walk({ said: said.slice(0, -1) })}>Take it back</button>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The number of the initial state in which the run begins; empty if it is none of those that are offered. */
function startOf(here: Here): string {
  const first = here.run.states[0];
  const place = here.initial.findIndex((one) => Object.keys(one).every((key) => one[key] === first[key]));
  return place < 0 ? "" : String(place + 1);
}

/** What distinguishes an initial state from the others. */
function telling(system: System, state: State, all: State[]): string {
  const keys = system.variables.filter(({ key }) => all.some((other) => other[key] !== all[0][key]));
  return (keys.length ? keys : system.variables).slice(0, 8).map(({ key, label }) => (state[key] === true ? label : state[key] === false ? `not ${label}` : `${label} = ${state[key]}`)).join(", ");
}

/** Questions that take long, each with its time and a way to give it up. */
export function Waiting({ sheet }: { sheet: Sheet }) {
  const [now, setNow] = useState(Date.now());
  const waiting = sheet.asking.value;
  useEffect(() => {
    if (!waiting.length) return;
    const clock = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(clock);
  }, [waiting.length]);
  const long = waiting.filter((one) => now - one.since > 400);
  if (!long.length) return null;
  return (
    <div role="status" data-test="waiting">
      <ul class="waiting">
      {long.map((one) => (
        <li key={one.id} class="row">
          <span class="bar endless"><i /></span> {one.words} · {((now - one.since) / 1000).toFixed(0)} s of 20
          <button class="quiet" onClick={() => sheet.giveUp(one)}>Cancel</button>
        </li>
      ))}
      </ul>
    </div>
  );
}

function Seek({ sheet }: { sheet: Sheet }) {
  const [goal, setGoal] = useState("");
  return (
    <form class="row inline" onSubmit={(event) => (event.preventDefault(), goal.trim() && void sheet.walk({ seek: goal }))}>
      <input aria-label="Go to a state where" placeholder="go to a state where…" value={goal} onInput={(event) => setGoal(event.currentTarget.value)} />
      <button class="quiet" type="submit">Go</button>
    </form>
  );
}

/** What everybody can do here: choosing actions narrows the list of steps. */
export function Choices({ system, steps, more, onTake, title = "What happens next?" }: { system: System; steps: Step[]; more: boolean; onTake: (index: number) => void; title?: string }) {
  const [chosen, setChosen] = useState<Joint>({});
  const agents = system.interleaved ? [] : system.agents.map((agent) => ({ name: agent.name, actions: [...new Set(steps.map((step) => step.joint[agent.name]).filter(Boolean))] })).filter((one) => one.actions.length > 1);
  const fits = (step: Step, apart = "") => agents.every(({ name, actions }) => name === apart || !actions.includes(chosen[name]) || chosen[name] === step.joint[name]);
  const shown = steps.map((step, index) => ({ step, index })).filter(({ step }) => fits(step));
  const choose = (name: string, action: string) => {
    const { [name]: old, ...rest } = chosen;
    setChosen(old === action ? rest : { ...rest, [name]: action });
  };
  return (
    <section class="choices" aria-label={title}>
      <h3>{title}</h3>
      {agents.map(({ name, actions }) => (
        <div class="row who" key={name} role="group" aria-label={`Action of ${name}`}>
          <b>{name}</b>
          {actions.map((action) => (
            <button key={action} class="chip" aria-pressed={chosen[name] === action} disabled={!steps.some((step) => step.joint[name] === action && fits(step, name))} onClick={() => choose(name, action)}>{action}</button>
          ))}
        </div>
      ))}
      {!steps.length && <p class="bad">A dead end: nothing can happen here.</p>}
      <ul class="steplist">
        {shown.slice(0, 24).map(({ step, index }) => (
          <li key={index}>
            <button class="step" data-test="step" onClick={() => (setChosen({}), onTake(index))}>
              <span class="did">{agents.length ? agents.map(({ name }) => `${name}: ${step.joint[name]}`).join("; ") : step.acts.join("; ")}</span>
              <span class="arrow" aria-hidden="true">→</span>
              <span>{step.changes.join(", ") || "nothing changes"}</span>
            </button>
          </li>
        ))}
      </ul>
      {(shown.length > 24 || more) && <p class="soft">{shown.length > 24 ? `${shown.length - 24} more steps fit` : "There are more steps"}; choose actions to narrow them down.</p>}
    </section>
  );
}

function lookAlikes(system: System, here: Here, known: Knowledge): Picture {
  const state = here.run.states[here.run.states.length - 1];
  const seen = new Set(system.agents.find((one) => one.name === known.agent)?.sees);
  const differing = system.variables.filter((one) => !seen.has(one.key) && known.states.some((other) => other[one.key] !== state[one.key]));
  const lines = (other: Record<string, unknown>) => {
    const said = differing.slice(0, 8).map((one) => (other[one.key] === true ? one.label : other[one.key] === false ? `not ${one.label}` : `${one.label} = ${other[one.key]}`));
    return said.length ? said : ["this state"];
  };
  const nodes: Node[] = [{ id: "here", lines: lines(state), marks: ["initial"], state }, ...known.states.map((other, index) => ({ id: `s${index + 1}`, lines: lines(other), marks: ["initial"], state: other }))];
  return { nodes, edges: nodes.slice(1).map((node) => ({ from: "here", to: node.id, label: known.agent, kind: "alike" as const, joint: null })) };
}

/** What an agent goes by, as the model reads knowledge. */
const AFTER: Record<string, string> = {
  observation: ", by what it sees",
  clock: ", by what it sees and the time",
  recall: ", by all that it saw",
  changes: ", by all changes that it saw",
};

function Know({ sheet, here }: { sheet: Sheet; here: Here }) {
  const known = sheet.knowledge.value;
  const observers = here.system.agents.filter((one) => one.sees.length);
  const told = here.said?.length ? " and what was said" : "";
  return (
    <section class="know" aria-label="What does an agent know here?">
      <h3>What does an agent know here?</h3>
      <div class="row">
        {observers.map((agent) => (
          <button key={agent.name} class="chip" aria-pressed={known?.agent === agent.name} data-test={`know-${agent.name}`} onClick={() => (known?.agent === agent.name ? (sheet.knowledge.value = null) : void sheet.whatKnows(agent.name))}>{agent.name}</button>
        ))}
      </div>
      {known && (
        <div aria-live="polite" data-test="knowledge">
          <p>
            {known.count === null ? `${known.agent} sees what stands above without a dotted line.` : known.count === 1 ? `No other state is possible for ${known.agent}${AFTER[known.reading]}${told}: it knows the whole state.` : known.reading === "observation" && !told ? `${known.count} reachable states look like this one to ${known.agent}.` : `${known.count} states are possible for ${known.agent}${AFTER[known.reading]}${told}.`}
          </p>
          <p class="facts">
            {known.knows.map((name) => <span key={name} class="fact knows">knows {name}</span>)}
            {known.knows_not.map((name) => <span key={name} class="fact knows">knows not {name}</span>)}
            {known.unsure.map((name) => <span key={name} class="fact unsure">cannot tell {name}</span>)}
            {known.undecided.map((name) => <span key={name} class="fact unsure">not found out: {name}</span>)}
          </p>
          {known.states.length > 0 && <Graph system={here.system} picture={lookAlikes(here.system, here, known)} label={`States that look the same to ${known.agent}`} mark={here.run.states[here.run.states.length - 1]} />}
          {known.count !== null && known.count > known.states.length + 1 && <p class="soft">{known.states.length} of them are drawn.</p>}
        </div>
      )}
    </section>
  );
}

function Truth({ sheet }: { sheet: Sheet }) {
  const [formula, setFormula] = useState("");
  const { system } = sheet.here.value!.value;
  const knower = system.agents.findLast((one) => one.sees.length)?.name;
  const fact = system.propositions[0];
  return (
    <section class="truth" aria-label="Is it true here?">
      <h3>Is it true here?</h3>
      <form class="row" onSubmit={(event) => (event.preventDefault(), void sheet.whether(formula.trim()))}>
        <input class="wide mono" aria-label="A formula" placeholder={knower && fact ? `K(${knower}, ${fact})` : "a formula"} value={formula} data-test="truth-input" onInput={(event) => setFormula(event.currentTarget.value)} />
        <button class="quiet" type="submit">Ask</button>
      </form>
      <ul class="truths" aria-live="polite">
        {sheet.truths.value.map((one) => (
          <li key={one.formula}>
            <span class={`badge ${one.answer === "true" ? "holds" : one.answer === "false" ? "fails" : one.answer === null ? "busy" : "unknown"}`}>{one.answer === null ? "…" : one.answer.length > 5 ? "?" : one.answer}</span>
            <code>{one.formula}</code> {one.answer !== null && one.answer.length > 5 && <span class="soft">{one.answer}</span>}
            <button class="link" aria-label={`Forget ${one.formula}`} onClick={() => (sheet.truths.value = sheet.truths.value.filter((other) => other !== one))}>×</button>
          </li>
        ))}
      </ul>
    </section>
  );
}
