"""Distributions and p-values: quantiles, tails, adjustment for several tests, and the intervals of plain proportions."""
