"""Models with unbounded variables whose behaviour is finite in truth, so that the judge decides: ``python -m tests.fuzz.unbounded``.

Each model is put together from *devices* that aim at what the engines for unbounded models assume: counters that saturate or start again,
ranges that end in the middle of a step, reals on no grid, delay lines, swaps, effects of two steps, guards that are not convex, division,
several initial states.  Formulae have nested and negative knowledge, past over knowledge, linear and branching time, strategies.

The default engine and each engine alone are asked, all formulae together and some of them in another order; decided verdicts are compared
with the judge, evidence is replayed.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from epistrat.answers import Question, Verdict
from epistrat.engines.contract import Options
from epistrat.engines.registry import load as engine_named
from epistrat.lang.load import load
from epistrat.logic.formula import Formula
from epistrat.logic.show import show
from epistrat.model import system as models
from epistrat.service.pipeline import check
from epistrat.solvers.budget import Budget
from epistrat.solvers.patience import IMPATIENT, PATIENT

MOST_STATES = 1500
"""States of a model that the judge looks at; larger ones are drawn again."""
QUESTIONS = 12


@dataclass
class Device:
    """Variables with their domains, lines of evolution, conditions on initial states, and conditions worth asking about."""

    declared: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    atoms: list[str] = field(default_factory=list)


Maker = Callable[[random.Random, str], Device]


def _limit(rng: random.Random) -> int:
    return rng.choice((2, 3, 3, 4, 5, 7, 11, 16))


def _begins(rng: random.Random, name: str, *values: object) -> str:
    first = f"@{name} = {values[0]}"
    if len(values) > 1 and rng.random() < 0.35:
        return f"({first} or @{name} = {values[1]})"
    return first


def _around(name: str, limit: int) -> list[str]:
    """Conditions around a limit: some always true, some never, some in between."""
    return [
        f"@{name} <= {limit}",
        f"@{name} >= {limit}",
        f"@{name} > {limit}",
        f"@{name} = {limit - 1}",
        f"@{name} <> 1",
    ]


def saturating(rng: random.Random, name: str) -> Device:
    """A counter that stops."""
    limit, step = _limit(rng), rng.choice((1, 1, 2, 3))
    line = f"{name} = {name} + {step} if {name} < {limit}"
    return Device([f"{name} : integer;"], [line], [_begins(rng, name, 0, 1)], _around(name, limit))


def modular(rng: random.Random, name: str) -> Device:
    """A counter that starts again."""
    limit, step = _limit(rng), rng.choice((1, 1, 2))
    lines = [f"{name} = {name} + {step} if {name} < {limit}", f"{name} = 0 if {name} >= {limit}"]
    return Device([f"{name} : integer;"], lines, [_begins(rng, name, 0, limit)], _around(name, limit))


def biting(rng: random.Random, name: str) -> Device:
    """A bounded variable that stops an unbounded one beside it, by its range alone or also by a guard."""
    limit, step = _limit(rng), rng.choice((1, 2, 3))
    guard = rng.choice((f"{name} < {limit}", "true", f"n{name} < {2 * limit}"))
    lines = [f"{name} = {name} + {step} and n{name} = n{name} + {rng.choice((1, 2, -1))} if {guard}"]
    if rng.random() < 0.3:
        lines.append(f"{name} = 0 if {name} >= {limit - 1}")
        lines[0] += f" and n{name} < 9 and n{name} > -9"
    return Device(
        [f"{name} : 0..{limit};", f"n{name} : integer;"],
        lines,
        [_begins(rng, name, 0, 1), f"@n{name} = 0"],
        [*_around(f"n{name}", limit), f"@{name} = {limit}", f"@{name} <= @n{name}"],
    )


def fractional(rng: random.Random, name: str) -> Device:
    """A real number that moves by thirds, or changes places with what is left to 1."""
    limit = rng.choice((1, 2, 3))
    lines = rng.choice(
        (
            [f"{name} = {name} + 1/3 if {name} < {limit}"],
            [f"{name} = 1 - {name} if true"],
            [f"{name} = {name} / 2 if {name} > 1/{rng.choice((3, 8, 20))}"],
            [f"{name} = {name} + 2/5 if {name} + 1/2 < {limit}", f"{name} = 1/7 if {name} + 1/2 >= {limit}"],
        )
    )
    atoms = [f"@{name} <= {limit}", f"@{name} < 1/3", f"2 * @{name} = 1", f"@{name} > {limit}", f"@{name} = 2/3"]
    return Device([f"{name} : real;"], lines, [_begins(rng, name, "1/3", "1/2", "1")], atoms)


def circular(rng: random.Random, name: str) -> Device:
    """Two reals whose initial values are the solution of equations."""
    equations = rng.choice(
        (
            [f"@{name} = 1 - @n{name}", f"@n{name} = @{name}"],
            [f"@{name} = 2 * @n{name}", f"@n{name} = 1 - @{name}"],
            [f"@{name} = @n{name} + 1", f"@n{name} = 3 - @{name}"],
        )
    )
    lines = [f"{name} = n{name} and n{name} = {name} if true"] if rng.random() < 0.5 else [f"{name} = {name} if true"]
    atoms = [f"@{name} >= 1", f"2 * @{name} = 1", f"@{name} = @n{name}", f"@{name} + @n{name} = 1", f"@n{name} < 0"]
    return Device([f"{name} : real;", f"n{name} : real;"], lines, equations, atoms)


def delayed(rng: random.Random, name: str) -> Device:
    """A delay line behind a counter; it starts with equal values, or not."""
    limit = _limit(rng)
    second = rng.random() < 0.6
    line = f"d{name} = {name} and n{name} = {f'd{name}' if second else name}"
    lines = [
        f"{name} = {name} + 1 and {line} if {name} < {limit}",
        f"{name} = {rng.choice(('0', name))} and {line} if {name} >= {limit}",
    ]
    start = [
        f"@{name} = 0",
        f"@d{name} = {rng.choice((f'@{name}', 5, 0))}",
        f"@n{name} = {rng.choice((f'@{name}', f'@d{name}', 0, 7))}",
    ]
    atoms = [
        f"@n{name} = 5",
        f"@n{name} <= @{name}",
        f"@d{name} < @{name}",
        f"@n{name} = @{name}",
        f"@n{name} >= {limit}",
    ]
    return Device([f"{one}{name} : integer;" for one in ("", "d", "n")], lines, start, atoms)


def swapping(rng: random.Random, name: str) -> Device:
    """Two variables that change places, and one that follows."""
    follow = rng.choice((f"d{name} = {name}", f"d{name} = n{name}", f"d{name} = {name} - n{name}"))
    lines = [f"{name} = n{name} and n{name} = {name} and {follow} if true"]
    start = [_begins(rng, name, 0, 2), f"@n{name} = {rng.choice((1, 0, 3))}", f"@d{name} = {rng.choice((0, 4))}"]
    atoms = [f"@{name} = @n{name}", f"@d{name} <= 1", f"@d{name} = 4", f"@{name} + @n{name} = 1", f"@d{name} < 0"]
    return Device([f"{one}{name} : integer;" for one in ("", "n", "d")], lines, start, atoms)


def in_two_steps(rng: random.Random, name: str) -> Device:
    """Up, then down a little less: the range is left in the middle, not at the end."""
    up = rng.choice((3, 4, 6, 9))
    down = up - rng.choice((1, 1, 2))
    limit = rng.choice((up, up + 2, 2 * up, 2 * up + 1))
    stop = rng.random() < 0.5
    lines = [
        f"{name} = {name} + {up} and p{name} = true if p{name} = false"
        + (f" and {name} + {up} <= {limit}" if stop else ""),
        f"{name} = {name} - {down} and p{name} = false and n{name} = n{name} + 1 if p{name} = true",
    ]
    start = [_begins(rng, name, 0, 1), f"@n{name} = 0", f"@p{name} = false"]
    atoms = [*_around(f"n{name}", limit - up), f"@{name} <= {limit - 1}", f"@p{name} = true", f"@n{name} <= @{name}"]
    return Device([f"{name} : 0..{limit};", f"n{name} : integer;", f"p{name} : boolean;"], lines, start, atoms)


def jagged(rng: random.Random, name: str) -> Device:
    """A counter whose guard has gaps, or is not linear, or divides."""
    limit = rng.choice((4, 6, 9))
    guard = rng.choice(
        (
            f"{name} * {name} <> {rng.choice((4, 9))}",
            f"({name} < 2 or {name} > 4)",
            f"{name} <> {rng.choice((2, 3))}",
            f"{limit} / {name} > 1",
            f"{name} * {name} >= {rng.choice((0, 1, 4))}",
            f"({name} < 3 or n{name} = 0)",
        )
    )
    lines = [f"{name} = {name} + {rng.choice((1, 2))} if {guard} and {name} < {limit}"]
    if rng.random() < 0.4:
        lines.append(f"n{name} = 0 if {name} = 2 and n{name} = 1")
    atoms = [*_around(name, limit), f"@{name} * @{name} <= {limit * limit}", f"@n{name} = 0"]
    start = [_begins(rng, name, 0, -2, 1), f"@n{name} = {rng.choice((0, 1))}"]
    return Device([f"{name} : integer;", f"n{name} : integer;"], lines, start, atoms)


MAKERS: tuple[Maker, ...] = (
    saturating, modular, biting, fractional, circular, delayed, swapping, in_two_steps, jagged,
)  # fmt: skip


def text(rng: random.Random) -> str:
    """A model of one to three devices in one or two agents, seen by others in part."""
    makers = rng.sample(MAKERS, rng.choice((1, 2, 2, 3)))
    devices = [maker(rng, "xyz"[place]) for place, maker in enumerate(makers)]
    owners = ["Environment"] + [rng.choice(("Environment", "G")) for _ in devices[1:]]
    devices.append(Device(["h : boolean;"], _secret(rng), ["(@h = true or @h = false)"], ["@h = true", "@h = false"]))
    owners.append("Environment")
    semantics = rng.choice(("", "Semantics = SA;\n"))
    if semantics:
        for device in devices:
            device.lines = [one for line in device.lines for one in _apart(line)]
    seen = [
        one.split()[0]
        for device, owner in zip(devices, owners, strict=True)
        if owner == "Environment"
        for one in device.declared
    ]
    shown = {name: [one for one in seen if rng.random() < 0.35] for name in ("", "A", "B")}
    bodies = "\n".join(
        _agent(rng, owner, devices, owners, shown[""]) for owner in ("Environment", "G") if owner in owners
    )
    watchers = "\n".join(_watcher(name, [one for one in shown[name] if one not in shown[""]]) for name in ("A", "B"))
    start = " and ".join(
        part.replace("@", f"{owner}.") for one, owner in zip(devices, owners, strict=True) for part in one.start
    )
    atoms = [atom.replace("@", f"{owner}.") for one, owner in zip(devices, owners, strict=True) for atom in one.atoms]
    names = [f"p{place}" for place in range(len(atoms))]
    told = " ".join(f"{name} if {atom};" for name, atom in zip(names, atoms, strict=True))
    agents = ["A", "B", *(["G"] if "G" in owners else [])]
    formulae = "\n".join(f"  {_formula(rng, names, agents)};" for _ in range(QUESTIONS))
    return (
        f"{semantics}{bodies}\n{watchers}\nEvaluation {told} end Evaluation\n"
        f"InitStates A.c = false and B.c = false and {start}; end InitStates\n"
        f"Groups both = {{A, B}}; all = {{Environment, A, B}}; end Groups\nFormulae\n{formulae}\nend Formulae\n"
    )


def _apart(line: str) -> Iterator[str]:
    """A line as one line for each of its assignments."""
    made, _, guard = line.partition(" if ")
    return (f"{one} if {guard}" for one in made.split(" and "))


def _secret(rng: random.Random) -> list[str]:
    return rng.choice(([], [], ["h = false if Action = rest"], ["h = ~h if Action = rest"]))


def _agent(rng: random.Random, owner: str, devices: list[Device], owners: list[str], shown: list[str]) -> str:
    own = [device for device, name in zip(devices, owners, strict=True) if name == owner]
    declared = {one.split()[0]: one for device in own for one in device.declared}
    seen = " ".join(declared[one] for one in shown if one in declared and owner == "Environment")
    hidden = " ".join(text for one, text in declared.items() if not (one in shown and owner == "Environment"))
    idle = rng.random() < 0.4
    lines = []
    for device in own:
        for line in device.lines:
            acting = " and Action = go" if idle and "Action" not in line and rng.random() < 0.6 else ""
            lines.append(f"{line}{acting};".replace("if true and", "if"))
    number = next((one for device in own for one in device.declared if "integer" in one), None)
    guard = f"{number.split()[0]} > {rng.choice((1, 2))}" if number else "true"
    rest = rng.choice(("Other : {go, rest};", f"{guard} : {{go}}; Other : {{go, rest}};", "Other : {rest, go};"))
    obsvars = f"Obsvars: {seen} end Obsvars " if seen else ""
    return (
        f"Agent {owner}\n  {obsvars}Vars: {hidden} end Vars\n  Actions = {{go, rest}};\n"
        f"  Protocol: {rest} end Protocol\n  Evolution: {' '.join(lines)} end Evolution\nend Agent"
    )


def _watcher(name: str, seen: list[str]) -> str:
    return (
        f"Agent {name}\n  Lobsvars = {{{', '.join(seen)}}};\n  Vars: c : boolean; end Vars\n  Actions = {{look}};\n"
        f"  Protocol: Other : {{look}}; end Protocol\n  Evolution: c = c if Action = look; end Evolution\nend Agent"
    )


def _formula(rng: random.Random, names: list[str], agents: list[str]) -> str:
    def atom() -> str:
        one = rng.choice(names)
        return (
            one
            if rng.random() < 0.75
            else rng.choice((f"!{one}", f"({one} and {rng.choice(names)})", f"({one} -> {rng.choice(names)})"))
        )

    def known(depth: int = 2) -> str:
        inner = known(depth - 1) if depth > 1 and rng.random() < 0.25 else atom()
        agent = rng.choice(agents)
        return rng.choice(
            (f"K({agent}, {inner})",) * 4
            + (f"!K({agent}, {inner})", f"GK(both, {inner})", f"DK(both, {inner})", f"GCK(both, {inner})")
        )

    p, q, k = atom(), atom(), known()
    shapes = (
        f"AG {p}", f"AG ({p} -> {k})", f"AG !{k}", f"AG ({k} or {p})", f"EF {p}", f"EF ({p} and {k})", f"AF {p}", f"EG {p}",
        f"AG EF {p}", f"A({p} U {q})", f"E({p} U {q})", f"AX {p}", f"AG ({p} -> AF {q})", f"AG ({p} -> ({known()} and !{known()}))",
        f"LTL F {p}", f"LTL G {p}", f"LTL F {k}", f"LTL G ({p} -> {k})", f"LTL G F {p}", f"LTL F G {p}", f"LTL ({p} U {q})",
        f"LTL G ({p} -> X {q})", f"LTL G ({p} -> F {k})", f"LTL G ({p} -> Y {q})", f"LTL G (K({rng.choice(agents)}, Once {p}) -> {q})",
        f"LTL G ({k} -> Once {p})", f"AG ({p} or Y {q})", f"K({rng.choice(agents)}, AG {p})", f"AG K({rng.choice(agents)}, EF {p})",
        f"<all>F {p}", f"<both>G {p}", f"LTL G (Hist {p} -> {k})",
    )  # fmt: skip
    return rng.choice(shapes)


# Asking


@dataclass
class Asked:
    """One model with the judge's verdicts (Unknown where it has none)."""

    text: str
    system: models.System
    right: list[Verdict]


