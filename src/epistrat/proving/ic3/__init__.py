"""IC3 for finite systems: is a bad state reachable?  An inductive invariant or a trace.

`frames` keeps what is known of the states reachable in k steps, `obligations` the states that must be shown unreachable,
`generalise` makes one refutation serve many states, `propagate` moves facts forward and finds the invariant, `search` is the loop.
"""
