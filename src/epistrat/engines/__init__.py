"""Ways of checking, each a package of its own, chosen by what model and formula need."""
