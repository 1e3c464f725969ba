"""Evidence in words, still as data."""
