"""Formulae about histories on decision diagrams: one set of states for each moment.

The states that histories of one length lead to are a *layer*.  The next layer depends on this one alone, so the first layer that came
before closes a loop, and finitely many stand for all.  What counts steps is a set of states in each layer.  What remembers is so, too,
where nothing is forgotten: where the moment and what an agent sees now tell what it saw before.  An announcement begins another line of
layers, with the states of which it was true.
"""
