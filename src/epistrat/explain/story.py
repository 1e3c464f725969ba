"""From a run to what happened: who acted, what changed, who could see it."""

from __future__ import annotations

from epistrat.answers.explanation import Focus, Moment, Scene
from epistrat.evidence import Abstract, Along, Around, Lasso, Part, Path, Restricted, Run, Tree
from epistrat.explain.words import acts, counted, facts, listed
from epistrat.logic.formula import Reading
from epistrat.model.state import Joint, State
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass

FEW = 4


def run_of(tree: Tree) -> Path:
    """The run that a tree shows: along its paths, and once around a loop; without any, the state it is about."""
    run, current = Path((tree.state,), ()), tree
    while True:
        found: Tree | None = None
        for reason in (one.run if isinstance(one, Abstract) else one for one in current.because):
            if isinstance(reason, Around):
                lasso = reason.lasso
                return run.then(Path((*lasso.states, lasso.states[lasso.loop]), lasso.actions))
            if isinstance(reason, Along):
                run = run.then(reason.path)
                last = len(reason.path.actions)
                found = next((claim for at, claim in reason.claims if at == last and claim.because), None)
                break
            if isinstance(reason, (Part, Restricted)) and reason.tree.because:
                found = reason.tree
                break
        if found is None:
            return run
        current = found


MOST_NOTICING = 4


@dataclass(frozen=True)
class Teller:
    """Tells runs of one system.  ``relevant`` are the positions of the variables that matter."""

    system: System
    focus: Focus
    relevant: frozenset[int]

    def scene(self, title: str, run: Run) -> Scene:
        """The run as a scene."""
        moments = [self._start(run.states[0])]
        omitted = 0
        for index in range(1, len(run.states)):
            moment, hidden = self._step(index, run.states[index - 1], run.actions[index - 1], run.states[index])
            moments.append(moment)
            omitted += hidden
        loop = None
        if isinstance(run, Lasso):
            loop = run.loop
            moment, hidden = self._step(len(run.states), run.states[-1], run.actions[-1], run.states[run.loop])
            moments.append(moment)
            omitted += hidden
        return Scene(title, tuple(moments), loop, omitted)

    def _visible(self, index: int) -> bool:
        agents = self.focus.agents
        return agents is None or self.system.variables[index].owner in agents

    def _start(self, state: State) -> Moment:
        everything = [index for index in range(len(self.system.variables)) if self._visible(index)]
        shown = everything if self.focus.full else [index for index in everything if index in self.relevant]
        return Moment(0, state, None, (), facts(self.system, shown, state), changed=False)

    def _step(self, index: int, before: State, joint: Joint, after: State) -> tuple[Moment, int]:
        changed = [place for place in range(len(after)) if before[place] != after[place] and self._visible(place)]
        shown = changed
        if not self.focus.full and len(changed) > FEW:
            shown = [place for place in changed if place in self.relevant]
        only = None if self.focus.agents is None else frozenset(self.focus.agents)
        done = acts(self.system, joint, only)
        if self.system.interleaved and not any(joint) and not Stepper(self.system).is_dead_end(before):
            done = ("what was chosen leaves nothing that can happen: time passes",)
        moment = Moment(index, after, joint, done, facts(self.system, shown, after), True, self._noticed(before, after))
        return moment, len(changed) - len(shown)

    def _noticed(self, before: State, after: State) -> str:
        """Who can see that something changed, where some can and others cannot."""
        agents = [agent.name for agent in self.system.agents if not agent.is_environment]
        if self.focus.agents is not None:
            agents = [name for name in agents if name in self.focus.agents]
        if before == after or len(agents) < 2:
            return ""
        noticing = [name for name in agents if self._sees_change(name, before, after)]
        if len(noticing) == len(agents):
            return ""
        if not noticing:
            return "no agent notices"
        if len(noticing) > MOST_NOTICING:
            return f"noticed by {len(noticing)} of {counted(len(agents), 'agent')}"
        return f"only {listed(noticing)} notice{'s' if len(noticing) == 1 else ''}"

    def _sees_change(self, name: str, before: State, after: State) -> bool:
        return any(before[index] != after[index] for index in self.system.views[name])

    def seen_on(self, agents: tuple[str, ...], run: Path, reading: Reading) -> tuple[str, ...]:
        """What the agents together see on a run, as far as the reading compares it: at its end, or moment by moment."""
        at_the_end = self.seen(agents, run.last)
        if reading is Reading.OBSERVATION or not run.actions:
            return at_the_end
        if reading is Reading.CLOCK:
            return (f"after {counted(len(run.actions), 'step')} {' and '.join(at_the_end) or 'nothing'}",)
        views = [" and ".join(self.seen(agents, state)) or "nothing" for state in run.states]
        if len(set(views)) == 1:
            return (f"always {views[0]}",)
        moments = [at for at, view in enumerate(views) if at == 0 or view != views[at - 1]]
        if reading is Reading.CHANGES:
            return tuple([f"{'then' if at else 'first'} {views[at]}" for at in moments])
        return tuple([f"from moment {at} on {views[at]}" for at in moments])

    def seen(self, agents: tuple[str, ...], state: State) -> tuple[str, ...]:
        """What the agents together see of a state: all of it if that is little, else what matters and how much more there is."""
        positions = sorted({index for name in agents for index in self.system.views[name]})
        everything = facts(self.system, positions, state)
        if self.focus.full or len(everything) <= 3 * FEW:
            return everything
        shown = [index for index in positions if index in self.relevant]
        more = len(positions) - len(shown)
        said = facts(self.system, shown, state)
        return (
            (*said, f"and {counted(more, 'more variable')}, the same in both") if more and said else said or everything
        )
