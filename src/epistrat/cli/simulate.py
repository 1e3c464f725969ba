"""``epistrat simulate``: walk through a model, by hand or at random."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path as FilePath

from epistrat.cli import console
from epistrat.cli.ask import answered, model
from epistrat.cli.exit_codes import Exit, Refused, status_of
from epistrat.cli.lines import Lines
from epistrat.evidence import Path
from epistrat.logic.formula import Reading
from epistrat.logic.show import show
from epistrat.model.system import System
from epistrat.render.json.cursor import Datum
from epistrat.render.json.reading import EvidenceReader
from epistrat.render.json.report import SCHEMA, path_json
from epistrat.render.text import show_rejection
from epistrat.render.walk import show_joint, show_options, show_state, show_steps, show_value
from epistrat.service import InputError, SimulateRequest
from epistrat.service.knowing import SECONDS, Knowledge
from epistrat.service.models import read_formula
from epistrat.service.simulation import MOST_CHOICES, Fired, Simulation, open_simulation

_HELP = """  1, 2, ..    make that step            b      back one step (b N: back to state N)
  r N         N random steps            s      start again (s N: in initial state N)
  c AGENT ACTION   choose for one agent (c: what is chosen); go: make the step, the others at random
  j CONDITION go to the nearest state where the condition holds; j N: to state N of this run
  w           why: the lines that made the last step
  k AGENT     what the agent sees and knows here
  f FORMULA   is it true here?          p      the run so far         v  the whole state
  a FORMULA   announce: everybody is told that it is true here
  save FILE   write the run to a file   load FILE   go on from a run that was saved
  l           list the steps            h      this help              q  quit"""

_MANY_STEPS = 30
"""Where more steps are possible, the agents' choices are shown instead."""
_MCMAS_BACK, _MCMAS_QUIT = "0", "-1"
"""What those who come from MCMAS type."""


def run(arguments: argparse.Namespace) -> Exit:
    """Simulate one model."""
    request = SimulateRequest(
        model=model(arguments.file, arguments),
        strict=arguments.strict,
        steps=arguments.random or 0,
        seed=arguments.seed,
    )
    return walk(request, file=arguments.load) if arguments.random is None else _at_random(request, arguments)


def walk(request: SimulateRequest, run: Path | None = None, file: str | None = None) -> Exit:
    """Let a person choose the steps; ``run`` or the run in a file is what has happened so far."""
    try:
        simulation = open_simulation(request)
        if file is not None:
            run = _read_run(file, simulation.system)
        if run is not None:
            simulation.follow(run)
    except InputError as rejected:
        raise Refused(Exit.INPUT, *show_rejection(rejected.diagnostics, console.style())) from None
    except LookupError as problem:
        raise Refused(Exit.INPUT, f"epistrat simulate: {problem.args[0]}") from None
    console.write(_Dialogue(simulation).hold())
    return Exit.HOLDS


def _read_run(file: str, system: System) -> Path:
    """The run in a file; raises LookupError."""
    try:
        data = json.loads(FilePath(file).read_text(encoding="utf-8"))
        return EvidenceReader(system, lambda text: read_formula(text, system)).path(Datum(data)["run"])
    except OSError as error:
        raise LookupError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as problem:  # no JSON, or not what is expected of it
        raise LookupError(f"{file} holds no run of this model: {problem}") from None


def _at_random(request: SimulateRequest, arguments: argparse.Namespace) -> Exit:
    report, found = answered("simulate", request, quiet=True)
    if found is None:
        return status_of(report)
    if arguments.json:
        path = path_json(found.system, found.run)
        console.write([json.dumps({"schema": SCHEMA, "model": arguments.file, "run": path})])
        return Exit.HOLDS
    console.write(_run(found.system, found.run))
    if found.stuck:
        made = len(found.run.actions)
        console.write([f"dead end after {made} step{'' if made == 1 else 's'}: nothing can happen here"])
    return Exit.HOLDS


def _run(system: System, run: Path) -> Iterator[str]:
    yield f"state 0 (initial)  {show_state(system, run.states[0])}"
    for number, joint in enumerate(run.actions, start=1):
        before, after = run.states[number - 1], run.states[number]
        yield f"      {show_joint(system, joint)}"
        yield f"state {number}  {show_state(system, after, before)}"


