"""VMT-LIB transition systems with observers, translated to ISPL."""
