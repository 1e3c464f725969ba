"""The judge: explicit states and textbook definitions, for every formula of the logic.  The other engines are tested against it."""
