"""Writes the worked explanations: hand-written words around what epistrat really prints and draws.

    .venv/bin/python docs/explained/build.py

A test compares the pages with what the present version prints, so they cannot grow stale unnoticed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

import epistrat
from epistrat.render.graph import tree_picture
from epistrat.render.svg import svg

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from printed import printed  # noqa: E402 (found in the folder above)

EXAMPLES = HERE.parents[1] / "examples"


@dataclass(frozen=True)
class Chapter:
    """One page: a model, a question, and what a reader should make of the answer."""

    file: str
    title: str
    model: str
    formula: str
    story: str
    reading: str


CHAPTERS = (
    Chapter(
        "01-who-paid",
        "Why a cryptographer cannot know who paid",
        "dining_cryptographers",
        "AG((odd and paid2) -> K(C1, paid2))",
        "Three cryptographers have dined, and one of them may have paid. Each pair of neighbours tosses a coin that only the two "
        "of them see. Then everybody says aloud whether the two coins beside them are alike; whoever paid says the opposite of what "
        "they see. If an odd number say `different`, one of them paid. We ask: when the second one paid and the announcement was odd, "
        "does the first one then know that it was the second?",
        "The answer is no, and the reason stands in two columns. On the left is what really happens. On the right is another evening "
        "that the first cryptographer cannot tell from this one: there the *third* paid, and the one coin that the first does not see fell "
        "the other way. Everything the first one sees is listed once below the columns. It is the same in both, so nothing in it can tell "
        "who paid. The dashed line in the picture joins the two states that look the same.",
    ),
    Chapter(
        "02-common-knowledge",
        "What father changes by saying what everybody sees",
        "muddy_children",
        "all_muddy -> GCK(children, some_muddy)",
        "Three children all have mud on their foreheads. Each sees the other two. So everybody knows that somebody is muddy, even before "
        "father says so. Is it also *common* knowledge: does everybody know that everybody knows that everybody knows, and so on?",
        "No, and the explanation walks the chain of doubts. The first child cannot see its own forehead; it thinks: perhaps I am clean. In "
        "that case the second child would think: perhaps I am clean *too*. And in that case the third one would see nobody muddy, and "
        "could believe that nobody is. Three small doubts, each reasonable, lead to a world where the claim is false. Father's "
        "sentence cuts the chain; after it formula 5 of the model holds.",
    ),
    Chapter(
        "03-waiting-for-ever",
        "How a train can wait for ever",
        "train_gate_controller",
        "AG (waiting1 -> AF inside1)",
        "Three trains want to pass one tunnel, and a light lets in one at a time. Is a train that waits sure to get in at some time?",
        "No. First the run shows how the first train comes to wait. Then comes a part that is bracketed: it can be repeated as often "
        "as one likes. Another train approaches, enters and leaves, over and over, and the waiting train never gets its turn. Nothing in "
        "the model forbids it; a fairness condition would.",
    ),
    Chapter(
        "04-the-man-in-the-middle",
        "The attack on a famous protocol",
        "authentication",
        "AG ((original and bob_finished_with_alice) -> !mallory_knows_nb)",
        "Alice and Bob use a protocol by Needham and Schroeder to make sure that they talk to each other. At its end Bob believes that he "
        "shares a secret number with Alice alone. Can Mallory know it?",
        "He can, after six steps, and the run is the attack that Lowe found: Alice, quite honestly, calls Mallory. Mallory repeats her "
        "message to Bob and so pretends to be Alice. Bob's answer is sealed for Alice, so Mallory passes it on to her, and she opens it "
        "for him. The remarks in brackets say who notices each step: Bob never sees anything that would warn him.",
    ),
    Chapter(
        "05-the-prisoners-plan",
        "A plan that always works",
        "prisoners",
        "<prisoners>F free",
        "Prisoners are led, one at a time and in any order, into a room with a light bulb. They go free when one of them can truthfully "
        "say that all have been there. Can they agree on a plan beforehand that works whatever the warden does, as long as he forgets "
        "nobody for ever?",
        "They can, and this is the plan that was found: one prisoner counts. Everybody else switches the light on once, when they find it "
        "off. The counter switches it off again and counts; when she has counted all the others, she speaks. The rules are tried from "
        "top to bottom, and each agent's rules mention only what that agent can see. The picture shows what can happen under the plan.",
    ),
    Chapter(
        "06-alone-it-cannot-be-done",
        "Why the counter alone cannot do it",
        "prisoners",
        "<counter_alone>F free",
        "The same prison. Could the counter bring about the release on her own, even if the other prisoners do as they please?",
        "No: whatever she does has an answer. The others need not even know what she is about to do: it is enough that one of them "
        "never touches the light, while the warden leads everybody in by turns, so that the run is a fair one. She never counts to two.",
    ),
    Chapter(
        "07-the-race-nobody-can-force",
        "A race that neither side can force",
        "tian_ji",
        "!predictable -> <tian>F tian_wins",
        "Tian Ji and the king race three horses each. Tian Ji's horses are slightly slower, class by class, but he wins two races of "
        "three if he may match them well. If the king chooses his horses freely and at the same moment: can Tian Ji still make sure of "
        "winning?",
        "No. To every choice of Tian Ji the king has an answer that keeps the win away; the first of them are listed. Formula 3 of the "
        "model shows that the king cannot force *his* win either: whoever would have to choose first is lost. That is why the answers "
        "depend on the choice they answer, and are not a plan that could be written down beforehand.",
    ),
    Chapter(
        "08-the-airlock",
        "What good behaviour of one does not guarantee",
        "red_states",
        "O(Inner, !both_open)",
        "An airlock has two doors with one operator each. The outer operator can break the rules; the inner one cannot. Is it enough that "
        "the *inner* operator behaves, to be sure that the doors are never both open?",
        "No. Here is a run in which the inner operator does nothing wrong, and yet both doors are open in the end: the outer operator "
        "pressed although the lamp did not allow it. Formula 2 of the model asks the same of the outer operator, and holds.",
    ),
    Chapter(
        "09-money-back",
        "What the provider is not told",
        "contract",
        "AG (refunded -> K(Provider, refunded))",
        "A client pays in advance; if the service does not come, an arbiter orders the money back. When the client has the money back, "
        "does the provider know it?",
        "No. The two runs are the same up to the complaint. On the left the arbiter then acts, on the right not yet; the provider's own "
        "records are the same in both. If the contract should let the provider know, the arbiter's order must be made visible to it.",
    ),
    Chapter(
        "10-winning-without-knowing",
        "Having won without knowing it",
        "card_game",
        "AG (wins -> K(Player, wins))",
        "A player has one of three cards, the dealer another, and the third lies hidden on the table. The player keeps the card or "
        "swaps it for the hidden one, and wins if it beats the dealer's. When the player has won, does the player know?",
        "No. After the swap the player holds the queen. If the dealer has the ace, the queen wins; if the dealer has the king, it loses; "
        "and the player sees neither (and, as this model has it, does not remember the card given away). It is the same with the choice "
        "itself: a winning move always exists (formula 1 holds), but the player cannot know which one it is. `--strategies subjective` "
        "asks for a strategy that the player can *know* to work, and finds none.",
    ),
)


def page(chapter: Chapter) -> tuple[str, str]:
    """The chapter's text and its picture."""
    system = epistrat.load(EXAMPLES / f"{chapter.model}.ispl")
    (result,) = system.check(chapter.formula)
    if result.evidence is None:
        raise RuntimeError(f"{chapter.file}: there is nothing to show")
    shown = printed("check", f"examples/{chapter.model}.ispl", "-f", chapter.formula, "--evidence")
    text = f"""# {chapter.title}

{fill(chapter.story, 120)}

    $ epistrat check examples/{chapter.model}.ispl -f '{chapter.formula}' --evidence
{shown}

{fill(chapter.reading, 120)}

![The states of the explanation]({chapter.file}.svg)
"""
    return text, svg(tree_picture(system, result.evidence, reading=result.reading))


def contents() -> str:
    """The list of chapters."""
    lines = [f"{number}. [{c.title}]({c.file}.md)" for number, c in enumerate(CHAPTERS, start=1)]
    return "\n".join(
        [
            "# Ten explanations",
            "",
            "What epistrat says when a formula holds or fails, on the models in `examples/`, for readers who know no model checking. The",
            "indented text is what the command prints; `--html FILE` shows the same as a page to click through.",
            "`docs/explained/build.py` makes these pages.",
            "",
            *lines,
            "",
        ]
    )


def main() -> None:
    """Write all pages."""
    (HERE / "README.md").write_text(contents(), encoding="utf-8")
    for chapter in CHAPTERS:
        text, picture = page(chapter)
        (HERE / f"{chapter.file}.md").write_text(text, encoding="utf-8")
        (HERE / f"{chapter.file}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
