"""A system as conditions for a solver, and what a solver found as states of the system."""
