"""Families whose members stand in places and look at their neighbours: proofs for every size.

A state is a function of an index (`family`); conditions and steps are conditions on such functions (`reading`, `steps`), which a solver
is asked about without quantifiers (`first_order`).  A formula is taken apart into `claims`; `obligations` are what has to be shown for
them, with invariants (`clauses`), and with `exchange` for what is not known.  All else is a search in small sizes (`candidates`,
`search`, `lookalikes`), whose finds count only when `prove.wrong` has shown the obligations again.
"""
