"""Models with unbounded integers that grow with n: tunnels, number transmission, a counter that must reach K.

python -m benchmarks.unbounded            measures all cases and prints a table
python -m benchmarks.unbounded tunnels 10 prints the model
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from epistrat.experiments.chart import draw

_RESULTS = Path(__file__).parent / "results"


def _controller(i: int) -> str:
    return f"""Agent Controller{i}
  Vars: counter : integer; end Vars
  Actions = {{grant_a, grant_b, none}};
  Protocol: Other : {{grant_a, grant_b, none}}; end Protocol
  Evolution:
    counter = counter + 1 if Action = grant_a and TrainA.Action = request{i};
    counter = counter - 1 if Action = grant_b and TrainB.Action = request{i};
  end Evolution
end Agent"""


def tunnels(n: int) -> str:
    """Two trains go round in opposite directions through n tunnels; each controller counts crossings of a minus those of b."""
    lines = [_controller(i) for i in range(1, n + 1)]
    for train, order in (("A", range(1, n + 1)), ("B", range(n, 0, -1))):
        grant = f"grant_{train.lower()}"
        stops = list(order)
        places = ", ".join(f"s{i}" for i in range(n + 1))
        requests = ", ".join(f"request{i}" for i in range(1, n + 1))
        before = [0, *stops[:-1]]
        protocol = "".join(f"    pos = s{a} : {{stay, request{b}}};\n" for a, b in zip(before, stops, strict=True))
        evolution = "".join(
            f"    pos = s{i} if Action = request{i} and Controller{i}.Action = {grant};\n" for i in stops
        )
        lines.append(f"""Agent Train{train}
  Vars: pos : {{{places}}}; end Vars
  Actions = {{stay, leave, {requests}}};
  Protocol:
{protocol}    Other : {{stay, leave}};
  end Protocol
  Evolution:
{evolution}    pos = s0 if Action = leave;
  end Evolution
end Agent""")
    counters = " and ".join(f"Controller{i}.counter = 0" for i in range(1, n + 1))
    lines.append(f"""Evaluation
  start if TrainA.pos = s0;
  inside if TrainA.pos = s1;
  preferred if Controller1.counter >= 0;
end Evaluation
InitStates TrainA.pos = s0 and TrainB.pos = s0 and {counters}; end InitStates
Groups a = {{TrainA}}; b = {{TrainB}}; c = {{Controller1}}; ac = {{TrainA, Controller1}}; end Groups
Formulae
  K(TrainA, <a> G start);
  K(TrainA, <ac> F inside);
  <c> G preferred;
  !(<b> F inside);
end Formulae""")
    return "\n".join(lines)


def transmission(n: int, formula: str = "AG (rdone -> K(R, sdone))") -> str:
    """S tells R n numbers by doing send_i as many times as the i-th number says."""
    sends = ", ".join(f"send{i}" for i in range(1, n + 1))
    stages = ", ".join(f"b{i}" for i in range(1, n + 1))
    numbers = " ".join(f"v{i} : integer;" for i in range(1, n + 1))
    protocol = "".join(
        f"    status = b{i} and v{i} > 0 : {{send{i}}};\n    status = b{i} and v{i} <= 0 : {{next}};\n"
        for i in range(1, n + 1)
    )
    after = [*(f"b{i}" for i in range(2, n + 1)), "done"]
    steps = "".join(f"    status = {then} if status = b{i} and Action = next;\n" for i, then in enumerate(after, 1))
    counts = "".join(f"    v{i} = v{i} - 1 if Action = send{i};\n" for i in range(1, n + 1))
    hears = "".join(f"    w{i} = w{i} + 1 if S.Action = send{i};\n" for i in range(1, n + 1))
    start = " and ".join(f"S.v{i} >= 0 and R.w{i} = 0" for i in range(1, n + 1))
    return f"""Agent S
  Vars: {numbers} status : {{{stages}, done}}; end Vars
  Actions = {{next, done, {sends}}};
  Protocol:
{protocol}    Other : {{done}};
  end Protocol
  Evolution:
{counts}{steps}  end Evolution
end Agent
Agent R
  Vars: {numbers.replace("v", "w")} status : {{busy, done}}; end Vars
  Actions = {{listen}};
  Protocol: Other : {{listen}}; end Protocol
  Evolution:
{hears}    status = done if S.Action = done;
  end Evolution
end Agent
Evaluation rdone if R.status = done; sdone if S.status = done; end Evaluation
InitStates S.status = b1 and R.status = busy and {start}; end InitStates
Groups rs = {{R, S}}; end Groups
Formulae {formula}; end Formulae"""


def termination(n: int) -> str:
    """Number transmission, and whether it comes to an end."""
    return transmission(n, "<rs> F rdone")


def counter(k: int) -> str:
    """One tunnel: can the controller and train a make the counter equal to k?"""
    text = tunnels(1).replace("preferred if Controller1.counter >= 0;", f"goal if Controller1.counter = {k};")
    head, _ = text.split("Formulae\n")
    return f"{head}Formulae <ac> F goal; end Formulae"


CASES: dict[str, tuple[Callable[[int], str], tuple[int, ...]]] = {
    "tunnels": (tunnels, (5, 10, 20, 30)),
    "transmission": (transmission, (5, 10, 20, 40)),
    "termination": (termination, (5, 10, 20)),
    "counter": (counter, (10, 1000, 1_000_000)),
}


def measured(text: str, limit: int = 300) -> tuple[float, float, str]:
    """CPU seconds and megabytes of the whole command, and its verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.ispl"
        file.write_text(text, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [
            sys.executable,
            "-c",
            "from epistrat.cli.main import run; run()",
            "check",
            str(file),
            "--json",
            "--time",
            str(limit),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    verdicts = ", ".join(result["verdict"] for result in json.loads(done.stdout)["results"])
    return seconds, after.ru_maxrss / 1024, verdicts


def main() -> None:
    """Print a model, or measure all cases."""
    if len(sys.argv) == 3:
        print(CASES[sys.argv[1]][0](int(sys.argv[2])))
        return
    rows = ["| case | n | CPU seconds | MB | verdicts |", "| --- | --- | --- | --- | --- |"]
    series: dict[str, list[tuple[int, float]]] = {}
    for name, (generate, sizes) in CASES.items():
        for n in sizes:
            seconds, memory, verdicts = measured(generate(n))
            rows.append(f"| {name} | {n} | {seconds:.2f} | {memory:.0f} | {verdicts} |")
            print(rows[-1], flush=True)
            series.setdefault(name, []).append((n, seconds))
    (_RESULTS / "unbounded.md").write_text("# Unbounded models\n\n" + "\n".join(rows) + "\n", encoding="utf-8")
    draw(_RESULTS / "unbounded.svg", "Unbounded models: CPU seconds over n", series)


if __name__ == "__main__":
    main()
