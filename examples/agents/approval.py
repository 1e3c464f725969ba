"""langgraph: a node that asks a human is run again from its start when the answer comes; what stands before the question happens twice."""

from typing import TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


def run(early, answer=True, emit=print, pay=None):
    """The events of one run; `early`: the payment stands before the question."""
    pay = pay or (lambda: emit("pay"))

    class State(TypedDict):
        ok: bool

    def step(state):
        if early:
            pay()
        emit_once("ask_small")
        ok = interrupt("pay 5?")
        if ok and not early:
            pay()
        return {"ok": ok}

    asked = []

    def emit_once(what):
        if not asked:
            asked.append(what)
            emit(what)

    graph = StateGraph(State)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    graph.add_edge("step", END)
    app = graph.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    app.invoke({"ok": False}, thread)
    emit("approve" if answer else "reject")
    app.invoke(Command(resume=answer), thread)


if __name__ == "__main__":
    for early in (True, False):
        events = []
        run(early, emit=events.append)
        print("early" if early else "late", events, "payments:", events.count("pay"))
    events = []
    run(True, answer=False, emit=events.append)
    print("early, refused", events, "payments:", events.count("pay"))
