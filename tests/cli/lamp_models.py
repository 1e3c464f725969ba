"""Two small models, and how a command ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

LAMP = """\
-- A lamp that somebody may switch.
-- expect: 1 holds, 2 fails, 3 holds; states 2
Agent Lamp
  Vars: on : boolean; end Vars
  Actions = {press, wait};
  Protocol: Other : {press, wait}; end Protocol
  Evolution:
    on = true if on = false and Action = press;
    on = false if on = true and Action = press;
  end Evolution
end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Groups g = {Lamp}; end Groups
Formulae
  AG EF lit;
  AF lit;
  <g>F lit;
end Formulae
"""

COUNTER = """\
Agent Counter
  Vars: n : 0..3; end Vars
  Actions = {up};
  Protocol: Other : {up}; end Protocol
  Evolution: n = n + 1 if Action = up; end Evolution
end Agent
Evaluation top if Counter.n = 3; end Evaluation
InitStates Counter.n = 0; end InitStates
Formulae EF top; end Formulae
"""


class Ran(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]
