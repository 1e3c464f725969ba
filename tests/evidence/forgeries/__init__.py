"""Forgeries: honest evidence with one premise dropped or weakened, so that it proves nothing any more.

`honest` asks the engines, `weaken` drops premises, `brute` finds out, by going through states one by one, whether a premise is violated.
``python -m tests.evidence.forgeries --count 2000 --seed 1`` makes forgeries until there are so many, and says what replay made of them.
"""
