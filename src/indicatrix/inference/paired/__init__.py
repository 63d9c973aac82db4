"""Paired comparisons: the difference of a score between two classifiers on the same examples."""