class _Dialogue:
    """Commands in, lines out."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._chosen: dict[str, str] = {}
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            "b": self._back,
            "s": self._start,
            "r": self._random,
            "j": self._jump,
            "w": self._why,
            "k": self._knows,
            "c": self._choose,
            "go": self._go,
            "l": self._list,
            "save": self._save,
            "load": self._load,
            "f": self._formula,
            "a": self._announce,
            "p": self._path,
            "v": self._view,
            "h": self._help,
            "?": self._help,
        }

    def hold(self) -> Iterator[str]:
        """The whole conversation, until the user quits or the input ends."""
        yield from self._welcome()
        lines = Lines(self._words)
        while True:
            try:
                command = lines.ask(self._prompt())
                if command is None or command in ("q", "quit", "exit", _MCMAS_QUIT):
                    return
                yield from list(self._do(command))
            except KeyboardInterrupt:
                yield "  interrupted; the run is still there (q quits)"

    def _prompt(self) -> str:
        offered = len(self._simulation.steps())
        choose = f"choose 1-{offered}, " if offered else ""
        return f"{choose}b back, r N random, w why, k AGENT, f FORMULA, h help, q > "

    def _words(self, before: str) -> list[str]:
        """How a command may go on."""
        system = self._simulation.system
        match before.split(" ")[:-1]:
            case []:
                return [*self._commands, "q"]
            case ["k"] | ["c"]:
                return list(system.views if before.startswith("k") else self._simulation.options())
            case ["c", agent]:
                return list(self._simulation.options().get(agent, ()))
            case ["f" | "j" | "a", *_]:
                return [*system.propositions, *map(str, system.variables)]
            case _:
                return []

    def _do(self, command: str) -> Iterator[str]:
        word, _, rest = command.partition(" ")
        try:
            if command == _MCMAS_BACK:
                yield from self._back("")
            elif word.isdecimal():
                yield from self._take(_number(word))
            elif word in self._commands:
                yield from self._commands[word](rest.strip())
            elif command:
                yield f"  `{word}` is no command; h shows them"
        except InputError as rejection:
            yield from (f"  {diagnostic.message}" for diagnostic in rejection.diagnostics)
        except (LookupError, ValueError) as mistake:
            yield f"  {mistake.args[0] if mistake.args else mistake}"

    def _welcome(self) -> Iterator[str]:
        simulation = self._simulation
        count = len(simulation.initial_states)
        if simulation.depth:
            yield from self._path("")
            yield from self._here()
            return
        if count == 1:
            yield from self._here("initial, the only one")
            return
        more = f" (the first {MOST_CHOICES})" if simulation.more_initial_states else ""
        yield f"{count:,} initial states{more}; this is number 1, `s N` starts in another:"
        for number, state in enumerate(simulation.initial_states[:20], start=1):
            yield f"  s {number:<3} {show_state(simulation.system, state)}"
        yield from self._here("initial")

    def _here(self, remark: str = "") -> Iterator[str]:
        simulation = self._simulation
        words = f" ({remark})" if remark else ""
        yield f"state {simulation.depth}{words}  {show_state(simulation.system, simulation.state)}"
        self._chosen = {}
        steps = simulation.steps(_MANY_STEPS + 1)
        if len(steps) > _MANY_STEPS and not simulation.system.interleaved:
            yield "  many steps are possible: `c AGENT ACTION` chooses for an agent, `go` makes the step, `l` lists some"
            yield from show_options(simulation.options(), self._chosen)
        else:
            yield from self._list("")

    def _list(self, _: str) -> Iterator[str]:
        simulation = self._simulation
        steps = simulation.steps(MOST_CHOICES + 1)
        yield from show_steps(simulation.system, simulation.state, steps[:MOST_CHOICES])
        if len(steps) > MOST_CHOICES:
            yield "  ... and more; r 1 makes a random one of all"
        if not steps:
            yield "  dead end: nothing can happen here"

    def _choose(self, words: str) -> Iterator[str]:
        if words:
            options = self._simulation.options()
            agent, _, action = words.partition(" ")
            if agent not in options:
                raise LookupError(f"`{agent}` has no actions to choose; there are {', '.join(options) or 'none'}")
            if action not in options[agent]:
                raise LookupError(f"{agent} can do here: {', '.join(options[agent]) or 'nothing'}")
            self._chosen[agent] = action
        yield from show_options(self._simulation.options(), self._chosen)

    def _go(self, _: str) -> Iterator[str]:
        step = self._simulation.step_with(self._chosen)
        if step is None:
            raise LookupError("no step was found with these choices")
        self._simulation.take(step)
        yield from self._here()

    def _save(self, file: str) -> Iterator[str]:
        if not file:
            raise LookupError("save it where? `save run.json`")
        run, name = self._simulation.run, self._simulation.loaded.source.name
        data = {"schema": SCHEMA, "model": name, "run": path_json(self._simulation.system, run)}
        try:
            FilePath(file).write_text(json.dumps(data), encoding="utf-8")
        except OSError as error:
            raise LookupError(f"{file} cannot be written: {error.strerror}") from None
        yield f"  saved: {len(run.actions)} steps; `epistrat simulate MODEL --load {file}` goes on from there"

    def _load(self, file: str) -> Iterator[str]:
        self._simulation.follow(_read_run(file, self._simulation.system))
        yield from self._path("")
        yield from self._here()

    def _take(self, number: int) -> Iterator[str]:
        steps = self._simulation.steps()
        if not 1 <= number <= len(steps):
            raise LookupError(f"there is no step {number}")
        self._simulation.take(steps[number - 1])
        yield from self._here()

    def _back(self, to: str) -> Iterator[str]:
        self._simulation.back(_number(to) if to else None)
        yield from self._here("" if self._simulation.depth else "initial")

    def _start(self, number: str) -> Iterator[str]:
        self._simulation.start(_number(number) if number else 1)
        yield from self._here("initial")

    def _random(self, count: str) -> Iterator[str]:
        wanted = _number(count) if count else 1
        first = self._simulation.depth
        made = self._simulation.walk(wanted)
        yield from list(_run(self._simulation.system, self._simulation.run))[1 + 2 * first :][-40:]
        if made < wanted:
            yield f"  dead end after {made} steps"
        yield from self._here()

    def _jump(self, goal: str) -> Iterator[str]:
        if goal.isdecimal():
            self._simulation.back(_number(goal))
        else:
            first = self._simulation.depth
            if not self._simulation.seek(read_formula(goal, self._simulation.system)):
                yield "  no such state was found from here"
                return
            yield from list(_run(self._simulation.system, self._simulation.run))[1 + 2 * first :]
        yield from self._here()

    def _why(self, _: str) -> Iterator[str]:
        for fired in self._simulation.why():
            yield from self._fired(fired)

    def _fired(self, fired: Fired) -> Iterator[str]:
        changes = ", ".join(f"{name} {show_value(old)} -> {show_value(new)}" for name, old, new in fired.changes)
        yield f"  {fired.agent}: {changes or 'nothing changes'}"
        if not fired.lines:
            yield "    no evolution line applies, so it stays as it is"
        for number, line in fired.lines:
            yield f"    {self._simulation.written(fired.agent, number, line)}"

    def _knows(self, agent: str) -> Iterator[str]:
        if not agent:
            raise LookupError(f"who? There are {', '.join(self._simulation.system.views)}")
        yield from _knowledge(self._simulation.knowledge(agent))

    def _formula(self, text: str) -> Iterator[str]:
        answer = self._simulation.holds(read_formula(text, self._simulation.system))
        yield (
            "  "
            + {True: "true here", False: "false here", None: f"not known within the limit of {SECONDS:g} s"}[answer]
        )

    def _announce(self, text: str) -> Iterator[str]:
        self._simulation.say(read_formula(text, self._simulation.system))
        yield "  everybody knows that this was said"

    def _path(self, _: str) -> Iterator[str]:
        yield from _run(self._simulation.system, self._simulation.run)
        yield from (f"  said in state {moment}: {show(formula)}" for moment, formula in self._simulation.said)

    def _view(self, _: str) -> Iterator[str]:
        system = self._simulation.system
        for variable, value in zip(system.variables, self._simulation.state, strict=True):
            yield f"  {variable} = {show_value(value)}"

    def _help(self, _: str) -> Iterator[str]:
        yield _HELP


def _number(word: str) -> int:
    if not word.isdecimal():
        raise ValueError(f"`{word}` is no number; h shows the commands")
    return int(word)


def _knowledge(known: Knowledge) -> Iterator[str]:
    seen = ", ".join(f"{name}={show_value(value)}" for name, value in known.sees) or "nothing"
    count = "" if known.look_alikes is None else f" {_LOOKS[known.reading].format(_states(known.look_alikes))}"
    yield f"  {known.agent} sees: {seen}.{count}"
    facts = [*known.knows_true, *(f"!{name}" for name in known.knows_false)]
    if facts:
        yield f"  It knows: {', '.join(facts)}."
    if known.unsure:
        yield f"  It does not know: {', '.join(known.unsure)}."
    if known.undecided:
        yield f"  Not known within the limit of {SECONDS:g} s: {', '.join(known.undecided)}."


_LOOKS = {
    Reading.OBSERVATION: "{} like this.",
    Reading.CLOCK: "{} like this at this time.",
    Reading.RECALL: "{} like this after all that it saw.",
    Reading.CHANGES: "{} like this after all changes that it saw.",
}


def _states(count: int) -> str:
    return "1 state looks" if count == 1 else f"{count:,} states look"
