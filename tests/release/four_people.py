"""Four people's first tasks, replayed from what README and the book say: ``python -m tests.release.four_people``.

A lecturer, a student who comes from MCMAS, an engineer and a researcher have models of their own (`people/`).  Nobody knows an option that
the pages do not show: every command is found in a page, and then names the person's own file.  A command that no page shows any more, or
an answer that is not as it should be, is a mistake of the page or of the program.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PEOPLE = Path(__file__).with_name("people")


@dataclass(frozen=True)
class Task:
    """What somebody wants; the page that says how; the command as it stands there (a pattern), with what is written in its place.

    A Python task has a program instead: all ``words`` of the interface in it must stand in the page.  ``says`` are patterns that the
    output must contain, ``never`` such that it must not.
    """

    person: str
    wish: str
    page: str
    shown: str = ""
    instead: tuple[tuple[str, str], ...] = ()
    program: str = ""
    words: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    status: int = 0


TASKS = (
    Task(
        "lecturer",
        "Why can the last message not be reached, and from which initial state?",
        "README.md",
        r"epistrat check examples/dining_cryptographers\.ispl --only 3 --evidence",
        (("examples/dining_cryptographers.ispl --only 3", "generals.ispl --only reach"),),
        says=(r"Where it starts\n +0 +not A\.wants", r"It fails in 1 of 2 initial states"),
        status=1,
    ),
    Task(
        "lecturer",
        "What can the generals enforce?",
        "README.md",
        r"epistrat strategy examples/prisoners\.ispl -f '<prisoners>F free'",
        (("examples/prisoners.ispl -f '<prisoners>F free'", "generals.ispl -f '<generals>F b_heard'"),),
        says=(r"^No\.", r"not A\.wants", r"cannot make sure that `b_heard` becomes true"),
        status=1,
    ),
    Task(
        "lecturer",
        "Is it common knowledge, and if not, through whom?",
        "docs/operators/common.md",
        r"epistrat check docs/operators/door\.ispl -f 'raining -> GCK\(both, raining\)' --evidence",
        (
            ("docs/operators/door.ispl", "generals.ispl"),
            ("raining -> GCK(both, raining)", "AG (b_heard -> GCK(generals, b_heard))"),
        ),
        says=(r"cannot rule out", r"common knowledge"),
        status=1,
    ),
    Task(
        "lecturer",
        "What did I write wrong?",
        "docs/cli.md",
        r"epistrat check FILE",
        (("FILE", "first_try.ispl"),),
        says=(r"equality is written `=`", r"knowledge is written `K\(A, f\)`", r"`GCK\(group, f\)`", r"1\d errors"),
        status=3,
    ),
    Task(
        "student",
        "Where is MCMAS's -uniform, and is it what the paper means?",
        "docs/from-mcmas.md",
        r"epistrat check examples/card_game\.ispl -f '<player>F wins' --strategies uniform",
        (("examples/card_game.ispl", "vote.ispl"), ("<player>F wins", "<c>F pun[1]")),
        says=(r"holds .*if all agents fix their rules first, and cooperate", r"asked by --strategies objective"),
    ),
    Task(
        "student",
        "What a coercer can enforce on what it sees.",
        "docs/from-mcmas.md",
        r"epistrat check examples/card_game\.ispl -f '<player>F wins' --strategies objective",
        (("examples/card_game.ispl", "vote.ispl"), ("<player>F wins", "<c>F pun[1]")),
        says=(r"FAILS", r"Coercer cannot make sure"),
        status=1,
    ),
    Task(
        "engineer",
        "A report for the CI server about a model with unbounded counters, and an exit status that agrees with it.",
        "docs/continuous-integration.md",
        r"epistrat check models/\*\.ispl --expect --time 60 --format junit",
        (("models/*.ispl --expect", "access.ispl"),),
        says=(
            r'<testsuite name="access.ispl"',
            r'failures="[1-9]"',
            r'line="\d+"',
            r"message=\"[^\"]*(steps?|run|start|state)",
        ),
        never=(r"There \.", r"it is so"),
        status=1,
    ),
    Task(
        "engineer",
        "Why does it hold for all values?",
        "docs/evidence.md",
        r"epistrat check FILE --evidence",
        (("FILE --evidence", "access.ispl --only no_future,behind --evidence"),),
        says=(r"is true at the start", r"no step makes it\s+false", r"a solver proved it again"),
        never=(r"\.\.\.`",),
    ),
    Task(
        "engineer",
        "When does it go wrong?",
        "docs/tutorial.md",
        r"epistrat check examples/train_gate_controller\.ispl -f 'AG \(waiting1 -> AF inside1\)' --evidence",
        (
            ("examples/train_gate_controller.ispl", "access.ispl"),
            ("AG (waiting1 -> AF inside1)", "LTL G (open -> F !open)"),
        ),
        says=(r"At moment 2 `open` is true, and `!open` is never true from then on",),
        status=1,
    ),
    Task(
        "researcher",
        "A table and a curve for the paper.",
        "docs/experiments.md",
        r"epistrat sweep voting\.ispl n=3\.\.8 m=1,2 --time 60 -o table\.csv --plot growth\.svg",
        (("voting.ispl n=3..8 m=1,2", "vote.ispl n=2..3"), ("table.csv", "table.tex"), ("growth.svg", "growth.png")),
        says=(r"fail, \d+ hold",),
    ),
    Task(
        "researcher",
        "The same in a notebook.",
        "docs/experiments.md",
        program="""
