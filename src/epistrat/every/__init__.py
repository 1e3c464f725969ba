"""All sizes of a family at once: one system with whole numbers that stands for every value of a parameter.

Members of a family whom nothing names are not kept one by one: for each *record*, a value of all that belongs to a member, a counter says
how many have it.  `quotient.counted` makes that system of a template, or says which line of the model prevents it.
"""
