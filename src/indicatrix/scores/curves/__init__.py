"""Curves of ranked scores, and the areas under them: formulas of counts at all thresholds (prop:roc, Group 7)."""
