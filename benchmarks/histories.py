"""What knowledge that remembers, announcements and programs cost: `python -m benchmarks.histories [NAME ...]`, CPU of all processes.

Cryptographers by recall are the scenario of the library.  Muddy children by announcements are made here: father says that somebody is
muddy, and n - 1 times nobody knows whether it is; then all do.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
DINING = ROOT / "src" / "epistrat" / "scenarios" / "dining-cryptographers.ispl"
PROGRAMS = ROOT / "examples" / "programs"


def muddy(n: int) -> str:
    """Muddy children by announcements, all of them muddy."""
    nobody = "[! forall i in 1..n: !KW(Child[i], muddy[i])] " * (n - 1)
    return f"""Parameters n = {n} in 2..; end Parameters
Agent Environment
    Vars: mud[i in 1..n]: boolean; end Vars
    Actions = {{none}};
    Protocol: Other : {{none}}; end Protocol
    Evolution: end Evolution
end Agent
Agent Child[i in 1..n]
    Lobsvars = {{mud[j in 1..n where j <> i]}};
    Vars: end Vars
    Actions = {{none}};
    Protocol: Other : {{none}}; end Protocol
    Evolution: end Evolution
end Agent
Evaluation
    muddy[i in 1..n] if Environment.mud[i] = true;
    some if exists i in 1..n: Environment.mud[i] = true;
    all if forall i in 1..n: Environment.mud[i] = true;
end Evaluation
InitStates forall i in 1..n: Environment.mud[i] = true or Environment.mud[i] = false; end InitStates
Formulae
    last: all -> [! some] {nobody}(forall i in 1..n: K(Child[i], muddy[i]));
    before: all -> [! some] {nobody.partition("] ")[2]}(forall i in 1..n: !K(Child[i], muddy[i]));
end Formulae
"""


def announced(n: int) -> list[str]:
    """The command for muddy children by announcements."""
    path = Path(tempfile.gettempdir()) / f"muddy-announced-{n}.ispl"
    path.write_text(muddy(n), encoding="utf-8")
    return ["check", str(path)]


CASES: dict[str, Callable[[], list[str]]] = {
    **{
        f"cryptographers-recall-{n}": lambda n=n: ["check", str(DINING), "--set", f"n={n}", "--knowledge", "recall"]  # type: ignore[misc]
        for n in (20, 100)
    },
    "muddy-announced-40": lambda: announced(40),
    **{
        f"muddy-program-{n}": lambda n=n: ["check", str(PROGRAMS / "muddy_children.ispl"), "--set", f"n={n}"]  # type: ignore[misc]
        for n in (8, 9, 10)
    },
    "agreement-4-2": lambda: ["check", str(PROGRAMS / "simultaneous_agreement.ispl"), "--set", "n=4", "--set", "t=2"],
}


def main(names: list[str]) -> None:
    """Run the cases, or those named."""
    for name in names or CASES:
        command = CASES[name]()
        before, begun = os.times(), time.monotonic()
        done = subprocess.run([sys.executable, "-m", "epistrat", *command], capture_output=True, text=True, check=False)
        after = os.times()
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        last = [line for line in done.stdout.splitlines() if line.strip()][-1:]
        print(f"{name:28} {cpu:7.2f} s CPU {time.monotonic() - begun:7.2f} s  {' '.join(last)[:60]}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
