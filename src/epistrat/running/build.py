"""From a model and a wish to the tables that a monitor follows."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

from epistrat.logic import formula as logic
from epistrat.logic.formula import Formula, is_state
from epistrat.logic.rewrite import negation
from epistrat.logic.show import show
from epistrat.model.show import to_ispl
from epistrat.model.state import Joint
from epistrat.model.step import Stepper
from epistrat.model.system import System
from epistrat.records import dataclass
from epistrat.render.json.report import value_json
from epistrat.running.automata import Machine, Places, machine_of, places_of
from epistrat.running.properties import Followed, Plan, Wish, understood
from epistrat.running.runtime.answers import sum_of
from epistrat.running.runtime.monitor import Monitor
from epistrat.running.runtime.tables import Property, Tables
from epistrat.running.shield import Shield, shield_of
from epistrat.service import Given, LabelRequest, ask
from epistrat.service.labelling import Labelled
from epistrat.service.requests import Model
from epistrat.solvers.budget import Budget
from epistrat.terms import Enumeration

MOST_STATES = 20_000
MOST_STEPS = 200_000
FORMAT = "epistrat-monitor/1"

Ask = Callable[[LabelRequest], Labelled]


class CannotKeep(Exception):
    """The group of a shield cannot keep its property from the start.  ``sees``: the variables by which it could."""

    def __init__(self, followed: Followed, sees: tuple[str, ...] = ()) -> None:
        super().__init__(followed.name)
        self.followed, self.sees = followed, sees


@dataclass(frozen=True, slots=True)
class Built:
    """The tables of a monitor as values that can be written down, and the model they are made from."""

    system: System
    plan: Plan
    values: dict[str, Any]

    def tables(self) -> Tables:
        """The tables, ready to be followed."""
        return Tables(**self.values)

    def monitor(self) -> type[Monitor]:
        """A class of monitors in this process."""
        return type("Monitor", (Monitor,), {"tables": self.tables()})


def in_process(request: LabelRequest) -> Labelled:
    """Have the states labelled in this process."""
    found: Labelled = ask(request)[1]
    return found


def build(
    system: System,
    wish: Wish,
    *,
    name: str = "<model>",
    model: Model | None = None,
    most: int = MOST_STATES,
    labels: Ask = in_process,
    budget: Budget | None = None,
    stepper: Stepper | None = None,
) -> Built:
    """The tables for a wish about a system.  ``stepper`` says what agents can choose, if the system's own lines do not.

    Raises `Unusable` and `InputError` for a wish that makes no sense, `OutOfBudget` where a limit is reached, and `CannotKeep`.
    """
    budget = budget or Budget()
    plan = understood(system, wish)
    machines = [machine_of(one.name, one.linear) for one in plan.properties]
    atoms = dict.fromkeys(atom for machine in machines for atom in machine.atoms)
    atoms |= dict.fromkeys(watch.formula for watch in plan.watches)
    steps = max(MOST_STEPS, 10 * most)
    found = labels(LabelRequest(model=model or Given(system), formulae=tuple(atoms), most=most, most_steps=steps))
    values = _values(found, plan, name)
    for followed, machine in zip(plan.properties, machines, strict=True):
        one = _property(followed, machine, places_of(followed.name, machine, found, budget), found)
        values["properties"] = (*values["properties"], one)
    stepper = stepper or Stepper(system)
    shielded = [_shielded(values, number, plan, found, stepper, budget) for number in range(len(machines))]
    values["properties"] = tuple(shielded)
    return Built(system, plan, values)


def _values(found: Labelled, plan: Plan, name: str) -> dict[str, Any]:
    """Everything except the properties."""
    system, reached = found.system, found.reached
    columns = list(zip(*reached.states, strict=True)) if system.variables else []
    occurring = [list(dict.fromkeys(column)) for column in columns]
    codes = [{value: code for code, value in enumerate(some)} for some in occurring]
    steps = _steps(found)
    hidden = tuple(number for number, joint in enumerate(steps) if any(action in plan.hidden for action in joint))
    return {
        "fingerprint": described(system, plan),
        "interleaved": system.interleaved,
        "agents": tuple((agent.name, agent.actions) for agent in system.agents),
        "variables": tuple(
            (
                str(variable),
                variable.domain.values if isinstance(variable.domain, Enumeration) else None,
                tuple(value_json(value) for value in some),
            )
            for variable, some in zip(system.variables, occurring, strict=True)
        ),
        "states": " ".join(
            str(code[value]) for state in reached.states for code, value in zip(codes, state, strict=True)
        ),
        "initial": hex(sum_of(reached.initial)),
        "events": tuple(steps),
        "steps": tuple(" ".join(f"{source} {target}" for source, target in pairs) for pairs in steps.values()),
        "hidden": hidden,
        "sees": plan.sees,
        "properties": (),
        "watches": tuple((one.name, one.words, hex(sum_of(found.labels[one.formula]))) for one in plan.watches),
        "about": _about(system, plan, name),
    }


def described(system: System, plan: Plan) -> str:
    """A fingerprint of model and options; a system that no text describes is told apart by its parts."""
    written = any(agent.protocol or agent.other for agent in system.agents)
    followed = [(one.name, show(one.formula)) for one in plan.properties]
    options = (plan.hidden, plan.sees, followed, [(one.name, show(one.formula)) for one in plan.watches])
    text = to_ispl(system) if written else repr(system.agents)
    return sha256(repr((FORMAT, text, options)).encode()).hexdigest()[:32]


def _about(system: System, plan: Plan, name: str) -> dict[str, Any]:
    return {
        "model": name,
        "parameters": dict(system.constants),
        "form": "table",
        "hidden": list(plan.hidden),
        "sees": [str(system.variables[index]) for index in plan.sees],
        "properties": {one.name: show(one.formula) for one in plan.properties},
        "watches": {one.name: show(one.formula) for one in plan.watches},
        "decided": ["violated", "perhaps violated", "lost", "settled"],
        "permissive": any(one.group for one in plan.properties),
    }


def _steps(found: Labelled) -> dict[Joint, list[tuple[int, int]]]:
    """The steps by joint action, in the order in which agents declare their actions; what only repeats a dead end is no step."""
    system = found.system
    steps: dict[Joint, list[tuple[int, int]]] = {}
    for source, row in enumerate(found.reached.steps):
        for joint, target in row:
            if not (system.interleaved and not any(joint)):
                steps.setdefault(joint, []).append((source, target))
    order = [{action: place for place, action in enumerate(agent.actions)} for agent in system.agents]
    names = dict.fromkeys(action for agent in system.agents for action in agent.actions)
    place = {name: number for number, name in enumerate(names)}

    def rank(joint: Joint) -> tuple[int, ...]:
        if system.interleaved:
            return (min(place[action] for action in joint if action is not None),)
        return tuple(-1 if one is None else own[one] for own, one in zip(order, joint, strict=True))

    return {joint: sorted(set(steps[joint])) for joint in sorted(steps, key=rank)}


def _property(followed: Followed, machine: Machine, places: Places, found: Labelled) -> Property:
    body = followed.linear.arg if isinstance(followed.linear, logic.Globally) else None
    plain = body is not None and is_state(body)
    aim = show(negation(body)) if body is not None and plain else "a violation"
    tree = condition_tree(body, machine.atoms) if body is not None and plain else ()
    group = followed.group.members if followed.group is not None else ()
    return Property(
        name=followed.name,
        aim=aim,
        group=tuple(group),
        first=places.first,
        after=places.after,
        letters=" ".join(map(str, places.letters)),
        violated=hex(places.violated),
        lost=hex(places.lost),
        settled=hex(places.settled),
        atoms=tuple((show(atom), hex(sum_of(found.labels[atom]))) for atom in machine.atoms),
        why=tree,
        winning=(),
    )


def condition_tree(formula: Formula, atoms: tuple[Formula, ...]) -> Any:
    """A condition as nested tuples over the numbers of its atoms; nothing where it was simplified away."""

    def part(one: Formula) -> Any:
        match one:
            case logic.Not(arg):
                return ("not", part(arg))
            case logic.And(args):
                return ("and", *map(part, args))
            case logic.Or(args):
                return ("or", *map(part, args))
            case logic.Implies(left, right):
                return ("or", ("not", part(left)), part(right))
            case _:
                return ("atom", atoms.index(one))

    try:
        return part(formula)
    except ValueError:
        return ()


def _shielded(
    values: dict[str, Any], number: int, plan: Plan, found: Labelled, stepper: Stepper, budget: Budget
) -> Property:
    """The property with its winning sets, if it has a group; raises `CannotKeep`."""
    one: Property = values["properties"][number]
    if not one.group:
        return one
    shield = _shield(values, number, found, stepper, budget)
    if not shield.starts:
        raise CannotKeep(plan.properties[number], _would_help(values, number, found, stepper, budget))
    return one._replace(winning=tuple(map(hex, shield.winning)))


def _shield(values: dict[str, Any], number: int, found: Labelled, stepper: Stepper, budget: Budget) -> Shield:
    return shield_of(Tables(**values), number, stepper, found.reached.states, budget)


def _would_help(
    values: dict[str, Any], number: int, found: Labelled, stepper: Stepper, budget: Budget
) -> tuple[str, ...]:
    """Variables of the members by which the group could keep the property if the monitor were told them, none to spare; or none."""
    system, told = found.system, set(values["sees"])
    members = values["properties"][number].group
    own = sorted({index for name in members if name in system.views for index in system.views[name]} - told)

    def enough(some: list[int]) -> bool:
        return _shield(values | {"sees": tuple(sorted({*some, *told}))}, number, found, stepper, budget).starts

    if not own or not enough(own):
        return ()
    for one in list(own):
        if enough([other for other in own if other != one]):
            own.remove(one)
    return tuple(str(system.variables[index]) for index in own)
