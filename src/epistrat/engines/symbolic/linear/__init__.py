"""Linear formulae on decision diagrams: tableau, past, and fair paths."""
