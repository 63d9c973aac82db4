"""Estimators: a score or an area with what was sampled, which gives its variance and its replicates."""
