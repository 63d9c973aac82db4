"""Encoding: from the labels of callers to indicator matrices (sec:matrix)."""
