"""The judge: explicit states, one function per clause of the definitions, no optimisation."""
