"""Strategies without memory on explored states: tables whose entries are variables of decision diagrams."""
