"""Weak slices: which conjunctions of features have the worst values of a measure."""
