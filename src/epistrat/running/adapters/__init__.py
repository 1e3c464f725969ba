"""Functions that connect a monitor with a package; `epistrat monitor --for` appends them to the generated file.

Each module is copied from its mark on and imports its package only when one of its functions is called.
"""

NAMES = ("openai-agents", "langgraph", "gymnasium", "pettingzoo")
