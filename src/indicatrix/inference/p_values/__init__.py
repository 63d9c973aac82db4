"""p-values: the signed-rank test, adjustment for several tests, and p-values in words."""
