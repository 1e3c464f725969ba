"""Predicate abstraction: finitely many predicates stand for the values of unbounded variables; three truth values."""
