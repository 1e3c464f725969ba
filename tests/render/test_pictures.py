"""Pictures of evidence and of reachable graphs are well formed, small where they should be, and hold nothing from outside."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import epistrat
from epistrat.answers import Question, Report
from epistrat.explain.narrate import explained
from epistrat.model.explore import explore
from epistrat.model.initial import initial_states
from epistrat.model.step import Stepper
from epistrat.render.dot import dot
from epistrat.render.export_graph import graph_json, graph_page
from epistrat.render.graph import Picture, reachable_picture, tree_picture
from epistrat.render.layout import Box, laid_out
from epistrat.render.mermaid import mermaid
from epistrat.render.page import fragment, page
from epistrat.render.page_style import STATES_STYLE
from epistrat.render.svg import svg

EXAMPLES = Path(__file__).parents[2] / "examples"
QUESTIONS = [
    ("dining_cryptographers", "AG((odd and paid2) -> K(C1, paid2))"),
    ("muddy_children", "all_muddy -> GCK(children, some_muddy)"),
    ("train_gate_controller", "AG (waiting1 -> AF inside1)"),
    ("prisoners", "<prisoners>F free"),
    ("prisoners", "<counter_alone>F free"),
    ("red_states", "O(Inner, !both_open)"),
    ("card_game", "AF wins"),
]


def pictured(model: str, formula: str) -> tuple[epistrat.System, epistrat.Result]:
    system = epistrat.load(EXAMPLES / f"{model}.ispl")
    (result,) = system.check(formula)
    assert result.evidence is not None
    return system, result


def picture_of(model: str, formula: str) -> Picture:
    system, result = pictured(model, formula)
    assert result.evidence is not None
    return tree_picture(system, result.evidence)


@pytest.mark.parametrize(("model", "formula"), QUESTIONS)
def test_svg_is_xml_and_boxes_do_not_overlap(model: str, formula: str) -> None:
    picture = picture_of(model, formula)
    ElementTree.fromstring(svg(picture))
    boxes = list(laid_out(picture).boxes.values())
    assert not any(overlap(one, other) for index, one in enumerate(boxes) for other in boxes[:index])


@pytest.mark.parametrize(("model", "formula"), QUESTIONS[:3])
def test_without_graphviz_there_are_pictures_too(model: str, formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    test_svg_is_xml_and_boxes_do_not_overlap(model, formula)


def test_look_alikes_are_dashed_everywhere() -> None:
    picture = picture_of(*QUESTIONS[0])
    assert [edge.label for edge in picture.edges if edge.kind == "alike"] == ["C1"]
    assert "style=dashed" in dot(picture)
    assert '-. "C1" .-' in mermaid(picture)
    assert 'class="alike"' in svg(picture)


@pytest.mark.parametrize(("model", "formula"), QUESTIONS)
def test_dot_and_mermaid_name_every_state(model: str, formula: str) -> None:
    picture = picture_of(model, formula)
    for key in picture.nodes:
        assert f"  {key} [" in dot(picture)
        assert f"  {key}[" in mermaid(picture)


class Reader(HTMLParser):
    """Notes open tags and everything that could be fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.depth: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "br", "path", "rect"}:
            self.depth.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_endtag(self, tag: str) -> None:
        if tag not in {"path", "rect"}:
            assert self.depth.pop() == tag


@pytest.mark.parametrize(("model", "formula"), QUESTIONS)
def test_the_page_is_whole_and_fetches_nothing(model: str, formula: str) -> None:
    system, result = pictured(model, formula)
    assert result.evidence is not None
    text = page([Report(model, system, results=(explained(system, result),))])
    reader = Reader()
    reader.feed(text)
    assert reader.depth == []
    assert reader.fetched == []
    assert not re.findall(r"url\((?!#)", text)
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_lanes_show_who_did_what() -> None:
    system, result = pictured(*QUESTIONS[0])
    assert result.evidence is not None
    text = fragment(system, explained(system, result))
    assert '<tr data-agent="C2">' in text
    assert "say_different" in text
    assert 'class="compare" data-agents="C1"' in text


def test_text_from_models_cannot_break_out() -> None:
    system, result = pictured("card_game", "AF wins")
    assert result.evidence is not None
    answer = replace(explained(system, result), question=Question(1, result.formula, "a < b & c"))
    text = page([Report("<script>alert(1)", system, results=(answer,))])
    assert "<script>alert" not in text
    assert "a &lt; b &amp; c" in text


def test_reachable_graphs() -> None:
    system = epistrat.load(EXAMPLES / "train_gate_controller.ispl")
    reached = explore(Stepper(system), initial_states(system))
    picture = reachable_picture(system, reached)
    data = json.loads(json.dumps(graph_json(system, "m", reached)))
    assert len(picture.nodes) == len(data["states"]) == 20
    assert len(data["steps"]) == sum(map(len, reached.steps))
    assert data["states"][data["initial"][0]]["Train1.place"] == "away"
    ElementTree.fromstring(svg(picture))
    assert "marked" in graph_page("m", picture)


def overlap(one: Box, other: Box) -> bool:
    apart = one.x + one.width <= other.x or other.x + other.width <= one.x
    above = one.y + one.height <= other.y or other.y + other.height <= one.y
    return not (apart or above)


