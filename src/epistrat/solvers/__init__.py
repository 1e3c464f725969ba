"""Solvers of other projects behind small interfaces, and the budgets that limit them."""
