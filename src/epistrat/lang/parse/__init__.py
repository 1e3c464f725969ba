"""From words to the syntax tree, by recursive descent."""
