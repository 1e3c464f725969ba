"""From the syntax tree to a checked `System`: names and types are resolved on the way."""
