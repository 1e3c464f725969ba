"""A server for assistants that speak the Model Context Protocol: tools that check and explain models, and the language as a resource."""
