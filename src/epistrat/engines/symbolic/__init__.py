"""ATLK, CTL* and past over binary decision diagrams."""
