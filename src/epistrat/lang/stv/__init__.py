"""Models of STV2: automata with guards and assignments that share events, read and written as interleaved ISPL."""