def judged(seed: int) -> Asked | None:
    """The model of a seed; None where it is too large for the judge, or no model."""
    rng = random.Random(seed)
    written = text(rng)
    system = load(written).system
    if system is None:
        return None
    session = engine_named("reference").open(system, Options(), Budget(seconds=20, states=MOST_STATES))
    right = [session.check(formula).verdict for formula in system.formulae]
    return None if right.count(Verdict.UNKNOWN) == len(right) else Asked(written, system, right)


def _ways(rng: random.Random, count: int) -> Iterator[tuple[str, list[int], bool]]:
    """Engine, which formulae in which order, and whether impatiently."""
    together = list(range(count))
    shuffled = rng.sample(together, count)
    yield "auto", together, False
    yield "auto", shuffled[: rng.randint(1, count // 3)], False
    yield "abstraction", shuffled, rng.random() < 0.3
    yield "lazy", rng.sample(together, rng.randint(1, count // 3)), rng.random() < 0.3


def compare(seed: int, seconds: float = 10.0) -> Iterator[tuple[str, str]]:
    """For each answer about the model of a seed: what came of it, and what was asked."""
    asked = judged(seed)
    if asked is None:
        yield "not judged", f"seed {seed}"
        return
    rng = random.Random(-seed - 1)
    for engine, places, impatient in _ways(rng, len(asked.right)):
        formulae: list[Formula] = [asked.system.formulae[place] for place in places]
        limit = seconds * len(formulae) if engine == "auto" else seconds / 4
        budget = Budget(limit, cores=1, patience=IMPATIENT if impatient else PATIENT)
        words = f"seed {seed} engine {engine} formulae {[place + 1 for place in places]} impatient {impatient}"
        try:
            questions = [Question(place + 1, formula, show(formula)) for place, formula in enumerate(formulae)]
            options = Options(evidence=True)
            report = check(asked.system, questions, engine=engine, options=options, budget=budget, facts=False)
        except Exception as error:
            yield "CRASH", f"{words}: {type(error).__name__}: {error}"
            continue
        gc.collect()  # solvers hold memory that Python does not see
        for place, result in zip(places, report.results, strict=True):
            right = asked.right[place]
            here = f"{words}: {result.text}: {result.verdict.value}, right: {right.value}"
            kind = "default" if engine == "auto" else engine
            if result.verdict is Verdict.UNKNOWN:
                yield f"{kind}: unknown", f"{here} ({result.reason})"
            elif right is Verdict.UNKNOWN:
                yield f"{kind}: not judged", here
            else:
                yield (f"{kind}: right" if right is result.verdict else "WRONG"), here
            if "does not follow the model" in (result.reason or ""):
                yield "NOT A RUN", here
            if result.left_out:
                late = impatient or all(" limit of " in one for one in result.left_out)
                yield ("without evidence: time" if late else "LEFT OUT"), f"{here}: {result.left_out}"
            if result.replay is not None and result.replay.problems:
                yield "NOT REPLAYED", f"{here}: {result.replay.problems}"


def main() -> int:
    """Compare many models; what is wrong is printed and its text written down."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--verdicts", type=int, default=2000, help="decided and compared verdicts after which no new model is begun"
    )
    parser.add_argument("--minutes", type=float, default=600.0, help="of processor time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--every", type=int, default=1, help="only every so many-th seed, so that several runs share the work"
    )
    parser.add_argument("--seconds", type=float, default=10.0, help="for one formula by the default engine")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    seed = options.seed
    with suppress(KeyboardInterrupt):
        while _right(counts) < options.verdicts and time.process_time() < 60 * options.minutes:
            counts["models"] += 1
            for found, asked in compare(seed, options.seconds):
                counts[found] += 1
                if found.isupper():
                    print(found, asked, flush=True)
                    options.findings.mkdir(parents=True, exist_ok=True)
                    (options.findings / f"unbounded-{seed}.ispl").write_text(
                        text(random.Random(seed)), encoding="utf-8"
                    )
            if counts["models"] % 20 == 0:
                print(summary(counts), flush=True)
            seed += options.every
    print(summary(counts), flush=True)
    return int(any(found.isupper() for found in counts))


def _right(counts: Counter[str]) -> int:
    return sum(count for found, count in counts.items() if found.endswith(": right"))


def summary(counts: Counter[str]) -> str:
    """The figures of a run in one line."""
    open_, known = counts["default: unknown"], counts["default: right"]
    share = open_ / max(1, open_ + known + counts["default: not judged"])
    return f"{_right(counts)} verdicts right, {share:.1%} unknown by default, {time.process_time():.0f} s: {dict(sorted(counts.items()))}"


if __name__ == "__main__":
    sys.exit(main())