@pytest.mark.parametrize("model", ["train_gate_controller", "bit_transmission", "red_states", "haggling", "tian_ji"])
def test_labels_of_edges_cover_no_state_and_no_other_label(model: str) -> None:
    pytest.importorskip("pygraphviz", exc_type=ImportError)  # also where a library of the system is missing
    system = epistrat.load(EXAMPLES / f"{model}.ispl")
    picture = reachable_picture(system, explore(Stepper(system), initial_states(system)))
    layout = laid_out(picture)
    labels = [line.label for line in layout.lines if line.label is not None]
    assert len(layout.lines) == len(picture.edges) > 20
    assert len(labels) == len([edge for edge in picture.edges if edge.lines])
    for number, label in enumerate(labels):
        assert not any(overlap(label, box) for box in layout.boxes.values())
        assert not any(overlap(label, other) for other in labels[:number])


LAMPS = """
Agent Environment
  Vars: lit : boolean; kind : {big, small}; end Vars
  Actions = {hum};
  Protocol: Other : {hum}; end Protocol
  Evolution: lit = true if A.Action = press; lit = false if A.Action = pull; end Evolution
end Agent
Agent A
  Vars: at : {here, there}; end Vars
  Actions = {press, pull, rest};
  Protocol: Other : {press, pull, rest}; end Protocol
  Evolution: at = here if Action = press; end Evolution
end Agent
Agent B
  Vars: at : {here, there}; end Vars
  Actions = {look, sing};
  Protocol: Other : {look, sing}; end Protocol
  Evolution: at = here if Action = look; end Evolution
end Agent
Evaluation lit if Environment.lit; end Evaluation
InitStates !Environment.lit and Environment.kind = big and A.at = here and B.at = here; end InitStates
Formulae EF lit; end Formulae
"""


def test_steps_between_two_states_share_an_edge_that_says_what_decides() -> None:
    system = epistrat.load(LAMPS)
    picture = reachable_picture(system, explore(Stepper(system), initial_states(system)), caption="lamps")
    said = {(edge.source, edge.target): edge.lines for edge in picture.edges}
    assert len(said) == len(picture.edges) == 4
    assert said == {
        ("s0", "s1"): ("A: press",),  # whatever B does, and Environment has no choice
        ("s0", "s0"): ("A: pull or rest",),
        ("s1", "s1"): ("A: press or rest",),
        ("s1", "s0"): ("A: pull",),
    }
    assert [edge.label.count("|") for edge in picture.edges if (edge.source, edge.target) == ("s0", "s0")] == [3]
    assert picture.nodes["s0"].lines == ("not lit",)
    assert picture.caption == "lamps; the same everywhere: kind = big, at: all here"


def test_labels_that_are_too_long_lose_names_not_actions() -> None:
    agent = """Agent {} Vars: on : boolean; end Vars Actions = {{decline, offer}}; Protocol: Other : {{decline, offer}}; end Protocol
      Evolution: on = true if Action = offer; end Evolution end Agent """
    names = ["FirstContractor", "SecondContractor", "ThirdContractor"]
    for count, expected in ((2, "both: decline"), (3, "FirstContractor and Seco…: decline")):
        start = " and ".join(f"!{name}.on" for name in names[:count])
        text = "".join(agent.format(name) for name in names[:count])
        text += f"Evaluation on if {names[0]}.on; end Evaluation InitStates {start}; end InitStates Formulae EF on; end Formulae"
        system = epistrat.load(text)
        picture = reachable_picture(system, explore(Stepper(system), initial_states(system)))
        assert expected in {line for edge in picture.edges for line in edge.lines}


def test_pages_with_graphs_can_be_moved_and_enlarged_and_styles_stay_inside() -> None:
    system = epistrat.load(LAMPS)
    picture = reachable_picture(system, explore(Stepper(system), initial_states(system)))
    for text in (graph_page("m", picture), page([_report_on(system)])):
        assert 'class="zoom"' in text
        assert "'wheel'" in text
        assert "'pointermove'" in text
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    rules = re.sub(r"@media\([^)]*\)\{(.*)\}", r"\1", STATES_STYLE)
    assert all(one.startswith(".states ") for one in re.findall(r"([^{}]+)\{", rules))


def _report_on(system: epistrat.System) -> Report:
    (result,) = system.check("EF lit")
    return Report("m", system, results=(explained(system, result),))


def test_a_page_says_what_was_found_in_all_with_numbers_warnings_and_version(tmp_path: Path) -> None:
    from epistrat.cli.main import main

    text = LAMPS.replace("EF lit;", "AG !lit; seen: <a>X lit;")
    (tmp_path / "m.ispl").write_text(text.replace("Formulae", "Groups a = {A}; end Groups Formulae", 1))
    main(["check", str(tmp_path / "m.ispl"), "--html", str(tmp_path / "m.html")])
    text = (tmp_path / "m.html").read_text()
    assert re.search(r"<p>1 holds, 1 fails; 2 reachable states \(", text)
    assert "</span> 1 <code>AG !lit</code>" in text
    assert "</span> 2 <b>seen</b> <code>" in text
    assert f"epistrat {epistrat.__version__}</footer>" in text
    assert "<td>always</td><td><b>press</b></td>" in text
    sentences = re.findall(r"<p[^>]*>([^<]{20,})</p>", text)
    assert len(sentences) == len(set(sentences))


def test_a_page_has_the_warnings(tmp_path: Path) -> None:
    from epistrat.cli.main import main

    text = LAMPS.replace("Actions = {hum}", "Actions = {hum, idle}").replace("Vars: lit", "Vars: n : 0..1; lit")
    (tmp_path / "m.ispl").write_text(text.replace("lit = true if", "n = n + 1 and lit = true if"))
    main(["check", str(tmp_path / "m.ispl"), "--html", str(tmp_path / "m.html")])
    assert re.search(r"<summary>\d+ warnings?</summary><pre>warning\[W0", (tmp_path / "m.html").read_text())
