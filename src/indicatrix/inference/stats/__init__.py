"""Distributions and p-values: quantiles, tails, adjustment for several tests, plain proportions."""
