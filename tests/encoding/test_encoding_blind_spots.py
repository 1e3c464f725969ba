"""Small models for places where an error of the encoding could hide: variables of the same name, copies, frozen variables, fractions.

Every verdict is written down, and asked of the reference engine too.
"""

from __future__ import annotations

import pytest

import epistrat


def check(model: str, expected: dict[str, bool]) -> None:
    system = epistrat.load(model)
    for engine in ("symbolic", "reference"):
        found = dict(zip(expected, map(bool, system.check(list(expected), engine=engine)), strict=True))
        assert found == expected, engine


# A's x is not the Environment's x.
SAME_NAME = """
Agent Environment
  Obsvars: x : 0..2; z : 0..2; end Obsvars
  Vars: y : boolean; end Vars
  Actions = {up, rest};
  Protocol: Other : {up, rest}; end Protocol
  Evolution: x = x + 1 and z = z + 1 if Action = up and x < 2; end Evolution
end Agent
Agent A
  Vars: x : 0..2; y : boolean; z : 0..2; end Vars
  Actions = {copy, set, rest};
  Protocol: Other : {copy, set, rest}; end Protocol
  Evolution:
    x = Environment.x if Action = copy;
    z = 1 if Environment.z = 1 and Action = set;
    y = true if y = false and Action = set and Environment.x = 2;
  end Evolution
end Agent
Evaluation
  copied if A.x = 2; seen if A.z = 1; set if A.y = true; fresh if A.x = 0; behind if A.x < Environment.x;
end Evaluation
InitStates Environment.x = 0 and Environment.z = 0 and Environment.y = false and A.x = 0 and A.y = false and A.z = 0; end InitStates
Groups a = {A}; end Groups
"""


def test_a_variable_of_the_environment_is_not_the_agents_own() -> None:
    check(
        SAME_NAME,
        {
            "EF copied": True,
            "EF seen": True,
            "EF set": True,
            "AG fresh": False,
            "AG (seen -> AG seen)": True,
            "AG behind": False,
            "AX !copied": True,
            "<a>X fresh": True,
        },
    )


# The line for `still` writes x to what it is already; it competes with the line that moves y.
COMPETING = """
Agent A
  Vars: x : 0..1; y : 0..1; end Vars
  Actions = {go, wait};
  Protocol: Other : {go, wait}; end Protocol
  Evolution:
    x = 0 if x = 0 and Action = go;
    y = 1 if Action = go;
  end Evolution
end Agent
Evaluation moved if A.y = 1; end Evaluation
InitStates A.x = 0 and A.y = 0; end InitStates
Groups a = {A}; end Groups
"""


def test_a_line_that_changes_nothing_competes_with_the_others() -> None:
    check(COMPETING, {"EX moved": True, "AX moved": False, "<a>X moved": False, "<a>F moved": False, "EG !moved": True})


# Two enumerations of two values that share one; colours are copied and compared by name.
NAMES = """
Agent Environment
  Obsvars: a : {red, green}; b : {green, blue}; c : {green, red}; end Obsvars
  Actions = {swap, turn};
  Protocol: Other : {swap, turn}; end Protocol
  Evolution:
    a = green and b = blue if Action = swap and a = red;
    a = red and b = green if Action = swap and a = green;
    c = a if Action = turn;
  end Evolution
end Agent
Agent P
  Actions = {n};
  Protocol: Other : {n}; end Protocol
end Agent
Evaluation red if Environment.a = red; same if Environment.a = Environment.c; c_red if Environment.c = red; end Evaluation
InitStates Environment.a = red and Environment.b = green and Environment.c = green; end InitStates
"""


def test_values_are_copied_and_compared_by_name() -> None:
    check(
        NAMES,
        {
            "red and !same and !c_red": True,
            "EX (c_red and same)": True,
            "AG (EX c_red <-> (red or c_red))": True,
            "EX EX (!red and c_red)": True,
            "AG same": False,
            "EF (same and !c_red)": True,
        },
    )


# Half of an odd number is no value, but within the bounds: no step, and no overflow.
FRACTION = """
Agent A
  Vars: n : 0..3; end Vars
  Actions = {half, up};
  Protocol: n = 3 : {half}; Other : {half, up}; end Protocol
  Evolution: n = n / 2 if Action = half; n = n + 1 if Action = up; end Evolution
end Agent
Evaluation zero if A.n = 0; one if A.n = 1; two if A.n = 2; three if A.n = 3; end Evaluation
InitStates A.n = 0; end InitStates
Groups a = {A}; end Groups
"""


def test_a_fraction_inside_the_bounds_is_no_overflow() -> None:
    check(
        FRACTION,
        {
            "EF three": True,
            "AG (three -> !EX true)": True,
            "AG (two -> EX one)": True,
            "<a>X three": False,
            "AG EX true": False,
        },
    )
    for engine in ("symbolic", "reference", "explicit"):
        facts = epistrat.load(FRACTION).report("true", engine=engine).facts
        assert (facts.overflows, facts.dead_ends) == (0, 1), engine


