"""Intervals: the range in which the true value of a score is expected, by several methods."""
