"""Matching: which prediction finds which true object, and the rankings that follow."""
