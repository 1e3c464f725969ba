"""Games of EVE: modules with guarded commands, goals and properties, written as ISPL with `Goals` and equilibria."""
