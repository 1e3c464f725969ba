"""The operators of the logic as fixpoints over sets of states, whatever a state is made of; see `epistrat.engines.fixpoints.graph`."""
