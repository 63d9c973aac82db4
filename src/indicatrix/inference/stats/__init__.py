"""Distributions: quantiles, tails, and the intervals of plain proportions that follow from them."""
