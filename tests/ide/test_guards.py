"""Guards that ask what an agent knows, in an editor."""

from __future__ import annotations

import pytest

from epistrat.ide import analyse, completion, definition, hover, references, tokens

TEXT = """Knowledge = Clock;
Agent Alice
  Vars: seen : boolean; end Vars
  Actions = {set, rest};
  Protocol: seen = true and K(self, unset and !GCK(both, Alice.seen)) : {set}; Other : {rest}; end Protocol
  Evolution: seen = true if Action = set; end Evolution
end Agent
Agent Bob Vars: x : boolean; end Vars Actions = {}; Protocol: end Protocol Evolution: end Evolution end Agent
Evaluation unset if Alice.seen = false; end Evaluation
InitStates Alice.seen = false and Bob.x = false; end InitStates
Groups both = {Alice, Bob}; end Groups
Formulae AG unset; end Formulae
"""
GUARD = TEXT.index("seen = true and K")


@pytest.mark.parametrize(
    ("behind", "offered", "missing"),
    [
        ("seen = true and ", {"K", "KW", "GCK", "seen"}, {"unset", "AG"}),
        ("seen = true and K(", {"self", "Alice", "Bob"}, {"seen", "both"}),
        ("seen = true and K(self, ", {"unset", "K", "Once"}, {"seen", "Other"}),
        ("seen = true and K(self, unset and !GCK(", {"both"}, {"seen"}),
        ("seen = true and K(self, unset and !GCK(both, Alice.seen)) : {", {"set", "rest"}, {"K", "unset"}),
    ],
)
def test_completion(behind: str, offered: set[str], missing: set[str]) -> None:
    labels = {one.label for one in completion(analyse(TEXT), GUARD + len(behind))}
    assert offered <= labels
    assert not missing & labels


def test_names_inside_are_those_of_formulae() -> None:
    analysis = analyse(TEXT)
    assert analysis.system is not None
    at = TEXT.index("unset and")
    found = hover(analysis, at)
    assert found is not None and "Alice.seen = false" in found.text
    assert definition(analysis, at) is not None
    assert len(references(analysis, at)) == 3
    kinds = {TEXT[one.span.start : one.span.end]: one.kind for one in tokens(analysis)}
    assert kinds["K"] == "operator"
    assert kinds["both"] == "group"
    assert len(references(analysis, TEXT.index("both, Alice"))) == 2
