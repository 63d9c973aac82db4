"""Curves of ranked scores, and the areas under them, by counts at all thresholds (prop:roc, Group 7)."""
