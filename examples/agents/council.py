"""langgraph: voters in turn read each other's votes in the shared state; voters side by side do not.  Scripted voters, no network."""

import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


def run(side_by_side, n=3):
    """What each voter found in the state when it voted."""
    found = {}

    class State(TypedDict):
        votes: Annotated[list, operator.add]

    def voter(i):
        def vote(state):
            found[i] = list(state.get("votes", []))
            return {"votes": [(i, "yes")]}

        return vote

    graph = StateGraph(State)
    for i in range(1, n + 1):
        graph.add_node(f"voter{i}", voter(i))
        graph.add_edge(START if side_by_side or i == 1 else f"voter{i - 1}", f"voter{i}")
        if side_by_side or i == n:
            graph.add_edge(f"voter{i}", END)
    graph.compile().invoke({"votes": []})
    return found


if __name__ == "__main__":
    print("in turn:", run(False))
    print("side by side:", run(True))
