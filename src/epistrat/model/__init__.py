"""Interpreted systems and their reference semantics."""
