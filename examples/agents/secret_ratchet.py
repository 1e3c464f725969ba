"""openai-agents: an agent reads a secret and then writes to an outsider; nothing in the package connects the two calls.  No network."""

import asyncio
import json

from agents import Agent, Model, ModelResponse, Runner, Usage, function_tool, set_tracing_disabled
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

set_tracing_disabled(True)
sent = []
SECRET = "one"


@function_tool
def read_secret() -> str:
    """Reads it."""
    return SECRET


@function_tool
def send_message(to: str, text: str) -> str:
    """Sends a message."""
    sent.append((to, text))
    return "sent"


class Script(Model):
    """Does what a prompt injection made it do: reads, writes to a colleague, then to an outsider."""

    def __init__(self, calls):
        self.calls = list(calls)
        self.heard = []

    async def get_response(self, system_instructions=None, input=None, *args, **kwargs):
        self.heard.append(input)
        if self.calls:
            name, arguments = self.calls.pop(0)
            out = [
                ResponseFunctionToolCall(
                    arguments=json.dumps(arguments),
                    call_id=f"c{len(self.calls)}",
                    name=name,
                    type="function_call",
                    id="f",
                )
            ]
        else:
            text = ResponseOutputText(text="ok", type="output_text", annotations=[])
            out = [ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")]
        return ModelResponse(output=out, usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


LEAK = [
    ("send_message", {"to": "outsider", "text": "hello"}),
    ("read_secret", {}),
    ("send_message", {"to": "colleague", "text": SECRET}),
    ("send_message", {"to": "outsider", "text": SECRET}),
]


async def main(tools=None, calls=LEAK):
    script = Script(calls)
    await Runner.run(
        Agent(name="assistant", instructions="x", model=script, tools=tools or [read_secret, send_message]), "go"
    )
    return script


if __name__ == "__main__":
    asyncio.run(main())
    print(sent)
