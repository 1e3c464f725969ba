"""Interleaved models about what groups can bring about: a controller that picks trains, and a coercer who threatens voters."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.interleaved.trains import train_gate_controller

from epistrat.logic.formula import Coalition, Finally, Formula, Globally, Group, Implies, Not, Prop
from epistrat.model.builder import Builder
from epistrat.model.system import System


def controlled_trains(n: int) -> System:
    """The trains of `train_gate_controller`: the controller can bring train 1 into the tunnel, and can keep it out; train 1 cannot."""
    system = train_gate_controller(n)
    controller, train = Group(("Controller",), "controller"), Group(("Train1",), "train")
    inside = Prop("in_tunnel1")
    return replace(
        system,
        groups={"controller": controller.members, "train": train.members},
        formulae=(
            Coalition(controller, Finally(inside)),
            Coalition(controller, Globally(Not(inside))),
            Coalition(train, Finally(inside)),
        ),
    )


def coerced_voting(voters: int, candidates: int = 2) -> System:
    """Voters vote, show their vote to the coercer or refuse, and are punished or let go.

    The coercer takes whatever a voter does, and then decides about the punishment.  It can punish everybody who does not show a vote for
    candidate 1; but a voter alone cannot make sure that it gets away with another vote.
    """
    model = Builder(interleaved=True)
    coercer = model.agent("Coercer")
    for i in range(1, voters + 1):
        voter = model.agent(f"Voter{i}")
        vote, stage = (
            voter.range("vote", 0, candidates),
            voter.enum("stage", "start", "voted", "shown", "refused", "over"),
        )
        punished = voter.boolean("punished")
        ballots = [f"vote_{i}_{c}" for c in range(1, candidates + 1)]
        shows = [f"show_{i}_{c}" for c in range(1, candidates + 1)]
        refuse, hit, spare = f"refuse_{i}", f"punish_{i}", f"spare_{i}"
        voter.actions(*ballots, *shows, refuse, hit, spare)
        seen = coercer.range(f"seen{i}", 0, candidates + 2)  # 0: nothing yet; the vote shown; refused; done with
        coercer.actions(*shows, refuse, hit, spare)
        voter.may(*ballots, when=stage == "start")
        for c in range(1, candidates + 1):
            voter.may(shows[c - 1], when=(stage == "voted") & (vote == c))
            voter.evolve(voter.action == ballots[c - 1], vote=c, stage="voted")
            voter.evolve(voter.action == shows[c - 1], stage="shown")
            coercer.evolve(coercer.action == shows[c - 1], **{f"seen{i}": c})
        voter.may(refuse, when=stage == "voted")
        voter.may({hit, spare}, when=(stage == "shown") | (stage == "refused"))
        voter.evolve(voter.action == refuse, stage="refused")
        voter.evolve(voter.action == hit, stage="over", punished=True)
        voter.evolve(voter.action == spare, stage="over")
        coercer.may({*shows, refuse}, when=seen == 0)
        coercer.may(hit, spare, when=(seen > 0) & (seen < candidates + 2))
        coercer.evolve(coercer.action == refuse, **{f"seen{i}": candidates + 1})
        for action in (hit, spare):
            coercer.evolve(coercer.action == action, **{f"seen{i}": candidates + 2})
        model.initial(stage == "start", vote == 0, ~punished, seen == 0)
        model.proposition(f"got_away{i}", (stage == "over") & (vote != 1) & ~punished)
        model.proposition(f"voted{i}", (stage == "over") & (vote == candidates))
        model.proposition(f"punished{i}", punished)
    model.group("coercer", "Coercer")
    model.group("voter", "Voter1")
    model.formula(*_about_votes())
    return model.build()


def _about_votes() -> tuple[Formula, ...]:
    coercer, voter = Group(("Coercer",), "coercer"), Group(("Voter1",), "voter")
    return (
        Coalition(coercer, Globally(Not(Prop("got_away1")))),
        Coalition(coercer, Globally(Not(Prop("punished1")))),
        Coalition(voter, Finally(Prop("got_away1"))),
        Coalition(voter, Globally(Implies(Prop("voted1"), Not(Prop("punished1"))))),
    )