import epistrat
swept = epistrat.sweep("vote.ispl", n=range(2, 4), time=60)
print(len(swept.rows), "rows")
""",
        words=("epistrat.sweep(", "time=60", "swept.rows"),
        says=(r"^\d+ rows",),
    ),
    Task(
        "researcher",
        "A model in Python; is an answer a truth value?",
        "docs/python-api.md",
        program="""
import epistrat
model = epistrat.load("vote.ispl", n=2)
print("holds" if model.check("AG closed") else "fails")
plan = model.strategy("<both>G !pun[1]", strategies="subjective")
print(plan)
""",
        words=("epistrat.load(", ".strategy(", "model.check(", "strategies"),
        says=(r"^fails", r"Yes\."),
        never=(r"-> (\w+)\n +otherwise +-> \1",),
    ),
)


def replayed(task: Task, home: Path, python: Path) -> Iterator[str]:
    """Do what somebody wants in a folder with their models; what was not as it should be."""
    page = (ROOT / task.page).read_text(encoding="utf-8")
    name = f"{task.person}: {task.wish}"
    if task.program:
        missing = [word for word in task.words if word not in page]
        if missing:
            yield f"{name} {task.page} does not mention {', '.join(missing)}"
            return
        command = [str(python), "-c", task.program]
    else:
        found = re.search(task.shown, page)
        if found is None:
            yield f"{name} {task.page} shows no command `{task.shown}`"
            return
        words = found[0]
        for old, new in task.instead:
            if old not in words:
                yield f"{name} `{old}` is not in the command of {task.page}: {words}"
            words = words.replace(old, new)
        command = ["sh", "-c", words.replace("epistrat", f"{python} -m epistrat", 1)]
    done = subprocess.run(
        command, cwd=home, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=300
    )
    out = done.stdout + done.stderr
    if done.returncode != task.status:
        yield f"{name} exit status {done.returncode}, not {task.status}:\n{out}"
    for pattern in task.says:
        if not re.search(pattern, out, flags=re.MULTILINE):
            yield f"{name} `{pattern}` is not said:\n{out}"
    for pattern in task.never:
        if re.search(pattern, out, flags=re.MULTILINE):
            yield f"{name} `{pattern}` is said:\n{out}"


def main() -> int:
    """The command; 1 if anything is not as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        shutil.copytree(PEOPLE, home)
        wrong = [one for task in TASKS for one in replayed(task, home, Path(sys.executable))]
    print("\n".join(wrong) or f"{len(TASKS)} tasks of four people done as the pages say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
