"""Formulae about histories, on graphs that grow: a node is a state together with what its history decides.

Knowledge that counts steps or remembers is no set of states: one state may be reached at several times, or after different sights.  The
innermost such operator is taken first.  Beside each node runs a *tracker*, which says which nodes are possible after the history so far;
the pairs of both are the nodes of a larger graph, on which the operator is a set of nodes, and the next one is taken.

An announcement leads into another *phase*: a copy of the graph in which time goes on after it.  A tracker jumps along, to those possible
nodes of which the announced formula was true.
"""
