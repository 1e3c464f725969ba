"""Handles to outside libraries, and the budgets they obey."""