# Every pair (n, m) is reached; conditions and assignments divide, subtract variables and start below zero.
ARITHMETIC = """
Agent A
  Vars: n : -2..3; m : 1..4; r : -9..9; end Vars
  Actions = {n, m, minus, half, twice};
  Protocol: Other : {n, m, minus, half, twice}; end Protocol
  Evolution:
    n = n + 1 if Action = n and n < 3;
    m = m + 1 if Action = m and m < 4;
    r = 3 - m if Action = minus;
    r = n / 2 if Action = half;
    r = n - 2 * m + 1 if Action = twice;
  end Evolution
end Agent
Evaluation
  start if A.n = -2 and A.m = 1;
  half if A.n / 2 < A.m;
  thirds if A.n / 2 = A.m / 3;
  mixed if A.n / 2 - A.m / 3 <= 1 - A.m;
  low if A.r = 3 - A.m;
  exact if A.r + A.r = A.n;
  line if A.r - A.n = 1 - 2 * A.m;
end Evaluation
InitStates A.n = -2 and A.m = 1 and A.r = 0; end InitStates
"""


def test_fractions_differences_and_ranges_below_zero() -> None:
    check(
        ARITHMETIC,
        {
            "AG half": False,
            "EF thirds": True,
            "AG (thirds -> A.n = 2 and A.m = 3)": True,
            "EF (A.n = 2 and A.m = 3 and thirds)": True,
            "start and mixed": True,
            "AG (mixed -> A.n < 1)": True,
            "EF (A.m = 4 and mixed)": False,
            "EF (A.m = 2 and !mixed)": True,
            "AX (low or !low)": True,
            "EX (low and A.r = 2)": True,
            "AG EX low": True,
            "AG EX line": True,
            "AG (EX exact or A.n = -1 or A.n = 1 or A.n = 3)": True,
            "EF (A.n = 1 and EX (A.n = 1 and A.r = 0 and exact))": False,
        },
    )


SIZES = """
Agent A
  Vars: n : {RANGE}; colour : {{red, green, blue, white, black}}; end Vars
  Actions = {{rest}};
  Protocol: Other : {{rest}}; end Protocol
end Agent
Evaluation p if A.n < 9; end Evaluation
InitStates {INITIAL}; end InitStates
"""


@pytest.mark.parametrize(
    ("values", "initial", "states"),
    [
        ("0..4", "true", 25),
        ("0..5", "A.colour = red", 6),
        ("-3..7", "A.colour = red", 11),
        ("0..8", "A.n > 1 and A.n < 5 and A.n <> 3 and A.colour = red", 2),
        ("0..8", "(A.n = 1 or A.n = 7) and A.n > 2 and (A.colour = red or A.colour = blue) and A.colour <> red", 1),
    ],
)
def test_initial_states_of_odd_sizes_are_counted(values: str, initial: str, states: int) -> None:
    """The number of values is no power of two, and several conditions speak of one variable."""
    system = epistrat.load(SIZES.format(RANGE=values, INITIAL=initial).replace("< 9", "< 4"))
    for engine in ("symbolic", "reference", "explicit"):
        assert system.report("true", engine=engine).facts.states == states, engine


def test_a_fraction_of_a_product_inside_the_bounds_is_no_overflow() -> None:
    model = FRACTION.replace("n = n / 2", "n = n * n / 2").replace("n = 3 : {half}", "n = 3 : {up}")
    for engine in ("symbolic", "reference", "explicit"):
        facts = epistrat.load(model).report("true", engine=engine).facts
        assert (facts.overflows, facts.overflow_line) == (1, ("A", 2)), engine


@pytest.mark.parametrize("engine", ["reference", "symbolic", "explicit"])
def test_a_quotient_reaches_every_value_of_its_range(engine: str) -> None:
    """The lowest and the highest included, and no value where it is not whole."""
    text = """
Agent A
  Vars: x : 0..4; y : 0..8; end Vars
  Actions = {half, up}; Protocol: Other : {half, up}; end Protocol
  Evolution: x = y / 2 if Action = half; y = y + 1 if Action = up and y < 8; end Evolution
end Agent
InitStates A.x = 1 and A.y = 0; end InitStates
Formulae EF A.x = 4; AX (A.y = 0 -> (A.x = 0 or A.x = 1)); EX A.x = 0; AG (A.y = 8 -> EX A.x = 4);
  EF (A.y = 1 and A.x = 0); AG (A.y = 7 -> AX A.y >= 7); end Formulae
"""
    said = epistrat.load(text).check(engine=engine)
    assert [one.verdict.value for one in said] == ["holds"] * 6
