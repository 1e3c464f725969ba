"""A model checker for multi-agent systems: time, knowledge and strategies, with evidence."""
