"""Encoding: from the labels that callers hand over to indicator matrices (sec:matrix)."""
