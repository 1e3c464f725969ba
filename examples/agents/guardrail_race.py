"""openai-agents: the tool runs before the input guardrail has decided.  No network: the model is scripted.

Prints one JSON line per event of the run, in the order in which things happened; `--ordered` sets run_in_parallel=False.
"""

import asyncio
import json
import sys

from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    InputGuardrailTripwireTriggered,
    Model,
    ModelResponse,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)


def emit(action, **see):
    print(json.dumps({"action": action, "see": see}), flush=True)


class Script(Model):
    """A model that first asks for the tool and then says ok."""

    def __init__(self):
        self.calls = 0

    async def get_response(self, *args, **kwargs):
        self.calls += 1
        if self.calls == 1:
            emit("ask_tool")
            out = [
                ResponseFunctionToolCall(
                    arguments='{"amount": 5}', call_id="c1", name="wire_money", type="function_call", id="f1"
                )
            ]
        else:
            text = ResponseOutputText(text="ok", type="output_text", annotations=[])
            out = [ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")]
        return ModelResponse(output=out, usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


@function_tool
def wire_money(amount: int) -> str:
    """Pays."""
    emit("run_tool", **{"Tool.ran": True})
    return "done"


async def decide(context, agent, words):
    await asyncio.sleep(0.2)
    bad = "pay" in str(words)
    emit("trip" if bad else "pass")
    return GuardrailFunctionOutput(output_info=None, tripwire_triggered=bad)


async def main(words="pay 5", ordered=False, tool=None, guardrail=None, begin=lambda: emit("begin"), model=None):
    """One run; ``tool`` and ``guardrail`` may be guarded ones.  What became of it: the output, or "stopped"."""
    guardrail = guardrail or InputGuardrail(guardrail_function=decide, run_in_parallel=not ordered)
    agent = Agent(
        name="bank", instructions="x", model=model or Script(), tools=[tool or wire_money], input_guardrails=[guardrail]
    )
    begin()
    try:
        result = await Runner.run(agent, words)
    except InputGuardrailTripwireTriggered:
        return "stopped"
    emit("finish")
    return result.final_output


if __name__ == "__main__":
    asyncio.run(main("buy 5" if "--fine" in sys.argv else "pay 5", "--ordered" in sys.argv))
