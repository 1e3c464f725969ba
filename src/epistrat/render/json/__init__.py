"""Reports and evidence as JSON, and evidence read back from it."""
