"""Knowledge in linear time, learnt lazily: every K is a free variable of which only as much is learnt as the question needs.

`question` turns a formula into a condition with placeholders, `knowledge` finds out whether a placeholder's value in a state is right
and learns a lemma from the answer, `loop` alternates between checking and learning, `denotation` learns all there is to learn about
one K.  See docs/lazy.md.
"""
