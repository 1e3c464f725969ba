"""Two agents hand off to each other: langgraph runs 10,007 steps before it gives up, openai-agents ten turns.  No network."""

import asyncio
import sys
import time
from typing import TypedDict


def langgraph_loop(limit=None, hook=None):
    """How many hand-offs happen before something stops them, and what stops them."""
    from langgraph.errors import GraphRecursionError
    from langgraph.graph import START, StateGraph
    from langgraph.types import Command

    class State(TypedDict):
        words: str

    count = 0

    def node(me, other):
        def act(state) -> Command:
            nonlocal count
            if hook:
                hook(me, other)
            count += 1
            return Command(goto=other)

        act.__annotations__["return"] = Command[str]
        return act

    graph = StateGraph(State)
    graph.add_node("alice", node("alice", "bob"), destinations=("bob",))
    graph.add_node("bob", node("bob", "alice"), destinations=("alice",))
    graph.add_edge(START, "alice")
    run = graph.compile()
    try:
        run.invoke({"words": "hi"}, {"recursion_limit": limit} if limit else None)
        end = "finished"
    except GraphRecursionError:
        end = "GraphRecursionError"
    return count, end


async def agents_loop():
    from agents import Agent, MaxTurnsExceeded, Model, ModelResponse, Runner, Usage, set_tracing_disabled
    from openai.types.responses import ResponseFunctionToolCall

    set_tracing_disabled(True)
    count = 0

    class Script(Model):
        def __init__(self, other):
            self.other = other

        async def get_response(self, *args, **kwargs):
            nonlocal count
            count += 1
            call = ResponseFunctionToolCall(
                arguments="{}",
                call_id=f"c{count}",
                name=f"transfer_to_{self.other}",
                type="function_call",
                id=f"f{count}",
            )
            return ModelResponse(output=[call], usage=Usage(), response_id=None)

        def stream_response(self, *args, **kwargs):
            raise NotImplementedError

    alice = Agent(name="alice", instructions="x", model=Script("bob"))
    bob = Agent(name="bob", instructions="x", model=Script("alice"), handoffs=[alice])
    alice.handoffs = [bob]
    try:
        await Runner.run(alice, "hi")
        end = "finished"
    except MaxTurnsExceeded:
        end = "MaxTurnsExceeded"
    return count, end


if __name__ == "__main__":
    t = time.time()
    print("openai-agents:", *asyncio.run(agents_loop()))
    print("langgraph, limit 25:", *langgraph_loop(25))
    if "--full" in sys.argv:
        print("langgraph, as it comes:", *langgraph_loop(), f"{time.time() - t:.1f} s")
